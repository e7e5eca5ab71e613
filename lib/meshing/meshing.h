/* meshing: TetGen (surface to tets) and METIS (partitions); ordering for locality. */
#ifndef EW_MESHING_H
#define EW_MESHING_H

#include "mesh/mesh.h"
#include "topology/topology.h"

EW_BEGIN_API

/* Settings of tetrahedralization; 0 means TetGen's own default or no bound. */
typedef struct ew_tetgen_def {
    double quality;     /* largest radius-edge ratio of a tet, >= 1; 0: 2.0. A few tets exceed it
                           where TetGen removes slivers last */
    double max_volume;  /* largest volume of a tet, length^3; 0: no bound */
    bool keep_surface;  /* do not split the input's triangles (TetGen -Y); tets at the surface may
                           then exceed both bounds */
    double max_seconds; /* TetGen is stopped after this time; 0: never. It need not end on surfaces
                           that cross themselves or are nearly flat */
    double max_memory;  /* GiB that TetGen may take; 0: no bound */
} ew_tetgen_def;
ew_tetgen_def ew_default_tetgen_def(void);

/* A cavity to fill with tets, with a fixed surface. All borrowed. */
typedef struct ew_cavity {
    int32_t n_vertex;
    const double *xyz; /* [n_vertex][3]: of the triangles; others become vertices inside */
    int32_t n_triangle;
    const int32_t *triangle; /* [n_triangle + n_inner][3]: closed, looking outwards; edges may have
                                more than two. Then those inside that stay faces of tets */
    int32_t n_inner;
} ew_cavity;

/* Zeroed is empty. */
typedef struct ew_filling {
    int32_t n_vertex;
    double *xyz; /* [n_vertex][3] owned, those of the cavity first */
    int32_t n_tet;
    int32_t *tet; /* [n_tet][4] owned, as they come: of either hand */
} ew_filling;

/* Who fills cavities: ew_tetgen_fill (tetgen.h), or one of a program's own. The caller checks what
 * it gets. */
typedef ew_status (*ew_fill_function)(const ew_cavity *cavity, const ew_tetgen_def *def,
                                      ew_filling *filling);

EW_END_API
#endif
