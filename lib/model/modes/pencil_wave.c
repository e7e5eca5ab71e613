/* The modes of a cyclic body by those of a sector (Thomas 1979). In: a tie of both sides of it, the
 * nodal diameters of a wave round the axis. Out: equations of the wave, of real and imaginary part,
 *
 *     u_slave = exp(i a) R u_master,   a = 2 pi diameter / sectors,
 *
 * for which the parts are two copies of the sector, with the same factor; all other equations and
 * constraints are alike in both. Where exp(i a) is 1 or -1 the real part is enough. */
#include "model/modes/pencil.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ew_status pencil_take_wave(pencil *in, const ew_modes_def *def)
{
    const model_ties *ties = &in->model->ties;
    const int32_t n = def->diameter, sectors = def->sectors;
    const double angle = sectors ? 2.0 * acos(-1.0) * n / sectors : 0.0;
    if (!sectors) {
        return EW_OK;
    }
    if (sectors < 2 || n > sectors / 2 || n < -(sectors / 2)) {
        return ew_fail(EW_BAD_ARGUMENT,
                       "modes: %d nodal diameters of %d sectors; they are from 0 to half of two or "
                       "more sectors",
                       n, sectors);
    }
    if (def->tie < 0 || def->tie >= ties->n || ties->tie[def->tie].given.kind != EW_TIE_CYCLIC) {
        return ew_fail(EW_BAD_ARGUMENT,
                       "modes: nodal diameters are of a tie of the kind EW_TIE_CYCLIC, which tie "
                       "%d of %d is not",
                       def->tie, ties->n);
    }
    const bool is_real = n == 0 || 2 * abs(n) == sectors;
    in->is_wave = true;
    in->n_part = is_real ? 1 : 2;
    in->wave = (model_wave){.tie = def->tie,
                            .n_part = in->n_part,
                            .cosine = is_real ? n ? -1.0 : 1.0 : cos(angle),
                            .sine = is_real ? 0.0 : sin(angle)};
    return EW_OK;
}

/* Of one part: those of the wave, and what there is beside them. */
static ew_status push_part(const pencil *in, int32_t part, model_equations *to)
{
    const ew_model *model = in->model;
    const model_equations *from = &model->equations;
    const model_tie *tie = &model->ties.tie[in->wave.tie];
    EW_TRY(model_add_images(tie, &in->wave, part, 0, to));
    for (int32_t i = 0; i < from->n_row; i++) {
        if (i >= tie->first_row && i < tie->end_row) {
            continue;
        }
        EW_TRY(model_begin_equation(to, 0));
        for (int32_t t = from->begin[i]; t < from->begin[i + 1]; t++) {
            double factor[3] = {0.0, 0.0, 0.0};
            factor[from->entry[t] % 3] = from->factor[t];
            EW_TRY(model_push_terms(to, part * in->n_row + from->entry[t] / 3, 1.0, factor));
        }
        to->value[to->n_row++] = 0.0;
    }
    return EW_OK;
}

/* Constraints of all parts behind one another. */
static ew_status repeat_constraints(const pencil *in, uint8_t **fixed, ew_oblique *oblique)
{
    const ew_oblique *from = in->system.oblique;
    const size_t n_row = (size_t)in->n_row, n = (size_t)from->n, n_part = (size_t)in->n_part;
    EW_TRY(ew_new(fixed, n_part * n_row, sizeof **fixed));
    EW_TRY(ew_new(&oblique->row, n_part * n + 1, sizeof *oblique->row));
    EW_TRY(ew_new(&oblique->normal, n_part * n + 1, 6 * sizeof *oblique->normal));
    for (size_t p = 0; p < n_part; p++) {
        memcpy(*fixed + p * n_row, in->system.fixed, n_row * sizeof **fixed);
        for (size_t k = 0; k < n; k++) {
            oblique->row[p * n + k] = (int32_t)(p * n_row) + from->row[k];
            memcpy(oblique->normal + 6 * (p * n + k), from->normal + 6 * k,
                   6 * sizeof *oblique->normal);
        }
    }
    oblique->n = (int32_t)(n_part * n);
    return EW_OK;
}

static ew_status build(pencil *in, model_equations *made)
{
    uint8_t *fixed = NULL;
    ew_oblique oblique = {0};
    ew_status status = EW_OK;
    for (int32_t p = 0; p < in->n_part && !status; p++) {
        status = push_part(in, p, made);
    }
    status = status ? status : repeat_constraints(in, &fixed, &oblique);
    if (!status && made->n_row) {
        const ew_equation_list list = {made->n_row, made->begin, made->entry, made->factor, {0}};
        status = ew_equations_build(&in->of_wave, &list, in->n_part * in->n_row, fixed, &oblique);
        in->equations = &in->of_wave;
    }
    ew_release(fixed);
    ew_release(oblique.row);
    ew_release(oblique.normal);
    return status;
}

ew_status pencil_build_wave(pencil *in)
{
    if (in->iterates || in->model->equations.n_rigid) {
        return ew_fail(EW_BAD_INPUT, "modes: nodal diameters take %s",
                       in->iterates ? "linear or quadratic tets; use 'elements: quadratic'"
                                    : "no rigid sets; use 'kind: distributing', or stiff tets");
    }
    model_equations made = {0};
    in->wave.n_row = in->n_row;
    in->system.equations = in->equations = NULL; /* the factor is of the sector alone */
    const ew_status status = build(in, &made);
    model_release_equation_rows(&made);
    return status;
}

void pencil_apply(pencil *in, const double *x, double *y)
{
    const size_t n = 3 * (size_t)in->n_row;
    for (int32_t p = 0; p < in->n_part; p++) {
        ew_preconditioner_apply(&in->factor, x + (size_t)p * n, y + (size_t)p * n);
    }
}

/* Of sector k, exp(i k a) R^k (p + i q). */
void pencil_add_sectors(const pencil *in, int32_t sectors, double part[2][3], double sum[2][3])
{
    const double *turn = in->model->ties.tie[in->wave.tie].given.turn;
    double turned[2][3];
    memset(sum, 0, 6 * sizeof(double));
    memcpy(turned, part, sizeof turned);
    for (int32_t k = 0; k < sectors; k++) {
        double next[2][3];
        for (int c = 0; c < 3; c++) {
            sum[0][c] += turned[0][c];
            sum[1][c] += turned[1][c];
        }
        for (int c = 0; c < 3; c++) {
            double along[2] = {0.0, 0.0};
            for (int j = 0; j < 3; j++) {
                along[0] += turn[3 * c + j] * turned[0][j];
                along[1] += turn[3 * c + j] * turned[1][j];
            }
            next[0][c] = in->wave.cosine * along[0] - in->wave.sine * along[1];
            next[1][c] = in->wave.sine * along[0] + in->wave.cosine * along[1];
        }
        memcpy(turned, next, sizeof turned);
    }
}
