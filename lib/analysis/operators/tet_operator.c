/* Products from tets on the host: y = (c_K K + c_M M) x without a stored matrix. In: positions,
 * tets, constants of their regions, the ground, x. Out: y. Every thread owns a range of rows and
 * visits the tets in ascending order, four at a time side by side, adding to its own rows alone. So
 * no two threads write one row, and every row is summed over ascending tets whatever the number of
 * threads: the same bits. Formula: kernels/tet_product.h. */
#include "analysis/operators/tet_rows.h"
#include "combine.h"

/* ---- the product -------------------------------------------------------------- */

/* Springs to the ground; the identity where there are no tets. */
static void finish_rows(const ew_tet_operator *op, const ew_tet_share *part)
{
    const int32_t *count = op->stiffness->topology->vertex_to_tet.count;
    const double *ground = op->stiffness->ground;
    for (int32_t row = part->begin; row < part->end; row++) {
        const double *x = part->x + 3 * (size_t)row;
        double *y = part->y + 3 * (size_t)row;
        if (!count[row]) {
            memcpy(y, x, 3 * sizeof *y);
        } else if (ground) {
            const double *k = ground + 6 * (size_t)row;
            y[0] += op->of_stiffness * ((k[0] * x[0] + k[3] * x[1]) + k[5] * x[2]);
            y[1] += op->of_stiffness * ((k[3] * x[0] + k[1] * x[1]) + k[4] * x[2]);
            y[2] += op->of_stiffness * ((k[5] * x[0] + k[4] * x[1]) + k[2] * x[2]);
        }
    }
}

static void multiply_rows(const ew_tet_operator *op, ew_tet_share *part)
{
    bool is_wide = false;
    memset(part->y + 3 * (size_t)part->begin, 0,
           3 * (size_t)(part->end - part->begin) * sizeof *part->y);
#ifdef EW_HAS_AVX2
    is_wide = __builtin_cpu_supports("avx2");
    if (is_wide) {
        ew_multiply_tets_avx2(op, part);
    }
#endif
    if (!is_wide) {
        ew_multiply_tets_any(op, part);
    }
    finish_rows(op, part);
}

static void product(const ew_operator *as, bool single, const double *x, double *y)
{
    const ew_tet_operator *op = (const ew_tet_operator *)as;
    const ew_mesh *mesh = op->stiffness->mesh;
    const int64_t n_row = mesh->n_vertex;
    const int n_part = ew_matrix_product_threads(mesh->n_vertex);
    (void)single; /* refused by prepare */
#pragma omp for schedule(static)
    for (int k = 0; k < n_part; k++) {
        ew_tet_share part = {.tet = mesh->tet,
                             .region = mesh->region,
                             .xyz = mesh->xyz,
                             .term = op->term,
                             .x = x,
                             .y = y,
                             .begin = (int32_t)(n_row * k / n_part),
                             .end = (int32_t)(n_row * (k + 1) / n_part),
                             .mass = ew_tet_operator_mass(op)};
        multiply_rows(op, &part);
    }
}

/* ---- preparing ------------------------------------------------------------------ */

static void find_rows(const ew_mesh *mesh, int32_t first, ew_tet_batch *batch)
{
    const int32_t end = first + EW_TET_BATCH < mesh->n_tet ? first + EW_TET_BATCH : mesh->n_tet;
    *batch = (ew_tet_batch){.lowest = INT32_MAX, .highest = -1, .is_full = true};
    for (int32_t t = first; t < end; t++) {
        batch->is_full = batch->is_full && ew_mesh_tet_is_live(mesh, t);
        for (size_t i = 4 * (size_t)t; i < 4 * (size_t)t + 4 && mesh->tet[i] >= 0; i++) {
            batch->lowest = mesh->tet[i] < batch->lowest ? mesh->tet[i] : batch->lowest;
            batch->highest = mesh->tet[i] > batch->highest ? mesh->tet[i] : batch->highest;
        }
    }
}

static ew_status make_batches(ew_tet_operator *op)
{
    const ew_mesh *mesh = op->stiffness->mesh;
    const int32_t n = (mesh->n_tet + EW_TET_BATCH - 1) / EW_TET_BATCH;
    if (op->revision == mesh->revision) {
        return EW_OK;
    }
    op->revision = 0;
    EW_TRY(ew_grow(&op->batch, &op->batch_capacity, n, sizeof *op->batch));
    op->n_batch = n;
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(n, 64))
    for (int32_t k = 0; k < n; k++) {
        find_rows(mesh, k * EW_TET_BATCH, op->batch + k);
    }
    op->revision = mesh->revision;
    return EW_OK;
}

static ew_status fill_terms(ew_tet_operator *op)
{
    const ew_materials *materials = op->stiffness->materials;
    const int32_t n = op->stiffness->mesh->n_region;
    const bool lumped = op->mass && op->mass->kind == EW_MASS_LUMPED;
    EW_TRY(ew_grow(&op->term, &op->term_capacity, n, 4 * sizeof *op->term));
    for (int32_t i = 0; i < n; i++) {
        const double mass = op->mass ? op->of_mass * op->mass->materials->material[i].density : 0.0;
        double *term = op->term + 4 * (size_t)i;
        term[0] = op->of_stiffness * materials->lame[2 * (size_t)i];
        term[1] = op->of_stiffness * materials->lame[2 * (size_t)i + 1];
        term[2] = mass * (lumped ? EW_MASS_OF_VERTEX : EW_MASS_OF_VERTEX_SQUARE);
        term[3] = mass * (lumped ? 0.0 : EW_MASS_OF_PAIR);
    }
    return EW_OK;
}

ew_status ew_tet_operator_check(ew_tet_operator *op)
{
    EW_TRY(op->stiffness->source.check(&op->stiffness->source));
    EW_TRY(op->mass ? op->mass->source.check(&op->mass->source) : EW_OK);
    if (!op->stiffness->element->has_tet_product) {
        return ew_refuse(EW_RULE_BLOCKS, "solver: a body of '%s' elements",
                         op->stiffness->element->name);
    }
    return fill_terms(op);
}

static ew_status prepare(ew_operator *as, ew_precision precision)
{
    ew_tet_operator *op = (ew_tet_operator *)as;
    if (precision == EW_SINGLE) {
        return ew_refuse(EW_RULE_DIGITS, "solver: a product from tets on the host");
    }
    EW_TRY(ew_tet_operator_check(op));
    EW_TRY(ew_matrix_need_current(as->matrix, as->pattern));
    return make_batches(op);
}

static void state(const ew_operator *op, uint64_t *revision, uint64_t *constants)
{
    *revision = op->matrix->revision;
    *constants = op->matrix->constants;
}

static const ew_operator_type from_tets = {.name = "matrix-free operator on the host",
                                           .prepare = prepare,
                                           .state = state,
                                           .product = product};

ew_tet_operator ew_tet_operator_on_host(const ew_stiffness *stiffness, double of_stiffness,
                                        const ew_mass *mass, double of_mass,
                                        const ew_matrix *diagonal)
{
    return (ew_tet_operator){
        .as = {.type = &from_tets, .pattern = stiffness->source.pattern, .matrix = diagonal},
        .stiffness = stiffness,
        .mass = mass,
        .of_stiffness = of_stiffness,
        .of_mass = of_mass};
}

ew_status ew_tet_operator_prepare(ew_tet_operator *op)
{
    return op->as.type->prepare(&op->as, EW_DOUBLE);
}

ew_status ew_tet_operator_multiply(ew_tet_operator *op, const double *x, double *y)
{
    EW_TRY(ew_tet_operator_check(op));
    EW_TRY(make_batches(op));
    ew_operator_product(&op->as, x, y);
    return EW_OK;
}

size_t ew_tet_operator_bytes(const ew_tet_operator *op)
{
    return (size_t)op->batch_capacity * sizeof *op->batch +
           (size_t)op->term_capacity * 4 * sizeof *op->term + op->device_term.capacity +
           op->device_ground.capacity;
}

void ew_tet_operator_free(ew_tet_operator *op)
{
    ew_operator_free(&op->as);
    ew_release(op->batch);
    ew_release(op->term);
    ew_buffer_free(&op->device_term);
    ew_buffer_free(&op->device_ground);
    *op = (ew_tet_operator){0};
}
