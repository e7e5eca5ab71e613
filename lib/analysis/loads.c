/* Loads. In: mesh, tables, materials and the loads of a case. Out: the force on each
 * vertex, with the linear tet's consistent loads: rho V/4 g per vertex of a tet, a third
 * of a face's force per vertex of the face (constant pressure or traction).
 *
 * Each vertex gathers its own force in one fixed order, load by load, and within a load
 * by ascending tet and face, whatever the list of vertices asked for or the number of
 * threads; so an update gives the bits of a full assembly. */
#include "analysis/analysis.h"

#include <math.h>
#include <string.h>

/* Below this many vertices a team of threads costs more than it saves. */
#define MIN_PARALLEL_VERTICES 512

static const char *const kind_name[] = {
    [EW_LOAD_GRAVITY] = "gravity",   [EW_LOAD_TOTAL_FORCE] = "total force",
    [EW_LOAD_FORCE] = "force",       [EW_LOAD_PRESSURE] = "pressure",
    [EW_LOAD_TRACTION] = "traction", [EW_LOAD_OWN] = "a program's own"};

typedef struct context {
    const ew_mesh *mesh;
    const ew_topology *topology;
    const ew_materials *materials;
    int32_t n_load;
    const ew_load *load;
    const double
        *share; /* [n_load] borrowed: of a total force per active vertex of its set, or per area */
} context;

static bool on_faces(const ew_load *load)
{
    return load->face || load->kind == EW_LOAD_PRESSURE || load->kind == EW_LOAD_TRACTION;
}

/* Whether a load acts on this face: in the set of faces, or on the boundary with all three vertices
 * in the set of vertices. */
static bool acts_on_face(const context *in, const ew_load *load, int32_t face)
{
    if (load->face) {
        return ew_set_has(load->face, ew_boundary_find(load->boundary, face));
    }
    const int32_t *vertex = in->mesh->tet + 4 * (size_t)(face / 4);
    for (int k = 0; k < 3; k++) {
        if (!ew_set_has(load->vertex, vertex[ew_face_vertex[face % 4][k]])) {
            return false;
        }
    }
    return ew_topology_face_neighbor(in->topology, in->mesh, face) < 0;
}

/* Adds a third of the force on each loaded face of the tet that has the vertex; returns
 * whether there was one. */
static bool add_faces(const context *in, const ew_load *load, double share, int32_t tet, int32_t v,
                      double *f)
{
    bool found = false;
    for (int32_t k = 0; k < 4; k++) {
        if (in->mesh->tet[4 * (size_t)tet + k] == v || !acts_on_face(in, load, 4 * tet + k)) {
            continue;
        }
        double area[3];
        found = true;
        ew_face_area_vector(in->mesh, 4 * tet + k, area);
        double size = sqrt(area[0] * area[0] + area[1] * area[1] + area[2] * area[2]);
        for (int c = 0; c < 3; c++) {
            f[c] += load->kind == EW_LOAD_PRESSURE ? -load->pressure * area[c] / 3.0
                                                   : share * load->vector[c] * size / 3.0;
        }
    }
    return found;
}

static bool add_tets(const context *in, const ew_load *load, double share, int32_t v, double *f)
{
    const ew_rows *rows = &in->topology->vertex_to_tet;
    bool found = false;
    for (int32_t i = 0; i < rows->count[v]; i++) {
        int32_t t = rows->item[rows->begin[v] + i];
        if (load->kind != EW_LOAD_GRAVITY) {
            found |= add_faces(in, load, share, t, v, f);
            continue;
        }
        double density = in->materials->material[in->mesh->region[t]].density;
        double mass = density * ew_mesh_tet_volume(in->mesh, t) / 4.0;
        for (int c = 0; c < 3; c++) {
            f[c] += mass * load->vector[c];
        }
    }
    return found;
}

static void gather(const context *in, int32_t v, double *f)
{
    double sum[3] = {0.0, 0.0, 0.0};
    for (int32_t k = 0; k < in->n_load && ew_mesh_vertex_is_active(in->mesh, v); k++) {
        const ew_load *load = &in->load[k];
        if (load->vertex && !ew_set_has(load->vertex, v)) {
            continue;
        }
        if (load->kind == EW_LOAD_OWN) {
            load->own(load->user, in->mesh, in->topology, v, sum);
        } else if (!load->face &&
                   (load->kind == EW_LOAD_TOTAL_FORCE || load->kind == EW_LOAD_FORCE)) {
            for (int c = 0; c < 3; c++) {
                sum[c] += load->vector[c] * in->share[k];
            }
        } else {
            add_tets(in, load, in->share[k], v, sum);
        }
    }
    memcpy(f + 3 * (size_t)v, sum, sizeof sum);
}

/* ---- checks, before anything is written ----------------------------------- */

/* The tets are searched only when some region lacks a density. */
static ew_status check_gravity(const context *in, int32_t place)
{
    bool missing = false;
    for (int32_t r = 0; r < in->materials->n; r++) {
        missing |= !(in->materials->material[r].density > 0.0);
    }
    for (int32_t t = 0; missing && t < in->mesh->n_tet; t++) {
        if (ew_mesh_tet_is_live(in->mesh, t) &&
            !(in->materials->material[in->mesh->region[t]].density > 0.0)) {
            return ew_fail(EW_BAD_INPUT,
                           "load %d (gravity): the material of region %d has no density; give one",
                           place + 1, in->mesh->region_label[in->mesh->region[t]]);
        }
    }
    return EW_OK;
}

static ew_status check_set(const context *in, const ew_load *load, int32_t place, double *share)
{
    int32_t n_active = 0;
    for (int32_t i = 0; i < load->vertex->list.n; i++) {
        int32_t v = load->vertex->list.id[i];
        if (v >= in->mesh->n_vertex) {
            return ew_fail(EW_BAD_ARGUMENT,
                           "load %d (%s): its set names vertex slot %d of %d; select it again",
                           place + 1, kind_name[load->kind], v, in->mesh->n_vertex);
        }
        n_active += ew_mesh_vertex_is_active(in->mesh, v);
    }
    if (!n_active) {
        return ew_fail(EW_BAD_INPUT,
                       "load %d (%s): its set has no vertex of the body; select some or drop the "
                       "load",
                       place + 1, kind_name[load->kind]);
    }
    *share = load->kind == EW_LOAD_TOTAL_FORCE ? 1.0 / n_active : 1.0;
    for (int32_t i = 0; on_faces(load) && i < load->vertex->list.n; i++) {
        int32_t v = load->vertex->list.id[i];
        double ignored[3] = {0.0, 0.0, 0.0};
        if (ew_mesh_vertex_is_active(in->mesh, v) && add_tets(in, load, 1.0, v, ignored)) {
            return EW_OK;
        }
    }
    return !on_faces(load) ? EW_OK
                           : ew_fail(EW_BAD_INPUT,
                                     "load %d (%s): no boundary face has all three vertices in its "
                                     "set of %d; widen the set",
                                     place + 1, kind_name[load->kind], n_active);
}

/* A total force on faces is a traction: its share is one over their area, summed in ascending
 * slots. */
static ew_status check_faces(const context *in, const ew_load *load, int32_t place, double *share)
{
    double total = 0.0;
    for (int32_t word = 0; word < load->face->word; word++) {
        for (uint64_t bits = load->face->bit[word]; bits; bits &= bits - 1) {
            double area[3];
            ew_face_area_vector(in->mesh, load->boundary->code[64 * word + ew_lowest_bit(bits)],
                                area);
            total += sqrt(area[0] * area[0] + area[1] * area[1] + area[2] * area[2]);
        }
    }
    if (!(total > 0.0)) {
        return ew_fail(
            EW_BAD_INPUT,
            "load %d (%s): its set has no face of the body; select some or drop the load",
            place + 1, kind_name[load->kind]);
    }
    *share = load->kind == EW_LOAD_TOTAL_FORCE ? 1.0 / total : 1.0;
    return EW_OK;
}

static ew_status check_boundary(const context *in, const ew_load *load, int32_t place)
{
    return !load->face || load->boundary->revision == in->mesh->revision
               ? EW_OK
               : ew_fail(EW_STALE,
                         "load %d (%s): the boundary is not that of the mesh; update it first",
                         place + 1, kind_name[load->kind]);
}

static ew_status check_load(const context *in, const ew_load *load, int32_t place, double *share)
{
    const bool anywhere = load->kind == EW_LOAD_GRAVITY || load->kind == EW_LOAD_OWN;
    const bool faces =
        load->face && load->boundary && !load->vertex && !anywhere && load->kind != EW_LOAD_FORCE;
    if ((unsigned)load->kind > EW_LOAD_OWN || (load->kind == EW_LOAD_OWN && !load->own) ||
        (load->face ? !faces : !anywhere && !load->vertex)) {
        return ew_fail(EW_BAD_ARGUMENT, "load %d: unknown kind, or no set that it can act on",
                       place + 1);
    }
    bool finite = load->kind == EW_LOAD_PRESSURE
                      ? isfinite(load->pressure)
                      : isfinite(load->vector[0] + load->vector[1] + load->vector[2]);
    if (!finite) {
        return ew_fail(EW_BAD_INPUT, "load %d (%s): a value is not finite", place + 1,
                       kind_name[load->kind]);
    }
    *share = 1.0;
    if (load->face) {
        EW_TRY(check_boundary(in, load, place));
        return check_faces(in, load, place, share);
    }
    return load->kind == EW_LOAD_GRAVITY ? check_gravity(in, place)
           : load->vertex                ? check_set(in, load, place, share)
                                         : EW_OK;
}

/* The arguments agree with one another, whatever the loads. */
static ew_status check_sources(const context *in, const ew_list *vertex)
{
    if (in->topology->pattern.revision != in->mesh->revision) {
        return ew_fail(EW_STALE,
                       "loads: the tables are of revision %llu, the mesh of %llu; update "
                       "the tables first",
                       (unsigned long long)in->topology->pattern.revision,
                       (unsigned long long)in->mesh->revision);
    }
    if (in->materials->n != in->mesh->n_region) {
        return ew_fail(EW_BAD_ARGUMENT, "loads: %d materials for %d regions", in->materials->n,
                       in->mesh->n_region);
    }
    for (int32_t i = 0; vertex && i < vertex->n; i++) {
        if (vertex->id[i] < 0 || vertex->id[i] >= in->mesh->n_vertex) {
            return ew_fail(EW_BAD_ARGUMENT, "loads: vertex slot %d of %d", vertex->id[i],
                           in->mesh->n_vertex);
        }
    }
    return EW_OK;
}

ew_status ew_load_share(const ew_mesh *mesh, const ew_topology *topology,
                        const ew_materials *materials, const ew_load *load, int32_t place,
                        double *share)
{
    const context in = {mesh, topology, materials, 1, load, NULL};
    EW_TRY(check_sources(&in, NULL));
    return check_load(&in, load, place, share);
}

ew_status ew_loads_gather(const ew_mesh *mesh, const ew_topology *topology,
                          const ew_materials *materials, int32_t n_load, const ew_load *load,
                          const double *share, const ew_list *vertex, double *f)
{
    const context in = {mesh, topology, materials, n_load, load, share};
    EW_TRY(check_sources(&in, vertex));
    for (int32_t k = 0; k < n_load; k++) {
        EW_TRY(check_boundary(&in, &load[k], k));
    }
    const int32_t n = vertex ? vertex->n : mesh->n_vertex;
#pragma omp parallel for schedule(static) if (n >= MIN_PARALLEL_VERTICES)
    for (int32_t i = 0; i < n; i++) {
        gather(&in, vertex ? vertex->id[i] : i, f);
    }
    return EW_OK;
}

ew_status ew_loads_assemble(const ew_mesh *mesh, const ew_topology *topology,
                            const ew_materials *materials, int32_t n_load, const ew_load *load,
                            const ew_list *vertex, double *f)
{
    double *share;
    EW_TRY(ew_new(&share, (size_t)n_load, sizeof *share));
    ew_status status = EW_OK;
    for (int32_t k = 0; k < n_load && !status; k++) {
        status = ew_load_share(mesh, topology, materials, &load[k], k, &share[k]);
    }
    if (!status) {
        status = ew_loads_gather(mesh, topology, materials, n_load, load, share, vertex, f);
    }
    ew_release(share);
    return status;
}
