/* What acts on the outside of a body. Load stiffness of pressure that turns with faces, in blocks
 * of pairs and, of quadratic tets, in products. Springs to the ground. In diagonal blocks: in,
 * records of rows; out, their blocks with the ground added. On faces of quadratic tets: their
 * forces, added to those of the tets that the faces belong to, between `forces` and `gather` of
 * quadratic.cl; in, blocks [n][21][6] of the nodes of faces (ew_face_ground in
 * lib/assembly/assembly.h), faces ascending, so that those of one tet follow one another.
 * Reference: lib/assembly/host/foundation.c, blocks with the same bits, forces to rounding. */
#include "real.h"

#if EW_HAS_DOUBLE

/* One work-item per record of 13 words from word `first` on: a row, then xx
 * yy zz xy yz xz as doubles, which are added to its diagonal block. Launch: n items, after
 * the blocks. The rows are distinct, so each block has one writer. */
__kernel void add_ground(const int n, const uint first, __global const uint *word,
                         __global double *diagonal)
{
    const size_t i = get_global_id(0);
    if (i >= (size_t)n) {
        return;
    }
    __global const uint *record = word + (size_t)first + 13 * i;
    __global double *block = diagonal + 9 * (size_t)record[0];
    double k[6];
    for (int c = 0; c < 6; c++) {
        k[c] = as_double((uint2)(record[1 + 2 * c], record[2 + 2 * c]));
    }
    block[0] += k[0];
    block[1] += k[3];
    block[2] += k[5];
    block[3] += k[3];
    block[4] += k[1];
    block[5] += k[4];
    block[6] += k[5];
    block[7] += k[4];
    block[8] += k[2];
}

/* One work-item per record of 7 words from word `first` on: a pair, then the turn of its load
 * stiffness as doubles, turn cross x, which is added to its block, and with keep_single to the copy
 * in single precision. Launch: n items, after the blocks. The pairs are distinct. Reference:
 * lib/assembly/host/follower.c, same bits. */
__kernel void add_turns(const int n, const uint first, const int keep_single,
                        __global const uint *word, __global double *pair,
                        __global float *pair_single)
{
    const size_t i = get_global_id(0);
    if (i >= (size_t)n) {
        return;
    }
    __global const uint *record = word + (size_t)first + 7 * i;
    const size_t at = 9 * (size_t)record[0];
    double turn[3];
    for (int c = 0; c < 3; c++) {
        turn[c] = as_double((uint2)(record[1 + 2 * c], record[2 + 2 * c]));
    }
    pair[at + 1] -= turn[2];
    pair[at + 2] += turn[1];
    pair[at + 3] += turn[2];
    pair[at + 5] -= turn[0];
    pair[at + 6] -= turn[1];
    pair[at + 7] += turn[0];
    for (int k = 0; k < 9 && keep_single; k++) {
        pair_single[at + (size_t)k] = (float)pair[at + (size_t)k];
    }
}

/* The part of x to multiply, as ew_edge_part. */
#define OF_EDGES   1
#define OF_CORNERS 2

/* Local corners of faces, and the edges of the tet opposite them. */
__constant int corner_of[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
__constant int edge_of[4][3] = {{5, 4, 3}, {5, 1, 2}, {4, 2, 0}, {3, 0, 1}};

/* One work-item per tet with such faces, n of them: those from first[i] to first[i + 1]. force
 * [n_tet][10][3] += factor times the product; one item writes that of a tet. */
__kernel void add_faces(const int n, const int part, const int n_vertex, const double factor,
                        __global const int *first, __global const int *face,
                        __global const double *block, __global const int *tet,
                        __global const int *tet_row, __global const EW_REAL *x,
                        __global EW_REAL *force)
{
    const size_t i = get_global_id(0);
    for (int k = i < (size_t)n ? first[i] : 0; i < (size_t)n && k < first[i + 1]; k++) {
        const size_t t = (size_t)(face[k] / 4);
        const int side = face[k] % 4;
        double u[18];
        for (int j = 0; j < 6; j++) {
            const int edge = j < 3 ? 0 : tet_row[6 * t + (size_t)edge_of[side][j - 3]];
            const int row = j < 3 ? tet[4 * t + (size_t)corner_of[side][j]] : n_vertex + edge;
            const int counts = part == OF_EDGES ? j > 2 : part == OF_CORNERS ? j < 3 : 1;
            for (int c = 0; c < 3; c++) {
                u[3 * j + c] = counts && edge >= 0 ? x[3 * (size_t)row + (size_t)c] : 0.0;
            }
        }
        for (int a = part == OF_CORNERS ? 3 : 0; a < 6; a++) {
            const int node = a < 3 ? corner_of[side][a] : 4 + edge_of[side][a - 3];
            double f[3] = {0.0, 0.0, 0.0};
            for (int b = 0; b < 6; b++) {
                const int low = a < b ? a : b, high = a < b ? b : a;
                const int at = low * (11 - low) / 2 + high;
                __global const double *m = block + 6 * (21 * (size_t)k + (size_t)at);
                const double *v = u + 3 * b;
                f[0] += m[0] * v[0] + m[3] * v[1] + m[5] * v[2];
                f[1] += m[3] * v[0] + m[1] * v[1] + m[4] * v[2];
                f[2] += m[5] * v[0] + m[4] * v[1] + m[2] * v[2];
            }
            __global EW_REAL *to = force + 30 * t + 3 * (size_t)node;
            for (int c = 0; c < 3; c++) {
                to[c] = (EW_REAL)(to[c] + factor * f[c]);
            }
        }
    }
}

/* Load stiffness of pressure that turns with faces of quadratic tets, beside the blocks of pairs of
 * vertices (add_turns). One work-item per tet with such faces, n of them: those at place[first[i]]
 * to place[first[i + 1] - 1]. face, node [..][6] rows of corners and edges, -1: none, turn
 * [..][15][3]: as in ew_follower. force [n_tet][10][3] += factor times the product; one item writes
 * that of a tet. Reference: lib/assembly/host/follower.c, to rounding. */
__kernel void add_turned_faces(const int n, const int part, const double factor,
                               __global const int *first, __global const int *place,
                               __global const int *face, __global const int *node,
                               __global const double *turn, __global const EW_REAL *x,
                               __global EW_REAL *force)
{
    const size_t i = get_global_id(0);
    for (int k = i < (size_t)n ? first[i] : 0; i < (size_t)n && k < first[i + 1]; k++) {
        const size_t at = (size_t)place[k], t = (size_t)(face[at] / 4);
        const int side = face[at] % 4;
        __global const int *row = node + 6 * at;
        for (int a = part == OF_CORNERS ? 3 : 0; a < 6; a++) {
            const int own = a < 3 ? corner_of[side][a] : 4 + edge_of[side][a - 3];
            double f[3] = {0.0, 0.0, 0.0};
            for (int b = part == OF_EDGES || a < 3 ? 3 : 0; b < (part == OF_CORNERS ? 3 : 6); b++) {
                if (a == b || row[a] < 0 || row[b] < 0) {
                    continue;
                }
                const int low = a < b ? a : b, high = a < b ? b : a;
                __global const double *m =
                    turn + 3 * (15 * at + (size_t)(low * (11 - low) / 2 + high - low - 1));
                const double sign = a < b ? 1.0 : -1.0;
                double u[3];
                for (int c = 0; c < 3; c++) {
                    u[c] = sign * x[3 * (size_t)row[b] + (size_t)c];
                }
                f[0] += m[1] * u[2] - m[2] * u[1];
                f[1] += m[2] * u[0] - m[0] * u[2];
                f[2] += m[0] * u[1] - m[1] * u[0];
            }
            __global EW_REAL *to = force + 30 * t + 3 * (size_t)own;
            for (int c = 0; c < 3 && row[a] >= 0; c++) {
                to[c] = (EW_REAL)(to[c] + factor * f[c]);
            }
        }
    }
}

#endif
