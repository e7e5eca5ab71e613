/* Outcome of a search over parameters. */
#include "report.h"

/* The best row within the limits, else the one that breaks them least; null: none was judged. */
static const report_row *best_row(const run_report *report)
{
    const report_row *best = NULL;
    const bool most = report->input->sweep->search->maximize;
    for (int32_t i = 0; i < report->n_row; i++) {
        const report_row *row = &report->row[i];
        const double other = best ? best->violation : 0;
        const bool better = most ? best && row->objective > best->objective
                                 : best && row->objective < best->objective;
        if (row->judged &&
            (!best ||
             (row->violation <= 1e-3 && other <= 1e-3 ? better : row->violation < other))) {
            best = row;
        }
    }
    return best;
}

void report_search(const run_report *report)
{
    const ew_case *input = report->input;
    const ew_case_search *search = input->sweep->search;
    const report_row *best = best_row(report);
    if (!best) {
        return;
    }
    printf("%s %s: %.6g in combination %d", search->maximize ? "greatest" : "least",
           search->goal.name, best->objective, (int)best->combination);
    for (int32_t i = 0; i < input->sweep->n_parameter; i++) {
        const int32_t k = input->sweep->parameter[i];
        printf(", %s = %.8g", input->parameter[k].name, best->parameter[k]);
    }
    if (best->violation > 1e-3) {
        printf("; it breaks a limit by %.2g %%, and none keeps them all", 100 * best->violation);
    }
    printf("; %d evaluations\n", (int)input->sweep->n_done);
}
