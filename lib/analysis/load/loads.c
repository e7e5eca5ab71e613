/* Loads. In: mesh, tables, materials and the loads of a case. Out: the force on each vertex, by the
 * kinds of load_*.c.
 *
 * Each vertex gathers its own force in one fixed order, load by load, and within a load by
 * ascending tet and face, whatever the list of vertices asked for or the number of threads; so an
 * update gives the bits of a full assembly. */
#include "analysis/load/load_type.h"

#include <math.h>
#include <string.h>

/* Below this many vertices a team of threads costs more than it saves. */
#define MIN_PARALLEL_VERTICES 512

static const ew_load_type *const types[EW_LOAD_COUNT] = {
    [EW_LOAD_GRAVITY] = &ew_load_type_gravity,
    [EW_LOAD_TOTAL_FORCE] = &ew_load_type_total_force,
    [EW_LOAD_FORCE] = &ew_load_type_force,
    [EW_LOAD_FORCE_ON_NODES] = &ew_load_type_force_on_nodes,
    [EW_LOAD_PRESSURE] = &ew_load_type_pressure,
    [EW_LOAD_TRACTION] = &ew_load_type_traction,
    [EW_LOAD_MOMENT] = &ew_load_type_moment,
    [EW_LOAD_REMOTE_FORCE] = &ew_load_type_remote_force,
    [EW_LOAD_BEARING] = &ew_load_type_bearing,
    [EW_LOAD_CENTRIFUGAL] = &ew_load_type_centrifugal,
    [EW_LOAD_TEMPERATURE] = &ew_load_type_temperature,
    [EW_LOAD_OWN] = &ew_load_type_own,
    [EW_LOAD_FIELD] = &ew_load_type_field,
};

const ew_load_type *ew_load_type_of(ew_load_kind kind)
{
    return types[kind];
}

const ew_load_traits *ew_load_traits_of(ew_load_kind kind)
{
    return (unsigned)kind < EW_LOAD_COUNT ? &types[kind]->traits : NULL;
}

/* ---- gathering -------------------------------------------------------------- */

static void add_faces(const ew_load_context *in, const ew_load *load, const ew_load_share *share,
                      int32_t tet, int32_t v, double *f)
{
    for (int32_t face = 4 * tet; face < 4 * tet + 4; face++) {
        if (in->mesh->tet[face] == v || !ew_load_has_face(in, load, face)) {
            continue; /* face k is opposite to vertex k */
        }
        int corner = 0;
        while (in->mesh->tet[4 * (size_t)tet + (size_t)ew_face_vertex[face % 4][corner]] != v) {
            corner++;
        }
        double q[9], edge[18];
        if (load->curves &&
            ew_load_on_curved_face(types[load->kind], in, load, share, face, q, edge)) {
            f[0] += q[3 * corner];
            f[1] += q[3 * corner + 1];
            f[2] += q[3 * corner + 2];
        } else {
            types[load->kind]->on_face(in, load, share, face, corner, f);
        }
    }
}

static void add_tet(const ew_load_context *in, const ew_load *load, const ew_load_share *share,
                    int32_t tet, int32_t v, double *f)
{
    int corner = 0;
    while (in->mesh->tet[4 * (size_t)tet + (size_t)corner] != v) {
        corner++;
    }
    double q[12], edge[18];
    if (load->curves && ew_load_on_curved_tet(types[load->kind], in, load, tet, q, edge)) {
        f[0] += q[3 * corner];
        f[1] += q[3 * corner + 1];
        f[2] += q[3 * corner + 2];
    } else {
        types[load->kind]->on_tet(in, load, share, tet, corner, f);
    }
}

static void add_load(const ew_load_context *in, const ew_load *load, const ew_load_share *share,
                     int32_t v, double *f)
{
    const ew_load_type *type = types[load->kind];
    const ew_rows *rows = &in->topology->vertex_to_tet;
    const bool on_faces = ew_load_is_on_faces(load, &type->traits);
    if ((on_faces || type->on_vertex) && load->vertex && !ew_set_has(load->vertex, v)) {
        return;
    }
    if (!on_faces && type->on_vertex) {
        type->on_vertex(in, load, share, v, f);
        return;
    }
    for (int32_t i = 0; i < rows->count[v]; i++) {
        const int32_t t = rows->item[rows->begin[v] + i];
        if (on_faces && load->face && !ew_boundary_has_tet(load->boundary, t)) {
            continue;
        }
        if (on_faces) {
            add_faces(in, load, share, t, v, f);
        } else {
            add_tet(in, load, share, t, v, f);
        }
    }
}

static void gather(const ew_load_context *in, int32_t n_load, const ew_load *load,
                   const ew_load_share *share, int32_t v, double *f)
{
    double sum[3] = {0.0, 0.0, 0.0};
    for (int32_t k = 0; k < n_load && ew_mesh_vertex_is_active(in->mesh, v); k++) {
        add_load(in, &load[k], &share[k], v, sum);
    }
    memcpy(f + 3 * (size_t)v, sum, sizeof sum);
}

bool ew_load_on_face(const ew_mesh *mesh, const ew_load *load, int32_t face, double force[3])
{
    const ew_load_context in = {.mesh = mesh};
    const ew_load_share share = {.factor = 1.0};
    const ew_load_type *type = types[load->kind];
    const int32_t *tet = mesh->tet + 4 * (size_t)(face / 4);
    bool acts = type->traits.by_face && !type->traits.is_whole;
    if (acts && load->face) {
        acts = ew_set_has(load->face, ew_boundary_find(load->boundary, face));
    }
    for (int k = 0; k < 3 && acts && load->vertex; k++) {
        acts = ew_set_has(load->vertex, tet[ew_face_vertex[face % 4][k]]);
    }
    force[0] = force[1] = force[2] = 0.0;
    double q[9], edge[18];
    const bool curved =
        acts && ew_load_on_curved_face(types[load->kind], &in, load, &share, face, q, edge);
    for (int k = 0; k < 3 && acts; k++) {
        if (curved) {
            force[0] += q[3 * k];
            force[1] += q[3 * k + 1];
            force[2] += q[3 * k + 2];
        } else {
            type->on_face(&in, load, &share, face, k, force);
        }
    }
    return acts;
}

/* ---- checks, before anything is written ----------------------------------- */

/* The set, if any, is one that the kind acts on. */
static bool has_fitting_set(const ew_load *load, const ew_load_traits *traits)
{
    const int32_t n = (load->vertex != NULL) + (load->face != NULL) + (load->tet != NULL);
    const int32_t set = load->vertex ? EW_LOAD_ON_VERTICES
                        : load->face ? EW_LOAD_ON_FACES
                        : load->tet  ? EW_LOAD_ON_TETS
                                     : EW_LOAD_ON_BODY;
    if (n > 1 || (load->face && !load->boundary)) {
        return false;
    }
    return load->kind == EW_LOAD_OWN              ? load->own && !load->face && !load->tet
           : load->kind == EW_LOAD_FORCE_ON_NODES ? load->nodes && !n
           : load->kind == EW_LOAD_FIELD          ? load->value && !load->face && !load->tet
                                                  : (traits->acts_on & set) != 0;
}

static bool is_finite(const ew_load *load)
{
    bool finite = isfinite(load->pressure) && isfinite(load->change);
    for (int c = 0; c < 3; c++) {
        finite = finite && isfinite(load->vector[c]) && isfinite(load->gradient[c]) &&
                 isfinite(load->point[c]) && isfinite(load->axis[c]);
    }
    return finite;
}

static ew_status check_boundary(const ew_load_context *in, const ew_load *load, int32_t place)
{
    return !load->face || load->boundary->revision == in->mesh->revision
               ? EW_OK
               : ew_fail(EW_STALE,
                         "load %d (%s): the boundary belongs to another revision of the mesh; "
                         "update it first",
                         place + 1, types[load->kind]->traits.name);
}

static ew_status check_share(const ew_load *load, int32_t place, const ew_load_share *share)
{
    bool finite = isfinite(share->factor);
    for (int c = 0; c < 3; c++) {
        finite = finite && isfinite(share->push[c]) && isfinite(share->spin[c]) &&
                 isfinite(share->center[c]);
    }
    return finite ? EW_OK
                  : ew_fail(EW_NOT_FINITE,
                            "load %d (%s): its distribution is outside the range of double "
                            "precision; choose units nearer to the numbers",
                            place + 1, types[load->kind]->traits.name);
}

static ew_status check_load(const ew_load_context *in, const ew_load *load, int32_t place,
                            ew_load_share *share)
{
    const ew_load_traits *traits = ew_load_traits_of(load->kind);
    if (!traits || !has_fitting_set(load, traits)) {
        return ew_fail(EW_BAD_ARGUMENT, "load %d: unknown kind, or no set that it can act on",
                       place + 1);
    }
    if (load->axes.kind != EW_AXES_GLOBAL && !traits->has_axes) {
        return ew_fail(EW_BAD_ARGUMENT, "load %d (%s): it takes no local axes", place + 1,
                       traits->name);
    }
    if (!is_finite(load)) {
        return ew_fail(EW_BAD_INPUT, "load %d (%s): a value is not finite", place + 1,
                       traits->name);
    }
    EW_TRY(check_boundary(in, load, place));
    ew_load_share found = {.factor = 1.0};
    ew_load_context named = *in;
    named.name = traits->name;
    EW_TRY(types[load->kind]->check(&named, load, place, &found));
    EW_TRY(check_share(load, place, &found));
    *share = found;
    return EW_OK;
}

/* The arguments agree with one another, whatever the loads. */
static ew_status check_sources(const ew_load_context *in, const ew_list *vertex)
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

ew_status ew_load_find_share(const ew_mesh *mesh, const ew_topology *topology,
                             const ew_materials *materials, const ew_load *load, int32_t place,
                             ew_load_share *share)
{
    const ew_load_context in = {mesh, topology, materials, false, NULL};
    EW_TRY(check_sources(&in, NULL));
    return check_load(&in, load, place, share);
}

/* ---- vertices that loads reach ----------------------------------------------- */

static ew_status add_corners(const ew_mesh *mesh, int32_t t, int opposite, ew_set *reached)
{
    for (int k = 0; k < 4 && ew_mesh_tet_is_live(mesh, t); k++) {
        EW_TRY(k == opposite ? EW_OK : ew_set_add(reached, mesh->tet[4 * (size_t)t + (size_t)k]));
    }
    return EW_OK;
}

/* Vertices outside of `reached` get nothing of the load. *is_known: they are few enough to be
 * listed, as of a load on a set. */
static ew_status add_reached(const ew_mesh *mesh, const ew_load *load, ew_set *reached,
                             bool *is_known)
{
    const ew_load_type *type = types[load->kind];
    const ew_set *of = load->face ? load->face : load->tet ? load->tet : load->vertex;
    *is_known =
        of && (of != load->vertex || type->on_vertex || ew_load_is_on_faces(load, &type->traits));
    for (int32_t i = 0; *is_known && i < of->list.n; i++) {
        const int32_t id = of->list.id[i];
        if (load->face) {
            const int32_t code = load->boundary->code[id];
            EW_TRY(code < 0 ? EW_OK : add_corners(mesh, code / 4, code % 4, reached));
        } else {
            EW_TRY(load->tet ? add_corners(mesh, id, -1, reached) : ew_set_add(reached, id));
        }
    }
    return EW_OK;
}

static ew_status find_reached(const ew_mesh *mesh, int32_t n_load, const ew_load *load,
                              ew_set *reached, bool *is_known)
{
    *is_known = true;
    for (int32_t k = 0; k < n_load && *is_known; k++) {
        EW_TRY(add_reached(mesh, &load[k], reached, is_known));
    }
    return EW_OK;
}

ew_status ew_loads_gather(const ew_mesh *mesh, const ew_topology *topology,
                          const ew_materials *materials, int32_t n_load, const ew_load *load,
                          const ew_load_share *share, const ew_list *vertex, double *f)
{
    const ew_load_context in = {mesh, topology, materials, false, NULL};
    EW_TRY(check_sources(&in, vertex));
    for (int32_t k = 0; k < n_load; k++) {
        EW_TRY(check_boundary(&in, &load[k], k));
    }
    ew_set reached = {0};
    bool is_known = false;
    const ew_status status = vertex ? EW_OK : find_reached(mesh, n_load, load, &reached, &is_known);
    if (!status && is_known && mesh->n_vertex) {
        memset(f, 0, 3 * (size_t)mesh->n_vertex * sizeof *f);
        vertex = &reached.list;
    }
    const int32_t n = status ? 0 : vertex ? vertex->n : mesh->n_vertex;
#pragma omp parallel for schedule(static) if (n >= MIN_PARALLEL_VERTICES)
    for (int32_t i = 0; i < n; i++) {
        gather(&in, n_load, load, share, vertex ? vertex->id[i] : i, f);
    }
    ew_set_free(&reached);
    return status;
}

ew_status ew_loads_assemble(const ew_mesh *mesh, const ew_topology *topology,
                            const ew_materials *materials, int32_t n_load, const ew_load *load,
                            const ew_list *vertex, double *f)
{
    ew_load_share *share;
    EW_TRY(ew_new(&share, (size_t)n_load, sizeof *share));
    ew_status status = EW_OK;
    for (int32_t k = 0; k < n_load && !status; k++) {
        status = ew_load_find_share(mesh, topology, materials, &load[k], k, &share[k]);
    }
    if (!status) {
        status = ew_loads_gather(mesh, topology, materials, n_load, load, share, vertex, f);
    }
    ew_release(share);
    return status;
}
