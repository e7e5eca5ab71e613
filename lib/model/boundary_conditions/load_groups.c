/* Loads in time. In: amplitudes, and the loads that name them. Out: the force at a time. Loads with
 * one amplitude form a group, whose force is gathered when the mesh or the loads change and by no
 * step: a step adds up groups, times their factors, at the vertices that those reach whose factor
 * has changed. */
#include "model/internal.h"

#include <math.h>
#include <string.h>

/* ---- amplitudes ------------------------------------------------------------------ */

static void free_tables(ew_amplitude *amplitude)
{
    ew_release((void *)(uintptr_t)amplitude->time); /* one allocation with the values */
    amplitude->time = amplitude->value = NULL;
}

static ew_status copy(ew_amplitude *to, const ew_amplitude *from)
{
    const bool table = from->kind == EW_AMPLITUDE_TABLE;
    const size_t n = table ? (size_t)from->n : 0;
    double *time = NULL;
    EW_TRY(ew_amplitude_check(from));
    if (table) {
        EW_TRY(ew_new(&time, 2 * n, sizeof *time));
        memcpy(time, from->time, n * sizeof *time);
        memcpy(time + n, from->value, n * sizeof *time);
    }
    *to = *from;
    to->time = time;
    to->value = table ? time + n : NULL;
    return EW_OK;
}

static ew_status check_uses(const ew_model *model, int32_t n)
{
    int32_t most = 0;
    for (int32_t i = 0; i < model->n_load; i++) {
        most = model->load[i].as.amplitude > most ? model->load[i].as.amplitude : most;
    }
    for (int32_t i = 0; i < model->n_constraint; i++) {
        most = model->constraint[i].amplitude > most ? model->constraint[i].amplitude : most;
    }
    for (int32_t i = 0; i < model->contacts.n; i++) {
        const int32_t amplitude = model->contacts.given[i].amplitude;
        most = amplitude > most ? amplitude : most;
    }
    return most <= n
               ? EW_OK
               : ew_fail(
                     EW_BAD_ARGUMENT,
                     "model: a load, constraint or contact names amplitude %d, there would be %d; "
                     "set others first",
                     most, n);
}

ew_status ew_model_set_amplitudes(ew_model *model, int32_t n, const ew_amplitude *list)
{
    ew_amplitude *made = NULL;
    int32_t done = 0;
    EW_TRY(check_uses(model, n));
    EW_TRY(ew_new_zero(&made, (size_t)n, sizeof *made));
    ew_status status = EW_OK;
    for (; done < n && !status; done++) {
        status = copy(&made[done], &list[done]);
    }
    if (status) {
        for (int32_t i = 0; i < done; i++) {
            free_tables(&made[i]);
        }
        ew_release(made);
        return status;
    }
    for (int32_t i = 0; i < model->n_amplitude; i++) {
        free_tables(&model->amplitude[i]);
    }
    ew_release(model->amplitude);
    model->amplitude = made;
    model->n_amplitude = n;
    model->dynamics.has_changed = true;
    return EW_OK;
}

/* ---- groups ---------------------------------------------------------------------- */

static void free_groups(ew_model *model)
{
    for (int32_t g = 0; g < model->n_group; g++) {
        ew_release(model->group[g].force.value);
        ew_release(model->group[g].thermal_stress);
        ew_set_free(&model->group[g].touched);
    }
    model->n_group = 0;
    model->groups_current = false;
}

void model_free_amplitudes(ew_model *model)
{
    free_groups(model);
    ew_release(model->group);
    ew_release(model->group_line);
    ew_release(model->group_share);
    for (int32_t i = 0; i < model->n_amplitude; i++) {
        free_tables(&model->amplitude[i]);
    }
    ew_release(model->amplitude);
}

double model_step_end(const ew_model *model, double dt)
{
    double end = model->dynamics.time + dt;
    for (int32_t i = 0; i < model->n_amplitude; i++) {
        const ew_amplitude *of = &model->amplitude[i];
        const double jump[2] = {of->start, of->end};
        for (int k = 0; k < 2 && of->kind != EW_AMPLITUDE_TABLE; k++) {
            end = fabs(end - jump[k]) <= 1e-4 * dt ? jump[k] : end;
        }
    }
    return end;
}

/* A group for each amplitude, in the order in which loads name them. */
static ew_status make_groups(ew_model *model)
{
    free_groups(model);
    for (int32_t i = 0; i < model->n_load; i++) {
        const int32_t amplitude = model->load[i].as.amplitude;
        int32_t g = 0;
        while (g < model->n_group && model->group[g].amplitude != amplitude) {
            g++;
        }
        if (g == model->n_group) {
            EW_TRY(ew_grow(&model->group, &model->group_capacity, (int64_t)g + 1,
                           sizeof *model->group));
            model->group[model->n_group++] = (model_load_group){.amplitude = amplitude};
        }
    }
    EW_TRY(ew_grow(&model->group_line, &model->group_line_capacity, model->n_load,
                   sizeof *model->group_line));
    return ew_grow(&model->group_share, &model->group_share_capacity, model->n_load,
                   sizeof *model->group_share);
}

/* The lines of a group, in their order; the k-th line is the k-th load whose share is current.
 * Temperatures of a nonlinear body are among no forces. */
static int32_t list_lines(ew_model *model, int32_t amplitude)
{
    const bool warms = !model_has_thermal_strain(model);
    int32_t n = 0, line = 0;
    for (int32_t i = 0; i < model->n_load; i++) {
        const ew_model_load *load = &model->load[i].as;
        if (model->load[i].share_current) {
            if (load->amplitude == amplitude && !model_load_follows(model, load) &&
                (warms || load->kind != EW_LOAD_TEMPERATURE)) {
                model->group_line[n] = model->load_line[line];
                model->group_line[n].on_mass = model->dynamics.def.mass == EW_MASS_LUMPED
                                                   ? EW_FORCES_ON_LUMPED_MASS
                                                   : EW_FORCES_ON_CONSISTENT_MASS;
                model->group_share[n++] = model->load_share[line];
            }
            line++;
        }
    }
    return n;
}

static ew_status note_touched(const ew_model *model, model_load_group *group, const ew_list *vertex)
{
    const int32_t n = vertex ? vertex->n : model->mesh.n_vertex;
    for (int32_t i = 0; i < n; i++) {
        const int32_t v = vertex ? vertex->id[i] : i;
        const double *f = group->force.value + 3 * (size_t)v;
        if (f[0] != 0.0 || f[1] != 0.0 || f[2] != 0.0) {
            EW_TRY(ew_set_add(&group->touched, v));
        }
    }
    return EW_OK;
}

/* row: null: all of them. */
static ew_status update_edges(ew_model *model, model_load_group *group, int32_t n_line,
                              const ew_list *row)
{
    const ew_edge_rows *rows = &model->quadratic.rows;
    return ew_loads_gather_edges(&model->mesh, &model->topology, &model->materials, n_line,
                                 model->group_line, model->group_share, rows, row,
                                 model->dynamics.def.mass == EW_MASS_LUMPED,
                                 model_edges_of(&group->force));
}

/* Temperatures of mixed tets do not act on single vertices. */
static bool has_thermal_stress(const ew_model *model, int32_t n_line)
{
    bool any = false;
    for (int32_t i = 0; i < n_line && model->mixed.is_on; i++) {
        any = any || model->group_line[i].kind == EW_LOAD_TEMPERATURE;
    }
    return any;
}

static ew_status update_group(ew_model *model, model_load_group *group, const ew_list *vertex)
{
    const int32_t n = list_lines(model, group->amplitude);
    const bool heats = has_thermal_stress(model, n);
    vertex = heats ? NULL : vertex;
    EW_TRY(model_reserve_vector(model, &group->force));
    EW_TRY(ew_loads_gather(&model->mesh, &model->topology, &model->materials, n, model->group_line,
                           model->group_share, vertex, group->force.value));
    EW_TRY(heats ? model_add_mixed_thermal(model, n, model->group_line, group) : EW_OK);
    const ew_list *row = vertex ? &model->quadratic.moving.stale_force.list : NULL;
    EW_TRY(model_has_edges(model) ? update_edges(model, group, n, row) : EW_OK);
    if (!vertex) {
        ew_set_clear(&group->touched);
    }
    return note_touched(model, group, vertex);
}

ew_status model_update_load_groups(ew_model *model, const ew_list *vertex)
{
    if (!model->dynamics.is_active) {
        model->groups_current = false;
        return EW_OK;
    }
    const ew_list *row = &model->quadratic.moving.stale_force.list;
    if (model->groups_current && vertex && vertex->n == 0 && row->n == 0) {
        return EW_OK;
    }
    if (!model->groups_current) {
        EW_TRY(make_groups(model));
        vertex = NULL;
    }
    model->groups_current = false; /* unless all goes well */
    for (int32_t g = 0; g < model->n_group; g++) {
        EW_TRY(update_group(model, &model->group[g], vertex));
        model->group[g].factor_current = false;
    }
    ew_set_clear(&model->quadratic.moving.stale_force);
    model->groups_current = true;
    return EW_OK;
}

ew_status model_verify_edge_groups(ew_model *model, ew_model_verification *result)
{
    const size_t n_row = (size_t)model->quadratic.rows.pattern.n_row;
    double *kept;
    EW_TRY(ew_new(&kept, 3 * n_row, sizeof *kept));
    ew_status status = EW_OK;
    for (int32_t g = 0; g < model->n_group && model->groups_current && !status; g++) {
        model_load_group *group = &model->group[g];
        const double *force = model_edges_of(&group->force);
        memcpy(kept, force, 3 * n_row * sizeof *kept);
        status = update_edges(model, group, list_lines(model, group->amplitude), NULL);
        for (size_t row = 0; row < n_row && !status; row++) {
            result->n_different += memcmp(kept + 3 * row, force + 3 * row, 3 * sizeof *kept) != 0;
        }
    }
    ew_release(kept);
    return status;
}

const ew_load *model_load_lines_now(ew_model *model)
{
    int32_t line = 0;
    for (int32_t i = 0; i < model->n_load; i++) {
        if (!model->load[i].share_current) {
            continue;
        }
        ew_load *now = &model->group_line[line];
        *now = model->load_line[line++];
        for (int32_t g = 0; g < model->n_group && now->kind == EW_LOAD_TEMPERATURE; g++) {
            const bool own = model->group[g].amplitude == model->load[i].as.amplitude;
            const double factor = own ? model->group[g].factor : 1.0;
            now->change *= factor;
            for (int c = 0; c < 3; c++) {
                now->gradient[c] *= factor;
            }
        }
    }
    return model->group_line;
}

/* ---- at a time --------------------------------------------------------------------- */

static void add_up(const ew_model *model, int32_t row, double *force)
{
    double sum[3] = {0.0, 0.0, 0.0};
    for (int32_t g = 0; g < model->n_group; g++) {
        const double *f = model->group[g].force.value + 3 * (size_t)row;
        for (int c = 0; c < 3; c++) {
            sum[c] += model->group[g].factor * f[c];
        }
    }
    memcpy(force + 3 * (size_t)row, sum, sizeof sum);
}

void model_find_force(ew_model *model, double time, bool all)
{
    double *force = model->dynamics.vector[MODEL_NEXT_FORCE];
    const int32_t n = model->mesh.n_vertex;
    bool any = all;
    for (int32_t g = 0; g < model->n_group; g++) {
        model_load_group *group = &model->group[g];
        const double factor =
            group->amplitude ? ew_amplitude_at(&model->amplitude[group->amplitude - 1], time) : 1.0;
        all = all || !group->factor_current;
        group->factor_current = factor == group->factor;
        group->factor = factor;
        any = any || all || !group->factor_current;
    }
    const int32_t first = all ? 0 : n, last = any ? model_n_row(model) : n;
#pragma omp parallel for schedule(static) if (last - first > MODEL_MIN_PARALLEL)
    for (int32_t row = first; row < last; row++) {
        add_up(model, row, force);
    }
    for (int32_t g = 0; g < model->n_group; g++) {
        const ew_list *touched = &model->group[g].touched.list;
        for (int32_t i = 0; i < touched->n && !all && !model->group[g].factor_current; i++) {
            add_up(model, touched->id[i], force);
        }
        model->group[g].factor_current = true;
    }
}
