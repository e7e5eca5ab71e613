/* Products of the stiffness with answers, in parts. In: a model whose materials are current. Out:
 * vectors whose sums, by factors that follow from the moduli, are products with any of its
 * stiffnesses, without a matrix. */
#include "model/solve/answer_products.h"
#include "model/formulation/formulation.h"
#include "tet_product.h"

#include <math.h>
#include <string.h>

/* Of the constants of a region. */
enum { NEVER, IN_PROPORTION, FREELY };

/* ---- the parts --------------------------------------------------------------------- */

static bool can_be_parted(const ew_model *model)
{
    const bool is_whole = !model_has_edges(model) ||
                          model->quadratic.rows.n_live == model->topology.pattern.n_live_pair;
    return is_whole && model->materials.is_isotropic && !model->device && !model->has_ground &&
           model->constraints.oblique.n == 0;
}

static ew_status see_first(const ew_materials *materials, model_stiffness_parts *of)
{
    const size_t n = (size_t)materials->n;
    model_free_stiffness_parts(of);
    EW_TRY(ew_new(&of->first, 2 * n, sizeof *of->first));
    EW_TRY(ew_new(&of->lame, 2 * n, sizeof *of->lame));
    EW_TRY(ew_new_zero(&of->change, n, sizeof *of->change));
    memcpy(of->first, materials->lame, 2 * n * sizeof *of->first);
    of->n_region = materials->n;
    return EW_OK;
}

static bool is_in_proportion(const double *a, const double *b)
{
    const double x = a[0] * b[1], y = a[1] * b[0];
    return fabs(x - y) <= 1e-15 * (fabs(x) + fabs(y));
}

/* Whether constants of regions changed as they had not before. */
static bool see_changes(const ew_materials *materials, model_stiffness_parts *of)
{
    bool any = false;
    for (int32_t r = 0; r < of->n_region; r++) {
        const double *first = of->first + 2 * (size_t)r, *now = materials->lame + 2 * (size_t)r;
        const uint8_t change = !memcmp(first, now, 2 * sizeof *now) ? NEVER
                               : is_in_proportion(first, now)       ? IN_PROPORTION
                                                                    : FREELY;
        any = any || change > of->change[r];
        of->change[r] = change > of->change[r] ? change : of->change[r];
    }
    return any;
}

static bool add_part(model_stiffness_parts *of, int32_t region, double lambda, double mu,
                     double factor)
{
    if (of->n == MODEL_MAX_PARTS) {
        return false;
    }
    of->part[of->n].region = region;
    of->part[of->n].lame[0] = lambda;
    of->part[of->n].lame[1] = mu;
    of->factor[of->n++] = factor;
    return true;
}

/* False where there would be too many. */
static bool list_parts(const ew_materials *materials, model_stiffness_parts *of)
{
    bool rest = false, fits = true;
    of->n = 0;
    for (int32_t r = 0; r < of->n_region && fits; r++) {
        const double *first = of->first + 2 * (size_t)r, *now = materials->lame + 2 * (size_t)r;
        if (of->change[r] == FREELY) {
            fits = add_part(of, r, first[1], 0.0, now[0] / first[1]) &&
                   add_part(of, r, 0.0, first[1], now[1] / first[1]);
        } else if (of->change[r] == IN_PROPORTION) {
            fits = add_part(of, r, first[0], first[1], now[1] / first[1]);
        }
        rest = rest || of->change[r] == NEVER;
    }
    return fits && (!rest || add_part(of, -1, 0.0, 0.0, 1.0));
}

ew_status model_take_stiffness_parts(ew_model *model, bool by_matrix, model_stiffness_parts *of,
                                     bool *is_other)
{
    const int32_t before = of->n;
    const ew_materials *materials = &model->materials;
    *is_other = false;
    if (!by_matrix && can_be_parted(model)) {
        if (of->n_region != materials->n) {
            EW_TRY(see_first(materials, of));
            *is_other = true;
        }
        *is_other = see_changes(materials, of) || *is_other || !before;
        if (list_parts(materials, of)) {
            if (*is_other) { /* another model may have the same revision */
                of->edges.revision = of->tets.revision = 0;
            }
            return EW_OK;
        }
    }
    of->n = 0;
    of->factor[0] = 1.0;
    *is_other = true; /* the matrix may be another one */
    return model_update_matrix(model);
}

/* ---- products ------------------------------------------------------------------------ */

/* Materials of which only a part has constants. */
static void take_constants(const ew_model *model, model_stiffness_parts *of, int32_t k)
{
    memset(of->lame, 0, 2 * (size_t)of->n_region * sizeof *of->lame);
    for (int32_t r = 0; r < of->n_region; r++) {
        const double *from = of->part[k].region == r ? of->part[k].lame
                             : of->part[k].region < 0 && of->change[r] == NEVER
                                 ? of->first + 2 * (size_t)r
                                 : NULL;
        if (from) {
            memcpy(of->lame + 2 * (size_t)r, from, 2 * sizeof *from);
        }
    }
    of->materials = model->materials;
    of->materials.lame = of->lame;
}

static ew_status multiply(ew_model *model, model_stiffness_parts *of, const double *x, size_t size,
                          double *y)
{
    if (!model_has_edges(model)) {
        of->tet_stiffness = ew_stiffness_of(&model->mesh, &model->topology, &of->materials);
        if (!of->tets.as.type) {
            of->tets = ew_tet_operator_on_host(&of->tet_stiffness, 1.0, NULL, 0.0, NULL);
        }
        of->tets.stiffness = &of->tet_stiffness;
        of->tets.as.pattern = of->tet_stiffness.source.pattern;
        return ew_tet_operator_multiply(&of->tets, x, y);
    }
    EW_TRY(ew_edge_product_prepare(&of->edges, &model->mesh, &model->topology, &of->materials,
                                   &model->quadratic.rows, NULL));
    memset(y, 0, size * sizeof *y);
#pragma omp parallel num_threads(ew_matrix_product_threads((int32_t)(size / 3)))
    ew_edge_product_add(&of->edges, EW_EDGE_WHOLE, x, y);
    return EW_OK;
}

ew_status model_multiply_parts(ew_model *model, model_stiffness_parts *of, const double *x,
                               size_t size, double *y)
{
    for (int32_t k = 0; k < of->n; k++) {
        take_constants(model, of, k);
        EW_TRY(multiply(model, of, x, size, y + (size_t)k * size));
    }
    return of->n ? EW_OK : model_elastic_product(model, x, y);
}

ew_status model_product(ew_model *model, const double *x, double *y)
{
    model_stiffness_parts whole = {.materials = model->materials};
    if (!model->stiffness.matrix.all_dirty || !can_be_parted(model)) {
        EW_TRY(model_update_matrix(model));
        return model_elastic_product(model, x, y);
    }
    const ew_status status = multiply(model, &whole, x, 3 * (size_t)model_n_row(model), y);
    model_free_stiffness_parts(&whole);
    return status;
}

/* From the tets around a vertex, in ascending order. */
static void multiply_row(const ew_model *model, const double *x, int32_t v, double y[3])
{
    const ew_rows *rows = &model->topology.vertex_to_tet;
    memset(y, 0, 3 * sizeof *y);
    for (int32_t i = 0; i < rows->count[v]; i++) {
        const int32_t t = rows->item[(size_t)rows->begin[v] + (size_t)i];
        const double *lame = model->materials.lame + 2 * (size_t)model->mesh.region[t];
        const double term[4] = {lame[0], lame[1], 0.0, 0.0};
        double place[12], moved[12], f[12];
        int corner = 0;
        while (model->mesh.tet[4 * (size_t)t + (size_t)corner] != v) {
            corner++;
        }
        ew_mesh_tet_values(&model->mesh, t, model->mesh.xyz, place);
        ew_mesh_tet_values(&model->mesh, t, x, moved);
        ew_tet_product(place, moved, term, EW_TET_NO_MASS, f);
        for (int c = 0; c < 3; c++) {
            y[c] += f[3 * corner + c];
        }
    }
}

ew_status model_product_at(ew_model *model, const double *x, const ew_list *vertex, double *y)
{
    if (model_has_edges(model) || !can_be_parted(model)) {
        return model_product(model, x, y);
    }
    for (int32_t i = 0; i < vertex->n; i++) {
        multiply_row(model, x, vertex->id[i], y + 3 * (size_t)vertex->id[i]);
    }
    return EW_OK;
}

void model_free_stiffness_parts(model_stiffness_parts *of)
{
    ew_release(of->first);
    ew_release(of->change);
    ew_release(of->lame);
    ew_edge_product_free(&of->edges);
    ew_tet_operator_free(&of->tets);
    *of = (model_stiffness_parts){0};
}
