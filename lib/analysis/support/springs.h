/* Private to analysis: springs on faces, as vertices and as faces gather them. */
#ifndef EW_ANALYSIS_SPRINGS_H
#define EW_ANALYSIS_SPRINGS_H

#include "analysis/parts/analysis.h"

bool ew_spring_is_on_faces(const ew_spring *spring);
/* Whether a spring on faces acts on this one, by its code. */
bool ew_spring_has_face(const ew_mesh *mesh, const ew_topology *topology, const ew_spring *spring,
                        int32_t face);
/* The next such face around a vertex, by ascending tets; -1: there is none. *at: where the search
 * is, first 0. */
int32_t ew_spring_next_face(const ew_mesh *mesh, const ew_topology *topology,
                            const ew_spring *spring, int32_t v, int32_t *at);
/* k [6] += a part of an area with this vector at x, one over n: of a foundation normal n n^T +
 * tangential (I - n n^T), else stiffness along the axes there. EW_BAD_INPUT: there are none, for x
 * lies on that of the cylinder; the message names what x is of, "vertex", by its id, and the spring
 * by its place. */
ew_status ew_spring_add_area(const ew_spring *spring, double share, int32_t place, const char *what,
                             int64_t id, const double x[3], const double area[3], double n,
                             double k[6]);

#endif
