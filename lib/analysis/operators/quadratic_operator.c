/* Quadratic tets as the rows of edges of an operator (ew_edge_operator). In: mesh, tables,
 * constants, rows of edges with their diagonal blocks, and of the matrix of a step their mass. Out:
 * the tables that the solver calls, on the host and on a device. */
#include "analysis/parts/analysis.h"

static ew_status prepare(void *user)
{
    ew_quadratic_operator *op = user;
    EW_TRY(ew_matrix_need_current(op->diagonal, &op->rows->pattern));
    EW_TRY(ew_face_ground_check(op->ground, op->rows));
    return ew_edge_product_prepare(op->list, op->mesh, op->topology, op->materials, op->rows,
                                   op->internal_force);
}

static void state(void *user, int32_t *n_row, const double **diagonal, uint64_t *revision)
{
    const ew_quadratic_operator *op = user;
    *n_row = op->rows->pattern.n_row;
    *diagonal = op->blocks ? op->blocks : op->diagonal ? op->diagonal->diagonal : NULL;
    *revision = ew_edge_state(op->rows, op->ground, op->internal_force);
}

static bool is_whole(void *user)
{
    const ew_quadratic_operator *op = user;
    return op->stored_is_of_tets && op->list->lists_all && !op->mass &&
           !(op->ground && op->ground->n) && !(op->follower && op->follower->n);
}

static void scale(const ew_quadratic_operator *op, const double *x)
{
    const size_t n = 3 * ((size_t)op->mesh->n_vertex + (size_t)op->rows->pattern.n_row);
#pragma omp for schedule(static)
    for (size_t i = 0; i < n; i++) {
        op->scaled[i] = op->terms.of_stiffness * x[i];
    }
}

static void add_product(void *user, ew_edge_part part, const double *x, double *y)
{
    const ew_quadratic_operator *op = user;
    const double *of = op->mass ? op->scaled : x;
    if (op->mass) {
        scale(op, x);
    }
    ew_edge_product_add(op->list, part, of, y);
    if (op->ground && op->ground->n) {
        ew_face_ground_add(op->ground, part, of, y);
    }
    if (op->follower && op->follower->n) {
        ew_follower_add_product(op->follower, part, of, y);
    }
    if (op->mass) {
        ew_edge_mass_add(op->mass, part, op->terms.of_mass, x, y);
    }
}

static bool has_columns(void *user)
{
    const ew_quadratic_operator *op = user;
    return !op->mass && !(op->ground && op->ground->n) && !(op->follower && op->follower->n) &&
           ew_edge_product_has_columns(op->list);
}

static void add_columns_product(void *user, ew_edge_part part, const double *x, double *y)
{
    const ew_quadratic_operator *op = user;
    ew_edge_product_add_columns(op->list, part, x, y);
}

/* Of the tets alone: what stands on faces, lumped masses and curved ones each process adds for all
 * rows. */
static ew_status deal(void *user, int32_t rank, int32_t n, int32_t n_thread, uint64_t *writes,
                      uint64_t *reads, bool *can)
{
    const ew_quadratic_operator *op = user;
    EW_TRY(ew_edge_product_deal(op->list, rank, n, n_thread));
    EW_TRY(ew_edge_product_prepare(op->list, op->mesh, op->topology, op->materials, op->rows,
                                   op->internal_force));
    *can = (!op->mass || (op->mass->list == op->list && ew_edge_mass_has_own(op->mass))) &&
           !(op->ground && op->ground->n) && !(op->follower && op->follower->n);
    if (*can) {
        ew_edge_product_mark_own(op->list, writes, reads);
    }
    return EW_OK;
}

static void add_own_product(void *user, ew_edge_part part, const double *x, double *y)
{
    const ew_quadratic_operator *op = user;
    if (op->mass) {
        scale(op, x);
    }
    ew_edge_product_add_own(op->list, part, op->mass ? op->scaled : x, y);
    if (op->mass) {
        ew_edge_mass_add_own(op->mass, part, op->terms.of_mass, x, y);
    }
}

/* ---- few rows --------------------------------------------------------------- */

static bool has_near(void *user)
{
    const ew_quadratic_operator *op = user;
    return !op->mass && !op->internal_force && !(op->ground && op->ground->n) &&
           !(op->follower && op->follower->n);
}

static ew_status list_tets(ew_quadratic_operator *op, const ew_list *row)
{
    const int32_t n_vertex = op->mesh->n_vertex;
    ew_set_clear(&op->near_tet);
    for (int32_t i = 0; i < row->n; i++) {
        const bool is_vertex = row->id[i] < n_vertex;
        const ew_rows *tets = is_vertex ? &op->topology->vertex_to_tet : &op->topology->edge_to_tet;
        const int32_t of = is_vertex ? row->id[i] : op->rows->edge[row->id[i] - n_vertex];
        for (int32_t k = 0; k < (of < 0 ? 0 : tets->count[of]); k++) {
            const int32_t tet = tets->item[(size_t)tets->begin[of] + (size_t)k];
            EW_TRY(ew_edge_rows_have(op->rows, op->topology, tet) ? ew_set_add(&op->near_tet, tet)
                                                                  : EW_OK);
        }
    }
    return EW_OK;
}

static ew_status list_near(void *user, const ew_list *row, ew_list *near)
{
    ew_quadratic_operator *op = user;
    EW_TRY(list_tets(op, row));
    EW_TRY(ew_edge_product_prepare_some(&op->near, op->mesh, op->topology, op->materials, op->rows,
                                        &op->near_tet.list));
    ew_set_clear(&op->near_row);
    for (int32_t i = 0; i < op->near_tet.list.n; i++) {
        const size_t tet = (size_t)op->near_tet.list.id[i];
        for (size_t k = 0; k < 4; k++) {
            EW_TRY(ew_set_add(&op->near_row, op->mesh->tet[4 * tet + k]));
        }
        for (size_t k = 0; k < 6; k++) {
            const int32_t edge = op->rows->row[op->topology->tet_to_edge[6 * tet + k]];
            EW_TRY(edge >= 0 ? ew_set_add(&op->near_row, op->mesh->n_vertex + edge) : EW_OK);
        }
    }
    near->n = 0;
    for (int32_t i = 0; i < op->near_row.list.n; i++) {
        EW_TRY(ew_list_push(near, op->near_row.list.id[i]));
    }
    return EW_OK;
}

static void add_near_product(void *user, const double *x, double *y)
{
    const ew_quadratic_operator *op = user;
    ew_edge_product_add(&op->near, EW_EDGE_ALL, x, y);
}

/* ---- on a device ------------------------------------------------------------ */

static ew_status prepare_on_device(void *user)
{
    ew_quadratic_operator *op = user;
    const ew_device_edges *edges = op->device_edges;
    EW_TRY(ew_device_matrix_need_current(op->edges.device_diagonal, &edges->pattern));
    if (edges->pattern.revision != op->rows->pattern.revision ||
        edges->mesh_revision != op->mesh->revision) {
        return ew_fail(EW_STALE,
                       "solver: the copy of the rows of edges on the device is at revision %llu, "
                       "they are at %llu; update or build it first",
                       (unsigned long long)edges->pattern.revision,
                       (unsigned long long)op->rows->pattern.revision);
    }
    EW_TRY(ew_face_ground_check(op->ground, op->rows));
    return ew_device_edges_prepare(op->device_edges, op->device_mesh, op->materials, op->ground,
                                   op->internal_force ? op->device_records : NULL, op->follower);
}

static ew_status product_on_device(void *user, ew_edge_part part, bool single, const ew_buffer *x,
                                   ew_buffer *y)
{
    const ew_quadratic_operator *op = user;
    return ew_device_edges_product(op->device_edges, op->device_mesh, part, single,
                                   op->mass ? &op->terms : NULL, x, y);
}

static ew_status product_dot_on_device(void *user, bool single, const ew_buffer *fixed,
                                       const ew_buffer *p, ew_buffer *q, ew_buffer *partial,
                                       int32_t *n_partial)
{
    const ew_quadratic_operator *op = user;
    return ew_device_edges_product_dot(op->device_edges, op->device_mesh, single,
                                       op->mass ? &op->terms : NULL, fixed, p, q, partial,
                                       n_partial);
}

/* ---- interface -------------------------------------------------------------- */

void ew_quadratic_operator_init(ew_quadratic_operator *op, const ew_mesh *mesh,
                                const ew_topology *topology, const ew_materials *materials,
                                const ew_edge_rows *rows, const ew_matrix *diagonal)
{
    *op = (ew_quadratic_operator){.edges = {.user = op,
                                            .prepare = prepare,
                                            .state = state,
                                            .is_whole = is_whole,
                                            .add_product = add_product,
                                            .has_columns = has_columns,
                                            .add_columns_product = add_columns_product,
                                            .deal = deal,
                                            .add_own_product = add_own_product,
                                            .has_near = has_near,
                                            .list_near = list_near,
                                            .add_near_product = add_near_product},
                                  .mesh = mesh,
                                  .topology = topology,
                                  .materials = materials,
                                  .rows = rows,
                                  .diagonal = diagonal,
                                  .list = &op->product};
}

void ew_quadratic_operator_init_on_device(ew_quadratic_operator *op, const ew_mesh *mesh,
                                          const ew_topology *topology,
                                          const ew_materials *materials, const ew_edge_rows *rows,
                                          const ew_device_mesh *device_mesh,
                                          ew_device_edges *device_edges,
                                          const ew_device_matrix *diagonal)
{
    *op = (ew_quadratic_operator){.edges = {.user = op,
                                            .prepare = prepare_on_device,
                                            .state = state,
                                            .device_diagonal = diagonal,
                                            .device_product = product_on_device,
                                            .device_product_dot = product_dot_on_device},
                                  .mesh = mesh,
                                  .topology = topology,
                                  .materials = materials,
                                  .rows = rows,
                                  .list = &op->product,
                                  .device_mesh = device_mesh,
                                  .device_edges = device_edges};
}

ew_status ew_quadratic_operator_set_step(ew_quadratic_operator *op,
                                         const ew_quadratic_operator *stiffness,
                                         const ew_edge_mass *mass, const ew_edge_terms *terms,
                                         const double *blocks, const ew_device_matrix *diagonal)
{
    double *scaled = op->scaled;
    int32_t capacity = op->scaled_capacity;
    const int64_t n = (int64_t)stiffness->mesh->n_vertex + stiffness->rows->pattern.n_row;
    const ew_status status = ew_grow(&scaled, &capacity, n, 3 * sizeof *scaled);
    *op = *stiffness;
    op->edges.user = op;
    op->edges.device_diagonal = diagonal;
    op->product = op->near = (ew_edge_product){0};
    op->near_tet = op->near_row = (ew_set){0};
    op->mass = mass;
    op->terms = *terms;
    op->blocks = blocks;
    op->scaled = scaled;
    op->scaled_capacity = capacity;
    return status;
}

void ew_quadratic_operator_free(ew_quadratic_operator *op)
{
    ew_edge_product_free(&op->product);
    ew_edge_product_free(&op->near);
    ew_set_free(&op->near_tet);
    ew_set_free(&op->near_row);
    ew_release(op->scaled);
    *op = (ew_quadratic_operator){0};
}
