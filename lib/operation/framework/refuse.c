/* Checks of an operation before it queues. In: arguments, tets as they would become. Out: EW_OK,
 * or one line that says how many are concerned and names the worst. */
#include "operation/framework/internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- arguments --------------------------------------------------------- */

ew_status ew_need_empty(const char *operation, const ew_edit *edit)
{
    if (edit->n_add_vertex || edit->n_add_tet || edit->remove_tet.n || edit->remove_vertex.n ||
        edit->move_vertex.n) {
        return ew_fail(EW_BAD_ARGUMENT,
                       "%s: the edit has entries already; commit or clear it first", operation);
    }
    return EW_OK;
}

ew_status ew_need_tets(const char *operation, const ew_mesh *mesh)
{
    if (mesh->n_live_tet == 0) {
        return ew_fail(EW_BAD_EDIT,
                       "%s: the mesh has no tets left; remove less before, or add a body first",
                       operation);
    }
    return EW_OK;
}

ew_status ew_need_current(const char *operation, const ew_topology *topology, const ew_mesh *mesh)
{
    if (topology->pattern.revision != mesh->revision) {
        return ew_fail(EW_STALE,
                       "%s: the tables are of mesh revision %llu, the mesh is at %llu; "
                       "update them first",
                       operation, (unsigned long long)topology->pattern.revision,
                       (unsigned long long)mesh->revision);
    }
    return EW_OK;
}

ew_status ew_need_finite(const char *operation, const char *what, const double v[3])
{
    if (!isfinite(v[0]) || !isfinite(v[1]) || !isfinite(v[2])) {
        return ew_fail(EW_BAD_ARGUMENT, "%s: %s (%g, %g, %g) must be three finite numbers",
                       operation, what, v[0], v[1], v[2]);
    }
    return EW_OK;
}

ew_status ew_need_length(const char *operation, const char *what, double length)
{
    if (!isfinite(length) || length < 0.0) {
        return ew_fail(EW_BAD_ARGUMENT, "%s: %s %g must be a finite length >= 0", operation, what,
                       length);
    }
    return EW_OK;
}

ew_status ew_need_vertices(const char *operation, const ew_mesh *mesh, const ew_list *vertex)
{
    for (int32_t i = 0; i < vertex->n; i++) {
        int32_t v = vertex->id[i];
        if (v < 0 || v >= mesh->n_vertex || mesh->valence[v] < 0) {
            return ew_fail(EW_BAD_ARGUMENT,
                           "%s: entry %d of the list, vertex slot %d, %s; list live vertices",
                           operation, i, v,
                           v < 0 || v >= mesh->n_vertex ? "does not exist" : "is a hole");
        }
    }
    return EW_OK;
}

ew_status ew_need_unit(const char *operation, const char *what, const double direction[3],
                       double unit[3])
{
    double length = hypot(hypot(direction[0], direction[1]), direction[2]);
    if (!isfinite(length) || length <= 0.0) {
        return ew_fail(EW_BAD_ARGUMENT, "%s: %s has length %g; it must be a finite number > 0",
                       operation, what, length);
    }
    for (int i = 0; i < 3; i++) {
        unit[i] = direction[i] / length;
    }
    return EW_OK;
}

ew_status ew_need_region(const char *operation, const ew_mesh *mesh, int32_t label, int32_t *region)
{
    int32_t r = 0;
    while (r < mesh->n_region && mesh->region_label[r] != label) {
        r++;
    }
    if (r == mesh->n_region) {
        return ew_fail(EW_BAD_INPUT,
                       "%s: region %d is not in the mesh; none of its %d regions has that label",
                       operation, label, mesh->n_region);
    }
    *region = r;
    return EW_OK;
}

/* ---- volumes ----------------------------------------------------------- */

void ew_tet_corners(const ew_mesh *mesh, int32_t tet, const double *x[4])
{
    for (int k = 0; k < 4; k++) {
        x[k] = mesh->xyz + 3 * (size_t)mesh->tet[4 * (size_t)tet + (size_t)k];
    }
}

/* Beyond about these, the cube of a length is no normal double. */
#define KEEP_IN_RANGE "keep all lengths between 1e-102 and 1e+102"

/* The largest difference of coordinates. */
static double size_of(const double *const x[4])
{
    double size = 0.0;
    for (int k = 0; k < 18; k++) {
        const double *p = x[ew_edge_vertex[k / 3][0]], *q = x[ew_edge_vertex[k / 3][1]];
        size = fmax(size, fabs(q[k % 3] - p[k % 3]));
    }
    return size;
}

/* Of all tets of an edit: what a good one does not need comes after it has returned. */
void ew_refusal_note(ew_refusal *refusal, int64_t tet_id, const double *const x[4])
{
    /* The commit compares the determinant itself; 6 (det / 6) may differ in the last bits. */
    const double min = EW_MIN_SHAPE * (1.0 + 1e-9);
    double longest2 = 0.0;
    for (int k = 0; k < 6; k++) {
        const double *p = x[ew_edge_vertex[k][0]], *q = x[ew_edge_vertex[k][1]];
        const double a = q[0] - p[0], b = q[1] - p[1], c = q[2] - p[2];
        const double square = a * a + b * b + c * c;
        longest2 = square > longest2 ? square : longest2;
    }
    double volume = ew_tet_volume(x[0], x[1], x[2], x[3]);
    double cube = longest2 * sqrt(longest2), shape = 6.0 * volume / cube;
    if (shape >= min && isfinite(volume)) {
        return;
    }
    const double size = size_of(x);
    if (!isfinite(cube) || !isfinite(volume) || (size > 0.0 && cube < DBL_MIN)) {
        refusal->beyond = refusal->n_beyond ? refusal->beyond : tet_id;
        refusal->size = refusal->n_beyond ? refusal->size : size;
        refusal->n_beyond++;
    }
    if (isnan(shape)) {
        shape = -INFINITY;
    }
    if (refusal->n == 0 || shape < refusal->shape) {
        refusal->worst = tet_id;
        refusal->shape = shape;
        refusal->volume = volume;
    }
    refusal->n++;
}

ew_status ew_refusal_fail(const ew_refusal *refusal, const char *operation, const char *what,
                          const char *remedy)
{
    if (refusal->n == 0) {
        return EW_OK;
    }
    if (refusal->n_beyond) {
        return ew_fail(EW_BAD_EDIT,
                       "%s: %d %s would be too large or too small for double numbers, for example "
                       "tet %lld of size %g; " KEEP_IN_RANGE,
                       operation, refusal->n_beyond, what, (long long)refusal->beyond,
                       refusal->size);
    }
    return ew_fail(EW_BAD_EDIT,
                   "%s: %d %s would be inverted or flat (6V / longest^3 < %g), the worst tet %lld "
                   "with volume %g; %s",
                   operation, refusal->n, what, EW_MIN_SHAPE, (long long)refusal->worst,
                   refusal->volume, remedy);
}

ew_status ew_refuse_places(const ew_mesh *mesh, const ew_edit *edit, const char *operation)
{
    for (int32_t i = 0; i < edit->move_vertex.n; i++) {
        const double *x = edit->move_to + 3 * (size_t)i;
        if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2])) {
            return ew_fail(EW_BAD_EDIT,
                           "%s: vertex %lld would go to (%g, %g, %g), beyond the range of a "
                           "double; " KEEP_IN_RANGE,
                           operation, (long long)mesh->vertex_id[edit->move_vertex.id[i]], x[0],
                           x[1], x[2]);
        }
    }
    return EW_OK;
}

ew_status ew_refuse_moves(const ew_mesh *mesh, const ew_edit *edit, const char *operation,
                          const char *remedy)
{
    double *xyz = NULL;
    ew_refusal refusal = {0};
    EW_TRY(ew_refuse_places(mesh, edit, operation));
    EW_TRY(ew_new(&xyz, (size_t)mesh->n_vertex, 3 * sizeof *xyz));
    memcpy(xyz, mesh->xyz, (size_t)mesh->n_vertex * 3 * sizeof *xyz);
    for (int32_t i = 0; i < edit->move_vertex.n; i++) {
        memcpy(xyz + 3 * (size_t)edit->move_vertex.id[i], edit->move_to + 3 * (size_t)i,
               3 * sizeof *xyz);
    }
    ew_mesh moved = *mesh;
    moved.xyz = xyz;
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (ew_mesh_tet_is_live(mesh, t)) {
            const double *x[4];
            ew_tet_corners(&moved, t, x);
            ew_refusal_note(&refusal, mesh->tet_id[t], x);
        }
    }
    ew_release(xyz);
    return ew_refusal_fail(&refusal, operation, "tets", remedy);
}
