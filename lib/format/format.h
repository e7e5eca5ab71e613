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

/* ---- named groups (groups.c) ------------------------------------------- */

typedef enum ew_group_kind { EW_GROUP_VERTICES, EW_GROUP_FACES, EW_GROUP_TETS } ew_group_kind;
const char *ew_group_kind_name(ew_group_kind kind); /* "vertices" */

#define EW_GROUP_NAME 256 /* bytes of a name at most, the zero included */

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

/* Zeroed: none. Names are unique among those of a kind. */
typedef struct ew_groups {
    int32_t n, capacity;
    ew_group *group; /* [n] owned, in the order of the file */
    ew_map place;    /* private: of names */
} ew_groups;

/* The group of this kind and name, or null. Names are compared byte by byte. */
const ew_group *ew_groups_find(const ew_groups *groups, ew_group_kind kind, const char *name);
/* What it is of a mesh: by label, or by ids, which are borrowed. */
ew_selector ew_group_selector(const ew_group *group);
/* The name of a label of faces or tets, or null. */
const char *ew_groups_label_name(const ew_groups *groups, ew_group_kind kind, int32_t label);
/* Names a label of faces or tets, whether it occurs or not. EW_BAD_INPUT: the kind has the name
 * already, or nothing is left of it when it is cleaned as below. */
ew_status ew_groups_name_label(ew_groups *groups, ew_group_kind kind, int32_t label,
                               const char *name);
/* A list of vertices or tets, empty as yet; *group is borrowed until the next group is added. */
ew_status ew_groups_add_list(ew_groups *groups, ew_group_kind kind, const char *name,
                             ew_group **group);
ew_status ew_group_push(ew_group *group, int64_t id);
/* Sorts the lists; ids that are listed twice go, and those that the mesh has not: nodes that belong
 * to no tet, middles of sides. */
ew_status ew_groups_finish(ew_groups *groups, const ew_mesh *mesh);
/* A label, at least 1, that no labeled triangle (no region) has and that names nothing. */
int32_t ew_groups_free_label(const ew_groups *groups, const ew_mesh *mesh, ew_group_kind kind);
/* What becomes of a name: blanks at its ends go, control characters are '_', bytes that are no
 * UTF-8 '?', and what is too long is cut. */
void ew_group_clean_name(const char *name, char clean[EW_GROUP_NAME]);
/* `copy`: zeroed or uninitialized; untouched on failure. */
ew_status ew_groups_copy(ew_groups *copy, const ew_groups *groups);
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

/* What a mesh is read from. */
typedef struct ew_mesh_input {
    const ew_bytes *file; /* the format's [n_file] */
    void *user;
    /* A file that the file includes, by the name that stands there; null: that is refused. Of
     * "FILE.h5:/PATH" (XDMF) the numbers of this dataset of an HDF5 file, as doubles. */
    ew_status (*open)(void *user, const char *name, ew_text *text);
} ew_mesh_input;

/* What a file says of tets, in the order of the mesh that is read from it. */
typedef struct ew_cell_array {
    int32_t n_tet, width; /* numbers of a tet */
    double *value;        /* [n_tet][width] owned (ew_release) */
} ew_cell_array;

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

/* The i-th format, in the order of the table; null beyond the last. */
const ew_format *ew_format_at(int32_t i);
/* By the name's ending, any case; null when no format has it. */
const ew_format *ew_format_of_name(const char *name);

/* In all of these the `file` are the format's [n_file], null or without a function: EW_UNSUPPORTED.
 * `repair`, `n_welded` and `groups` may be null; what is read is untouched on failure, and a format
 * without names leaves `groups` zeroed. */
ew_status ew_read_mesh(const ew_format *format, const ew_mesh_input *input, ew_mesh *mesh,
                       ew_mesh_repair *repair, ew_groups *groups);
/* An array of cells by its name; EW_BAD_INPUT: there is none. */
ew_status ew_read_cells(const ew_format *format, const ew_bytes *file, const char *name,
                        ew_cell_array *cells);
/* n_welded: points that were merged with equal ones, where the format repeats them (STL). groups:
 * names of labels of its triangles. */
ew_status ew_read_surface(const ew_format *format, const ew_bytes *file, ew_surface *surface,
                          int32_t *n_welded, ew_groups *groups);
/* Of any format that holds a surface; `polygons`: untouched on failure. */
ew_status ew_read_polygons(const ew_format *format, const ew_bytes *file, ew_polygons *polygons,
                           int32_t *n_welded);
/* user_order as below; with it, a mesh that keeps its slots is read back as it is, ids and all.
 * groups: null is none; see writes_groups. */
ew_status ew_write_mesh(const ew_format *format, const ew_mesh *mesh, const ew_groups *groups,
                        bool user_order, ew_text *file);

/* ---- keyword decks of Abaqus and CalculiX (deck.c, inp*.c) ------------- */

/* A keyword line: "*SOLID SECTION, ELSET=part, MATERIAL=steel". Texts are offsets into
 * ew_deck.word.
 */
typedef struct ew_deck_card {
    int32_t file, line;             /* line from 1 */
    int32_t scope;                  /* 1 + row of ew_deck.instance whose part it is; 0: of none */
    bool is_repeated;               /* its part is placed before, too */
    bool is_welded;                 /* *TIE: its surfaces share their nodes; see weld_ties */
    int32_t name;                   /* offset: upper case, without blanks, "SOLIDSECTION" */
    int32_t parameter, n_parameter; /* rows of ew_deck.parameter */
    int32_t piece, n_piece;         /* of its data: rows of ew_deck.piece */
} ew_deck_card;
/* A part in its place: x = turn (x of the part) + shift. */
typedef struct ew_deck_instance {
    int32_t name; /* offset */
    double turn[3][3], shift[3];
} ew_deck_instance;
typedef struct ew_deck_piece {
    int32_t file, line; /* of its begin */
    const char *begin, *end;
} ew_deck_piece;
typedef struct ew_deck_file {
    char *name;   /* owned; "" of the deck itself */
    ew_text text; /* owned; of the deck itself empty, its bytes are the caller's */
    const char *data;
    size_t size;
} ew_deck_file;

typedef enum ew_deck_kind { EW_DECK_TET, EW_DECK_FACE, EW_DECK_OTHER } ew_deck_kind;
typedef struct ew_deck_element {
    int64_t number; /* see ew_deck.node */
    ew_deck_kind kind;
    int32_t index; /* tet_id; row of ew_deck.triangle; of others of ew_deck.other */
    int32_t card;  /* that it stands behind */
    int32_t file, line;
} ew_deck_element;
typedef struct ew_deck_set {
    int32_t name; /* offset, as it is written first */
    bool of_elements;
    int32_t scope;  /* of its name, as of a card */
    int32_t card;   /* that begins it */
    bool is_region; /* a section makes it a region, */
    int32_t region; /* with this label */
    ew_list member; /* owned: nodes by vertex_id, elements by row; ascending, each once */
} ew_deck_set;

/* A deck with its includes. Zeroed is empty. */
typedef struct ew_deck {
    int32_t n_file, file_capacity, n_card, card_capacity, n_piece, piece_capacity, n_parameter,
        parameter_capacity, n_word, word_capacity;
    ew_deck_file *file; /* owned, likewise below */
    ew_deck_card *card;
    ew_deck_piece *piece;
    int32_t (*parameter)[2]; /* offsets: key in upper case without blanks; value, "" where there is
                                none */
    char *word;
    /* filled by ew_deck_mesh: */
    int32_t n_instance, instance_capacity, n_node, node_capacity, n_element, element_capacity,
        n_set, set_capacity, n_triangle, triangle_capacity, n_other, other_capacity;
    /* Set before ew_deck_mesh: nodes of the first surface of a *TIE that all lie on nodes of the
     * second become these. */
    bool weld_ties;
    int32_t *same; /* [n_node] rows of what nodes became; null: themselves */
    ew_deck_instance *instance;
    int64_t *node; /* [n_node] by vertex_id: numbers in the deck, scope * 2^32 added */
    double *xyz;                            /* [n_node][3], middles of sides included */
    int32_t *by_number, *element_by_number; /* [n_node], [n_element] rows, ascending numbers */
    ew_deck_element *element;
    int32_t (*tet)[4];      /* corners by vertex_id, in the order of the deck, by tet_id */
    int32_t (*middle)[6];   /* by tet_id: nodes in the middle of sides 01 02 03 12 13 23, or -1 */
    int32_t (*triangle)[3]; /* nodes of shells, by vertex_id */
    int32_t *other; /* nodes of all else, one list behind the other, each with its length first */
    ew_deck_set *set;
} ew_deck;

/* Splits a deck into cards. Its bytes are borrowed until it is freed. EW_BAD_INPUT names the line,
 * of an included file with its name. */
ew_status ew_deck_read(const ew_mesh_input *input, ew_deck *deck);
void ew_deck_free(ew_deck *deck);
/* Nodes, elements and sets, and the mesh of its tets; `groups` as of ew_read_mesh. Solid sections
 * are regions, in their order from 1; without any the sets of *ELEMENT cards are, without those
 * *ELSETs that every tet is in one of. */
ew_status ew_deck_mesh(ew_deck *deck, ew_mesh *mesh, ew_mesh_repair *repair, ew_groups *groups);

static inline const char *ew_deck_name(const ew_deck *deck, const ew_deck_card *card)
{
    return deck->word + card->name;
}
/* The value of a parameter, "" where it has none; null: the card lacks it. */
const char *ew_deck_parameter(const ew_deck *deck, const ew_deck_card *card, const char *key);
/* The key of the first parameter from row *at on, 0 at first, that is none of `known`, words with
 * blanks between; null: there is none. */
const char *ew_deck_unknown(const ew_deck *deck, const ew_deck_card *card, const char *known,
                            int32_t *at);
/* EW_BAD_INPUT at a line of a file of the deck. */
EW_PRINTF(4, 5)
ew_status ew_deck_fail(const ew_deck *deck, int32_t file, int32_t line, const char *format, ...);

/* Fields of the data lines of a card, one by one: between commas, without blanks and quotes around
 * them. */
typedef struct ew_deck_cursor {
    const ew_deck *deck;
    int32_t piece, end_piece;
    const char *at; /* null: at the begin of the piece */
    int32_t line;
    bool has_comma, in_line; /* behind the field before; further fields of its line follow */
} ew_deck_cursor;
typedef struct ew_deck_field {
    const char *text; /* [size], borrowed */
    int32_t size;
    int32_t file, line;
    bool begins;    /* it is the first of its line */
    bool continues; /* likewise, and the line before ended with a comma */
} ew_deck_field;
ew_deck_cursor ew_deck_data(const ew_deck *deck, const ew_deck_card *card);
bool ew_deck_next(ew_deck_cursor *cursor, ew_deck_field *field);
/* Whether the field is that word, in any case. */
bool ew_deck_is(const ew_deck_field *field, const char *word);
/* A number of the field; `what` names it in the message. */
ew_status ew_deck_int(const ew_deck *deck, const ew_deck_field *field, const char *what,
                      int64_t *value);
ew_status ew_deck_real(const ew_deck *deck, const ew_deck_field *field, const char *what,
                       double *value);
bool ew_deck_is_number(const ew_deck_field *field);

/* Rows by the deck's numbers, or -1; a set by its name in any case, or null. As a card of this
 * scope means them: what is not in scope 0 is looked for in the only instance, too. */
int32_t ew_deck_find_node(const ew_deck *deck, int32_t scope, int64_t number);
int32_t ew_deck_find_element(const ew_deck *deck, int32_t scope, int64_t number);
const ew_deck_set *ew_deck_find_set(const ew_deck *deck, int32_t scope, bool of_elements,
                                    const char *name, size_t size);
/* The number as it is written in the deck. */
static inline long long ew_deck_plain_number(int64_t number)
{
    return (int32_t)(number & 0xffffffff);
}
/* Of a name or number in scope 0 that begins with that of an instance and a point, "Part-1-1.12",
 * the rest, and the scope of the instance; else the scope that it has. */
int32_t ew_deck_enter_scope(const ew_deck *deck, int32_t scope, const char **text, size_t *size);
int32_t ew_deck_enter_field(const ew_deck *deck, int32_t scope, ew_deck_field *field);
/* A name with that of its instance before it, where there are several. */
void ew_deck_full_name(const ew_deck *deck, int32_t scope, const char *name, size_t size,
                       char *full);
/* A point, or a direction, of a part to its place. */
void ew_deck_place(const ew_deck *deck, int32_t scope, bool is_point, double x[3]);

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
