/* Bodies that move. In: a mesh, what solves. Out: a model at time 0 under two forces, and edits. */
#include "moving.h"
#include "ew_parts.h"
#include "solver/cholmod.h"

#include <math.h>
#include <string.h>

const char *const bench_solver_names[BENCH_N_SOLVER] = {"cg", "cholesky", "matrix-free cg"};

bool bench_solver_exists(bench_solver solver, ew_device *device)
{
    return solver == BENCH_CHOLESKY ? EW_WITH_CHOLMOD && !device
                                    : !device || ew_device_about(device)->has_double;
}

/* ---- where it is pressed -------------------------------------------------- */

static void centroid(const ew_mesh *mesh, int32_t code, double x[3])
{
    x[0] = x[1] = x[2] = 0.0;
    for (int i = 0; i < 9; i++) {
        const int32_t v = mesh->tet[4 * (size_t)(code / 4) + ew_face_vertex[code % 4][i / 3]];
        x[i % 3] += mesh->xyz[3 * (size_t)v + i % 3] / 3.0;
    }
}

/* The boundary faces farthest out in +x and -x. */
static ew_status find_faces(ew_model *model, int32_t code[2])
{
    const ew_boundary *boundary;
    const ew_mesh *mesh = ew_model_mesh(model);
    double most[2] = {-INFINITY, -INFINITY};
    EW_TRY(ew_model_boundary(model, &boundary));
    for (int32_t i = 0; i < boundary->n_slot; i++) {
        double x[3];
        if (boundary->code[i] < 0) {
            continue;
        }
        centroid(mesh, boundary->code[i], x);
        for (int side = 0; side < 2; side++) {
            const double out = side ? -x[0] : x[0];
            if (out > most[side]) {
                most[side] = out;
                code[side] = boundary->code[i];
            }
        }
    }
    return EW_OK;
}

/* Along the line between the two, so that they turn nothing. */
static ew_status press(ew_model *model, bool varying)
{
    const ew_amplitude sine = {
        .kind = EW_AMPLITUDE_SINE, .size = 1.0, .frequency = 1.0, .end = INFINITY};
    ew_model_load load[2];
    int32_t code[2] = {0, 0};
    double x[2][3], length = 0.0;
    EW_TRY(find_faces(model, code));
    centroid(ew_model_mesh(model), code[0], x[0]);
    centroid(ew_model_mesh(model), code[1], x[1]);
    for (int c = 0; c < 3; c++) {
        length += (x[1][c] - x[0][c]) * (x[1][c] - x[0][c]);
    }
    EW_TRY(varying ? ew_model_set_amplitudes(model, 1, &sine) : EW_OK);
    for (int side = 0; side < 2; side++) {
        const ew_model_set_def def = {.name = side ? "left" : "right", .kind = EW_SET_OF_FACES};
        const ew_list face = {.n = 1, .capacity = 1, .id = &code[side]};
        load[side] = (ew_model_load){.kind = EW_LOAD_TOTAL_FORCE, .amplitude = varying};
        EW_TRY(ew_model_add_set(model, &def, &face, &load[side].set));
        for (int c = 0; c < 3; c++) {
            load[side].vector[c] = BENCH_SOFT_FORCE * (x[!side][c] - x[side][c]) / sqrt(length);
        }
    }
    return ew_model_set_loads(model, 2, load);
}

/* ---- start and edits ------------------------------------------------------- */

static ew_dynamics_def settings(bench_solver solver, double tolerance)
{
    ew_dynamics_def def = ew_default_dynamics_def();
    def.scheme = EW_IMPLICIT_EULER;
    def.damping_mass = BENCH_SOFT_MASS;
    def.damping_stiffness = BENCH_SOFT_STIFF;
    def.solver.tolerance = tolerance;
#if EW_WITH_CHOLMOD
    if (solver == BENCH_CHOLESKY) {
        def.solver.preconditioner = EW_CHOLESKY;
        def.solver.direct = ew_direct_solver();
    }
#else
    (void)solver;
#endif
    return def;
}

ew_status bench_moving_start(bench_moving *moving, const ew_mesh *mesh, ew_device *device,
                             bench_solver solver, double tolerance, bool varying)
{
    const ew_material soft = {
        .young = BENCH_SOFT_YOUNG, .poisson = BENCH_SOFT_POISSON, .density = BENCH_SOFT_DENSITY};
    const ew_dynamics_def def = settings(solver, tolerance);
    ew_model_def model_def = ew_default_model_def();
    ew_mesh copy = {0};
    *moving = (bench_moving){.random = 88172645463325252U, .gone = {-1}};
    model_def.device = device;
    EW_TRY(ew_mesh_copy(&copy, mesh));
    const ew_status status = ew_model_create(&moving->model, &copy, &model_def);
    ew_mesh_free(&copy);
    EW_TRY(status);
    EW_TRY(
        ew_model_set_operator(moving->model, solver == BENCH_FREE_CG ? EW_MATRIX_FREE : EW_STORED));
    EW_TRY(ew_model_set_material(moving->model, EW_ALL_REGIONS, &soft));
    EW_TRY(press(moving->model, varying));
    return ew_model_start_dynamics(moving->model, &def, 0.0);
}

/* All four neighbors are there, so that no loaded face and no vertex goes with it. */
static int32_t find_inside(bench_moving *moving)
{
    const ew_mesh *mesh = ew_model_mesh(moving->model);
    const ew_topology *topology = ew_model_topology(moving->model);
    for (int32_t tries = 0; tries < 10000; tries++) {
        const int32_t t = bench_random(&moving->random, mesh->n_tet);
        bool is_inside = ew_mesh_tet_is_live(mesh, t);
        for (int f = 0; f < 4 && is_inside; f++) {
            is_inside = ew_topology_face_neighbor(topology, mesh, 4 * t + f) >= 0;
        }
        if (is_inside) {
            return t;
        }
    }
    return -1;
}

ew_status bench_moving_edit(bench_moving *moving)
{
    const ew_mesh *mesh = ew_model_mesh(moving->model);
    ew_edit *edit = ew_model_edit(moving->model);
    ew_model_begin(moving->model);
    if (moving->gone[0] >= 0) {
        EW_TRY(ew_edit_add_tet(edit, moving->gone, mesh->region_label[0]));
        moving->gone[0] = -1;
        return ew_model_commit(moving->model);
    }
    const int32_t t = find_inside(moving);
    if (t < 0) {
        return EW_OK; /* a body without inner tets */
    }
    memcpy(moving->gone, mesh->tet + 4 * (size_t)t, sizeof moving->gone);
    EW_TRY(ew_edit_remove_tet(edit, t));
    return ew_model_commit(moving->model);
}

void bench_moving_free(bench_moving *moving)
{
    ew_model_free(moving->model);
    moving->model = NULL;
}
