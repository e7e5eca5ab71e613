/* Supports, springs and loads of a case that was opened: those that commands added, changed or took
 * away. In: lists of supports.c. Out: entries of the case, and nodes of its text. */
#include "save_case.h"

#include <string.h>

/* The node of the list that the step takes, its own or the case's; 0: there is none. */
static int32_t list_of(const view_case_change *c, const char *key, bool is_own)
{
    return ew_case_editor_value(c->editor, is_own ? c->at_step : EW_CASE_EDITOR_ROOT, key);
}

/* New entries go where those are that the step takes. */
static ew_case_entry *add_item(view_case_change *c, const char *key, bool is_own)
{
    return ew_case_add_mapping(ew_case_add_list(is_own ? c->step : c->root, key), NULL);
}

/* Takes those away that `kept` [n] has none of; places of the file by item, -1: not counted. */
static void remove_others(view_case_change *c, int32_t list, int32_t n_item, const int32_t *place,
                          int32_t n_kept, const int32_t *kept)
{
    for (int32_t i = 0; i < n_item; i++) {
        bool is_kept = place[i] < 0;
        for (int32_t k = 0; k < n_kept && !is_kept; k++) {
            is_kept = kept[k] == place[i];
        }
        if (!is_kept) {
            ew_case_editor_remove(c->editor, ew_case_editor_item(c->editor, list, i));
        }
    }
}

static ew_status put_new_supports(view_case_change *c, bool is_own)
{
    const view_supports *with = &c->play->supports;
    for (int32_t i = 0; i < with->n_constraint; i++) {
        const ew_model_constraint *from = &with->constraint[i];
        if (with->constraint_of_file[i] < 0 && !view_is_empty(c, from->set)) {
            ew_case_entry *made = add_item(c, "constraints", is_own);
            EW_TRY(view_put_use(c, from->set, made));
            ew_case_add_components(made, "displacement", from->value, from->fixed);
        }
    }
    for (int32_t i = 0; i < with->n_spring; i++) {
        if (with->spring_of_file[i] < 0 && !view_is_empty(c, with->spring[i].set)) {
            ew_case_entry *made = add_item(c, "constraints", is_own);
            EW_TRY(view_put_use(c, with->spring[i].set, made));
            view_put_spring(&with->spring[i], made);
        }
    }
    return EW_OK;
}

/* Other components of displacements of the case; place: of each item among those of the model. */
static ew_status change_supports(view_case_change *c, int32_t node, int32_t n,
                                 const ew_case_constraint *list, const int32_t *place)
{
    const view_supports *with = &c->play->supports;
    ew_case_entry *scratch =
        ew_case_add_mapping(ew_case_add_list(ew_case_draft_root(c->other), "constraints"), NULL);
    for (int32_t i = 0; i < with->n_constraint; i++) {
        const ew_model_constraint *now = &with->constraint[i];
        int32_t k = 0;
        while (k < n && (place[k] < 0 || place[k] != with->constraint_of_file[i])) {
            k++;
        }
        if (k == n || !view_is_plain_support(now) ||
            (now->fixed == list[k].fixed &&
             !memcmp(now->value, list[k].value, sizeof now->value))) {
            continue;
        }
        const int32_t item = ew_case_editor_item(c->editor, node, k),
                      old = ew_case_editor_value(c->editor, item, "displacement");
        if (!old) {
            return ew_fail(EW_BAD_INPUT,
                           "save: the support in line %d is no 'displacement', and "
                           "cannot be changed in the case",
                           (int)list[k].line);
        }
        EW_TRY(ew_case_editor_replace(c->editor, old,
                                      ew_case_add_components(scratch, "displacement", now->value,
                                                             now->fixed)));
    }
    return EW_OK;
}

ew_status view_put_supports(view_case_change *c)
{
    const view_supports *with = &c->play->supports;
    const ew_case_step *step = view_step_of(c);
    const bool is_own = step->own_constraints;
    const int32_t n = is_own ? step->n_constraint : c->input->n_constraint;
    const ew_case_constraint *list = is_own ? step->constraint : c->input->constraint;
    const int32_t node = list_of(c, "constraints", is_own);
    int32_t *place[2] = {NULL, NULL}, n_counted[2] = {0, 0};
    EW_TRY(put_new_supports(c, is_own));
    ew_status status = ew_new(&place[0], (size_t)n, sizeof **place);
    status = status ? status : ew_new(&place[1], (size_t)n, sizeof **place);
    for (int32_t i = 0; i < n && !status; i++) {
        const int kind = list[i].is_spring;
        place[kind][i] = n_counted[kind]++;
        place[!kind][i] = -1;
    }
    if (!status && n_counted[0] == with->n_of_file[0] && n_counted[1] == with->n_of_file[2]) {
        /* else the step has not begun: all are kept */
        remove_others(c, node, n, place[0], with->n_constraint, with->constraint_of_file);
        remove_others(c, node, n, place[1], with->n_spring, with->spring_of_file);
        status = change_supports(c, node, n, list, place[0]);
    }
    ew_release(place[0]);
    ew_release(place[1]);
    return status;
}

/* Another vector of a load of the case. */
static ew_status change_load(view_case_change *c, int32_t node, const ew_model_load *load)
{
    ew_case_entry *scratch =
        ew_case_add_mapping(ew_case_add_list(ew_case_draft_root(c->other), "loads"), NULL);
    const char *key = view_load_key(load);
    const int32_t value = key ? ew_case_editor_value(c->editor, node, key) : 0;
    const int32_t axes = ew_case_editor_value(c->editor, node, "axes");
    const bool is_pressure = load->kind == EW_LOAD_PRESSURE;
    if (!value || (is_pressure && !ew_case_editor_text(c->editor, value))) {
        return ew_fail(EW_BAD_INPUT, "save: a load of this kind cannot be changed in a case");
    }
    if (is_pressure) {
        return ew_case_editor_replace(c->editor, value,
                                      ew_case_add_number(scratch, key, load->pressure));
    }
    if (axes && !ew_load_traits_of(load->kind)->has_axes) { /* now along x, y and z */
        ew_case_editor_remove(c->editor, axes);
    }
    return ew_case_editor_replace(c->editor, value,
                                  ew_case_add_numbers(scratch, key, load->vector, 3));
}

ew_status view_put_loads(view_case_change *c)
{
    const view_supports *with = &c->play->supports;
    const ew_case_step *step = view_step_of(c);
    const bool is_own = step->own_loads;
    const int32_t n = is_own ? step->n_load : c->input->n_load;
    const ew_case_load *list = is_own ? step->load : c->input->load;
    const int32_t node = list_of(c, "loads", is_own);
    int32_t *place;
    const bool has_begun = n == with->n_of_file[1]; /* else all of the file are kept */
    for (int32_t i = 0; i < with->n_load; i++) {
        const ew_model_load *load = &with->load[i];
        const int32_t from = with->load_of_file[i];
        if (from < 0 && !view_is_empty(c, load->set)) {
            ew_case_entry *made = add_item(c, "loads", is_own);
            EW_TRY(load->set >= 0 ? view_put_use(c, load->set, made) : EW_OK);
            EW_TRY(view_put_load(load, made));
        } else if (from >= 0 && has_begun &&
                   (load->pressure != list[from].as.pressure ||
                    memcmp(load->vector, list[from].as.vector, sizeof load->vector) != 0)) {
            EW_TRY(change_load(c, ew_case_editor_item(c->editor, node, from), load));
        }
    }
    EW_TRY(ew_new(&place, (size_t)n, sizeof *place));
    for (int32_t i = 0; i < n; i++) {
        place[i] = i;
    }
    if (has_begun) {
        remove_others(c, node, n, place, with->n_load, with->load_of_file);
    }
    ew_release(place);
    return EW_OK;
}
