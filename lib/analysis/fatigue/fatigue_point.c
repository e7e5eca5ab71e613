/* Fatigue of a point. In: the stress tensors of a history, plastic strains where they are given, a
 * curve. Out: the damage of a repeat by cycles of one stress, or of its strain (rainflow, Palmgren
 * 1924, Miner 1945), and the factor on stress that the wanted life bears. */
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
    int32_t longest = 0, *capacity = work->capacity;
    int64_t n_cycle = 0;
    for (int32_t b = 0; b < history->n_block; b++) {
        const int32_t n = history->block[b].n;
        longest = n > longest ? n : longest;
        n_cycle += n / 2;
    }
    EW_TRY(ew_grow(&work->value, &capacity[0], history->n_record, sizeof *work->value));
    EW_TRY(ew_grow(&work->strain, &capacity[5], history->n_record, sizeof *work->strain));
    EW_TRY(ew_grow(&work->sequence, &capacity[1], longest, sizeof *work->sequence));
    EW_TRY(ew_grow(&work->turning, &capacity[2], (int64_t)longest + 1, sizeof *work->turning));
    EW_TRY(ew_grow(&work->pair, &capacity[6], longest / 2 + 1, sizeof *work->pair));
    EW_TRY(ew_grow(&work->cycle, &capacity[3], n_cycle + 1, sizeof *work->cycle));
    return work->n_normal ? EW_OK : take_normals(work);
}

void ew_fatigue_work_free(ew_fatigue_work *work)
{
    ew_release(work->value);
    ew_release(work->strain);
    ew_release(work->sequence);
    ew_release(work->turning);
    ew_release(work->pair);
    ew_release(work->cycle);
    ew_release(work->normal);
    memset(work, 0, sizeof *work);
}

/* What a point is judged by. */
typedef struct point {
    const ew_fatigue_history *history;
    const ew_fatigue_curve *curve;
    const float *stress;  /* [n_record][6] */
    const float *plastic; /* likewise, or null */
    ew_fatigue_work *work;
} point;

/* ---- damage of a history of numbers ---------------------------------------------------------- */

/* The sequence of a block whose cycles are counted: strain where it is given, else stress; of a
 * notch with the sign that makes its largest value in magnitude the largest, from which the cyclic
 * curve leads. Returns the sign. */
static double take_sequence(const point *at, const ew_fatigue_block *block, double factor)
{
    const bool is_notch = at->history->method == EW_STRAIN_LIFE && !at->plastic;
    const double *from = at->plastic ? at->work->strain : at->work->value;
    double *to = at->work->sequence, low = 0.0, high = 0.0;
    for (int32_t i = 0; i < block->n; i++) {
        to[i] = factor * block->factor[i] * from[block->record[i]];
        low = fmin(low, to[i]);
        high = fmax(high, to[i]);
    }
    const double sign = is_notch && -low > high ? -1.0 : 1.0;
    for (int32_t i = 0; sign < 0.0 && i < block->n; i++) {
        to[i] = -to[i];
    }
    return sign;
}

/* Stress and strain at the turning points of the sequence. */
static void take_states(const point *at, const ew_fatigue_block *block, double factor, int32_t n)
{
    const ew_strain_life *of = &at->curve->strain;
    const double *sequence = at->work->sequence;
    ew_turning_point *turning = at->work->turning;
    for (int32_t i = 0; i < n; i++) {
        ew_turning_point *to = &turning[i];
        const double value = sequence[to->at];
        if (at->history->method == EW_STRESS_LIFE) {
            to->stress = value;
            to->strain = 0.0;
        } else if (at->plastic) {
            to->stress = factor * block->factor[to->at] * at->work->value[block->record[to->at]];
            to->strain = value;
        } else if (to->before < 0) {
            to->stress = ew_notch_stress(of, at->history->notch, fmax(value, 0.0));
            to->strain = ew_cyclic_strain(of, to->stress);
        } else {
            const ew_turning_point *from = &turning[to->before];
            const double range = value - sequence[from->at], side = range < 0.0 ? -2.0 : 2.0;
            const double half = ew_notch_stress(of, at->history->notch, 0.5 * fabs(range));
            to->stress = from->stress + side * half;
            to->strain = from->strain + side * ew_cyclic_strain(of, half);
        }
    }
}

/* The cycles of all blocks under work->value, where all stress is times `factor`. How many. */
static int32_t count_cycles(const point *at, double factor)
{
    ew_fatigue_work *work = at->work;
    int32_t n = 0;
    for (int32_t b = 0; b < at->history->n_block; b++) {
        const ew_fatigue_block *block = &at->history->block[b];
        int32_t n_turning;
        const double sign = take_sequence(at, block, factor);
        const int32_t n_cycle =
            ew_rainflow(block->n, work->sequence, &n_turning, work->turning, work->pair);
        take_states(at, block, factor, n_turning);
        for (int32_t k = 0; k < n_cycle; k++) {
            const ew_turning_point *p = &work->turning[work->pair[k][0]],
                                   *q = &work->turning[work->pair[k][1]];
            work->cycle[n++] = (ew_fatigue_cycle){.amplitude = 0.5 * fabs(p->stress - q->stress),
                                                  .mean = 0.5 * sign * (p->stress + q->stress),
                                                  .strain = 0.5 * fabs(p->strain - q->strain),
                                                  .count = block->cycles};
        }
    }
    return n;
}

/* Of a repeat, likewise; the largest amplitude. */
static double sum_damage(const point *at, double factor, double *amplitude)
{
    const ew_fatigue_history *history = at->history;
    const int32_t n = count_cycles(at, factor);
    double damage = 0.0;
    *amplitude = 0.0;
    for (int32_t k = 0; k < n; k++) {
        const ew_fatigue_cycle *cycle = &at->work->cycle[k];
        const bool by_strain = history->method == EW_STRAIN_LIFE;
        const double size =
            by_strain ? cycle->strain : ew_fatigue_reversed(at->curve, history->mean_stress, cycle);
        *amplitude = fmax(*amplitude, size);
        damage += cycle->count /
                  (by_strain ? ew_strain_life_cycles(at->curve, history->mean_stress, cycle)
                             : ew_fatigue_cycles(at->curve, size));
    }
    return damage;
}

static double find_safety(const point *at)
{
    double low = -log(EW_MAX_FATIGUE_SAFETY), high = -low, unused;
    for (int i = 0; i < 48; i++) {
        const double factor = i ? 0.5 * (low + high) : high;
        const double damage = sum_damage(at, exp(factor), &unused);
        if (damage * at->history->life <= 1.0) {
            low = factor;
        } else {
            high = factor;
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
static bool find_largest(const point *at, double largest[6])
{
    const ew_fatigue_history *history = at->history;
    double size = 0.0, tensor[6];
    for (int32_t b = 0; b < history->n_block; b++) {
        const ew_fatigue_block *block = &history->block[b];
        for (int32_t i = 0; i < block->n; i++) {
            take_tensor(at->stress + 6 * (size_t)block->record[i], block->factor[i], tensor);
            const double now = size_of(history->stress, tensor);
            if (now > size) {
                size = now;
                memcpy(largest, tensor, sizeof tensor);
            }
        }
    }
    return size > 0.0;
}

static double find_turned(const point *at, const double largest[6])
{
    const ew_fatigue_history *history = at->history;
    const double square = dot(largest, largest);
    double most = 0.0, tensor[6];
    for (int32_t b = 0; b < history->n_block; b++) {
        const ew_fatigue_block *block = &history->block[b];
        for (int32_t i = 0; i < block->n; i++) {
            take_tensor(at->stress + 6 * (size_t)block->record[i], block->factor[i], tensor);
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

/* Where both ends of the principal stresses are as large, as in shear, tension counts. The strain
 * is that of a bar with this stress and the equivalent plastic strain. */
static void take_signed_von_mises(const point *at, const double largest[6])
{
    double principal[3], first[6], tensor[6];
    ew_principal(largest, principal);
    const double sign = principal[0] >= (1.0 - 1e-6) * fabs(principal[2]) ? 1.0 : -1.0;
    memcpy(first, largest, sizeof first);
    take_deviator(first);
    for (int32_t r = 0; r < at->history->n_record; r++) {
        take_tensor(at->stress + 6 * (size_t)r, 1.0, tensor);
        const double mises = ew_von_mises(tensor);
        take_deviator(tensor);
        at->work->value[r] = dot(tensor, first) < 0.0 ? -sign * mises : sign * mises;
        if (at->plastic) {
            take_tensor(at->plastic + 6 * (size_t)r, 1.0, tensor);
            const double flowed = sqrt(2.0 / 3.0 * dot(tensor, tensor));
            at->work->strain[r] = at->work->value[r] / at->curve->strain.young +
                                  (dot(tensor, first) < 0.0 ? -sign * flowed : sign * flowed);
        }
    }
}

/* Normal stress, and strain, on the plane of a unit normal. */
static void take_normal_stress(const point *at, const double n[3])
{
    const ew_strain_life *of = &at->curve->strain;
    const double weight[6] = {n[0] * n[0], n[1] * n[1], n[2] * n[2],
                              n[0] * n[1], n[1] * n[2], n[0] * n[2]};
    double tensor[6];
    for (int32_t r = 0; r < at->history->n_record; r++) {
        take_tensor(at->stress + 6 * (size_t)r, 1.0, tensor);
        const double value = dot(weight, tensor), sum = tensor[0] + tensor[1] + tensor[2];
        at->work->value[r] = value;
        if (at->plastic) {
            take_tensor(at->plastic + 6 * (size_t)r, 1.0, tensor);
            at->work->strain[r] =
                ((1.0 + of->poisson) * value - of->poisson * sum) / of->young + dot(weight, tensor);
        }
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
static bool try_plane(const point *at, const double normal[3], ew_fatigue_life *best)
{
    double amplitude;
    take_normal_stress(at, normal);
    const double damage = sum_damage(at, 1.0, &amplitude);
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

static void search_planes(const point *at, double direction[3][3], ew_fatigue_life *best)
{
    *best = (ew_fatigue_life){.amplitude = -1.0};
    for (int k = 0; k < 3; k++) {
        try_plane(at, direction[k], best);
    }
    for (int32_t i = 0; i < at->work->n_normal; i++) {
        try_plane(at, at->work->normal[i], best);
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
            moved = try_plane(at, n, best) || moved;
        }
        step *= moved ? 1.0 : 0.5;
    }
}

void ew_fatigue_take(const ew_fatigue_history *history, const ew_fatigue_curve *curve,
                     const float *stress, const float *plastic, ew_fatigue_work *work,
                     ew_fatigue_life *out)
{
    const point at = {history, curve, stress, history->method == EW_STRAIN_LIFE ? plastic : NULL,
                      work};
    double largest[6], direction[3][3];
    *out = (ew_fatigue_life){.safety = EW_MAX_FATIGUE_SAFETY};
    if (!find_largest(&at, largest)) {
        return;
    }
    find_directions(largest, direction);
    if (history->stress == EW_FATIGUE_CRITICAL_PLANE) {
        search_planes(&at, direction, out);
        memcpy(direction[0], out->normal, sizeof out->normal);
    }
    if (history->stress == EW_FATIGUE_VON_MISES) {
        take_signed_von_mises(&at, largest);
    } else {
        take_normal_stress(&at, direction[0]);
        memcpy(out->normal, direction[0], sizeof out->normal);
    }
    out->damage = sum_damage(&at, 1.0, &out->amplitude);
    out->safety = find_safety(&at);
    out->turned = find_turned(&at, largest);
}
