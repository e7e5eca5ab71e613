/* tools/view, private: a case that was opened, while it is written with what commands changed. */
#ifndef EW_VIEW_SAVE_CASE_H
#define EW_VIEW_SAVE_CASE_H

#include "play.h"

typedef struct view_case_change {
    const view_play *play;
    const ew_model *model;
    const ew_case *input;
    ew_case_editor *editor;
    ew_case_draft *draft, *other;
    ew_case_entry *root, *step; /* what goes into the case, and into its step: of the two drafts */
    int32_t at_step;            /* node of that step in the case; 0: the case lists no steps */
    bool is_edited;             /* edits come before what the step has, or are among the changes */
    /* 0: the case keeps its mesh. Else the present mesh goes beside it, with sets of faces as
     * triangles: label first_label + s of the model's set s. */
    int32_t first_label;
    int32_t n_named;  /* sets that the draft has */
    char (*name)[80]; /* [sets of the model] owned: "" none */
} view_case_change;

/* save_present.c: a case of the present mesh. First: labels of sets, the name of the mesh in place
 * of what the case is made from, no edits that the mesh has behind it. Then, once all sets have
 * names, these in place of selections that are written where they are used; and the mesh, the
 * caller's. */
ew_status view_begin_present(view_case_change *change, const char *mesh_file);
ew_status view_name_present_sets(view_case_change *change);
ew_status view_copy_present_mesh(const view_case_change *change, ew_mesh *mesh);
/* The members of a set of the model, as the mesh or the case has them. */
ew_status view_put_present_set(const view_case_change *change, int32_t set, ew_case_entry *to);

/* The step of the case that is shown. */
static inline const ew_case_step *view_step_of(const view_case_change *c)
{
    return &c->input->step[c->play->body.step];
}

/* save_sets.c: the order of int64_t; the sets that commands gave; `set:` of a new entry; whether
 * nothing of a set is in the body, -1: the body is. */
int view_compare_ids(const void *one, const void *other);
ew_status view_put_named_sets(view_case_change *change);
ew_status view_put_use(view_case_change *change, int32_t set, ew_case_entry *to);
bool view_is_empty(const view_case_change *change, int32_t set);
/* save_acting.c */
ew_status view_put_supports(view_case_change *change);
ew_status view_put_loads(view_case_change *change);

#endif
