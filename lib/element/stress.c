/* Stress of a strain, and what is read off a stress tensor: von Mises and principal values. */
#include "stress.h"
#include "element/parts/element.h"

#include <math.h>

void ew_stress_of_strain(const double *lame, const double *strain, double *stress)
{
    ew_isotropic_stress(lame, strain, stress);
}

double ew_von_mises(const double stress[6])
{
    return sqrt(ew_von_mises_square(stress));
}

/* Smith (1961), Eigenvalues of a symmetric 3 x 3 matrix, Comm. ACM 4(4): with the mean m, the
 * deviator K, p = |K|^2 / 6 and q = det K / 2 the eigenvalues are m + 2 sqrt(p) cos(phi + 2 pi k /
 * 3), 3 phi = atan2(sqrt(p^3 - q^2), q). Divided by the largest entry first, so that no power
 * overflows; a zero deviator gives phi = 0 and three equal values. */
void ew_principal(const double stress[6], double principal[3])
{
    double mean = (stress[0] + stress[1] + stress[2]) / 3.0;
    double k[6] = {stress[0] - mean, stress[1] - mean, stress[2] - mean,
                   stress[3],        stress[4],        stress[5]};
    double scale = 0.0;
    for (int i = 0; i < 6; i++) {
        scale = fmax(scale, fabs(k[i]));
    }
    if (scale == 0.0) {
        principal[0] = principal[1] = principal[2] = mean;
        return;
    }
    for (int i = 0; i < 6; i++) {
        k[i] /= scale;
    }
    double p = (k[0] * k[0] + k[1] * k[1] + k[2] * k[2] +
                2.0 * (k[3] * k[3] + k[4] * k[4] + k[5] * k[5])) /
               6.0;
    double q = 0.5 * (k[0] * (k[1] * k[2] - k[4] * k[4]) - k[3] * (k[3] * k[2] - k[4] * k[5]) +
                      k[5] * (k[3] * k[4] - k[1] * k[5]));
    double phi = atan2(sqrt(fmax(p * p * p - q * q, 0.0)), q) / 3.0;
    double radius = scale * sqrt(p), c = cos(phi), s = sqrt(3.0) * sin(phi);
    principal[0] = mean + 2.0 * radius * c;
    principal[1] = mean - radius * (c - s);
    principal[2] = mean - radius * (c + s);
}
