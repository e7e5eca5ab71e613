/* operation: ready-made edits of a mesh. Each function reads mesh and tables and queues changes
 * into an empty ew_edit, which the caller commits. No function changes the mesh.
 *
 * What is queued from a mesh that ew_mesh_check finds sound, the commit takes: an operation
 * that would leave a tet without usable volume (EW_MIN_SHAPE), a duplicate tet, a third tet on a
 * face or two on the same side of it refuses with EW_BAD_EDIT, says how many tets are concerned and
 * names the worst by its tet_id. So does every operation but add on a mesh without tets. Arguments
 * out of range are EW_BAD_ARGUMENT, unknown ids and labels EW_BAD_INPUT, tables that are not the
 * mesh's EW_STALE. After any failure the edit is empty and the other outputs are untouched. Results
 * do not depend on the number of threads. */
#ifndef EW_OPERATION_H
#define EW_OPERATION_H

#include "meshing/meshing.h"
#include "topology/topology.h"

EW_BEGIN_API

/* ---- scale ------------------------------------------------------------- */

/* x -> about + factor * (x - about), per axis; factors > 0 (mirror makes reflections).
 * Inactive vertices are scaled too; coordinates with factor 1 keep their bits. */
ew_status ew_operation_scale(const ew_mesh *mesh, const double factor[3], const double about[3],
                             ew_edit *edit);

/* ---- remove ------------------------------------------------------------ */

/* Removes the tets that the selector takes: region by region, ids as tet_id, box, sphere,
 * cylinder, plane and side by the tet's centroid, nearest the one of nearest centroid (ties:
 * the lower tet_id). A surface selects no tets: EW_BAD_ARGUMENT. */
ew_status ew_operation_remove(const ew_mesh *mesh, const ew_selector *selector, ew_edit *edit);

/* ---- cut ---------------------------------------------------------------- */

/* Accuracy of the tets along the surface of a cut. */
typedef struct ew_cut_accuracy {
    int32_t n_tet;    /* with a vertex on it; 0: nothing of it is left, and all else is 0 */
    double size;      /* mean length of their edges */
    double quality;   /* mean, mean ratio */
    double radius;    /* mean of the surface; plane: infinite */
    double missed;    /* volume between faces and surface, over that of what was cut; plane: 0 */
    int32_t n_coarse; /* of the tets: where the radius is below EW_CUT_MIN_RADIUS of their edges */
} ew_cut_accuracy;

/* ---- operations by table ----------------------------------------------- */

/* Kinds of values. Coordinates and lengths are in the mesh's length unit. */
typedef enum ew_parameter_kind {
    EW_PARAMETER_NUMBER,    /* number[0] */
    EW_PARAMETER_LENGTH,    /* number[0] >= 0 */
    EW_PARAMETER_VECTOR,    /* number: a point or a shift */
    EW_PARAMETER_FACTOR,    /* number: one an axis, or one number for all three */
    EW_PARAMETER_AXIS,      /* number: a direction, length > 0; or one of the words x, y, z */
    EW_PARAMETER_PLACE,     /* one of `words`: whole is its place; or a point: whole -1, number */
    EW_PARAMETER_COUNT,     /* whole */
    EW_PARAMETER_SEED,      /* whole, from 0 */
    EW_PARAMETER_REGION,    /* whole: a region's label */
    EW_PARAMETER_CHOICE,    /* whole: the place of one of `words` */
    EW_PARAMETER_FLAG,      /* whole: 0 or 1; the words false and true */
    EW_PARAMETER_VERTICES,  /* vertices. whole: number of a set of the caller's, who hands the
                               vertices to `queue` as input.vertex */
    EW_PARAMETER_PROTECTED, /* tets that are not removed. set: numbers of sets of the caller's, who
                               hands the tets to `queue` as input.keep */
    EW_PARAMETER_TETS,      /* selector: tets. Its keys are the kinds of selection in `words` */
    EW_PARAMETER_MESH,      /* text: name of a mesh file, handed to `queue` as input.other */
    EW_PARAMETER_TABLE,     /* text: name of a file of rows, and before `queue` by the caller
                               content, content_size: what the file holds */
    EW_PARAMETER_SURFACE,   /* text: name of a file, and before `queue` by the caller surface: the
                               triangles that it holds */
    EW_PARAMETER_NUMBERS,   /* number: those of `words`, each three, or one where the word begins
                               with `radius`; in a case keys of a mapping, as text one after the
                               other. `normal` is a direction */
    EW_PARAMETER_NAME,      /* text: of a set of the caller's, which it makes of what is new */
    EW_PARAMETER_PARTS      /* part: several sets, each with values of its own, whose vertices are
                               handed to `queue` as input.part */
} ew_parameter_kind;

typedef enum ew_parameter_need {
    EW_OPTIONAL,
    EW_REQUIRED,
    EW_ONE_OF, /* exactly one of those marked so is given */
    EW_SOME_OF /* at least one of those marked so is given */
} ew_parameter_need;

typedef struct ew_parameter {
    const char *key; /* in a case; as a command's option with - for _ */
    ew_parameter_kind kind;
    ew_parameter_need need;
    const char *preset; /* the default value, as text; null: 0, whose meaning `help` gives */
    const char *words;  /* CHOICE, PLACE, TETS, NUMBERS: separated by spaces; else null */
    double low, high;   /* NUMBER, FACTOR, COUNT: least and greatest; greatest <= least: none */
    bool above;         /* the least value itself is not allowed */
    bool percent;       /* NUMBER: a case may give it as "3 %" */
    bool in_case;       /* not an option of a command: it needs an analysis */
    bool is_new;        /* REGION: tets get it, so that a mesh need not have it before */
    const char *with, *when; /* only read when choice `with` has one of the words `when`, and a
                                mistake otherwise; without `when` where one of the parameters `with`
                                is given; null: always read */
    const char *unit;        /* NUMBER: "length", "degree", "s", "GiB"; null: none */
    const char *argument;    /* stands for the value in help: "LENGTH" */
    const char *help;        /* half a line */
} ew_parameter;

#define EW_MAX_NUMBERS 8
typedef struct ew_parameter_value {
    bool given; /* by the user: not the preset */
    double number[EW_MAX_NUMBERS];
    int64_t whole;
    const char *text;    /* borrowed */
    const char *content; /* [content_size] borrowed */
    size_t content_size;
    const ew_surface *surface; /* borrowed */
    ew_selector selector;      /* its ids are borrowed */
    int32_t n_set;
    const int32_t *set; /* [n_set] borrowed */
    int32_t n_part;
    const struct ew_operation_values *part; /* [n_part] borrowed: of ew_part_form */
} ew_parameter_value;

/* An operation has at most one parameter each of the kinds VERTICES, PROTECTED, TETS, MESH, TABLE,
 * SURFACE and PARTS. */
#define EW_MAX_PARAMETERS 16
typedef struct ew_operation_values {
    ew_parameter_value of[EW_MAX_PARAMETERS]; /* as operation->parameter */
    const struct ew_operation_values *before; /* borrowed: see ew_operation_input; or null. With it
                                                 come, borrowed or null where not known: */
    const ew_cut_accuracy *first; /* of what the edit made when it was last made from the start */
    const ew_mesh *body;          /* what the first edit started from */
    const ew_topology *body_topology; /* its tables, current */
} ew_operation_values;

typedef struct ew_operation ew_operation;

/* How messages name parameters: longer_than, or --longer-than. */
typedef enum ew_naming { EW_AS_KEYS, EW_AS_OPTIONS } ew_naming;

/* All borrowed. */
typedef struct ew_operation_input {
    const ew_operation *operation;
    const ew_mesh *mesh;
    const ew_topology *topology; /* the mesh's tables, current */
    const ew_operation_values *values;
    const ew_list *vertex; /* slots of the VERTICES given, ascending; null: none were given */
    const ew_set *keep;    /* slots of the tets PROTECTED; null: none are */
    const ew_mesh *other;  /* the MESH given */
    const ew_list *part;   /* [n_part of the PARTS given] slots of the vertices of each */
    ew_fill_function fill; /* meshes again what an operation empties; null: there is none */
    int32_t n_vertex_set, n_tet_set;
    const ew_set *const *vertex_set, *const *tet_set; /* what an operation is to keep the ends of */
    char *remark; /* [EW_REMARK_TEXT] or null. A line for the user about an edit that is not
                     refused, which begins with the operation's name; untouched: none */
    const double *tet_value; /* [n_tet] strain energy, the mesh's own; null: none is known */
    const ew_operation_values *before; /* of an operation that goes on: the values that the same
                                          edit was made with before, on this mesh, which has what it
                                          made: that is moved to what the new values say, or
                                          EW_BAD_EDIT, and the edit is made from the start. Null:
                                          the first time */
} ew_operation_input;

/* An operation as cases, commands and models use it. The shipped ones are in a table; a program's
 * own works wherever one is asked for. A new shipped one is a file with its descriptor and a line
 * of the table. */
struct ew_operation {
    const char *name;    /* key of a case's `edit:` and command: "decimate" */
    const char *summary; /* half a line */
    const char *text;    /* more for help, whole lines; or null */
    const char *example; /* arguments of a command line */
    int32_t file_code;   /* 0 .. 255 in journals, never changed nor reused; own ones: from 128 */
    int32_t n_parameter;
    const ew_parameter *parameter; /* [n_parameter] */
    bool maps;    /* moves or copies whole parts by an affine map, which plastic strain does
                     not follow */
    bool goes_on; /* it can move what it made before: reads `before` of its input */
    /* The accuracy of what it made, of which `first` is compared; null: nothing that moves alter.
     */
    ew_status (*measure)(const ew_operation_input *in, ew_cut_accuracy *accuracy);
    const char *joined; /* treatment of vertices that two parts share: "welded"; null: parts share
                           no vertices */
    /* Queues into an empty edit, as the functions above. Values are checked. What fails says which
     * operation it is. */
    ew_status (*queue)(const ew_operation_input *in, ew_edit *edit);
    const void *user; /* for a program's own */
    /* Further checks, beside ranges and needs of single parameters; null: none. EW_BAD_INPUT. */
    ew_status (*check)(const ew_operation *operation, const ew_operation_values *values,
                       ew_naming naming);
};

/* What a case or a command says of each of the PARTS: a form whose parameters are read and checked
 * as an operation's; it has no `queue`. Its VERTICES come first. */
extern const ew_operation ew_part_form;

/* ---- remesh ------------------------------------------------------------- */

/* The i-th shipped operation, in the order of the table; null beyond the last. */
const ew_operation *ew_operation_at(int32_t i);
/* The operation's parameter with the key, or the first of the kind; -1 when there is none. */
int32_t ew_operation_parameter(const ew_operation *operation, const char *key);

/* Nothing given: the presets. */
ew_operation_values ew_operation_presets(const ew_operation *operation);
/* Sets the parameter `key` from text: "0.5", "x", "1,0,0", "max". A name of a mesh file is
 * borrowed; VERTICES and TETS have no text. An unknown key or text is EW_BAD_INPUT. */
ew_status ew_operation_set(const ew_operation *operation, ew_operation_values *values,
                           const char *key, const char *text, ew_naming naming);
/* Checks ranges and combinations of parameters. The first mistake is EW_BAD_INPUT, with *at the
 * wrong parameter, or -1 for the combination. */
ew_status ew_operation_check(const ew_operation *operation, const ew_operation_values *values,
                             ew_naming naming, int32_t *at);

EW_END_API
#endif
