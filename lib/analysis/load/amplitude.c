/* Amplitudes. In: a table, a sine or a step in time, and a time. Out: the factor, its integral from
 * time 0 and its rate, each in closed form, so that a velocity that is prescribed gives the same
 * displacement whatever the time step. */
#include "analysis/parts/analysis.h"

#include <math.h>

#define TWO_PI 6.283185307179586476925286766559

/* ---- checks ---------------------------------------------------------------- */

static ew_status check_table(const ew_amplitude *of)
{
    if (of->n < 1) {
        return ew_fail(EW_BAD_INPUT, "amplitude: the table is empty; give at least one time and "
                                     "its value");
    }
    for (int32_t k = 0; k < of->n; k++) {
        if (!isfinite(of->time[k]) || !isfinite(of->value[k])) {
            return ew_fail_about(EW_BAD_INPUT, k, -1,
                                 "amplitude: entry %d of the table is (%g, %g); both must be "
                                 "finite",
                                 (int)k + 1, of->time[k], of->value[k]);
        }
        if (k && of->time[k] <= of->time[k - 1]) {
            return ew_fail_about(EW_BAD_INPUT, k, -1,
                                 "amplitude: time %g follows %g; times must ascend", of->time[k],
                                 of->time[k - 1]);
        }
    }
    return EW_OK;
}

static ew_status check_span(const ew_amplitude *of)
{
    if (!isfinite(of->size) || !isfinite(of->start) || isnan(of->end)) {
        return ew_fail(EW_BAD_INPUT, "amplitude: size %g, start %g, end %g; they must be finite",
                       of->size, of->start, of->end);
    }
    return of->end > of->start ? EW_OK
                               : ew_fail(EW_BAD_INPUT,
                                         "amplitude: it ends at %g and starts at %g; the end must "
                                         "come after the start",
                                         of->end, of->start);
}

/* An acceleration has the square of the angular frequency. */
static ew_status check_sine(const ew_amplitude *of)
{
    if (!isfinite(of->frequency) || of->frequency <= 0 || of->frequency > EW_MAX_FREQUENCY) {
        return ew_fail(EW_BAD_INPUT,
                       "amplitude: frequency is %g; it must be greater than 0 and at most %g",
                       of->frequency, EW_MAX_FREQUENCY);
    }
    if (!isfinite(of->phase) || !isfinite(of->offset)) {
        return ew_fail(EW_BAD_INPUT, "amplitude: phase %g, offset %g; they must be finite",
                       of->phase, of->offset);
    }
    return check_span(of);
}

/* ---- tables ---------------------------------------------------------------- */

/* The last place whose time is <= t; -1 before all. */
static int32_t place_in_table(const ew_amplitude *of, double t)
{
    int32_t low = -1, high = of->n;
    while (high - low > 1) {
        const int32_t middle = low + (high - low) / 2;
        if (of->time[middle] <= t) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static double table_slope(const ew_amplitude *of, int32_t k)
{
    return (of->value[k + 1] - of->value[k]) / (of->time[k + 1] - of->time[k]);
}

static double table_at(const ew_amplitude *of, double t)
{
    const int32_t k = place_in_table(of, t);
    if (k < 0) {
        return of->value[0];
    }
    return k == of->n - 1 ? of->value[k] : of->value[k] + (t - of->time[k]) * table_slope(of, k);
}

static double table_rate(const ew_amplitude *of, double t)
{
    const int32_t k = place_in_table(of, t);
    return k < 0 || k == of->n - 1 ? 0.0 : table_slope(of, k);
}

/* From the table's first time on: whole trapezoids, then the part of one. */
static double table_sum(const ew_amplitude *of, double t)
{
    const int32_t last = place_in_table(of, t);
    double sum = 0.0;
    if (last < 0) {
        return (t - of->time[0]) * of->value[0];
    }
    for (int32_t k = 0; k < last; k++) {
        sum += 0.5 * (of->time[k + 1] - of->time[k]) * (of->value[k] + of->value[k + 1]);
    }
    return sum + 0.5 * (t - of->time[last]) * (of->value[last] + table_at(of, t));
}

/* ---- sines and steps ------------------------------------------------------- */

static double sine_angle(const ew_amplitude *of, double t)
{
    return TWO_PI * of->frequency * (t - of->start) + of->phase;
}

static double sine_at(const ew_amplitude *of, double t)
{
    return t < of->start || t > of->end ? 0.0 : of->offset + of->size * sin(sine_angle(of, t));
}

static double sine_rate(const ew_amplitude *of, double t)
{
    return t < of->start || t >= of->end
               ? 0.0
               : of->size * TWO_PI * of->frequency * cos(sine_angle(of, t));
}

static double sine_second_rate(const ew_amplitude *of, double t)
{
    const double w = TWO_PI * of->frequency;
    return t < of->start || t >= of->end ? 0.0 : -of->size * w * w * sin(sine_angle(of, t));
}

/* From the start on. */
static double sine_sum(const ew_amplitude *of, double t)
{
    const double until = fmin(fmax(t, of->start), of->end);
    return of->offset * (until - of->start) +
           of->size / (TWO_PI * of->frequency) * (cos(of->phase) - cos(sine_angle(of, until)));
}

static double step_at(const ew_amplitude *of, double t)
{
    return t >= of->start && t < of->end ? of->size : 0.0;
}

static double zero(const ew_amplitude *of, double t)
{
    (void)of, (void)t;
    return 0.0;
}

static double step_sum(const ew_amplitude *of, double t)
{
    return of->size * (fmin(fmax(t, of->start), of->end) - of->start);
}

/* ---- the table of kinds ------------------------------------------------------ */

static const struct {
    ew_status (*check)(const ew_amplitude *of);
    double (*at)(const ew_amplitude *of, double t);
    double (*rate)(const ew_amplitude *of, double t);
    double (*second_rate)(const ew_amplitude *of, double t);
    double (*sum)(const ew_amplitude *of, double t); /* integral from a time of its own */
} kinds[] = {
    [EW_AMPLITUDE_TABLE] = {check_table, table_at, table_rate, zero, table_sum},
    [EW_AMPLITUDE_SINE] = {check_sine, sine_at, sine_rate, sine_second_rate, sine_sum},
    [EW_AMPLITUDE_STEP] = {check_span, step_at, zero, zero, step_sum},
};

ew_status ew_amplitude_check(const ew_amplitude *amplitude)
{
    const int kind = (int)amplitude->kind;
    if (kind < 0 || kind > EW_AMPLITUDE_STEP) {
        return ew_fail(EW_BAD_ARGUMENT, "amplitude: kind %d does not exist", kind);
    }
    return kinds[kind].check(amplitude);
}

double ew_amplitude_at(const ew_amplitude *amplitude, double t)
{
    return kinds[amplitude->kind].at(amplitude, t);
}

double ew_amplitude_rate(const ew_amplitude *amplitude, double t)
{
    return kinds[amplitude->kind].rate(amplitude, t);
}

double ew_amplitude_second_rate(const ew_amplitude *amplitude, double t)
{
    return kinds[amplitude->kind].second_rate(amplitude, t);
}

double ew_amplitude_integral(const ew_amplitude *amplitude, double t)
{
    return kinds[amplitude->kind].sum(amplitude, t) - kinds[amplitude->kind].sum(amplitude, 0.0);
}
