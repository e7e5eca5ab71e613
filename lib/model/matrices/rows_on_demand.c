/* Blocks of some rows of the stiffness alone: where processes share a solve each computes those
 * that it reads, and memory that is not written is none. In: rows. Out: all blocks of these, with
 * the bits of a build. */
#include "base/pages.h"
#include "model/matrices/place.h"

#include <string.h>

typedef struct choice {
    const uint64_t *has, *row; /* row: null: all */
} choice;

static bool is_missing(const choice *of, int32_t row)
{
    return !ew_bit_has(of->has, row) && (!of->row || ew_bit_has(of->row, row));
}

static ew_status list_rows(const choice *of, int32_t n_row, ew_list *list)
{
    for (int32_t row = 0; row < n_row; row++) {
        EW_TRY(is_missing(of, row) ? ew_list_push(list, row) : EW_OK);
    }
    return EW_OK;
}

/* Blocks of pairs are there with the first of their rows. */
static ew_status list_pairs(const choice *of, const ew_pattern *pattern, ew_list *list)
{
    for (int32_t pair = 0; pair < pattern->n_pair; pair++) {
        const int32_t a = pattern->pair_row[2 * (size_t)pair],
                      b = pattern->pair_row[2 * (size_t)pair + 1];
        const bool is_new = a >= 0 && (is_missing(of, a) || is_missing(of, b)) &&
                            !ew_bit_has(of->has, a) && !ew_bit_has(of->has, b);
        EW_TRY(is_new ? ew_list_push(list, pair) : EW_OK);
    }
    return EW_OK;
}

/* Those whose blocks are all missing. */
static ew_status list_tets(const choice *of, const ew_mesh *mesh, ew_list *list)
{
    for (int32_t tet = 0; tet < mesh->n_tet; tet++) {
        const int32_t *v = mesh->tet + 4 * (size_t)tet;
        const bool is_whole = ew_mesh_tet_is_live(mesh, tet) && is_missing(of, v[0]) &&
                              is_missing(of, v[1]) && is_missing(of, v[2]) && is_missing(of, v[3]);
        EW_TRY(is_whole ? ew_list_push(list, tet) : EW_OK);
    }
    return EW_OK;
}

/* The loop over tets starts blocks of pairs with the lower row, which may be there before. */
static void start_pairs(const choice *of, const ew_pattern *pattern, const ew_list *list,
                        ew_matrix *matrix)
{
    const size_t width = (size_t)matrix->block * (size_t)matrix->block;
    for (int32_t i = 0; i < list->n; i++) {
        const size_t pair = (size_t)list->id[i];
        if (!is_missing(of, pattern->pair_row[2 * pair])) {
            memset(matrix->pair + width * pair, 0, width * sizeof *matrix->pair);
        }
    }
}

static ew_status compute(ew_model *model, model_matrix *matrix, const ew_source *source,
                         const choice *of)
{
    ew_pattern_change missing = {0};
    ew_status status = list_rows(of, source->pattern->n_row, &missing.touched_row);
    if (!status && missing.touched_row.n) {
        EW_TRY_OUT(list_pairs(of, source->pattern, &missing.touched_pair));
        EW_TRY_OUT(list_tets(of, &model->mesh, &missing.changed_item));
        start_pairs(of, source->pattern, &missing.touched_pair, &matrix->host);
        EW_TRY_OUT(ew_matrix_compute(&matrix->host, source, &missing));
        for (int32_t i = 0; i < missing.touched_row.n; i++) {
            ew_bit_set(matrix->has, missing.touched_row.id[i]);
        }
    }
out:
    ew_pattern_change_free(&missing);
    return status;
}

ew_status model_matrix_begin_rows(model_matrix *matrix, const ew_source *source)
{
    ew_release(matrix->has);
    EW_TRY(ew_new_zero(&matrix->has, (size_t)source->pattern->n_row / 64 + 1, sizeof(uint64_t)));
    EW_TRY(ew_matrix_begin(&matrix->host, source));
    const size_t block = (size_t)(matrix->host.block * matrix->host.block) * sizeof(double);
    ew_use_small_pages(matrix->host.diagonal, block * (size_t)source->pattern->n_row);
    ew_use_small_pages(matrix->host.pair, block * (size_t)source->pattern->n_pair);
    return EW_OK;
}

ew_status model_matrix_add_rows(ew_model *model, model_matrix *matrix, const ew_source *source,
                                const uint64_t *row)
{
    const double start = ew_seconds();
    if (!matrix->has) {
        return EW_OK;
    }
    const choice of = {matrix->has, row};
    EW_TRY(compute(model, matrix, source, &of));
    if (!row) {
        ew_release(matrix->has);
        matrix->has = NULL;
    }
    model->report.seconds_matrix += ew_seconds() - start;
    return EW_OK;
}

/* Of a linear body: others ask for no rows. */
static ew_status need(void *user, const uint64_t *row)
{
    ew_model *model = user;
    const model_source from = model_stiffness(model, &model->topology, model_ground(model));
    if (!model->stiffness.matrix.has) {
        return EW_OK;
    }
    EW_TRY(model_matrix_add_rows(model, &model->stiffness.matrix, &from.source, row));
    return model_add_edge_rows(model, row);
}

ew_status model_complete_stiffness(ew_model *model)
{
    return need(model, NULL);
}

const ew_row_demand *model_row_demand(ew_model *model, model_system *system)
{
    if (!system->matrix.has) {
        return NULL;
    }
    system->matrix.demand = (ew_row_demand){model, need};
    return &system->matrix.demand;
}

/* Where no more than iterations of conjugate gradients reads the blocks: before many solves the
 * choice of a preconditioner looks at all of them. */
bool model_takes_rows(const ew_model *model, const ew_pcg_def *def)
{
    const bool is_plain = !model->device && model->operator_kind == EW_STORED &&
                          !model->mixed.is_on && !model->contacts.n && !model->expects_answers &&
                          !model_has_equations(&model->equations);
    const bool iterates =
        def->preconditioner == EW_RIGID ||
        (def->preconditioner == EW_AUTO_PRECONDITIONER && def->expected_solves < EW_MANY_SOLVES);
    return is_plain && iterates && def->peers && def->peers->n > 1 &&
           def->energy_tolerance == 0.0 && def->precision != EW_SINGLE;
}
