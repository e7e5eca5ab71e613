/* Private to scene: bulk data of Nastran that become a keyword deck. (nastran_*.c) */
#ifndef EW_SCENE_NASTRAN_H
#define EW_SCENE_NASTRAN_H

#include "scene/internal.h"

typedef struct nastran nastran;

/* A kind of supports or loads. To add one: a line in the table of nastran_loads.c, and its
 * function. */
typedef enum nastran_group {
    NASTRAN_SUPPORTS,
    NASTRAN_LOADS,
    NASTRAN_COMBINATIONS, /* of loads or of supports, by sets */
    NASTRAN_DEFAULTS,     /* of temperatures, before those of nodes */
    NASTRAN_TEMPERATURES,
    NASTRAN_N_GROUP
} nastran_group;
typedef struct nastran_load_card {
    const char *name;
    nastran_group group;
    int32_t
        set_field; /* number of the field with the set that a subcase selects; -1: all have it */
    /* Writes the lines of a keyword deck for the card, which is n->bulk; its sizes times `scale`.
     */
    ew_status (*write)(nastran *n, double scale);
} nastran_load_card;

/* A card of the kind that the table has. */
typedef struct nastran_load {
    const nastran_load_card *kind;
    int64_t set;
    const char *at; /* where it begins in the data */
    int64_t line;
} nastran_load;

typedef struct nastran_tet {
    int64_t number;
    int64_t node[4]; /* corners, of which GRIDs are there */
    int64_t line;
} nastran_tet;

/* What a subcase selects; 0: nothing. */
typedef struct nastran_subcase {
    int64_t load, spc, temperature, method;
    int64_t line;
} nastran_subcase;

struct nastran {
    const ew_mesh_input *input;
    ew_bulk bulk;       /* the card that is read */
    const char *data;   /* of the bulk data */
    int64_t data_line;  /* its first line */
    int64_t solution;   /* SOL; 101 where there is none */
    bool has_selection; /* some subcase selects loads or supports; else all act together */
    int32_t n_subcase, subcase_capacity;
    nastran_subcase *subcase; /* owned; the first one has what stands before all others */
    int32_t n_load, load_capacity;
    nastran_load *load; /* owned, in the order of the data */
    int32_t n_tet, tet_capacity;
    nastran_tet *tet; /* owned, by ascending numbers once they are sorted */
    int32_t n_node, node_capacity;
    double (*node)[4]; /* owned: number, x, y, z; likewise */
    bool has_faces;
    ew_map face;      /* owned, where has_faces: 4 * row of the tet + corner opposite, by corners */
    ew_list property; /* owned: of tets */
    ew_list rigid_reference; /* owned: nodes that RBE2 and RBE3 are about */
    int32_t n_reference;
    double reference; /* temperature without thermal strain, of the materials */
    words deck;       /* the keyword deck */
    int32_t n_origin, origin_capacity;
    int32_t *origin;  /* [n_origin] owned: line of the bulk data for each of its lines */
    char keyword[64]; /* of the last card */
    int32_t n_note;
    words notes;
};

/* nastran_text.c: a line of the deck, made from the card that is read; a keyword, unless it goes
 * on. */
EW_PRINTF(2, 3) void nastran_line(nastran *n, const char *format, ...);
void nastran_keyword(nastran *n, const char *keyword);
/* Says of the card that is read what is left out, or read in another way. */
EW_PRINTF(2, 3) void nastran_note(nastran *n, const char *format, ...);
EW_PRINTF(2, 3) ew_status nastran_fail(const nastran *n, const char *format, ...);
/* A tet, a row of n->node, null: there is none; the tet with a side and the corner opposite, tet
 * null: none has it. */
const nastran_tet *nastran_find_tet(const nastran *n, int64_t number);
const double *nastran_find_node(const nastran *n, int64_t number);
ew_status nastran_find_face(nastran *n, const int64_t corner[3], const nastran_tet **tet,
                            int *opposite);

/* nastran_loads.c: the kind of a card, null: it is none. */
const nastran_load_card *nastran_load_card_of(const char *name);
/* Supports and loads of a subcase. */
ew_status nastran_put_supports(nastran *n, const nastran_subcase *of);
ew_status nastran_put_loads(nastran *n, const nastran_subcase *of);

/* nastran_rigid.c: RBE2 and RBE3, n->bulk; whether a node is the reference of one before. */
ew_status nastran_put_rbe2(nastran *n);
ew_status nastran_put_rbe3(nastran *n);
bool nastran_is_reference(const nastran *n, int64_t node);

/* nastran_read.c: the case control and all cards but those of the mesh; nodes, elements, materials
 * and sections of the deck. */
ew_status nastran_read(nastran *n);

#endif
