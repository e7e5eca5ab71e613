/* A body under edit: edits in, times of the stages out, and the comparison with a rebuild. */
#include "edited.h"

#include <stdlib.h>
#include <string.h>

static ew_status build_all(const ew_mesh *mesh, const ew_materials *materials,
                           ew_topology *topology, ew_matrix *matrix, bench_stages *stages)
{
    ew_topology_free(topology);
    double start = ew_seconds();
    EW_TRY(ew_topology_build(topology, mesh));
    stages->commit = 0;
    stages->tables = ew_seconds() - start;
    start = ew_seconds();
    EW_TRY(ew_stiffness_build(matrix, mesh, topology, materials));
    stages->matrix = ew_seconds() - start;
    return EW_OK;
}

ew_status bench_edited_start(bench_edited *edited, const bench_body *body, bench_stages *build)
{
    memset(edited, 0, sizeof *edited);
    edited->materials = &body->materials;
    EW_TRY(ew_mesh_copy(&edited->mesh, &body->mesh));
    return build_all(&edited->mesh, edited->materials, &edited->topology, &edited->matrix, build);
}

ew_status bench_edited_apply(bench_edited *edited, bench_stages *stages)
{
    ew_mesh *mesh = &edited->mesh;
    ew_topology *topology = &edited->topology;
    ew_change *change = &edited->change;
    double start = ew_seconds();
    ew_status status = ew_mesh_commit(mesh, &edited->edit, &topology->vertex_to_tet, change);
    stages->commit = ew_seconds() - start;
    ew_edit_clear(&edited->edit);
    EW_TRY(status);
    if (edited->published) {
        bench_subtract(edited->published, mesh, topology, edited->materials, change);
    }
    start = ew_seconds();
    EW_TRY(ew_topology_update(topology, mesh, change));
    stages->tables = ew_seconds() - start;
    start = ew_seconds();
    EW_TRY(ew_stiffness_revalidate(&edited->matrix, mesh, topology, edited->materials,
                                   &topology->touched));
    stages->matrix = ew_seconds() - start;
    return edited->published
               ? bench_subtract_add(edited->published, mesh, topology, edited->materials, change)
               : EW_OK;
}

ew_status bench_edited_verify(bench_edited *edited, bench_stages *rebuild)
{
    int64_t n_different = 0;
    double largest = 0;
    EW_TRY(build_all(&edited->mesh, edited->materials, &edited->rebuilt_topology, &edited->rebuilt,
                     rebuild));
    EW_TRY(ew_matrix_compare(&edited->matrix, &edited->topology.pattern, &edited->rebuilt,
                             &edited->rebuilt_topology.pattern, &n_different, &largest));
    if (n_different) {
        return ew_fail(EW_MATRIX_VALUE,
                       "bench: %lld revalidated blocks differ from a rebuild, by up to %g",
                       (long long)n_different, largest);
    }
    return EW_OK;
}

void bench_edited_free(bench_edited *edited)
{
    ew_mesh_free(&edited->mesh);
    ew_topology_free(&edited->topology);
    ew_matrix_free(&edited->matrix);
    ew_edit_free(&edited->edit);
    ew_change_free(&edited->change);
    ew_topology_free(&edited->rebuilt_topology);
    ew_matrix_free(&edited->rebuilt);
}

/* ---- numbers ----------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *value, int32_t n)
{
    qsort(value, (size_t)n, sizeof *value, by_value);
    return 0.5 * (value[(n - 1) / 2] + value[n / 2]);
}

/* Marsaglia (2003), Xorshift RNGs, J. Statistical Software 8(14), with a multiplication at the end
 * (Vigna 2016). The state must not be 0. */
int32_t bench_random(uint64_t *state, int32_t n)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (int32_t)(((*state * 0x2545F4914F6CDD1DULL) >> 33) % (uint64_t)n);
}
