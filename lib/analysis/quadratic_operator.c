/* Quadratic tets as the rows beyond the pattern of an operator: see ew_beyond. In: mesh, tables,
 * constants, rows of edges with their diagonal blocks. Out: the table that the solver calls. */
#include "analysis/analysis.h"

static ew_status prepare(void *user)
{
    ew_quadratic_operator *op = user;
    EW_TRY(ew_matrix_need_current(op->diagonal, &op->rows->pattern));
    return ew_edge_product_prepare(&op->product, op->mesh, op->topology, op->materials, op->rows);
}

static void state(void *user, int32_t *n_row, const double **diagonal, uint64_t *revision)
{
    const ew_quadratic_operator *op = user;
    *n_row = op->rows->pattern.n_row;
    *diagonal = op->diagonal->diagonal;
    *revision = op->rows->pattern.revision;
}

static void add_product(void *user, ew_beyond_part part, const double *x, double *y)
{
    static const ew_edge_part part_of[] = {[EW_BEYOND_ALL] = EW_EDGE_ALL,
                                           [EW_BEYOND_OF_ROWS] = EW_EDGE_OF_EDGES,
                                           [EW_BEYOND_OF_STORED] = EW_EDGE_OF_CORNERS};
    const ew_quadratic_operator *op = user;
    ew_edge_product_add(&op->product, part_of[part], x, y);
}

void ew_quadratic_operator_init(ew_quadratic_operator *op, const ew_mesh *mesh,
                                const ew_topology *topology, const ew_materials *materials,
                                const ew_edge_rows *rows, const ew_matrix *diagonal)
{
    *op = (ew_quadratic_operator){
        .beyond = {.user = op, .prepare = prepare, .state = state, .add_product = add_product},
        .mesh = mesh,
        .topology = topology,
        .materials = materials,
        .rows = rows,
        .diagonal = diagonal};
}

void ew_quadratic_operator_free(ew_quadratic_operator *op)
{
    ew_edge_product_free(&op->product);
    *op = (ew_quadratic_operator){0};
}
