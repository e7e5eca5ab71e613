/* What edges with a function add to sums. In: recovered fields of a body with quadratic tets, the
 * sums of its vertices and of its tets as if these were linear. Out: moments and work of loads and
 * supports on edges, volume and mass within curved sides, thermal work.
 *
 * Rows of edges and tets are added in chunks, as in sums.c. */
#include "analysis/load/load_type.h"
#include "analysis/recovery/quadratic_recovery.h"
#include "analysis/recovery/stretches.h"

typedef struct context {
    const ew_mesh *mesh;
    const ew_materials *materials;
    const ew_fields *fields;
    int32_t n_load;
    const ew_load *load;
    const double *u;
    const ew_edge_values *edges;
    bool is_warm; /* there are loads of temperature */
} context;

static double work_of(const double force[3], const double moved[3])
{
    return force[0] * moved[0] + force[1] * moved[1] + force[2] * moved[2];
}

/* ---- rows of edges ---------------------------------------------------------------------- */

/* moment += that of a force on the function of an edge: none but on a curved side, of which a
 * rotation moves the middle beyond the mean of the ends. */
static void add_moment(const double *curve, const double *force, double moment[3])
{
    for (int c = 0; c < 3; c++) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        moment[c] += curve[d] * force[e] - curve[e] * force[d];
    }
}

static void sum_rows(const context *in, int32_t chunk, ew_edge_sums *sum)
{
    const ew_edge_values *edges = in->edges;
    const ew_edge_rows *rows = edges->rows;
    const int32_t end = ew_sum_chunk_end(chunk, rows->pattern.n_row);
    *sum = (ew_edge_sums){0};
    for (int32_t row = chunk * EW_SUM_CHUNK; row < end; row++) {
        const size_t at = 3 * (size_t)row;
        const double *reaction = in->fields->edge_reaction + at;
        if (rows->edge[row] < 0) {
            continue;
        }
        sum->external_work += work_of(edges->f + at, edges->u + at);
        sum->external_work += work_of(reaction, edges->u + at);
        if (rows->curve) {
            add_moment(rows->curve + at, edges->f + at, sum->applied_moment);
            add_moment(rows->curve + at, reaction, sum->reaction_moment);
        }
    }
}

/* ---- tets --------------------------------------------------------------------------------- */

/* By corner: a tensor for 1 K times the change there. */
static void spread(const ew_corner_state *state, const double of_one[6], double tensor[4][6])
{
    for (int i = 0; i < 24; i++) {
        tensor[i / 6][i % 6] = state->change[i / 6] * of_one[i % 6];
    }
}

/* Replaces the term of a tet's mean thermal strain (ew_partial_sums_take) by the integral. */
static void correct_thermal(const context *in, int32_t t, ew_quadratic_sums *sum)
{
    ew_corner_state state;
    double tensor[4][6], prevented[6];
    const double *strain = in->fields->strain + 6 * (size_t)t;
    const double *stress = in->fields->stress + 6 * (size_t)t;
    const ew_elastic law = ew_elastic_of_tet(in->materials, in->mesh, t);
    if (!ew_corner_state_of(&state, in->mesh, in->materials, in->n_load, in->load, in->u, in->edges,
                            t)) {
        return;
    }
    const double part = ew_mesh_tet_volume(in->mesh, t) * ew_corners_mean_change(&state);
    ew_elastic_stress(&law, state.expansion, prevented);
    spread(&state, state.expansion, tensor);
    sum->thermal_work += ew_corners_integrate(&state, state.stress, tensor);
    spread(&state, prevented, tensor);
    sum->external_work -= ew_corners_integrate(&state, state.strain, tensor);
    for (int c = 0; c < 6; c++) {
        sum->thermal_work -= part * state.expansion[c] * stress[c];
        sum->external_work += part * prevented[c] * strain[c];
    }
}

/* Volume and mass of a tet with its sides as they are, by the points that loads are taken at. */
static void correct_curved(const context *in, int32_t t, ew_quadratic_sums *sum)
{
    double x[12], d[18], volume = 0.0;
    if (!ew_tet_curves(in->edges->rows, in->edges->topology, t, d)) {
        return;
    }
    ew_mesh_tet_values(in->mesh, t, in->mesh->xyz, x);
    for (int p = 0; p < 4; p++) {
        double y[12];
        ew_curved_point(p, x, d, y);
        volume += 0.25 * ew_tet_volume(y, y + 3, y + 6, y + 9);
    }
    const double more = volume - ew_mesh_tet_volume(in->mesh, t);
    sum->volume += more;
    sum->mass += more * in->materials->material[in->mesh->region[t]].density;
}

static void sum_tets(const context *in, int32_t chunk, ew_quadratic_sums *sum)
{
    const int32_t end = ew_sum_chunk_end(chunk, in->mesh->n_tet);
    *sum = (ew_quadratic_sums){0};
    for (int32_t t = chunk * EW_SUM_CHUNK; t < end; t++) {
        if (!ew_mesh_tet_is_live(in->mesh, t)) {
            continue;
        }
        if (in->edges->rows->curve) {
            correct_curved(in, t, sum);
        }
        if (in->is_warm) {
            correct_thermal(in, t, sum);
        }
    }
}

/* ---- all ---------------------------------------------------------------------------------- */

static void take_spring_energy(const context *in, ew_sums *sums)
{
    const double *pull = in->edges->pull;
    const int32_t n = in->mesh->n_vertex, n_row = in->edges->rows->pattern.n_row;
    for (int32_t v = 0; v < n && pull; v++) {
        sums->spring_energy -= 0.5 * work_of(pull + 3 * (size_t)v, in->u + 3 * (size_t)v);
    }
    for (int32_t row = 0; row < n_row && pull; row++) {
        const size_t at = 3 * ((size_t)n + (size_t)row);
        sums->spring_energy -= 0.5 * work_of(pull + at, in->edges->u + 3 * (size_t)row);
    }
}

static void add_rows(const ew_edge_sums *part, ew_sums *sums)
{
    sums->external_work += part->external_work;
    for (int c = 0; c < 3; c++) {
        sums->applied_moment[c] += part->applied_moment[c];
        sums->reaction_moment[c] += part->reaction_moment[c];
    }
}

static void add_tets(const ew_quadratic_sums *part, ew_sums *sums)
{
    sums->volume += part->volume;
    sums->mass += part->mass;
    sums->external_work += part->external_work;
    sums->thermal_work += part->thermal_work;
}

/* Sums of the chunks that changed; those of tets are known by ew_partial_sums_take. */
static void sum_chunks(const context *in, ew_partial_sums *own)
{
    const ew_list *edge = &own->edge_chunk.list, *tet = &own->tet_chunk.list;
    const ew_stretch part = ew_stretch_of(in->fields->parts, tet->n);
#pragma omp parallel num_threads(ew_threads_for(edge->n + tet->n, 4))
    {
#pragma omp for schedule(static) nowait
        for (int32_t i = 0; i < edge->n; i++) {
            sum_rows(in, edge->id[i], own->edge + edge->id[i]);
        }
#pragma omp for schedule(static)
        for (int32_t i = part.begin; i < part.end; i++) {
            sum_tets(in, tet->id[i], own->quadratic + tet->id[i]);
        }
    }
}

ew_status ew_partial_sums_add_edges(ew_partial_sums *own, const ew_mesh *mesh,
                                    const ew_materials *materials, const ew_fields *fields,
                                    int32_t n_load, const ew_load *load, const double *u,
                                    const ew_edge_values *edges, const ew_recovery_change *change,
                                    ew_sums *sums)
{
    context in = {mesh, materials, fields, n_load, load, u, edges, false};
    const int32_t n_row = edges->rows->pattern.n_row;
    const int32_t n_edge = ew_sum_chunk_count(n_row), n_tet = ew_sum_chunk_count(mesh->n_tet);
    for (int32_t i = 0; i < n_load; i++) {
        in.is_warm = in.is_warm || load[i].kind == EW_LOAD_TEMPERATURE;
    }
    EW_TRY(ew_grow(&own->edge, &own->edge_capacity, n_edge, sizeof *own->edge));
    EW_TRY(ew_grow(&own->quadratic, &own->quadratic_capacity, n_tet, sizeof *own->quadratic));
    EW_TRY(ew_sum_chunks_find(change ? &change->edge_row.list : NULL, n_row, &own->edge_chunk));
    sum_chunks(&in, own);
    EW_TRY(ew_stretch_share(fields->parts, n_tet, NULL, sizeof *own->quadratic / sizeof(double),
                            own->quadratic));
    for (int32_t k = 0; k < n_edge; k++) {
        add_rows(own->edge + k, sums);
    }
    for (int32_t k = 0; k < n_tet; k++) {
        add_tets(own->quadratic + k, sums);
    }
    take_spring_energy(&in, sums);
    return EW_OK;
}
