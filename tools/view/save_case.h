/* Private to save_*.c: a case that was opened, and what commands changed of it, on its way into the
 * text. */
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
    int32_t n_named;            /* sets that the draft has */
    char (*name)[80];           /* [sets of the model] owned: "" none */
} view_case_change;
/* The step of the case that is shown. */
static inline const ew_case_step *view_step_of(const view_case_change *c)
{
    return &c->input->step[c->play->body.step];
}

/* save_sets.c: the order of int64_t; the sets that commands gave; `set:` of a new entry; whether
 * nothing of a set is in the body, -1: the body is. */
int view_compare_ids(const void *one, const void *other);
ew_status view_put_named_sets(view_case_change *c);
ew_status view_put_use(view_case_change *c, int32_t set, ew_case_entry *to);
bool view_is_empty(const view_case_change *c, int32_t set);
/* save_acting.c */
ew_status view_put_supports(view_case_change *c);
ew_status view_put_loads(view_case_change *c);

#endif
