/* The account of energy and momentum. Work of a step is that of the mean of the forces before and
 * after it on the displacement between, so that for the average acceleration of Newmark, which
 * moves by such means, the balance is zero but for rounding and the solver's tolerance. What it
 * shows for others is what they make or take themselves. */
#include "model/formulation/formulation.h"

#include <string.h>

/* momentum [n_vertex][3]: M v. */
static void add_momenta(const ew_model *model, const double *momentum, ew_energy_account *to)
{
    memset(to->linear_momentum, 0, sizeof to->linear_momentum);
    memset(to->angular_momentum, 0, sizeof to->angular_momentum);
    to->mass = 0.0;
    for (int32_t v = 0; v < model->mesh.n_vertex; v++) {
        const double *p = momentum + 3 * (size_t)v, *at = model->mesh.xyz + 3 * (size_t)v;
        const double *u = model->field[0].value + 3 * (size_t)v;
        const bool turns = model->nonlinear.kinematics == EW_COROTATIONAL;
        const double x[3] = {at[0] + (turns ? u[0] : 0.0), at[1] + (turns ? u[1] : 0.0),
                             at[2] + (turns ? u[2] : 0.0)};
        for (int c = 0; c < 3 && ew_mesh_vertex_is_active(&model->mesh, v); c++) {
            const int d = (c + 1) % 3, e = (c + 2) % 3;
            to->linear_momentum[c] += p[c];
            to->angular_momentum[c] += x[d] * p[e] - x[e] * p[d];
        }
    }
}

/* With curved sides the place of a point is that of its tet's corners and of the curves of edges.
 */
static void add_momenta_of_curves(const ew_model *model, const double *momentum,
                                  ew_energy_account *to)
{
    const model_quadratic *q = &model->quadratic;
    for (int32_t row = 0; row < q->rows.pattern.n_row; row++) {
        const double *x = q->curve + 3 * (size_t)row;
        const double *p = momentum + 3 * ((size_t)model->mesh.n_vertex + (size_t)row);
        for (int c = 0; c < 3 && q->rows.edge[row] >= 0; c++) {
            const int d = (c + 1) % 3, e = (c + 2) % 3;
            to->angular_momentum[c] += x[d] * p[e] - x[e] * p[d];
        }
    }
}

static double total_mass(const ew_model *model)
{
    const ew_mesh *mesh = &model->mesh;
    const ew_edge_mass *edges = model_edge_mass(model);
    double sum = 0.0;
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (ew_mesh_tet_is_live(mesh, t)) {
            const double density = model->materials.material[mesh->region[t]].density;
            sum += edges ? edges->of_tet[t] : ew_mesh_tet_volume(mesh, t) * density;
        }
    }
    return sum;
}

/* Energies and momenta of the fields. Leaves K u in MODEL_OUTPUT and M v in `momentum`. */
ew_status model_measure_motion(ew_model *model, double *momentum, ew_energy_account *to)
{
    model_dynamics *of = &model->dynamics;
    const double *u = model->field[0].value, *v = model->field[of->velocity].value;
    double *output = of->vector[MODEL_OUTPUT];
    EW_TRY(model_pull_faces(model, u));
    to->spring = model_spring_energy(model, u);
    EW_TRY(model_formulation_of(model)->force(model, u, to->spring, output, &to->strain));
    model_mass_product(model, v, momentum);
    to->kinetic = 0.5 * model_dot(model, v, momentum);
    to->time = of->time;
    add_momenta(model, momentum, to);
    if (model_is_curved(model)) {
        add_momenta_of_curves(model, momentum, to);
    }
    to->mass = total_mass(model);
    ew_sums sums;
    model_sum_states(model, &sums);
    to->dissipated = sums.dissipated;
    return EW_OK;
}

static double energy(const ew_energy_account *of)
{
    return of->kinetic + of->strain + of->spring + of->dissipated;
}

static void balance(ew_energy_account *of)
{
    of->balance = energy(of) + of->damping_work + of->friction_work - of->external_work -
                  of->edit_work - of->initial;
}

/* damping = C v, momentum being M v. */
ew_status model_find_damping(ew_model *model, const double *momentum, double *damping)
{
    model_dynamics *of = &model->dynamics;
    const int64_t n = 3 * (int64_t)model_n_row(model);
    const double *v = model->field[of->velocity].value;
    const double a = of->def.damping_mass, b = of->def.damping_stiffness;
    if (b != 0.0) {
        EW_TRY(model_elastic_product(model, v, damping));
    } else {
        memset(damping, 0, (size_t)n * sizeof *damping);
    }
#pragma omp parallel for schedule(static) if (n > MODEL_MIN_PARALLEL)
    for (int64_t i = 0; i < n; i++) {
        damping[i] = a * momentum[i] + b * damping[i];
    }
    return EW_OK;
}

/* K u + C v + M a - F where something is prescribed, less the forces of equations, and 0 elsewhere;
 * K u is in MODEL_OUTPUT. */
static ew_status find_reaction(ew_model *model)
{
    model_dynamics *of = &model->dynamics;
    const ew_system rows = model_rows(model);
    const double *internal = of->vector[MODEL_OUTPUT], *damping = of->vector[MODEL_DAMPING];
    double *reaction = of->vector[MODEL_REACTION], *rest = of->vector[MODEL_MOMENTUM];
    const double *force = of->vector[MODEL_FORCE];
    const int64_t n = 3 * (int64_t)model_n_row(model);
    model_mass_product(model, model->field[of->acceleration].value, rest);
#pragma omp parallel for schedule(static) if (n > MODEL_MIN_PARALLEL)
    for (int64_t i = 0; i < n; i++) {
        rest[i] = internal[i] + damping[i] + rest[i] - force[i];
        reaction[i] = rows.fixed[i / 3] >> i % 3 & 1 ? rest[i] : 0.0;
    }
    EW_TRY(model_find_equation_force(model, rest));
    EW_TRY(model_take_multipliers(model, model->field[0].value));
    for (int64_t i = 0; rows.equations && i < n; i++) {
        rest[i] -= model->equations.force[i];
        reaction[i] -= rows.fixed[i / 3] >> i % 3 & 1 ? model->equations.force[i] : 0.0;
    }
    for (int32_t k = 0; k < rows.oblique->n; k++) {
        const size_t at = 3 * (size_t)rows.oblique->row[k];
        ew_oblique_part(rows.oblique, k, rest + at, reaction + at);
    }
    return EW_OK;
}

static ew_status find_forces(ew_model *model)
{
    const model_dynamics *of = &model->dynamics;
    EW_TRY(model_find_damping(model, of->vector[MODEL_MOMENTUM], of->vector[MODEL_DAMPING]));
    return find_reaction(model);
}

/* Work of pressures that turn with faces: by the mean of those before and after the step. */
static double pressure_work(ew_model *model, const double *moved)
{
    double *const *vector = model->nonlinear.vector;
    return model_has_follower(model) ? 0.5 * (model_dot(model, vector[NONLINEAR_BALANCED], moved) +
                                              model_dot(model, vector[NONLINEAR_PRESSURE], moved))
                                     : 0.0;
}

/* Those that model_measure_motion found, for the next step. */
static void keep_pressure(const ew_model *model)
{
    if (model_has_follower(model)) {
        memcpy(model->nonlinear.vector[NONLINEAR_BALANCED],
               model->nonlinear.vector[NONLINEAR_PRESSURE], model_vector_size(model));
    }
}

ew_status model_account_state(ew_model *model, bool is_known)
{
    model_dynamics *of = &model->dynamics;
    ew_energy_account *account = &of->account;
    const double before = energy(account);
    EW_TRY(model_measure_motion(model, of->vector[MODEL_MOMENTUM], account));
    if (is_known) {
        account->edit_work += energy(account) - before;
    }
    keep_pressure(model);
    balance(account);
    return find_forces(model);
}

ew_status model_account_step(ew_model *model, const double *moved)
{
    model_dynamics *of = &model->dynamics;
    ew_energy_account *account = &of->account;
    const double *damping = of->vector[MODEL_DAMPING], *reaction = of->vector[MODEL_REACTION];
    const double *force = of->vector[MODEL_FORCE], *next = of->vector[MODEL_NEXT_FORCE];
    double taken = model_dot(model, damping, moved);
    double done = model_dot(model, force, moved) + model_dot(model, reaction, moved);
    EW_TRY(model_measure_motion(model, of->vector[MODEL_MOMENTUM], account));
    done += model_dot(model, next, moved);
    memcpy(of->vector[MODEL_FORCE], next, model_vector_size(model));
    /* damping is by the tangent as it is now */
    EW_TRY(of->def.damping_stiffness != 0.0 ? model_update_matrix(model) : EW_OK);
    EW_TRY(find_forces(model));
    taken += model_dot(model, damping, moved);
    done += model_dot(model, reaction, moved);
    account->damping_work += 0.5 * taken;
    account->external_work += 0.5 * done + pressure_work(model, moved);
    keep_pressure(model);
    account->external_work += model->nonlinear.thermal_work;
    account->friction_work += model->contacts.n ? model->contacts.friction_work : 0.0;
    balance(account);
    return EW_OK;
}
