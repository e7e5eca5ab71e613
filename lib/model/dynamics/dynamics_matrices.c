/* Matrices of dynamics: mass, the matrix of a step, products and solves with them. The mass is kept
 * on the host, where its product is cheap; beside a device there is one there, too, for the matrix
 * of a step. */
#include "model/formulation/formulation.h"

#include <math.h>
#include <string.h>

/* What a set-up of the preconditioner takes, in iterations, about. */
#define SETUP_ITERATIONS 8.0
/* More than one row in so many are most. */
enum { MANY = 4 };

/* ---- blocks ------------------------------------------------------------------------ */

/* Of an explicit scheme it may be the only matrix there. */
static ew_status mass_on_device(ew_model *model, model_matrix *matrix, const void *from,
                                const ew_pattern_change *change)
{
    EW_TRY(model_need_device_mesh(model));
    return change ? ew_device_mass_revalidate(&matrix->device, &model->device_mesh, from, change)
                  : ew_device_mass_build(&matrix->device, &model->device_mesh, from);
}

static ew_status step_on_device(ew_model *model, model_matrix *matrix, const void *from,
                                const ew_pattern_change *change)
{
    const ew_matrix *host = model_host_blocks(model, matrix);
    const ew_device_matrix *k = &model->stiffness.matrix.device;
    const ew_device_matrix *m = &model->dynamics.mass.device;
    return change ? ew_device_combination_revalidate(&matrix->device, &model->device_mesh, from, k,
                                                     m, change, host)
                  : ew_device_combination_build(&matrix->device, &model->device_mesh, from, k, m,
                                                model->precision, host);
}

/* A region without density has no tets. */
ew_status model_need_densities(const ew_model *model)
{
    const ew_mesh *mesh = &model->mesh;
    bool any = false;
    for (int32_t r = 0; r < mesh->n_region; r++) {
        any = any || !(model->materials.material[r].density > 0.0);
    }
    for (int32_t t = 0; t < mesh->n_tet && any; t++) {
        const int32_t r = mesh->region[t];
        if (ew_mesh_tet_is_live(mesh, t) && !(model->materials.material[r].density > 0.0)) {
            return ew_fail_about(EW_BAD_INPUT, mesh->region_label[r], -1,
                                 "dynamics: region %d has no density; give its material one",
                                 mesh->region_label[r]);
        }
    }
    return EW_OK;
}

ew_status model_update_dynamic_matrices(ew_model *model)
{
    const ew_mass from = model_mass(model);
    const model_compute there = model_has_host_blocks(model) ? NULL : mass_on_device;
    const model_blocks blocks = {.source = &from.source, .on_device = there, .from = &from};
    EW_TRY(model_prepare_mixed(model));
    EW_TRY(model_update_supports(model));
    EW_TRY(model_need_densities(model));
    return model_matrix_update(model, &model->dynamics.mass, &blocks);
}

/* With a bound blocks are kept until they differ by more; so is the preconditioner of values that
 * are others on the same pattern, until it has cost more iterations than to follow them would. Then
 * where most of them differ it is filled again as it is: aggregates are of the body, which has
 * turned alone. */
static ew_status follow_values(ew_model *model)
{
    model_dynamics *of = &model->dynamics;
    ew_pattern_dirty *dirty = &of->system.solver_dirty;
    const bool is_there = of->def.bound > 0.0 && of->rate > 0.0 &&
                          dirty->from_revision == dirty->to_revision &&
                          of->solver_info.preconditioner == EW_RIGID;
    if (!dirty->to_revision || (is_there && of->excess < SETUP_ITERATIONS)) {
        return EW_OK;
    }
    of->rate = of->excess = 0.0;
    if (is_there && (int64_t)MANY * dirty->row.list.n > model->mesh.n_vertex) {
        ew_pattern_dirty_free(dirty);
        ew_solver_invalidate(&of->system.solver);
        return EW_OK;
    }
    return model_system_update_solver(model, &of->system);
}

ew_status model_update_step_matrix(ew_model *model, double step)
{
    model_dynamics *of = &model->dynamics;
    const model_source k =
        model_formulation_of(model)->source(model, &model->topology, model_ground(model));
    const ew_mass mass = model_mass(model);
    if (step != of->step) {
        ew_scheme_step_matrix(&of->rule, step, of->def.damping_mass, of->def.damping_stiffness,
                              &of->of_mass, &of->of_stiffness);
        model_matrix_forget_constants(&of->system.matrix);
        of->has_followed = of->has_followed || of->step > 0.0;
        of->step = step;
    }
    if (of->of_stiffness == 0.0) {
        return EW_OK;
    }
    const ew_combination from =
        ew_combination_of(&k.source, model_host_blocks(model, &model->stiffness.matrix),
                          of->of_stiffness, &mass, &of->mass.host, of->of_mass);
    const model_blocks blocks = model_blocks_of(model, &from.source, step_on_device);
    model_system_set_tets(&of->system, of->of_stiffness, &mass, of->of_mass);
    EW_TRY(model_system_update(model, &of->system, &blocks));
    EW_TRY(model_update_step_edges(model));
    if (!of->has_solved && of->system.solver_dirty.to_revision) {
        /* A run that goes on from the state that was restored has no solver to follow the edit. */
        ew_solver_reset(&of->system.solver);
        ew_pattern_dirty_free(&of->system.solver_dirty);
    }
    return follow_values(model);
}

/* ---- products ------------------------------------------------------------------------ */

void model_mass_product(ew_model *model, const double *x, double *y)
{
    const size_t n = 3 * (size_t)model->mesh.n_vertex;
    ew_matrix_product_scalar(&model->dynamics.mass.host, &model->topology.pattern, x, y);
    const ew_edge_mass *edges = model_edge_mass(model);
    if (edges) {
        memset(y + n, 0, model_vector_size(model) - n * sizeof *y);
        model_add_edge_mass(model, edges, x, y);
    }
}

/* ---- mass alone ---------------------------------------------------------------------- */

/* z = D^-1 r, D the diagonal of the mass; of quadratic tets that in nodal values, where no
 * constraint prescribes. */
static void divide(const ew_model *model, const double *r, double *z)
{
    const ew_edge_mass *edges = model_edge_mass(model);
    if (edges) {
        ew_edge_mass_divide(edges, r, z);
        model_filter_constraints(model, z);
        ew_edge_mass_leave_means(edges, z);
        model_filter_constraints(model, z);
        return;
    }
    const double *diagonal = model->dynamics.mass.host.diagonal;
    const int32_t n = model->mesh.n_vertex;
#pragma omp parallel for schedule(static) if (n > MODEL_MIN_PARALLEL)
    for (int32_t v = 0; v < n; v++) {
        for (size_t i = 3 * (size_t)v; i < 3 * (size_t)v + 3; i++) {
            z[i] = r[i] / diagonal[v];
        }
    }
}

/* y += factor x */
static void add(const ew_model *model, double factor, const double *x, double *y)
{
    const int64_t n = 3 * (int64_t)model_n_row(model);
#pragma omp parallel for schedule(static) if (n > MODEL_MIN_PARALLEL)
    for (int64_t i = 0; i < n; i++) {
        y[i] += factor * x[i];
    }
}

/* p = D^-1 r + factor p; returns r . D^-1 r. z: work. */
static double turn(ew_model *model, const double *r, double *z, double *p, double *rz)
{
    const double before = *rz;
    const int64_t n = 3 * (int64_t)model_n_row(model);
    divide(model, r, z);
    model_filter(model, z);
    *rz = model_dot(model, r, z);
    const double factor = before > 0.0 ? *rz / before : 0.0;
#pragma omp parallel for schedule(static) if (n > MODEL_MIN_PARALLEL)
    for (int64_t i = 0; i < n; i++) {
        p[i] = z[i] + factor * p[i];
    }
    return *rz;
}

/* Conjugate gradients with the diagonal: that of a consistent mass leaves a condition of 5 at the
 * most (Wathen 1987), the nodal one of quadratic tets of 17, so that 40 or 80 iterations are
 * plenty.
 */
static ew_status iterate(ew_model *model, double *r, double *x)
{
    enum { MAX_ITERATIONS = 200 };
    const double tolerance = 1e-14;
    double *p = model->dynamics.vector[MODEL_INPUT], *q = model->dynamics.vector[MODEL_OUTPUT];
    double *z = model->dynamics.vector[MODEL_UNKNOWN] == x ? model->dynamics.vector[MODEL_NEXT_D]
                                                           : model->dynamics.vector[MODEL_UNKNOWN];
    double rz = 0.0;
    const size_t size = model_vector_size(model);
    memset(x, 0, size);
    memset(p, 0, size);
    const double first = turn(model, r, z, p, &rz);
    for (int32_t k = 0; k < MAX_ITERATIONS && rz > tolerance * tolerance * first; k++) {
        model_mass_product(model, p, q);
        model_filter(model, q);
        const double step = rz / model_dot(model, p, q);
        add(model, step, p, x);
        add(model, -step, q, r);
        (void)turn(model, r, z, p, &rz);
    }
    return isfinite(rz) && rz <= 1e-20 * first
               ? EW_OK
               : ew_fail(EW_NOT_CONVERGED, "dynamics: the mass matrix could not be solved with; "
                                           "check densities, loads and the time step");
}

ew_status model_mass_solve(ew_model *model, double factor, double *b, double *x)
{
    const int64_t n = 3 * (int64_t)model_n_row(model);
    model_filter(model, b);
    /* Where middles of edges are constrained along other directions than their ends, or equations
     * tie rows, divide() is no inverse. */
    if (model->dynamics.def.mass == EW_MASS_LUMPED && !model_is_oblique(model, true) &&
        !model_has_equations(&model->equations)) {
        divide(model, b, x);
    } else {
        EW_TRY(iterate(model, b, x));
    }
#pragma omp parallel for schedule(static) if (n > MODEL_MIN_PARALLEL)
    for (int64_t i = 0; i < n; i++) {
        x[i] /= factor;
    }
    const double square = model_dot(model, x, x);
    return isfinite(square) ? EW_OK
                            : ew_fail(EW_NOT_FINITE, "dynamics: the acceleration is not finite; "
                                                     "check loads, supports and the time step");
}
