/* Rows in which directions that are no axes are prescribed, as the preconditioner knows them. In:
 * the system's list of them. Out: a copy that is found by row, and which rows are in it otherwise
 * than before. */
#include "solver/multilevel/multilevel.h"

#include <string.h>

/* Whether row k of the list is known as it is. */
static bool is_known(const ew_multilevel *m, const ew_oblique *list, int32_t k)
{
    const int32_t row = list->row[k];
    const int32_t at = row < m->n_oblique_place ? m->oblique_place[row] - 1 : -1;
    return at >= 0 && at < m->oblique.n && m->oblique.row[at] == row &&
           memcmp(m->oblique.normal + 6 * (size_t)at, list->normal + 6 * (size_t)k,
                  6 * sizeof *list->normal) == 0;
}

static ew_status make_room(ew_multilevel *m, int32_t n, int32_t n_row)
{
    EW_TRY(ew_grow(&m->oblique.row, &m->oblique.row_capacity, n, sizeof *m->oblique.row));
    EW_TRY(
        ew_grow(&m->oblique.normal, &m->oblique.normal_capacity, n, 6 * sizeof *m->oblique.normal));
    EW_TRY(ew_grow(&m->oblique_place, &m->place_capacity, n_row, sizeof *m->oblique_place));
    for (; m->n_oblique_place < n_row; m->n_oblique_place++) {
        m->oblique_place[m->n_oblique_place] = 0;
    }
    return EW_OK;
}

ew_status ew_multilevel_take_oblique(ew_multilevel *m, ew_fine_level *fine)
{
    const ew_oblique *list = fine->oblique;
    const int32_t n_row = fine->pattern->n_row;
    m->turned.n = 0;
    for (int32_t k = 0; list && k < list->n; k++) {
        if (list->row[k] < n_row && !is_known(m, list, k)) {
            EW_TRY(ew_list_push(&m->turned, list->row[k]));
        }
    }
    EW_TRY(list && list->n ? make_room(m, list->n, n_row) : EW_OK);
    m->oblique.n = 0;
    for (int32_t k = 0; list && k < list->n; k++) {
        const int32_t at = m->oblique.n;
        if (list->row[k] < n_row) { /* others are beyond the pattern */
            m->oblique.row[at] = list->row[k];
            memcpy(m->oblique.normal + 6 * (size_t)at, list->normal + 6 * (size_t)k,
                   6 * sizeof *list->normal);
            m->oblique_place[list->row[k]] = ++m->oblique.n;
        }
    }
    ew_multilevel_show_oblique(m, fine);
    return EW_OK;
}

void ew_multilevel_show_oblique(const ew_multilevel *m, ew_fine_level *fine)
{
    fine->oblique = m->oblique.n ? &m->oblique : NULL;
    fine->oblique_place = m->oblique_place;
}
