/* What a picture of a frame shows: triangles of the boundary, curved sides in pieces, the cap of a
 * section, feature edges, values of a field. */
#ifndef EW_TOOL_LOOK_H
#define EW_TOOL_LOOK_H

#include "page.h"

/* ---- triangles (look.c) ------------------------------------------------------------------------
 */

/* A place in a tet. */
typedef struct look_point {
    int32_t tet;
    double weight[4]; /* barycentric */
} look_point;

typedef struct look {
    int32_t n_face, face_capacity, code_capacity;
    look_point *face; /* [n_face][3] owned, turned outward */
    int32_t *code;    /* [n_face] owned: 4 * tet + face of the boundary; -1: of the cap */
    int32_t n_edge, edge_capacity;
    look_point *edge; /* [n_edge][2] owned: of feature edges */
    double cap_area;
} look;
/* section: normal and offset; what lies beyond the plane, in the direction of the normal, is left
 * out and a cap closes the body. Null: the body is whole. */
ew_status look_take(const ew_view_frame *frame, const skin *body, const double *section, look *out);
void look_free(look *own);
/* Pieces along a side of a boundary face: 1 where sides are straight. */
int look_n_piece(const ew_view_frame *frame, const double *section);
/* The points of the frame whose mean with these weights a place is: 4, or 10 by the shape functions
 * of a tet of ten nodes. Returns how many. */
int look_shape(const ew_view_frame *frame, const look_point *point, int32_t row[10],
               double weight[10]);
/* Where a point is, moved by warp times the displacement [n_point][3], which may be null. */
void look_locate(const ew_view_frame *frame, const look_point *point, const double *displacement,
                 double warp, double at[3]);

/* ---- fields (look_field.c) --------------------------------------------------------------------
 */

typedef enum look_place {
    LOOK_AT_VERTICES, /* averaged */
    LOOK_AT_TETS,     /* one value a tet */
    LOOK_AT_CORNERS,  /* averaged over the tets of one material, or recovered in the tet */
    LOOK_ANYWHERE     /* the first that there is of: corners, vertices, tets */
} look_place;
#define LOOK_PLACE_NAMES "vertices tets corners"

/* A number at each vertex, tet or corner of a tet. */
typedef struct look_field {
    look_place place;        /* null field: none of the three */
    int32_t component;       /* -1: the number itself, or the length of a vector */
    const ew_view_field *of; /* borrowed from the frame; null: the frame has no such numbers */
    char title[EW_VIEW_NAME + 32]; /* for a legend */
} look_field;
/* What is shown unless something else is chosen: the first of these with numbers in the frame; the
 * last two are of envelopes. */
enum { LOOK_N_PRESET = 5 };
extern const char *const look_presets[LOOK_N_PRESET];
/* Component: from 0, or -1. name null: a preset, or none. EW_BAD_INPUT names what there is. */
ew_status look_choose_field(const ew_view_frame *frame, const char *name, look_place place,
                            int32_t component, look_field *field);
/* Whether the field is a logarithm (base 10), and the colors of small values the alarming ones, as
 * of a life. */
bool look_is_life(const look_field *field);
/* The name of component k of n of a field (-1: of itself, or its length) as a legend has it. */
bool look_has_length(const char *field, int32_t n); /* a number, or a vector of n components */
void look_write_name(const char *field, int32_t n, int32_t k, char *name, size_t size);
double look_number(const look_field *field, int32_t row); /* of a vertex or a tet */
double look_value(const look_field *field, const ew_view_frame *frame, const look_point *point);

/* The fields of a frame less those of the other, which must have the same tets (EW_BAD_INPUT names
 * both files otherwise). */
ew_status look_subtract(ew_view_frame *frame, const char *path, const ew_view_frame *other,
                        const char *other_path);
/* The unit of the field by those of the result; "": it is not known. */
void look_write_unit(const ew_result_view *view, const look_field *field, char unit[EW_UNIT_TEXT]);

/* The least and the largest of a body, where they are (a point; a tet, or -1 of what is at
 * vertices). None where there are no finite numbers: low > high. */
typedef struct look_extreme {
    double value;
    int32_t point, tet;
} look_extreme;
void look_find_extremes(const look_field *field, const ew_view_frame *frame, look_extreme *low,
                        look_extreme *high);

/* Boundary faces in triangles that share their vertices; a side of a tet of ten nodes is one of
 * several pieces. (look_surface.c) */
typedef struct look_surface {
    skin body;
    look pieces;                  /* its triangles, [n_face][3] points, without a section */
    int32_t n_vertex, n_edge;     /* edges: sides of tets, in pieces; 0: all sides of triangles */
    int32_t *triangle;            /* [pieces.n_face][3] owned: vertices */
    int32_t *vertex_point;        /* [n_vertex] owned: a corner of a triangle that is there */
    int32_t *vertex_row;          /* [n_vertex] owned: its point of the frame; -1: on a side */
    int32_t *edge, edge_capacity; /* [n_edge][2] owned: vertices */
} look_surface;
ew_status look_surface_take(const ew_view_frame *frame, look_surface *out);
void look_surface_free(look_surface *surface);

/* Whether a mask of a result (bit f of a tet, its face f; 16, the tet; at vertices 1) has a face of
 * a tet, code: 4 * tet + face, or with code -1 the tet. (look_picture.c) */
bool look_is_in_set(const ew_view_frame *frame, const ew_view_field *mask, int32_t tet,
                    int32_t code);
/* A mask, less "set_", is called as its set, but for what is no letter, digit or -. */
bool look_is_mask_of(const char *mask, const char *name);

/* ---- frames and pictures (look_mesh.c, look_picture.c) -----------------------------------------
 */

/* A mesh as a frame without an analysis: fields `quality`, `region` and ids. */
ew_status look_frame_of_mesh(const ew_mesh *mesh, ew_view_frame *frame);

/* How a frame is shown. */
typedef struct look_style {
    double from[3], up[3], warp;
    double low, high;      /* of the colors */
    const double *box;     /* as of a picture_scene */
    const double *section; /* as of look_take */
    bool has_sets;         /* faces in colors of the sets that hold them */
    const char *unit, *length_unit;
    int32_t width, height;
    int32_t n_symbol;
    const picture_symbol *symbol; /* [n_symbol] of supports and loads */
} look_style;
/* A field without numbers: gray. *cap_area: of the section. */
ew_status look_draw(const ew_view_frame *frame, const look_field *field, const look_style *style,
                    double *cap_area, ew_text *png);

/* ---- edgewise view --picture (look_options.c, look_show.c) --------------------------------- */

typedef struct look_options {
    const char *in, *picture, *field, *minus;
    bool all_frames, has_frame, has_warp, has_section, has_range, has_sets;
    int32_t frame, place, component, size[3];
    double section[4], range[2], warp, from[3], up[3];
} look_options;
enum { LOOK_N_OPTION = 14 };
look_options look_default_options(void);
/* The options that fill it. */
void look_list_options(look_options *to, tool_option list[LOOK_N_OPTION]);
/* Whether one of them is given that asks for a picture: all but `minus`, which the page has, too.
 */
bool look_is_asked(const look_options *options);
/* Draws and tells what is drawn; an exit status. */
int look_show(const look_options *options);

#endif
