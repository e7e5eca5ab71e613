/* The largest frequency of one free tet. Its stiffness is V B^T D B and its lumped mass rho V / 4
 * at each vertex, so that squares of frequencies are the eigenvalues of 4 / rho times the 6x6
 * matrix S B B^T S with S the root of D: found by Jacobi rotations, no bound but the value itself.
 */
#include "element/element.h"

#include <math.h>
#include <string.h>

/* Rows of B: engineering strain per displacement of vertex a, from its gradient. */
static void strain_rows(const double g[3], double b[6][3])
{
    memset(b, 0, 18 * sizeof(double));
    for (int c = 0; c < 3; c++) {
        b[c][c] = g[c];
    }
    b[3][0] = g[1];
    b[3][1] = g[0];
    b[4][1] = g[2];
    b[4][2] = g[1];
    b[5][0] = g[2];
    b[5][2] = g[0];
}

/* D = lambda 1 1^T + 2 mu I on normal strains, mu on shear: its root by eigenvalues. */
static void multiply_root(const double *lame, double b[6][3])
{
    const double part = sqrt(2.0 * lame[1]);
    const double mean = (sqrt(3.0 * lame[0] + 2.0 * lame[1]) - part) / 3.0;
    for (int c = 0; c < 3; c++) {
        const double sum = mean * (b[0][c] + b[1][c] + b[2][c]);
        for (int i = 0; i < 6; i++) {
            b[i][c] = i < 3 ? part * b[i][c] + sum : sqrt(lame[1]) * b[i][c];
        }
    }
}

static void rotate(double *a, double *b, double c, double s)
{
    const double old = *a;
    *a = c * old - s * *b;
    *b = s * old + c * *b;
}

/* One rotation that clears entry (p, q) of a symmetric matrix (Golub & Van Loan 2013, 8.5). */
static void clear(int p, int q, double h[6][6])
{
    const double slope = (h[q][q] - h[p][p]) / (2.0 * h[p][q]);
    const double t = (slope < 0.0 ? -1.0 : 1.0) / (fabs(slope) + sqrt(slope * slope + 1.0));
    const double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    for (int k = 0; k < 6; k++) {
        rotate(&h[k][p], &h[k][q], c, s);
    }
    for (int k = 0; k < 6; k++) {
        rotate(&h[p][k], &h[q][k], c, s);
    }
}

static double largest_eigenvalue(double h[6][6])
{
    enum { MAX_SWEEPS = 30 }; /* converges quadratically, in 6 to 8 */
    for (int sweep = 0; sweep < MAX_SWEEPS; sweep++) {
        double off = 0.0, all = 0.0;
        for (int i = 0; i < 36; i++) {
            const double square = h[i / 6][i % 6] * h[i / 6][i % 6];
            off += i / 6 == i % 6 ? 0.0 : square;
            all += square;
        }
        if (off <= 1e-28 * all) {
            break;
        }
        for (int k = 0; k < 36; k++) {
            if (k / 6 < k % 6 && h[k / 6][k % 6] != 0.0) {
                clear(k / 6, k % 6, h);
            }
        }
    }
    double largest = h[0][0];
    for (int i = 1; i < 6; i++) {
        largest = fmax(largest, h[i][i]);
    }
    return largest;
}

double ew_element_frequency_squared(const double *x, const double *lame, double density)
{
    double g[4][3], b[6][3], h[6][6] = {{0}};
    ew_element_gradients(x, g);
    for (int a = 0; a < 4; a++) {
        strain_rows(g[a], b);
        multiply_root(lame, b);
        for (int k = 0; k < 36; k++) {
            const double *p = b[k / 6], *q = b[k % 6];
            h[k / 6][k % 6] += p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
        }
    }
    return 4.0 / density * largest_eigenvalue(h);
}
