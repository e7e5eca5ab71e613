/* Sums and extremes by which an engineer judges a step. In: mesh, materials, constraints, recovered
 * fields, forces and displacement. Out: resultants of loads and reactions, work and energy, the
 * largest displacement and stress.
 *
 * Vertices and tets are added in chunks of EW_SUM_CHUNK slots, within a chunk in the order of the
 * slots, and then chunk by chunk. Chunks whose slots have not changed are kept, so that after a
 * small change the sums have the bits of whole ones. */
#include "analysis/recovery/stretches.h"

#include <math.h>
#include <string.h>

typedef struct context {
    const ew_mesh *mesh;
    const ew_materials *materials;
    const ew_constraints *constraints;
    const ew_fields *fields;
    const double *f, *u;
} context;

static void add_force(const double *x, const double *f, double force[3], double moment[3])
{
    for (int c = 0; c < 3; c++) {
        int d = (c + 1) % 3, e = (c + 2) % 3;
        force[c] += f[c];
        moment[c] += x[d] * f[e] - x[e] * f[d];
    }
}

static double length(const double *x)
{
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

/* ---- vertices ------------------------------------------------------------------- */

static void add_vertex(const context *in, int32_t v, ew_vertex_sums *sum)
{
    const double *x = in->mesh->xyz + 3 * (size_t)v, *u = in->u + 3 * (size_t)v;
    const double *f = in->f + 3 * (size_t)v, *reaction = in->fields->reaction + 3 * (size_t)v;
    add_force(x, f, sum->applied_force, sum->applied_moment);
    add_force(x, reaction, sum->reaction_force, sum->reaction_moment);
    sum->applied += length(f);
    sum->reacted += length(reaction);
    for (int c = 0; c < 3; c++) {
        sum->external_work += f[c] * u[c];
        sum->external_work += reaction[c] * u[c];
    }
    if (in->constraints->spring) {
        sum->spring_energy += ew_spring_energy(in->constraints->spring + 6 * (size_t)v, u);
    }
    const double moved = length(u), mises = in->fields->vertex_von_mises[v];
    if (sum->max_displacement_vertex < 0 || moved > sum->max_displacement) {
        sum->max_displacement = moved;
        sum->max_displacement_vertex = v;
    }
    if (sum->max_von_mises_vertex < 0 || mises > sum->max_von_mises) {
        sum->max_von_mises = mises;
        sum->max_von_mises_vertex = v;
    }
}

static void sum_vertices(const context *in, int32_t chunk, ew_vertex_sums *sum)
{
    const int32_t begin = chunk * EW_SUM_CHUNK, end = ew_sum_chunk_end(chunk, in->mesh->n_vertex);
    const size_t first = (size_t)begin;
    *sum = (ew_vertex_sums){.max_displacement_vertex = -1, .max_von_mises_vertex = -1};
    for (int32_t v = begin; v < end; v++) {
        if (ew_mesh_vertex_is_active(in->mesh, v)) {
            add_vertex(in, v, sum);
        }
    }
    const int64_t n = 3 * (int64_t)(end - begin);
    sum->displacement = ew_largest_magnitude(in->u + 3 * first, n);
    sum->reaction = ew_largest_magnitude(in->fields->reaction + 3 * first, n);
    sum->stress = ew_largest_magnitude(in->fields->vertex_stress + 6 * first, 2 * n);
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* all += part */
static void add_vertices(const ew_vertex_sums *part, ew_vertex_sums *all)
{
    for (int c = 0; c < 3; c++) {
        all->applied_force[c] += part->applied_force[c];
        all->applied_moment[c] += part->applied_moment[c];
        all->reaction_force[c] += part->reaction_force[c];
        all->reaction_moment[c] += part->reaction_moment[c];
    }
    all->applied += part->applied;
    all->reacted += part->reacted;
    all->external_work += part->external_work;
    all->spring_energy += part->spring_energy;
    all->displacement = larger(all->displacement, part->displacement);
    all->reaction = larger(all->reaction, part->reaction);
    all->stress = larger(all->stress, part->stress);
    if (part->max_displacement_vertex >= 0 &&
        (all->max_displacement_vertex < 0 || part->max_displacement > all->max_displacement)) {
        all->max_displacement = part->max_displacement;
        all->max_displacement_vertex = part->max_displacement_vertex;
    }
    if (part->max_von_mises_vertex >= 0 &&
        (all->max_von_mises_vertex < 0 || part->max_von_mises > all->max_von_mises)) {
        all->max_von_mises = part->max_von_mises;
        all->max_von_mises_vertex = part->max_von_mises_vertex;
    }
}

/* ---- tets ------------------------------------------------------------------------- */

/* The loads of a tet's thermal strain do work that is no work of others; and the stress does work
 * on the thermal strain that is no elastic energy. */
static void add_thermal(const context *in, int32_t t, ew_tet_sums *sum)
{
    const ew_fields *fields = in->fields;
    const double volume = fields->volume[t], part = volume * fields->thermal_strain[t];
    const double *strain = fields->strain + 6 * (size_t)t, *stress = fields->stress + 6 * (size_t)t;
    if (!fields->has_thermal_tensor && part == 0.0) {
        return;
    }
    const ew_elastic law = ew_elastic_of_tet(in->materials, in->mesh, t);
    const double *lame =
        fields->pressure ? in->materials->deviatoric + 2 * (size_t)in->mesh->region[t] : law.lame;
    if (fields->thermal_in_law) {
        for (int c = 0; c < 6; c++) {
            const double own = fields->has_thermal_tensor
                                   ? fields->thermal_tensor[6 * (size_t)t + (size_t)c]
                                   : (c < 3 ? fields->thermal_strain[t] : 0.0);
            sum->thermal_work += volume * own * stress[c];
        }
    } else if (!lame && fields->has_thermal_tensor) {
        const double *tensor = fields->thermal_tensor + 6 * (size_t)t;
        double prevented[6];
        ew_elastic_stress(&law, tensor, prevented);
        for (int c = 0; c < 6; c++) {
            sum->external_work -= volume * prevented[c] * strain[c];
            sum->thermal_work += volume * tensor[c] * stress[c];
        }
    } else if (lame && part != 0.0) {
        sum->external_work -=
            part * (3.0 * lame[0] + 2.0 * lame[1]) * (strain[0] + strain[1] + strain[2]);
        sum->thermal_work += part * (stress[0] + stress[1] + stress[2]);
    }
}

static void add_tet(const context *in, int32_t t, ew_tet_sums *sum)
{
    const ew_fields *fields = in->fields;
    const double *principal = fields->principal + 3 * (size_t)t, mises = fields->von_mises[t];
    const bool first = sum->max_von_mises_tet < 0;
    sum->volume += fields->volume[t];
    sum->mass += fields->volume[t] * in->materials->material[in->mesh->region[t]].density;
    sum->strain_energy += fields->energy[t];
    add_thermal(in, t, sum);
    sum->max_principal =
        first || principal[0] > sum->max_principal ? principal[0] : sum->max_principal;
    sum->min_principal =
        first || principal[2] < sum->min_principal ? principal[2] : sum->min_principal;
    if (first || mises > sum->max_von_mises) {
        sum->max_von_mises = mises;
        sum->max_von_mises_tet = t;
    }
}

static void sum_tets(const context *in, int32_t chunk, ew_tet_sums *sum)
{
    const int32_t begin = chunk * EW_SUM_CHUNK, end = ew_sum_chunk_end(chunk, in->mesh->n_tet);
    const int64_t n = 6 * (int64_t)(end - begin);
    *sum = (ew_tet_sums){.max_von_mises_tet = -1};
    for (int32_t t = begin; t < end; t++) {
        if (ew_mesh_tet_is_live(in->mesh, t)) {
            add_tet(in, t, sum);
        }
    }
    sum->stress = ew_largest_magnitude(in->fields->stress + 6 * (size_t)begin, n);
    sum->strain = ew_largest_magnitude(in->fields->strain + 6 * (size_t)begin, n);
}

/* all += part */
static void add_tets(const ew_tet_sums *part, ew_tet_sums *all)
{
    const bool first = all->max_von_mises_tet < 0;
    all->volume += part->volume;
    all->mass += part->mass;
    all->strain_energy += part->strain_energy;
    all->external_work += part->external_work;
    all->thermal_work += part->thermal_work;
    all->stress = larger(all->stress, part->stress);
    all->strain = larger(all->strain, part->strain);
    if (part->max_von_mises_tet < 0) {
        return;
    }
    if (first || part->max_principal > all->max_principal) {
        all->max_principal = part->max_principal;
    }
    if (first || part->min_principal < all->min_principal) {
        all->min_principal = part->min_principal;
    }
    if (first || part->max_von_mises > all->max_von_mises) {
        all->max_von_mises = part->max_von_mises;
        all->max_von_mises_tet = part->max_von_mises_tet;
    }
}

/* ---- all ---------------------------------------------------------------------------- */

static void combine(const context *in, const ew_vertex_sums *vertex, const ew_tet_sums *tet,
                    ew_sums *sums)
{
    double rest[3];
    *sums = (ew_sums){.external_work = vertex->external_work + tet->external_work,
                      .strain_energy = tet->strain_energy,
                      .thermal_work = tet->thermal_work,
                      .spring_energy = vertex->spring_energy,
                      .volume = tet->volume,
                      .mass = tet->mass,
                      .max_displacement = vertex->max_displacement,
                      .max_displacement_vertex = vertex->max_displacement_vertex,
                      .max_von_mises = fmax(tet->max_von_mises, vertex->max_von_mises),
                      .max_tet_von_mises = tet->max_von_mises,
                      .max_tet_von_mises_tet = tet->max_von_mises_tet,
                      .max_vertex_von_mises = vertex->max_von_mises,
                      .max_vertex_von_mises_vertex = vertex->max_von_mises_vertex,
                      .max_vertex_von_mises_region =
                          vertex->max_von_mises_vertex < 0
                              ? -1
                              : ew_fields_vertex_region(in->fields, vertex->max_von_mises_vertex),
                      .max_recovered_von_mises_vertex = -1,
                      .max_principal = tet->max_principal,
                      .min_principal = tet->min_principal};
    memcpy(sums->applied_force, vertex->applied_force, sizeof rest);
    memcpy(sums->applied_moment, vertex->applied_moment, sizeof rest);
    memcpy(sums->reaction_force, vertex->reaction_force, sizeof rest);
    memcpy(sums->reaction_moment, vertex->reaction_moment, sizeof rest);
    for (int c = 0; c < 3; c++) {
        rest[c] = sums->applied_force[c] + sums->reaction_force[c];
    }
    const double largest = fmax(vertex->applied, vertex->reacted);
    sums->equilibrium = largest > 0.0 ? length(rest) / largest : 0.0;
}

static const ew_vertex_sums no_vertices = {.max_displacement_vertex = -1,
                                           .max_von_mises_vertex = -1};
static const ew_tet_sums no_tets = {.max_von_mises_tet = -1};

ew_status ew_partial_sums_take(ew_partial_sums *own, const ew_mesh *mesh,
                               const ew_materials *materials, const ew_constraints *constraints,
                               const ew_fields *fields, const double *f, const double *u,
                               const ew_recovery_change *change, ew_sums *sums)
{
    const context in = {mesh, materials, constraints, fields, f, u};
    const int32_t n_vertex = ew_sum_chunk_count(mesh->n_vertex),
                  n_tet = ew_sum_chunk_count(mesh->n_tet);
    const ew_list *vertex = &own->vertex_chunk.list, *tet = &own->tet_chunk.list;
    EW_TRY(ew_grow(&own->vertex, &own->vertex_capacity, n_vertex, sizeof *own->vertex));
    EW_TRY(ew_grow(&own->tet, &own->tet_capacity, n_tet, sizeof *own->tet));
    EW_TRY(ew_sum_chunks_find(change ? &change->vertex.list : NULL, mesh->n_vertex,
                              &own->vertex_chunk));
    EW_TRY(ew_sum_chunks_find(change ? &change->tet.list : NULL, mesh->n_tet, &own->tet_chunk));
    const ew_stretch part =
        ew_stretch_of(fields->parts, tet->n); /* of all, where there are parts */
#pragma omp parallel num_threads(ew_threads_for(vertex->n + tet->n, 4))
    {
#pragma omp for schedule(static) nowait
        for (int32_t i = 0; i < vertex->n; i++) {
            sum_vertices(&in, vertex->id[i], own->vertex + vertex->id[i]);
        }
#pragma omp for schedule(static)
        for (int32_t i = part.begin; i < part.end; i++) {
            sum_tets(&in, tet->id[i], own->tet + tet->id[i]);
        }
    }
    EW_TRY(
        ew_stretch_share(fields->parts, n_tet, NULL, sizeof *own->tet / sizeof(double), own->tet));
    own->of_vertices = no_vertices;
    own->of_tets = no_tets;
    for (int32_t k = 0; k < n_vertex; k++) {
        add_vertices(own->vertex + k, &own->of_vertices);
    }
    for (int32_t k = 0; k < n_tet; k++) {
        add_tets(own->tet + k, &own->of_tets);
    }
    combine(&in, &own->of_vertices, &own->of_tets, sums);
    return EW_OK;
}

void ew_partial_sums_free(ew_partial_sums *own)
{
    ew_release(own->vertex);
    ew_release(own->tet);
    ew_release(own->edge);
    ew_release(own->quadratic);
    ew_set_free(&own->vertex_chunk);
    ew_set_free(&own->tet_chunk);
    ew_set_free(&own->edge_chunk);
    *own = (ew_partial_sums){0};
}
