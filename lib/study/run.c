/* Runs a case: prepares the mesh, then per step edits, loads and constraints, components, solution,
 * recovery, a frame in the result file and a report. */
#include "study/run.h"

#include <stdio.h>
#include <string.h>

ew_study_def ew_default_study_def(void)
{
    return (ew_study_def){.precision = EW_AUTO_PRECISION,
                          .preconditioner = EW_PRECONDITIONER_COUNT};
}

/* ---- preparation ------------------------------------------------------- */

ew_status ew_run_assign_materials(ew_run *run)
{
    const ew_case *one = run->one;
    ew_material *list;
    EW_TRY(ew_new_zero(&list, (size_t)run->mesh->n_region, sizeof *list));
    ew_status status = EW_OK;
    for (int32_t r = 0; r < run->mesh->n_region && !status; r++) {
        const ew_case_material *found = NULL;
        for (int32_t i = 0; i < one->n_material && !found; i++) {
            const ew_case_material *material = &one->material[i];
            if (material->all_regions || material->region == run->mesh->region_label[r]) {
                found = material;
            }
        }
        if (found) {
            list[r] = found->material;
        } else {
            status = ew_fail_at(EW_BAD_INPUT, one->material[0].line,
                                "region %d of the mesh has no material; add one with 'region: %d'",
                                (int)run->mesh->region_label[r], (int)run->mesh->region_label[r]);
        }
    }
    if (!status) {
        ew_materials_free(&run->materials);
        status = ew_materials_init(&run->materials, run->mesh->n_region, list);
    }
    ew_release(list);
    return status;
}

static ew_status refuse_unknown_regions(const ew_run *run)
{
    for (int32_t i = 0; i < run->one->n_material; i++) {
        const ew_case_material *material = &run->one->material[i];
        bool known = material->all_regions;
        for (int32_t r = 0; r < run->mesh->n_region && !known; r++) {
            known = run->mesh->region_label[r] == material->region;
        }
        /* An `add:` edit may bring regions that are not there yet. */
        for (int32_t s = 0; s < run->one->n_step && !known; s++) {
            for (int32_t e = 0; e < run->one->step[s].n_edit && !known; e++) {
                known = ew_operation_parameter_of(run->one->step[s].edit[e].operation,
                                                  EW_PARAMETER_MESH) >= 0;
            }
        }
        if (!known) {
            return ew_fail_at(EW_BAD_INPUT, material->line,
                              "the mesh has no region %d; its regions are listed by 'edgewise "
                              "info'",
                              (int)material->region);
        }
    }
    return EW_OK;
}

static ew_status order_for_locality(ew_run *run)
{
    int32_t *order;
    EW_TRY(ew_new(&order, (size_t)run->mesh->n_vertex, sizeof *order));
    ew_status status = ew_order_for_locality(run->mesh, &run->topology, order);
    if (!status) {
        status = ew_mesh_compact(run->mesh, order, true, NULL, NULL);
    }
    ew_release(order);
    return status;
}

ew_status ew_run_build_matrix(ew_run *run)
{
    ew_device *device = run->def->device;
    const bool host_blocks = !device || !ew_device_about(device)->has_double;
    if (host_blocks) {
        EW_TRY(ew_stiffness_build(&run->matrix, run->mesh, &run->topology, &run->materials));
    }
    if (device) {
        const ew_stiffness from = ew_stiffness_of(run->mesh, &run->topology, &run->materials);
        EW_TRY(ew_device_mesh_build(&run->device_mesh, device, run->mesh, &run->topology));
        EW_TRY(ew_device_matrix_build(&run->device_matrix, &run->device_mesh, &from,
                                      run->def->precision, host_blocks ? &run->matrix : NULL));
    }
    return EW_OK;
}

ew_status ew_run_size_vectors(ew_run *run)
{
    const int32_t before = run->vector_capacity, n = run->mesh->n_vertex;
    if (n <= before) {
        return EW_OK;
    }
    int32_t room_u = before, room_f = before;
    EW_TRY(ew_grow(&run->u, &room_u, n, 3 * sizeof *run->u));
    EW_TRY(ew_grow(&run->f, &room_f, n, 3 * sizeof *run->f));
    run->vector_capacity = room_u < room_f ? room_u : room_f;
    const size_t added = 3 * (size_t)(run->vector_capacity - before);
    memset(run->u + 3 * (size_t)before, 0, added * sizeof *run->u);
    memset(run->f + 3 * (size_t)before, 0, added * sizeof *run->f);
    return EW_OK;
}

static ew_status prepare(ew_run *run)
{
    const ew_progress *progress = &run->def->progress;
    double start = ew_seconds();
    EW_TRY(ew_progress_report(progress, "tables", -1));
    EW_TRY(refuse_unknown_regions(run));
    EW_TRY(ew_topology_build(&run->topology, run->mesh));
    EW_TRY(order_for_locality(run));
    ew_topology_free(&run->topology);
    EW_TRY(ew_topology_build(&run->topology, run->mesh));
    run->report.seconds_topology = ew_seconds() - start;
    EW_TRY(ew_run_assign_materials(run));
    EW_TRY(ew_run_find_sets(run));
    start = ew_seconds();
    EW_TRY(ew_progress_report(progress, "matrix", -1));
    EW_TRY(ew_run_build_matrix(run));
    run->report.seconds_matrix = ew_seconds() - start;
    run->report.seconds_built = run->report.seconds_topology + run->report.seconds_matrix;
    run->report.built_blocks =
        (int64_t)run->mesh->n_active_vertex + run->topology.pattern.n_live_pair;
    run->report.touched_blocks = run->report.built_blocks;
    return ew_run_size_vectors(run);
}

/* ---- one step ---------------------------------------------------------- */

static ew_status build_constraints(ew_run *run, const ew_case_step *step)
{
    const ew_case_constraint *list =
        step->own_constraints ? step->constraint : run->one->constraint;
    const int32_t n = step->own_constraints ? step->n_constraint : run->one->n_constraint;
    int32_t used = 0;
    EW_TRY(ew_grow(&run->constraint, &run->constraint_capacity, n, sizeof *run->constraint));
    for (int32_t i = 0; i < n; i++) {
        bool usable;
        EW_TRY(ew_run_require_members(run, list[i].set, list[i].line, &usable));
        if (usable) {
            ew_constraint *to = &run->constraint[used++];
            to->vertex = &run->set[list[i].set];
            to->fixed = list[i].fixed;
            memcpy(to->value, list[i].value, sizeof to->value);
        }
    }
    return ew_constraints_build(&run->constraints, run->mesh, used, run->constraint);
}

static ew_status build_loads(ew_run *run, const ew_case_step *step)
{
    const ew_case_load *list = step->own_loads ? step->load : run->one->load;
    const int32_t n = step->own_loads ? step->n_load : run->one->n_load;
    int32_t used = 0;
    EW_TRY(ew_grow(&run->load, &run->load_capacity, n, sizeof *run->load));
    for (int32_t i = 0; i < n; i++) {
        bool usable = true;
        if (list[i].set >= 0) {
            EW_TRY(ew_run_require_members(run, list[i].set, list[i].line, &usable));
        }
        if (usable) {
            ew_load *to = &run->load[used++];
            *to = (ew_load){.kind = list[i].kind, .pressure = list[i].pressure};
            to->vertex = list[i].set >= 0 ? &run->set[list[i].set] : NULL;
            memcpy(to->vector, list[i].vector, sizeof to->vector);
        }
    }
    const bool touched_only = run->loads_are_current && run->loads_of == list;
    run->loads_are_current = false;
    EW_TRY(ew_loads_assemble(run->mesh, &run->topology, &run->materials, used, run->load,
                             touched_only ? &run->stale_load.list : NULL, run->f));
    run->loads_are_current = true;
    run->loads_of = list;
    ew_set_clear(&run->stale_load);
    return EW_OK;
}

/* The start vector: the last solution, with the prescribed values put in. */
static void put_prescribed_values(ew_run *run)
{
    const ew_constraints *constraints = &run->constraints;
    for (int32_t v = 0; v < run->mesh->n_vertex; v++) {
        for (int32_t c = 0; c < 3; c++) {
            if (constraints->fixed[v] >> c & 1) {
                run->u[3 * (size_t)v + (size_t)c] = constraints->value[3 * (size_t)v + (size_t)c];
            }
        }
    }
}

static ew_status solve(ew_run *run, const ew_case_step *step)
{
    ew_pcg_def def = ew_default_pcg_def();
    def.tolerance = step->tolerance;
    def.max_iterations = step->max_iterations;
    def.preconditioner = run->def->preconditioner == EW_PRECONDITIONER_COUNT
                             ? step->preconditioner
                             : run->def->preconditioner;
    def.precision = run->def->precision;
    def.progress = run->def->progress;
    const double start = ew_seconds();
    const ew_pattern *pattern = &run->topology.pattern;
    const ew_matrix *host = run->matrix.revision ? &run->matrix : NULL;
    ew_status status;
    put_prescribed_values(run);
    ew_operator op =
        run->def->device
            ? ew_operator_on_device(&run->device_matrix, &run->device_mesh.pattern, pattern, host)
            : ew_operator_on_host(&run->matrix, pattern);
    const ew_system system = {&op, run->mesh->xyz, run->constraints.fixed, run->f};
    ew_solver_forget(&run->pcg);
    status = ew_solver_solve(&run->pcg, &system, &def, run->u, &run->solver);
    ew_operator_free(&op);
    run->report.seconds_solve = ew_seconds() - start;
    run->report.solver = &run->solver;
    return status;
}

static ew_status recover(ew_run *run)
{
    const double start = ew_seconds();
    EW_TRY(ew_fields_recover(&run->fields, run->mesh, &run->topology, &run->materials,
                             &run->constraints, run->f, run->shown));
    ew_sums_take(&run->sums, run->mesh, &run->materials, &run->constraints, &run->fields, run->f,
                 run->shown);
    EW_TRY(ew_fields_check_range(&run->fields, &run->sums, run->shown));
    run->report.sums = &run->sums;
    run->report.seconds_recover = ew_seconds() - start;
    return EW_OK;
}

/* Fields of a step without analysis are zero, so that every frame has the same ones. The solution
 * itself stays, for the next analysis to start from. */
static ew_status clear_fields(ew_run *run)
{
    memset(run->f, 0, 3 * (size_t)run->mesh->n_vertex * sizeof *run->f);
    run->loads_are_current = false;
    run->shown = run->f;
    run->fields_revision = 0;
    EW_TRY(ew_constraints_build(&run->constraints, run->mesh, 0, NULL));
    return recover(run);
}

static ew_status save(ew_run *run, const ew_case_step *step, int32_t index)
{
    if (!run->result) {
        return EW_OK;
    }
    const double start = ew_seconds();
    const ew_fields *fields = &run->fields;
    const ew_sums *sums = &run->sums;
    const ew_step_report *report = &run->report;
    const ew_result_field list[] = {
        {"displacement", EW_ON_VERTICES, 3, run->shown},
        {"reaction", EW_ON_VERTICES, 3, fields->reaction},
        {"stress", EW_ON_VERTICES, 6, fields->vertex_stress},
        {"von_mises", EW_ON_VERTICES, 1, fields->vertex_von_mises},
        {"stress", EW_ON_TETS, 6, fields->stress},
        {"strain", EW_ON_TETS, 6, fields->strain},
        {"von_mises", EW_ON_TETS, 1, fields->von_mises},
        {"principal", EW_ON_TETS, 3, fields->principal},
        {"strain_energy", EW_ON_TETS, 1, fields->energy},
    };
    const double iterations = run->solver.iterations, touched = (double)report->touched_blocks;
    const double total = (double)report->total_blocks, n_tet = report->n_tet;
    const double n_vertex = report->n_vertex, n_edge = report->n_edge;
    const ew_result_number numbers[] = {
        {"iterations", 1, &iterations},
        {"residual", 1, &run->solver.residual},
        {"seconds_edit", 1, &report->seconds_edit},
        {"seconds_topology", 1, &report->seconds_topology},
        {"seconds_matrix", 1, &report->seconds_matrix},
        {"seconds_compact", 1, &report->seconds_compact},
        {"seconds_loads", 1, &report->seconds_loads},
        {"seconds_solve", 1, &report->seconds_solve},
        {"seconds_recover", 1, &report->seconds_recover},
        {"n_tet", 1, &n_tet},
        {"n_vertex", 1, &n_vertex},
        {"n_edge", 1, &n_edge},
        {"touched_blocks", 1, &touched},
        {"total_blocks", 1, &total},
        {"applied_force", 3, sums->applied_force},
        {"applied_moment", 3, sums->applied_moment},
        {"reaction_force", 3, sums->reaction_force},
        {"reaction_moment", 3, sums->reaction_moment},
        {"equilibrium", 1, &sums->equilibrium},
        {"external_work", 1, &sums->external_work},
        {"strain_energy", 1, &sums->strain_energy},
        {"volume", 1, &sums->volume},
        {"mass", 1, &sums->mass},
        {"max_displacement", 1, &sums->max_displacement},
        {"max_von_mises", 1, &sums->max_von_mises},
    };
    const ew_result_frame frame = {
        .name = step->name,
        .kind = step->has_static ? "static" : "edit",
        .time = index,
        .mesh = run->mesh,
        .n_field = sizeof list / sizeof *list,
        .field = list,
        .n_number = sizeof numbers / sizeof *numbers,
        .number = numbers,
        .n_history = run->solver.n_history,
        .history = run->solver.history,
        .journal_bytes = (size_t)run->journal_bytes,
        .journal = run->journal,
    };
    EW_TRY(ew_progress_report(&run->def->progress, "save", -1));
    EW_TRY(ew_result_add_frame(run->result, &frame));
    run->report.seconds_save = ew_seconds() - start;
    return ew_result_add_number(run->result, "seconds_save", run->report.seconds_save);
}

static ew_status analyse(ew_run *run, const ew_case_step *step)
{
    const double start = ew_seconds();
    EW_TRY(build_constraints(run, step));
    for (bool any = run->one->leave_out_free; any;) {
        EW_TRY(ew_run_leave_out(run, &any));
        if (any) {
            EW_TRY(build_constraints(run, step));
        }
    }
    EW_TRY(ew_require_constrained(run->mesh, &run->topology, &run->constraints));
    EW_TRY(build_loads(run, step));
    run->report.seconds_loads = ew_seconds() - start;
    EW_TRY(solve(run, step));
    run->shown = run->u;
    EW_TRY(recover(run));
    run->fields_revision = run->mesh->revision;
    return EW_OK;
}

static ew_status run_step(ew_run *run, int32_t index)
{
    const ew_case_step *step = &run->one->step[index];
    run->report.step = index;
    run->report.name = step->name;
    run->mesh->frame = index;
    run->journal_bytes = 0;
    EW_TRY(ew_run_edits(run, step, index));
    if (run->mesh->n_live_tet == 0) {
        return ew_fail_at(EW_BAD_INPUT, step->line, "the edits leave no tets");
    }
    run->solver = (ew_pcg_info){0};
    EW_TRY(step->has_static ? analyse(run, step) : clear_fields(run));
    run->report.n_tet = run->mesh->n_live_tet;
    run->report.n_vertex = run->mesh->n_active_vertex;
    run->report.n_edge = run->topology.pattern.n_live_pair;
    run->report.total_blocks = (int64_t)run->report.n_vertex + run->report.n_edge;
    run->report.mesh = run->mesh;
    run->report.lost_members = run->set_lost;
    EW_TRY(save(run, step, index));
    if (run->def->on_step) {
        run->def->on_step(run->def->user, &run->report);
    }
    memset(&run->report, 0, sizeof run->report);
    memset(run->set_lost, 0, (size_t)run->one->n_set * sizeof *run->set_lost);
    return EW_OK;
}

static ew_status name_step(ew_status status, const ew_case_step *step)
{
    ew_fail_line(status, step->line);
    return ew_fail_prefix(status, "step '%.60s'", step->name);
}

static void free_run(ew_run *run)
{
    ew_topology_free(&run->topology);
    ew_materials_free(&run->materials);
    ew_matrix_free(&run->matrix);
    ew_device_matrix_free(&run->device_matrix);
    ew_device_mesh_free(&run->device_mesh);
    for (int32_t i = 0; run->set && i < run->one->n_set; i++) {
        ew_set_free(&run->set[i]);
    }
    ew_release(run->set);
    ew_release(run->set_members);
    ew_release(run->set_lost);
    ew_release(run->set_found);
    ew_edit_free(&run->edit);
    ew_change_free(&run->change);
    ew_set_free(&run->stale_load);
    ew_release(run->load);
    ew_release(run->constraint);
    ew_constraints_free(&run->constraints);
    ew_release(run->f);
    ew_release(run->u);
    ew_fields_free(&run->fields);
    ew_solver_free(&run->pcg);
    ew_release(run->edit_report);
    ew_release(run->journal);
}

ew_status ew_study_run(const ew_case *one, ew_mesh *mesh, const ew_study_def *def,
                       ew_result *result, const ew_result_archive *journal)
{
    ew_run run = {.one = one, .def = def, .result = result, .replay = journal, .mesh = mesh};
    if (journal && journal->n_step != one->n_step) {
        return ew_fail(EW_BAD_INPUT,
                       "the journal has %d steps, the case %d; replay needs the case "
                       "the result was made from",
                       (int)journal->n_step, (int)one->n_step);
    }
    ew_status status = prepare(&run);
    for (int32_t i = 0; i < one->n_step && !status; i++) {
        status = run_step(&run, i);
        if (status) {
            name_step(status, &one->step[i]);
        }
    }
    free_run(&run);
    return status;
}
