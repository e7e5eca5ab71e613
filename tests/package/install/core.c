/* The smallest program against the installed core: one box, its volume. */
#include <edgewise/edgewise.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    const double size[3] = {1, 2, 3};
    const int32_t cells[3] = {2, 2, 2};
    ew_mesh mesh = {0};
    if (ew_shape_box(&mesh, size, cells)) {
        fprintf(stderr, "%s\n", ew_message());
        return 1;
    }
    ew_mesh_measure measure;
    ew_mesh_take_measure(&mesh, &measure);
    printf("%d tets, volume %g\n", mesh.n_live_tet, measure.volume);
    int wrong = mesh.n_live_tet != 48 || fabs(measure.volume - 6) > 1e-12;
    ew_mesh_free(&mesh);

    int32_t number[3];
    wrong |= strcmp(ew_version(number), EW_VERSION) != 0;
    wrong |= number[0] != EW_VERSION_MAJOR || number[1] != EW_VERSION_MINOR;
    wrong |= number[2] != EW_VERSION_PATCH;
    return wrong;
}
