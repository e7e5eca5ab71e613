/* The sets of a case: expressions evaluated once on its mesh, then handed to the model, which keeps
 * them in step with edits. */
#include "study/run.h"

#include <string.h>

/* An evaluation under way; each set once. */
typedef struct evaluation {
    const ew_case *input;
    const ew_mesh *mesh;
    ew_list *member; /* [n_set] owned */
    uint8_t *done;   /* [n_set] owned */
} evaluation;

static ew_status evaluate(evaluation *in, int32_t node, ew_list *out);

static ew_status evaluate_set(evaluation *in, int32_t set)
{
    if (in->done[set]) {
        return EW_OK;
    }
    in->done[set] = 1;
    return evaluate(in, in->input->set[set].node, &in->member[set]);
}

static ew_status append(ew_list *to, const ew_list *from)
{
    for (int32_t i = 0; i < from->n; i++) {
        EW_TRY(ew_list_push(to, from->id[i]));
    }
    return EW_OK;
}

/* Ascending lists: `a` keeps the ids found in `b` (keep) or not found there (!keep). */
static void sift(ew_list *a, const ew_list *b, bool keep)
{
    int32_t n = 0, j = 0;
    for (int32_t i = 0; i < a->n; i++) {
        while (j < b->n && b->id[j] < a->id[i]) {
            j++;
        }
        if ((j < b->n && b->id[j] == a->id[i]) == keep) {
            a->id[n++] = a->id[i];
        }
    }
    a->n = n;
}

static ew_status combine(evaluation *in, const ew_set_node *node, ew_list *out)
{
    int32_t child = node->first_child;
    ew_list other = {0};
    ew_status status = evaluate(in, child, out);
    for (child = in->input->node[child].next; child >= 0 && !status;
         child = in->input->node[child].next) {
        other.n = 0;
        status = evaluate(in, child, &other);
        if (node->kind == EW_SET_UNION) {
            status = status ? status : append(out, &other);
            ew_list_sort_unique(out);
        } else {
            sift(out, &other, node->kind == EW_SET_INTERSECT);
        }
    }
    ew_list_free(&other);
    return status;
}

/* Members of an expression, ascending, into an empty list. */
static ew_status evaluate(evaluation *in, int32_t node, ew_list *out)
{
    const ew_set_node *at = &in->input->node[node];
    switch (at->kind) {
    case EW_SET_SELECT:
        return ew_mesh_select(in->mesh, &at->selector, out);
    case EW_SET_NAMED:
        EW_TRY(evaluate_set(in, at->named));
        return append(out, &in->member[at->named]);
    default:
        return combine(in, at, out);
    }
}

static ew_status define_all(ew_study *study, evaluation *in)
{
    for (int32_t i = 0; i < in->input->n_set; i++) {
        const ew_case_set *set = &in->input->set[i];
        const ew_model_set_def def = {set->is_unnamed ? NULL : set->name, EW_SET_OF_VERTICES,
                                      set->allow_empty};
        int32_t number;
        ew_status status = evaluate_set(in, i);
        if (!status) {
            status = ew_model_add_set(study->model, &def, &in->member[i], &number);
        }
        if (status) {
            ew_fail_line(status, set->line);
            return ew_fail_prefix(status, "set '%.60s'", set->name);
        }
    }
    return EW_OK;
}

ew_status ew_study_define_sets(ew_study *study)
{
    const int32_t n = study->input->n_set;
    evaluation in = {.input = study->input, .mesh = ew_model_mesh(study->model)};
    EW_TRY(ew_new_zero(&in.member, (size_t)n, sizeof *in.member));
    ew_status status = ew_new_zero(&in.done, (size_t)n, 1);
    if (!status) {
        status = define_all(study, &in);
    }
    for (int32_t i = 0; i < n; i++) {
        ew_list_free(&in.member[i]);
    }
    ew_release(in.member);
    ew_release(in.done);
    return status;
}

ew_status ew_study_require_members(const ew_study *study, int32_t set, int32_t line)
{
    const ew_case_set *about = &study->input->set[set];
    const ew_model_set view = ew_model_view_set(study->model, set);
    if (view.n_active > 0 || about->allow_empty) {
        return EW_OK;
    }
    return ew_fail_at(EW_BAD_INPUT, line,
                      "set '%.60s' (line %d) has no vertices%s; change its selection or say "
                      "'allow_empty: true'",
                      about->name, (int)about->line,
                      view.had_members ? " left after the edits" : "");
}
