/* A body in as many parts as processes: statics, then edits across parts, then statics again; each
 * answer as a line that no number of processes changes. Started by check_distributed.py:
 *
 *     mpirun -n N distributed_trial [CELLS] [solve|edit|refuse|singular|infinite|stop|count]
 *
 * In one process the answers are compared with those of the solver for one. Failures: status 1 and
 * one line of process 0. */
#include "assembly/parts/assembly.h"
#include "distributed/team.h"
#include "shape/parts/shape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct trial {
    ew_team team;
    ew_subdomain part;
    ew_topology topology;
    ew_materials materials;
    ew_matrix matrix;
    ew_change change;
    ew_part_solver solver;
    uint8_t *fixed;
    double *b, *x;
    bool is_free, is_infinite; /* no supports; a load that is not finite */
    bool counts;
    bool is_warm; /* x is there already */
} trial;

/* ---- the body ------------------------------------------------------------------- */

/* The part's records of the whole, which each process makes for itself. */
static ew_status cut(trial *t, const ew_mesh *mesh, ew_records *records)
{
    ew_topology topology = {0};
    ew_atom_graph graph = {0};
    int32_t *atom = NULL, *atom_part = NULL, n_atom = 0;
    ew_status status;
    EW_TRY_OUT(ew_topology_build(&topology, mesh));
    EW_TRY_OUT(ew_new(&atom, (size_t)mesh->n_vertex, sizeof *atom));
    EW_TRY_OUT(ew_atoms_cut(mesh, &topology.pattern, 100, &n_atom, atom));
    EW_TRY_OUT(ew_new(&atom_part, (size_t)n_atom, sizeof *atom_part));
    EW_TRY_OUT(ew_atom_graph_of_mesh(&graph, mesh, &topology.pattern, n_atom, atom));
    EW_TRY_OUT(ew_atom_graph_deal(&graph, t->team.n, atom_part));
    const ew_record_source source = {mesh, &topology.vertex_to_tet, atom, NULL, NULL};
    EW_TRY_OUT(ew_records_of_part(&source, atom_part, t->team.rank, records));
    const ew_subdomain_def def = {t->team.rank, t->team.n,      n_atom,
                                  atom_part,    mesh->n_region, mesh->region_label};
    EW_TRY_OUT(ew_subdomain_init(&t->part, &def, 1, records));
out:
    ew_topology_free(&topology);
    ew_atom_graph_free(&graph);
    ew_release(atom);
    ew_release(atom_part);
    return status;
}

static ew_status build_tables(trial *t)
{
    EW_TRY(ew_topology_build(&t->topology, &t->part.mesh));
    EW_TRY(ew_subdomain_plan(&t->part, &t->topology.vertex_to_tet));
    return ew_stiffness_build(&t->matrix, &t->part.mesh, &t->topology, &t->materials);
}

static ew_status make_part(trial *t, int32_t cells)
{
    const ew_material steel = {.young = 210e9, .poisson = 0.3, .density = 7850};
    ew_mesh mesh;
    ew_records records = {0};
    EW_TRY(ew_shape_box(&mesh, (double[]){1, 1, 3}, (int32_t[]){cells, cells, 3 * cells}));
    ew_status status = cut(t, &mesh, &records);
    ew_mesh_free(&mesh);
    ew_records_free(&records);
    EW_TRY(status);
    EW_TRY(ew_materials_init(&t->materials, 1, &steel));
    return build_tables(t);
}

/* ---- statics ----------------------------------------------------------------------- */

/* Weight at the far end's side, the near end clamped and moved by a little. */
static ew_status prescribe(trial *t)
{
    const ew_mesh *mesh = &t->part.mesh;
    const size_t n = (size_t)mesh->n_vertex;
    ew_release(t->fixed);
    ew_release(t->b);
    EW_TRY(ew_new_zero(&t->fixed, n, sizeof *t->fixed));
    EW_TRY(ew_new_zero(&t->b, 3 * n, sizeof *t->b));
    if (!t->is_warm) {
        ew_release(t->x);
        EW_TRY(ew_new_zero(&t->x, 3 * n, sizeof *t->x));
    }
    for (size_t v = 0; v < n; v++) {
        const double *at = mesh->xyz + 3 * v;
        if (at[2] < 1e-9 && !t->is_free) {
            t->fixed[v] = at[0] < 0.5 ? 7 : 6;
            t->x[3 * v + 1] = 1e-5;
        }
        t->fixed[v] = mesh->valence[v] > 0 ? t->fixed[v] : 7;
        t->b[3 * v] = 7e3 * at[2] * mesh->valence[v];
        t->b[3 * v + 1] = t->is_infinite && mesh->vertex_id[v] == 400 ? NAN : -4e3;
    }
    return EW_OK;
}

/* Displacements of the owned vertices by id, in all processes; length of the array: *n. */
static ew_status gather(const trial *t, int64_t *n, double **all)
{
    *n = 3 * t->part.mesh.next_vertex_id;
    EW_TRY(ew_team_agree(&t->team, ew_new_zero(all, (size_t)*n, sizeof **all)));
    for (int32_t v = -1; (v = ew_mesh_next_vertex(&t->part.mesh, v)) >= 0;) {
        if (ew_subdomain_owns(&t->part, v)) {
            memcpy(*all + 3 * t->part.mesh.vertex_id[v], t->x + 3 * (size_t)v, 3 * sizeof **all);
        }
    }
    return ew_team_join(&t->team, *n, *all);
}

/* The same system by the solver for one process; the part is the whole. */
static ew_status compare_with_one(const trial *t)
{
    const size_t n = 3 * (size_t)t->part.mesh.n_vertex;
    ew_solver solver = {0};
    ew_pcg_def def = ew_default_pcg_def();
    ew_pcg_info info;
    double *x = NULL, largest = 0.0, difference = 0.0;
    ew_operator op = ew_operator_on_host(&t->matrix, &t->topology.pattern);
    const ew_system system = {.op = &op, .xyz = t->part.mesh.xyz, .fixed = t->fixed, .b = t->b};
    ew_status status;
    def.tolerance = 1e-11;
    EW_TRY_OUT(ew_new_zero(&x, n, sizeof *x));
    for (size_t i = 0; i < n; i++) {
        x[i] = t->fixed[i / 3] >> (i % 3) & 1 ? t->x[i] : 0.0;
    }
    EW_TRY_OUT(ew_solver_solve(&solver, &system, &def, x, &info));
    for (size_t i = 0; i < n; i++) {
        largest = fmax(largest, fabs(x[i]));
        difference = fmax(difference, fabs(x[i] - t->x[i]));
    }
    EW_TRY_OUT(
        difference <= 1e-6 * largest
            ? EW_OK
            : ew_fail(EW_MATRIX_DIFFERS, "the answer differs by %g of %g", difference, largest));
out:
    ew_release(x);
    ew_solver_free(&solver);
    ew_operator_free(&op);
    return status;
}

/* Largest numbers of a process: its rows and ghosts, what it sends to others in an iteration,
 * processor time of set-up and solve. */
static ew_status count(const trial *t, clock_t began, const ew_part_solver_info *info)
{
    int32_t n_ghost = 0;
    for (int32_t p = 0; p < t->team.n; p++) {
        n_ghost += t->part.receive.count[p];
    }
    const double n = info->iterations + 1;
    double own[] = {t->solver.n_own, n_ghost, (double)t->solver.room.n_message / n,
                    (double)t->solver.room.n_byte / n, (double)(clock() - began) / CLOCKS_PER_SEC};
    double all[5];
    EW_TRY(ew_check_mpi(MPI_Reduce(own, all, 5, MPI_DOUBLE, MPI_MAX, 0, t->team.comm)));
    if (t->team.rank == 0) {
        printf("at most %.0f rows, %.0f ghosts, %.1f messages, %.0f bytes an iteration, %.2f s\n",
               all[0], all[1], all[2], all[3], all[4]);
    }
    return EW_OK;
}

static ew_status solve(trial *t, const char *name)
{
    ew_part_solver_def def = ew_default_part_solver_def();
    ew_part_solver_info info;
    int64_t n;
    double *all = NULL, largest = 0.0;
    ew_status status;
    def.max_iterations = 200;
    EW_TRY(ew_team_agree(&t->team, prescribe(t)));
    const ew_part_system system = {&t->part, &t->topology.pattern, &t->matrix, t->fixed};
    const clock_t began = clock();
    EW_TRY(ew_part_solver_setup(&t->team, &t->solver, &system, &def));
    EW_TRY(ew_part_solver_solve(&t->team, &t->solver, &system, &def, t->b, t->x, &info));
    EW_TRY(t->counts ? count(t, began, &info) : EW_OK);
    EW_TRY(gather(t, &n, &all));
    for (int64_t i = 0; i < n; i++) {
        largest = fmax(largest, fabs(all[i]));
    }
    if (t->team.rank == 0) {
        printf("%s: %lld rows, %d aggregates, %d iterations, residual %.17g, largest %.17g, bits "
               "%016llx\n",
               name, (long long)info.n_row, info.n_aggregate, info.iterations, info.residual,
               largest, (unsigned long long)ew_hash(EW_HASH_START, all, (size_t)n * sizeof *all));
    }
    status = t->team.n == 1 ? compare_with_one(t) : EW_OK;
    ew_release(all);
    return status;
}

/* ---- edits --------------------------------------------------------------------------- */

static bool is_inside(const trial *t, int32_t tet, double low, double high)
{
    double center[3];
    ew_mesh_tet_centroid(&t->part.mesh, tet, center);
    return center[0] > 0.6 && center[2] > low && center[2] < high;
}

/* Each process queues what is of the lowest corner's owner, so that each thing is told once. */
static ew_status queue(const trial *t, ew_edit *edit, bool refuse)
{
    const ew_mesh *mesh = &t->part.mesh;
    for (int32_t tet = -1; (tet = ew_mesh_next_tet(mesh, tet)) >= 0;) {
        if (ew_subdomain_owns(&t->part, mesh->tet[4 * (size_t)tet]) &&
            is_inside(t, tet, 1.2, 1.8)) {
            EW_TRY(ew_edit_remove_tet(edit, tet));
        }
    }
    for (int32_t v = -1; (v = ew_mesh_next_vertex(mesh, v)) >= 0;) {
        const double *x = mesh->xyz + 3 * (size_t)v;
        if (ew_subdomain_owns(&t->part, v) && x[2] > 2.0) {
            const double to[3] = {refuse && x[2] > 2.9 ? -x[0] : 0.9 * x[0], x[1], x[2]};
            EW_TRY(ew_edit_move_vertex(edit, v, to));
        }
    }
    return EW_OK;
}

static ew_status tell(const trial *t, ew_edit *edit, bool refuse, ew_records *records)
{
    const ew_mesh *mesh = &t->part.mesh;
    const ew_record_source source = ew_subdomain_source(&t->part, &t->topology.vertex_to_tet);
    EW_TRY(queue(t, edit, refuse));
    return ew_records_of_edit(&source, edit, mesh->next_vertex_id, mesh->next_tet_id,
                              t->part.atom_part, t->team.n, records);
}

static ew_status follow(trial *t)
{
    EW_TRY(ew_topology_update(&t->topology, &t->part.mesh, &t->change));
    EW_TRY(ew_subdomain_follow(&t->part, &t->topology.vertex_to_tet, &t->change));
    return ew_stiffness_revalidate(&t->matrix, &t->part.mesh, &t->topology, &t->materials,
                                   &t->topology.touched);
}

static ew_status edit(trial *t, bool refuse)
{
    ew_edit edit = {0};
    bool renumbered = false;
    ew_records *records = calloc((size_t)t->team.n, sizeof *records);
    ew_status status;
    EW_TRY_OUT(ew_team_agree(&t->team, tell(t, &edit, refuse, records)));
    EW_TRY_OUT(ew_team_edit(&t->team, &t->part, records, &t->topology.vertex_to_tet, &t->change,
                            &renumbered));
    EW_TRY_OUT(ew_team_agree(&t->team, follow(t)));
    EW_TRY_OUT(ew_team_agree(&t->team, ew_subdomain_validate(&t->part)));
out:
    for (int32_t p = 0; p < t->team.n; p++) {
        ew_records_free(&records[p]);
    }
    free(records);
    ew_edit_free(&edit);
    return status;
}

/* Parts of other atoms, dealt again, with the answer; where they were balanced before, too. */
static ew_status balance(trial *t)
{
    bool moved = false;
    const int32_t before = t->part.n_atom;
    EW_TRY(ew_team_balance(&t->team, &t->part, &t->topology, 60, 0.0, 3, &t->x, &moved));
    EW_TRY(moved && t->part.n_atom > before
               ? EW_OK
               : ew_fail(EW_BAD_ARGUMENT, "%d atoms became %d", before, t->part.n_atom));
    ew_topology_free(&t->topology);
    ew_matrix_free(&t->matrix);
    t->is_warm = true;
    return ew_team_agree(&t->team, build_tables(t));
}

/* ---- what is asked for ------------------------------------------------------------------ */

static ew_status run(trial *t, int32_t cells, const char *what)
{
    EW_TRY(ew_team_init(&t->team, MPI_COMM_WORLD));
    EW_TRY(ew_team_agree(&t->team, make_part(t, cells)));
    if (strcmp(what, "stop") == 0 && t->team.rank == t->team.n - 1) {
        abort(); /* one is lost, the others wait for it */
    }
    t->is_free = strcmp(what, "singular") == 0;
    t->is_infinite = strcmp(what, "infinite") == 0;
    t->counts = strcmp(what, "count") == 0;
    EW_TRY(solve(t, "whole"));
    if (strcmp(what, "edit") == 0 || strcmp(what, "refuse") == 0) {
        EW_TRY(edit(t, strcmp(what, "refuse") == 0));
        EW_TRY(solve(t, "edited"));
        EW_TRY(balance(t));
        EW_TRY(solve(t, "balanced"));
        t->is_warm = false;
        EW_TRY(solve(t, "again"));
    }
    return EW_OK;
}

int main(int argc, char **argv)
{
    trial t = {0};
    MPI_Init(&argc, &argv);
    const ew_status status = run(&t, argc > 1 ? atoi(argv[1]) : 6, argc > 2 ? argv[2] : "edit");
    if (status && t.team.rank == 0) {
        fprintf(stderr, "distributed_trial: %s\n", ew_message());
    }
    ew_part_solver_free(&t.solver);
    ew_subdomain_free(&t.part);
    ew_topology_free(&t.topology);
    ew_materials_free(&t.materials);
    ew_matrix_free(&t.matrix);
    ew_change_free(&t.change);
    ew_release(t.fixed);
    ew_release(t.b);
    ew_release(t.x);
    MPI_Finalize();
    return status ? 1 : 0;
}
