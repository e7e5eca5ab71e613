/* The sweeps of chunks, by the code for the machine it runs on. In: a residual, by row. Out: the
 * correction, by row. */
#include "solver/smoother/smoother_columns.h"

static void sweep(ew_sweep_kind kind, const ew_sweep *in)
{
#ifdef EW_HAS_AVX2
    if (__builtin_cpu_supports("avx2")) {
        ew_sweep_avx2(kind, in);
        return;
    }
#endif
    ew_sweep_any(kind, in);
}

void ew_chunks_forward(const ew_chunk *first, const ew_chunk *second, const double *r, double *z,
                       double *t)
{
    sweep(EW_SWEEP_FORWARD, &(ew_sweep){.first = first, .second = second, .r = r, .z = z, .t = t});
}

void ew_chunk_restrict(const ew_chunk *chunk, double *z, double *t, double *coarse)
{
    sweep(EW_SWEEP_RESTRICT, &(ew_sweep){.first = chunk, .z = z, .t = t, .out = coarse});
}

void ew_chunks_backward(const ew_chunk *first, const ew_chunk *second, const double *r, double *z,
                        double *t, double *out)
{
    sweep(EW_SWEEP_BACKWARD,
          &(ew_sweep){.first = first, .second = second, .r = r, .z = z, .t = t, .out = out});
}

void ew_chunk_prolong(const ew_chunk *chunk, const double *coarse, double *z, double *t)
{
    sweep(EW_SWEEP_PROLONG, &(ew_sweep){.first = chunk, .coarse = coarse, .z = z, .t = t});
}

/* ---- several vectors ----------------------------------------------------- */

static void columns_sweep(ew_sweep_kind kind, const ew_sweep *in)
{
#ifdef EW_HAS_AVX2
    if (__builtin_cpu_supports("avx2")) {
        ew_columns_sweep_avx2(kind, in);
        return;
    }
#endif
    ew_columns_sweep_any(kind, in);
}

void ew_chunk_columns_forward(const ew_chunk *chunk, const double *r, double *z, double *t)
{
    columns_sweep(EW_SWEEP_FORWARD, &(ew_sweep){.first = chunk, .r = r, .z = z, .t = t});
}

void ew_chunk_columns_restrict(const ew_chunk *chunk, double *z, double *t, double *coarse)
{
    columns_sweep(EW_SWEEP_RESTRICT, &(ew_sweep){.first = chunk, .z = z, .t = t, .out = coarse});
}

void ew_chunk_columns_prolong(const ew_chunk *chunk, const double *coarse, double *z, double *t)
{
    columns_sweep(EW_SWEEP_PROLONG, &(ew_sweep){.first = chunk, .coarse = coarse, .z = z, .t = t});
}

void ew_chunk_columns_backward(const ew_chunk *chunk, const double *r, double *z, double *t,
                               double *out)
{
    columns_sweep(EW_SWEEP_BACKWARD,
                  &(ew_sweep){.first = chunk, .r = r, .z = z, .t = t, .out = out});
}
