/* The 4-node tet with constant strain and any law: positions and moduli in, blocks out, by the
 * formulas of kernels/anisotropic.h; and the largest frequency of such a tet. */
#include "anisotropic.h"
#include "element/stiffness.h"

#include <math.h>
#include <string.h>

_Static_assert(EW_MODULI_WIDTH == EW_MODULI_CONSTANTS,
               "a law of element.h is one of anisotropic.h");

static const double *constants(const ew_materials *materials)
{
    return materials->moduli;
}

const ew_element ew_element_anisotropic = {
    .name = "anisotropic",
    .n_term = 33,
    .n_constant = EW_MODULI_CONSTANTS,
    .constants = constants,
    .kernel = "sum_anisotropic_tets",
    .prepare = ew_anisotropic_prepare,
    .add = ew_anisotropic_add,
    .add_diagonal = ew_anisotropic_add_diagonal,
};

/* ---- frequency ------------------------------------------------------------------- */

/* H = sum over the corners of B_a B_a^T, a row or column for each component of strain. */
static void sum_of_corners(const double *x, double h[6][6])
{
    double g[4][3], b[6][12] = {{0.0}};
    ew_element_gradients(x, g);
    for (int a = 0; a < 4; a++) {
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3;
            b[i][3 * a + i] = g[a][i];
            b[3 + i][3 * a + i] = g[a][j]; /* xy, yz, xz */
            b[3 + i][3 * a + j] = g[a][i];
        }
    }
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            h[i][j] = 0.0;
            for (int k = 0; k < 12; k++) {
                h[i][j] += b[i][k] * b[j][k];
            }
        }
    }
}

/* m = m m over its largest entry, which is returned. */
static double square(double m[6][6])
{
    double n[6][6], largest = 0.0;
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            n[i][j] = 0.0;
            for (int k = 0; k < 6; k++) {
                n[i][j] += m[i][k] * m[k][j];
            }
            largest = fmax(largest, fabs(n[i][j]));
        }
    }
    for (int i = 0; i < 36; i++) {
        m[i / 6][i % 6] = n[i / 6][i % 6] / largest;
    }
    return largest;
}

/* The largest eigenvalue of a symmetric positive matrix is the limit of |M^k|^(1/k), from above;
 * the Frobenius norm of a 6x6 matrix is at most sqrt(6) of it, so that k = 32 leaves 6^(1/64)
 * = 1.028. */
static double largest_eigenvalue(double m[6][6])
{
    double logarithm = 0.0, power = 1.0, sum = 0.0;
    for (int n = 0; n < 5; n++) {
        power *= 2.0;
        logarithm += log(square(m)) / power;
    }
    for (int i = 0; i < 36; i++) {
        sum += m[i / 6][i % 6] * m[i / 6][i % 6];
    }
    return exp(logarithm + 0.5 * log(sum) / power);
}

/* As in frequency.c: 4 / rho times the largest eigenvalue of D H, which are those of L^T H L with D
 * = L L^T. */
double ew_elastic_frequency_squared(const double *x, const ew_elastic *law, double density)
{
    double h[6][6], factor[6][6], hl[6][6], m[6][6], least;
    if (law->lame) {
        return ew_element_frequency_squared(x, law->lame, density);
    }
    memset(factor, 0, sizeof factor);
    (void)ew_moduli_factor(law->moduli, factor, &least);
    sum_of_corners(x, h);
    for (int i = 0; i < 36; i++) {
        hl[i / 6][i % 6] = 0.0;
        for (int k = 0; k < 6; k++) {
            hl[i / 6][i % 6] += h[i / 6][k] * factor[k][i % 6];
        }
    }
    for (int i = 0; i < 36; i++) {
        m[i / 6][i % 6] = 0.0;
        for (int k = 0; k < 6; k++) {
            m[i / 6][i % 6] += factor[k][i / 6] * hl[k][i % 6];
        }
    }
    return 4.0 / density * largest_eigenvalue(m);
}
