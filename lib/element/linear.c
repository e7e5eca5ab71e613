/* The 4-node tet with constant strain and an isotropic law: positions and Lame constants in,
 * blocks, strain and stress out, by the formulas of kernels/tet.h. */
#include "linear.h"
#include "element/parts/element.h"

#include <string.h>

double ew_element_gradients(const double *x, double g[4][3])
{
    return ew_tet_gradients(x, g[0]);
}

void ew_element_strain(const double *x, const double *u, double *strain)
{
    double g[12];
    ew_tet_gradients(x, g);
    ew_tet_strain(g, u, strain);
}

static const double *constants(const ew_materials *materials)
{
    return materials->lame;
}

const ew_element ew_element_linear = {
    .name = "linear",
    .n_term = 14,
    .n_constant = 2,
    .has_tet_product = true,
    .constants = constants,
    .kernel = "sum_tets",
    .prepare = ew_linear_prepare,
    .add = ew_linear_add,
    .add_diagonal = ew_linear_add_diagonal,
};

static const double *deviatoric(const ew_materials *materials)
{
    return materials->deviatoric;
}

const ew_element ew_element_mixed = {
    .name = "mixed",
    .n_term = 14,
    .n_constant = 2,
    .constants = deviatoric,
    .kernel = "sum_tets",
    .prepare = ew_linear_prepare,
    .add = ew_linear_add,
    .add_diagonal = ew_linear_add_diagonal,
};
