/* Private to analysis: springs on faces, as vertices and as faces gather them. */
#ifndef EW_ANALYSIS_SPRINGS_H
#define EW_ANALYSIS_SPRINGS_H

#include "analysis/parts/analysis.h"

bool ew_spring_is_on_faces(const ew_spring *spring);
/* Whether a spring on faces acts on this one, by its code. */
bool ew_spring_has_face(const ew_mesh *mesh, const ew_topology *topology, const ew_spring *spring,
                        int32_t face);
/* k [6] += a part of an area with this vector, one over n: of a foundation normal n n^T +
 * tangential (I - n n^T), else stiffness along the axes of the frame. */
void ew_spring_add_area(const ew_spring *spring, double share, const double *frame,
                        const double area[3], double n, double k[6]);
/* EW_BAD_INPUT: there are no axes at x, for it lies on that of the cylinder. what: "vertex". */
ew_status ew_spring_refuse_place(int32_t place, const char *what, int64_t id, const double x[3]);

#endif
