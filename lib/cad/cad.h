/* cad: CAD files (STEP, IGES, BREP) filled with tets. Gmsh and OpenCASCADE run in a program of
 * their own, edgewise-gmsh, which is GPL and built with EW_WITH_GMSH: this library does not link
 * with them, and what goes wrong there ends in a message here. The one module beside results that
 * is given the name of a file. */
#ifndef EW_CAD_H
#define EW_CAD_H

#include "format/format.h"

EW_BEGIN_API

typedef enum ew_cad_algorithm { EW_CAD_HXT, EW_CAD_DELAUNAY } ew_cad_algorithm;

/* What becomes of solids that touch: one body, whose tets share the faces between them, or parts
 * with faces of their own, as contact and ties have them. Apart, solids may overlap by a tenth of
 * the smaller one, as a press fit does. */
typedef enum ew_cad_solids { EW_CAD_JOINED, EW_CAD_APART } ew_cad_solids;

/* Edges on a face, and near it. */
typedef struct ew_cad_size {
    const char *face; /* borrowed: a name, or the number of a face, from 1 */
    double size;      /* > 0 */
} ew_cad_size;

/* Parameters of meshing a CAD file. */
typedef struct ew_cad_def {
    const char *program; /* borrowed: path of edgewise-gmsh; null: looked for on the PATH */
    const char *unit; /* borrowed: of coordinates, a word of EW_CAD_UNITS, where the file says what
                         its own is (STEP, IGES); null: mm. A BREP file says nothing: as it is */
    double size;      /* edges are about so long or shorter; 0: a fifteenth of the diagonal */
    double min_size;  /* of what curvature asks for; 0: a twentieth of size */
    double curvature; /* edges around a full circle of a curved face; 0: of size alone */
    double growth;    /* of sizes, by length of distance from a face with one of its own; > 0 */
    int32_t n_size;
    const ew_cad_size *sizes; /* [n_size] borrowed */
    ew_cad_algorithm algorithm;
    ew_cad_solids solids;
    double quality; /* tets below this mean ratio are improved where Gmsh finds a way; 0.1 to 0.9 */
    int32_t order;  /* 1; 2: tets of ten nodes, whose sides are curved as the faces are */
    double sew;     /* largest gap of faces that are joined to solids where a file has none; 0: IGES
                       1e-5 of the diagonal, others are refused */
    double max_seconds, max_memory; /* limits of edgewise-gmsh, s and GiB; 0: none */
} ew_cad_def;
ew_cad_def ew_default_cad_def(void); /* HXT, quality 0.3, growth 0.3, 600 s, 16 GiB */

/* Outcome, for the report to the user. */
typedef struct ew_cad_report {
    int32_t n_solid, n_face; /* of a CAD file */
    int32_t n_named;         /* of its faces */
    int32_t n_unsure;        /* pairs of solids that stay apart, of which it is not known whether
                                they lie in one another; the first: */
    int32_t unsure[2];       /* their numbers, from 1 */
    char unit[16];           /* of lengths in the file, "mm"; empty: it says none */
    double seconds;          /* of everything */
} ew_cad_report;

/* True for names that end as CAD files do, in any case. */
bool ew_cad_reads(const char *path);

/* Every solid becomes a region, with the number of the solid in the file as its label, every face
 * that has triangles a face label, likewise; names of solids and faces become groups. Solids, or
 * faces, of one name have one label, that of the first. `mesh`: zeroed on failure; `groups`, which
 * may be null, is filled, and empty on failure; repair and report may be null. EW_IO: there is no
 * such file; EW_UNSUPPORTED: there is no program edgewise-gmsh; EW_LIMIT, EW_NO_MEMORY: it went
 * beyond its limits, or would make too many tets; else EW_BAD_INPUT. Messages do not name the
 * file. */
ew_status ew_cad_read(ew_mesh *mesh, ew_groups *groups, const char *path, const ew_cad_def *def,
                      ew_mesh_repair *repair, ew_cad_report *report);

EW_END_API
#endif
