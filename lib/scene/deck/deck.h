/* Private to scene: a keyword deck that becomes a case. (deck_*.c) */
#ifndef EW_SCENE_DECK_H
#define EW_SCENE_DECK_H

#include "scene/internal.h"

/* Value of a deck for one component at a node, for a face, or for a temperature. */
typedef struct deck_value {
    double value;
    int32_t amplitude; /* card, -1: none */
    int32_t step;      /* of the deck, that gave it; 0: before the first */
    bool has;
} deck_value;

/* A load of mass: GRAV, CENTRIF. */
typedef struct deck_body {
    bool is_centrifugal, is_noted;
    int32_t set;        /* row of ew_deck.set that it acts on */
    int32_t card, line; /* that gave it last */
    deck_value value;
    double place[3], direction[3];
} deck_body;
/* A surface that a load named. */
typedef struct deck_surface {
    int32_t card;    /* *SURFACE */
    ew_list code;    /* owned, ascending: its faces on the boundary, 4 * tet + S number - 1 */
    int32_t n_inner; /* other ones */
} deck_surface;

/* Faces that were named for a load before. */
typedef struct deck_faces {
    ew_list code; /* owned, ascending: 4 * tet + S number - 1 */
    char name[32];
} deck_faces;

/* A term of an equation: component 0 to 2 of a displacement, 3 to 5 of a rotation. */
typedef struct deck_term {
    int32_t node;
    int component;
    double factor;
} deck_term;
/* The sum of its terms is 0. */
typedef struct deck_equation {
    int32_t card, first, n; /* that gives it; its terms */
    int32_t n_noted;        /* of its card's equations, that were noted as left out */
    int32_t step;           /* of the deck, that gave it; 0: before the first */
    bool is_global;         /* components are along x, y, z; else along axes of the nodes */
    bool is_active;         /* until it is removed */
    bool is_put;            /* it is among the equations of the case */
} deck_equation;

/* A bolt that a *PRE-TENSION SECTION cuts through. */
typedef struct deck_bolt {
    int32_t node;  /* on which its force or its shortening acts */
    bool is_known; /* by the first step, */
    bool is_force; /* which has a force, else a shortening, */
    double value;  /* this, */
    double sign;   /* what it is multiplied by */
    bool has_axis; /* the card gives the direction */
    double axis[3];
    bool is_locked, is_noted; /* a later step keeps the shortening; or does something else */
} deck_bolt;

/* A reference node and the nodes that it is coupled to. */
typedef struct deck_coupling {
    int32_t card, surface;       /* that gives it; *SURFACE of its nodes, -1: they are listed */
    int32_t reference, rotation; /* nodes; rotation and moment are components 4 to 6 of the first,
                                    or 1 to 3 of one of its own */
    bool is_rigid;
    ew_list node;          /* owned, ascending */
    double *weight;        /* [node.n] owned; null: by area of the faces of the surface, or alike */
    int32_t first, n;      /* its equations, of a rigid one */
    int32_t owner;         /* the first coupling with its reference, -1: this one */
    bool is_put, was_free; /* it is one of the case; a step before prescribes nothing of it, */
    bool was_supported;    /* or the whole motion, as supports */
    uint8_t bits;          /* of components of the reference that this one prescribes, */
    double value[6];       /* and what they are */
} deck_coupling;

enum { DECK_MAX_LOAD_CARDS = 16 };
typedef struct deck_case {
    const ew_scene_def *def;
    ew_deck deck;
    ew_mesh mesh;
    ew_groups groups;
    bool *is_read;     /* [deck.n_card] owned */
    int32_t *slot;     /* [deck.n_node] owned: vertex of a node, -1: in no tet */
    bool *is_middle;   /* [deck.n_node] owned: it is in the middle of a side of a tet, of which */
    int32_t (*end)[2]; /* [deck.n_node] owned: these nodes are the ends */
    int32_t *number;   /* [mesh.n_vertex] owned: of a vertex in the written mesh, from 0 */
    bool *has_section; /* [deck.n_set] owned */
    int32_t n_note;
    words notes;
    ew_case_draft *draft;             /* owned */
    ew_case_entry *materials, *steps; /* of the draft */
    int32_t n_amplitude;
    double mass_damping, stiffness_damping; /* of the materials */
    bool is_plastic;
    int32_t *axes;             /* [deck.n_node] owned: card of *TRANSFORM, -1: none */
    deck_value *fixed, *force; /* [deck.n_node][3] owned */
    deck_value *pressure;      /* [mesh.n_tet][4] owned: by S number */
    bool *is_inner;            /* [mesh.n_tet][4] owned: of a face, another tet has it, too */
    deck_value *temperature;   /* [deck.n_node] owned */
    double *initial;           /* [deck.n_node] owned: temperatures at the start */
    deck_value *velocity;      /* [deck.n_node][3] owned: at the start */
    deck_value *rotation;      /* [deck.n_node][3] owned: of *BOUNDARY; null: nothing takes any, */
    deck_value *moment;        /* likewise: of *CLOAD */
    bool *is_tied;             /* [deck.n_node] owned: equations have it */
    int32_t n_equation, equation_capacity, n_term, term_capacity;
    int32_t n_coupling, coupling_capacity, n_bolt;
    deck_coupling *coupling; /* owned */
    deck_bolt *bolt;         /* [deck.n_section] owned */
    deck_equation *equation; /* owned */
    deck_term *term;         /* owned */
    int32_t n_body, body_capacity, n_surface, surface_capacity, n_faces, faces_capacity;
    deck_body *body;
    deck_surface *surface;
    ew_map face_codes; /* owned: of faces by their vertices, ascending */
    deck_faces *faces;
    int32_t n_middle_noted, n_lost_middle;
    int32_t n_made;                     /* groups named so far */
    double total_time;                  /* of the deck's steps so far */
    double start;                       /* of the case's dynamic steps so far */
    int32_t deck_step;                  /* of the deck that is read; 0: none yet */
    int32_t given[DECK_MAX_LOAD_CARDS]; /* the last step of the deck with a card of the kind; see
                                           begin_again */
    int32_t n_step;                     /* of the case */
    bool is_nonlinear;                  /* all of its steps are NLGEOM */
    bool is_heat_noted, is_kinematics_noted[3], is_path_noted, is_cylinder_noted, is_rotation_noted;
} deck_case;

/* deck_case.c: a deck that is made from another text, of which it has the lines (ew_deck.origin)
 * and notes; null: it is not. */
typedef struct deck_origin {
    int32_t n;
    const int32_t *line;
    int32_t n_note;
    const char *notes; /* lines */
} deck_origin;
ew_status deck_read_case(const ew_mesh_input *input, const ew_scene_def *def,
                         const deck_origin *from, ew_scene *scene);

/* deck_read.c; notes beyond DECK_MAX_NOTES are counted alone. */
enum { DECK_MAX_NOTES = 500 };
EW_PRINTF(3, 4) void deck_note(deck_case *d, const ew_deck_card *card, const char *format, ...);
EW_PRINTF(3, 4)
ew_status deck_fail(const deck_case *d, const ew_deck_card *card, const char *format, ...);
/* The fields of a line of data, empty ones up to 16; false behind the last line. */
enum { DECK_FIELDS = 16 };
typedef struct deck_line {
    int32_t n;
    ew_deck_field field[DECK_FIELDS];
} deck_line;
bool deck_next_line(ew_deck_cursor *cursor, ew_deck_field *next, bool *has_next, deck_line *line);
ew_status deck_number(const deck_case *d, const deck_line *line, int32_t at, const char *what,
                      double preset, double *value);
/* All numbers of a card's first lines, at most `max`. */
ew_status deck_numbers(const deck_case *d, const ew_deck_card *card, int32_t max, double *value,
                       int32_t *n);
bool deck_is(const deck_case *d, const ew_deck_card *card, const char *name);
/* Whether a parameter is there with this value in any case; null: with any. */
bool deck_has(const deck_case *d, const ew_deck_card *card, const char *key, const char *value);
/* The card *NAME, NAME=name that a card of the scope means; -1: none. */
int32_t deck_find_card(const deck_case *d, int32_t scope, const char *card, const char *name);
/* Nodes of a field, a number or a set: rows into an empty list. */
ew_status deck_nodes(deck_case *d, const ew_deck_card *card, const ew_deck_field *field,
                     ew_list *node);

/* deck_material.c: materials, from sections. */
ew_status deck_read_materials(deck_case *d);
/* deck_axes.c: axes of an orientation or a transform; as `axes:` of an entry. */
typedef struct deck_axes {
    bool is_cylinder;
    double first[3], second[3]; /* x and y; of a cylinder a point and the axis */
} deck_axes;
ew_status deck_read_axes(deck_case *d, const ew_deck_card *card, deck_axes *axes);
ew_status deck_put_axes(deck_case *d, const ew_deck_card *card, ew_case_entry *to);

/* deck_loads.c: cards of supports and loads; what a card is, null: another one. To add one: a line
 * in the table there, and its function. */
typedef struct deck_load_card {
    const char *name, *parameters; /* those that are read or change nothing; others are noted */
    ew_status (*read)(deck_case *d, const ew_deck_card *card); /* into the state */
    void (*drop)(deck_case *d); /* OP=NEW: what such cards of steps before gave is gone; or null */
} deck_load_card;
const deck_load_card *deck_load_card_of(const deck_case *d, const ew_deck_card *card);
/* A card into the state; *is_known: it is one of these. */
ew_status deck_read_load(deck_case *d, const ew_deck_card *card, bool *is_known);
/* *STEP, PERTURBATION: forces and temperatures of the steps before are gone. */
void deck_begin_perturbation(deck_case *d);
/* deck_groups.c: the state as lists of a case's step. is_dynamic: amplitudes act; else loads are
 * what they are at the end of the step, which takes `period`. */
typedef struct deck_moment {
    bool is_dynamic;
    double period;
} deck_moment;
ew_status deck_put_supports(deck_case *d, const deck_moment *at, ew_case_entry *step);
ew_status deck_put_loads(deck_case *d, const deck_moment *at, ew_case_entry *step);
ew_status deck_put_velocities(deck_case *d, ew_case_entry *dynamic);

/* deck_names.c: a group of vertices (nodes by row, ascending), there or new; a group as the value
 * of a key, which is a set. */
ew_status deck_name_vertices(deck_case *d, const ew_list *id, const char *what, const char **name);
void deck_put_group(ew_case_entry *to, const char *key, const char *name, ew_group_kind kind);

/* deck_equations.c: equations of a card; *is_known: it is one of such, which counts as read where
 * its equations are. */
ew_status deck_read_equation(deck_case *d, int32_t card, bool *is_known);
/* deck_prescribed.c: what equations prescribe with the supports is added to them; displacements
 * along directions as supports of a case; what ties free nodes as its equations. */
ew_status deck_put_equations(deck_case *d, const deck_moment *at, ew_case_entry *to);

/* Whether the body takes equations, and no step removes any: those of a case hold in all of its
 * steps. */
bool deck_takes_equations(const deck_case *d);

/* deck_couplings.c: another one, whose memory it takes over; whether forces on a node act on
 * couplings. */
ew_status deck_add_coupling(deck_case *d, const deck_coupling *from, deck_coupling **made);
/* Nodes of a coupling that are known: those of a rigid one move with the first at its reference. */
ew_status deck_join_coupling(deck_case *d, const deck_coupling *of);
bool deck_is_reference(const deck_case *d, int32_t node);
/* Those whose motion supports of a step do not prescribe as a whole, as couplings of the case. */
ew_status deck_put_couplings(deck_case *d, const deck_moment *at);
/* Bits of components of a force at the reference of a coupling; those of one amplitude, which leave
 * *left, as forces of nodes: list [deck.n_node][3]. */
uint8_t deck_find_forces(deck_case *d, int32_t coupling);
ew_status deck_spread_forces(deck_case *d, int32_t coupling, uint8_t *left, deck_value *list);
void deck_free_couplings(deck_case *d);

/* deck_sections.c: bolts that *PRE-TENSION SECTION cuts through. */
ew_status deck_begin_bolts(deck_case *d);
bool deck_is_bolt(const deck_case *d, int32_t node); /* whether it is the node of one */
/* Whether a card *BOUNDARY, FIXED is of such nodes alone. */
bool deck_fixes_bolts(deck_case *d, const ew_deck_card *card);
ew_status deck_follow_bolts(deck_case *d, const deck_moment *at); /* of a step */
ew_status deck_put_bolts(deck_case *d);

/* deck_ties.c: *TIE of surfaces that share no nodes; a surface as the set of a key, unless it has
 * no face on the boundary. */
ew_status deck_read_ties(deck_case *d);
/* Whether the body is a sector of a cyclic one, whose shapes are not those of the sector. */
bool deck_is_sector(const deck_case *d);
ew_status deck_put_surface(deck_case *d, int32_t card, const char *key, ew_case_entry *to,
                           bool *is_put);

/* deck_bodies.c: GRAV and CENTRIF of a line (set -1: of one element); as loads of a case's step,
 * which act on all mass: those that act on a part of it, alone or with others, are noted and left
 * out. */
ew_status deck_read_body(deck_case *d, const ew_deck_card *card, const deck_line *line, int32_t set,
                         int32_t amplitude);
ew_status deck_put_bodies(deck_case *d, const deck_moment *at, ew_case_entry *to);

/* deck_inner.c: those on faces inside the body as forces on nodes. */
ew_status deck_put_inner_pressures(deck_case *d, const deck_moment *at, ew_case_entry *to);

/* deck_nodes.c: corners of a tet, of its sides, as a deck numbers them. */
extern const int8_t deck_side[6][2];
/* A force on a node. */
typedef struct deck_force {
    int32_t node, axes, amplitude; /* cards, -1: none */
    double value[3];
} deck_force;
/* deck_nodes.c: one load for [n], all with the axes and the amplitude of the first. */
ew_status deck_put_forces_at(deck_case *d, const deck_force *list, int32_t n, ew_case_entry *to);
/* A node of a tet as the value of a key, or as an item of a list. */
void deck_put_node(const deck_case *d, int32_t node, const char *key, ew_case_entry *to);
/* Forces with their nodes; *by_node: they are such, as some act in the
 * middle of a side, or there are many different ones. */
ew_status deck_put_node_forces(deck_case *d, const deck_moment *at, ew_case_entry *to,
                               bool *by_node);
/* The same of temperatures: as some in the middle of a side are not the mean of its ends, or there
 * are many different ones. */
ew_status deck_put_node_temperatures(deck_case *d, const deck_moment *at, ew_case_entry *to,
                                     bool *by_node);
/* Nodes in the middle of sides where something else is prescribed than follows from the ends. */
int32_t deck_count_middles(const deck_case *d);

/* deck_middles.c: sets for supports, of a mesh of tets of ten nodes; else *middles is null. How
 * many of the nodes (rows, ascending) one set can have: they come first, the others behind them,
 * each in their order. The end adds to n_lost_middle the middles that lost their support by it. */
typedef struct deck_middles deck_middles;
ew_status deck_middles_begin(deck_case *d, deck_middles **middles);
int32_t deck_middles_part(deck_middles *middles, int component, int32_t n, int32_t *node);
void deck_middles_end(deck_middles *middles);

/* deck_amplitude.c: its factor at the end of a static step. */
ew_status deck_factor(deck_case *d, int32_t amplitude, const deck_moment *at, double *factor);
/* At the end of a step: what supports and loads have of an amplitude in step time stays as it is
 * then, as in CalculiX and Abaqus. Temperatures follow it again; once that is noted. */
ew_status deck_hold_values(deck_case *d, const deck_moment *end);
void deck_note_temperatures(deck_case *d);
/* A load, added to what the same step gave there. */
void deck_add_value(const deck_case *d, deck_value *to, double value, int32_t amplitude);
/* In a static step the value at its end; in a dynamic one it stays, and its amplitude with it. */
ew_status deck_settle(deck_case *d, const deck_moment *at, const deck_value *from, double *value,
                      int32_t *amplitude);
/* `amplitude:` of an entry, or nothing. */
ew_status deck_put_use(deck_case *d, int32_t amplitude, ew_case_entry *to);

/* deck_parameters.c: notes those that are not read of cards that are; EW_BAD_INPUT of a value that
 * means nothing. */
ew_status deck_check_parameters(deck_case *d);
/* Notes what elements are not, that are read as plain tets or as sets; n_turned: elements whose
 * nodes were in the other order. */
void deck_note_elements(deck_case *d, int32_t n_turned);
/* The first card from `from` on that is not read and has nearly one of the names, whose words are
 * separated by blanks; up to the next material where that is what it is looked for in. -1: none. */
int32_t deck_find_misspelled(const deck_case *d, int32_t from, const char *names, char nearest[64]);

/* deck_surfaces.c: which faces are inside the body; the faces of a card *SURFACE, borrowed. */
ew_status deck_find_inner(deck_case *d);
ew_status deck_find_surface(deck_case *d, int32_t card, const deck_surface **found);
/* Nodes of a face behind a list. */
ew_status deck_push_face(const deck_case *d, int32_t code, ew_list *to);
/* Nodes of a card *SURFACE, of faces or of nodes, ascending. */
ew_status deck_surface_nodes(deck_case *d, int32_t card, ew_list *node);
/* Its group of faces, null where it is a label alone; false: it has no faces. */
bool deck_surface_group(const deck_case *d, int32_t card, const char **group, int32_t *label);
/* A surface all of whose faces are in the list, which it leaves; false: there is none. */
bool deck_take_surface(const deck_case *d, ew_list *code, int32_t *surface);
void deck_face_vertices(const deck_case *d, int32_t code, int32_t face[3]);
/* Nodes of a face by row, out of the tet: corners, and where the tet has such the middles between
 * 01, 12 and 20; returns 3 or 6. */
int32_t deck_face_nodes(const deck_case *d, int32_t code, int32_t node[6]);
void deck_free_surfaces(deck_case *d);

/* deck_steps.c */
ew_status deck_read_steps(deck_case *d);

#endif
