/* Steps of a keyword deck. In: what stands between *STEP and *END STEP, and before the first. Out:
 * steps of a case, each with all supports and loads that hold in it. */
#include "scene/deck/deck.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_LOAD_STEPS = 100 };

typedef enum procedure { NONE, STATIC, DYNAMIC, FREQUENCY, BUCKLE } procedure;

/* A step under way. */
typedef struct step {
    const ew_deck_card *begin, *card; /* *STEP; its procedure */
    procedure kind;
    bool is_refused; /* its procedure has no counterpart */
    bool is_nlgeom;  /* by its own card or one before */
} step;

static const char *const procedure_names[] = {"", "STATIC", "DYNAMIC", "FREQUENCY", "BUCKLE"};

/* ---- procedures -------------------------------------------------------------------------- */

/* Whether a step is NLGEOM, which goes on from the step before. */
static bool is_nlgeom(const deck_case *d, const ew_deck_card *card, bool before)
{
    return deck_has(d, card, "NLGEOM", NULL) ? !deck_has(d, card, "NLGEOM", "NO") : before;
}

/* Total time at the begin of a step; see *STATIC and *DYNAMIC in CalculiX. */
static ew_status reset_time(deck_case *d, const step *s, double period)
{
    const char *text = ew_deck_parameter(&d->deck, s->card, "TOTALTIMEATSTART");
    if (text) {
        const ew_deck_field field = {text, (int32_t)strlen(text), s->card->file, s->card->line, 0,
                                     0};
        return ew_deck_real(&d->deck, &field, "TOTAL TIME AT START", &d->total_time);
    }
    d->total_time -= deck_has(d, s->card, "TIMERESET", NULL) ? period : 0.0;
    return EW_OK;
}

/* Values 0 and 1 of EXPLICIT are about fluids. */
static bool is_explicit(const deck_case *d, const step *s)
{
    return deck_has(d, s->card, "EXPLICIT", NULL) && !deck_has(d, s->card, "EXPLICIT", "0") &&
           !deck_has(d, s->card, "EXPLICIT", "1");
}

/* First increment and period of a step; 1 and 1 where they are not given. */
static ew_status read_times(const deck_case *d, const ew_deck_card *card, double time[2])
{
    double value[2];
    int32_t n;
    time[0] = time[1] = 1.0;
    EW_TRY(deck_numbers(d, card, 2, value, &n));
    for (int32_t i = 0; i < n; i++) {
        time[i] = value[i] > 0.0 ? value[i] : time[i];
    }
    return EW_OK;
}

/* Load steps of a nonlinear step are as many as increments of the first size. */
static void put_static(deck_case *d, const double time[2], ew_case_entry *made)
{
    const double n = ceil(time[1] / time[0] - 1e-9);
    const int load_steps = n < 1.0 ? 1 : n > MAX_LOAD_STEPS ? MAX_LOAD_STEPS : (int)n;
    ew_case_entry *to = ew_case_add_mapping(made, "static");
    if (d->is_plastic || d->is_nonlinear) {
        ew_case_add_integer(ew_case_add_mapping(to, "nonlinear"), "steps",
                            load_steps < 10 ? 10 : load_steps);
    }
}

/* CalculiX: alpha -0.05 unless given; Abaqus writes it the same way. */
static ew_status put_dynamic(deck_case *d, const step *s, const double time[2], ew_case_entry *made)
{
    const char *text = ew_deck_parameter(&d->deck, s->card, "ALPHA");
    double alpha = -0.05;
    if (text) {
        const ew_deck_field field = {text, (int32_t)strlen(text), s->card->file, s->card->line, 0,
                                     0};
        EW_TRY(ew_deck_real(&d->deck, &field, "ALPHA", &alpha));
    }
    if (time[0] > time[1]) {
        return deck_fail(d, s->card, "its increment is longer than its period");
    }
    if (!deck_has(d, s->card, "DIRECT", NULL)) {
        deck_note(d, s->card, "increments are of one length here, the first");
    }
    ew_case_entry *to = ew_case_add_mapping(made, "dynamic");
    ew_case_add_number(to, "step", time[0]);
    ew_case_add_number(to, "end", d->start + time[1]);
    ew_case_add_text(to, "scheme", is_explicit(d, s) ? "central-difference" : "hht");
    if (!is_explicit(d, s)) {
        ew_case_add_number(to, "alpha", alpha);
        ew_case_add_text(to, "mass", "consistent");
    }
    if (d->is_plastic || d->is_nonlinear) {
        ew_case_add_mapping(to, "nonlinear");
    }
    if (d->mass_damping != 0.0 || d->stiffness_damping != 0.0) {
        ew_case_entry *damping = ew_case_add_mapping(to, "damping");
        ew_case_add_number(damping, "mass", d->mass_damping);
        ew_case_add_number(damping, "stiffness", d->stiffness_damping);
    }
    return d->start > 0.0 ? EW_OK : deck_put_velocities(d, to);
}

static ew_status read_count(const deck_case *d, const ew_deck_card *card, int *count)
{
    double value;
    int32_t n;
    EW_TRY(deck_numbers(d, card, 1, &value, &n));
    if (!n || !(value >= 1.0) || value > 1000.0 || value != floor(value)) {
        return deck_fail(d, card, "how many are wanted, from 1 to 1000, should stand behind it");
    }
    *count = (int)value;
    return EW_OK;
}

/* The lowest ones are found. */
static ew_status note_range(deck_case *d, const ew_deck_card *card)
{
    double value[3];
    int32_t n;
    EW_TRY(deck_numbers(d, card, 3, value, &n));
    if ((n > 1 && value[1] > 0.0) || (n > 2 && value[2] > 0.0)) {
        deck_note(d, card, "the lowest frequencies are found, whatever the range");
    }
    if (deck_has(d, card, "SOLVER", "MATRIXSTORAGE")) {
        deck_note(d, card, "SOLVER=MATRIXSTORAGE: matrices are not written; modes are found");
    }
    return EW_OK;
}

/* ---- one step ----------------------------------------------------------------------------------
 */

static ew_case_entry *begin_step(deck_case *d, const char *word)
{
    char name[40];
    ew_case_entry *made = ew_case_add_mapping(d->steps, NULL);
    snprintf(name, sizeof name, "step %d%s", (int)++d->n_step, word);
    ew_case_add_text(made, "name", name);
    return made;
}

/* Middles of sides are fixed along the mean of what their ends do. */
static void note_cylinders(deck_case *d)
{
    for (int32_t i = 0; i < d->deck.n_node && !d->is_cylinder_noted; i++) {
        const deck_value *at = &d->fixed[3 * (size_t)i];
        const ew_deck_card *card = d->axes[i] >= 0 ? &d->deck.card[d->axes[i]] : NULL;
        const int n = at[0].has + at[1].has + at[2].has;
        if (d->is_middle[i] && card && deck_has(d, card, "TYPE", "C") && n > 0 && n < 3) {
            deck_note(d, card,
                      "TYPE=C: supports of some components take the middle of a side to move as "
                      "its ends do, CalculiX along axes of its own: the more they differ, the "
                      "farther the axes turn from end to end");
            d->is_cylinder_noted = true;
        }
    }
}

/* Warnings about loads that keep their direction and about large strain. */
static void note_kinematics(deck_case *d, const step *s)
{
    static const char *const notes[3] = {
        "NLGEOM: pressures on faces inside the body act on the undeformed ones; CalculiX's follow "
        "the "
        "deformed ones: on a face that turns by 10 degrees they differ by 17 %",
        "NLGEOM: CENTRIF acts at the undeformed radius; CalculiX's at the deformed one: where it "
        "grows by 10 % the force is 10 % larger there",
        "NLGEOM: strain is Biot's, CalculiX's is Green's: with strains of 1 % answers differ by "
        "about 1 %"};
    bool has[3] = {false, false, true};
    for (int32_t i = 0; i < 4 * d->mesh.n_tet; i++) {
        has[0] = has[0] || (d->pressure[i].has && d->is_inner[i] && d->pressure[i].value != 0.0);
    }
    for (int32_t i = 0; i < d->n_body; i++) {
        has[1] = has[1] || (d->body[i].is_centrifugal && d->body[i].value.has);
    }
    for (int i = 0; i < 3; i++) {
        if (has[i] && !d->is_kinematics_noted[i]) {
            deck_note(d, s->begin, "%s", notes[i]);
            d->is_kinematics_noted[i] = true;
        }
    }
}

static ew_status copy_values(const deck_value *from, size_t n, deck_value **to)
{
    EW_TRY(from ? ew_new(to, n, sizeof **to) : EW_OK);
    if (from) {
        memcpy(*to, from, n * sizeof *from);
    }
    return EW_OK;
}

/* With what equations prescribe, in this step alone. *n_middle: middles of sides that are supported
 * otherwise than the ends. */
static ew_status put_supports(deck_case *d, const deck_moment *at, int32_t *n_middle,
                              ew_case_entry *made)
{
    const size_t n = d->n_equation ? 3 * (size_t)d->deck.n_node : 0;
    deck_value *const own = d->fixed, *const rotation = d->rotation;
    deck_value *fixed = NULL, *turned = NULL;
    ew_status status = n ? copy_values(own, n, &fixed) : EW_OK;
    status = status || !n ? status : copy_values(rotation, n, &turned);
    if (!status) {
        d->fixed = n ? fixed : own;
        d->rotation = n ? turned : rotation;
        d->n_lost_middle = 0;
        status = deck_put_supports(d, at, made);
        *n_middle = deck_count_middles(d) + d->n_lost_middle;
        d->fixed = own;
        d->rotation = rotation;
    }
    ew_release(fixed);
    ew_release(turned);
    return status;
}

static ew_status put_state(deck_case *d, const step *s, double period, ew_case_entry *made)
{
    const deck_moment at = {s->kind == DYNAMIC, period};
    int32_t n_middle = 0;
    EW_TRY(put_supports(d, &at, &n_middle, made));
    EW_TRY(deck_follow_bolts(d, &at));
    if (n_middle > d->n_middle_noted) {
        deck_note(d, s->begin,
                  "%d nodes in the middle of sides are supported otherwise than the ends of these "
                  "sides are, or between different values; left out",
                  (int)n_middle);
    }
    d->n_middle_noted = n_middle;
    deck_note_temperatures(d);
    note_cylinders(d);
    if (d->is_nonlinear && s->kind != FREQUENCY) {
        note_kinematics(d, s);
    }
    return deck_put_loads(d, &at, made);
}

/* Shapes of a body that a static step has loaded: it comes first. */
static ew_status put_buckling(deck_case *d, const step *s)
{
    int count = 0;
    EW_TRY(read_count(d, s->card, &count));
    ew_case_entry *made = begin_step(d, ", loads");
    ew_case_add_mapping(made, "static");
    EW_TRY(put_state(d, s, 1.0, made));
    ew_case_add_integer(ew_case_add_mapping(begin_step(d, ""), "buckling"), "count", count);
    return EW_OK;
}

static ew_status put_procedure(deck_case *d, const step *s)
{
    double time[2] = {1.0, 1.0};
    int count = 0;
    if (s->kind == BUCKLE) {
        return put_buckling(d, s);
    }
    if (s->kind == FREQUENCY) {
        EW_TRY(read_count(d, s->card, &count));
        EW_TRY(note_range(d, s->card));
        ew_case_entry *made = begin_step(d, ""), *modes = ew_case_add_mapping(made, "modes");
        ew_case_add_integer(modes, "count", count);
        ew_case_add_text(modes, "mass", "consistent");
        return put_state(d, s, 1.0, made);
    }
    EW_TRY(read_times(d, s->card, time));
    EW_TRY(reset_time(d, s, time[1]));
    ew_case_entry *made = begin_step(d, "");
    if (s->kind == STATIC) {
        put_static(d, time, made);
    } else {
        EW_TRY(put_dynamic(d, s, time, made));
    }
    const deck_moment end = {s->kind == DYNAMIC, time[1]};
    EW_TRY(put_state(d, s, time[1], made));
    EW_TRY(deck_hold_values(d, &end));
    d->total_time += time[1];
    d->start += s->kind == DYNAMIC ? time[1] : 0.0;
    return EW_OK;
}

/* Forces and temperatures of the steps before are dropped in it, what else acts goes on. */
static void note_perturbation(deck_case *d, const step *s)
{
    bool goes_on = false;
    for (int32_t i = 0; i < 4 * d->mesh.n_tet; i++) {
        goes_on = goes_on || (d->pressure[i].has && d->pressure[i].step < d->deck_step);
    }
    for (int32_t i = 0; i < d->n_body; i++) {
        goes_on = goes_on || (d->body[i].value.has && d->body[i].value.step < d->deck_step);
    }
    if (!d->is_nonlinear) {
        deck_note(d, s->begin,
                  "PERTURBATION: stresses of the steps before do not stiffen the body");
    }
    if (goes_on && s->kind != FREQUENCY) {
        deck_note(d, s->begin,
                  "PERTURBATION: pressures, gravity and rotation of the steps before go on, as in "
                  "CalculiX 2.20, against its manual; OP=NEW ends them");
    }
}

static ew_status end_step(deck_case *d, const step *s)
{
    if (s->is_refused || s->kind == NONE) {
        deck_note(d, s->begin, "the step is left out%s",
                  s->is_refused ? "" : "; *STATIC, *DYNAMIC, *FREQUENCY and *BUCKLE are read");
        return EW_OK;
    }
    if ((s->kind == FREQUENCY || s->kind == BUCKLE) && d->is_plastic && d->n_step) {
        deck_note(
            d, s->begin,
            "the step is left out: it is of the elastic body, which flows in the steps before; "
            "put it before them, or into a deck of its own");
        return EW_OK;
    }
    if ((s->kind == FREQUENCY || s->kind == BUCKLE) && deck_is_sector(d)) {
        deck_note(d, s->begin,
                  "the step is left out: shapes of a cyclic body differ from sector to sector, "
                  "those of a sector alone would be the ones that do not");
        return EW_OK;
    }
    if (s->is_nlgeom && !d->is_nonlinear && (s->kind == STATIC || s->kind == DYNAMIC)) {
        deck_note(d, s->begin,
                  "NLGEOM is read as small displacements: large ones need elastic or "
                  "plastic materials, and NLGEOM in all steps, static or dynamic, or *FREQUENCY "
                  "with PERTURBATION");
    }
    if (deck_has(d, s->begin, "PERTURBATION", NULL) && d->n_step) {
        note_perturbation(d, s);
    }
    EW_TRY(put_procedure(d, s));
    return ew_case_draft_status(d->draft);
}

/* ---- all steps --------------------------------------------------------------------------------
 */

static procedure procedure_of(const deck_case *d, const ew_deck_card *card)
{
    for (int i = STATIC; i <= BUCKLE; i++) {
        if (deck_is(d, card, procedure_names[i])) {
            return (procedure)i;
        }
    }
    return NONE;
}

static bool is_other_procedure(const deck_case *d, const ew_deck_card *card)
{
    static const char *const known[] = {"HEATTRANSFER",
                                        "COUPLEDTEMPERATURE-DISPLACEMENT",
                                        "UNCOUPLEDTEMPERATURE-DISPLACEMENT",
                                        "MODALDYNAMIC",
                                        "STEADYSTATEDYNAMICS",
                                        "COMPLEXFREQUENCY",
                                        "VISCO",
                                        "SUBSTRUCTUREGENERATE",
                                        "SENSITIVITY",
                                        "GREEN",
                                        "ELECTROMAGNETICS",
                                        "CFD",
                                        "CRACKPROPAGATION",
                                        "NOANALYSIS"};
    bool found = false;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        found = found || deck_is(d, card, known[i]);
    }
    return found;
}

/* All steps of a case have the same kinematics; modes of corotational bodies are about the
 * displacement of the step before, as those of a perturbation are. */
static void find_kinematics(deck_case *d)
{
    bool all = true, any = false, nlgeom = false, is_perturbation = false;
    for (int32_t i = 0; i < d->deck.n_card; i++) {
        const ew_deck_card *card = &d->deck.card[i];
        if (deck_is(d, card, "STEP")) {
            nlgeom = is_nlgeom(d, card, nlgeom);
            is_perturbation = deck_has(d, card, "PERTURBATION", NULL);
            all = all && nlgeom;
            any = true;
        }
        all = all && !deck_is(d, card, "BUCKLE");
        all = all && (is_perturbation ? !deck_is(d, card, "STATIC") && !deck_is(d, card, "DYNAMIC")
                                      : !deck_is(d, card, "FREQUENCY"));
    }
    d->is_nonlinear = all && any;
}

/* goes_on: whether the step before is NLGEOM. */
static ew_status read_card(deck_case *d, int32_t i, step *s, bool *goes_on)
{
    const ew_deck_card *card = &d->deck.card[i];
    bool is_known;
    if (deck_is(d, card, "STEP")) {
        if (s->begin) {
            return deck_fail(d, card, "the step before has no *END STEP");
        }
        *s = (step){.begin = card, .is_nlgeom = is_nlgeom(d, card, *goes_on)};
        *goes_on = s->is_nlgeom;
        d->deck_step++;
        if (deck_has(d, card, "PERTURBATION", NULL)) {
            deck_begin_perturbation(d);
        }
    } else if (deck_is(d, card, "ENDSTEP") && s->begin) {
        EW_TRY(end_step(d, s));
        *s = (step){.begin = NULL};
    } else if (s->begin && procedure_of(d, card)) {
        s->card = card;
        s->kind = procedure_of(d, card);
        d->is_read[i] = true;
    } else if (s->begin && is_other_procedure(d, card)) {
        s->is_refused = true;
    } else {
        EW_TRY(s->begin ? deck_read_equation(d, i, &is_known) : EW_OK);
        return deck_read_load(d, card, &is_known);
    }
    return EW_OK;
}

/* Those of the model, before supports, which may act on nodes that they name. */
static ew_status read_equations(deck_case *d)
{
    bool is_known;
    for (int32_t i = 0; i < d->deck.n_card && !deck_is(d, &d->deck.card[i], "STEP"); i++) {
        EW_TRY(deck_read_equation(d, i, &is_known));
    }
    return EW_OK;
}

ew_status deck_read_steps(deck_case *d)
{
    step s = {.begin = NULL};
    bool is_nonlinear = false;
    find_kinematics(d);
    EW_TRY(read_equations(d));
    for (int32_t i = 0; i < d->deck.n_card; i++) {
        EW_TRY(read_card(d, i, &s, &is_nonlinear));
    }
    if (s.begin) {
        return deck_fail(d, s.begin, "the deck ends within this step; it needs *END STEP");
    }
    char meant[64];
    const int32_t near =
        d->n_step ? -1 : deck_find_misspelled(d, 0, "STATIC DYNAMIC FREQUENCY BUCKLE STEP", meant);
    return near >= 0   ? deck_fail(d, &d->deck.card[near],
                                   "is no card that is known; did you mean *%s? The deck has no step "
                                     "that is read without it",
                                   meant)
           : d->n_step ? EW_OK
                       : ew_deck_fail(&d->deck, 0, 1,
                                      "the deck has no step that is read: *STATIC, "
                                      "*DYNAMIC, *FREQUENCY, *BUCKLE; its mesh alone "
                                      "can be converted: edgewise convert IN.inp "
                                      "OUT.msh");
}
