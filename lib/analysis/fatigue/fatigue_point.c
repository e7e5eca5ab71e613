/* Fatigue of a point. In: the stress tensors of a history, a stress-life curve. Out: the damage of
 * a repeat by cycles of one stress (rainflow, Palmgren 1924, Miner 1945), and the factor on stress
 * that the wanted life bears. */
#include "analysis/parts/analysis.h"
#include "element/parts/element.h"
#include "polar.h"

#include <math.h>
#include <string.h>

static const double degree = 0.017453292519943295;

/* ---- memory ------------------------------------------------------------------------------- */

/* Normals of a half sphere, 10 degrees apart. */
static ew_status take_normals(ew_fatigue_work *work)
{
    work->n_normal = 0;
    for (int i = 0; i <= 9; i++) {
        const double polar = 10.0 * i * degree;
        const int all = (int)lround(36.0 * sin(polar));
        const int n = i == 0 ? 1 : i == 9 ? all / 2 : all;
        EW_TRY(
            ew_grow(&work->normal, &work->capacity[4], work->n_normal + n, sizeof *work->normal));
        for (int k = 0; k < n; k++) {
            const double around = 360.0 * k / (i ? all : 1) * degree;
            double *to = work->normal[work->n_normal++];
            to[0] = sin(polar) * cos(around);
            to[1] = sin(polar) * sin(around);
            to[2] = cos(polar);
        }
    }
    return EW_OK;
}

ew_status ew_fatigue_work_reserve(ew_fatigue_work *work, const ew_fatigue_history *history)
{
    int32_t longest = 0;
    int64_t n_cycle = 0;
    for (int32_t b = 0; b < history->n_block; b++) {
        const int32_t n = history->block[b].n;
        longest = n > longest ? n : longest;
        n_cycle += n / 2;
    }
    EW_TRY(ew_grow(&work->value, &work->capacity[0], history->n_record, sizeof *work->value));
    EW_TRY(ew_grow(&work->sequence, &work->capacity[1], longest, sizeof *work->sequence));
    EW_TRY(
        ew_grow(&work->turning, &work->capacity[2], (int64_t)longest + 1, sizeof *work->turning));
    EW_TRY(ew_grow(&work->cycle, &work->capacity[3], n_cycle + 1, sizeof *work->cycle));
    return work->n_normal ? EW_OK : take_normals(work);
}

void ew_fatigue_work_free(ew_fatigue_work *work)
{
    ew_release(work->value);
    ew_release(work->sequence);
    ew_release(work->turning);
    ew_release(work->cycle);
    ew_release(work->normal);
    memset(work, 0, sizeof *work);
}

/* ---- damage of a history of numbers ---------------------------------------------------------- */

/* The cycles of all blocks under work->value. How many. */
static int32_t count_cycles(const ew_fatigue_history *history, ew_fatigue_work *work)
{
    int32_t n = 0;
    for (int32_t b = 0; b < history->n_block; b++) {
        const ew_fatigue_block *block = &history->block[b];
        for (int32_t i = 0; i < block->n; i++) {
            work->sequence[i] = block->factor[i] * work->value[block->record[i]];
        }
        const int32_t begin = n;
        n += ew_rainflow(block->n, work->sequence, work->turning, work->cycle + n);
        for (int32_t k = begin; k < n; k++) {
            work->cycle[k].count = block->cycles;
        }
    }
    return n;
}

/* Of a repeat, where all stress is times `factor`. */
static double sum_damage(const ew_fatigue_history *history, const ew_fatigue_curve *curve,
                         int32_t n, const ew_fatigue_cycle *cycle, double factor, double *amplitude)
{
    double damage = 0.0;
    *amplitude = 0.0;
    for (int32_t k = 0; k < n; k++) {
        const ew_fatigue_cycle at = {factor * cycle[k].amplitude, factor * cycle[k].mean,
                                     cycle[k].count};
        const double reversed = ew_fatigue_reversed(curve, history->mean_stress, &at);
        *amplitude = fmax(*amplitude, reversed);
        damage += at.count / ew_fatigue_cycles(curve, reversed);
    }
    return damage;
}

static double find_safety(const ew_fatigue_history *history, const ew_fatigue_curve *curve,
                          int32_t n, const ew_fatigue_cycle *cycle)
{
    double low = -log(EW_MAX_FATIGUE_SAFETY), high = -low, unused;
    for (int i = 0; i < 48; i++) {
        const double at = i ? 0.5 * (low + high) : high;
        const double damage = sum_damage(history, curve, n, cycle, exp(at), &unused);
        if (damage * history->life <= 1.0) {
            low = at;
        } else {
            high = at;
        }
    }
    return exp(low);
}

/* ---- the number of a tensor -------------------------------------------------------------------
 */

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] +
           2.0 * (a[3] * b[3] + a[4] * b[4] + a[5] * b[5]);
}

static void take_tensor(const float *from, double factor, double to[6])
{
    for (int c = 0; c < 6; c++) {
        to[c] = factor * (double)from[c];
    }
}

static double size_of(ew_fatigue_stress kind, const double tensor[6])
{
    double principal[3];
    if (kind == EW_FATIGUE_VON_MISES) {
        return ew_von_mises(tensor);
    }
    ew_principal(tensor, principal);
    return fmax(fabs(principal[0]), fabs(principal[2]));
}

/* The tensor of the history of the largest size; false: there is no stress. */
static bool find_largest(const ew_fatigue_history *history, const float *stress, double largest[6])
{
    double size = 0.0, tensor[6];
    for (int32_t b = 0; b < history->n_block; b++) {
        const ew_fatigue_block *block = &history->block[b];
        for (int32_t i = 0; i < block->n; i++) {
            take_tensor(stress + 6 * (size_t)block->record[i], block->factor[i], tensor);
            const double now = size_of(history->stress, tensor);
            if (now > size) {
                size = now;
                memcpy(largest, tensor, sizeof tensor);
            }
        }
    }
    return size > 0.0;
}

static double find_turned(const ew_fatigue_history *history, const float *stress,
                          const double largest[6])
{
    const double square = dot(largest, largest);
    double most = 0.0, tensor[6];
    for (int32_t b = 0; b < history->n_block; b++) {
        const ew_fatigue_block *block = &history->block[b];
        for (int32_t i = 0; i < block->n; i++) {
            take_tensor(stress + 6 * (size_t)block->record[i], block->factor[i], tensor);
            const double along = dot(tensor, largest) / square;
            for (int c = 0; c < 6; c++) {
                tensor[c] -= along * largest[c];
            }
            most = fmax(most, dot(tensor, tensor));
        }
    }
    return sqrt(most / square);
}

static void take_deviator(double tensor[6])
{
    const double mean = (tensor[0] + tensor[1] + tensor[2]) / 3.0;
    for (int c = 0; c < 3; c++) {
        tensor[c] -= mean;
    }
}

/* Where both ends of the principal stresses are as large, as in shear, tension counts. */
static void take_signed_von_mises(const ew_fatigue_history *history, const float *stress,
                                  const double largest[6], double *value)
{
    double principal[3], first[6], tensor[6];
    ew_principal(largest, principal);
    const double sign = principal[0] >= (1.0 - 1e-6) * fabs(principal[2]) ? 1.0 : -1.0;
    memcpy(first, largest, sizeof first);
    take_deviator(first);
    for (int32_t r = 0; r < history->n_record; r++) {
        take_tensor(stress + 6 * (size_t)r, 1.0, tensor);
        const double mises = ew_von_mises(tensor);
        take_deviator(tensor);
        value[r] = dot(tensor, first) < 0.0 ? -sign * mises : sign * mises;
    }
}

/* Normal stress on the plane of a unit normal. */
static void take_normal_stress(const ew_fatigue_history *history, const float *stress,
                               const double n[3], double *value)
{
    const double weight[6] = {n[0] * n[0], n[1] * n[1], n[2] * n[2],
                              n[0] * n[1], n[1] * n[2], n[0] * n[2]};
    double tensor[6];
    for (int32_t r = 0; r < history->n_record; r++) {
        take_tensor(stress + 6 * (size_t)r, 1.0, tensor);
        value[r] = dot(weight, tensor);
    }
}

/* Columns: principal directions; the first: of the largest principal stress in magnitude. */
static void find_directions(const double tensor[6], double direction[3][3])
{
    double a[9] = {tensor[0], tensor[3], tensor[5], tensor[3], tensor[1],
                   tensor[4], tensor[5], tensor[4], tensor[2]};
    double v[9];
    int first = 0;
    ew_jacobi(a, v, 3);
    for (int k = 1; k < 3; k++) { /* of equal ones tension */
        const double now = a[4 * k], before = a[4 * first];
        const double least = fabs(before) * (now > before ? 1.0 - 1e-6 : 1.0 + 1e-6);
        first = fabs(now) > least ? k : first;
    }
    for (int k = 0; k < 3; k++) {
        for (int c = 0; c < 3; c++) {
            direction[k][c] = v[3 * c + (first + k) % 3];
        }
    }
}

/* ---- planes -----------------------------------------------------------------------------------
 */

/* Whether the normal stress on the plane does more damage than the best one so far, which it then
 * is; where none does any, whether its amplitude is larger. */
static bool try_plane(const ew_fatigue_history *history, const ew_fatigue_curve *curve,
                      const float *stress, const double normal[3], ew_fatigue_work *work,
                      ew_fatigue_life *best)
{
    double amplitude;
    take_normal_stress(history, stress, normal, work->value);
    const int32_t n = count_cycles(history, work);
    const double damage = sum_damage(history, curve, n, work->cycle, 1.0, &amplitude);
    if (damage < best->damage || (damage == best->damage && !(amplitude > best->amplitude))) {
        return false;
    }
    best->damage = damage;
    best->amplitude = amplitude;
    memcpy(best->normal, normal, sizeof best->normal);
    return true;
}

/* Two directions across a unit vector. */
static void find_tangents(const double n[3], double tangent[2][3])
{
    const int least = fabs(n[0]) < fabs(n[1]) ? (fabs(n[0]) < fabs(n[2]) ? 0 : 2)
                                              : (fabs(n[1]) < fabs(n[2]) ? 1 : 2);
    const double length = sqrt(1.0 - n[least] * n[least]);
    for (int c = 0; c < 3; c++) {
        tangent[0][c] = ((c == least) - n[least] * n[c]) / length;
    }
    for (int c = 0; c < 3; c++) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        tangent[1][c] = n[d] * tangent[0][e] - n[e] * tangent[0][d];
    }
}

static void search_planes(const ew_fatigue_history *history, const ew_fatigue_curve *curve,
                          const float *stress, double direction[3][3], ew_fatigue_work *work,
                          ew_fatigue_life *best)
{
    *best = (ew_fatigue_life){.amplitude = -1.0};
    for (int k = 0; k < 3; k++) {
        try_plane(history, curve, stress, direction[k], work, best);
    }
    for (int32_t i = 0; i < work->n_normal; i++) {
        try_plane(history, curve, stress, work->normal[i], work, best);
    }
    double step = 5.0 * degree;
    for (int i = 0; i < 40 && step > 0.05 * degree; i++) {
        double tangent[2][3], center[3];
        bool moved = false;
        memcpy(center, best->normal, sizeof center);
        find_tangents(center, tangent);
        for (int k = 0; k < 4; k++) {
            const double side = k % 2 ? -sin(step) : sin(step);
            double n[3];
            for (int c = 0; c < 3; c++) {
                n[c] = cos(step) * center[c] + side * tangent[k / 2][c];
            }
            moved = try_plane(history, curve, stress, n, work, best) || moved;
        }
        step *= moved ? 1.0 : 0.5;
    }
}

void ew_fatigue_take(const ew_fatigue_history *history, const ew_fatigue_curve *curve,
                     const float *stress, ew_fatigue_work *work, ew_fatigue_life *out)
{
    double largest[6], direction[3][3];
    *out = (ew_fatigue_life){.safety = EW_MAX_FATIGUE_SAFETY};
    if (!find_largest(history, stress, largest)) {
        return;
    }
    find_directions(largest, direction);
    if (history->stress == EW_FATIGUE_CRITICAL_PLANE) {
        search_planes(history, curve, stress, direction, work, out);
        memcpy(direction[0], out->normal, sizeof out->normal);
    }
    if (history->stress == EW_FATIGUE_VON_MISES) {
        take_signed_von_mises(history, stress, largest, work->value);
    } else {
        take_normal_stress(history, stress, direction[0], work->value);
        memcpy(out->normal, direction[0], sizeof out->normal);
    }
    const int32_t n = count_cycles(history, work);
    out->damage = sum_damage(history, curve, n, work->cycle, 1.0, &out->amplitude);
    out->safety = find_safety(history, curve, n, work->cycle);
    out->turned = find_turned(history, stress, largest);
}
