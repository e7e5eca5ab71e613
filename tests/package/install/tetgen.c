/* TetGen against the installed library: a surface without triangles is refused. */
#include <edgewise/edgewise.h>
#include <edgewise/tetgen.h>

#include <stdio.h>

int main(void)
{
    ew_surface surface = {0};
    ew_mesh mesh = {0};
    const ew_tetgen_def def = ew_default_tetgen_def();
    const ew_status status = ew_tetgen_mesh(&mesh, &surface, &def, NULL);
    printf("%s\n", ew_message());
    return status == EW_OK;
}
