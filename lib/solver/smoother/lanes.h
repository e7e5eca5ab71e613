/* lanes: private to solver. Several numbers side by side (GCC and Clang vector extension), loaded
 * from double or single. Compiled with AVX2 (smoother_avx2.c) a load from single is one
 * instruction; left to itself GCC 12 makes five of it. */
#ifndef EW_SOLVER_LANES_H
#define EW_SOLVER_LANES_H

#include <stddef.h>
#include <stdint.h>
#ifdef __AVX2__
#include <immintrin.h>
#endif

#define EW_INLINE static inline __attribute__((always_inline))

/* Of four mostly three are used: the fourth is what follows in memory, finite, and meets a zero. */
typedef double ew_four __attribute__((vector_size(32), aligned(8), may_alias));
typedef float ew_four_single __attribute__((vector_size(16), aligned(4), may_alias));

EW_INLINE void ew_load_single(const float *from, ew_four *to)
{
#ifdef __AVX2__
    *to = (ew_four)_mm256_cvtps_pd(_mm_loadu_ps(from));
#else
    const ew_four_single narrow = *(const ew_four_single *)from;
    *to = (ew_four){(double)narrow[0], (double)narrow[1], (double)narrow[2], (double)narrow[3]};
#endif
}

/* Three numbers and a zero, with nothing read beyond them. */
EW_INLINE void ew_load_three(const double *from, ew_four *to)
{
#ifdef __AVX2__
    *to = (ew_four)_mm256_maskload_pd(from, _mm256_set_epi64x(0, -1, -1, -1));
#else
    *to = (ew_four){from[0], from[1], from[2], 0.0};
#endif
}

EW_INLINE void ew_store_three(const ew_four *from, double *to)
{
    typedef double two __attribute__((vector_size(16), aligned(8), may_alias));
    *(two *)to = (two){(*from)[0], (*from)[1]};
    to[2] = (*from)[2];
}

/* One number in all places. */
EW_INLINE void ew_spread(double x, ew_four *to)
{
    *to = (ew_four){x, x, x, x};
}

EW_INLINE void ew_clear_fourth(ew_four *x)
{
#ifdef __AVX2__
    *x = (ew_four)_mm256_blend_pd((__m256d)*x, _mm256_setzero_pd(), 8);
#else
    (*x)[3] = 0.0;
#endif
}

/* The sums over a, b and c; the fourth is finite where they are. */
EW_INLINE void ew_add_across(const ew_four *a, const ew_four *b, const ew_four *c, ew_four *to)
{
#ifdef __AVX2__
    const __m256d ab = _mm256_hadd_pd((__m256d)*a, (__m256d)*b);
    const __m256d cc = _mm256_hadd_pd((__m256d)*c, (__m256d)*c);
    *to = (ew_four)_mm256_add_pd(_mm256_permute2f128_pd(ab, cc, 0x20),
                                 _mm256_permute2f128_pd(ab, cc, 0x31));
#else
    *to = (ew_four){((*a)[0] + (*a)[1]) + ((*a)[2] + (*a)[3]),
                    ((*b)[0] + (*b)[1]) + ((*b)[2] + (*b)[3]),
                    ((*c)[0] + (*c)[1]) + ((*c)[2] + (*c)[3]), 0.0};
#endif
}

#endif
