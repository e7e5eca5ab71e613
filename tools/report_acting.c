/* What holds and loads the body at a record of a result. In: the case that the file holds, the
 * parameters of the record, the masks of its frame. Out: supports and loads with places on the
 * boundary, for symbols. */
#include "report_acting.h"

#include <math.h>
#include <string.h>

/* ---- the case ------------------------------------------------------------------------------ */

static ew_status read_with(const ew_case *first, const ew_view_step *step, const char *text,
                           ew_case *input)
{
    double value[EW_MAX_PARAMETERS_OF_CASE];
    char name[EW_VIEW_NAME];
    for (int32_t k = 0; k < first->n_parameter; k++) {
        snprintf(name, sizeof name, "parameter_%.40s", first->parameter[k].name);
        const double *of = ew_view_find(step->n_number, step->number, name, 1);
        value[k] = of ? *of : NAN;
    }
    const ew_case_def def = {.n_value = first->n_parameter, .value = value};
    return ew_case_read_with(text, strlen(text), &def, input);
}

ew_status report_read_case(const ew_result_view *view, const ew_view_step *step, ew_case *input)
{
    ew_case first;
    EW_TRY(ew_case_read(view->case_text, strlen(view->case_text), &first));
    if (!step || !first.n_parameter) {
        *input = first;
        return EW_OK;
    }
    const ew_status status = read_with(&first, step, view->case_text, input);
    ew_case_free(&first);
    return status;
}

bool report_is_of_step(const ew_view_step *record, const char *step)
{
    const bool has_modes = !strcmp(record->kind, "modes") || !strcmp(record->kind, "buckling");
    const size_t n = strlen(step);
    char name[160];
    report_name_step(record, name, sizeof name);
    return !strncmp(name, step, n) && (!name[n] || (has_modes && !strncmp(name + n, " mode ", 6)));
}

static const ew_case_step *find_step(const ew_case *input, const ew_view_step *record)
{
    for (int32_t s = 0; s < input->n_step; s++) {
        if (report_is_of_step(record, input->step[s].name)) {
            return &input->step[s];
        }
    }
    return NULL;
}

/* ---- supports and loads -------------------------------------------------------------------- */

static report_act *append(report_acting *to, const ew_case *input, int32_t set)
{
    if (ew_grow(&to->act, &to->capacity, (int64_t)to->n + 1, sizeof *to->act)) {
        return NULL;
    }
    report_act *made = &to->act[to->n++];
    *made = (report_act){.has_set = set >= 0};
    snprintf(made->set, sizeof made->set, "%s", set >= 0 ? input->set[set].name : "");
    return made;
}

static void add_support(report_acting *to, const ew_case *input, const ew_case_constraint *of)
{
    report_act *made = append(to, input, of->set);
    for (int c = 0; c < 3 && made; c++) {
        made->fixed[c] = of->is_spring || (of->fixed >> c & 1);
    }
}

/* Temperatures and forces on fine surfaces and single nodes have no arrow. */
static void add_load(report_acting *to, const ew_case *input, const ew_case_load *of)
{
    static const char *const type[] = {
        [EW_LOAD_TOTAL_FORCE] = "force", [EW_LOAD_FORCE] = "force",
        [EW_LOAD_PRESSURE] = "pressure", [EW_LOAD_TRACTION] = "traction",
        [EW_LOAD_MOMENT] = "moment",     [EW_LOAD_REMOTE_FORCE] = "force",
        [EW_LOAD_BEARING] = "force",     [EW_LOAD_GRAVITY] = "gravity"};
    const bool is_known = (size_t)of->as.kind < sizeof type / sizeof *type && type[of->as.kind];
    report_act *made =
        is_known && !of->surface && !of->nodes ? append(to, input, of->as.set) : NULL;
    if (made) {
        made->type = type[of->as.kind];
        made->is_pressure = of->as.kind == EW_LOAD_PRESSURE;
        memcpy(made->value, of->as.vector, sizeof made->value);
        made->value[0] = made->is_pressure ? of->as.pressure : made->value[0];
    }
}

void report_take_acting(const ew_result_view *view, const ew_view_step *record, report_acting *out)
{
    ew_case input;
    report_acting own = {0};
    if (!report_read_case(view, record, &input)) { /* else the page does without symbols */
        const ew_case_step *step = find_step(&input, record);
        const bool own_supports = step && step->own_constraints,
                   own_loads = step && step->own_loads;
        const int32_t n_support = own_supports ? step->n_constraint : input.n_constraint;
        const bool is_sum = !strcmp(record->kind, "combination") ||
                            !strcmp(record->kind, "envelope"); /* of loads of several steps */
        const int32_t n_load = is_sum ? 0 : own_loads ? step->n_load : input.n_load;
        for (int32_t i = 0; i < n_support && step; i++) {
            add_support(&own, &input, own_supports ? &step->constraint[i] : &input.constraint[i]);
        }
        for (int32_t i = 0; i < n_load && step; i++) {
            add_load(&own, &input, own_loads ? &step->load[i] : &input.load[i]);
        }
        ew_case_free(&input);
    }
    *out = own;
}

void report_free_acting(report_acting *own)
{
    ew_release(own->act);
    *own = (report_acting){0};
}

static bool uses(const ew_case *input, const char *mask, int32_t n_support,
                 const ew_case_constraint *support, int32_t n_load, const ew_case_load *load)
{
    bool any = false;
    for (int32_t i = 0; i < n_support && !any; i++) {
        any = support[i].set >= 0 && look_is_mask_of(mask, input->set[support[i].set].name);
    }
    for (int32_t i = 0; i < n_load && !any; i++) {
        any = load[i].as.set >= 0 && look_is_mask_of(mask, input->set[load[i].as.set].name);
    }
    return any;
}

bool report_acts_on(const ew_case *input, const char *mask)
{
    bool any =
        uses(input, mask, input->n_constraint, input->constraint, input->n_load, input->load);
    for (int32_t s = 0; s < input->n_step && !any; s++) {
        const ew_case_step *step = &input->step[s];
        any = uses(input, mask, step->own_constraints ? step->n_constraint : 0, step->constraint,
                   step->own_loads ? step->n_load : 0, step->load);
    }
    return any;
}

/* ---- places -------------------------------------------------------------------------------- */

static const ew_view_field *find_mask(const ew_view_frame *frame, const char *set)
{
    for (int32_t k = 0; k < frame->n_field; k++) {
        const ew_view_field *field = &frame->field[k];
        if (field->is_integer && field->n_component == 1 && !strncmp(field->name, "set_", 4) &&
            look_is_mask_of(field->name + 4, set)) {
            return field;
        }
    }
    return NULL;
}

void report_place_acting(const ew_view_frame *frame, const look *pieces, report_acting *acting)
{
    for (int32_t i = 0; i < acting->n; i++) {
        report_act *act = &acting->act[i];
        const ew_view_field *mask = act->has_set ? find_mask(frame, act->set) : NULL;
        const int32_t most = act->type && !act->is_pressure ? 3 : REPORT_MAX_PLACES;
        int32_t n = 0;
        for (int32_t f = 0; f < pieces->n_face && mask; f++) {
            n += look_is_in_set(frame, mask, pieces->code[f] / 4, pieces->code[f]);
        }
        const int32_t step = n > most ? n / most : 1;
        act->n_place = 0;
        for (int32_t f = 0, k = 0; f < pieces->n_face && n && act->n_place < most; f++) {
            if (look_is_in_set(frame, mask, pieces->code[f] / 4, pieces->code[f]) &&
                k++ % step == step / 2) {
                act->place[act->n_place++] = f;
            }
        }
    }
}

/* Place and normal of a piece, displaced. */
static void find_middle(const ew_view_frame *frame, const look *pieces, int32_t f, double warp,
                        picture_symbol *to)
{
    const ew_view_field *u = ew_view_field_of(frame, "displacement", EW_ON_VERTICES);
    double at[3][3], a[3], b[3];
    const bool is_moved = u && u->n_component == 3 && isfinite(u->data[0]);
    for (int k = 0; k < 3; k++) {
        look_locate(frame, &pieces->face[3 * (size_t)f + (size_t)k], is_moved ? u->data : NULL,
                    warp, at[k]);
    }
    for (int c = 0; c < 3; c++) {
        to->place[c] = (at[0][c] + at[1][c] + at[2][c]) / 3.0;
        a[c] = at[1][c] - at[0][c];
        b[c] = at[2][c] - at[0][c];
    }
    for (int c = 0; c < 3; c++) {
        to->normal[c] = a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3];
    }
}

static bool find_direction(const report_act *act, picture_symbol *symbol)
{
    double length = 0.0;
    for (int c = 0; c < 3 && act->type; c++) {
        symbol->direction[c] = !act->is_pressure     ? act->value[c]
                               : act->value[0] < 0.0 ? symbol->normal[c]
                                                     : -symbol->normal[c];
        length += symbol->direction[c] * symbol->direction[c];
    }
    return !act->type || (length > 0.0 && isfinite(length));
}

ew_status report_draw_acting(const ew_view_frame *frame, const look *pieces,
                             const ew_mesh_measure *measure, const report_acting *acting,
                             double warp, int32_t *n, picture_symbol **symbol)
{
    picture_symbol *list;
    int32_t n_made = 0;
    EW_TRY(ew_new(&list, (size_t)acting->n * REPORT_MAX_PLACES, sizeof *list));
    for (int32_t i = 0; i < acting->n; i++) {
        const report_act *act = &acting->act[i];
        const bool is_whole = act->type && !act->has_set; /* in the middle of the body */
        for (int32_t k = 0; k < (is_whole ? 1 : act->n_place); k++) {
            picture_symbol one = {.is_load = act->type != NULL};
            if (is_whole) {
                for (int c = 0; c < 3; c++) {
                    one.place[c] = 0.5 * (measure->low[c] + measure->high[c]);
                }
            } else {
                find_middle(frame, pieces, act->place[k], warp, &one);
            }
            if (find_direction(act, &one)) {
                list[n_made++] = one;
            }
        }
    }
    *n = n_made;
    *symbol = list;
    return EW_OK;
}
