/* The set-up of the preconditioner of all parts: aggregates within atoms, numbered by atoms; each
 * process makes the chunks of its own, and all make the factor. */
#include "distributed/team.h"

#include <math.h>
#include <string.h>

/* What all processes know of aggregates. */
typedef struct layout {
    int32_t n_aggregate;
    int32_t *n_group;   /* [n_atom] owned: aggregates of each atom, */
    int32_t *base;      /* [n_atom] owned: which begin with this number */
    int32_t *aggregate; /* [n_vertex] owned */
    int32_t *chunk;     /* [n_aggregate] owned: its atom, -1: of another process */
    double *frame;      /* [n_aggregate][4] owned */
} layout;

static void free_layout(layout *of)
{
    ew_release(of->n_group);
    ew_release(of->base);
    ew_release(of->aggregate);
    ew_release(of->chunk);
    ew_release(of->frame);
}

/* Owned rows by atom. */
static ew_status list_own(ew_part_solver *solver, const ew_subdomain *subdomain)
{
    const ew_mesh *mesh = &subdomain->mesh;
    const int32_t n_atom = subdomain->n_atom;
    EW_TRY(ew_new_zero(&solver->atom_begin, (size_t)n_atom + 2, sizeof *solver->atom_begin));
    EW_TRY(ew_new(&solver->own, (size_t)mesh->n_vertex, sizeof *solver->own));
    for (int32_t v = -1; (v = ew_mesh_next_vertex(mesh, v)) >= 0;) {
        if (ew_subdomain_owns(subdomain, v)) {
            solver->atom_begin[subdomain->atom[v] + 2]++;
            solver->n_own++;
        }
    }
    for (int32_t a = 0; a < n_atom; a++) {
        solver->atom_begin[a + 2] += solver->atom_begin[a + 1];
    }
    for (int32_t v = -1; (v = ew_mesh_next_vertex(mesh, v)) >= 0;) {
        if (ew_subdomain_owns(subdomain, v)) {
            solver->own[solver->atom_begin[subdomain->atom[v] + 1]++] = v;
        }
    }
    return EW_OK;
}

static ew_status make_room(ew_part_solver *solver, const ew_part_system *system)
{
    const size_t n = (size_t)system->subdomain->mesh.n_vertex;
    EW_TRY(list_own(solver, system->subdomain));
    EW_TRY(ew_new_zero(&solver->vector, 12 * n, sizeof *solver->vector));
    return ew_new(&solver->partial, 2 * (size_t)system->subdomain->n_atom, sizeof *solver->partial);
}

static ew_status count_rows(const ew_team *team, ew_part_solver *solver)
{
    double n = solver->n_own;
    EW_TRY(ew_team_join(team, 1, &n));
    solver->n_row = (int64_t)n;
    return EW_OK;
}

static int32_t rows_of_aggregate(const ew_part_solver_def *def, int64_t n_row)
{
    enum { WANTED = 300, MIN = 20, MAX = 128 };
    const int64_t rows = n_row / WANTED;
    return def->aggregate_rows ? def->aggregate_rows
                               : (int32_t)(rows < MIN   ? MIN
                                           : rows > MAX ? MAX
                                                        : rows);
}

static ew_status group_rows(layout *of, const ew_subdomain *subdomain, int32_t rows)
{
    const size_t n_atom = (size_t)subdomain->n_atom;
    EW_TRY(ew_new(&of->n_group, n_atom, sizeof *of->n_group));
    EW_TRY(ew_new(&of->base, n_atom, sizeof *of->base));
    EW_TRY(ew_new(&of->aggregate, (size_t)subdomain->mesh.n_vertex, sizeof *of->aggregate));
    return ew_subdomain_group(subdomain, rows, of->aggregate, of->n_group);
}

/* Numbers of aggregates in place of those in their atoms. */
static void number_aggregates(layout *of, const ew_subdomain *subdomain)
{
    for (int32_t a = 0; a < subdomain->n_atom; a++) {
        of->base[a] = of->n_aggregate;
        of->n_aggregate += of->n_group[a];
    }
    for (int32_t v = 0; v < subdomain->mesh.n_vertex; v++) {
        of->aggregate[v] += of->aggregate[v] < 0 ? 0 : of->base[subdomain->atom[v]];
    }
}

/* Means of the rows' places, and how far from them the farthest row is; of aggregates of this
 * process, 0 of all others. */
static ew_status find_frames(layout *of, const ew_part_solver *solver,
                             const ew_subdomain *subdomain)
{
    const size_t n = (size_t)of->n_aggregate;
    int32_t *count = NULL;
    EW_TRY(ew_new(&of->chunk, n, sizeof *of->chunk));
    EW_TRY(ew_new_zero(&of->frame, 4 * n, sizeof *of->frame));
    EW_TRY(ew_new_zero(&count, n, sizeof *count));
    memset(of->chunk, -1, n * sizeof *of->chunk);
    for (int32_t i = 0; i < solver->n_own; i++) {
        const int32_t v = solver->own[i], a = of->aggregate[v];
        of->chunk[a] = subdomain->atom[v];
        count[a]++;
        for (size_t c = 0; c < 3; c++) {
            of->frame[4 * (size_t)a + c] += subdomain->mesh.xyz[3 * (size_t)v + c];
        }
    }
    for (size_t i = 0; i < 4 * n; i++) {
        of->frame[i] /= count[i / 4] ? count[i / 4] : 1;
    }
    for (int32_t i = 0; i < solver->n_own; i++) {
        const int32_t v = solver->own[i];
        const double *x = subdomain->mesh.xyz + 3 * (size_t)v;
        double *frame = of->frame + 4 * (size_t)of->aggregate[v], square = 0.0;
        for (int c = 0; c < 3; c++) {
            square += (x[c] - frame[c]) * (x[c] - frame[c]);
        }
        frame[3] = fmax(frame[3], sqrt(square));
    }
    for (size_t a = 0; a < n; a++) { /* of one row any length will do */
        of->frame[4 * a + 3] = count[a] && of->frame[4 * a + 3] == 0.0 ? 1.0 : of->frame[4 * a + 3];
    }
    ew_release(count);
    return EW_OK;
}

static ew_status make_level(const ew_team *team, ew_part_solver *solver,
                            const ew_part_system *system, const layout *of)
{
    const ew_part_level_def def = {of->n_aggregate, system->subdomain->n_atom, of->aggregate,
                                   of->chunk, of->frame};
    const ew_level_block *own;
    ew_level_block *block = NULL;
    int32_t n = 0, n_own;
    ew_status status = ew_part_level_setup(&solver->level, system->matrix, system->pattern,
                                           system->subdomain->mesh.xyz, system->fixed, &def);
    EW_TRY_OUT(ew_team_agree(team, status));
    own = ew_part_level_blocks(solver->level, &n_own);
    EW_TRY_OUT(ew_team_gather(team, sizeof *block, n_own, own, &n, &block));
    status = ew_part_level_factor(solver->level, n, block);
    status = status ? status
                    : ew_new(&solver->coarse, 6 * (size_t)of->n_aggregate, sizeof *solver->coarse);
    EW_TRY_OUT(ew_team_agree(team, status));
out:
    ew_release(block);
    return status;
}

static ew_status set_up(const ew_team *team, ew_part_solver *solver, const ew_part_system *system,
                        const ew_part_solver_def *def, layout *of)
{
    const ew_subdomain *subdomain = system->subdomain;
    EW_TRY(ew_team_agree(team, make_room(solver, system)));
    EW_TRY(count_rows(team, solver));
    EW_TRY(ew_team_agree(team, group_rows(of, subdomain, rows_of_aggregate(def, solver->n_row))));
    EW_TRY(ew_team_join_counts(team, subdomain->n_atom, of->n_group));
    number_aggregates(of, subdomain);
    EW_TRY(ew_team_exchange(team, subdomain, sizeof *of->aggregate, of->aggregate, &solver->room));
    EW_TRY(ew_team_agree(team, find_frames(of, solver, subdomain)));
    EW_TRY(ew_team_join(team, 4 * (int64_t)of->n_aggregate, of->frame));
    solver->n_aggregate = of->n_aggregate;
    return make_level(team, solver, system, of);
}

ew_status ew_part_solver_setup(const ew_team *team, ew_part_solver *solver,
                               const ew_part_system *system, const ew_part_solver_def *def)
{
    layout of = {0};
    ew_part_solver_free(solver);
    const ew_status status = set_up(team, solver, system, def, &of);
    free_layout(&of);
    if (status) {
        ew_part_solver_free(solver);
    }
    return status;
}

void ew_part_solver_free(ew_part_solver *solver)
{
    ew_part_level_free(solver->level);
    ew_release(solver->coarse);
    ew_release(solver->own);
    ew_release(solver->atom_begin);
    ew_release(solver->vector);
    ew_release(solver->partial);
    ew_exchange_room_free(&solver->room);
    memset(solver, 0, sizeof *solver);
}
