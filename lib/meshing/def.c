/* Default settings of tetrahedralization, and what it fills; here, so that reading a case needs no
 * TetGen. */
#include "meshing/parts/meshing.h"

ew_tetgen_def ew_default_tetgen_def(void)
{
    return (ew_tetgen_def){.quality = 1.4,
                           .max_volume = 0,
                           .keep_surface = false,
                           .max_seconds = 600,
                           .max_memory = 16};
}

void ew_filling_free(ew_filling *filling)
{
    ew_release(filling->xyz);
    ew_release(filling->tet);
    *filling = (ew_filling){0};
}
