/* Recovery. In: mesh, tables, materials, constraints, forces f and the solved displacement
 * u. Out: strain, stress and energy of each tet (constant in a linear tet),
 * volume-weighted averages at the vertices, reactions K u - f where displacement is
 * prescribed, and the sums by which an engineer judges the step. No matrix: it may live on
 * a device, and K u at a vertex is the sum of V stress . gradient over its tets. */
#include "corners.h"

#include <math.h>
#include <string.h>

typedef struct context {
    const ew_mesh *mesh;
    const ew_topology *topology;
    const ew_materials *materials;
    const ew_constraints *constraints;
    int32_t n_load;
    const ew_load *load; /* those of temperature are read */
    const double *f, *u;
    const double *internal; /* [n_vertex][3] force of the tets, or null: that of their strain */
    const ew_edge_values *edges; /* or null */
} context;

/* Room for [need][width] doubles in one of several arrays that share a capacity; the
 * holder takes the new capacity over once all of them have grown. */
static ew_status grow(double **array, int32_t capacity, int32_t need, size_t width, int32_t *grown)
{
    *grown = capacity;
    return ew_grow(array, grown, need, width * sizeof **array);
}

static ew_status make_room(ew_fields *fields, const ew_mesh *mesh, bool is_isotropic)
{
    int32_t n = mesh->n_vertex, had = fields->vertex_capacity, grown = 0;
    EW_TRY(grow(&fields->reaction, had, n, 3, &grown));
    EW_TRY(grow(&fields->vertex_stress, had, n, 6, &grown));
    EW_TRY(grow(&fields->vertex_von_mises, had, n, 1, &grown));
    fields->vertex_capacity = grown;
    n = mesh->n_tet;
    had = fields->tet_capacity;
    EW_TRY(grow(&fields->strain, had, n, 6, &grown));
    EW_TRY(grow(&fields->stress, had, n, 6, &grown));
    EW_TRY(grow(&fields->thermal_strain, had, n, 1, &grown));
    EW_TRY(grow(&fields->von_mises, had, n, 1, &grown));
    EW_TRY(grow(&fields->principal, had, n, 3, &grown));
    EW_TRY(grow(&fields->energy, had, n, 1, &grown));
    fields->tet_capacity = grown;
    fields->has_thermal_tensor = !is_isotropic;
    fields->thermal_in_law = false;
    if (!is_isotropic) {
        EW_TRY(ew_grow(&fields->thermal_tensor, &fields->thermal_capacity, n,
                       6 * sizeof *fields->thermal_tensor));
    }
    fields->n_vertex = mesh->n_vertex;
    fields->n_tet = mesh->n_tet;
    return EW_OK;
}

static ew_status check_sources(const context *in)
{
    uint64_t revision = in->mesh->revision;
    if (in->topology->pattern.revision != revision ||
        in->constraints->n_vertex != in->mesh->n_vertex) {
        return ew_fail(
            EW_STALE,
            "recovery: the mesh is of revision %llu, the tables of %llu, and constraints "
            "cover %d of %d vertices; bring them up to date first",
            (unsigned long long)revision, (unsigned long long)in->topology->pattern.revision,
            in->constraints->n_vertex, in->mesh->n_vertex);
    }
    if (in->materials->n != in->mesh->n_region) {
        return ew_fail(EW_BAD_ARGUMENT, "recovery: %d materials for %d regions", in->materials->n,
                       in->mesh->n_region);
    }
    return EW_OK;
}

/* Of a live tet, from what it is where the law is isotropic. */
static void thermal_tensor(const context *in, const ew_elastic *law, int32_t t, double isotropic,
                           double tensor[6])
{
    const double change =
        law->lame ? 0.0 : ew_loads_temperature_change(in->mesh, in->n_load, in->load, t);
    for (int c = 0; c < 6; c++) {
        tensor[c] = law->lame ? (c < 3 ? isotropic : 0.0) : change * law->expansion[c];
    }
}

/* Stress of a strain in tet t; of mixed tets with their pressure, whatever the strain. */
static void stress_in(const context *in, const ew_elastic *law, const double *pressure, int32_t t,
                      const double *strain, double *stress)
{
    const int32_t *v = in->mesh->tet + 4 * (size_t)t;
    if (!pressure) {
        ew_elastic_stress(law, strain, stress);
        return;
    }
    const double deviatoric[2] = {0.0, law->lame[1]};
    ew_stress_of_strain(deviatoric, strain, stress);
    for (int c = 0; c < 3; c++) {
        stress[c] += 0.25 * ((pressure[v[0]] + pressure[v[1]]) + (pressure[v[2]] + pressure[v[3]]));
    }
}

/* Energy density is half of stress times elastic strain, what is left of the strain without the
 * thermal one; engineering shear counts once. */
static void recover_tet(const context *in, int32_t t, ew_fields *fields)
{
    double strain[6] = {0.0}, stress[6] = {0.0}, principal[3] = {0.0}, energy = 0.0, mises = 0.0;
    double thermal = 0.0, tensor[6] = {0.0};
    if (ew_mesh_tet_is_live(in->mesh, t)) {
        double elastic[6];
        double place[12], moved[12];
        ew_mesh_tet_values(in->mesh, t, in->mesh->xyz, place);
        ew_mesh_tet_values(in->mesh, t, in->u, moved);
        ew_element_strain(place, moved, strain);
        ew_elastic law;
        ew_elastic_of(&law, in->materials, in->mesh->region[t], t, place);
        thermal = ew_loads_thermal_strain(in->mesh, in->materials, in->n_load, in->load, t);
        thermal_tensor(in, &law, t, thermal, tensor);
        for (int c = 0; c < 6; c++) {
            elastic[c] = strain[c] - tensor[c];
        }
        stress_in(in, &law, fields->pressure, t, elastic, stress);
        ew_principal(stress, principal);
        mises = ew_von_mises(stress);
        for (int c = 0; c < 6; c++) {
            energy += stress[c] * elastic[c];
        }
        energy *= 0.5 * ew_mesh_tet_volume(in->mesh, t);
    }
    memcpy(fields->strain + 6 * (size_t)t, strain, sizeof strain);
    memcpy(fields->stress + 6 * (size_t)t, stress, sizeof stress);
    memcpy(fields->principal + 3 * (size_t)t, principal, sizeof principal);
    fields->thermal_strain[t] = thermal;
    if (fields->has_thermal_tensor) {
        memcpy(fields->thermal_tensor + 6 * (size_t)t, tensor, sizeof tensor);
    }
    fields->von_mises[t] = mises;
    fields->energy[t] = energy;
}

/* force += what tet t exerts on its vertex v by the whole of its strain: V stress . gradient of v's
 * function. The thermal strain has its own force among the loads. */
static void add_internal_force(const context *in, const ew_fields *fields, int32_t t, int32_t v,
                               double force[3])
{
    double gradient[4][3], volume, s[6];
    int k = 0;
    while (in->mesh->tet[4 * (size_t)t + k] != v) {
        k++;
    }
    double corner[12], edge[18];
    ew_elastic law;
    if (in->edges &&
        ew_curved_internal(in->mesh, in->materials, in->u, in->edges, t, corner, edge)) {
        force[0] += corner[3 * k];
        force[1] += corner[3 * k + 1];
        force[2] += corner[3 * k + 2];
        return;
    }
    ew_mesh_tet_values(in->mesh, t, in->mesh->xyz, corner);
    ew_elastic_of(&law, in->materials, in->mesh->region[t], t, corner);
    stress_in(in, &law, fields->pressure, t, fields->strain + 6 * (size_t)t, s);
    volume = ew_element_gradients(corner, gradient);
    const double *g = gradient[k];
    force[0] += volume * (s[0] * g[0] + s[3] * g[1] + s[5] * g[2]);
    force[1] += volume * (s[3] * g[0] + s[1] * g[1] + s[4] * g[2]);
    force[2] += volume * (s[5] * g[0] + s[4] * g[1] + s[2] * g[2]);
}

/* rest = K u - f where something is prescribed: along it that is the reaction, springs and all. */
static void react(const context *in, int32_t v, uint8_t fixed, bool active, const double rest[3],
                  double reaction[3])
{
    double spring[3] = {0.0, 0.0, 0.0}, part[3];
    if (active && in->constraints->spring) {
        ew_spring_force(in->constraints->spring + 6 * (size_t)v, in->u + 3 * (size_t)v, spring);
    }
    for (int c = 0; c < 3 && active && in->edges && in->edges->pull; c++) {
        spring[c] += in->edges->pull[3 * (size_t)v + (size_t)c];
    }
    for (int c = 0; c < 3; c++) {
        reaction[c] = fixed >> c & 1 ? rest[c] : spring[c];
        part[c] = rest[c] - spring[c];
    }
    if (fixed & EW_OBLIQUE) {
        ew_oblique_part(&in->constraints->oblique, in->constraints->place[v], part, part);
        for (int c = 0; c < 3; c++) {
            reaction[c] += part[c];
        }
    }
}

static void recover_vertex(const context *in, int32_t v, ew_fields *fields)
{
    bool active = ew_mesh_vertex_is_active(in->mesh, v);
    uint8_t fixed = active ? in->constraints->fixed[v] : 0;
    const ew_rows *rows = &in->topology->vertex_to_tet;
    double sum[6] = {0.0}, force[3] = {0.0}, volume = 0.0;
    for (int32_t i = 0; active && i < rows->count[v]; i++) {
        int32_t t = rows->item[rows->begin[v] + i];
        double part = ew_mesh_tet_volume(in->mesh, t);
        volume += part;
        for (int c = 0; c < 6; c++) {
            sum[c] += part * fields->stress[6 * (size_t)t + c];
        }
        if (fixed && !in->internal) {
            add_internal_force(in, fields, t, v, force);
        }
    }
    for (int c = 0; c < 3 && fixed && in->internal; c++) {
        force[c] = in->internal[3 * (size_t)v + (size_t)c];
    }
    for (int c = 0; c < 3; c++) {
        force[c] -= in->f[3 * (size_t)v + c];
    }
    react(in, v, fixed, active, force, fields->reaction + 3 * (size_t)v);
    for (int c = 0; active && c < 6; c++) {
        sum[c] /= volume;
    }
    memcpy(fields->vertex_stress + 6 * (size_t)v, sum, sizeof sum);
    fields->vertex_von_mises[v] = active ? ew_von_mises(sum) : 0.0;
}

ew_status ew_fields_recover(ew_fields *fields, const ew_mesh *mesh, const ew_topology *topology,
                            const ew_materials *materials, const ew_constraints *constraints,
                            int32_t n_load, const ew_load *load, const double *f, const double *u)
{
    return ew_fields_recover_edges(fields, mesh, topology, materials, constraints, n_load, load, f,
                                   u, NULL);
}

/* The reaction at a vertex needs of the strain in a quadratic tet its mean alone. */
ew_status ew_fields_recover_edges(ew_fields *fields, const ew_mesh *mesh,
                                  const ew_topology *topology, const ew_materials *materials,
                                  const ew_constraints *constraints, int32_t n_load,
                                  const ew_load *load, const double *f, const double *u,
                                  const ew_edge_values *edges)
{
    context in = {mesh, topology, materials, constraints, n_load, load, f, u, NULL, edges};
    EW_TRY(check_sources(&in));
    EW_TRY(make_room(fields, mesh, materials->is_isotropic));
#pragma omp parallel for schedule(static)
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        recover_tet(&in, t, fields);
    }
    if (edges) {
        ew_corners_recover(fields, mesh, materials, n_load, load, u, edges, false);
    }
#pragma omp parallel for schedule(static)
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        recover_vertex(&in, v, fields);
    }
    if (edges) {
        ew_corners_recover(fields, mesh, materials, n_load, load, u, edges, true);
    }
    return edges ? ew_corners_react(fields, mesh, materials, n_load, load, u, edges) : EW_OK;
}

/* What is read off the stress of a tet. thermal: [n_tet][6], or null. */
static void finish_tet(ew_fields *fields, const double *thermal, int32_t t)
{
    static const double none[6];
    const double *own = thermal ? thermal + 6 * (size_t)t : none;
    const double *stress = fields->stress + 6 * (size_t)t;
    ew_principal(stress, fields->principal + 3 * (size_t)t);
    fields->von_mises[t] = ew_von_mises(stress);
    fields->thermal_strain[t] = fields->has_thermal_tensor ? 0.0 : own[0];
    if (fields->has_thermal_tensor) {
        memcpy(fields->thermal_tensor + 6 * (size_t)t, own, sizeof none);
    }
}

ew_status ew_fields_recover_nonlinear(ew_fields *fields, const ew_constraints *constraints,
                                      const double *f, const ew_response *response,
                                      const ew_moved *body, const double *internal)
{
    const ew_mesh *mesh = body->mesh;
    const context in = {mesh,
                        body->topology,
                        body->materials,
                        constraints,
                        0,
                        NULL,
                        f,
                        body->rate ? body->rate : body->u,
                        internal,
                        NULL};
    EW_TRY(check_sources(&in));
    EW_TRY(make_room(fields, mesh, body->materials->is_isotropic));
    fields->thermal_in_law = true;
    const ew_tet_answers answers = {fields->strain, fields->stress, fields->energy};
    ew_response_recover(response, body, &answers);
#pragma omp parallel for schedule(static)
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        finish_tet(fields, body->thermal, t);
    }
#pragma omp parallel for schedule(static)
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        recover_vertex(&in, v, fields);
    }
    return EW_OK;
}

void ew_fields_free(ew_fields *fields)
{
    ew_release(fields->reaction);
    ew_release(fields->edge_reaction);
    ew_release(fields->vertex_stress);
    ew_release(fields->vertex_von_mises);
    ew_release(fields->strain);
    ew_release(fields->stress);
    ew_release(fields->thermal_strain);
    ew_release(fields->thermal_tensor);
    ew_release(fields->von_mises);
    ew_release(fields->principal);
    ew_release(fields->energy);
    *fields = (ew_fields){0};
}

/* ---- sums ------------------------------------------------------------------ */

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

static void take_vertices(ew_sums *sums, const ew_mesh *mesh, const ew_fields *fields,
                          const double *f, const double *u)
{
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        if (!ew_mesh_vertex_is_active(mesh, v)) {
            continue;
        }
        const double *x = mesh->xyz + 3 * (size_t)v, *reaction = fields->reaction + 3 * (size_t)v;
        add_force(x, f + 3 * (size_t)v, sums->applied_force, sums->applied_moment);
        add_force(x, reaction, sums->reaction_force, sums->reaction_moment);
        for (int c = 0; c < 3; c++) {
            sums->external_work += f[3 * (size_t)v + c] * u[3 * (size_t)v + c];
            sums->external_work += reaction[c] * u[3 * (size_t)v + c];
        }
        double moved = length(u + 3 * (size_t)v);
        if (sums->max_displacement_vertex < 0 || moved > sums->max_displacement) {
            sums->max_displacement = moved;
            sums->max_displacement_vertex = v;
        }
        double mises = fields->vertex_von_mises[v];
        if (sums->max_vertex_von_mises_vertex < 0 || mises > sums->max_vertex_von_mises) {
            sums->max_vertex_von_mises = mises;
            sums->max_vertex_von_mises_vertex = v;
        }
    }
}

/* The loads of a tet's thermal strain do work that is no work of others; and the stress does work
 * on the thermal strain that is no elastic energy. */
static void take_thermal(ew_sums *sums, const ew_mesh *mesh, const ew_materials *materials,
                         const ew_fields *fields, int32_t t)
{
    const double *strain = fields->strain + 6 * (size_t)t, *stress = fields->stress + 6 * (size_t)t;
    const ew_elastic law = ew_elastic_of_tet(materials, mesh, t);
    const double *lame =
        fields->pressure ? materials->deviatoric + 2 * (size_t)mesh->region[t] : law.lame;
    const double part = ew_mesh_tet_volume(mesh, t) * fields->thermal_strain[t];
    if (fields->thermal_in_law) {
        for (int c = 0; c < 6; c++) {
            const double own = fields->has_thermal_tensor
                                   ? fields->thermal_tensor[6 * (size_t)t + (size_t)c]
                                   : (c < 3 ? fields->thermal_strain[t] : 0.0);
            sums->thermal_work += ew_mesh_tet_volume(mesh, t) * own * stress[c];
        }
    } else if (!lame && fields->has_thermal_tensor) {
        const double *tensor = fields->thermal_tensor + 6 * (size_t)t;
        const double volume = ew_mesh_tet_volume(mesh, t);
        double prevented[6];
        ew_elastic_stress(&law, tensor, prevented);
        for (int c = 0; c < 6; c++) {
            sums->external_work -= volume * prevented[c] * strain[c];
            sums->thermal_work += volume * tensor[c] * stress[c];
        }
    } else if (lame && part != 0.0) {
        sums->external_work -=
            part * (3.0 * lame[0] + 2.0 * lame[1]) * (strain[0] + strain[1] + strain[2]);
        sums->thermal_work += part * (stress[0] + stress[1] + stress[2]);
    }
}

static void take_tets(ew_sums *sums, const ew_mesh *mesh, const ew_materials *materials,
                      const ew_fields *fields)
{
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (!ew_mesh_tet_is_live(mesh, t)) {
            continue;
        }
        const double *principal = fields->principal + 3 * (size_t)t;
        double volume = ew_mesh_tet_volume(mesh, t);
        bool first = sums->max_von_mises_tet < 0;
        sums->volume += volume;
        sums->mass += volume * materials->material[mesh->region[t]].density;
        sums->strain_energy += fields->energy[t];
        take_thermal(sums, mesh, materials, fields, t);
        sums->max_principal =
            first || principal[0] > sums->max_principal ? principal[0] : sums->max_principal;
        sums->min_principal =
            first || principal[2] < sums->min_principal ? principal[2] : sums->min_principal;
        if (first || fields->von_mises[t] > sums->max_von_mises) {
            sums->max_von_mises = fields->von_mises[t];
            sums->max_von_mises_tet = t;
        }
    }
}

void ew_sums_take(ew_sums *sums, const ew_mesh *mesh, const ew_materials *materials,
                  const ew_constraints *constraints, const ew_fields *fields, const double *f,
                  const double *u)
{
    *sums = (ew_sums){
        .max_displacement_vertex = -1, .max_von_mises_tet = -1, .max_vertex_von_mises_vertex = -1};
    take_vertices(sums, mesh, fields, f, u);
    sums->spring_energy = ew_springs_energy(mesh, constraints, u);
    take_tets(sums, mesh, materials, fields);
    double rest[3], applied = 0.0, back = 0.0;
    for (int c = 0; c < 3; c++) {
        rest[c] = sums->applied_force[c] + sums->reaction_force[c];
    }
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        bool active = ew_mesh_vertex_is_active(mesh, v);
        applied += active ? length(f + 3 * (size_t)v) : 0.0;
        back += active ? length(fields->reaction + 3 * (size_t)v) : 0.0;
    }
    double largest = applied > back ? applied : back;
    sums->equilibrium = largest > 0.0 ? length(rest) / largest : 0.0;
}
