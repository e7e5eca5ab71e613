/* The start of a solve from answers of the same body with other materials, loads or supports. In: a
 * model, and what earlier answers added to their starts. Out: as its displacement the sum of them
 * that is nearest to the answer in the energy norm, and its residual.
 *
 * With u_i what is free of the answers, and u_0 the prescribed values, the factors solve
 * (u_i . K u_j) c = u_i . (f - K u_0): Galerkin's method in the space of the answers, a reduced
 * basis (Noor & Peters 1980, Reduced basis technique for nonlinear analysis of structures). What a
 * solve adds to such a start is orthogonal to all u_i in the energy of its stiffness, so that
 * factors are well determined. Where K is a sum of parts by factors, so are all products, of which
 * those with parts stay (Prud'homme et al. 2002, Reliable real-time solution of parametrized
 * partial differential equations). The residual f - K u is formed from whole vectors. */
#include "model/formulation/formulation.h"
#include "model/solve/answer_products.h"

#include <math.h>
#include <string.h>

/* A direction is left out where what others leave of its energy is this share. */
#define DEPENDENT 1e-13

enum { MAX_ANSWERS = 32, MAX_MOVED = 16, LANES = 8, CHUNK = 512 };

typedef struct basis_answer {
    double *u;    /* [size] owned: free, what a solve added to its start */
    double *part; /* [room][size] owned: products with the parts of the stiffness, */
    int32_t room; /* at least MODEL_MAX_PARTS or 1 */
    bool has_products;
    double energy; /* in the last sum */
} basis_answer;

struct ew_answer_basis {
    int32_t n;
    size_t size;   /* numbers of a vector */
    uint64_t body; /* tets and places of vertices */
    uint64_t tets;
    bool is_moved; /* vertices were elsewhere in the last start but one */
    basis_answer answer[MAX_ANSWERS];
    model_stiffness_parts parts;
    double inner[MODEL_MAX_PARTS][MAX_ANSWERS][MAX_ANSWERS]; /* u_i . K_part u_j, i >= j */
    bool has_start;
    double *start, *prescribed, *product; /* [size] owned: the last start; memory */
    ew_list filled;                       /* memory: chunks of a residual that are not zero */
};

ew_status ew_answer_basis_create(ew_answer_basis **basis)
{
    return ew_new_zero(basis, 1, sizeof **basis);
}

void ew_answer_basis_clear(ew_answer_basis *basis)
{
    basis->n = 0;
    basis->has_start = false;
}

void ew_answer_basis_free(ew_answer_basis *basis)
{
    for (int k = 0; basis && k < MAX_ANSWERS; k++) {
        ew_release(basis->answer[k].u);
        ew_release(basis->answer[k].part);
    }
    if (basis) {
        model_free_stiffness_parts(&basis->parts);
        ew_list_free(&basis->filled);
        ew_release(basis->start);
    }
    ew_release(basis);
}

/* ---- the body -------------------------------------------------------------------------- */

/* ew_hash of large arrays, whose bytes are folded into few words first, several side by side. */
static uint64_t hash_array(uint64_t hash, const void *data, size_t bytes)
{
    uint64_t folded[LANES] = {0}, word[LANES];
    const char *from = data;
    const size_t rest = bytes % sizeof word;
    for (size_t i = 0; i + sizeof word <= bytes; i += sizeof word) {
        memcpy(word, from + i, sizeof word);
        for (int k = 0; k < LANES; k++) {
            folded[k] = (folded[k] ^ word[k]) * EW_HASH_START; /* odd */
            folded[k] ^= folded[k] >> 32; /* else the highest bits of two words undo each other */
        }
    }
    return ew_hash(ew_hash(hash, folded, sizeof folded), from + bytes - rest, rest);
}

static uint64_t tets_of(const ew_model *model)
{
    const ew_mesh *mesh = &model->mesh;
    const uint64_t hash = ew_hash(EW_HASH_START, &mesh->n_vertex, sizeof mesh->n_vertex);
    return hash_array(hash, mesh->tet, 4 * (size_t)mesh->n_tet * sizeof *mesh->tet);
}

static uint64_t places_of(const ew_model *model, uint64_t tets)
{
    const ew_mesh *mesh = &model->mesh;
    const ew_edge_rows *rows = ew_model_edge_rows(model);
    const uint64_t hash =
        hash_array(tets, mesh->xyz, 3 * (size_t)mesh->n_vertex * sizeof *mesh->xyz);
    return rows && rows->curve ? hash_array(hash, rows->curve,
                                            3 * (size_t)rows->pattern.n_row * sizeof *rows->curve)
                               : hash;
}

static void release_vectors(ew_answer_basis *basis)
{
    for (int k = 0; k < MAX_ANSWERS; k++) {
        ew_release(basis->answer[k].u);
        ew_release(basis->answer[k].part);
        basis->answer[k] = (basis_answer){0};
    }
    ew_release(basis->start);
    basis->start = NULL;
    ew_answer_basis_clear(basis);
}

static ew_status take_size(ew_answer_basis *basis, size_t size)
{
    if (basis->start && basis->size == size) {
        return EW_OK;
    }
    release_vectors(basis);
    EW_TRY(ew_new(&basis->start, 3 * size, sizeof *basis->start));
    basis->prescribed = basis->start + size;
    basis->product = basis->prescribed + size;
    basis->size = size;
    return EW_OK;
}

static void remove_answer(ew_answer_basis *basis, int32_t k)
{
    const basis_answer removed = basis->answer[k];
    const int32_t last = --basis->n;
    memmove(&basis->answer[k], &basis->answer[k + 1], (size_t)(last - k) * sizeof *basis->answer);
    basis->answer[last] = removed; /* its memory */
    for (int p = 0; p < MODEL_MAX_PARTS; p++) {
        for (int i = k; i < last; i++) {
            for (int j = 0; j <= i; j++) {
                basis->inner[p][i][j] = basis->inner[p][i + 1][j < k ? j : j + 1];
            }
        }
    }
}

/* The one that the last sum had least of. */
static void remove_min(ew_answer_basis *basis)
{
    int32_t min = 0;
    for (int32_t k = 1; k < basis->n; k++) {
        min = basis->answer[k].energy < basis->answer[min].energy ? k : min;
    }
    remove_answer(basis, min);
}

/* Answers of other tets are forgotten; of vertices that move so are products. */
static ew_status follow_body(ew_model *model, ew_answer_basis *basis)
{
    if (!model->body || model->body_revision != model->mesh.revision) {
        model->tets = tets_of(model);
        model->body = places_of(model, model->tets);
        model->body_revision = model->mesh.revision;
    }
    EW_TRY(take_size(basis, 3 * (size_t)model_n_row(model)));
    if (basis->tets != model->tets) {
        ew_answer_basis_clear(basis);
    }
    basis->is_moved = basis->body != model->body;
    basis->tets = model->tets;
    basis->body = model->body;
    while (basis->is_moved && basis->n > MAX_MOVED) {
        remove_min(basis);
    }
    return EW_OK;
}

/* ---- products --------------------------------------------------------------------------- */

/* Of a fixed order, with several sums side by side. */
static double dot(const double *x, const double *y, size_t n)
{
    double sum[LANES] = {0.0};
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        for (int k = 0; k < LANES; k++) {
            sum[k] += x[i + (size_t)k] * y[i + (size_t)k];
        }
    }
    for (; i < n; i++) {
        sum[0] += x[i] * y[i];
    }
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

static void add(double factor, const double *x, double *y, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        y[i] += factor * x[i];
    }
}

static int32_t n_part(const ew_answer_basis *basis)
{
    return basis->parts.n ? basis->parts.n : 1;
}

/* Those of answers that have none with the parts as they are. */
static ew_status find_products(ew_model *model, ew_answer_basis *basis)
{
    for (int32_t i = 0; i < basis->n; i++) {
        basis_answer *of = &basis->answer[i];
        if (of->has_products) {
            continue;
        }
        if (of->room < n_part(basis)) {
            ew_release(of->part);
            of->part = NULL;
            of->room = 0;
            EW_TRY(ew_new(&of->part, (size_t)n_part(basis) * basis->size, sizeof *of->part));
            of->room = n_part(basis);
        }
        EW_TRY(model_multiply_parts(model, &basis->parts, of->u, basis->size, of->part));
        of->has_products = true;
        for (int32_t p = 0; p < n_part(basis); p++) {
            const double *product = of->part + (size_t)p * basis->size;
            for (int32_t j = 0; j < basis->n; j++) { /* K is symmetric */
                basis->inner[p][i > j ? i : j][i > j ? j : i] =
                    dot(basis->answer[j].u, product, basis->size);
            }
        }
    }
    return EW_OK;
}

/* product = K u_0, u_0 being the prescribed values. */
static ew_status find_prescribed(ew_model *model, ew_answer_basis *basis)
{
    const size_t size = basis->size;
    double *part, *sum = basis->product;
    memset(basis->prescribed, 0, size * sizeof *basis->prescribed);
    memset(sum, 0, size * sizeof *sum);
    model_put_prescribed_values(model, basis->prescribed);
    if (model_is_zero(basis->prescribed, size)) {
        return EW_OK;
    }
    EW_TRY(ew_new(&part, (size_t)n_part(basis) * size, sizeof *part));
    const ew_status status =
        model_multiply_parts(model, &basis->parts, basis->prescribed, size, part);
    for (int32_t p = 0; p < n_part(basis) && !status; p++) {
        add(basis->parts.factor[p], part + (size_t)p * size, sum, size);
    }
    ew_release(part);
    return status;
}

/* ---- the sum ------------------------------------------------------------------------- */

/* a = L D L^T, b becomes the factors; directions that depend on those before get none. */
static void solve(int n, double a[][MAX_ANSWERS], double *b)
{
    for (int j = 0; j < n; j++) {
        const double whole = a[j][j];
        for (int k = 0; k < j; k++) {
            a[j][j] -= a[j][k] * a[j][k] * a[k][k];
            b[j] -= a[j][k] * b[k];
        }
        const bool is_left_out = !(a[j][j] > DEPENDENT * whole);
        a[j][j] = is_left_out ? 0.0 : a[j][j];
        for (int i = j + 1; i < n; i++) {
            for (int k = 0; k < j; k++) {
                a[i][j] -= a[i][k] * a[j][k] * a[k][k];
            }
            a[i][j] = is_left_out ? 0.0 : a[i][j] / a[j][j];
        }
        b[j] = is_left_out ? 0.0 : b[j];
    }
    for (int j = n - 1; j >= 0; j--) {
        b[j] = a[j][j] > 0.0 ? b[j] / a[j][j] : 0.0;
        for (int i = j + 1; i < n; i++) {
            b[j] -= a[i][j] * b[i];
        }
    }
}

/* product: K u_0, on return the residual S (f - K u_0), whose length is returned. */
static double begin_residual(const ew_model *model, double *product, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        product[i] = model->force.value[i] - product[i];
    }
    model_filter_constraints(model, product);
    return sqrt(dot(product, product, size));
}

static size_t rest_of(const ew_answer_basis *basis, size_t begin)
{
    return basis->size - begin < CHUNK ? basis->size - begin : CHUNK;
}

/* Of loads on faces most of the residual at rest is zero. */
static ew_status list_filled(ew_answer_basis *basis)
{
    basis->filled.n = 0;
    for (size_t begin = 0; begin < basis->size; begin += CHUNK) {
        if (!model_is_zero(basis->product + begin, rest_of(basis, begin))) {
            EW_TRY(ew_list_push(&basis->filled, (int32_t)(begin / CHUNK)));
        }
    }
    return EW_OK;
}

static double dot_residual(const ew_answer_basis *basis, const double *u)
{
    double sum = 0.0;
    for (int32_t k = 0; k < basis->filled.n; k++) {
        const size_t begin = CHUNK * (size_t)basis->filled.id[k];
        sum += dot(u + begin, basis->product + begin, rest_of(basis, begin));
    }
    return sum;
}

static ew_status find_factors(ew_answer_basis *basis, double factor[MAX_ANSWERS])
{
    double a[MAX_ANSWERS][MAX_ANSWERS];
    const int32_t n = basis->n;
    EW_TRY(list_filled(basis));
    for (int32_t i = 0; i < n; i++) {
        factor[i] = dot_residual(basis, basis->answer[i].u);
        for (int32_t j = 0; j <= i; j++) {
            a[i][j] = 0.0;
            for (int32_t p = 0; p < n_part(basis); p++) {
                a[i][j] += basis->parts.factor[p] * basis->inner[p][i][j];
            }
        }
    }
    double whole[MAX_ANSWERS];
    for (int32_t i = 0; i < n; i++) {
        whole[i] = a[i][i];
    }
    solve(n, a, factor);
    for (int32_t i = 0; i < n; i++) {
        basis->answer[i].energy = factor[i] * factor[i] * whole[i];
    }
    return EW_OK;
}

/* The displacement and the residual of a sum; its length is returned. */
static double add_up(ew_model *model, ew_answer_basis *basis, const double *factor)
{
    const size_t size = basis->size;
    memcpy(basis->start, basis->prescribed, size * sizeof *basis->start);
    for (int32_t i = 0; i < basis->n; i++) {
        const basis_answer *of = &basis->answer[i];
        add(factor[i], of->u, basis->start, size);
        for (int32_t p = 0; p < n_part(basis); p++) {
            add(-factor[i] * basis->parts.factor[p], of->part + (size_t)p * size, basis->product,
                size);
        }
    }
    memcpy(model->field[0].value, basis->start, size * sizeof *basis->start);
    model_filter_constraints(model, basis->product);
    return sqrt(dot(basis->product, basis->product, size));
}

/* Supports and loads as they must be, and what a solve asks of both, without a matrix. */
static ew_status prepare(ew_model *model)
{
    EW_TRY(model_need_usable(model));
    EW_TRY(model_assign_materials(model));
    EW_TRY(model_update_supports(model));
    EW_TRY(
        ew_support_require(&model->support, &model->mesh, &model->topology, &model->constraints));
    EW_TRY(model_update_loads(model));
    return model_prepare_edges(model);
}

static bool has_basis(const ew_model *model)
{
    return !model->mixed.is_on && !model_is_nonlinear(model) && !model_is_tied(model) &&
           model->mesh.n_live_tet;
}

ew_status ew_model_start_near(ew_model *model, ew_answer_basis *basis)
{
    const double begin = ew_seconds();
    double factor[MAX_ANSWERS];
    bool is_other;
    model->near = (model_near){0};
    basis->has_start = false;
    if (!has_basis(model)) {
        return EW_OK;
    }
    EW_TRY(prepare(model));
    EW_TRY(follow_body(model, basis));
    if (!basis->n) {
        memset(basis->start, 0, basis->size * sizeof *basis->start);
        basis->has_start = true;
        model->near = (model_near){1.0, INFINITY}; /* none, but others will start from its answer */
        return EW_OK;
    }
    EW_TRY(model_take_stiffness_parts(model, basis->is_moved, &basis->parts, &is_other));
    for (int32_t i = 0; i < basis->n && is_other; i++) {
        basis->answer[i].has_products = false;
    }
    EW_TRY(find_products(model, basis));
    EW_TRY(find_prescribed(model, basis));
    const double reference = begin_residual(model, basis->product, basis->size);
    EW_TRY(find_factors(basis, factor));
    const double residual = add_up(model, basis, factor);
    model_forget_row_changes(model);
    model->near = (model_near){reference, reference > 0.0 ? residual / reference : 0.0};
    basis->has_start = true;
    model->report.seconds_solve += ew_seconds() - begin;
    return EW_OK;
}

/* ---- an answer more -------------------------------------------------------------------- */

ew_status ew_model_keep_answer(const ew_model *model, ew_answer_basis *basis)
{
    const size_t size = basis->size;
    if (!basis->has_start || size != 3 * (size_t)model_n_row(model)) {
        return EW_OK;
    }
    basis->has_start = false;
    if (basis->n == (basis->is_moved ? MAX_MOVED : MAX_ANSWERS)) {
        remove_min(basis);
    }
    basis_answer *made = &basis->answer[basis->n];
    EW_TRY(made->u ? EW_OK : ew_new(&made->u, size, sizeof *made->u));
    for (size_t i = 0; i < size; i++) {
        made->u[i] = model->field[0].value[i] - basis->start[i];
    }
    model_filter_constraints(model, made->u);
    made->has_products = false;
    made->energy = 0.0;
    basis->n += !model_is_zero(made->u, size);
    return EW_OK;
}
