/* Joins the surface of a mesh to itself where it meets. In: a mesh, its tables and a tolerance.
 * Out: vertices merged into others, and their tets between those. */
#include "operation/framework/internal.h"

#include <string.h>

typedef struct weld {
    const ew_mesh *mesh;
    ew_boundary boundary; /* owned, as all below */
    int32_t *target;      /* [n_vertex] the vertex in the place of each: itself, if it stays */
    bool *is_met;         /* [n_vertex] of a tet with a vertex that goes, after that */
    ew_corners_list corners;
    ew_map side; /* curved sides that are queued, by their ends */
} weld;

/* ---- which vertices meet ------------------------------------------------------------- */

/* Vertices of boundary faces, of these the listed ones. */
static ew_status list_surface(weld *w, const ew_list *chosen, ew_list *surface)
{
    const ew_mesh *mesh = w->mesh;
    ew_set of = {0}, among = {0};
    ew_status status = EW_OK;
    for (int32_t i = 0; chosen && i < chosen->n && !status; i++) {
        status = ew_set_add(&among, chosen->id[i]);
    }
    for (int32_t s = 0; s < w->boundary.n_slot && !status; s++) {
        const int32_t code = w->boundary.code[s];
        for (int k = 0; code >= 0 && k < 3 && !status; k++) {
            const int32_t v = mesh->tet[4 * (size_t)(code / 4) + ew_face_vertex[code % 4][k]];
            status = !chosen || ew_set_has(&among, v) ? ew_set_add(&of, v) : EW_OK;
        }
    }
    for (int32_t i = 0; i < of.list.n && !status; i++) {
        status = ew_list_push(surface, of.list.id[i]);
    }
    ew_set_free(&of);
    ew_set_free(&among);
    return status;
}

static int32_t follow(const int32_t *target, int32_t v)
{
    while (target[v] != v) {
        v = target[v];
    }
    return v;
}

/* Each surface vertex goes to the nearest one of a lower number; *n go. */
static ew_status find_targets(weld *w, const ew_list *surface, double tolerance, int32_t *n)
{
    const ew_mesh *mesh = w->mesh;
    ew_points points;
    double distance2;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        w->target[v] = v;
    }
    EW_TRY(ew_points_init(&points, mesh, surface));
    *n = 0;
    for (int32_t i = 0; i < surface->n; i++) {
        const int32_t v = surface->id[i];
        const int32_t to =
            ew_points_nearest_before(&points, mesh->xyz + 3 * (size_t)v, mesh->vertex_id[v],
                                     tolerance * tolerance, &distance2);
        w->target[v] = to >= 0 ? to : v;
        *n += to >= 0;
    }
    ew_points_free(&points);
    for (int32_t i = 0; i < surface->n; i++) {
        w->target[surface->id[i]] = follow(w->target, surface->id[i]);
    }
    return EW_OK;
}

/* ---- tets ------------------------------------------------------------------------------ */

/* The vertices of a tet after the weld; whether one is another. */
static bool read_tet(const weld *w, int32_t t, int32_t to[4])
{
    bool changes = false;
    for (int k = 0; k < 4; k++) {
        const int32_t v = w->mesh->tet[4 * (size_t)t + (size_t)k];
        to[k] = w->target[v];
        changes = changes || to[k] != v;
    }
    return changes;
}

static ew_status check_distinct(const weld *w, int32_t t, const int32_t to[4], double tolerance)
{
    for (int e = 0; e < 6; e++) {
        if (to[ew_edge_vertex[e][0]] == to[ew_edge_vertex[e][1]]) {
            return ew_fail(EW_BAD_EDIT,
                           "weld: two vertices of tet %lld would become one, %lld; lower the "
                           "tolerance of %g below the edges of the mesh",
                           (long long)w->mesh->tet_id[t],
                           (long long)w->mesh->vertex_id[to[ew_edge_vertex[e][0]]], tolerance);
        }
    }
    return EW_OK;
}

/* Curved sides of a tet that have another end now, each once. */
static ew_status queue_curves(weld *w, int32_t t, const int32_t to[4], ew_edit *edit)
{
    const ew_mesh *mesh = w->mesh;
    for (int e = 0; e < 6 && mesh->n_curve; e++) {
        const int i = ew_edge_vertex[e][0], k = ew_edge_vertex[e][1];
        const int32_t *v = mesh->tet + 4 * (size_t)t;
        const int32_t low = to[i] < to[k] ? to[i] : to[k], high = to[i] < to[k] ? to[k] : to[i];
        const double *curve = ew_mesh_curve(mesh, mesh->vertex_id[v[i]], mesh->vertex_id[v[k]]);
        int32_t old = -1;
        if (curve && (to[i] != v[i] || to[k] != v[k])) {
            EW_TRY(ew_map_enter(&w->side, low, high, -1, 0, &old));
            EW_TRY(old < 0 ? ew_edit_add_curve(edit, low, high, curve) : EW_OK);
        }
    }
    return EW_OK;
}

static ew_status queue_tets(weld *w, double tolerance, ew_edit *edit)
{
    const ew_mesh *mesh = w->mesh;
    ew_refusal refusal = {0};
    int32_t to[4];
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        const double *x[4];
        if (!ew_mesh_tet_is_live(mesh, t) || !read_tet(w, t, to)) {
            continue;
        }
        EW_TRY(check_distinct(w, t, to, tolerance));
        for (int k = 0; k < 4; k++) {
            x[k] = mesh->xyz + 3 * (size_t)to[k];
            w->is_met[to[k]] = true;
        }
        ew_refusal_note(&refusal, mesh->tet_id[t], x);
        EW_TRY(ew_edit_remove_tet(edit, t));
        EW_TRY(ew_edit_add_tet_from(edit, to, mesh->region_label[mesh->region[t]], t));
        EW_TRY(ew_corners_push(&w->corners, to, -1 - t));
        EW_TRY(queue_curves(w, t, to, edit));
    }
    return ew_refusal_fail(&refusal, "weld", "tets", "lower the tolerance");
}

/* Faces of the other tets between vertices that tets with a new vertex have. */
static ew_status collect_met(weld *w)
{
    const ew_mesh *mesh = w->mesh;
    int32_t to[4];
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (!ew_mesh_tet_is_live(mesh, t) || read_tet(w, t, to)) {
            continue;
        }
        for (int k = 0; k < 4; k++) {
            to[k] = w->is_met[to[k]] ? to[k] : -1;
        }
        EW_TRY(ew_corners_push(&w->corners, to, t));
    }
    return EW_OK;
}

static ew_status check_met(weld *w)
{
    const ew_corners *crowd = ew_corners_overlap(&w->corners);
    if (!crowd) {
        return EW_OK;
    }
    const int32_t other = crowd[1].tet < 0 ? -1 - crowd[1].tet : crowd[1].tet;
    const int64_t *id = w->mesh->vertex_id;
    return ew_fail(EW_BAD_EDIT,
                   "weld: tets %lld and %lld would overlap at the face of vertices %lld, %lld and "
                   "%lld; lower the tolerance, or remove one of the two",
                   (long long)w->mesh->tet_id[-1 - crowd->tet], (long long)w->mesh->tet_id[other],
                   (long long)id[crowd->v[0]], (long long)id[crowd->v[1]],
                   (long long)id[crowd->v[2]]);
}

/* ---- vertices and faces ------------------------------------------------------------------ */

static ew_status queue_vertices(const weld *w, ew_edit *edit)
{
    for (int32_t v = 0; v < w->mesh->n_vertex; v++) {
        EW_TRY(w->target[v] != v ? ew_edit_merge_vertex(edit, v, w->target[v]) : EW_OK);
    }
    return EW_OK;
}

/* Faces that stay on the surface are those that they were. */
static ew_status queue_origins(const weld *w, ew_edit *edit)
{
    for (int32_t s = 0; s < w->boundary.n_slot; s++) {
        const int32_t code = w->boundary.code[s];
        int32_t old[3], to[3];
        bool changes = false;
        for (int k = 0; code >= 0 && k < 3; k++) {
            old[k] = w->mesh->tet[4 * (size_t)(code / 4) + ew_face_vertex[code % 4][k]];
            to[k] = w->target[old[k]];
            changes = changes || to[k] != old[k];
        }
        EW_TRY(changes ? ew_edit_add_face_origin(edit, to, old) : EW_OK);
    }
    return EW_OK;
}

static ew_status queue_labels(const weld *w, ew_edit *edit)
{
    const ew_mesh *mesh = w->mesh;
    bool *live = NULL;
    ew_status status;
    EW_TRY_OUT(ew_new_zero(&live, (size_t)mesh->n_face, sizeof *live));
    EW_TRY_OUT(ew_mesh_live_faces(mesh, live));
    for (int32_t f = 0; f < mesh->n_face; f++) {
        const int32_t *v = mesh->face + 3 * (size_t)f;
        if (!live[f]) {
            continue;
        }
        const int32_t to[3] = {w->target[v[0]], w->target[v[1]], w->target[v[2]]};
        EW_TRY_OUT(memcmp(to, v, sizeof to) ? ew_edit_add_face(edit, to, mesh->face_label[f])
                                            : EW_OK);
    }
out:
    ew_release(live);
    return status;
}

static ew_status fail_apart(const ew_list *vertex, double tolerance)
{
    return ew_fail(EW_BAD_EDIT,
                   "weld: no two vertices of the surface%s are within %g of each other; give a "
                   "larger tolerance",
                   vertex ? ", of those chosen," : "", tolerance);
}

static ew_status queue(weld *w, const ew_list *vertex, double tolerance,
                       const ew_topology *topology, ew_edit *edit)
{
    const size_t n_vertex = (size_t)w->mesh->n_vertex;
    ew_list surface = {0};
    int32_t n = 0;
    EW_TRY(ew_boundary_build(&w->boundary, w->mesh, topology));
    EW_TRY(ew_new(&w->target, n_vertex, sizeof *w->target));
    EW_TRY(ew_new_zero(&w->is_met, n_vertex, sizeof *w->is_met));
    ew_status status = list_surface(w, vertex, &surface);
    status = status ? status : find_targets(w, &surface, tolerance, &n);
    ew_list_free(&surface);
    EW_TRY(status);
    EW_TRY(n ? EW_OK : fail_apart(vertex, tolerance));
    EW_TRY(queue_tets(w, tolerance, edit));
    EW_TRY(collect_met(w));
    EW_TRY(check_met(w));
    EW_TRY(queue_vertices(w, edit));
    EW_TRY(queue_origins(w, edit));
    return queue_labels(w, edit);
}

ew_status ew_operation_weld(const ew_mesh *mesh, const ew_topology *topology, const ew_list *vertex,
                            double tolerance, ew_edit *edit)
{
    weld w = {.mesh = mesh};
    EW_TRY(ew_need_empty("weld", edit));
    EW_TRY(ew_need_tets("weld", mesh));
    EW_TRY(ew_need_current("weld", topology, mesh));
    EW_TRY(ew_need_length("weld", "tolerance", tolerance));
    EW_TRY(vertex ? ew_need_vertices("weld", mesh, vertex) : EW_OK);
    const ew_status status = queue(&w, vertex, tolerance, topology, edit);
    ew_boundary_free(&w.boundary);
    ew_release(w.target);
    ew_release(w.is_met);
    ew_release(w.corners.item);
    ew_map_free(&w.side);
    if (status) {
        ew_edit_clear(edit);
    }
    return status;
}

/* ---- its place in the table -------------------------------------------- */

enum { TOLERANCE, SET, N_PARAMETER };

static const ew_parameter parameters[N_PARAMETER] = {
    [TOLERANCE] = {.key = "tolerance",
                   .kind = EW_PARAMETER_LENGTH,
                   .argument = "LENGTH",
                   .help = "distance within which vertices become one (1e-6 of the size)"},
    [SET] = {.key = "set",
             .kind = EW_PARAMETER_VERTICES,
             .argument = "WHERE",
             .help = "vertices of the surface that are considered (default: all)"},
};

static ew_status queue_values(const ew_operation_input *in, ew_edit *edit)
{
    const ew_parameter_value *tolerance = &in->values->of[TOLERANCE];
    ew_mesh_measure size;
    double longest = 0.0;
    ew_mesh_take_measure(in->mesh, &size);
    for (int c = 0; c < 3; c++) {
        const double length = size.high[c] - size.low[c];
        longest = length > longest ? length : longest;
    }
    return ew_operation_weld(in->mesh, in->topology, in->vertex,
                             tolerance->given ? tolerance->number[0] : 1e-6 * longest, edit);
}

const ew_operation ew_weld_operation = {
    .name = "weld",
    .summary = "join the surface to itself where it meets",
    .text = "Vertices of the surface that are within the tolerance of each other become one, and "
            "faces that meet by that are within the body: parts that touch, the sides of a slit.",
    .example = "assembly.mesh --tolerance 1e-6 -o joined.mesh",
    .file_code = 18,
    .n_parameter = N_PARAMETER,
    .parameter = parameters,
    .queue = queue_values,
};
