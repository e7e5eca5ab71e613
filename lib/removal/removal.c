/* The rounds of a removal: analyze, choose, edit, until it is settled. In: a model with
 * materials, supports and loads. Out: the body that is left, analyzed. */
#include "internal.h"

#include <math.h>
#include <string.h>

/* Rounds that are compared with as many before them (Huang & Xie 2007, eq. 11). */
enum { N_COMPARED = 5 };
/* So often the rate is halved where a body would fall apart, before that is the end. */
enum { MAX_HALVINGS = 3 };
/* Of a share of the volume, which is a sum of many. */
static const double rounding = 1e-9;

ew_removal_def ew_default_removal_def(void)
{
    return (ew_removal_def){.volume = 0.5,
                            .rate = 0.02,
                            .max_restored = 0.01,
                            .until = 1e-3,
                            .max_rounds = 200,
                            .solver = ew_default_pcg_def()};
}

ew_status ew_removal_def_check(const ew_removal_def *def)
{
    const char *wrong =
        !(def->volume > 0.0 && def->volume < 1.0) ? "volume must lie in (0, 1)"
        : !(def->rate > 0.0 && def->rate <= 1.0)  ? "rate must lie in (0, 1]"
        : !(def->max_restored >= 0.0 && def->max_restored <= 1.0)
            ? "max_restored must lie in [0, 1]"
        : !(def->radius >= 0.0 && isfinite(def->radius)) ? "radius must be finite and not negative"
        : !(def->until > 0.0 && isfinite(def->until))    ? "until must be finite and greater than 0"
        : def->max_rounds < 1                            ? "max_rounds must be at least 1"
                                                         : NULL;
    return wrong ? ew_fail(EW_BAD_ARGUMENT, "removal: %s", wrong) : EW_OK;
}

typedef struct removal {
    ew_model *model;
    const ew_removal_def *def;
    removal_design design;
    double radius;
    ew_energies energies; /* of the last analysis */
    double *compliance;   /* [max_rounds + 1] owned */
    double target;        /* share of the volume that the last choice aimed at; 1 at first */
    uint64_t revision;    /* of the mesh that it knows */
    double rate;          /* of the next round */
    bool fell_apart;      /* the last choice, which was taken back */
    int32_t n_halving;
    ew_removal_round round;
} removal;

/* ---- analysis -------------------------------------------------------------------------- */

static ew_status analyze(removal *in)
{
    const double start = ew_seconds();
    EW_TRY(in->def->analyze ? in->def->analyze(in->def->user)
                            : ew_model_solve(in->model, &in->def->solver, NULL));
    EW_TRY(ew_model_recover_energies(in->model, &in->energies));
    in->round.seconds_analyze = ew_seconds() - start;
    if (in->revision && ew_model_mesh(in->model)->revision != in->revision) {
        return ew_fail(EW_STALE, "removal: an analysis must not change the mesh");
    }
    return EW_OK;
}

/* ---- what a round came to ----------------------------------------------------------------- */

double ew_removal_change(const double *compliance, int32_t n)
{
    double now = 0.0, before = 0.0;
    if (n < 2 * N_COMPARED) {
        return NAN;
    }
    for (int32_t i = 1; i <= N_COMPARED; i++) {
        now += compliance[n - i];
        before += compliance[n - N_COMPARED - i];
    }
    return fabs(now - before) / now;
}

static ew_status measure_round(removal *in)
{
    const removal_design *design = &in->design;
    ew_removal_round *round = &in->round;
    double volume = 0.0;
    for (int32_t k = 0; k < design->n; k++) {
        volume += design->slot[k] >= 0 ? design->volume[k] : 0.0;
    }
    round->n_tet = ew_model_mesh(in->model)->n_live_tet;
    round->volume = volume;
    round->share = volume / design->whole;
    round->compliance = 2.0 * (in->energies.strain + in->energies.springs);
    if (!(round->compliance > 0.0)) {
        return ew_fail(EW_BAD_INPUT, "removal: nothing strains the body; it needs loads that act "
                                     "on it");
    }
    in->compliance[round->round] = round->compliance;
    round->change = ew_removal_change(in->compliance, round->round + 1);
    return in->def->on_round ? in->def->on_round(in->def->user, round) : EW_OK;
}

static bool is_settled(const removal *in)
{
    const ew_removal_round *round = &in->round;
    return in->target == in->def->volume && round->share <= in->target * (1.0 + rounding) &&
           round->change <= in->def->until;
}

/* ---- the next body ------------------------------------------------------------------------ */

static ew_status commit(removal *in)
{
    EW_TRY(in->def->commit ? in->def->commit(in->def->user) : ew_model_commit(in->model));
    in->revision = ew_model_mesh(in->model)->revision;
    return removal_design_follow(&in->design, ew_model_change(in->model));
}

/* To the volume that is wanted at last, by no more than the rate at once. */
static double next_target(const removal *in)
{
    const double last = in->def->volume, now = in->round.share, rate = in->rate;
    return now > last ? fmax(last, now * (1.0 - rate)) : fmin(last, now * (1.0 + rate));
}

static ew_status commit_wanted(removal *in, int32_t *n_removed, int32_t *n_added)
{
    EW_TRY(removal_design_queue(&in->design, in->model, n_removed, n_added));
    return *n_removed || *n_added ? commit(in) : EW_OK;
}

/* Of the queue, which removes components. */
static bool takes_what_stays(const removal *in)
{
    const ew_list *tet = &ew_model_edit(in->model)->remove_tet;
    bool any = tet->n == ew_model_mesh(in->model)->n_live_tet;
    for (int32_t i = 0; i < tet->n && !any; i++) {
        any = in->design.keep[in->design.tet_of[tet->id[i]]];
    }
    return any;
}

/* Tets that they supported may be under-constrained afterwards. */
static ew_status leave_out(removal *in)
{
    for (;;) {
        int32_t n = 0;
        EW_TRY(ew_model_queue_under_constrained(in->model, &n));
        if (!n) {
            return EW_OK;
        }
        in->fell_apart = takes_what_stays(in);
        if (in->fell_apart) {
            ew_model_begin(in->model);
            return EW_OK;
        }
        in->round.n_left_out += ew_model_edit(in->model)->remove_tet.n;
        EW_TRY(commit(in));
    }
}

static ew_status take_back(removal *in)
{
    removal_design *design = &in->design;
    int32_t n_removed, n_added;
    memcpy(design->wanted, design->before, (size_t)design->n * sizeof *design->wanted);
    return commit_wanted(in, &n_removed, &n_added);
}

static ew_status next_body(removal *in)
{
    const double start = ew_seconds();
    ew_removal_round *round = &in->round;
    in->target = next_target(in);
    in->fell_apart = false;
    *round = (ew_removal_round){.round = round->round + 1, .share = round->share};
    removal_take_energies(&in->design, in->energies.tet);
    removal_choose(&in->design, in->target, in->def->max_restored);
    EW_TRY(commit_wanted(in, &round->n_removed, &round->n_restored));
    if (round->n_removed || round->n_restored) {
        EW_TRY(leave_out(in));
    }
    round->n_removed += round->n_left_out;
    if (in->fell_apart) {
        EW_TRY(take_back(in));
        round->n_removed = round->n_restored = round->n_left_out = 0;
    }
    round->seconds_choose = ew_seconds() - start;
    return EW_OK;
}

/* ---- all of it ------------------------------------------------------------------------------ */

static ew_status begin_removal(removal *in)
{
    const ew_removal_def *def = in->def;
    const ew_mesh *mesh = ew_model_mesh(in->model);
    EW_TRY(ew_new(&in->compliance, (size_t)def->max_rounds + 1, sizeof *in->compliance));
    EW_TRY(analyze(in));
    in->revision = mesh->revision;
    in->target = 1.0;
    in->rate = def->rate;
    in->radius = def->radius > 0.0 ? def->radius
                                   : 2.0 * removal_mean_edge(mesh, ew_model_topology(in->model));
    EW_TRY(removal_design_init(&in->design, mesh, def->keep));
    if (in->design.kept > def->volume * in->design.whole) {
        return ew_fail(EW_BAD_INPUT,
                       "removal: the tets that stay have %.3g %% of the volume, and %.3g %% are to "
                       "be left; protect less, or leave more",
                       100.0 * in->design.kept / in->design.whole, 100.0 * def->volume);
    }
    return removal_filter_init(&in->design.filter, mesh, in->radius);
}

static ew_status run(removal *in, ew_removal_end *end)
{
    EW_TRY(begin_removal(in));
    for (;;) {
        EW_TRY(measure_round(in));
        *end = is_settled(in) ? EW_REMOVAL_SETTLED : EW_REMOVAL_MAX_ROUNDS;
        if (is_settled(in) || in->round.round == in->def->max_rounds) {
            return EW_OK;
        }
        const ew_removal_round before = in->round;
        EW_TRY(ew_progress_report(&in->def->progress, "removal", -1));
        EW_TRY(next_body(in));
        EW_TRY(analyze(in));
        if (in->fell_apart && in->n_halving++ == MAX_HALVINGS) {
            *end = EW_REMOVAL_FELL_APART;
            in->round = before;
            return EW_OK;
        }
        in->rate *= in->fell_apart ? 0.5 : 1.0;
    }
}

ew_status ew_removal_run(ew_model *model, const ew_removal_def *def, ew_removal_info *info)
{
    EW_TRY(ew_removal_def_check(def));
    if (ew_model_is_nonlinear(model)) {
        return ew_refuse(EW_RULE_ENERGY, "removal");
    }
    removal in = {.model = model, .def = def};
    ew_removal_end end = EW_REMOVAL_MAX_ROUNDS;
    ew_status status = run(&in, &end);
    if (!status && !ew_model_recovered(model)) {
        status = ew_model_recover(model, NULL, NULL);
    }
    if (!status) {
        *info = (ew_removal_info){end, in.radius, in.round};
    }
    ew_release(in.compliance);
    removal_design_free(&in.design);
    return status;
}
