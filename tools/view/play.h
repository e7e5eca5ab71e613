/* Private to tools/view: what a played body holds. */
#ifndef EW_VIEW_PLAY_H
#define EW_VIEW_PLAY_H

#include "view.h"

typedef enum view_mode { VIEW_STATICS, VIEW_DYNAMICS, VIEW_ROTATIONS, VIEW_N_MODE } view_mode;
extern const char *const view_mode_names[VIEW_N_MODE];

/* Where the numbers of a field are: at vertices, averages over the tets there; of tets; at the
 * corners of tets, averages over those of the same side of an interface; there, recovered. */
typedef enum view_place {
    VIEW_AT_VERTICES,
    VIEW_OF_TETS,
    VIEW_AT_CORNERS,
    VIEW_RECOVERED,
    VIEW_N_PLACE
} view_place;

/* A command that changed the body, and what its solve gave. */
typedef struct view_entry {
    char *text;     /* owned: the command as JSON */
    int32_t n_step; /* of steps in time in a row: how many, */
    double dt;      /* and how long */
    int32_t n;      /* numbers of `answer`; 0: it is solved for again */
    double *answer; /* owned: [n] displacement of a static solve, */
    int32_t n_contact;
    double *contact;  /* owned: [n_contact] state of contacts after it (ew_model_contact_state) */
    ew_pcg_info info; /* that it ended with */
} view_entry;

/* Supports and loads of the body: those of its file, then those of commands. */
typedef struct view_supports {
    int32_t n_constraint, n_spring, n_load, constraint_capacity, spring_capacity, load_capacity;
    ew_model_constraint *constraint; /* owned */
    ew_model_spring *spring;         /* owned */
    ew_model_load *load;             /* owned */
    /* [n_constraint], [n_load] owned: the place among those of the file, -1: of a command */
    int32_t *constraint_of_file, *load_of_file, of_file_capacity[3];
    int32_t *spring_of_file; /* [n_spring] owned: likewise */
    int32_t n_of_file[3];    /* constraints, loads, springs */
} view_supports;

/* Arrays of scene_tets.c. */
typedef struct view_tet_memory {
    int32_t n, point_capacity, value_capacity, tet_capacity; /* n: live tets */
    float *position, *displacement, *value;                  /* owned */
    int32_t *tet, *region, *id;                              /* owned */
} view_tet_memory;

/* Of curved.c. */
typedef struct view_curved_memory {
    int32_t n_edge, edge_capacity, side_capacity;
    int32_t *of_side; /* [edge slots][pieces - 1] owned: vertices on a side, -1: not yet */
    int32_t *edge;    /* [n_edge][2] owned: sides of the tets in pieces */
} view_curved_memory;

/* A material that a command gave, or that the source begins with. */
typedef struct view_choice {
    bool is_all; /* of all regions that have none of their own, else of that with the label */
    int32_t label;
    const ew_library_material *of; /* null: constants */
} view_choice;

/* A step of the case, which a run computes. */
typedef enum view_analysis {
    VIEW_STATIC,
    VIEW_MOTION,
    VIEW_MODES,
    VIEW_BUCKLING,
    VIEW_OTHER, /* edits alone, or a removal of tets: of a case */
    VIEW_N_ANALYSIS
} view_analysis;
/* State that a motion starts from: that of the step before, also with its loads taken away, or
 * undeformed. */
typedef enum view_start {
    VIEW_FROM_PREVIOUS,
    VIEW_FROM_REST,
    VIEW_RELEASED,
    VIEW_N_START
} view_start;
typedef struct view_study_step {
    int32_t of_case; /* its place in the case that was opened; -1: of a command */
    view_analysis kind;
    char name[64];
    int32_t count;       /* of modes or factors */
    double dt, duration; /* of a motion, */
    int32_t every;       /* and its time steps from frame to frame */
    view_start start;
    bool is_changed, has_every; /* by a command; one has said `every` */
} view_study_step;

enum { VIEW_MAX_SET_WORD = 8 }; /* of 32 sets each: as many are shown in colors */

struct view_play {
    const view_source *source; /* borrowed */
    view_body body;
    double value[VIEW_MAX_PARAMETER]; /* of the source's parameters, as the body has them */
    view_supports supports;
    ew_kinematics kinematics;  /* of the file */
    int32_t pull_set, fix_set; /* sets of the model; -1: not yet */
    bool is_pulled;
    double pull_stiffness;
    ew_set named_sets;              /* sets of the model whose faces commands gave */
    ew_list removed_sets;           /* of these, such that commands took away: they are empty */
    int32_t n_set_of_file;          /* sets that the body begins with */
    int32_t n_opened, tet_capacity; /* tets of the body as it was opened: */
    int64_t *opened_tet;            /* [n_opened] owned: their ids, ascending */

    int32_t n_choice, choice_capacity;
    view_choice *choice;                /* [n_choice] owned, in the order of the commands */
    char length_unit[8], force_unit[8]; /* of a mesh, "": none is known */
    cJSON *written;                     /* owned: paths of files that saving has written */
    cJSON *rules;                       /* owned: {kind, values} by the name of the set, */
    cJSON *renamed;                     /* and its present name, both by the name in the model */
    int32_t n_step, step_capacity;
    view_study_step *step; /* [n_step] owned */

    view_mode mode;
    double dt;         /* of a step in time */
    double speed, due; /* time of the body in a second, 0: as fast as it is solved; of ew_seconds */
    bool is_playing, has_ended;
    bool is_changed; /* since the last answer */
    /* As the file has it with these values of the parameters; and about so, since a drag of one
     * went on from the value before: it begins again before anything else is done to it, so that a
     * state of the journal has the same bits at each visit. */
    bool is_as_opened, is_about;
    bool is_redoing; /* entries of the journal */
    bool is_broken;  /* the way to other values failed, and the body must be made again */
    int field;       /* place in the list of fields.c */
    view_place place;
    int32_t number_capacity;
    double *number; /* owned: of a field that the model has not in this form */
    bool has_section, is_exploded;
    double section[4]; /* normal and offset */
    view_tet_memory tets;
    view_curved_memory curved;

    int32_t n_entry, entry_capacity, at; /* at: entries that the body has behind it */
    view_entry *entry;                   /* [n_entry] owned */
    size_t answer_bytes;                 /* of all answers */

    bool is_local; /* the last answer changed few rows */
    double error;  /* estimated, share of the energy norm; NaN: not yet */
    int32_t iterations, surface;
    int32_t n_contact_left; /* points that the last step in time left pulling or overlapping */
    uint64_t seen_revision; /* of the mesh that `surface` counts; 0: another body */
    int64_t blocks;
    double seconds_edit, seconds_solve, seconds_stress, seconds_picture;
    bool is_shown;            /* a picture has these */
    double size;              /* diagonal of the body as it was opened, */
    double mean_edge;         /* mean length of its edges, */
    uint64_t opened_revision; /* of its mesh */
    double mesh_size;         /* edges that the source fills it with; 0: as its file says */
    cJSON *told;              /* owned: what the last command answers; null: nothing */
    char message[640];        /* of the last solve; "": it went well */

    int32_t row_capacity, vertex_capacity, triangle_capacity; /* memory of scene.c */
    int32_t *row, *vertex_id, *triangle, *tet, *face, *region;
    int32_t *cad_face;  /* label of each triangle of the surface, -1: none */
    uint32_t *face_set; /* [n_set_word] of each triangle, for as many sets */
    int32_t n_set_word;
    bool has_labels; /* `label` is of the mesh with this revision: */
    uint64_t label_revision;
    int32_t label_capacity;
    int32_t *label; /* owned: of each face of the boundary, before curved ones are in pieces
                       (labels.c) */
    float *position, *displacement;
    int32_t n_cap, cap_capacity;                        /* vertices, three a triangle */
    float *cap_position, *cap_displacement, *cap_value; /* memory of section.c */
    float *shown, *corner_shown; /* the field: by vertex of the surface, by corner of a triangle */
};

/* supports.c */
ew_status view_supports_take(view_play *play); /* of a body that was opened */
ew_status view_supports_give(view_play *play); /* to its model */
void view_supports_free(view_supports *supports);
ew_status view_pull(view_play *play, int32_t vertex, const double to[3], double stiffness);
ew_status view_release(view_play *play);
ew_status view_fix(view_play *play, const ew_list *vertex); /* null: lets all go */
ew_status view_add_load(view_play *play, const ew_model_load *load);
ew_status view_add_support(view_play *play, const ew_model_constraint *constraint);
ew_status view_add_spring(view_play *play, const ew_model_spring *spring);
/* {"value": as many numbers as the load has}, or {"force": three}. */
ew_status view_change_load(view_play *play, int32_t index, const cJSON *command);

/* answer.c: after a change: brings the answer up to date; what fails is the message. */
void view_answer(view_play *play, view_entry *entry);
void view_forget_answer(view_play *play, view_entry *entry);
/* The error of the present static answer; whether it is new. */
bool view_play_estimate(view_play *play);
ew_status view_set_mode(view_play *play, view_mode mode, double damping);
/* n_done: steps before a failure. */
ew_status view_step(view_play *play, int32_t n, int32_t *n_done);

/* commands.c: changes the body, does not solve. The value of a parameter without the body. Whether
 * a command goes on with the stroke of the one before. */
ew_status view_put_parameter(view_play *play, const cJSON *command);
ew_status view_apply(view_play *play, const cJSON *command);
bool view_is_same_stroke(const cJSON *command, const cJSON *before);

/* contact.c: what a picture says of contacts; null: nothing. */
cJSON *view_make_contact(const view_play *play);

/* edits.c: commands. */
ew_status view_do_remove(view_play *play, const cJSON *command);
ew_status view_do_refine(view_play *play, const cJSON *command);
ew_status view_do_cut(view_play *play, const cJSON *command);
ew_status view_do_weld(view_play *play, const cJSON *command);

/* values.c */
typedef struct view_sides {
    int32_t n;
    double side[EW_MAX_CUT_SIDE][4]; /* [n]: places with side[0..2] . x <= side[3] */
} view_sides;
ew_status view_read_sides(const cJSON *from, view_sides *sides);
bool view_is_live(const ew_mesh *mesh, bool tets, double id); /* a slot of a vertex or a tet */
/* {"tets": [..]}, or those that the plane {"point", "normal", "sides"} passes through, or those
 * about a spot: that behind the face, and those near. */
ew_status view_read_tets(view_play *play, const cJSON *from, ew_set *tets);
/* {"vertices": [..]} or those of the surface about a spot, with those of its face. */
ew_status view_read_vertices(view_play *play, const cJSON *from, ew_set *vertices);
/* Three finite numbers under the key. */
ew_status view_read_vector(const cJSON *from, const char *key, double value[3]);
/* A number from low to high under the key, which may be left out for the preset where that is in
 * the range. */
ew_status view_read_number(const cJSON *from, const char *key, double low, double high,
                           double preset, double *value);
bool view_is_edit(const cJSON *command); /* it goes into the journal */
const char *view_edit_name(int k);       /* of these, from 0; null: behind the last */

/* setup.c: commands. */
ew_status view_do_set(view_play *play, const cJSON *command);
/* A set with the command's "name" of these faces, without a rule. */
ew_status view_put_set(view_play *play, const cJSON *command, const ew_list *faces);
/* set_names.c: the present name of a set, null: none; the set of a name, -1: none, also one that
 * was taken away where no other has it; a new set of faces; what a name must be; the command. */
const char *view_name_of_set(const view_play *play, int32_t set);
int32_t view_find_set(const view_play *play, const char *name);
ew_status view_add_named_set(view_play *play, const char *name, const ew_list *faces, int32_t *set);
ew_status view_check_set_name(const cJSON *name, const char *what);
ew_status view_do_set_rename(view_play *play, const cJSON *command);
ew_status view_do_support(view_play *play, const cJSON *command);
ew_status view_do_support_remove(view_play *play, const cJSON *command);
ew_status view_do_set_remove(view_play *play, const cJSON *command);
ew_status view_do_support_change(view_play *play, const cJSON *command);
bool view_is_removed_set(const view_play *play, int32_t set);
bool view_is_plain_support(const ew_model_constraint *of);
ew_status view_do_spring(view_play *play, const cJSON *command);
ew_status view_do_spring_remove(view_play *play, const cJSON *command);
ew_status view_do_load_change(view_play *play, const cJSON *command);
ew_status view_do_load_add(view_play *play, const cJSON *command);
ew_status view_do_load_remove(view_play *play, const cJSON *command);
/* steps.c: commands; of a body that begins; for the state; a new step as a mapping. Of a case that
 * was opened: what commands changed of its steps, with new ones at the end of `list`, which is of
 * the draft, and in the editor's list of steps where the case has one. */
ew_status view_do_step_add(view_play *play, const cJSON *command);
ew_status view_do_step_change(view_play *play, const cJSON *command);
ew_status view_do_step_remove(view_play *play, const cJSON *command);
ew_status view_take_steps(view_play *play);
void view_add_steps(const view_play *play, cJSON *list);
void view_put_step(const view_study_step *step, ew_case_entry *to);
bool view_has_own_steps(const view_play *play);
ew_status view_change_steps(const view_play *play, ew_case_editor *editor, ew_case_draft *scratch,
                            ew_case_entry *list);
/* save.c: {"file": NAME.yaml}: the case, and of a body of a mesh NAME.mesh beside it. */
ew_status view_save(view_play *play, const cJSON *command, cJSON **reply);
/* A name for the case: of one that was opened its own, else one that no other file has. */
void view_name_case(const view_play *play, char name[256]);
/* save_case.c: the text of the case that was opened, with what commands changed, both the caller's.
 * Where the case cannot say how its tets came about it names `mesh_file`, and *mesh, zeroed, is
 * what that must hold. */
ew_status view_change_case(const view_play *play, const char *mesh_file, ew_text *text,
                           ew_mesh *mesh);
/* What both write: the form of a load, without its set, and its key, null where a case that is
 * written has none; the vertices of a set by their ids. */
const char *view_load_key(const ew_model_load *load);
ew_status view_put_load(const ew_model_load *load, ew_case_entry *to);
void view_put_spring(const ew_model_spring *spring, ew_case_entry *to);
ew_status view_put_vertices(const ew_model *model, int32_t set, ew_case_entry *to);

/* selectors.c: faces {kind, values} of the body, appended; the command `set_rule`, the question
 * `preview`, and the kinds for the state. */
ew_status view_select_by_rule(view_play *play, const cJSON *rule, ew_list *face);
ew_status view_do_set_rule(view_play *play, const cJSON *command);
ew_status view_ask_preview(view_play *play, const cJSON *command, cJSON *answer);
void view_add_selectors(cJSON *list);

/* materials.c: commands; of a body that begins; the material of the library that a region has, or
 * null; the names of units, "" where none is known; for the state. */
ew_status view_do_material(view_play *play, const cJSON *command);
ew_status view_do_units(view_play *play, const cJSON *command);
ew_status view_take_materials(view_play *play);
const ew_library_material *view_library_of(const view_play *play, int32_t label);
void view_units_of(const view_play *play, const char **length, const char **force);
void view_add_materials(view_play *play, cJSON *all);

/* panels.c: whether the page lists a set. */
bool view_is_shown_set(const view_play *play, int32_t set);

/* body.c: the body with the values of the parameters in place of that before, in statics. Of one
 * that was opened with other values and nothing else, by a shorter way to about the same body,
 * while a parameter is dragged. */
ew_status view_open_body(view_play *play);
ew_status view_take_body(view_play *play); /* resets data of the former body */
ew_status view_vary_body(view_play *play);
/* Begins again where the body is about that which its file has. */
ew_status view_settle_body(view_play *play);

/* fill.c: the command `fill`; then a body that begins has the mesh of the file again. */
ew_status view_do_fill(view_play *play, const cJSON *command);
ew_status view_reset_fill(view_play *play);

/* fields.c: the command `field`, which changes no body. A failure leaves the field that was. */
ew_status view_do_field(view_play *play, const cJSON *command);
void view_add_fields(const view_play *play, cJSON *list); /* of the state */
cJSON *view_make_field(const view_play *play); /* that is shown, for a picture; the caller's */
/* Numbers of the field by slot or by corner; null: there are none, and the message may say why. */
const double *view_find_field(view_play *play);
/* At a vertex or of a tet, by the place; at a corner of a tet, by any. NaN: there is none. */
double view_number_at(const view_play *play, const double *number, size_t slot);
double view_number_of(const view_play *play, const double *number, int32_t tet, int corner);
/* For n vertices and m triangles of the surface. */
void view_take_field(view_play *play, int32_t n, int32_t m, const double *number);

/* labels.c: the label of each face of the boundary, in the order of its slots, [n_live], -1: none;
 * `cad_face` */
ew_status view_list_labels(const ew_mesh *mesh, const ew_boundary *boundary, int32_t *label);
ew_status view_take_labels(view_play *play, const ew_boundary *boundary);

/* section.c: the command `section`, which changes no body, and the cap with these numbers. */
ew_status view_do_section(view_play *play, const cJSON *command);
ew_status view_take_cap(view_play *play, const double *number);

/* scene.c: room for so many vertices and triangles of the surface. */
ew_status view_grow_surface(view_play *play, int32_t n_vertex, int32_t n_triangle);
/* curved.c: whether sides of tets are curved, or displaced so; then the faces of the surface that
 * was taken, in pieces: *n vertices, *m triangles. */
bool view_is_curved(const view_play *play);
ew_status view_refine_surface(view_play *play, const double *number, int32_t *n, int32_t *m);

/* scene_tets.c: the command `explode`, {"on": true}, which changes no body, and all tets in
 * pictures, where they are asked for. */
ew_status view_do_explode(view_play *play, const cJSON *command);
ew_status view_take_tets(view_play *play, const double *number);
ew_status view_add_tets(const view_play *play, view_writer *writer, bool whole);
void view_free_tets(view_tet_memory *memory);

/* inspect.c: questions, which change nothing. */
const char *view_question_name(int k); /* from 0; null: behind the last */
ew_status view_ask(view_play *play, int k, const cJSON *command, cJSON **reply);

#endif
