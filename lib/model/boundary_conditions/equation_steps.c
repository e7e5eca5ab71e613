/* Equations in load steps. In: the displacement, and the values that equations had where the solve
 * started. Out: updates of Newton's method that lead to the values at a load factor, in proportion
 * to it; overlaps of contacts vanish alike. */
#include "model/internal.h"

#include <math.h>

/* Share of the largest displacement that is rounding: what contradicts by less does not. */
#define ROUNDING 1e-9

/* The value of row i at the displacement. */
static double value_of(const ew_model *model, int32_t i)
{
    const model_equations *of = &model->equations;
    const double *u = model->field[0].value;
    double sum = of->beyond[i];
    for (int32_t k = of->begin[i]; k < of->begin[i + 1]; k++) {
        sum += of->factor[k] * u[of->entry[k]];
    }
    return sum;
}

ew_status model_start_equations(ew_model *model)
{
    model_equations *of = &model->equations;
    const int32_t n = of->n_row ? of->first_contact : 0;
    EW_TRY(ew_grow(&of->start, &of->start_capacity, n, sizeof *of->start));
    for (int32_t i = 0; i < n; i++) {
        of->start[i] = value_of(model, i);
    }
    model_start_contacts(model);
    ew_model_forget_turns(model);
    return EW_OK;
}

static double largest_of(const double *x, size_t n)
{
    double largest = 0.0;
    for (size_t i = 0; i < n; i++) {
        largest = fmax(largest, fabs(x[i]));
    }
    return largest;
}

ew_status model_find_lack(ew_model *model, double load_factor, double *largest)
{
    model_equations *of = &model->equations;
    EW_TRY(ew_grow(&of->aim, &of->aim_capacity, of->n_row, sizeof *of->aim));
    for (int32_t i = 0; i < of->n_row; i++) {
        const bool is_led = i < of->first_contact && load_factor < 1.0;
        const double led = is_led ? (1.0 - load_factor) * (of->value[i] - of->start[i]) : 0.0;
        of->aim[i] = of->value[i] - led - value_of(model, i);
    }
    *largest = largest_of(of->aim, (size_t)of->n_row);
    return EW_OK;
}

/* With large rotations a contradiction of second order is none, and no other is known from it. */
ew_status model_put_update(ew_model *model, double load_factor, double *update)
{
    model_equations *of = &model->equations;
    const size_t n = 3 * (size_t)model_n_row(model);
    int32_t other = -1;
    double lack;
    EW_TRY(model_find_lack(model, load_factor, &lack));
    EW_TRY(ew_equations_put(&of->free, &of->list, of->aim, update, &other));
    const double rest = fmax(lack, largest_of(update, n));
    return other < 0 || model_has_large_rotations(model) ||
                   rest <= ROUNDING * largest_of(model->field[0].value, n)
               ? EW_OK
               : model_refuse_contradiction(model, other);
}
