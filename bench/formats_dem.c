/* DEM behind the interface of the compared formats: all neighbor tables and the matrix. */
#include "assembly/parts/assembly.h"
#include "formats.h"

typedef struct dem {
    ew_topology topology;
    ew_matrix matrix;
} dem;

static void release(void *store)
{
    dem *own = store;
    if (own) {
        ew_topology_free(&own->topology);
        ew_matrix_free(&own->matrix);
        ew_release(own);
    }
}

static ew_status build(const ew_mesh *mesh, const ew_materials *materials, void **store)
{
    dem *own;
    *store = NULL;
    EW_TRY(ew_new_zero(&own, 1, sizeof *own));
    ew_status status = ew_topology_build(&own->topology, mesh);
    if (!status) {
        status = ew_stiffness_build(&own->matrix, mesh, &own->topology, materials);
    }
    if (status) {
        release(own);
        return status;
    }
    *store = own;
    return EW_OK;
}

static void multiply(const void *store, const double *x, double *y)
{
    const dem *own = store;
    ew_matrix_product(&own->matrix, &own->topology.pattern, x, y);
}

static void take_diagonal(const void *store, double *diagonal)
{
    ew_matrix_scalar_diagonal(&((const dem *)store)->matrix, diagonal);
}

static void count_bytes(const void *store, size_t *matrix, size_t *with_tables)
{
    const dem *own = store;
    *matrix = ew_matrix_bytes(&own->matrix) + ew_rows_bytes(&own->topology.pattern.row_to_pair) +
              sizeof(int32_t) * (size_t)own->topology.pattern.row_capacity;
    *with_tables = ew_matrix_bytes(&own->matrix) + ew_topology_bytes(&own->topology);
}

const bench_format bench_format_dem = {"DEM", build, multiply, take_diagonal, count_bytes, release};
