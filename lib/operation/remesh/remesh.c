/* Parts of a mesh meshed again. In: mesh, tables, a choice of tets, who fills cavities. Out:
 * removal of these tets, and new ones within the same surface, in one edit.
 *
 * The mesher gets the surface of each part, which it must keep, and returns tets; what it made is
 * checked (remesh_check.c) and its inner vertices are smoothed. New vertices name the tet that they
 * lie in, so that fields are interpolated by it, and new tets the one that has their centroid. */
#include "operation/remesh/remesh.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { SWEEPS = 10 };

typedef struct remesher {
    const ew_operation_input *in;
    const ew_remesh_def *def;
    ew_edit *edit;
    ew_remesh_plan plan;              /* owned */
    double deadline;                  /* by ew_seconds */
    int32_t n_made, n_kept, n_failed; /* parts: meshed again, no better than before, refused */
} remesher;

/* ---- one part ------------------------------------------------------------------ */

static ew_tetgen_def settings_of(const remesher *r, const ew_remesh_part *part)
{
    ew_tetgen_def def = r->def->mesher;
    def.keep_surface = true;
    /* The volume of a regular tet; 0 would be no bound. */
    const double size = r->def->size;
    def.max_volume = size > 0.0 ? fmax(size * size * size / sqrt(72.0), DBL_MIN) : part->max_volume;
    if (def.max_seconds > 0.0) {
        def.max_seconds = fmax(r->deadline - ew_seconds(), 1e-3);
    }
    return def;
}

static double quality_of(const ew_filling *filling)
{
    double min = 1.0;
    const ew_mesh mesh = {.n_tet = filling->n_tet, .tet = filling->tet, .xyz = filling->xyz};
    for (int32_t t = 0; t < filling->n_tet; t++) {
        min = fmin(min, ew_mesh_tet_quality(&mesh, t));
    }
    return min;
}

/* Vertices beyond the part's own become smoother; a part with vertices that stay inside is left as
 * the mesher made it, for to smoothing they would be like any other. */
static ew_status smooth(const ew_remesh_part *part, ew_filling *filling)
{
    ew_mesh mesh = {0};
    ew_topology topology = {0};
    ew_edit edit = {0};
    ew_status status;
    bool *outer = NULL;
    int32_t n_outer = 0;
    EW_TRY_OUT(ew_new_zero(&outer, (size_t)part->vertex.n, sizeof *outer));
    for (int32_t i = 0; i < 3 * part->n_outer; i++) {
        n_outer += !outer[part->triangle.id[i]];
        outer[part->triangle.id[i]] = true;
    }
    if (n_outer < part->vertex.n || filling->n_vertex == part->vertex.n) {
        goto out;
    }
    const ew_mesh_def def = {.n_vertex = filling->n_vertex,
                             .xyz = filling->xyz,
                             .n_tet = filling->n_tet,
                             .tet = filling->tet};
    EW_TRY_OUT(ew_mesh_init(&mesh, &def, NULL));
    EW_TRY_OUT(ew_topology_build(&topology, &mesh));
    EW_TRY_OUT(ew_operation_smooth(&mesh, &topology, SWEEPS, &edit));
    for (int32_t i = 0; i < edit.move_vertex.n; i++) {
        memcpy(filling->xyz + 3 * (size_t)edit.move_vertex.id[i], edit.move_to + 3 * (size_t)i,
               3 * sizeof *filling->xyz);
    }
out:
    ew_release(outer);
    ew_mesh_free(&mesh);
    ew_topology_free(&topology);
    ew_edit_free(&edit);
    return status;
}

static ew_status queue_vertices(remesher *r, const ew_remesh_part *part, const ew_filling *filling,
                                const ew_locator *locator, int32_t *name)
{
    const ew_mesh *mesh = r->in->mesh;
    for (int32_t v = 0; v < filling->n_vertex; v++) {
        const double *x = filling->xyz + 3 * (size_t)v;
        double weight[4];
        if (v < part->vertex.n) {
            name[v] = part->vertex.id[v];
            continue;
        }
        const int32_t t = ew_locate(locator, x, weight);
        EW_TRY(ew_edit_add_vertex_in(r->edit, x, mesh->tet + 4 * (size_t)t, weight, &name[v]));
    }
    return EW_OK;
}

static ew_status queue_tets(remesher *r, const ew_remesh_part *part, const ew_filling *filling,
                            const ew_locator *locator, const int32_t *name)
{
    const ew_mesh *mesh = r->in->mesh;
    const int32_t label = mesh->region_label[mesh->region[part->tet.id[0]]];
    for (int32_t i = 0; i < part->tet.n; i++) {
        EW_TRY(ew_edit_remove_tet(r->edit, part->tet.id[i]));
    }
    for (int32_t t = 0; t < filling->n_tet; t++) {
        const int32_t *v = filling->tet + 4 * (size_t)t;
        const int32_t named[4] = {name[v[0]], name[v[1]], name[v[2]], name[v[3]]};
        double centroid[3], weight[4];
        for (int c = 0; c < 3; c++) {
            centroid[c] = 0.0;
            for (int k = 0; k < 4; k++) {
                centroid[c] += 0.25 * filling->xyz[3 * (size_t)v[k] + (size_t)c];
            }
        }
        EW_TRY(ew_edit_add_tet_from(r->edit, named, label, ew_locate(locator, centroid, weight)));
    }
    return EW_OK;
}

static ew_status queue_part(remesher *r, const ew_remesh_part *part, int32_t number,
                            const ew_filling *filling)
{
    ew_locator locator = {0};
    int32_t *name = NULL;
    ew_status status = ew_locator_init(&locator, part, r->plan.part, number);
    if (!status) {
        status = ew_new(&name, (size_t)filling->n_vertex, sizeof *name);
    }
    if (!status) {
        status = queue_vertices(r, part, filling, &locator, name);
    }
    if (!status) {
        status = queue_tets(r, part, filling, &locator, name);
    }
    ew_locator_free(&locator);
    ew_release(name);
    return status;
}

/* A refusal by the mesher or by the check of its result; other failures end the operation. */
static bool is_refusal(ew_status status)
{
    return status == EW_BAD_INPUT || status == EW_BAD_EDIT || status == EW_LIMIT;
}

static ew_status fill_part(remesher *r, const ew_remesh_part *part, ew_filling *filling)
{
    const ew_tetgen_def def = settings_of(r, part);
    const ew_cavity cavity = {.n_vertex = part->vertex.n,
                              .xyz = part->xyz,
                              .n_triangle = part->n_outer,
                              .triangle = part->triangle.id,
                              .n_inner = part->triangle.n / 3 - part->n_outer};
    EW_TRY(r->in->fill(&cavity, &def, filling));
    EW_TRY(ew_remesh_check(part, filling));
    return smooth(part, filling);
}

static ew_status fail_part(const remesher *r, const ew_remesh_part *part, ew_status status)
{
    return ew_fail_prefix(status,
                          "remesh: the part of %d tets with tet %lld cannot be meshed within its "
                          "boundary; choose other tets, or refine before",
                          part->tet.n, (long long)r->in->mesh->tet_id[part->tet.id[0]]);
}

/* Where quality alone asked, a part stays as it is where nothing better comes of it. */
static ew_status remesh_part(remesher *r, const ew_remesh_part *part, int32_t number)
{
    ew_filling filling = {0};
    const bool may_stay = r->def->worse_than > 0.0;
    ew_status status = fill_part(r, part, &filling);
    if (status && is_refusal(status)) {
        r->n_failed++;
        status = may_stay ? EW_OK : fail_part(r, part, status);
    } else if (!status && may_stay && quality_of(&filling) <= part->min_quality) {
        r->n_kept++;
    } else if (!status) {
        r->n_made++;
        status = queue_part(r, part, number, &filling);
    }
    ew_filling_free(&filling);
    return status;
}

/* ---- all parts -------------------------------------------------------------------- */

/* tet: [chosen], slots by part, ascending by tet_id within each; begin: [parts + 1]. */
static ew_status sort_tets(const remesher *r, const ew_set *chosen, int32_t *tet, int32_t *begin)
{
    const ew_mesh *mesh = r->in->mesh;
    const int32_t *part = r->plan.part, n = chosen->list.n;
    ew_keyed *order;
    EW_TRY(ew_new(&order, (size_t)n, sizeof *order));
    for (int32_t i = 0; i < n; i++) {
        const int32_t t = chosen->list.id[i];
        order[i] = (ew_keyed){0.0, mesh->tet_id[t], t};
    }
    ew_sort_by_name(order, n);
    memset(begin, 0, ((size_t)r->plan.n_part + 1) * sizeof *begin);
    for (int32_t i = 0; i < n; i++) {
        begin[part[order[i].slot] + 1]++;
    }
    for (int32_t p = 0; p < r->plan.n_part; p++) {
        begin[p + 1] += begin[p];
    }
    for (int32_t i = 0; i < n; i++) {
        tet[begin[part[order[i].slot]]++] = order[i].slot;
    }
    for (int32_t p = r->plan.n_part; p > 0; p--) {
        begin[p] = begin[p - 1];
    }
    begin[0] = 0;
    ew_release(order);
    return EW_OK;
}

static ew_status remesh_parts(remesher *r, const int32_t *tet, const int32_t *begin)
{
    for (int32_t p = 0; p < r->plan.n_part; p++) {
        ew_remesh_part part = {0};
        ew_status status =
            ew_remesh_part_init(&part, &r->plan, p, tet + begin[p], begin[p + 1] - begin[p]);
        if (!status) {
            status = remesh_part(r, &part, p);
        }
        ew_remesh_part_free(&part);
        EW_TRY(status);
    }
    return EW_OK;
}

static ew_status remesh(remesher *r, const ew_list *among)
{
    ew_set chosen = {0};
    int32_t *tet = NULL, *begin = NULL;
    ew_status status;
    EW_TRY_OUT(ew_remesh_choose(r->in, r->def, among, &chosen));
    EW_TRY_OUT(ew_remesh_plan_init(&r->plan, r->in, &chosen));
    EW_TRY_OUT(ew_new(&tet, (size_t)chosen.list.n, sizeof *tet));
    EW_TRY_OUT(ew_new(&begin, (size_t)r->plan.n_part + 1, sizeof *begin));
    EW_TRY_OUT(sort_tets(r, &chosen, tet, begin));
    EW_TRY_OUT(remesh_parts(r, tet, begin));
    if (r->n_failed && !r->n_made && !r->n_kept) {
        status = ew_fail(EW_BAD_EDIT,
                         "remesh: none of the %d parts can be meshed within its boundary; choose "
                         "more rings around the tets, or refine before",
                         r->n_failed);
    }
out:
    ew_set_free(&chosen);
    ew_release(tet);
    ew_release(begin);
    ew_remesh_plan_free(&r->plan);
    return status;
}

static ew_status check_def(const ew_remesh_def *def)
{
    EW_TRY(ew_need_length("remesh", "longer_than", def->longer_than));
    EW_TRY(ew_need_length("remesh", "shorter_than", def->shorter_than));
    EW_TRY(ew_need_length("remesh", "size", def->size));
    if (def->size > 1e100) { /* its cube is needed */
        return ew_fail(EW_BAD_ARGUMENT, "remesh: size %g is too large; give the length of an edge",
                       def->size);
    }
    if (!(def->worse_than >= 0.0 && def->worse_than <= 1.0) || def->rings < 0) {
        return ew_fail(EW_BAD_ARGUMENT,
                       "remesh: quality %g must be from 0 to 1, and %d rings at least 0",
                       def->worse_than, def->rings);
    }
    return EW_OK;
}

ew_remesh_def ew_default_remesh_def(void)
{
    return (ew_remesh_def){.mesher = ew_default_tetgen_def()};
}

ew_status ew_operation_remesh(const ew_operation_input *in, const ew_list *tet,
                              const ew_remesh_def *def, ew_edit *edit)
{
    remesher r = {.in = in, .def = def, .edit = edit};
    EW_TRY(ew_need_empty("remesh", edit));
    EW_TRY(ew_need_tets("remesh", in->mesh));
    EW_TRY(ew_need_current("remesh", in->topology, in->mesh));
    EW_TRY(check_def(def));
    if (!in->fill) {
        return ew_refuse_missing("remesh", "TetGen", NULL, "EW_WITH_TETGEN");
    }
    r.deadline = ew_seconds() + def->mesher.max_seconds;
    const ew_status status = remesh(&r, tet);
    if (status) {
        ew_edit_clear(edit);
    }
    return status;
}

/* ---- its place in the table -------------------------------------------- */

enum {
    TETS,
    SET,
    WORSE_THAN,
    LONGER_THAN,
    SHORTER_THAN,
    RINGS,
    SIZE,
    RATIO,
    MAX_SECONDS,
    MAX_MEMORY,
    N_PARAMETER
};

#define CRITERIA "worse_than longer_than shorter_than"

static const ew_parameter parameters[N_PARAMETER] = {
    [TETS] = {.key = "tets",
              .kind = EW_PARAMETER_TETS,
              .need = EW_SOME_OF,
              .words = "box sphere cylinder side region ids",
              .argument = "SELECTION",
              .help = "the tets"},
    [SET] = {.key = "set",
             .kind = EW_PARAMETER_PROTECTED,
             .need = EW_SOME_OF,
             .argument = "SET",
             .help = "the tets of sets"},
    [WORSE_THAN] = {.key = "worse_than",
                    .kind = EW_PARAMETER_NUMBER,
                    .need = EW_SOME_OF,
                    .above = true,
                    .high = 1,
                    .argument = "QUALITY",
                    .help = "tets below this shape quality, and rings around them"},
    [LONGER_THAN] = {.key = "longer_than",
                     .kind = EW_PARAMETER_LENGTH,
                     .need = EW_SOME_OF,
                     .above = true,
                     .argument = "LENGTH",
                     .help = "tets with a longer edge, and rings around them"},
    [SHORTER_THAN] = {.key = "shorter_than",
                      .kind = EW_PARAMETER_LENGTH,
                      .need = EW_SOME_OF,
                      .above = true,
                      .argument = "LENGTH",
                      .help = "tets whose longest edge is shorter, and rings around them"},
    [RINGS] = {.key = "rings",
               .kind = EW_PARAMETER_COUNT,
               .with = CRITERIA,
               .preset = "2",
               .low = 0,
               .high = 100,
               .argument = "N",
               .help = "number of rings around tets selected by quality or size"},
    [SIZE] = {.key = "size",
              .kind = EW_PARAMETER_LENGTH,
              .above = true,
              .argument = "LENGTH",
              .help = "target edge length (present; that of longer_than or shorter_than)"},
    [RATIO] = {.key = "ratio",
               .kind = EW_PARAMETER_NUMBER,
               .preset = "1.4",
               .low = 1,
               .high = 100,
               .argument = "RATIO",
               .help = "target of TetGen for the largest radius-edge ratio"},
    [MAX_SECONDS] = {.key = "max_seconds",
                     .kind = EW_PARAMETER_NUMBER,
                     .unit = "s",
                     .preset = "600",
                     .low = 0,
                     .high = 1e9,
                     .argument = "S",
                     .help = "stop TetGen after this time (0: never)"},
    [MAX_MEMORY] = {.key = "max_memory",
                    .kind = EW_PARAMETER_NUMBER,
                    .unit = "GiB",
                    .preset = "16",
                    .low = 0,
                    .high = 1e9,
                    .argument = "GIB",
                    .help = "memory limit of TetGen (0: none)"},
};

/* The selected tets and those of the sets; the intersection where both are given. */
static ew_status list_tets(const ew_operation_input *in, ew_list *tet)
{
    const ew_parameter_value *of = in->values->of;
    if (!of[TETS].given) {
        for (int32_t i = 0; i < in->keep->list.n; i++) {
            EW_TRY(ew_list_push(tet, in->keep->list.id[i]));
        }
        return EW_OK;
    }
    EW_TRY(ew_mesh_select_tets(in->mesh, &of[TETS].selector, tet));
    int32_t n = 0;
    for (int32_t i = 0; i < tet->n; i++) {
        const bool takes = !in->keep || ew_set_has(in->keep, tet->id[i]);
        tet->id[n] = tet->id[i];
        n += takes;
    }
    tet->n = n;
    return EW_OK;
}

static ew_status queue_values(const ew_operation_input *in, ew_edit *edit)
{
    const ew_parameter_value *of = in->values->of;
    const bool by_size = of[LONGER_THAN].given || of[SHORTER_THAN].given;
    const bool selects = of[TETS].given || in->keep;
    ew_list tet = {0};
    ew_remesh_def def = ew_default_remesh_def();
    def.worse_than = of[WORSE_THAN].number[0];
    def.longer_than = of[LONGER_THAN].number[0];
    def.shorter_than = of[SHORTER_THAN].number[0];
    def.rings = by_size || of[WORSE_THAN].given ? (int32_t)of[RINGS].whole : 0;
    def.size = of[SIZE].given          ? of[SIZE].number[0]
               : of[LONGER_THAN].given ? of[LONGER_THAN].number[0]
                                       : of[SHORTER_THAN].number[0];
    def.mesher.quality = of[RATIO].number[0];
    def.mesher.max_seconds = of[MAX_SECONDS].number[0];
    def.mesher.max_memory = of[MAX_MEMORY].number[0];
    ew_status status = selects ? list_tets(in, &tet) : EW_OK;
    if (!status && selects && !tet.n) {
        status = ew_fail(EW_BAD_EDIT, "remesh: the selection holds no tets; select others");
    }
    if (!status) {
        status = ew_operation_remesh(in, selects ? &tet : NULL, &def, edit);
    }
    ew_list_free(&tet);
    return status;
}

const ew_operation ew_remesh_operation = {
    .name = "remesh",
    .summary = "mesh a part again within its boundary, with TetGen",
    .text = "The surface of what is chosen stays as it is, regions and labeled triangles inside, "
            "too.\nWhere quality asks, a part stays that would not become better.",
    .example = "part.mesh --worse-than 0.2 -o better.mesh",
    .file_code = 17,
    .n_parameter = N_PARAMETER,
    .parameter = parameters,
    .queue = queue_values,
};
