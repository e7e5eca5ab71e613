/* format: what a program needs that works on its tables itself, beside format/format.h. */
#ifndef EW_PARTS_FORMAT_H
#define EW_PARTS_FORMAT_H

#include "format/format.h"
#include "mesh/parts/mesh.h"

EW_BEGIN_API

/* ---- named groups (groups.c) ------------------------------------------- */

const char *ew_group_kind_name(ew_group_kind kind); /* "vertices" */

#define EW_GROUP_NAME 256 /* bytes of a name at most, the zero included */

/* Selector of the members of a group in a mesh: by label, or by ids, which are borrowed. */
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
/* Cleans a name: blanks at its ends go, control characters are '_', bytes that are no
 * UTF-8 '?', and what is too long is cut. */
void ew_group_clean_name(const char *name, char clean[EW_GROUP_NAME]);
/* Without the geometry, which is of the mesh as it came. `copy`: zeroed or uninitialized; untouched
 * on failure. */
ew_status ew_groups_copy(ew_groups *copy, const ew_groups *groups);

/* ---- geometry of labels (geometry.c, geometry_fit.c, geometry_match.c) ----------- */

#define EW_GEOMETRY_FACE_KINDS "plane cylinder cone sphere torus curved"
const char *ew_geometry_kind_name(ew_geometry_kind kind); /* "plane" */

/* Faces by the label of triangles and solids by that of tets, appended to an empty list. The
 * normal of a plane points out of the tet with the lowest slot at its first triangle. Planes,
 * cylinders and spheres are recognized, where all vertices of a label lie within EW_GEOMETRY_FIT of
 * the root of its area from one; other faces are `curved`. Straight sides are measured. Empty on
 * failure: EW_NO_MEMORY. O(n log n_face) */
#define EW_GEOMETRY_FIT 1e-4
ew_status ew_geometry_measure(const ew_mesh *mesh, ew_geometry_list *list);
/* Of the triangles of a surface whose coordinates are multiplied by a scale > 0; their normals are
 * taken as outward. */
ew_status ew_geometry_of_surface(const ew_surface *surface, double scale, ew_geometry_list *list);
void ew_geometry_list_free(ew_geometry_list *list);
/* The kind of a face with these vertices [n_vertex][3], its direction and its radius; area and the
 * direction of its mean normal are in it. normal, center [n_triangle][3]: of its triangles, of
 * length area and at their centroids. (geometry_fit.c) */
void ew_geometry_fit(int32_t n_vertex, const double *xyz, int32_t n_triangle, const double *normal,
                     const double *center, ew_geometry *face);

/* What is known of a face, or of a solid, that is looked for. */
typedef struct ew_geometry_query {
    int32_t kind;        /* an ew_geometry_kind, EW_GEOMETRY_SOLID: a solid; -1: of any face */
    double near[3];      /* its centroid */
    double direction[3]; /* of length > 0, as in ew_geometry; 0: any */
    double radius, size; /* 0: any */
    double tolerance;    /* of each deviation, > 0 */
} ew_geometry_query;
#define EW_GEOMETRY_TOLERANCE 0.25
/* The one that deviates least: distance of centroids as a share of the diagonal, angle of
 * directions as a share of 90 degrees, difference of radii as a share of the larger one, half of
 * that of sizes; the root of the sum of their squares counts. None may be above the tolerance, and
 * in what they differ every other one deviates at least twice as much. `change`: what is different,
 * as text; empty where nothing deviates by more than 1e-3. EW_BAD_INPUT: there is none, or several
 * fit. */
ew_status ew_geometry_match(const ew_geometry_list *list, const ew_geometry_query *query,
                            const ew_geometry **found, char change[EW_GEOMETRY_TEXT]);

/* A surface as binary STL, in single precision, and as OBJ with a group for each label, by its name
 * where it has one. *file: the caller's. (text/surface_write.c) */
ew_status ew_surface_write_stl(const ew_surface *surface, ew_text *file);
ew_status ew_surface_write_obj(const ew_surface *surface, const ew_groups *groups, ew_text *file);

/* number [n_vertex]: the numbers of a mesh's vertices, from 0, in a file that ew_format_write_mesh
 * makes of it; -1: the file does not have it. */
ew_status ew_mesh_file_numbers(const ew_mesh *mesh, bool user_order, int32_t *number);

/* ---- surfaces to be shown (polygons.c) --------------------------------- */

void ew_polygons_free(ew_polygons *polygons);
/* Unit normals [n_normal][3] of the faces as they stand with the vertices at xyz [n_vertex][3]:
 * those around a vertex averaged by area; (0, 0, 0) where there is no area. has [n_vertex]: faces
 * with a vertex that is false are passed over; null: all count. */
void ew_polygons_normals(const ew_polygons *polygons, const double *xyz, const bool *has,
                         double *normal);
/* A surface to write, with its vertices at xyz; faces with a vertex that `has` denies are
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

/* Files of one mesh at most. */
#define EW_FORMAT_MAX_FILES 3

/* The i-th format, in the order of the table; null beyond the last. */
const ew_format *ew_format_at(int32_t i);

/* n_welded: points that were merged with equal ones, where the format repeats them (STL). groups:
 * names of labels of its triangles. */
ew_status ew_format_read_surface(const ew_format *format, const ew_bytes *file, ew_surface *surface,
                                 int32_t *n_welded, ew_groups *groups);
/* Of any format that holds a surface; `polygons`: untouched on failure. */
ew_status ew_format_read_polygons(const ew_format *format, const ew_bytes *file,
                                  ew_polygons *polygons, int32_t *n_welded);
/* An array of cells by its name; EW_BAD_INPUT: there is none. */
ew_status ew_format_read_cells(const ew_format *format, const ew_bytes *file, const char *name,
                               ew_cell_array *cells);

/* ---- files by the ending of their names (files.c) ---------------------- */

/* All of a file, whose end may come late (a pipe). EW_IO: it cannot be read, is a folder, a device,
 * or a pipe that nobody writes to within seconds; EW_LIMIT: more than 2 GiB. `text`: untouched on
 * failure. The message begins with the path. */
ew_status ew_file_read(const char *path, ew_text *text);

/* As ew_surface_read, with texture coordinates and groups of faces. */
ew_status ew_polygons_read(const char *path, ew_polygons *polygons);

typedef enum ew_format_use {
    EW_FORMAT_MESH,
    EW_FORMAT_SURFACE,
    EW_FORMAT_MESH_OUTPUT
} ew_format_use;
/* EW_BAD_INPUT, "PATH: not a known mesh ending; known are .mesh (MEDIT), ..." and `others`. */
ew_status ew_format_refuse(const char *path, ew_format_use use, const char *others);
/* The name of the i-th file of a mesh, i < n_file, from that of any of them; owned by the caller
 * (ew_release). */
ew_status ew_format_file_name(const ew_format *format, const char *path, int32_t i, char **name);
/* `name` in the folder of the file `base`, unless `name` is absolute; owned by the caller
 * (ew_release). */
ew_status ew_file_beside(const char *base, const char *name, char **path);
/* The dataset "/PATH" of a name "FILE.h5:/PATH", borrowed; null: it is no such name. */
const char *ew_file_dataset(const char *name);

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

/* A *PRE-TENSION SECTION through a bolt whose nodes are doubled; see weld_ties. */
typedef struct ew_deck_section {
    int32_t card, surface; /* cards */
    ew_list far;           /* owned: codes 4 * tet_id + face (S1 to S4, from 0) of the faces that lie
                              on those of the surface */
} ew_deck_section;

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
    /* Set before ew_deck_read of a text that is made from another one: the line of that for each of
     * its own, [n_origin] borrowed. Cards and fields are told by it. Null: they are its own. */
    const int32_t *origin;
    int32_t n_origin;
    /* filled by ew_deck_mesh: */
    int32_t n_instance, instance_capacity, n_node, node_capacity, n_element, element_capacity,
        n_set, set_capacity, n_triangle, triangle_capacity, n_other, other_capacity;
    /* Set before ew_deck_mesh: nodes of the first surface of a *TIE that all lie on nodes of the
     * second become these; bolts are cut through at their *PRE-TENSION SECTIONs. */
    bool weld_ties;
    int32_t n_section, section_capacity;
    ew_deck_section *section; /* [n_section] */
    int32_t *same; /* [n_node] rows of what nodes became; null: themselves */
    ew_deck_instance *instance;
    int64_t *node; /* [n_node] by vertex_id: numbers in the deck, scope * 2^32 added */
    double *xyz;   /* [n_node][3], middles of sides included */
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
/* Nodes, elements and sets, and the mesh of its tets; `groups` as of ew_format_read_mesh. Solid
 * sections are regions, in their order from 1; without any the sets of *ELEMENT cards are, without
 * those *ELSETs that every tet is in one of. */
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

/* ---- bulk data of Nastran (bulk.c) ------------------------------------- */

/* A text of cards, and the card that was read last, with its continuations. Its bytes are borrowed
 * until it is freed. */
#define EW_BULK_FIELD 17
typedef struct ew_bulk {
    const char *at, *end; /* the rest of the text */
    int64_t next_line;    /* of its begin, from 1 */
    int64_t line;         /* of the card */
    char name[9];         /* upper case, without the asterisk of wide fields */
    int32_t n, capacity;  /* fields behind the name, blank ones at the end of a line among them */
    char (*field)[EW_BULK_FIELD]; /* [n] owned: without blanks */
} ew_bulk;
ew_bulk ew_bulk_begin(const char *data, size_t size);
void ew_bulk_free(ew_bulk *bulk);
/* To behind BEGIN BULK; false, and nothing is passed over: there is no such line. */
bool ew_bulk_skip_control(ew_bulk *bulk);
/* The next card; *has_card: false at the end of the data. */
ew_status ew_bulk_next(ew_bulk *bulk, bool *has_card);
/* A field of the card, from 0; "": it has none there. */
const char *ew_bulk_text(const ew_bulk *bulk, int32_t field);
/* A whole number >= low; a number, `preset` where the field is blank. EW_BAD_INPUT at the card's
 * line, `what` names it. */
ew_status ew_bulk_int(const ew_bulk *bulk, int32_t field, const char *what, int64_t low,
                      int64_t *value);
ew_status ew_bulk_real(const ew_bulk *bulk, int32_t field, const char *what, double preset,
                       double *value);

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
