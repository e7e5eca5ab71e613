/* The answer of a body that commands changed: statics, or a step in time. In: a played body. Out:
 * its displacement, and as a message why there is none. */
#include "play.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const view_mode_names[VIEW_N_MODE] = {"statics", "dynamics", "rotations"};

/* Of the energy norm: less than what a picture shows, and far less than the error of any mesh. */
#define ENERGY_TOLERANCE 1e-3
/* Solves of a step whose parts touch, but for one without what pulls: more of them would make a
 * frame late, and what is left of overlaps is the next one's. */
enum { CONTACT_ROUNDS = 2 };
enum { ANSWER_BYTES = 256 << 20 }; /* that the journal keeps; older ones are solved for again */

void view_forget_answer(view_play *play, view_entry *entry)
{
    play->answer_bytes -= (size_t)(entry->n + entry->n_contact) * sizeof *entry->answer;
    ew_release(entry->answer);
    ew_release(entry->contact);
    entry->answer = entry->contact = NULL;
    entry->n = entry->n_contact = 0;
}

static void forget_oldest(view_play *play, const view_entry *but)
{
    for (int32_t i = 0; i < play->n_entry && play->answer_bytes > (size_t)ANSWER_BYTES; i++) {
        view_entry *entry = &play->entry[i];
        if (entry != but) {
            view_forget_answer(play, entry);
        }
    }
}

/* What is closed is part of the answer: edits, and the next solve, go on from that. */
static ew_status keep_contact(view_play *play, view_entry *entry)
{
    int64_t n = 0;
    const double *state = NULL;
    EW_TRY(ew_model_contact_state(play->body.model, &n, &state));
    EW_TRY(ew_new(&entry->contact, (size_t)n, sizeof *entry->contact));
    if (n) {
        memcpy(entry->contact, state, (size_t)n * sizeof *state);
    }
    entry->n_contact = (int32_t)n;
    play->answer_bytes += (size_t)n * sizeof *state;
    return EW_OK;
}

/* Without memory it is solved for again when it is visited. */
static void keep_answer(view_play *play, view_entry *entry, const ew_pcg_info *info)
{
    ew_model *model = play->body.model;
    const int32_t n = 3 * ew_model_mesh(model)->n_vertex;
    if (!entry || entry->n || ew_model_edge_rows(model) || ew_model_is_mixed(model) ||
        ew_new(&entry->answer, (size_t)n, sizeof *entry->answer)) {
        return;
    }
    memcpy(entry->answer, ew_model_displacement(model), (size_t)n * sizeof *entry->answer);
    entry->n = n;
    entry->info = *info;
    entry->info.n_history = 0;
    entry->info.history = NULL;
    play->answer_bytes += (size_t)n * sizeof *entry->answer;
    if (keep_contact(play, entry)) {
        view_forget_answer(play, entry);
    }
    forget_oldest(play, entry);
}

static ew_status solve_linear(view_play *play, view_entry *entry)
{
    ew_pcg_def def = ew_default_pcg_def();
    const ew_pcg_info *info = NULL;
    ew_model *model = play->body.model;
    def.tolerance = 1e-6;
    def.energy_tolerance = ENERGY_TOLERANCE;
    if (entry && entry->n && entry->n == 3 * ew_model_mesh(model)->n_vertex) {
        EW_TRY(ew_model_put_contact_state(model, entry->n_contact, entry->contact));
        EW_TRY(ew_model_accept(model, &def, entry->answer, &entry->info, &info));
    } else {
        EW_TRY(ew_model_solve(model, &def, &info));
        keep_answer(play, entry, info);
    }
    play->iterations = info->iterations;
    play->is_local = info->is_local;
    return EW_OK;
}

static ew_status solve(view_play *play, view_entry *entry)
{
    const ew_nonlinear_def def = ew_default_nonlinear_def();
    const ew_nonlinear_info *info = NULL;
    if (!ew_model_is_nonlinear(play->body.model)) {
        return solve_linear(play, entry);
    }
    EW_TRY(ew_model_solve_nonlinear(play->body.model, &def, &info));
    play->iterations = (int32_t)info->n_solver_iteration;
    return EW_OK;
}

void view_answer(view_play *play, view_entry *entry)
{
    const double start = ew_seconds();
    if (!play->is_changed || play->mode != VIEW_STATICS) {
        return;
    }
    play->message[0] = 0;
    play->iterations = 0;
    play->is_local = false;
    play->error = NAN;
    if (solve(play, entry)) {
        snprintf(play->message, sizeof play->message, "%s", ew_message());
    }
    play->is_changed = false;
    play->seconds_solve = ew_seconds() - start;
}

bool view_play_estimate(view_play *play)
{
    const ew_estimate *estimate = NULL;
    ew_model *model = play->body.model;
    if (play->mode != VIEW_STATICS || play->message[0] || !isnan(play->error)) {
        return false;
    }
    const ew_status status =
        ew_model_recovered(model) ? EW_OK : ew_model_recover(model, NULL, NULL);
    play->error = status || ew_model_estimate(model, &estimate, NULL) ? INFINITY : estimate->share;
    return isfinite(play->error);
}

/* ---- in time -------------------------------------------------------------------------------- */

static ew_status start(view_play *play, view_mode mode, double damping)
{
    ew_dynamics_def def = ew_default_dynamics_def();
    ew_model *model = play->body.model;
    /* Without numerical damping of what no picture shows a linearized step with large rotations
     * makes energy: a body that is let go flies apart. */
    def.scheme = EW_GENERALIZED_ALPHA;
    def.damping_mass = damping;
    def.solver.tolerance = 1e-5; /* within 1e-4 of the displacement after a second of steps */
    def.bound = 0.01;    /* else each block, and all of the preconditioner, is made in each step */
    def.account = false; /* no panel shows it */
    def.contact_rounds = CONTACT_ROUNDS;
    EW_TRY(ew_model_set_kinematics(model, mode == VIEW_ROTATIONS ? EW_COROTATIONAL : EW_SMALL));
    return ew_model_start_dynamics(model, &def, 0.0);
}

ew_status view_set_mode(view_play *play, view_mode mode, double damping)
{
    ew_model *model = play->body.model;
    if (mode == play->mode) {
        return EW_OK;
    }
    ew_model_stop_dynamics(model);
    ew_status status = mode == VIEW_STATICS ? EW_OK : start(play, mode, damping);
    if (status) { /* back to statics, where each body can be */
        const ew_failure failure = *ew_last_failure();
        ew_model_stop_dynamics(model);
        status = ew_model_set_kinematics(model, play->kinematics);
        play->mode = VIEW_STATICS;
        play->is_playing = false;
        return status ? status : ew_fail(failure.status, "%s", failure.text);
    }
    if (mode == VIEW_STATICS) {
        EW_TRY(ew_model_set_kinematics(model, play->kinematics));
    }
    play->mode = mode;
    play->n_contact_left = 0;
    play->is_playing = play->is_playing && mode != VIEW_STATICS;
    play->is_changed = true;
    play->message[0] = 0;
    return EW_OK;
}

ew_status view_step(view_play *play, int32_t n, int32_t *n_done)
{
    const double begin = ew_seconds();
    *n_done = 0;
    if (play->mode == VIEW_STATICS) {
        return ew_fail(EW_BAD_INPUT, "step: a static body has no time; choose the mode 'dynamics' "
                                     "or 'rotations' first");
    }
    for (int32_t i = 0; i < n; i++) {
        const ew_advance_info *info = NULL;
        EW_TRY(ew_model_advance(play->body.model, play->dt, &info));
        ++*n_done;
        play->iterations = info && info->solver ? info->solver->iterations : 0;
        play->n_contact_left = info ? info->n_contact_left : 0;
    }
    play->message[0] = 0;
    play->seconds_solve = ew_seconds() - begin;
    return EW_OK;
}
