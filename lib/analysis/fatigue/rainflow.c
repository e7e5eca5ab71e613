/* Rainflow counting of a sequence that is repeated. In: values. Out: turning points, the branch
 * that leads to each, and closed cycles. Reference: ASTM E1049-85 (2017), 5.4.5; it leaves no half
 * cycles. */
#include "analysis/parts/analysis.h"

#include <math.h>

/* From the largest value once around to it again, without values between turning points. How many.
 */
static int32_t take_turning_points(int32_t n, const double *value, ew_turning_point *to)
{
    int32_t largest = 0, k = 0;
    for (int32_t i = 1; i < n; i++) {
        largest = value[i] > value[largest] ? i : largest;
    }
    for (int32_t i = 0; i <= n; i++) {
        const int32_t at = (largest + i) % n;
        const double next = value[at], last = k > 0 ? value[to[k - 1].at] : 0.0;
        if (k > 0 && next == last) {
            continue;
        }
        const bool goes_on = k > 1 && (next > last) == (last > value[to[k - 2].at]);
        k -= goes_on;
        to[k++].at = at;
    }
    return k;
}

int32_t ew_rainflow(int32_t n, const double *value, int32_t *n_turning, ew_turning_point *turning,
                    int32_t (*cycle)[2])
{
    int32_t n_cycle = 0;
    *n_turning = n > 0 ? take_turning_points(n, value, turning) : 0;
    for (int32_t c = 0; c < *n_turning; c++) {
        turning[c].before = c - 1;
        for (int32_t b; (b = turning[c].before) >= 0 && turning[b].before >= 0;) {
            const int32_t a = turning[b].before;
            if (fabs(value[turning[c].at] - value[turning[b].at]) <
                fabs(value[turning[b].at] - value[turning[a].at])) {
                break;
            }
            cycle[n_cycle][0] = a;
            cycle[n_cycle++][1] = b;
            turning[c].before = turning[a].before;
        }
    }
    return n_cycle;
}
