/* Faces of a part for edgewise info: a table, selectors of a case, pictures with their numbers. */
#ifndef EW_TOOL_FACES_H
#define EW_TOOL_FACES_H

#include "case/case.h"
#include "tool.h"

/* Labeled triangles of a mesh or a surface, and the rest of a mesh's boundary. */
typedef struct faces {
    const double *xyz; /* [..][3] borrowed */
    int32_t n_triangle, capacity, place_capacity;
    int32_t *triangle;       /* [n_triangle][3] owned */
    int32_t *place;          /* [n_triangle] owned: of its label in `label`; -1: it has none */
    ew_list label;           /* ascending, each once */
    ew_list count;           /* [label.n] triangles */
    const ew_groups *groups; /* borrowed: names; geometry as of the file or measured */
} faces;
ew_status faces_of_mesh(const ew_mesh *mesh, const ew_groups *groups, faces *out);
ew_status faces_of_surface(const ew_surface *surface, const ew_groups *groups, faces *out);
void faces_free(faces *own);

/* On stdout a line for each label, and for each face where several have one. */
void faces_print(const faces *of);
/* All faces as comma separated values with a head. */
void faces_print_csv(const faces *of);
/* `sets:` of a case with the geometry of every face and solid that has no name. */
void faces_print_sets(const ew_groups *groups);

/* unit: of lengths, null: not known. NAME.png, and NAME.2.png and on, until every face that can be
 * seen from outside has its number in one. Tells what was drawn. EW_BAD_INPUT: the name does not
 * end in .png. (faces_picture.c) */
ew_status faces_draw(const faces *of, const char *unit, const char *path);

#endif
