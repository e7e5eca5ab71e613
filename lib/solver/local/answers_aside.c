/* Answers of several systems with one matrix, each with what local answers keep of it. In: which
 * one is solved for next. Out: its state in place, and the others aside, told of all updates. */
#include "solver/local/local_answer.h"
#include "solver/multilevel/multilevel.h"

static void exchange(ew_multilevel *m, ew_answer_aside *with)
{
    const ew_answer_aside here = {m->local_answer, m->local_correction.changed,
                                  m->local_correction.edge};
    m->local_answer = with->answer;
    m->local_correction.changed = with->changed;
    m->local_correction.edge = with->edge;
    *with = here;
}

ew_status ew_local_answer_use(ew_multilevel *m, int32_t number)
{
    if (number == m->answer) {
        return EW_OK;
    }
    const int32_t before = m->aside_capacity, most = number > m->answer ? number : m->answer;
    EW_TRY(ew_grow(&m->aside, &m->aside_capacity, (int64_t)most + 1, sizeof *m->aside));
    for (int32_t i = before; i < m->aside_capacity; i++) {
        m->aside[i] = (ew_answer_aside){0};
    }
    m->n_aside = most >= m->n_aside ? most + 1 : m->n_aside;
    exchange(m, &m->aside[m->answer]); /* nothing was there, */
    exchange(m, &m->aside[number]);    /* and is again */
    m->answer = number;
    return EW_OK;
}

ew_status ew_local_answer_touch_aside(ew_multilevel *m, const ew_list *row,
                                      const ew_list *aggregate)
{
    for (int32_t k = 0; k < m->n_aside; k++) {
        ew_answer_aside *of = &m->aside[k];
        for (int32_t i = 0; i < row->n && of->answer.is_kept; i++) {
            EW_TRY(ew_set_add(&of->changed, row->id[i]));
        }
        EW_TRY(ew_local_answer_add_aggregates(&of->answer, aggregate));
    }
    return EW_OK;
}

void ew_local_answer_reset_aside(ew_multilevel *m)
{
    for (int32_t k = 0; k < m->n_aside; k++) {
        ew_local_answer_reset(&m->aside[k].answer);
        ew_set_clear(&m->aside[k].changed);
        ew_set_clear(&m->aside[k].edge);
    }
}

void ew_local_answer_free_aside(ew_multilevel *m)
{
    for (int32_t k = 0; k < m->n_aside; k++) {
        ew_local_answer_free(&m->aside[k].answer);
        ew_set_free(&m->aside[k].changed);
        ew_set_free(&m->aside[k].edge);
    }
    ew_release(m->aside);
}
