/* Kinds of loads, private to analysis: a descriptor each, which says what the kind acts on, how its
 * share is found and what it gives to a vertex. Everything is gathered by vertex, from mesh, tables
 * and the share alone. */
#ifndef EW_ANALYSIS_LOAD_TYPE_H
#define EW_ANALYSIS_LOAD_TYPE_H

#include "analysis/load/curved_face.h"
#include "analysis/parts/analysis.h"

typedef struct ew_load_context {
    const ew_mesh *mesh;
    const ew_topology *topology;
    const ew_materials *materials;
    bool lumped;      /* forces on mass act on the lumped mass of quadratic tets */
    const char *name; /* for messages of `check`: of the kind of load */
} ew_load_context;

/* A point of a face, and what part of the face it stands for. */
typedef struct ew_face_part {
    int32_t face;               /* code */
    double l[3], x[3], area[3]; /* barycentric coordinates, place, area vector (outward) */
} ew_face_part;

typedef struct ew_load_type {
    ew_load_traits traits;
    /* Refuses what the kind cannot do (EW_BAD_INPUT, "load PLACE (NAME): ...") and fills the share,
     * which comes as {.factor = 1}. The load's set suits the kind; its numbers are finite. */
    ew_status (*check)(const ew_load_context *in, const ew_load *load, int32_t place,
                       ew_load_share *share);
    /* f [3] += what the load gives to a vertex: directly; from one of its faces, of which it is
     * corner 0..2; from one of its tets, of which it is corner 0..3. A kind has those that it
     * needs: on_face where it acts on faces, else one of the others. */
    void (*on_vertex)(const ew_load_context *in, const ew_load *load, const ew_load_share *share,
                      int32_t vertex, double *f);
    void (*on_face)(const ew_load_context *in, const ew_load *load, const ew_load_share *share,
                    int32_t face, int corner, double *f);
    void (*on_tet)(const ew_load_context *in, const ew_load *load, const ew_load_share *share,
                   int32_t tet, int corner, double *f);
    /* f [3] += what it gives to the function of an edge (quadratic tets) from one of its tets, by
     * the local places of its ends; null: a body force linear in the tet, known by on_tet. */
    void (*on_edge)(const ew_load_context *in, const ew_load *load, const ew_load_share *share,
                    int32_t tet, const int place[2], double *f);
    /* f [3] += what a kind known by on_vertex gives to the function of an edge (vertex slots);
     * null: nothing. */
    void (*on_middle)(const ew_load_context *in, const ew_load *load, const int32_t end[2],
                      double *f);
    /* The force at a point of a curved face, or at a point x of a curved tet with this share of its
     * volume. A kind with on_face has the first. */
    void (*at_face)(const ew_load_context *in, const ew_load *load, const ew_load_share *share,
                    const ew_face_part *part, double force[3]);
    void (*in_tet)(const ew_load_context *in, const ew_load *load, int32_t tet, const double x[3],
                   double volume, double force[3]);
} ew_load_type;

extern const ew_load_type ew_load_type_gravity, ew_load_type_centrifugal; /* load_mass.c */
extern const ew_load_type ew_load_type_force, ew_load_type_own,
    ew_load_type_field;                                                    /* load_vertices.c */
extern const ew_load_type ew_load_type_force_on_nodes;                     /* load_nodes.c */
extern const ew_load_type ew_load_type_total_force, ew_load_type_traction; /* load_traction.c */
extern const ew_load_type ew_load_type_moment, ew_load_type_remote_force;  /* load_moment.c */
extern const ew_load_type ew_load_type_pressure;                           /* load_pressure.c */
extern const ew_load_type ew_load_type_bearing;                            /* load_bearing.c */
extern const ew_load_type ew_load_type_temperature;                        /* load_temperature.c */

/* load_curved.c: what a load of the type gives to corners, q [4][3] or [3][3], and edges, f [6][3],
 * of a tet or a face (code) that is curved; both start from zero. False: it is straight. An edge of
 * a face is where the tet has it. */
bool ew_load_on_curved_tet(const ew_load_type *type, const ew_load_context *in, const ew_load *load,
                           int32_t tet, double *q, double *f);
bool ew_load_on_curved_face(const ew_load_type *type, const ew_load_context *in,
                            const ew_load *load, const ew_load_share *share, int32_t face,
                            double *q, double *f);
/* Area of a curved face, and its first moment; false: it is straight. */
bool ew_load_curved_area(const ew_load *load, const ew_mesh *mesh, int32_t face, double *area,
                         double first[3]);
/* The places and area vectors of a face's parts, as loads see them: one of a straight face, of a
 * curved one its points. Returns how many. */
int ew_load_face_parts(const ew_load *load, const ew_mesh *mesh, int32_t face,
                       double x[EW_FACE_POINTS][3], double area[EW_FACE_POINTS][3]);
/* Place among a tet's edges of that between two of its corners. */
static inline int ew_edge_between(const int place[2])
{
    const int low = place[0] < place[1] ? place[0] : place[1];
    return low == 0 ? place[0] + place[1] - 1 : place[0] + place[1];
}

/* The descriptor of a kind that there is. (loads.c) */
const ew_load_type *ew_load_type_of(ew_load_kind kind);

/* Whether the load acts on faces: its set is of faces, or of vertices and the kind acts through the
 * boundary faces with all three vertices in it. */
static inline bool ew_load_is_on_faces(const ew_load *load, const ew_load_traits *traits)
{
    return load->face || (load->vertex && traits->by_face);
}

/* load_faces.c */
/* Whether a load on faces acts on this one. */
bool ew_load_has_face(const ew_load_context *in, const ew_load *load, int32_t face);
/* Calls visit for every face of the load in a fixed order: ascending slots of a set of faces; of a
 * set of vertices each at its lowest vertex, ascending, then by tet. Stops where it returns false.
 */
void ew_load_visit_faces(const ew_load_context *in, const ew_load *load,
                         bool (*visit)(void *user, const ew_mesh *mesh, int32_t face), void *user);
/* EW_BAD_INPUT when the load has no face, or its vertices have none between them. */
ew_status ew_load_need_faces(const ew_load_context *in, const ew_load *load, int32_t place);
/* The same, and EW_BAD_INPUT when the field of the load has a value on them, [n_vertex][width],
 * that is not finite. */
ew_status ew_load_need_values(const ew_load_context *in, const ew_load *load, int32_t place,
                              int width);
/* The area of all faces, and its centroid; the same refusals. */
ew_status ew_load_area(const ew_load_context *in, const ew_load *load, int32_t place, double *area,
                       double center[3]);
/* x [3][3]: positions of a face's corners, relative to an origin. */
void ew_load_face_corners(const ew_mesh *mesh, int32_t face, const double origin[3],
                          double x[3][3]);

/* load_vertices.c */
/* The vector of the load at a vertex, along x, y, z. */
void ew_load_vector_at(const ew_mesh *mesh, const ew_load *load, int32_t vertex, double out[3]);
void ew_load_vector_at_place(const ew_load *load, const double x[3], double out[3]);
/* EW_BAD_INPUT when no vertex of the set is in the body; their number. */
ew_status ew_load_count_vertices(const ew_load_context *in, const ew_load *load, int32_t place,
                                 int32_t *n);

/* load_pressure.c: mean over a face of the pressure times the function of each corner; and the
 * pressure at the points of ew_face_rule, value [EW_FACE_POINTS]. */
void ew_load_pressure_means(const ew_mesh *mesh, const ew_load *load, int32_t face, double mean[3]);
void ew_load_pressure_at_points(const ew_mesh *mesh, const ew_load *load, int32_t face,
                                double *value);

/* load_mass.c: tets of the load without a constant that it needs. `has`: whether a material
 * has it; name: "density". */
ew_status ew_load_need_constant(const ew_load_context *in, const ew_load *load, int32_t place,
                                bool (*has)(const ew_material *material), const char *name);

/* load_moment.c: x of the symmetric positive definite a (xx yy zz xy yz xz) times x = b, by
 * Cholesky, once refined; false where a is singular to within 1e-12 of its largest eigenvalue. */
bool ew_load_solve(const double a[6], const double b[3], double x[3]);

static inline void ew_load_cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}
static inline double ew_load_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

#endif
