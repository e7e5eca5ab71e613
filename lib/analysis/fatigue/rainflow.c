/* Rainflow counting of a sequence that is repeated. In: values. Out: closed cycles, amplitude and
 * mean. Reference: ASTM E1049-85 (2017), 5.4.5; it leaves no half cycles. */
#include "analysis/parts/analysis.h"

#include <math.h>

/* From the largest value once around to it again, without values between turning points. How many.
 */
static int32_t take_turning_points(int32_t n, const double *value, double *to)
{
    int32_t largest = 0, k = 0;
    for (int32_t i = 1; i < n; i++) {
        largest = value[i] > value[largest] ? i : largest;
    }
    for (int32_t i = 0; i <= n; i++) {
        const double next = value[(largest + i) % n];
        if (k > 0 && next == to[k - 1]) {
            continue;
        }
        const bool goes_on = k > 1 && (next > to[k - 1]) == (to[k - 1] > to[k - 2]);
        k -= goes_on;
        to[k++] = next;
    }
    return k;
}

int32_t ew_rainflow(int32_t n, const double *value, double *work, ew_fatigue_cycle *cycle)
{
    const int32_t n_turning = n > 0 ? take_turning_points(n, value, work) : 0;
    int32_t n_cycle = 0, top = 0;
    for (int32_t i = 0; i < n_turning; i++) {
        work[top++] = work[i];
        while (top >= 3 &&
               fabs(work[top - 1] - work[top - 2]) >= fabs(work[top - 2] - work[top - 3])) {
            const double a = work[top - 3], b = work[top - 2];
            cycle[n_cycle++] = (ew_fatigue_cycle){0.5 * fabs(a - b), 0.5 * (a + b), 1.0};
            work[top - 3] = work[top - 1];
            top -= 2;
        }
    }
    return n_cycle;
}
