/* The smallest program against the installed library: every public header, one box, its
 * volume. */
#include "shape/shape.h"
#include <analysis/analysis.h>
#include <base/base.h>
#include <device/device.h>
#include <element/element.h>
#include <format/format.h>
#include <matrix/matrix.h>
#include <mesh/mesh.h>
#include <meshing/meshing.h>
#include <operation/operation.h>
#include <results/results.h>
#include <solver/solver.h>
#include <study/study.h>
#include <topology/topology.h>

#include <math.h>
#include <stdio.h>

int main(void)
{
    ew_mesh mesh = {0};
    if (ew_shape_box(&mesh, (double[]){1, 2, 3}, (int32_t[]){2, 2, 2})) {
        fprintf(stderr, "%s\n", ew_message());
        return 1;
    }
    ew_mesh_measure measure;
    ew_mesh_take_measure(&mesh, &measure);
    printf("%d tets, volume %g\n", mesh.n_live_tet, measure.volume);
    int wrong = mesh.n_live_tet != 48 || fabs(measure.volume - 6) > 1e-12;
    ew_mesh_free(&mesh);
    return wrong;
}
