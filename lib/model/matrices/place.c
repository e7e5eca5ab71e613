/* What a model does on the host or on its device, each by a function: operators, products, blocks
 * of edges, copies of the mesh. Blocks of vertices: model_blocks_of. */
#include "model/matrices/place.h"

/* ---- host ------------------------------------------------------------------------ */

static ew_operator host_operator(ew_model *model, model_system *system)
{
    return ew_operator_on_host(&system->matrix.host, &model->topology.pattern);
}

static ew_tet_operator host_tets(ew_model *model, model_system *system)
{
    const ew_tet_operator *old = &system->tets;
    (void)model;
    return ew_tet_operator_on_host(&system->tet_stiffness, old->of_stiffness, old->mass,
                                   old->of_mass, &system->matrix.host);
}

static void host_edges(ew_model *model)
{
    model_quadratic *q = &model->quadratic;
    ew_quadratic_operator_init(&q->op, &model->mesh, &model->topology, &model->materials, &q->rows,
                               &q->blocks);
}

static ew_status host_product(ew_model *model, const ew_operator *op, const double *x, double *y)
{
    (void)model;
    ew_operator_product(op, x, y);
    return EW_OK;
}

static uint64_t host_revision(const model_quadratic *q, int32_t *n_constants, uint64_t *constants)
{
    *n_constants = q->blocks.n_constants;
    *constants = q->blocks.constants;
    return q->blocks.revision;
}

static ew_status host_blocks(ew_model *model, const ew_edge_blocks *from,
                             const ew_pattern_change *change)
{
    ew_matrix *blocks = &model->quadratic.blocks;
    return change ? ew_matrix_revalidate(blocks, &from->source, change)
                  : ew_matrix_build(blocks, &from->source);
}

static ew_status stay(ew_model *model)
{
    (void)model;
    return EW_OK;
}

/* A rough fit to processor times on boxes and brackets (bench model-whole). */
static const model_place host = {.added_cost = 4,
                                 .removed_cost = 2,
                                 .table_cost = 3,
                                 .make_operator = host_operator,
                                 .make_tet_operator = host_tets,
                                 .make_edge_operator = host_edges,
                                 .product = host_product,
                                 .edge_blocks_revision = host_revision,
                                 .compute_edge_blocks = host_blocks,
                                 .fetch_edge_blocks = stay,
                                 .follow = stay};

/* ---- device ---------------------------------------------------------------------- */

static ew_operator device_operator(ew_model *model, model_system *system)
{
    return ew_operator_on_device(&system->matrix.device, &model->device_mesh.pattern,
                                 &model->topology.pattern,
                                 model_host_blocks(model, &system->matrix));
}

static ew_tet_operator device_tets(ew_model *model, model_system *system)
{
    const ew_tet_operator *old = &system->tets;
    return ew_tet_operator_on_device(&system->tet_stiffness, old->of_stiffness, old->mass,
                                     old->of_mass, &model->device_mesh, &system->matrix.device);
}

static void device_edges(ew_model *model)
{
    model_quadratic *q = &model->quadratic;
    ew_quadratic_operator_init_on_device(&q->op, &model->mesh, &model->topology, &model->materials,
                                         &q->rows, &model->device_mesh, &q->device_edges,
                                         &q->device_blocks);
}

static ew_status device_product(ew_model *model, const ew_operator *op, const double *x, double *y)
{
    const size_t bytes = model_vector_size(model);
    ew_device *device = model->device;
    ew_buffer *in = &model->dynamics.device_input, *out = &model->dynamics.device_output;
    EW_TRY(ew_buffer_reserve(device, in, bytes));
    EW_TRY(ew_buffer_reserve(device, out, bytes));
    EW_TRY(ew_buffer_write(device, in, 0, bytes, x));
    EW_TRY(op->type->device_product(op, false, in, out));
    return ew_buffer_read(device, out, 0, bytes, y);
}

static uint64_t device_revision(const model_quadratic *q, int32_t *n_constants, uint64_t *constants)
{
    *n_constants = q->device_blocks.n_constants;
    *constants = q->device_blocks.constants;
    return q->device_blocks.revision;
}

static ew_status device_blocks(ew_model *model, const ew_edge_blocks *from,
                               const ew_pattern_change *change)
{
    model_quadratic *q = &model->quadratic;
    const ew_device_internal_force *records = from->internal_force ? &model->nonlinear.there : NULL;
    return change ? ew_device_edge_blocks_revalidate(&q->device_blocks, &model->device_mesh,
                                                     &q->device_edges, from, records, change)
                  : ew_device_edge_blocks_build(&q->device_blocks, &model->device_mesh,
                                                &q->device_edges, from, records);
}

static ew_status fetch_blocks(ew_model *model)
{
    model_quadratic *q = &model->quadratic;
    EW_TRY(ew_device_edges_check(&q->device_edges, &model->mesh, &model->topology, &q->rows));
    return ew_device_matrix_download(&q->device_blocks, &q->blocks);
}

/* As a build of the blocks counts what it sends. */
static ew_status follow(ew_model *model)
{
    const double start = ew_seconds();
    EW_TRY(
        ew_device_mesh_update(&model->device_mesh, &model->mesh, &model->topology, &model->change));
    EW_TRY(model_update_device_edges(model, &model->change));
    model->report.seconds_matrix += ew_seconds() - start;
    return EW_OK;
}

/* What changed is sent in pieces, and all blocks are built sooner than most of them are gathered
 * one by one. */
static const model_place device = {.added_cost = 8,
                                   .removed_cost = 1,
                                   .table_cost = 5,
                                   .touched_cost = 8,
                                   .block_cost = 7,
                                   .make_operator = device_operator,
                                   .make_tet_operator = device_tets,
                                   .make_edge_operator = device_edges,
                                   .product = device_product,
                                   .edge_blocks_revision = device_revision,
                                   .compute_edge_blocks = device_blocks,
                                   .fetch_edge_blocks = fetch_blocks,
                                   .follow = follow};

const model_place *model_place_of(const ew_model *model)
{
    return model->device ? &device : &host;
}
