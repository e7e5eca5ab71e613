/* Motion of supports. In: constraints, their amplitudes, a time. Out: what they prescribe of
 * displacement, velocity and acceleration, each by its closed form, so that a support is where it
 * should be whatever the time step. A kink of the velocity inside a step, of which the closed form
 * of the acceleration knows nothing, counts as its mean over the step. */
#include "model/dynamics/dynamics_couplings.h"

#include <string.h>

/* Factors of a constraint's value in displacement, velocity and acceleration. */
typedef struct factors {
    double u, v, a;
} factors;

static double at(const ew_model *model, int32_t amplitude, double t)
{
    return amplitude ? ew_amplitude_at(&model->amplitude[amplitude - 1], t) : 1.0;
}

static double rate(const ew_model *model, int32_t amplitude, double t)
{
    return amplitude ? ew_amplitude_rate(&model->amplitude[amplitude - 1], t) : 0.0;
}

static double integral(const ew_model *model, int32_t amplitude, double t)
{
    return amplitude ? ew_amplitude_integral(&model->amplitude[amplitude - 1], t) : t;
}

static factors factors_at(const ew_model *model, const ew_model_constraint *of, double t)
{
    const int32_t amplitude = of->amplitude;
    const double before = model->dynamics.time;
    if (of->is_velocity) {
        const double moved =
            t > before ? integral(model, amplitude, t) - integral(model, amplitude, before) : 0.0;
        return (factors){moved, at(model, amplitude, t), rate(model, amplitude, t)};
    }
    return (factors){at(model, amplitude, t), rate(model, amplitude, t),
                     amplitude ? ew_amplitude_second_rate(&model->amplitude[amplitude - 1], t)
                               : 0.0};
}

/* With the kinks of the last step. */
static factors factors_after(const ew_model *model, const ew_model_constraint *of, double t,
                             double step)
{
    factors now = factors_at(model, of, t);
    if (step > 0.0) {
        const factors before = factors_at(model, of, model->dynamics.time);
        now.a += (now.v - before.v) / step - 0.5 * (now.a + before.a);
    }
    return now;
}

static bool prescribes_motion(const ew_model_constraint *of)
{
    return of->is_velocity || of->amplitude;
}

static void scale(ew_constraint *line, double factor)
{
    for (int c = 0; c < 3; c++) {
        line->value[c] *= factor;
    }
}

/* The lines with what they prescribe at the time; *any: whether one moves. */
static ew_status make_lines(ew_model *model, double time, double step, bool *any)
{
    const int32_t n = model->n_line;
    *any = false;
    EW_TRY(ew_grow(&model->motion, &model->motion_capacity, 3 * (int64_t)n, sizeof *model->motion));
    for (int32_t k = 0; k < n; k++) {
        const ew_model_constraint *of = &model->constraint[model->constraint_of_line[k]];
        const factors by = factors_after(model, of, time, step);
        ew_constraint *u = &model->motion[k], *v = u + n, *a = v + n;
        *u = *v = *a = model->constraint_line[k];
        memcpy(u->value, of->value, sizeof u->value);
        memcpy(v->value, of->value, sizeof v->value);
        memcpy(a->value, of->value, sizeof a->value);
        scale(u, by.u);
        scale(v, by.v);
        scale(a, by.a);
        u->base = of->is_velocity ? model->field[0].value : u->base;
        v->base = a->base = NULL;
        *any = *any || prescribes_motion(of);
    }
    return EW_OK;
}

/* Sets the components of x along the prescribed directions of a row to `value`. */
static void set_prescribed(const ew_constraints *constraints, int32_t row, const double value[3],
                           double *x)
{
    const uint8_t fixed = constraints->fixed[row];
    double *at_row = x + 3 * (size_t)row;
    if (fixed & EW_OBLIQUE) {
        ew_oblique_project(&constraints->oblique, constraints->place[row], at_row);
    }
    for (int c = 0; c < 3; c++) {
        if (fixed & EW_OBLIQUE) {
            at_row[c] += value[c];
        } else if (fixed >> c & 1) {
            at_row[c] = value[c];
        }
    }
}

static ew_status put_vertex(const ew_model *model, int32_t vertex, double *u, double *v, double *d,
                            double *a)
{
    const int32_t n = model->n_line;
    const ew_constraint *line = model->motion;
    double value[3][3];
    for (int i = 0; i < 3; i++) {
        EW_TRY(ew_constraints_value_at(&model->mesh, n, line + (size_t)i * (size_t)n, vertex,
                                       value[i]));
    }
    set_prescribed(&model->constraints, vertex, value[0], u);
    set_prescribed(&model->constraints, vertex, value[1], v);
    set_prescribed(&model->constraints, vertex, value[1], d);
    set_prescribed(&model->constraints, vertex, value[2], a);
    return EW_OK;
}

bool model_line_has_edge(const ew_model *model, int32_t line, int32_t edge)
{
    const ew_set *vertex = model->constraint_line[line].vertex;
    const int32_t *end = model->topology.pattern.pair_row + 2 * (size_t)edge;
    return ew_set_has(vertex, end[0]) && ew_set_has(vertex, end[1]);
}

/* Whether the row is that of an edge fixed by a support that has a velocity. */
static bool drifts(const ew_model *model, int32_t row)
{
    const int32_t n_vertex = model->mesh.n_vertex;
    const int32_t edge = row < n_vertex ? -1 : model->quadratic.rows.edge[row - n_vertex];
    bool any = false;
    for (int32_t k = 0; k < model->n_line && edge >= 0 && !any; k++) {
        any = model->constraint[model->constraint_of_line[k]].is_velocity &&
              model_line_has_edge(model, k, edge);
    }
    return any;
}

/* A row at rest where its constraints have it. */
static void rest(const ew_model *model, int32_t row, double *u, double *v, double *d, double *a)
{
    static const double zero[3];
    const ew_constraints *constraints = &model->constraints;
    if (!drifts(model, row)) {
        set_prescribed(constraints, row, constraints->value + 3 * (size_t)row, u);
    }
    set_prescribed(constraints, row, zero, v);
    set_prescribed(constraints, row, zero, d);
    set_prescribed(constraints, row, zero, a);
}

ew_status model_put_motion(ew_model *model, double time, double step, bool all, double *u,
                           double *v, double *d, double *a)
{
    bool any;
    EW_TRY(make_lines(model, time, step, &any));
    /* Rows that are not of x, y, z alone drift along their directions by rounding. A support moves
     * all of a set alike: its edges stay as bent as they were, or as the case says. */
    for (int32_t k = 0; k < model->constraints.oblique.n; k++) {
        rest(model, model->constraints.oblique.row[k], u, v, d, a);
    }
    for (int32_t row = model->mesh.n_vertex; row < model_n_row(model); row++) {
        if (model->constraints.fixed[row] & 7) {
            rest(model, row, u, v, d, a);
        }
    }
    for (int32_t k = 0; k < model->n_line && (any || all); k++) {
        const ew_list *list = &model->constraint_line[k].vertex->list;
        if (!all && !prescribes_motion(&model->constraint[model->constraint_of_line[k]])) {
            continue;
        }
        for (int32_t i = 0; i < list->n; i++) {
            if (ew_mesh_vertex_is_active(&model->mesh, list->id[i])) {
                EW_TRY(put_vertex(model, list->id[i], u, v, d, a));
            }
        }
    }
    EW_TRY(dynamics_check_couplings(model));
    if (dynamics_turns_couplings(model)) { /* the unknown leads them to their place */
        return EW_OK;
    }
    EW_TRY(model_put_equations(model, false, u));
    EW_TRY(model_put_equations(model, true, v));
    EW_TRY(model_put_equations(model, true, d));
    return model_put_equations(model, true, a);
}
