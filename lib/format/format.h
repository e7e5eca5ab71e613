/* format: mesh and surface files to and from memory buffers. Never touches a file. Readers
 * are safe on hostile input: whatever the bytes, they end in a mesh or in one message
 * "line L: what is wrong and what is allowed" (the caller puts the file's name in front),
 * and never allocate more than a small multiple of the bytes given. */
#ifndef EW_FORMAT_H
#define EW_FORMAT_H

#include "mesh/mesh.h"

EW_BEGIN_API

typedef struct ew_text {
    size_t size;
    char *data; /* owned */
} ew_text;
void ew_text_free(ew_text *text);

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
void ew_polygons_free(ew_polygons *polygons);
/* Unit normals [n_normal][3] of the faces as they stand with the vertices at xyz [n_vertex][3]:
 * those around a vertex averaged by area; (0, 0, 0) where there is no area. has [n_vertex]: faces
 * with a vertex that is false are passed over; null: all count. */
void ew_polygons_normals(const ew_polygons *polygons, const double *xyz, const bool *has,
                         double *normal);
/* What is written: the surface with its vertices at xyz; faces with a vertex that `has` denies are
 * left out, vertices keep their numbers. comment: one line, or null. */
typedef struct ew_polygon_frame {
    const ew_polygons *polygons;
    const double *xyz; /* [n_vertex][3] */
    const bool *has;   /* [n_vertex] or null */
    const char *name, *comment;
} ew_polygon_frame;
/* Wavefront OBJ: vertices, texture coordinates, normals, faces, the kept lines. (obj_write.c) */
ew_status ew_write_obj(const ew_polygon_frame *frame, ew_text *text);
/* A RenderMan Interface archive (RI 3.2): a PointsPolygons for each run of faces between kept
 * lines, with P, N and, where all its corners have them, st. (rib.c) */
ew_status ew_write_rib(const ew_polygon_frame *frame, ew_text *text);

/* ---- formats by table (table.c) ---------------------------------------- */

/* The bytes of a file that is read; no terminating zero is needed. */
typedef struct ew_bytes {
    const char *data; /* [size] borrowed; null: there is no such file */
    size_t size;
} ew_bytes;

/* A format. Functions are null where it does not hold such things or cannot be written. Those of
 * the table are called through ew_read_mesh, ew_read_surface and ew_write_mesh below, which say
 * what each argument means. A new one is a file with its descriptor and a line of the table. */
#define EW_FORMAT_MAX_FILES 3
typedef struct ew_format {
    const char *name;    /* "MEDIT" */
    const char *holds;   /* for help: "vertices, triangles, tetrahedra" */
    const char *endings; /* of file names: lower case, with the dot, separated by spaces */
    int32_t n_file;      /* files of one mesh, named by the first n_file endings in this order;
                            1: one file with any of the endings */
    int32_t n_needed;    /* of them, from the first on, are needed to read a mesh */
    ew_status (*read_mesh)(const ew_bytes *file, ew_mesh *mesh, ew_mesh_repair *repair);
    ew_status (*read_surface)(const ew_bytes *file, ew_surface *surface, int32_t *n_welded);
    ew_status (*write_mesh)(const ew_mesh *mesh, bool user_order, ew_text *file);
    /* Null where faces are triangles without texture coordinates. */
    ew_status (*read_polygons)(const ew_bytes *file, ew_polygons *polygons);
} ew_format;

/* The i-th format, in the order of the table; null beyond the last. */
const ew_format *ew_format_at(int32_t i);
/* By the name's ending, any case; null when no format has it. */
const ew_format *ew_format_of_name(const char *name);

/* In all three the `file` are the format's [n_file], null or without a function: EW_UNSUPPORTED.
 * `repair` and `n_welded` may be null. */
ew_status ew_read_mesh(const ew_format *format, const ew_bytes *file, ew_mesh *mesh,
                       ew_mesh_repair *repair);
/* n_welded: points that were merged with equal ones, where the format repeats them (STL). */
ew_status ew_read_surface(const ew_format *format, const ew_bytes *file, ew_surface *surface,
                          int32_t *n_welded);
/* Of any format that holds a surface; `polygons`: untouched on failure. */
ew_status ew_read_polygons(const ew_format *format, const ew_bytes *file, ew_polygons *polygons,
                           int32_t *n_welded);
/* user_order as below. */
ew_status ew_write_mesh(const ew_format *format, const ew_mesh *mesh, bool user_order,
                        ew_text *file);

/* ---- MEDIT and TetGen -------------------------------------------------- */

/* Buffers are borrowed for the call and need no terminating zero. `repair` may be null.
 * MEDIT: ASCII; Vertices, Triangles, Tetrahedra, other sections are passed over.
 * Mesh construction's own rules (ew_mesh_init) are reported with the line of the tet. */
ew_status ew_read_medit(const char *data, size_t size, ew_mesh *mesh, ew_mesh_repair *repair);
/* face may be null with size 0. Messages start with ".node", ".ele" or ".face" before the line.
 * First index 0 or 1 follows from the first .node line. A region attribute in .ele becomes the
 * region, .face markers the face labels. */
ew_status ew_read_tetgen(const char *node, size_t node_size, const char *ele, size_t ele_size,
                         const char *face, size_t face_size, ew_mesh *mesh, ew_mesh_repair *repair);
/* Writers: live tets and active vertices only, in vertex_id order when `user_order` (the order and
 * count of the user's own file when nothing was edited), else in slot order. Doubles are printed
 * with 17 significant digits, so reading gives the same bits. */
ew_status ew_write_medit(const ew_mesh *mesh, bool user_order, ew_text *text);
ew_status ew_write_tetgen(const ew_mesh *mesh, bool user_order, ew_text *node, ew_text *ele,
                          ew_text *face);

EW_END_API
#endif
