/* Patches of tets. In: mesh, tables, materials. Out: the tets around each vertex, parted where the
 * stress jumps: a patch has tets of one region, or of all the regions that have one material.
 *
 * Where the axes of a material are a field of the tets, a patch ends where they jump: two tets are
 * in one patch where a chain of tets around the vertex leads from one to the other in which
 * neighbors are nearly alike. Axes that turn slowly make one patch so, and layers of a laminate
 * are parted. */
#include "analysis/recovery/patches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Tets are nearly alike where their axes differ by less than this angle (rad, of each), or their
 * moduli along x, y, z by less than this share. Moduli turn with up to four times the angle. */
static const double like_angle = 0.05, like_moduli = 0.2;

enum { NO_PATCH = UINT16_MAX };

typedef struct context {
    const ew_mesh *mesh;
    const ew_topology *topology;
    const ew_materials *materials;
    const int32_t *kind; /* [n_region] of the material: the first region that has it */
    bool has_axes;       /* of some material they are a field: */
    double *moduli;      /* [n_tet][EW_N_MODULI] along x, y, z, of tets of such materials */
    ew_patches *out;
} context;

static int32_t kind_of(const context *in, int32_t t)
{
    return in->kind[in->mesh->region[t]];
}

/* ---- kinds of material ------------------------------------------------------ */

typedef struct region_law {
    uint64_t number;
    int32_t region;
} region_law;

static int by_number(const void *first, const void *second)
{
    const region_law *a = first, *b = second;
    return a->number != b->number ? (a->number < b->number ? -1 : 1) : a->region - b->region;
}

/* kind: [n_region]; *n_kind: how many there are. */
static ew_status take_kinds(const ew_materials *materials, bool by_region, int32_t *kind,
                            int32_t *n_kind)
{
    region_law *law = NULL;
    const int32_t n = materials->n;
    *n_kind = by_region ? n : 0;
    for (int32_t r = 0; r < n; r++) {
        kind[r] = r;
    }
    if (by_region) {
        return EW_OK;
    }
    EW_TRY(ew_new(&law, (size_t)n, sizeof *law));
    for (int32_t r = 0; r < n; r++) {
        law[r] = (region_law){ew_materials_response_revision(materials, r), r};
    }
    qsort(law, (size_t)n, sizeof *law, by_number);
    for (int32_t i = 0; i < n; i++) {
        const bool is_first = !i || law[i].number != law[i - 1].number;
        kind[law[i].region] = is_first ? law[i].region : kind[law[i - 1].region];
        *n_kind += is_first;
    }
    ew_release(law);
    return EW_OK;
}

static bool takes_axes(const context *in, int32_t region)
{
    const ew_material *material = &in->materials->material[region];
    return in->materials->axes && material->kind != EW_ISOTROPIC &&
           material->axes.kind == EW_MATERIAL_AXES_FIELD;
}

/* ---- patches at a vertex ------------------------------------------------------ */

static int32_t star_count(const context *in, int32_t v)
{
    return in->topology->vertex_to_tet.count[v];
}

static int32_t star_tet(const context *in, int32_t v, int32_t i)
{
    const ew_rows *rows = &in->topology->vertex_to_tet;
    return rows->item[(size_t)rows->begin[v] + (size_t)i];
}

static uint16_t *label_of(const context *in, int32_t v, int32_t t)
{
    const int32_t *vertex = in->mesh->tet + 4 * (size_t)t;
    return in->out->of_corner + 4 * (size_t)t + (size_t)ew_corner_of(vertex, v);
}

/* The lowest kind above `after` around the vertex; -1: none. */
static int32_t next_kind(const context *in, int32_t v, int32_t after)
{
    int32_t next = -1;
    for (int32_t i = 0; i < star_count(in, v); i++) {
        const int32_t kind = kind_of(in, star_tet(in, v, i));
        if (kind > after && (next < 0 || kind < next)) {
            next = kind;
        }
    }
    return next;
}

static bool have_like_axes(const double *a, const double *b)
{
    const double most = 2.0 * sin(0.5 * like_angle);
    for (int k = 0; k < 6; k += 3) {
        const double off[3] = {a[k] - b[k], a[k + 1] - b[k + 1], a[k + 2] - b[k + 2]};
        if (off[0] * off[0] + off[1] * off[1] + off[2] * off[2] > most * most) {
            return false;
        }
    }
    return true;
}

static bool are_alike(const context *in, int32_t s, int32_t t)
{
    const double *axes = in->materials->axes;
    const double *a = in->moduli + EW_N_MODULI * (size_t)s,
                 *b = in->moduli + EW_N_MODULI * (size_t)t;
    double of_a = 0.0, of_b = 0.0, off = 0.0;
    if (have_like_axes(axes + 6 * (size_t)s, axes + 6 * (size_t)t)) {
        return true;
    }
    for (int i = 0, k = 0; i < 6; i++) {
        for (int j = i; j < 6; j++, k++) {
            const double times = i == j ? 1.0 : 2.0;
            of_a += times * a[k] * a[k];
            of_b += times * b[k] * b[k];
            off += times * (a[k] - b[k]) * (a[k] - b[k]);
        }
    }
    return off <= like_moduli * like_moduli * fmax(of_a, of_b);
}

/* Tets of the kind that have no patch yet and are like one of the patch join it, until none is. */
static void grow_patch(const context *in, int32_t v, int32_t kind, int32_t patch)
{
    for (bool grows = true; grows;) {
        grows = false;
        for (int32_t i = 0; i < star_count(in, v); i++) {
            const int32_t t = star_tet(in, v, i);
            uint16_t *label = label_of(in, v, t);
            if (kind_of(in, t) != kind || *label != NO_PATCH) {
                continue;
            }
            for (int32_t k = 0; k < star_count(in, v) && *label == NO_PATCH; k++) {
                const int32_t s = star_tet(in, v, k);
                if (*label_of(in, v, s) == patch && are_alike(in, s, t)) {
                    *label = (uint16_t)patch;
                    grows = true;
                }
            }
        }
    }
}

/* The patches of one kind, from `patch` on; the next one's number. */
static int32_t part_by_axes(const context *in, int32_t v, int32_t kind, int32_t patch)
{
    for (int32_t i = 0; i < star_count(in, v) && patch < NO_PATCH; i++) {
        const int32_t t = star_tet(in, v, i);
        if (kind_of(in, t) == kind && *label_of(in, v, t) == NO_PATCH) {
            *label_of(in, v, t) = (uint16_t)patch;
            grow_patch(in, v, kind, patch);
            patch++;
        }
    }
    return patch;
}

/* How many patches the vertex has; of_corner of the tets around it. */
static int32_t part_star(const context *in, int32_t v)
{
    int32_t n = 0;
    if (!in->out->is_parted || star_count(in, v) == 0) {
        return 1;
    }
    for (int32_t i = 0; i < star_count(in, v); i++) {
        *label_of(in, v, star_tet(in, v, i)) = NO_PATCH;
    }
    for (int32_t k = next_kind(in, v, -1); k >= 0; k = next_kind(in, v, k)) {
        if (in->has_axes && takes_axes(in, k)) {
            n = part_by_axes(in, v, k, n);
            continue;
        }
        for (int32_t i = 0; i < star_count(in, v); i++) {
            const int32_t t = star_tet(in, v, i);
            if (kind_of(in, t) == k) {
                *label_of(in, v, t) = (uint16_t)n;
            }
        }
        n++;
    }
    return n;
}

static void take_regions(const context *in, int32_t v)
{
    const ew_patches *out = in->out;
    for (int32_t p = out->begin[v]; p < out->begin[v + 1]; p++) {
        out->region[p] = INT32_MAX;
    }
    if (!out->is_parted && star_count(in, v) > 0) { /* all of the body is one */
        out->region[out->begin[v]] = 0;
        return;
    }
    for (int32_t i = 0; i < star_count(in, v); i++) {
        const int32_t t = star_tet(in, v, i), p = ew_patch_at(out, in->mesh, v, t);
        out->region[p] =
            in->mesh->region[t] < out->region[p] ? in->mesh->region[t] : out->region[p];
    }
}

/* Of the tets whose axes are a field. */
static ew_status take_moduli(context *in)
{
    const ew_mesh *mesh = in->mesh;
    EW_TRY(ew_new(&in->moduli, (size_t)mesh->n_tet, EW_N_MODULI * sizeof *in->moduli));
#pragma omp parallel for schedule(static) num_threads(ew_threads())
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (ew_mesh_tet_is_live(mesh, t) && takes_axes(in, mesh->region[t])) {
            const ew_elastic law = ew_elastic_of_tet(in->materials, mesh, t);
            memcpy(in->moduli + EW_N_MODULI * (size_t)t, law.moduli, sizeof law.moduli);
        }
    }
    return EW_OK;
}

static ew_status make_room(const context *in)
{
    ew_patches *out = in->out;
    EW_TRY(ew_grow(&out->begin, &out->vertex_capacity, (int64_t)in->mesh->n_vertex + 1,
                   sizeof *out->begin));
    return out->is_parted ? ew_grow(&out->of_corner, &out->tet_capacity, in->mesh->n_tet,
                                    4 * sizeof *out->of_corner)
                          : EW_OK;
}

static ew_status take_all(const context *in)
{
    ew_patches *out = in->out;
    const int32_t n_vertex = in->mesh->n_vertex;
    int64_t n = 0;
    EW_TRY(make_room(in));
#pragma omp parallel for schedule(dynamic, 256) num_threads(ew_threads())
    for (int32_t v = 0; v < n_vertex; v++) {
        out->begin[v] = part_star(in, v);
    }
    for (int32_t v = 0; v < n_vertex; v++) {
        const int32_t count = out->begin[v];
        out->begin[v] = (int32_t)n;
        n += count;
        if (n > INT32_MAX || count >= NO_PATCH) {
            return ew_fail(EW_LIMIT, "stress at vertices: more than %d patches of tets%s",
                           count >= NO_PATCH ? NO_PATCH - 1 : INT32_MAX,
                           count >= NO_PATCH ? " at a vertex" : "");
        }
    }
    out->begin[n_vertex] = (int32_t)n;
    EW_TRY(ew_grow(&out->region, &out->capacity, n, sizeof *out->region));
#pragma omp parallel for schedule(static) num_threads(ew_threads())
    for (int32_t v = 0; v < n_vertex; v++) {
        take_regions(in, v);
    }
    out->n_vertex = n_vertex;
    return EW_OK;
}

/* Whether each listed vertex has as many patches as before; new ones have one or more. */
static ew_status take_listed(const context *in, const ew_list *vertex, bool *fits)
{
    ew_patches *out = in->out;
    const int32_t before = out->n_vertex, n_vertex = in->mesh->n_vertex;
    EW_TRY(make_room(in));
    *fits = n_vertex >= before;
    for (int32_t v = before; v < n_vertex && *fits; v++) {
        const int32_t n = part_star(in, v);
        *fits = n < NO_PATCH && out->begin[v] <= INT32_MAX - n;
        out->begin[v + 1] = out->begin[v] + (*fits ? n : 0);
    }
    for (int32_t i = 0; i < vertex->n && *fits; i++) {
        const int32_t v = vertex->id[i];
        *fits = part_star(in, v) == out->begin[v + 1] - out->begin[v];
    }
    if (!*fits) {
        return EW_OK;
    }
    EW_TRY(ew_grow(&out->region, &out->capacity, out->begin[n_vertex], sizeof *out->region));
    for (int32_t v = before; v < n_vertex; v++) {
        take_regions(in, v);
    }
    for (int32_t i = 0; i < vertex->n; i++) {
        take_regions(in, vertex->id[i]);
    }
    out->n_vertex = n_vertex;
    return EW_OK;
}

ew_status ew_patches_update(ew_patches *out, const ew_mesh *mesh, const ew_topology *topology,
                            const ew_materials *materials, bool by_region, const ew_list *vertex,
                            bool *fits)
{
    context in = {.mesh = mesh, .topology = topology, .materials = materials, .out = out};
    int32_t *kind = NULL, n_kind = 0;
    EW_TRY(ew_new(&kind, (size_t)materials->n, sizeof *kind));
    ew_status status = take_kinds(materials, by_region, kind, &n_kind);
    in.kind = kind;
    *fits = out->is_parted == (n_kind > 1);
    for (int32_t r = 0; r < materials->n; r++) {
        *fits = *fits && !takes_axes(&in, r);
    }
    if (!status && *fits && (out->is_parted || by_region)) {
        status = take_listed(&in, vertex, fits);
    }
    ew_release(kind);
    return status;
}

ew_status ew_patches_take(ew_patches *out, const ew_mesh *mesh, const ew_topology *topology,
                          const ew_materials *materials, bool by_region)
{
    context in = {.mesh = mesh, .topology = topology, .materials = materials, .out = out};
    int32_t *kind = NULL, n_kind = 0;
    out->n_vertex = 0;
    EW_TRY(ew_new(&kind, (size_t)materials->n, sizeof *kind));
    ew_status status = take_kinds(materials, by_region, kind, &n_kind);
    for (int32_t r = 0; r < materials->n; r++) {
        in.has_axes = in.has_axes || takes_axes(&in, r);
    }
    in.kind = kind;
    status = status || !in.has_axes ? status : take_moduli(&in);
    out->is_parted = n_kind > 1 || in.has_axes;
    if (!status && (out->is_parted || by_region)) {
        status = take_all(&in);
    }
    ew_release(in.moduli);
    ew_release(kind);
    return status;
}

void ew_patches_free(ew_patches *patches)
{
    ew_release(patches->begin);
    ew_release(patches->region);
    ew_release(patches->of_corner);
    *patches = (ew_patches){0};
}
