/* Recovery. In: mesh, tables, materials, constraints, forces f and the solved displacement
 * u. Out: strain, stress and energy of each tet (constant in a linear tet),
 * volume-weighted averages at the vertices, reactions K u - f where displacement is
 * prescribed. No matrix: it may live on a device, and K u at a vertex is the sum of
 * V stress . gradient over its tets. Where materials meet stress jumps: each has its own average
 * there, and the vertex that of the largest von Mises stress. */
#include "analysis/recovery/patches.h"
#include "analysis/recovery/quadratic_recovery.h"

#include <math.h>
#include <stddef.h>
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
    ew_peers *peers;             /* that share the work, or null */
} context;

/* Room for [need][width] doubles in one of several arrays that share a capacity; the
 * holder takes the new capacity over once all of them have grown. */
static ew_status grow(double **array, int32_t capacity, int32_t need, size_t width, int32_t *grown)
{
    *grown = capacity;
    return ew_grow(array, grown, need, width * sizeof **array);
}

static ew_status make_room(ew_fields *fields, const context *in)
{
    const ew_mesh *mesh = in->mesh;
    const bool is_isotropic = in->materials->is_isotropic;
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
    EW_TRY(grow(&fields->volume, had, n, 1, &grown));
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
    if (in->edges) {
        EW_TRY(ew_grow(&fields->corner_stress, &fields->corner_capacity, n,
                       24 * sizeof *fields->corner_stress));
    }
    fields->n_vertex = mesh->n_vertex;
    fields->n_tet = mesh->n_tet;
    return EW_OK;
}

static ew_status make_patch_room(ew_fields *fields)
{
    const ew_patches *patches = &fields->patches;
    const int32_t n = patches->n_vertex ? patches->begin[patches->n_vertex] : 0;
    int32_t grown = 0;
    EW_TRY(grow(&fields->patch_stress, fields->patch_capacity, n, 6, &grown));
    EW_TRY(grow(&fields->patch_von_mises, fields->patch_capacity, n, 1, &grown));
    fields->patch_capacity = grown;
    return EW_OK;
}

static ew_status make_all_room(ew_fields *fields, const context *in)
{
    EW_TRY(make_room(fields, in));
    EW_TRY(ew_patches_take(&fields->patches, in->mesh, in->topology, in->materials, false));
    return make_patch_room(fields);
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
 * thermal one; engineering shear counts once. Of quadratic tets thermal tensor and volume alone:
 * the rest is ew_corners_recover's. */
static void recover_tet(const context *in, int32_t t, ew_fields *fields)
{
    double strain[6] = {0.0}, stress[6] = {0.0}, principal[3] = {0.0}, energy = 0.0, mises = 0.0;
    double thermal = 0.0, tensor[6] = {0.0}, volume = 0.0;
    const bool is_live = ew_mesh_tet_is_live(in->mesh, t);
    double place[12];
    ew_elastic law;
    if (is_live) {
        ew_mesh_tet_values(in->mesh, t, in->mesh->xyz, place);
        ew_elastic_of(&law, in->materials, in->mesh->region[t], t, place);
        thermal = ew_loads_thermal_strain(in->mesh, in->materials, in->n_load, in->load, t);
        thermal_tensor(in, &law, t, thermal, tensor);
        volume = ew_mesh_tet_volume(in->mesh, t);
    }
    if (is_live && !(in->edges && ew_edge_rows_have(in->edges->rows, in->topology, t))) {
        double elastic[6], moved[12];
        ew_mesh_tet_values(in->mesh, t, in->u, moved);
        ew_element_strain(place, moved, strain);
        for (int c = 0; c < 6; c++) {
            elastic[c] = strain[c] - tensor[c];
        }
        stress_in(in, &law, fields->pressure, t, elastic, stress);
        ew_principal(stress, principal);
        mises = ew_von_mises(stress);
        for (int c = 0; c < 6; c++) {
            energy += stress[c] * elastic[c];
        }
        energy *= 0.5 * volume;
    }
    memcpy(fields->strain + 6 * (size_t)t, strain, sizeof strain);
    memcpy(fields->stress + 6 * (size_t)t, stress, sizeof stress);
    memcpy(fields->principal + 3 * (size_t)t, principal, sizeof principal);
    fields->thermal_strain[t] = thermal;
    if (fields->has_thermal_tensor) {
        memcpy(fields->thermal_tensor + 6 * (size_t)t, tensor, sizeof tensor);
    }
    fields->volume[t] = volume;
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
static void find_reaction(const context *in, int32_t v, uint8_t fixed, bool active,
                          const double rest[3], double reaction[3])
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

/* The reaction at a vertex. */
static void recover_reaction(const context *in, int32_t v, ew_fields *fields)
{
    const bool active = ew_mesh_vertex_is_active(in->mesh, v);
    const uint8_t fixed = active ? in->constraints->fixed[v] : 0;
    const ew_rows *rows = &in->topology->vertex_to_tet;
    double force[3] = {0.0};
    for (int32_t i = 0; fixed && !in->internal && i < rows->count[v]; i++) {
        add_internal_force(in, fields, rows->item[rows->begin[v] + i], v, force);
    }
    for (int c = 0; c < 3 && fixed && in->internal; c++) {
        force[c] = in->internal[3 * (size_t)v + (size_t)c];
    }
    for (int c = 0; c < 3; c++) {
        force[c] -= in->f[3 * (size_t)v + c];
    }
    find_reaction(in, v, fixed, active, force, fields->reaction + 3 * (size_t)v);
}

/* Over the tets of a patch around the vertex, with null over all; where some are quadratic, the
 * mean of their stresses at this corner. */
static void average(const context *in, const ew_fields *fields, int32_t v,
                    const ew_patches *patches, int32_t patch, double stress[6])
{
    const ew_rows *rows = &in->topology->vertex_to_tet;
    double sum[6] = {0.0}, volume = 0.0;
    if (in->edges && ew_corners_average(in->mesh, in->topology, in->edges->rows,
                                        fields->corner_stress, v, patches, patch, stress)) {
        return;
    }
    for (int32_t i = 0; i < rows->count[v]; i++) {
        const int32_t t = rows->item[rows->begin[v] + i];
        if (patches && ew_patch_at(patches, in->mesh, v, t) != patch) {
            continue;
        }
        const double part = fields->volume[t];
        volume += part;
        for (int c = 0; c < 6; c++) {
            sum[c] += part * fields->stress[6 * (size_t)t + c];
        }
    }
    for (int c = 0; c < 6; c++) {
        stress[c] = sum[c] / volume;
    }
}

/* The average of each patch; the vertex takes that of the largest von Mises stress. */
static void recover_patches(const context *in, int32_t v, ew_fields *fields)
{
    const ew_patches *patches = &fields->patches;
    const int32_t first = patches->begin[v];
    int32_t most = first;
    for (int32_t p = first; p < patches->begin[v + 1]; p++) {
        double *stress = fields->patch_stress + 6 * (size_t)p;
        average(in, fields, v, patches, p, stress);
        fields->patch_von_mises[p] = ew_von_mises(stress);
        most = fields->patch_von_mises[p] > fields->patch_von_mises[most] ? p : most;
    }
    memcpy(fields->vertex_stress + 6 * (size_t)v, fields->patch_stress + 6 * (size_t)most,
           6 * sizeof *fields->patch_stress);
    fields->vertex_von_mises[v] = fields->patch_von_mises[most];
}

static void recover_vertex(const context *in, int32_t v, ew_fields *fields)
{
    double *stress = fields->vertex_stress + 6 * (size_t)v;
    recover_reaction(in, v, fields);
    if (!ew_mesh_vertex_is_active(in->mesh, v)) {
        memset(stress, 0, 6 * sizeof *stress);
        fields->vertex_von_mises[v] = 0.0;
    } else if (fields->patches.n_vertex) {
        recover_patches(in, v, fields);
    } else {
        average(in, fields, v, NULL, 0, stress);
        fields->vertex_von_mises[v] = ew_von_mises(stress);
    }
}

/* Results by vertex and by row of an edge, after those by tet. */
static ew_status recover_rows(const context *in, ew_fields *fields)
{
    const size_t n = 3 * (size_t)in->mesh->n_vertex;
    const ew_stretch own = ew_stretch_of(in->peers, in->mesh->n_vertex);
#pragma omp parallel for schedule(static)
    for (int32_t v = own.begin; v < own.end; v++) {
        recover_vertex(in, v, fields);
    }
    EW_TRY(ew_fields_share_vertices(in->peers, fields));
    return in->edges
               ? ew_corners_react(fields, in->mesh, in->materials, in->n_load, in->load, in->u,
                                  in->edges, in->internal ? in->internal + n : NULL, NULL)
               : EW_OK;
}

/* The reaction at a vertex needs of the strain in a quadratic tet its mean alone. */
ew_status ew_fields_recover_together(ew_peers *peers, ew_fields *fields, const ew_mesh *mesh,
                                     const ew_topology *topology, const ew_materials *materials,
                                     const ew_constraints *constraints, int32_t n_load,
                                     const ew_load *load, const double *f, const double *u,
                                     const ew_edge_values *edges)
{
    const context in = {mesh, topology, materials, constraints, n_load, load,
                        f,    u,        NULL,      edges,       peers};
    const ew_stretch all = {0, mesh->n_tet};
    ew_list needed = {0};
    ew_status status = EW_OK;
    fields->parts = peers && peers->n > 1 ? peers : NULL;
    EW_TRY(check_sources(&in));
    EW_TRY(make_all_room(fields, &in));
    if (fields->parts) {
        ew_fields_use_small_pages(fields);
        EW_TRY_OUT(ew_fields_list_needed(peers, mesh, topology, &needed));
    }
    const ew_list *list = fields->parts ? &needed : NULL;
    const int32_t n = list ? list->n : mesh->n_tet;
#pragma omp parallel for schedule(static)
    for (int32_t i = 0; i < n; i++) {
        recover_tet(&in, list ? list->id[i] : i, fields);
    }
    if (edges) {
        ew_corners_recover(fields, mesh, materials, n_load, load, u, edges, all, list);
    }
    status = recover_rows(&in, fields);
out:
    ew_list_free(&needed);
    return status;
}

ew_status ew_fields_recover(ew_fields *fields, const ew_mesh *mesh, const ew_topology *topology,
                            const ew_materials *materials, const ew_constraints *constraints,
                            int32_t n_load, const ew_load *load, const double *f, const double *u,
                            const ew_edge_values *edges)
{
    return ew_fields_recover_together(NULL, fields, mesh, topology, materials, constraints, n_load,
                                      load, f, u, edges);
}

ew_status ew_fields_update(ew_fields *fields, const ew_mesh *mesh, const ew_topology *topology,
                           const ew_materials *materials, const ew_constraints *constraints,
                           const double *f, const double *u, const ew_edge_values *edges,
                           const ew_recovery_change *change, bool *is_local)
{
    const context in = {mesh, topology, materials, constraints, 0, NULL, f, u, NULL, edges, NULL};
    const ew_list *tet = &change->tet.list, *vertex = &change->vertex.list;
    const ew_stretch none = {0};
    EW_TRY(check_sources(&in));
    EW_TRY(make_room(fields, &in));
    EW_TRY(ew_patches_update(&fields->patches, mesh, topology, materials, false, vertex, is_local));
    EW_TRY(make_patch_room(fields));
    if (!*is_local) {
        return EW_OK;
    }
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(tet->n, 256))
    for (int32_t i = 0; i < tet->n; i++) {
        recover_tet(&in, tet->id[i], fields);
    }
    if (edges) {
        ew_corners_recover(fields, mesh, materials, 0, NULL, u, edges, none, tet);
    }
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(tet->n, 256))
    for (int32_t i = 0; i < vertex->n; i++) {
        recover_vertex(&in, vertex->id[i], fields);
    }
    return edges ? ew_corners_react(fields, mesh, materials, 0, NULL, u, edges, NULL,
                                    &change->edge_row.list)
                 : EW_OK;
}

/* Results computed from the stress of a tet. thermal: [n_tet][n_point][6], or null. */
static void finish_tet(ew_fields *fields, const ew_mesh *mesh, int32_t n_point,
                       const double *thermal, int32_t t)
{
    double own[6] = {0.0};
    for (int32_t p = 0; p < n_point && thermal; p++) {
        for (int i = 0; i < 6; i++) {
            own[i] += thermal[6 * (n_point * (ptrdiff_t)t + p) + i] / n_point;
        }
    }
    const double *stress = fields->stress + 6 * (size_t)t;
    ew_principal(stress, fields->principal + 3 * (size_t)t);
    fields->von_mises[t] = ew_von_mises(stress);
    fields->volume[t] = ew_mesh_tet_is_live(mesh, t) ? ew_mesh_tet_volume(mesh, t) : 0.0;
    fields->thermal_strain[t] = fields->has_thermal_tensor ? 0.0 : own[0];
    if (fields->has_thermal_tensor) {
        memcpy(fields->thermal_tensor + 6 * (size_t)t, own, sizeof own);
    }
}

ew_status ew_fields_recover_nonlinear(ew_fields *fields, const ew_constraints *constraints,
                                      const double *f, const ew_internal_force *internal_force,
                                      const ew_deformed *body, const double *internal,
                                      const ew_edge_values *edges)
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
                        edges,
                        NULL};
    fields->parts = NULL;
    EW_TRY(check_sources(&in));
    EW_TRY(make_all_room(fields, &in));
    fields->thermal_in_law = true;
    const ew_tet_answers answers = {fields->strain, fields->stress, fields->energy,
                                    edges ? fields->corner_stress : NULL};
    ew_internal_force_recover(internal_force, body, &answers);
#pragma omp parallel for schedule(static)
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        finish_tet(fields, mesh, internal_force->n_point, body->thermal, t);
    }
    return recover_rows(&in, fields);
}

const double *ew_fields_corner_stress(const ew_fields *fields, const ew_mesh *mesh, int32_t tet,
                                      int corner)
{
    const int32_t v = mesh->tet[4 * (size_t)tet + (size_t)corner];
    return fields->patches.n_vertex
               ? fields->patch_stress + 6 * (size_t)ew_patch_at(&fields->patches, mesh, v, tet)
               : fields->vertex_stress + 6 * (size_t)v;
}

double ew_fields_corner_von_mises(const ew_fields *fields, const ew_mesh *mesh, int32_t tet,
                                  int corner)
{
    const int32_t v = mesh->tet[4 * (size_t)tet + (size_t)corner];
    return fields->patches.n_vertex
               ? fields->patch_von_mises[ew_patch_at(&fields->patches, mesh, v, tet)]
               : fields->vertex_von_mises[v];
}

int32_t ew_fields_vertex_region(const ew_fields *fields, int32_t vertex)
{
    const ew_patches *patches = &fields->patches;
    if (!patches->n_vertex || patches->begin[vertex + 1] - patches->begin[vertex] < 2) {
        return -1;
    }
    int32_t p = patches->begin[vertex];
    while (fields->patch_von_mises[p] != fields->vertex_von_mises[vertex]) {
        p++;
    }
    return patches->region[p];
}

void ew_fields_free(ew_fields *fields)
{
    ew_release(fields->reaction);
    ew_release(fields->edge_reaction);
    ew_release(fields->corner_stress);
    ew_release(fields->vertex_stress);
    ew_release(fields->vertex_von_mises);
    ew_patches_free(&fields->patches);
    ew_release(fields->patch_stress);
    ew_release(fields->patch_von_mises);
    ew_release(fields->strain);
    ew_release(fields->stress);
    ew_release(fields->thermal_strain);
    ew_release(fields->thermal_tensor);
    ew_release(fields->volume);
    ew_release(fields->von_mises);
    ew_release(fields->principal);
    ew_release(fields->energy);
    *fields = (ew_fields){0};
}
