/* format: mesh and surface files to and from memory buffers. Never touches a file. Readers
 * are safe on hostile input: whatever the bytes, they end in a mesh or in one message
 * "line L: what is wrong and what is allowed" (the caller puts the file's name in front),
 * and never allocate more than a small multiple of the bytes given. */
#ifndef EW_FORMAT_H
#define EW_FORMAT_H

#include "mesh/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ew_format {
    EW_FORMAT_UNKNOWN,
    EW_FORMAT_MEDIT,  /* .mesh, ASCII: Vertices, Triangles, Tetrahedra, other sections skipped */
    EW_FORMAT_TETGEN, /* .node with .ele and optional .face beside it */
    EW_FORMAT_OFF,    /* .off surface */
    EW_FORMAT_OBJ,    /* .obj surface; polygons are fanned */
    EW_FORMAT_STL     /* .stl surface, ASCII or binary */
} ew_format;

/* By the name's ending (.mesh .node .ele .face .off .obj .stl), any case. */
ew_format ew_format_of_name(const char *name);
bool ew_format_is_surface(ew_format format);

typedef struct ew_text {
    size_t size;
    char *data; /* owned */
} ew_text;
void ew_text_free(ew_text *text);

/* Buffers are borrowed for the call and need no terminating zero. `mend` may be null.
 * Mesh construction's own rules (ew_mesh_init) are reported with the line of the tet. */
ew_status ew_read_medit(const char *data, size_t size, ew_mesh *mesh, ew_mesh_mend *mend);
/* face may be null with size 0. Messages start with ".node", ".ele" or ".face" before the line.
 * First index 0 or 1 is told from the first .node line. A region attribute in .ele becomes the
 * region, .face markers the face labels. */
ew_status ew_read_tetgen(const char *node, size_t node_size, const char *ele, size_t ele_size,
                         const char *face, size_t face_size, ew_mesh *mesh, ew_mesh_mend *mend);
/* STL: points equal bit for bit are one vertex (welded); n_welded counts those merged. */
ew_status ew_read_surface(ew_format format, const char *data, size_t size, ew_surface *surface,
                          int32_t *n_welded);

/* Writers: live tets and active vertices only, in vertex_id order when `user_order` (the order and
 * count of the user's own file when nothing was edited), else in slot order. Doubles are printed
 * with 17 significant digits, so reading gives the same bits. */
ew_status ew_write_medit(const ew_mesh *mesh, bool user_order, ew_text *text);
ew_status ew_write_tetgen(const ew_mesh *mesh, bool user_order, ew_text *node, ew_text *ele,
                          ew_text *face);

#ifdef __cplusplus
}
#endif
#endif
