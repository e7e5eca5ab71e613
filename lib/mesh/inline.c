/* Symbols of the inline functions of mesh.h, for callers that cannot compile C. */
#include "mesh/parts/mesh.h"

extern inline bool ew_mesh_tet_is_live(const ew_mesh *mesh, int32_t t);
extern inline bool ew_mesh_vertex_is_active(const ew_mesh *mesh, int32_t v);
extern inline void ew_mesh_tet_values(const ew_mesh *mesh, int32_t t, const double *array,
                                      double *value);
extern inline int32_t ew_face_side(const int32_t tet[4], int face);
extern inline bool ew_mesh_face_is_kept(const ew_mesh *mesh, int32_t f);
extern inline int32_t ew_new_vertex(int32_t k);
extern inline double ew_edit_fraction(const ew_edit *edit, int32_t k);
extern inline double ew_change_fraction(const ew_change *change, int32_t k);
