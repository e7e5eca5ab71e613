/* What a system prescribes of a vector beside fixed components: along oblique rows and equations.
 * In: vectors on the host. Out: what of them is free, and what is not. */
#include "solver/krylov/pcg.h"

void ew_system_project(const ew_system *system, double *v)
{
    const ew_oblique *oblique = system->oblique;
    for (int32_t k = 0; oblique && k < oblique->n; k++) {
        ew_oblique_project(oblique, k, v + 3 * (size_t)oblique->row[k]);
    }
    if (system->equations) {
        ew_equations_project(system->equations, v);
    }
}

static bool is_moved(const double *part, size_t n)
{
    bool moved = false;
    for (size_t i = 0; i < n && !moved; i++) {
        moved = part[i] != 0.0;
    }
    return moved;
}

bool ew_system_prescribe(const ew_system *system, const double *x, double *work, double *part)
{
    const ew_oblique *oblique = system->oblique;
    const size_t n = 3 * (size_t)ew_operator_n_row(system->op);
    bool moved = false;
    for (int32_t k = 0; oblique && k < oblique->n; k++) {
        const size_t at = 3 * (size_t)oblique->row[k];
        ew_oblique_part(oblique, k, x + at, part + at);
        moved = moved || is_moved(part + at, 3);
    }
    if (!system->equations) {
        return moved;
    }
    for (size_t i = 0; i < n; i++) {
        work[i] = system->fixed[i / 3] >> i % 3 & 1 ? 0.0 : x[i];
    }
    for (int32_t k = 0; oblique && k < oblique->n; k++) {
        ew_oblique_project(oblique, k, work + 3 * (size_t)oblique->row[k]);
    }
    ew_equations_add_part(system->equations, work, part);
    for (size_t i = 0; i < n; i++) {
        work[i] = 0.0;
    }
    return is_moved(part, n);
}
