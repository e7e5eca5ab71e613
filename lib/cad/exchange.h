/* Private to cad: what edgewise-gmsh sends through its standard output, read by decode.c. Shared by
 * C and C++. The arguments of the program are KEY=VALUE, as process.c writes them. */
#ifndef EW_CAD_EXCHANGE_H
#define EW_CAD_EXCHANGE_H

#include <stdint.h>

#define EW_CAD_MAGIC 0x33646163 /* "cad3" */

enum ew_cad_code { EW_CAD_DONE, EW_CAD_BAD, EW_CAD_TOO_LARGE, EW_CAD_MEMORY };

/* First of all; then, one after the other without gaps:
 *   double xyz[n_node][3]
 *   int32 tet[n_tet][4], region[n_tet]
 *   int32 middle[n_tet][6], rows of xyz by side of the tet, if order is 2
 *   int32 face[n_face][3], label[n_face]
 *   ew_cad_group group[n_group]
 *   ew_cad_geometry geometry[n_geometry]: the faces of the file in their order, then its solids
 *   int32 listed[n_listed], rows of xyz or of tet, which groups take turns in
 *   char text[n_text]: the message where code is not EW_CAD_DONE; names, each with its zero
 * Rows of xyz from n_vertex on are middles alone. */
typedef struct ew_cad_header {
    int32_t magic, code;
    int32_t n_node, n_vertex, n_tet, order, n_face, n_group, n_listed, n_text;
    int32_t n_solid, n_cad_face, n_named;
    int32_t n_geometry;
    int32_t unit; /* of lengths in the file, where it begins in text; -1: it says none */
    int32_t n_unsure, unsure[2]; /* pairs of solids of which OpenCASCADE did not find what they
                                    share, and the first one, from 1 */
    double diagonal;             /* of the box around the part */
} ew_cad_header;

/* As an ew_geometry, whose number is its place. */
typedef struct ew_cad_geometry {
    int32_t kind, label, n_region, region[2];
    int32_t reserved;
    double size, centroid[3], direction[3], radius;
} ew_cad_geometry;

typedef struct ew_cad_group {
    int32_t kind;     /* ew_group_kind */
    int32_t is_label; /* else listed */
    int32_t label, n_listed;
    int32_t name; /* where it begins in text */
} ew_cad_group;

#endif
