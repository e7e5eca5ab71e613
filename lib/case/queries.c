/* Properties of a case: numbers of steps and records, times, kinds of analysis.
 */
#include "case/case.h"

#include <string.h>

double ew_case_time(const ew_case_step *step, int32_t n)
{
    const ew_case_dynamic *of = step->dynamic;
    return step->start + (of->end - step->start) * ((double)n / of->n_step);
}

int32_t ew_case_n_output(const ew_case_step *step)
{
    return (step->dynamic->n_step - 1) / step->dynamic->every + 1;
}

bool ew_case_is_quadratic(const ew_case *input)
{
    bool any = input->quadratic;
    for (int32_t s = 0; s < input->n_step; s++) {
        for (int32_t e = 0; e < input->step[s].n_edit; e++) {
            any = any || input->step[s].edit[e].operation == &ew_enrich_edit;
        }
    }
    return any;
}

bool ew_case_stands_beside(const ew_case_step *step)
{
    return step->n_part || step->is_fatigue || step->is_envelope;
}

bool ew_case_has_harmonic(const ew_case *input)
{
    bool found = false;
    for (int32_t s = 0; s < input->n_step; s++) {
        const ew_case_response *of = input->step[s].response;
        found = found || (of && of->kind == EW_RESPONSE_HARMONIC);
    }
    return found;
}

bool ew_case_is_solved(const ew_case_step *step)
{
    return step->has_static || step->dynamic || step->n_mode;
}

/* Of one combination. */
static int32_t count_steps(const ew_case *input, int64_t n_record)
{
    int64_t n = 0;
    for (int32_t s = 0; s < input->n_step; s++) {
        const ew_case_step *step = &input->step[s];
        const int64_t size = step->dynamic  ? 1 + ew_case_n_output(step)
                             : step->n_mode ? step->n_mode
                                            : 1;
        const int64_t left = n_record - step->first_record;
        const int64_t has = left < 0 ? 0 : left < size ? left : size;
        n += step->n_mode ? has == size : has;
    }
    return (int32_t)n;
}

int32_t ew_case_count_done(const ew_case *input, int32_t n_record)
{
    const ew_case_sweep *sweep = input->sweep;
    int32_t n = 0, k = 0;
    if (!sweep || !sweep->is_planned) {
        return count_steps(input, n_record);
    }
    for (; k < sweep->n && sweep->first_record[k + 1] <= n_record; k++) {
        n += count_steps(input, INT32_MAX);
    }
    return k < sweep->n ? n + count_steps(input, n_record - sweep->first_record[k]) : n;
}

static bool is_same_selector(const ew_selector *a, const ew_selector *b)
{
    return a->kind == b->kind && !memcmp(a->a, b->a, sizeof a->a) &&
           !memcmp(a->b, b->b, sizeof a->b) && a->radius == b->radius && a->label == b->label &&
           a->n_id == b->n_id &&
           (!a->n_id || !memcmp(a->id, b->id, (size_t)a->n_id * sizeof *a->id));
}

static bool is_same_set(const ew_case *a, const ew_case *b, int32_t node)
{
    const ew_set_node *p = &a->node[node], *q = &b->node[node];
    bool is_same = p->kind == q->kind && is_same_selector(&p->selector, &q->selector) &&
                   p->has_direction == q->has_direction && p->named == q->named &&
                   p->first_child == q->first_child &&
                   !memcmp(p->direction.normal, q->direction.normal, sizeof q->direction.normal) &&
                   p->direction.angle == q->direction.angle;
    for (int32_t c = p->first_child; c >= 0 && is_same; c = a->node[c].next) {
        is_same = is_same_set(a, b, c) && a->node[c].next == b->node[c].next;
    }
    return is_same;
}

bool ew_case_same_sets(const ew_case *a, const ew_case *b)
{
    bool is_same = a->n_set == b->n_set && a->n_node == b->n_node;
    for (int32_t s = 0; s < a->n_set && is_same; s++) {
        is_same = a->set[s].step >= 0 || a->set[s].group || is_same_set(a, b, a->set[s].node);
    }
    return is_same;
}
