/* The largest frequency of one free tet. Its stiffness is V B^T D B and its lumped mass rho V / 4
 * at each vertex, so that squares of frequencies are 4 / rho times the eigenvalues of R B B^T R, R
 * the root of D. D is isotropic: in the principal axes of H = sum over vertices of g g^T, with
 * eigenvalues h, B B^T is the diagonal (h1, h2, h3, h1 + h2, h2 + h3, h1 + h3). What is left is a
 * 3x3 matrix of the normal strains, and mu (h_i + h_j) for shear. */
#include "element/parts/element.h"

#include <math.h>

double ew_element_frequency_squared(const double *x, const double *lame, double density)
{
    static const int first[6] = {0, 1, 2, 0, 1, 0}, second[6] = {0, 1, 2, 1, 2, 2};
    double g[4][3], sum[6] = {0.0}, normal[6] = {0.0}, h[3], largest[3];
    ew_element_gradients(x, g);
    for (int i = 0; i < 24; i++) {
        sum[i % 6] += g[i / 6][first[i % 6]] * g[i / 6][second[i % 6]];
    }
    ew_principal(sum, h);
    /* R = part I + mean 1 1^T of the normal strains */
    const double part = sqrt(2.0 * lame[1]);
    const double mean = (sqrt(3.0 * lame[0] + 2.0 * lame[1]) - part) / 3.0;
    for (int i = 0; i < 18; i++) {
        const int p = first[i % 6], q = second[i % 6], k = i / 6;
        normal[i % 6] += (mean + (p == k ? part : 0.0)) * h[k] * (mean + (q == k ? part : 0.0));
    }
    ew_principal(normal, largest);
    return 4.0 / density * fmax(largest[0], lame[1] * (h[0] + h[1]));
}
