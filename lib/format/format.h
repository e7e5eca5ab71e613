/* format: mesh and surface files. Formats work on memory buffers; files.c alone reads files, by the
 * ending of their names. Readers are safe on hostile input: whatever the bytes, they end in a mesh
 * or in one message "line L: what is wrong and what is allowed" (files.c puts the file's name in
 * front), and never allocate more than a small multiple of the bytes given. */
#ifndef EW_FORMAT_H
#define EW_FORMAT_H

#include "mesh/mesh.h"

EW_BEGIN_API

typedef struct ew_text {
    size_t size;
    char *data; /* owned */
} ew_text;
void ew_text_free(ew_text *text);

/* ---- named groups (groups.c) ------------------------------------------- */

typedef enum ew_group_kind { EW_GROUP_VERTICES, EW_GROUP_FACES, EW_GROUP_TETS } ew_group_kind;

/* A part of a mesh that has a name in its file, by what neither edits nor renumbering change. A
 * triangle in several groups is listed in the mesh once for each of their labels. */
typedef struct ew_group {
    char *name; /* owned: UTF-8 without control characters and blanks at its ends, never empty */
    ew_group_kind kind;
    bool is_label; /* faces: always; vertices: never; tets: all of a region, else they are listed */
    int32_t label; /* faces: face_label of the triangles; tets: label of the region */
    int32_t n_id, id_capacity;
    int64_t *id; /* [n_id] owned, ascending, once finished: vertex_ids or tet_ids */
} ew_group;

/* Shapes of faces, and solids. */
typedef enum ew_geometry_kind {
    EW_GEOMETRY_PLANE,
    EW_GEOMETRY_CYLINDER,
    EW_GEOMETRY_CONE,
    EW_GEOMETRY_SPHERE,
    EW_GEOMETRY_TORUS,
    EW_GEOMETRY_CURVED, /* any other surface: splines, several shapes under one label */
    EW_GEOMETRY_SOLID
} ew_geometry_kind;

/* A face or a solid as a CAD file has it, or as the triangles or tets of a label are. */
typedef struct ew_geometry {
    ew_geometry_kind kind;
    int32_t number; /* in a CAD file, from 1; else the label */
    int32_t label;  /* of its triangles, or of its region; faces of one name have one */
    double size;    /* area, > 0; of a solid its volume */
    double centroid[3];
    double direction[3]; /* unit length: outward normal of a plane; axis of a cylinder, cone or
                            torus, either way; else 0 */
    double radius;       /* of a cylinder, a sphere, the tube of a torus; else 0 */
    int32_t n_region;
    int32_t region[2]; /* [n_region] labels of the solids that a face bounds, at most 2 */
} ew_geometry;

enum { EW_GEOMETRY_TEXT = 320 }; /* bytes of what is written of one at most, the zero included */

/* Zeroed: not known. */
typedef struct ew_geometry_list {
    int32_t n, capacity;
    ew_geometry *of;             /* [n] owned: faces in the order of their numbers, then solids */
    double diagonal;             /* of the box around the body, length */
    int32_t n_unsure, unsure[2]; /* as of ew_cad_report */
} ew_geometry_list;

/* Zeroed: none. Names are unique among those of a kind. */
typedef struct ew_groups {
    int32_t n, capacity;
    ew_group *group;           /* [n] owned, in the order of the file */
    ew_map place;              /* private: of names */
    ew_geometry_list geometry; /* owned: of labels, as a CAD file has it; else as measured */
} ew_groups;

/* The group of this kind and name, or null. Names are compared byte by byte. */
const ew_group *ew_groups_find(const ew_groups *groups, ew_group_kind kind, const char *name);
void ew_groups_free(ew_groups *groups);

/* ---- surfaces to be shown (polygons.c) --------------------------------- */

/* A line of the file that says something of the faces behind it: "g arm", "usemtl skin". */
typedef struct ew_polygon_line {
    int32_t face;  /* it stands before this one; n_face: behind the last */
    int32_t begin; /* of its text, which ends with a zero */
} ew_polygon_line;

/* A surface with all that a picture of it needs, so that it can be written again deformed. */
typedef struct ew_polygons {
    ew_surface surface; /* owned: the vertices, and the faces as triangles, fanned */
    int32_t n_face, n_corner;
    int32_t *begin;   /* [n_face + 1] owned: corners of a face, in order */
    int32_t *vertex;  /* [n_corner] owned */
    int32_t *texture; /* [n_corner] owned: row of uvw, or -1 */
    int32_t *normal;  /* [n_corner] owned: corners with the same number have the same normal: those
                         of a vertex that had one normal in the file */
    int32_t n_normal;
    int32_t n_texture, texture_width; /* width: coordinates that the file gives, 0 to 3 */
    double *uvw;                      /* [n_texture][3] owned */
    int32_t n_line;
    ew_polygon_line *line; /* [n_line] owned, in the order of the file */
    size_t text_size;
    char *text; /* [text_size] owned */
} ew_polygons;

/* ---- formats by table (table.c) ---------------------------------------- */

/* The bytes of a file that is read; no terminating zero is needed. */
typedef struct ew_bytes {
    const char *data; /* [size] borrowed; null: there is no such file */
    size_t size;
} ew_bytes;

/* Source of a mesh that is read. */
typedef struct ew_mesh_input {
    const ew_bytes *file; /* the format's [n_file] */
    void *user;
    /* A file that the file includes, by the name that stands there; null: that is refused. Of
     * "FILE.h5:/PATH" (XDMF) the numbers of this dataset of an HDF5 file, as doubles. */
    ew_status (*open)(void *user, const char *name, ew_text *text);
} ew_mesh_input;

/* Values of tets in a file, in the order of the mesh read from it. */
typedef struct ew_cell_array {
    int32_t n_tet, width; /* numbers of a tet */
    double *value;        /* [n_tet][width] owned (ew_release) */
} ew_cell_array;

/* A format. Functions are null where it does not hold such things or cannot be written. Those of
 * the table are called through ew_format_read_mesh and its like, which say what each argument
 * means. A new one is a file with its descriptor and a line of the table. */
typedef struct ew_format {
    const char *name;    /* "MEDIT" */
    const char *holds;   /* for help: "vertices, triangles, tetrahedra" */
    const char *endings; /* of file names: lower case, with the dot, separated by spaces */
    int32_t n_file;      /* files of one mesh, named by the first n_file endings in this order;
                            1: one file with any of the endings */
    int32_t n_needed;    /* of them, from the first on, are needed to read a mesh */
    ew_status (*read_mesh)(const ew_mesh_input *input, ew_mesh *mesh, ew_mesh_repair *repair,
                           ew_groups *groups);
    ew_status (*read_cells)(const ew_bytes *file, const char *name, ew_cell_array *cells);
    ew_status (*read_surface)(const ew_bytes *file, ew_surface *surface, int32_t *n_welded,
                              ew_groups *groups);
    ew_status (*write_mesh)(const ew_mesh *mesh, const ew_groups *groups, bool user_order,
                            ew_text *file);
    bool writes_groups;  /* else names are lost in what is written */
    bool writes_middles; /* tets of ten nodes, where the mesh was given with such; else curved sides
                            are lost but for what the comment keeps */
    /* Before, at each line of, and behind a comment that ends the first file, where slots and ids
     * stand that a mesh keeps, and curved sides that the format lacks; null: they are lost in what
     * is written. */
    const char *comment[3];
    /* Null where faces are triangles without texture coordinates. */
    ew_status (*read_polygons)(const ew_bytes *file, ew_polygons *polygons);
} ew_format;

/* By the name's ending, any case; null when no format has it. */
const ew_format *ew_format_of_name(const char *name);

/* In these and in those of format/parts/format.h the `file` are the format's [n_file]; a format
 * that is null or lacks the function is EW_UNSUPPORTED.
 * `repair`, `n_welded` and `groups` may be null; what is read is untouched on failure, and a format
 * without names leaves `groups` zeroed. */
ew_status ew_format_read_mesh(const ew_format *format, const ew_mesh_input *input, ew_mesh *mesh,
                              ew_mesh_repair *repair, ew_groups *groups);
/* user_order as below; with it, a mesh that keeps its slots is read back as it is, ids and all.
 * groups: null is none; see writes_groups. */
ew_status ew_format_write_mesh(const ew_format *format, const ew_mesh *mesh,
                               const ew_groups *groups, bool user_order, ew_text *file);

/* ---- files by the ending of their names (files.c) ---------------------- */

/* How the files of a mesh are read, for programs that keep them elsewhere, or read HDF5. */
typedef struct ew_file_reader {
    void *user;
    /* All of a file; of "FILE.h5:/PATH" the numbers of this dataset as doubles. Null: from the
     * file system, without HDF5. ew_hdf5_read_file of the study library reads both. */
    ew_status (*read)(void *user, const char *path, ew_text *text);
} ew_file_reader;

/* A mesh of tets from a file of any format of the table, by its ending: the files that belong to it
 * (TetGen) and that it includes (Abaqus, XDMF) are read, too. reader, repair and groups may be
 * null. What is read is untouched on failure. EW_BAD_INPUT: the ending is unknown, that of a
 * surface, or the bytes break a rule of the format, with file_line where that is known. EW_IO: a
 * file cannot be read. Messages begin with the path. CAD files: ew_cad_read; MED, XDMF with its
 * numbers in HDF5: ew_mesh_read_any of the study library, which reads all of them. */
ew_status ew_mesh_read(const char *path, const ew_file_reader *reader, ew_mesh *mesh,
                       ew_mesh_repair *repair, ew_groups *groups);
/* Likewise a surface. n_welded: points that were merged with equal ones, where the format repeats
 * them (STL); groups: names of labels of its triangles. Both may be null. */
ew_status ew_surface_read(const char *path, ew_surface *surface, int32_t *n_welded,
                          ew_groups *groups);

EW_END_API
#endif
