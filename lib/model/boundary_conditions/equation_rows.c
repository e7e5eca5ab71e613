/* Equations as they are written down: terms by rows, one equation after the other. */
#include "model/internal.h"

ew_status model_push_terms(model_equations *to, int32_t row, double share, const double factor[3])
{
    for (int c = 0; c < 3; c++) {
        if (factor[c] != 0.0) {
            const int32_t at = to->begin[to->n_row + 1]++;
            EW_TRY(ew_grow(&to->entry, &to->entry_capacity, (int64_t)at + 1, sizeof *to->entry));
            EW_TRY(ew_grow(&to->factor, &to->factor_capacity, (int64_t)at + 1, sizeof *to->factor));
            to->entry[at] = 3 * row + c;
            to->factor[at] = share * factor[c];
        }
    }
    return EW_OK;
}

ew_status model_push_row(model_equations *to, const ew_contact_rows *rows, int32_t row)
{
    for (int32_t t = rows->begin[row]; t < rows->begin[row + 1]; t++) {
        double factor[3] = {0.0, 0.0, 0.0};
        factor[rows->entry[t] % 3] = rows->factor[t];
        EW_TRY(model_push_terms(to, rows->entry[t] / 3, 1.0, factor));
    }
    return EW_OK;
}

ew_status model_begin_equation(model_equations *to, int32_t place)
{
    const int64_t n = (int64_t)to->n_row + 1;
    EW_TRY(ew_grow(&to->begin, &to->begin_capacity, n + 1, sizeof *to->begin));
    EW_TRY(ew_grow(&to->value, &to->row_capacity, n, sizeof *to->value));
    EW_TRY(ew_grow(&to->place, &to->place_capacity, n, sizeof *to->place));
    EW_TRY(ew_grow(&to->beyond, &to->beyond_capacity, n, sizeof *to->beyond));
    to->beyond[to->n_row] = 0.0;
    to->begin[0] = 0;
    to->begin[to->n_row + 1] = to->begin[to->n_row];
    to->place[to->n_row] = place;
    return EW_OK;
}

void model_release_equation_rows(model_equations *of)
{
    ew_release(of->begin);
    ew_release(of->entry);
    ew_release(of->factor);
    ew_release(of->value);
    ew_release(of->beyond);
    ew_release(of->place);
}
