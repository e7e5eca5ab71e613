/* Private to format: the parts of a mesh in a keyword deck. (inp*.c) */
#ifndef EW_FORMAT_INP_H
#define EW_FORMAT_INP_H

#include "format/framework/draft.h"

/* inp_elements.c: *NODE and *ELEMENT; *tet and *middle [n_tet][4] and [n_tet][6], owned by the
 * caller, by rows of nodes. */
typedef struct ew_inp_tets {
    int32_t n, capacity, middle_capacity, element_capacity;
    int32_t *tet, *middle; /* owned: nodes by row; middles -1: none */
    int32_t *element;      /* [n] owned: row of ew_deck.element */
    bool has_middles;
} ew_inp_tets;
ew_status ew_inp_read_nodes(ew_deck *deck);
ew_status ew_inp_read_elements(ew_deck *deck, ew_inp_tets *tets);
void ew_inp_tets_free(ew_inp_tets *tets);

/* inp_parts.c: cards of parts stand where the parts are placed, once for each instance. */
ew_status ew_inp_place_parts(ew_deck *deck);

/* inp_surfaces.c: the card *SURFACE that a field of a card of this scope means; null: none. */
const ew_deck_card *ew_inp_find_surface(const ew_deck *deck, int32_t scope,
                                        const ew_deck_field *name);
/* Behind lists: codes 4 * tet + face (null: not wanted) and nodes, middles too; ascending, each
 * once. *is_good: unchanged, or false where an entry is no node and no face of a tet. */
ew_status ew_inp_list_surface(const ew_deck *deck, const ew_inp_tets *tets,
                              const ew_deck_card *surface, ew_list *code, ew_list *node,
                              bool *is_good);

/* inp_sections.c: nodes of *PRE-TENSION SECTION are doubled; the faces on the far side into
 * deck->section. */
ew_status ew_inp_split_sections(ew_deck *deck, ew_inp_tets *tets);

/* inp_ties.c: nodes of tied surfaces become one, in tets and sets. */
ew_status ew_inp_weld_ties(ew_deck *deck, ew_inp_tets *tets);

/* inp_parameters.c: EW_BAD_INPUT where a card of the mesh has one that is not read. */
ew_status ew_inp_check_parameters(const ew_deck *deck);

/* inp_sets.c: all sets, from cards of nodes and elements, too. */
ew_status ew_inp_read_sets(ew_deck *deck, const ew_inp_tets *tets);

/* Labeled triangles, growing. */
typedef struct ew_inp_faces {
    int32_t n, capacity, label_capacity;
    int32_t *face, *label; /* owned: [n][3] nodes by row, [n] */
} ew_inp_faces;
/* inp_regions.c: regions of tets [tets->n], zeros before; their sets say so in the deck. */
ew_status ew_inp_find_regions(ew_deck *deck, const ew_inp_tets *tets, int32_t *region);
/* Name of a label without a name in written files: "REGION_3", of `word`
 * "REGION_". */
bool ew_inp_label_name(const char *name, const char *word, int32_t *label);

/* inp_groups.c: regions of tets [n_tet], faces with their labels, and the names of all. */
ew_status ew_inp_name_groups(ew_deck *deck, const ew_inp_tets *tets, int32_t *region,
                             ew_inp_faces *faces, ew_groups *groups);

/* Nodes of an element of a deck, [*n] borrowed, in pieces: of a tet its corners, then, where they
 * are there, its middles; *n is 0 behind the last piece. */
const int32_t *ew_inp_nodes(const ew_deck *deck, const ew_inp_tets *tets, int32_t element,
                            int32_t piece, int32_t *n);

/* inp_write.c: of the format's write_mesh. */
ew_status ew_inp_write(const ew_mesh *mesh, const ew_groups *groups, bool user_order,
                       ew_text *file);

/* Corners of face S1 to S4 of a tet, out of it. */
extern const int8_t ew_inp_face[4][3];

#endif
