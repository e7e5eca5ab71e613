/* Mass matrices of scalar blocks, and the matrix of a time step, c_K K + c_M M. In: positions,
 * tets, densities of their regions and the tables edge_to_tet and vertex_to_tet; or the blocks of K
 * and M. Out: their blocks in double, and where a single-precision operator is kept, the pair
 * blocks in float. Reference: lib/assembly/host/mass.c and combination.c, with the same bits.
 *
 * In all four a work-item makes block id[first + i] when `listed`, else block i. Launch: n items.
 * The ids are distinct, so each block has one writer. */
#include "combine.h"
#include "tet.h"

#if EW_HAS_DOUBLE

/* The sum of the masses of a row of tets, ascending, from +0.0. */
static double mass_of_tets(const int begin, const int count, __global const int *item,
                           __global const int *tet, __global const int *region,
                           __global const double *density, __global const double *xyz)
{
    double sum = 0.0;
    for (int n = 0; n < count; n++) {
        const size_t t = (size_t)item[(size_t)begin + (size_t)n];
        double x[12];
        for (int i = 0; i < 12; i++) {
            x[i] = xyz[3 * (size_t)tet[4 * t + i / 3] + i % 3];
        }
        sum += density[region[t]] * ew_tet_volume_of(x);
    }
    return sum;
}

/* Diagonal blocks where `is_diagonal`, of vertices by vertex_to_tet, 1 without tets; else pair
 * blocks, by edge_to_tet. share: of the mass of a tet. Shapes: id [first + n]; begin, count
 * [n_slot]; item [n_item]; tet [n_tet][4]; region [n_tet]; density [n_region]; xyz [n_vertex][3];
 * mass [n_slot]. */
__kernel void mass_blocks(const int n, const int listed, const uint first, __global const int *id,
                          const int is_diagonal, const double share, __global const int *begin,
                          __global const int *count, __global const int *item,
                          __global const int *tet, __global const int *region,
                          __global const double *density, __global const double *xyz,
                          __global double *mass)
{
    const size_t i = get_global_id(0);
    if (i >= (size_t)n) {
        return;
    }
    const size_t slot = listed ? (size_t)id[first + i] : i;
    const double sum = mass_of_tets(begin[slot], count[slot], item, tet, region, density, xyz);
    mass[slot] = is_diagonal && count[slot] == 0 ? 1.0 : share * sum;
}

/* Diagonal blocks of c_K K + c_M M; the identity, as in K, in a row without pairs. Shapes: id
 * [first + n]; count [n_row] of row_to_pair; k, a [n_row][3][3]; m [n_row]. */
__kernel void combine_diagonal(const int n, const int listed, const uint first,
                               __global const int *id, const double of_stiffness,
                               const double of_mass, __global const int *count,
                               __global const double *k, __global const double *m,
                               __global double *a)
{
    const size_t i = get_global_id(0);
    if (i >= (size_t)n) {
        return;
    }
    const size_t row = listed ? (size_t)id[first + i] : i;
    double block[9];
    for (int c = 0; c < 9; c++) {
        block[c] = k[9 * row + c];
    }
    if (count[row]) {
        ew_combine_block(block, of_stiffness, 1, of_mass * m[row]);
    }
    for (int c = 0; c < 9; c++) {
        a[9 * row + c] = block[c];
    }
}

/* Pair blocks of the same; of freed pairs they mean nothing. Shapes: id [first + n]; k, a, single
 * [n_pair][3][3] (single unused unless keep_single); m [n_pair], unused unless has_mass. */
__kernel void combine_pairs(const int n, const int listed, const uint first, const int keep_single,
                            __global const int *id, const double of_stiffness, const int has_mass,
                            const double of_mass, __global const double *k,
                            __global const double *m, __global double *a, __global float *single)
{
    const size_t i = get_global_id(0);
    if (i >= (size_t)n) {
        return;
    }
    const size_t pair = listed ? (size_t)id[first + i] : i;
    double block[9];
    for (int c = 0; c < 9; c++) {
        block[c] = k[9 * pair + c];
    }
    ew_combine_block(block, of_stiffness, has_mass, has_mass ? of_mass * m[pair] : 0.0);
    for (int c = 0; c < 9; c++) {
        a[9 * pair + c] = block[c];
        if (keep_single) {
            single[9 * pair + c] = (float)block[c];
        }
    }
}

#endif
