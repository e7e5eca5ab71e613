/* Local numbers of the faces and edges of a tet. */
#include "mesh/parts/mesh.h"

const int8_t ew_face_vertex[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
const int8_t ew_edge_vertex[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
