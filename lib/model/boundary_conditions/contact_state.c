/* State of contacts beside the displacement, as numbers: which points are closed, gaps, forces,
 * what friction goes on from. In: contacts after a solve, or a step in time. Out: the same in a
 * model that takes the answer, so that it goes on with the same bits.
 *
 *   n_point, n_passed, n_placed, has_history, is_settled, those of model_turns
 *   of each point: contact, vertex id, bits, between, overlap, gap, force, those of model_friction
 *   [n_passed][3] what vertices slid in load steps before
 *   [n_placed][3] with large rotations where vertices were when rows were made
 */
#include "model/internal.h"

#include <stddef.h>
#include <string.h>

enum {
    N_HEAD = 9,
    N_OWN = 7,
    N_FRICTION = offsetof(model_friction, slips) / sizeof(double),
    N_POINT = N_OWN + N_FRICTION
};

/* ---- out ---------------------------------------------------------------------------------------
 */

static void write_point(const model_contacts *of, int32_t i, double *to)
{
    const model_contact_point *point = &of->point[i];
    const model_friction *friction = &of->friction[i];
    to[0] = point->contact;
    to[1] = (double)point->vertex_id;
    to[2] = point->is_closed + 2 * friction->slips + 4 * friction->has_slid + 8 * point->is_wide;
    to[3] = point->between;
    to[4] = point->overlap;
    to[5] = of->gap[i];
    to[6] = of->force[i];
    memcpy(to + N_OWN, friction, N_FRICTION * sizeof *to);
}

ew_status ew_model_contact_state(ew_model *model, int64_t *n, const double **state)
{
    model_contacts *of = &model->contacts;
    const bool is_of_mesh = of->n && of->revision == model->mesh.revision;
    const int32_t n_point = is_of_mesh ? of->n_point : 0, n_passed = is_of_mesh ? of->n_passed : 0;
    const int32_t n_placed =
        is_of_mesh && model_has_large_rotations(model) ? model->mesh.n_vertex : 0;
    *n = is_of_mesh ? N_HEAD + (int64_t)N_POINT * n_point + 3 * (int64_t)(n_passed + n_placed) : 0;
    EW_TRY(ew_grow(&of->state, &of->state_capacity, *n, sizeof *of->state));
    *state = of->state;
    if (!*n) {
        return EW_OK;
    }
    double *to = of->state;
    const model_turns *turns = &of->turns;
    const double head[N_HEAD] = {n_point,         n_passed,       n_placed,
                                 of->has_history, of->is_settled, turns->n_round,
                                 turns->n_change, turns->contact, (double)turns->vertex_id};
    memcpy(to, head, sizeof head);
    to += N_HEAD;
    for (int32_t i = 0; i < n_point; i++, to += N_POINT) {
        write_point(of, i, to);
    }
    if (n_passed) {
        memcpy(to, of->passed, 3 * (size_t)n_passed * sizeof *to);
    }
    if (n_placed) {
        memcpy(to + 3 * (size_t)n_passed, of->placed, 3 * (size_t)n_placed * sizeof *to);
    }
    return EW_OK;
}

/* ---- in ----------------------------------------------------------------------------------------
 */

ew_status ew_model_put_contact_state(ew_model *model, int64_t n, const double *state)
{
    model_contacts *of = &model->contacts;
    if (n < 0 || n > INT32_MAX || (n && n < N_HEAD)) {
        return ew_fail(EW_BAD_INPUT, "contact: a state of %lld numbers", (long long)n);
    }
    EW_TRY(ew_grow(&of->put, &of->put_capacity, n, sizeof *of->put));
    of->n_put = (int32_t)n;
    if (n) {
        memcpy(of->put, state, (size_t)n * sizeof *state);
    }
    return EW_OK;
}

static bool fits(const ew_model *model)
{
    const model_contacts *of = &model->contacts;
    const double *head = of->put;
    const int32_t n_vertex = model->mesh.n_vertex;
    bool same = head[0] == of->n_point && (head[1] == 0.0 || head[1] == n_vertex) &&
                head[2] == (model_has_large_rotations(model) ? n_vertex : 0) &&
                of->n_put == N_HEAD + N_POINT * head[0] + 3.0 * (head[1] + head[2]);
    for (int32_t i = 0; i < of->n_point && same; i++) {
        const double *from = of->put + N_HEAD + N_POINT * (size_t)i;
        same = from[0] == of->point[i].contact && from[1] == (double)of->point[i].vertex_id;
    }
    return same;
}

/* With large rotations rows are of where vertices were, which another displacement may have left.
 */
static ew_status place(ew_model *model)
{
    model_contacts *of = &model->contacts;
    const size_t n = 3 * (size_t)model->mesh.n_vertex;
    const double n_point = of->put[0], n_passed = of->put[1];
    if (of->put[2] != model->mesh.n_vertex || !(n_point >= 0.0 && n_passed >= 0.0) ||
        of->n_put != N_HEAD + N_POINT * n_point + 3.0 * (n_passed + of->put[2])) {
        return EW_OK; /* fits() tells */
    }
    const double *placed = of->put + N_HEAD + N_POINT * (size_t)n_point + 3 * (size_t)n_passed;
    const bool is_current = model->equations.is_current && of->revision == model->mesh.revision &&
                            !memcmp(of->placed, placed, n * sizeof *placed);
    if (is_current) {
        return EW_OK;
    }
    EW_TRY(ew_grow(&of->placed, &of->placed_capacity, (int64_t)n / 3, 3 * sizeof *of->placed));
    memcpy(of->placed, placed, n * sizeof *placed);
    of->is_placed = true;
    model_forget_equations(model);
    const ew_status status = model_update_supports(model);
    of->is_placed = false;
    return status;
}

static void read_point(model_contacts *of, int32_t i, const double *from)
{
    model_contact_point *point = &of->point[i];
    model_friction *friction = &of->friction[i];
    const int bits = (int)from[2];
    point->is_closed = bits & 1;
    friction->slips = bits & 2;
    friction->has_slid = bits & 4;
    point->is_wide = bits & 8;
    point->between = from[3];
    point->overlap = from[4];
    of->gap[i] = from[5];
    of->force[i] = from[6];
    memcpy(friction, from + N_OWN, N_FRICTION * sizeof *from);
}

ew_status model_recall_contacts(ew_model *model, double tolerance)
{
    model_contacts *of = &model->contacts;
    if (!of->n_put) {
        model_find_closed(model, tolerance);
        return EW_OK;
    }
    EW_TRY(model_has_large_rotations(model) ? place(model) : EW_OK);
    if (!fits(model)) {
        of->n_put = 0;
        return ew_fail(EW_BAD_INPUT, "contact: the state is of other points");
    }
    const double *from = of->put + N_HEAD;
    for (int32_t i = 0; i < of->n_point; i++, from += N_POINT) {
        read_point(of, i, from);
    }
    const int32_t n_passed = (int32_t)of->put[1];
    EW_TRY(ew_grow(&of->passed, &of->passed_capacity, n_passed, 3 * sizeof *of->passed));
    of->n_passed = n_passed;
    for (size_t i = 0; i < 3 * (size_t)n_passed; i++) {
        of->passed[i] = from[i];
    }
    of->has_history = of->put[3] != 0.0;
    of->is_settled = of->put[4] != 0.0;
    of->turns = (model_turns){(int32_t)of->put[5], (int32_t)of->put[6], (int32_t)of->put[7],
                              (int64_t)of->put[8]};
    of->n_put = 0;
    model_renew_contact_equations(model);
    return EW_OK;
}
