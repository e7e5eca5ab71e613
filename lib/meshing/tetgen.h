/* Surfaces and cavities filled with tets by TetGen. The functions are those of a library of their
 * own, edgewise_tetgen (C++; TetGen is under the AGPL), which a build without TetGen lacks. */
#ifndef EW_TETGEN_H
#define EW_TETGEN_H

#include "meshing/meshing.h"

EW_BEGIN_API

/* Fills the closed surface with tets. Triangle labels become face labels. Closed shells
 * may lie in one another: what is in an odd number of them is filled (region 1), what is in an even
 * number is a cavity, whichever way their triangles look. An
 * open, non-manifold or self-intersecting surface: EW_BAD_INPUT naming an
 * offending edge or facet. TetGen beyond its time, or a max_volume for which there are not numbers
 * enough: EW_LIMIT, beyond its memory: EW_NO_MEMORY, at once where max_volume alone tells. */
ew_status ew_tetgen_mesh(ew_mesh *mesh, const ew_surface *surface, const ew_tetgen_def *def,
                         ew_mesh_repair *repair);

/* By TetGen; def->keep_surface is taken as set. EW_BAD_INPUT where TetGen fails, else as above. */
ew_status ew_tetgen_fill(const ew_cavity *cavity, const ew_tetgen_def *def, ew_filling *filling);

EW_END_API
#endif
