/* Rigid surfaces of contacts. In: their definitions and motions. Out: surfaces that are where a
 * solve, a load step or a time step has them. */
#include "model/internal.h"

#include <string.h>

static const char *const names[] = {"", "rigid plane", "rigid sphere", "rigid cylinder",
                                    "rigid surface"};

static ew_status create(const ew_model_contact *list, int32_t i, ew_rigid **rigid)
{
    *rigid = NULL;
    if (list[i].rigid.kind == EW_RIGID_NONE || !ew_rigid_create(rigid, &list[i].rigid)) {
        return EW_OK;
    }
    const ew_failure failure = *ew_last_failure();
    return ew_fail_about(failure.status, i, -1, "contact %d: %s: %s", i + 1,
                         names[list[i].rigid.kind], failure.text);
}

void model_free_rigid(int32_t n, model_rigid *list)
{
    for (int32_t i = 0; i < n && list; i++) {
        ew_rigid_free(list[i].surface);
    }
    ew_release(list);
}

ew_status model_make_rigid(int32_t n, const ew_model_contact *list, model_rigid **out)
{
    model_rigid *made = NULL;
    ew_status status = ew_new_zero(&made, (size_t)n, sizeof *made);
    for (int32_t i = 0; i < n && !status; i++) {
        status = create(list, i, &made[i].surface);
        made[i].now = list[i].rigid.motion;
    }
    if (status) {
        model_free_rigid(n, made);
        return status;
    }
    *out = made;
    return EW_OK;
}

bool model_rigid_has_moved(const model_rigid *rigid)
{
    bool moved = false;
    for (int c = 0; c < 3 && rigid->surface; c++) {
        moved = moved || rigid->now.displacement[c] != 0.0 || rigid->now.rotation[c] != 0.0;
    }
    return moved;
}

/* True: it has moved. */
static bool move(model_rigid *of, const ew_rigid_motion *motion)
{
    const bool moves = of->surface && memcmp(&of->now, motion, sizeof *motion);
    if (moves) {
        of->now = *motion;
        (void)ew_rigid_move(of->surface, motion); /* finite, as both that it is between */
    }
    return moves;
}

/* The surface of that definition, rather of the same slave; -1: none. */
static int32_t find_surface(const model_contacts *of, const ew_model_contact *contact)
{
    int32_t at = -1;
    for (int32_t k = 0; k < of->n && contact->rigid.kind != EW_RIGID_NONE; k++) {
        const bool is_better = at < 0 || (of->given[at].slave != contact->slave &&
                                          of->given[k].slave == contact->slave);
        if (is_better && of->rigid[k].surface &&
            ew_rigid_is_same(of->rigid[k].surface, &contact->rigid)) {
            at = k;
        }
    }
    return at;
}

void model_pass_surfaces(ew_model *model, int32_t n, const ew_model_contact *list,
                         model_rigid *made)
{
    model_contacts *of = &model->contacts;
    for (int32_t i = 0; i < n; i++) {
        const int32_t at = find_surface(of, &list[i]);
        if (at >= 0) {
            ew_rigid_free(made[i].surface);
            made[i] = of->rigid[at];
            of->rigid[at].surface = NULL;
            (void)move(&made[i], &list[i].rigid.motion);
        }
    }
}

bool model_move_rigid(ew_model *model, const ew_model_contact *list)
{
    model_contacts *of = &model->contacts;
    bool any = false;
    for (int32_t i = 0; i < of->n; i++) {
        of->given[i].rigid.motion = list[i].rigid.motion;
        of->given[i].amplitude = list[i].amplitude;
        any = move(&of->rigid[i], &list[i].rigid.motion) || any;
    }
    if (any) {
        model_forget_equations(model);
    }
    return any;
}

void model_start_rigid(ew_model *model)
{
    model_contacts *of = &model->contacts;
    for (int32_t i = 0; i < of->n; i++) {
        of->rigid[i].start = of->rigid[i].settled;
    }
}

void model_place_rigid(ew_model *model, double share)
{
    model_contacts *of = &model->contacts;
    bool any = false;
    for (int32_t i = 0; i < of->n; i++) {
        const ew_rigid_motion at =
            ew_rigid_between(&of->rigid[i].start, &of->given[i].rigid.motion, share);
        any = move(&of->rigid[i], &at) || any;
    }
    if (any) {
        model_forget_equations(model);
    }
}

bool model_place_rigid_at(ew_model *model, double time)
{
    model_contacts *of = &model->contacts;
    bool any = false;
    for (int32_t i = 0; i < of->n; i++) {
        const ew_model_contact *given = &of->given[i];
        const double factor =
            given->amplitude ? ew_amplitude_at(&model->amplitude[given->amplitude - 1], time) : 1.0;
        ew_rigid_motion at = given->rigid.motion;
        for (int c = 0; c < 3; c++) {
            at.displacement[c] *= factor;
            at.rotation[c] *= factor;
        }
        any = move(&of->rigid[i], &at) || any;
    }
    if (any) {
        model_forget_equations(model);
    }
    return any;
}

/* Of forces on entries: at vertices where they are, and of sides at how far they are curved, as a
 * rotation displaces both; with large rotations sides are straight. */
static void add_moment(const ew_model *model, const ew_contact_rows *rows, int32_t row,
                       double force, double moment[3])
{
    const double *placed = model->contacts.placed, *curve = model->quadratic.rows.curve;
    const int32_t n_vertex = model->mesh.n_vertex;
    const bool is_large = model_has_large_rotations(model);
    for (int32_t t = rows->begin[row]; t < rows->begin[row + 1]; t++) {
        const int32_t at = rows->entry[t] / 3, c = rows->entry[t] % 3, d = (c + 1) % 3,
                      e = (c + 2) % 3;
        const bool is_vertex = at < n_vertex;
        const double *from = is_large && is_vertex ? placed : model->mesh.xyz;
        const double f = force * rows->factor[t];
        const double *x = is_vertex            ? from + 3 * (size_t)at
                          : curve && !is_large ? curve + 3 * (size_t)(at - n_vertex)
                                               : NULL;
        if (x) { /* x times f along c */
            moment[d] += x[e] * f;
            moment[e] -= x[d] * f;
        }
    }
}

void model_add_rigid_moment(const ew_model *model, const model_contact_part *part, int32_t row,
                            int32_t i, double moment[3])
{
    const model_contacts *of = &model->contacts;
    const model_friction *at = &of->friction[i];
    if (!of->rigid[part->contact].surface) {
        return;
    }
    add_moment(model, &part->rows, row, of->force[i], moment);
    for (int c = 0; c < 3 && part->friction > 0.0; c++) {
        const double along = at->force[0] * at->tangent[0][c] + at->force[1] * at->tangent[1][c];
        add_moment(model, &part->tie, 3 * row + c, along, moment);
    }
}

/* Points of a contact have gone along with the surface, or slid. */
static void forget_slide(model_contacts *of, int32_t contact)
{
    for (int32_t k = 0, i = 0; k < of->n_part; k++) {
        for (int32_t r = 0; r < of->part[k].rows.n; r++, i++) {
            if (of->part[k].contact == contact) {
                of->friction[i].moved[0] = of->friction[i].moved[1] = 0.0;
            }
        }
    }
}

void model_unsettle_rigid(ew_model *model, bool to_kept)
{
    model_contacts *of = &model->contacts;
    for (int32_t i = 0; i < of->n; i++) {
        model_rigid *rigid = &of->rigid[i];
        const ew_rigid_motion now = rigid->now,
                              at = to_kept ? rigid->kept : (ew_rigid_motion){.about = {0.0}};
        if (rigid->surface && memcmp(&rigid->settled, &at, sizeof at)) {
            (void)move(rigid, &at);
            ew_rigid_settle(rigid->surface);
            rigid->settled = at;
            (void)move(rigid, &now);
        }
    }
}

void model_settle_rigid(ew_model *model)
{
    model_contacts *of = &model->contacts;
    for (int32_t i = 0; i < of->n; i++) {
        if (of->rigid[i].surface &&
            memcmp(&of->rigid[i].settled, &of->rigid[i].now, sizeof of->rigid[i].now)) {
            ew_rigid_settle(of->rigid[i].surface);
            of->rigid[i].settled = of->rigid[i].now;
            forget_slide(of, i);
        }
    }
}
