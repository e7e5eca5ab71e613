/* Steps of a keyword deck. In: what stands between *STEP and *END STEP, and before the first. Out:
 * steps of a case, each with all supports and loads that hold in it. */
#include "scene/deck.h"

#include <math.h>
#include <string.h>

enum { MAX_LOAD_STEPS = 100 };

typedef enum procedure { NONE, STATIC, DYNAMIC, FREQUENCY, BUCKLE } procedure;

/* A step under way. */
typedef struct step {
    const ew_deck_card *begin, *card; /* *STEP; its procedure */
    procedure kind;
    bool is_refused; /* its procedure has no counterpart */
} step;

static const char *const procedure_names[] = {"", "STATIC", "DYNAMIC", "FREQUENCY", "BUCKLE"};

/* ---- procedures -------------------------------------------------------------------------- */

static bool is_nlgeom(const deck_case *d, const ew_deck_card *card)
{
    return deck_has(d, card, "NLGEOM", NULL) && !deck_has(d, card, "NLGEOM", "NO");
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
static void put_static(deck_case *d, const double time[2], words *to)
{
    const double n = ceil(time[1] / time[0] - 1e-9);
    const int load_steps = n < 1.0 ? 1 : n > MAX_LOAD_STEPS ? MAX_LOAD_STEPS : (int)n;
    if (d->is_plastic || d->is_nonlinear) {
        words_add(to, "    static: {nonlinear: {steps: %d}}\n", load_steps < 10 ? 10 : load_steps);
    } else {
        words_add(to, "    static: {}\n");
    }
}

/* CalculiX: alpha -0.05 unless given; Abaqus writes it the same way. */
static ew_status put_dynamic(deck_case *d, const step *s, const double time[2], words *to)
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
    words_add(to, "    dynamic:\n      step: ");
    words_add_number(to, time[0]);
    words_add(to, "\n      end: ");
    words_add_number(to, d->start + time[1]);
    if (deck_has(d, s->card, "EXPLICIT", NULL)) {
        words_add(to, "\n      scheme: central-difference\n");
    } else {
        words_add(to, "\n      scheme: hht\n      alpha: ");
        words_add_number(to, alpha);
        words_add(to, "\n      mass: consistent\n");
    }
    if (d->is_plastic) {
        words_add(to, "      nonlinear: {}\n");
    }
    if (d->mass_damping != 0.0 || d->stiffness_damping != 0.0) {
        words_add(to, "      damping: {mass: ");
        words_add_number(to, d->mass_damping);
        words_add(to, ", stiffness: ");
        words_add_number(to, d->stiffness_damping);
        words_add(to, "}\n");
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

/* ---- one step ----------------------------------------------------------------------------------
 */

static void begin_step(deck_case *d, const char *word, words *to)
{
    d->n_step++;
    words_add(to, "  - name: step %d%s\n", d->n_step, word);
}

static ew_status put_state(deck_case *d, const step *s, double period, words *to)
{
    const deck_moment at = {s->kind == DYNAMIC, period};
    d->n_lost_middle = 0;
    EW_TRY(deck_put_supports(d, &at, to));
    const int32_t n_middle = deck_count_middles(d) + d->n_lost_middle;
    if (n_middle > d->n_middle_noted) {
        deck_note(d, s->begin,
                  "%d nodes in the middle of sides are supported otherwise than the ends of these "
                  "sides are; left out",
                  (int)n_middle);
    }
    d->n_middle_noted = n_middle;
    return deck_put_loads(d, &at, to);
}

/* Shapes of a body that a static step has loaded: it comes first. */
static ew_status put_buckling(deck_case *d, const step *s, words *to)
{
    int count = 0;
    EW_TRY(read_count(d, s->card, &count));
    begin_step(d, ", loads", to);
    words_add(to, "    static: {}\n");
    EW_TRY(put_state(d, s, 1.0, to));
    begin_step(d, "", to);
    words_add(to, "    buckling: {count: %d}\n", count);
    return EW_OK;
}

static ew_status put_procedure(deck_case *d, const step *s, words *to)
{
    double time[2] = {1.0, 1.0};
    int count = 0;
    if (s->kind == BUCKLE) {
        return put_buckling(d, s, to);
    }
    if (s->kind == FREQUENCY) {
        EW_TRY(read_count(d, s->card, &count));
        begin_step(d, "", to);
        words_add(to, "    modes: {count: %d, mass: consistent}\n", count);
        return put_state(d, s, 1.0, to);
    }
    EW_TRY(read_times(d, s->card, time));
    begin_step(d, "", to);
    if (s->kind == STATIC) {
        put_static(d, time, to);
    } else {
        EW_TRY(put_dynamic(d, s, time, to));
    }
    EW_TRY(put_state(d, s, time[1], to));
    d->total_time += time[1];
    d->start += s->kind == DYNAMIC ? time[1] : 0.0;
    return EW_OK;
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
    if (is_nlgeom(d, s->begin) && !d->is_nonlinear) {
        deck_note(d, s->begin,
                  "NLGEOM is read as small displacements: large ones need linear tets, "
                  "elastic or plastic, and NLGEOM in all steps, static or dynamic");
    }
    if (deck_has(d, s->begin, "PERTURBATION", NULL) && d->n_step) {
        deck_note(d, s->begin,
                  "PERTURBATION: loads of the steps before do not stiffen the body, and "
                  "go on unless OP=NEW");
    }
    EW_TRY(put_procedure(d, s, &d->steps));
    return d->steps.status;
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

/* Corotational bodies are of linear tets, and all steps of a case have the same kinematics. */
static void find_kinematics(deck_case *d)
{
    bool all = !d->mesh.has_middles, any = false;
    for (int32_t i = 0; i < d->deck.n_card; i++) {
        const ew_deck_card *card = &d->deck.card[i];
        if (deck_is(d, card, "STEP")) {
            all = all && is_nlgeom(d, card);
            any = true;
        }
        all = all && !deck_is(d, card, "FREQUENCY") && !deck_is(d, card, "BUCKLE");
    }
    d->is_nonlinear = all && any;
}

static ew_status read_card(deck_case *d, int32_t i, step *s)
{
    const ew_deck_card *card = &d->deck.card[i];
    bool is_load;
    if (deck_is(d, card, "STEP")) {
        if (s->begin) {
            return deck_fail(d, card, "the step before has no *END STEP");
        }
        *s = (step){.begin = card};
        d->deck_step++;
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
        return deck_read_load(d, card, &is_load);
    }
    return EW_OK;
}

ew_status deck_read_steps(deck_case *d)
{
    step s = {.begin = NULL};
    find_kinematics(d);
    for (int32_t i = 0; i < d->deck.n_card; i++) {
        EW_TRY(read_card(d, i, &s));
    }
    if (s.begin) {
        return deck_fail(d, s.begin, "the deck ends within this step; it needs *END STEP");
    }
    return d->n_step ? EW_OK
                     : ew_deck_fail(&d->deck, 0, 1,
                                    "the deck has no step that is read: *STATIC, "
                                    "*DYNAMIC, *FREQUENCY, *BUCKLE; its mesh alone "
                                    "can be converted: edgewise convert IN.inp "
                                    "OUT.msh");
}
