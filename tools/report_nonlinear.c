/* Printed results of a step with a nonlinear solve. */
#include "report.h"

#include <stdio.h>

void report_nonlinear(const run_report *report, const ew_step_report *step)
{
    const ew_nonlinear_info *info = step->nonlinear;
    if (!info) {
        return;
    }
    printf("  nonlinear    load factor %.6g in %d steps, %d halved; %d iterations of Newton",
           info->load_factor, (int)info->n_step, (int)info->n_failed, (int)info->n_iteration);
    if (report->verbose) {
        const double all = info->total_blocks ? (double)info->total_blocks : 1.0;
        printf(", %.1f %% of the blocks revalidated in each",
               100.0 * (double)info->touched_blocks / all);
    }
    puts("");
}

/* Dead loads at the end do no work that a nonlinear body would store half of. */
void report_balance(const ew_step_report *step, const ew_sums *sums)
{
    printf("  balance      residual force %.2g of the larger, ", sums->equilibrium);
    if (step->nonlinear) {
        printf("work on the way %.6g, strain energy %.6g", step->nonlinear->work,
               sums->strain_energy);
        if (sums->max_plastic_strain_tet >= 0) {
            printf(", dissipated so far %.6g; equivalent plastic strain up to %.6g in tet %lld",
                   sums->dissipated, sums->max_plastic_strain,
                   (long long)step->mesh->tet_id[sums->max_plastic_strain_tet]);
        }
    } else {
        printf("external work %.6g = 2 x strain energy %.6g", sums->external_work,
               sums->strain_energy);
    }
}
