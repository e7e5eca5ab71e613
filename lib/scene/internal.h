/* Private to scene: a SOFA scene under way. */
#ifndef EW_SCENE_INTERNAL_H
#define EW_SCENE_INTERNAL_H

#include "case/case.h"
#include "format/parts/format.h"
#include "scene/scene.h"
#include "scene/sofa/xml.h"

/* A text that grows; what is put in after a failure is dropped. */
typedef struct words {
    int32_t n, capacity;
    char *text; /* owned */
    ew_status status;
} words;
EW_PRINTF(2, 3) void words_add(words *to, const char *format, ...);
/* Says at the top of a case which deck or SOFA scene it is made from, and with which notes. */
void scene_put_head(ew_case_draft *draft, const char *what, const char *name, const words *notes);

/* Parts of the scene and their counterparts. Elements by number in the tree. */
typedef struct sofa {
    const ew_scene_def *def;
    xml_tree tree;
    bool *is_read;   /* [tree.n] owned: it is in the case */
    int32_t elastic; /* the component that makes the body elastic */
    int32_t body;    /* the Node it is in */
    ew_mesh mesh;
    double volume;
    int32_t *number; /* [mesh.n_vertex] owned: of a vertex in the written mesh, -1: in no tet */
    int32_t n_note;
    words notes;
    ew_case_draft *draft; /* owned */
    int32_t n_set, n_amplitude, n_surface;
} sofa;

/* sofa_element.c */
/* Adds a line to the list of what is left out or read otherwise. */
EW_PRINTF(3, 4) void sofa_note(sofa *s, int32_t element, const char *format, ...);
/* EW_BAD_INPUT at the line of the element, after its name. */
EW_PRINTF(3, 4) ew_status sofa_fail(const sofa *s, int32_t element, const char *format, ...);
/* Whether a component is called one of the names, separated by spaces. */
bool sofa_is(const sofa *s, int32_t element, const char *names);
/* Kinds of the force fields that make a body. (sofa_element.c) */
extern const char sofa_elastic_names[];
/* The name of a component: that of its element, of an <Object> its type. */
const char *sofa_kind(const sofa *s, int32_t element);
/* The next component after `from` (-1: the first) that has one of the names and stands in `node`;
 * -1: none. In scope: in the body's Node or one around it, nearest first, marked as read. */
int32_t sofa_next_in(const sofa *s, int32_t node, int32_t from, const char *names);
int32_t sofa_in_scope(sofa *s, const char *names);
/* What a link "@../name.data" leads to: the component of this name, -1 none. */
int32_t sofa_follow(const sofa *s, int32_t element, const char *link);
/* Numbers of an attribute: at least `min`, at most `max`; *n of them, 0 where it is absent. */
ew_status sofa_numbers(const sofa *s, int32_t element, const char *attribute, int32_t min,
                       int32_t max, double *value, int32_t *n);
/* One number; `value` stays where it is absent. */
ew_status sofa_number(const sofa *s, int32_t element, const char *attribute, double *value);
/* All numbers; *value is owned by the caller, null where it is absent or a link. */
ew_status sofa_list(const sofa *s, int32_t element, const char *attribute, double **value,
                    int32_t *n);

/* sofa_body.c: the mesh in its place. */
ew_status sofa_read_body(sofa *s);
/* sofa_acts.c: constraints and forces on it, with the sets they need; surfaces. */
ew_status sofa_read_constraints(sofa *s);
ew_status sofa_read_forces(sofa *s);
ew_status sofa_read_surfaces(sofa *s);
/* sofa_element.c: notes of all that has not been read. */
void sofa_list_the_rest(sofa *s);
/* sofa_case.c: the rest, and all of it as a case. */
ew_status sofa_write_case(sofa *s, ew_text *text);

#endif
