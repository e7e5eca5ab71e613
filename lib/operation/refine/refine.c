/* Conforming refinement by bisection of longest edges. In: mesh, tables, length, set. Out:
 * removal of the tets that were cut, the middles of edges, and the final tets in their place.
 *
 * Edges are ordered by length, then by their vertices' numbers. An edge is bisected only when
 * it is the last in this order of every tet around it; else the longest edge around it comes
 * first. That path rises strictly, so it ends, and each bisection cuts all tets around its
 * edge, so the mesh conforms at any moment. New edges are halves of the bisected one or
 * medians over it, which are shorter than sqrt(3)/2 of it: so the whole ends too.
 * Reference: Rivara 1997, "New longest-edge algorithms for the refinement and/or improvement of
 * unstructured triangulations" (longest-edge propagation path).
 *
 * Cost: O(tets made), and without a set or with a large one some passes over the mesh.
 * refine_known.c keeps what is known of the mesh, refine_cut.c bisects, refine_queue.c makes an
 * edit of it. */
#include "operation/refine/refine.h"

#include <math.h>

/* ---- which edges ------------------------------------------------------- */

/* Those from vertex v to vertices beyond it, the last one first. */
static ew_status find_targets_at(ew_refiner *r, int32_t v)
{
    const ew_rows *rows = &r->topology->pattern.row_to_pair;
    for (int32_t k = rows->count[v] - 1; k >= 0; k--) {
        const int32_t *item = rows->item + 2 * ((size_t)rows->begin[v] + (size_t)k);
        if (item[0] < v) {
            break;
        }
        if (ew_refine_is_inside(r, item[0]) && ew_refine_length2(r, v, item[0]) >= r->min2) {
            EW_TRY(ew_list_push(&r->work, item[1]));
        }
    }
    return EW_OK;
}

/* Slots into r->work, of which the last is the next: edges come in the order of their vertices. So
 * parts are at hand when they are cut again, and what is made is numbered as the mesh is. */
static ew_status find_targets(ew_refiner *r, const ew_list *set)
{
    for (int32_t i = (set ? set->n : r->mesh->n_vertex) - 1; i >= 0; i--) {
        EW_TRY(find_targets_at(r, set ? set->id[i] : i));
    }
    return EW_OK;
}

static double target_length2(const ew_refiner *r, int32_t i)
{
    const int32_t *end = r->topology->pattern.pair_row + 2 * (size_t)r->work.id[i];
    return ew_refine_length2(r, end[0], end[1]);
}

/* ---- how many tets ----------------------------------------------------- */

/* 0 unless all four vertices are inside. */
static double volume_if_inside(const ew_refiner *r, int32_t t)
{
    const int32_t *v = r->mesh->tet + 4 * (size_t)t;
    const bool inside = v[0] >= 0 && ew_refine_is_inside(r, v[0]) && ew_refine_is_inside(r, v[1]) &&
                        ew_refine_is_inside(r, v[2]) && ew_refine_is_inside(r, v[3]);
    return inside ? ew_mesh_tet_volume(r->mesh, t) : 0.0;
}

/* Of the tets inside, each at the vertex that its list begins with. */
static double volume_inside(const ew_refiner *r, const ew_list *set)
{
    const ew_rows *rows = &r->topology->vertex_to_tet;
    double volume = 0.0;
    for (int32_t t = 0; t < r->mesh->n_tet && !set; t++) {
        volume += volume_if_inside(r, t);
    }
    for (int32_t i = 0; set && i < set->n; i++) {
        const int32_t v = set->id[i];
        for (int32_t k = 0; k < rows->count[v]; k++) {
            const int32_t t = rows->item[rows->begin[v] + k];
            volume += r->mesh->tet[4 * (size_t)t] == v ? volume_if_inside(r, t) : 0.0;
        }
    }
    return volume;
}

/* A tet without edges beyond L has at most the volume of the regular one, L^3 / (6 sqrt(2)),
 * and an edge of length l gets at least l / L - 1 middles, each cutting a tet at least. */
static ew_status check_estimate(const ew_refiner *r, const ew_list *set)
{
    double cuts = 0.0, longest = r->longest;
    for (int32_t i = 0; i < r->work.n; i++) {
        cuts += longest > 0.0 ? sqrt(target_length2(r, i)) / longest - 1.0 : 1.0;
    }
    double min = r->mesh->n_live_tet + cuts;
    if (longest > 0.0) {
        min = fmax(min, 6.0 * sqrt(2.0) * volume_inside(r, set) / longest / longest / longest);
    }
    if (r->work.n && min > r->max_tets) {
        min = fmin(min, 1e300); /* and no infinity */
        return ew_fail(EW_LIMIT,
                       "refine: edges no longer than %g need at least %.3g tets; at most %d are "
                       "allowed; give a greater length or a smaller set, or allow more (max_tets)",
                       longest, min, r->max_tets);
    }
    return EW_OK;
}

/* ---- the operation ----------------------------------------------------- */

/* The least squared length whose root is above `longest`: roots are rounded. */
static double min_length2(double longest)
{
    double x = longest * longest;
    while (!(sqrt(x) > longest)) {
        x = nextafter(x, INFINITY);
    }
    while (x > 0.0 && sqrt(nextafter(x, 0.0)) > longest) {
        x = nextafter(x, 0.0);
    }
    return x;
}

/* Each edge gets a middle and has some five tets around it. Room that is not used costs nothing,
 * growing does. */
static ew_status reserve(ew_refiner *r)
{
    ew_edit *edit = r->edit;
    const int64_t n = r->work.n, n_tet = 5 * n < INT32_MAX ? 5 * n : INT32_MAX;
    EW_TRY(ew_grow(&edit->add_vertex, &edit->add_vertex_capacity, n, 3 * sizeof(double)));
    EW_TRY(ew_grow(&edit->add_parent, &edit->parent_capacity, n, 2 * sizeof(int32_t)));
    EW_TRY(ew_grow(&edit->add_tet, &edit->add_tet_capacity, n_tet, 4 * sizeof(int32_t)));
    return ew_grow(&edit->add_tet_from, &edit->add_from_capacity, n_tet, sizeof(int32_t));
}

/* Where each edge is bisected once, none is that is shorter than the shortest. */
static ew_status list_targets(ew_refiner *r, const ew_list *set)
{
    double shortest2 = INFINITY;
    r->min2 = min_length2(r->longest);
    EW_TRY(find_targets(r, set));
    EW_TRY(check_estimate(r, set));
    EW_TRY(reserve(r));
    for (int32_t i = 0; i < r->work.n; i++) {
        shortest2 = r->longest > 0.0 ? 0.0 : fmin(shortest2, target_length2(r, i));
        EW_TRY(ew_refine_enter_edge(r, r->work.id[i], &r->work.id[i]));
    }
    r->min2 = r->longest > 0.0 ? r->min2 : shortest2;
    return EW_OK;
}

/* Each vertex of the set once. */
static ew_status refine(ew_refiner *r, const ew_list *vertex)
{
    EW_TRY(ew_refine_start(r, vertex));
    EW_TRY(list_targets(r, vertex));
    EW_TRY(ew_refine_cut(r));
    EW_TRY(ew_refine_queue(r));
    return ew_label_parts(r->mesh, r->topology, r->edit);
}

ew_status ew_operation_refine_within(const ew_mesh *mesh, const ew_topology *topology,
                                     double longest, const ew_list *vertex, int32_t max_tets,
                                     ew_edit *edit)
{
    ew_refiner r = {.mesh = mesh, .topology = topology, .longest = longest, .edit = edit};
    EW_TRY(ew_need_empty("refine", edit));
    EW_TRY(ew_need_tets("refine", mesh));
    EW_TRY(ew_need_current("refine", topology, mesh));
    EW_TRY(ew_need_length("refine", "length", longest));
    EW_TRY(ew_refine_set_limit(&r, max_tets));
    if (vertex) {
        EW_TRY(ew_need_vertices("refine", mesh, vertex));
    }
    ew_status status = refine(&r, vertex);
    ew_refine_free(&r);
    if (status) {
        ew_edit_clear(edit);
    }
    return status;
}

ew_status ew_operation_refine(const ew_mesh *mesh, const ew_topology *topology, double longest,
                              const ew_list *vertex, ew_edit *edit)
{
    return ew_operation_refine_within(mesh, topology, longest, vertex, 0, edit);
}

/* ---- its place in the table -------------------------------------------- */

enum { LONGER_THAN, SET, BY, UNTIL, MAX_ROUNDS, MAX_TETS, N_PARAMETER };
enum { BY_LENGTH, BY_ERROR };
/* Tets that rounds of analyses make unless more are asked for. */
enum { MAX_BY_ERROR = 1000000 };

static const ew_parameter parameters[N_PARAMETER] = {
    [LONGER_THAN] = {.key = "longer_than",
                     .kind = EW_PARAMETER_LENGTH,
                     .need = EW_SOME_OF,
                     .above = true,
                     .with = "by",
                     .when = "length",
                     .argument = "LENGTH",
                     .help = "edges to bisect"},
    [SET] = {.key = "set",
             .kind = EW_PARAMETER_VERTICES,
             .need = EW_SOME_OF,
             .with = "by",
             .when = "length",
             .argument = "SET",
             .help = "edges between two of these vertices (all)"},
    [BY] = {.key = "by",
            .kind = EW_PARAMETER_CHOICE,
            .preset = "length",
            .words = "length error",
            .in_case = true,
            .argument = "WHAT",
            .help = "where: long edges, or large estimated error"},
    [UNTIL] = {.key = "until",
               .kind = EW_PARAMETER_NUMBER,
               .need = EW_REQUIRED,
               .above = true,
               .high = 1,
               .with = "by",
               .when = "error",
               .percent = true,
               .in_case = true,
               .argument = "SHARE",
               .help = "the estimated error to reach, of the energy norm"},
    [MAX_ROUNDS] = {.key = "max_rounds",
                    .kind = EW_PARAMETER_COUNT,
                    .preset = "10",
                    .low = 1,
                    .high = 100,
                    .with = "by",
                    .when = "error",
                    .in_case = true,
                    .argument = "N",
                    .help = "of analysis and refinement"},
    [MAX_TETS] =
        {.key = "max_tets",
         .kind = EW_PARAMETER_COUNT,
         .low = 1,
         .high = INT32_MAX,
         .argument = "N",
         .help = "largest number of tets afterwards (20,000,000, or twice the present number)"},
};

bool ew_refine_goal_of(const ew_operation *operation, const ew_operation_values *values,
                       ew_refine_goal *goal)
{
    const ew_parameter_value *of = values->of;
    if (operation != &ew_refine_operation || of[BY].whole != BY_ERROR) {
        return false;
    }
    *goal = (ew_refine_goal){of[UNTIL].number[0], (int32_t)of[MAX_ROUNDS].whole,
                             of[MAX_TETS].given ? (int32_t)of[MAX_TETS].whole : MAX_BY_ERROR};
    return true;
}

static ew_status queue_values(const ew_operation_input *in, ew_edit *edit)
{
    if (in->values->of[BY].whole == BY_ERROR) {
        return ew_fail(EW_BAD_INPUT, "refine by error needs analyses between its rounds: it is "
                                     "an edit of a case, not of a mesh alone");
    }
    return ew_operation_refine_within(in->mesh, in->topology, in->values->of[LONGER_THAN].number[0],
                                      in->vertex, (int32_t)in->values->of[MAX_TETS].whole, edit);
}

const ew_operation ew_refine_operation = {
    .name = "refine",
    .summary = "bisect long edges",
    .text = "With a selection, edges between two of its vertices. Neighbors are split where\n"
            "needed, so the mesh stays conforming.",
    .example = "part.mesh --longer-than 0.01 -o fine.mesh",
    .file_code = 7,
    .n_parameter = N_PARAMETER,
    .parameter = parameters,
    .queue = queue_values,
};
