/* Part of analysis: local axes, constraints, springs to the ground, free components. */
#ifndef EW_ANALYSIS_SUPPORTS_H
#define EW_ANALYSIS_SUPPORTS_H

#include "analysis/analysis_tets.h"

EW_BEGIN_API

/* ---- local axes (axes.c) ------------------------------------------------ */

typedef enum ew_axes_kind {
    EW_AXES_GLOBAL,  /* x, y, z */
    EW_AXES_FIXED,   /* other directions, the same everywhere */
    EW_AXES_CYLINDER /* radial, tangential, axial: by place */
} ew_axes_kind;
/* Directions of the components of a constraint, a spring or a load. Zeroed: global. */
typedef struct ew_axes {
    ew_axes_kind kind;
    double direction[9]; /* unit vectors along x', y', z', right-handed. CYLINDER: z' alone, its
                            axis, the others zero */
    double point[3];     /* CYLINDER: on its axis, length unit */
} ew_axes;
/* x' along x, y' in the plane of x and y on y's side, z' = x' x y'; of any lengths > 0.
 * EW_BAD_ARGUMENT where they lie in one line (within 1e-6 rad). */
ew_status ew_axes_from_xy(const double x[3], const double y[3], ew_axes *axes);
/* x' along the normal; y' and z' are any directions perpendicular to it. */
ew_status ew_axes_from_normal(const double normal[3], ew_axes *axes);
ew_status ew_axes_of_cylinder(const double point[3], const double direction[3], ew_axes *axes);

/* ---- constraints (constraints.c) --------------------------------------- */

/* Rows: vertices, followed by those of edges (ew_edge_rows) where requested. */
typedef struct ew_constraints {
    int32_t n_vertex, n_edge, capacity, value_capacity;
    uint8_t *fixed; /* [rows] owned, bits along x, y, z; 7 for inactive vertices and holes;
                       EW_OBLIQUE alone: one or two directions that are no axes */
    double *value;  /* [rows][3] owned: the displacement along what is prescribed, 0 across; of an
                       edge the coefficient, the displacement at its middle less the mean of its
                       ends */
    ew_oblique oblique; /* owned: those directions */
    int32_t *place;     /* [rows] owned: of a row in oblique, or -1; null: there was none */
    int32_t place_capacity, n_line, line_capacity;
    bool *has_face; /* [n_line] owned, with edges: whether a boundary face has its vertices in a
                       line's set of vertices */
    const ew_equation_list *equations; /* borrowed, or null: none. Set by hand; the checks of
                                          components count them among the supports */
    const double *spring; /* borrowed, null after a build: see ew_springs_gather; or null: none. The
                             checks and the recovery below count them among the supports */
} ew_constraints;

/* ---- springs to the ground (springs.c) ---------------------------------- */

typedef enum ew_spring_kind {
    EW_SPRING_EACH,      /* at each active vertex of the set */
    EW_SPRING_TOTAL,     /* shared, on vertices equally, on faces by area: a third of a face's share
                            at each of its vertices, on quadratic ones by the integrals of all
                            functions (ew_springs_gather_faces) */
    EW_SPRING_FOUNDATION /* per area of the faces, likewise */
} ew_spring_kind;

EW_END_API
#endif
