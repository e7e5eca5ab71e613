/* Parts a body along its faces. In: a mesh, a plane, and which tets it is about. Out: the faces
 * between tets that lie on both sides of it, those that hang together next to its point, with
 * vertices of their own on the far side. No tet is cut. */
#include "operation/framework/internal.h"

#include <string.h>

typedef struct split {
    const ew_mesh *mesh;
    const ew_topology *topology;
    const ew_split_def *def;
    bool *among;       /* [n_vertex] owned, as all below: its tets may be parted; null: all */
    ew_list near, far; /* codes of the faces, from both sides, in the same order */
    ew_set on;         /* their vertices */
    ew_list star;      /* tets with one of these, ascending */
    ew_set stays;      /* tets of the star on the near side, */
    ew_set wall;       /* codes of faces of both sides */
    int32_t *image;    /* [n_vertex] what a vertex is on the far side */
    ew_map side;       /* curved sides that are queued, by their ends */
} split;

bool ew_split_is_beyond(const ew_mesh *mesh, int32_t tet, const double point[3],
                        const double normal[3])
{
    double sum = 0.0;
    for (int c = 0; c < 3; c++) {
        double middle = 0.0;
        for (int k = 0; k < 4; k++) {
            const int32_t v = mesh->tet[4 * (size_t)tet + (size_t)k];
            middle += 0.25 * mesh->xyz[3 * (size_t)v + (size_t)c];
        }
        sum += (middle - point[c]) * normal[c];
    }
    return sum > 0.0;
}

static void corners_of(const split *s, int32_t code, int32_t v[3])
{
    for (int k = 0; k < 3; k++) {
        v[k] = s->mesh->tet[4 * (size_t)(code / 4) + (size_t)ew_face_vertex[code % 4][k]];
    }
}

/* ---- faces -------------------------------------------------------------------------------- */

static bool counts(const split *s, int32_t tet)
{
    bool all = ew_mesh_tet_is_live(s->mesh, tet);
    for (int k = 0; k < 4 && all && s->among; k++) {
        all = s->among[s->mesh->tet[4 * (size_t)tet + (size_t)k]];
    }
    return all;
}

static ew_status list_faces(split *s)
{
    const ew_split_def *def = s->def;
    for (int32_t t = 0; t < s->mesh->n_tet; t++) {
        if (!counts(s, t) || ew_split_is_beyond(s->mesh, t, def->point, def->normal)) {
            continue;
        }
        for (int f = 0; f < 4; f++) {
            const int32_t other = ew_topology_face_neighbor(s->topology, s->mesh, 4 * t + f);
            if (other >= 0 && counts(s, other) &&
                ew_split_is_beyond(s->mesh, other, def->point, def->normal)) {
                EW_TRY(ew_list_push(&s->near, 4 * t + f));
            }
        }
    }
    return s->near.n ? EW_OK
                     : ew_fail(EW_BAD_EDIT,
                               "split: the plane through (%g, %g, %g) has no tets%s on both sides; "
                               "give a point in the body",
                               def->point[0], def->point[1], def->point[2],
                               s->among ? " of the set" : "");
}

static double distance2(const split *s, int32_t code)
{
    int32_t v[3];
    double sum = 0.0;
    corners_of(s, code, v);
    for (int c = 0; c < 3; c++) {
        double middle = -s->def->point[c];
        for (int k = 0; k < 3; k++) {
            middle += s->mesh->xyz[3 * (size_t)v[k] + (size_t)c] / 3.0;
        }
        sum += middle * middle;
    }
    return sum;
}

static int32_t root_of(int32_t *parent, int32_t v)
{
    while (parent[v] != v) {
        v = parent[v] = parent[parent[v]];
    }
    return v;
}

/* Of all faces those that hang together, by vertices, with the one that is nearest to the point. */
static ew_status keep_nearest(split *s)
{
    int32_t *parent, nearest = 0, n = 0, v[3];
    EW_TRY(ew_new(&parent, (size_t)s->mesh->n_vertex, sizeof *parent));
    for (int32_t i = 0; i < s->mesh->n_vertex; i++) {
        parent[i] = i;
    }
    for (int32_t i = 0; i < s->near.n; i++) {
        corners_of(s, s->near.id[i], v);
        parent[root_of(parent, v[1])] = root_of(parent, v[0]);
        parent[root_of(parent, v[2])] = root_of(parent, v[0]);
        nearest = distance2(s, s->near.id[i]) < distance2(s, s->near.id[nearest]) ? i : nearest;
    }
    corners_of(s, s->near.id[nearest], v);
    const int32_t root = root_of(parent, v[0]);
    for (int32_t i = 0; i < s->near.n; i++) {
        corners_of(s, s->near.id[i], v);
        if (root_of(parent, v[0]) == root) {
            s->near.id[n++] = s->near.id[i];
        }
    }
    s->near.n = n;
    ew_release(parent);
    return EW_OK;
}

/* The code of the same face from the other side. */
static int32_t across(const split *s, int32_t code)
{
    const int32_t other = ew_topology_face_neighbor(s->topology, s->mesh, code);
    int32_t v[3], found = -1;
    corners_of(s, code, v);
    for (int f = 0; f < 4 && other >= 0; f++) {
        const int32_t opposite = s->mesh->tet[4 * (size_t)other + (size_t)f];
        found = opposite != v[0] && opposite != v[1] && opposite != v[2] ? 4 * other + f : found;
    }
    return found;
}

static ew_status mark_faces(split *s)
{
    for (int32_t i = 0; i < s->near.n; i++) {
        int32_t v[3];
        corners_of(s, s->near.id[i], v);
        for (int k = 0; k < 3; k++) {
            EW_TRY(ew_set_add(&s->on, v[k]));
        }
        EW_TRY(ew_list_push(&s->far, across(s, s->near.id[i])));
        EW_TRY(ew_set_add(&s->wall, s->near.id[i]));
        EW_TRY(ew_set_add(&s->wall, s->far.id[i]));
    }
    return EW_OK;
}

/* ---- sides ---------------------------------------------------------------------------------- */

static ew_status list_star(split *s)
{
    const ew_rows *rows = &s->topology->vertex_to_tet;
    for (int32_t i = 0; i < s->on.list.n; i++) {
        const int32_t v = s->on.list.id[i];
        for (int32_t k = 0; k < rows->count[v]; k++) {
            EW_TRY(ew_list_push(&s->star, rows->item[rows->begin[v] + k]));
        }
    }
    ew_list_sort_unique(&s->star);
    return EW_OK;
}

static bool is_of_star(const split *s, int32_t tet)
{
    bool has = false;
    for (int k = 0; k < 4; k++) {
        has = has || ew_set_has(&s->on, s->mesh->tet[4 * (size_t)tet + (size_t)k]);
    }
    return has;
}

/* Tets of the star that are reached from the near side without passing through the faces. */
static ew_status find_side(split *s)
{
    for (int32_t i = 0; i < s->near.n; i++) {
        EW_TRY(ew_set_add(&s->stays, s->near.id[i] / 4));
    }
    for (int32_t i = 0; i < s->stays.list.n; i++) {
        for (int f = 0; f < 4; f++) {
            const int32_t code = 4 * s->stays.list.id[i] + f;
            const int32_t other = ew_set_has(&s->wall, code)
                                      ? -1
                                      : ew_topology_face_neighbor(s->topology, s->mesh, code);
            EW_TRY(other >= 0 && is_of_star(s, other) ? ew_set_add(&s->stays, other) : EW_OK);
        }
    }
    for (int32_t i = 0; i < s->far.n; i++) {
        if (ew_set_has(&s->stays, s->far.id[i] / 4)) {
            return ew_fail(
                EW_BAD_EDIT,
                "split: tets %lld and %lld, on both sides of the plane, are joined round "
                "the edge of the section%s; %s",
                (long long)s->mesh->tet_id[s->near.id[i] / 4],
                (long long)s->mesh->tet_id[s->far.id[i] / 4],
                s->among ? " by tets out of the set" : "",
                s->among ? "take these in, or keep the solids of a CAD file apart "
                           "('solids: apart')"
                         : "give a plane that passes through the body");
        }
    }
    return EW_OK;
}

/* ---- into the edit -------------------------------------------------------------------------- */

static ew_status queue_vertices(split *s, ew_edit *edit)
{
    ew_keyed *list;
    ew_status status = EW_OK;
    const int32_t n = s->on.list.n;
    EW_TRY(ew_new(&s->image, (size_t)s->mesh->n_vertex, sizeof *s->image));
    for (int32_t v = 0; v < s->mesh->n_vertex; v++) {
        s->image[v] = v;
    }
    EW_TRY(ew_new(&list, (size_t)n, sizeof *list));
    for (int32_t i = 0; i < n; i++) {
        const int32_t v = s->on.list.id[i];
        list[i] = (ew_keyed){0.0, s->mesh->vertex_id[v], v};
    }
    ew_sort_by_name(list, n);
    for (int32_t i = 0; i < n && !status; i++) {
        const int32_t v = list[i].slot;
        status = ew_edit_add_vertex_from(edit, s->mesh->xyz + 3 * (size_t)v, v, v, &s->image[v]);
    }
    ew_release(list);
    return status;
}

/* Curved sides of a tet with a new end, each once. */
static ew_status queue_curves(split *s, int32_t t, ew_edit *edit)
{
    const ew_mesh *mesh = s->mesh;
    const int32_t *v = mesh->tet + 4 * (size_t)t;
    for (int e = 0; e < 6 && mesh->n_curve; e++) {
        const int32_t a = v[ew_edge_vertex[e][0]], b = v[ew_edge_vertex[e][1]];
        const double *curve = ew_mesh_curve(mesh, mesh->vertex_id[a], mesh->vertex_id[b]);
        int32_t old = -1;
        if (curve && (s->image[a] != a || s->image[b] != b)) {
            EW_TRY(ew_map_enter(&s->side, a < b ? a : b, a < b ? b : a, -1, 0, &old));
            EW_TRY(old < 0 ? ew_edit_add_curve(edit, s->image[a], s->image[b], curve) : EW_OK);
        }
    }
    return EW_OK;
}

static ew_status queue_tets(split *s, ew_edit *edit)
{
    const ew_mesh *mesh = s->mesh;
    for (int32_t i = 0; i < s->star.n; i++) {
        const int32_t t = s->star.id[i];
        int32_t v[4];
        if (ew_set_has(&s->stays, t)) {
            continue;
        }
        for (int k = 0; k < 4; k++) {
            v[k] = s->image[mesh->tet[4 * (size_t)t + (size_t)k]];
        }
        EW_TRY(ew_edit_remove_tet(edit, t));
        EW_TRY(ew_edit_add_tet_from(edit, v, mesh->region_label[mesh->region[t]], t));
        EW_TRY(queue_curves(s, t, edit));
    }
    return EW_OK;
}

static ew_status queue_faces(const split *s, ew_edit *edit)
{
    for (int32_t i = 0; i < s->near.n; i++) {
        int32_t v[3];
        corners_of(s, s->near.id[i], v);
        EW_TRY(ew_edit_add_face(edit, v, s->def->label));
        corners_of(s, s->far.id[i], v);
        for (int k = 0; k < 3; k++) {
            v[k] = s->image[v[k]];
        }
        EW_TRY(ew_edit_add_face(edit, v, s->def->label));
    }
    return EW_OK;
}

/* Triangles of tets that have other vertices now. */
static ew_status queue_labels(const split *s, ew_edit *edit)
{
    const ew_mesh *mesh = s->mesh;
    ew_map moved = {0};
    ew_status status = EW_OK;
    int32_t v[3], old;
    for (int32_t i = 0; i < 4 * s->star.n && !status; i++) {
        corners_of(s, 4 * s->star.id[i / 4] + i % 4, v);
        ew_sort_three(v);
        status = ew_set_has(&s->stays, s->star.id[i / 4])
                     ? EW_OK
                     : ew_map_enter(&moved, v[0], v[1], v[2], i, &old);
    }
    for (int32_t f = 0; f < mesh->n_face && !status; f++) {
        int32_t to[3];
        memcpy(v, mesh->face + 3 * (size_t)f, sizeof v);
        for (int k = 0; k < 3; k++) {
            to[k] = ew_mesh_face_is_kept(mesh, f) ? s->image[v[k]] : v[k];
        }
        const bool changes = memcmp(to, v, sizeof v) != 0;
        ew_sort_three(v);
        status = changes && ew_map_find(&moved, v[0], v[1], v[2]) >= 0
                     ? ew_edit_add_face(edit, to, mesh->face_label[f])
                     : EW_OK;
    }
    ew_map_free(&moved);
    return status;
}

static ew_status queue(split *s, ew_edit *edit)
{
    if (s->def->vertex) {
        EW_TRY(ew_new_zero(&s->among, (size_t)s->mesh->n_vertex, sizeof *s->among));
        for (int32_t i = 0; i < s->def->vertex->n; i++) {
            s->among[s->def->vertex->id[i]] = true;
        }
    }
    EW_TRY(list_faces(s));
    EW_TRY(keep_nearest(s));
    EW_TRY(mark_faces(s));
    EW_TRY(list_star(s));
    EW_TRY(find_side(s));
    EW_TRY(queue_vertices(s, edit));
    EW_TRY(queue_tets(s, edit));
    EW_TRY(queue_labels(s, edit));
    return queue_faces(s, edit);
}

ew_status ew_operation_split(const ew_mesh *mesh, const ew_topology *topology,
                             const ew_split_def *def, ew_edit *edit)
{
    split s = {.mesh = mesh, .topology = topology, .def = def};
    double unit[3];
    EW_TRY(ew_need_empty("split", edit));
    EW_TRY(ew_need_tets("split", mesh));
    EW_TRY(ew_need_current("split", topology, mesh));
    EW_TRY(ew_need_finite("split", "the point", def->point));
    EW_TRY(ew_need_unit("split", "the normal", def->normal, unit));
    EW_TRY(def->vertex ? ew_need_vertices("split", mesh, def->vertex) : EW_OK);
    const ew_status status = queue(&s, edit);
    ew_release(s.among);
    ew_release(s.image);
    ew_list_free(&s.near);
    ew_list_free(&s.far);
    ew_list_free(&s.star);
    ew_set_free(&s.on);
    ew_set_free(&s.stays);
    ew_set_free(&s.wall);
    ew_map_free(&s.side);
    if (status) {
        ew_edit_clear(edit);
    }
    return status;
}

/* ---- its place in the table ------------------------------------------------------------------ */

enum { PLANE, SET, LABEL, NAME, N_PARAMETER };

static const ew_parameter parameters[N_PARAMETER] = {
    [PLANE] = {.key = "plane",
               .kind = EW_PARAMETER_NUMBERS,
               .need = EW_REQUIRED,
               .words = "point normal",
               .argument = "X,Y,Z,NX,NY,NZ",
               .help = "a point of it, next to which the body is parted, and its normal"},
    [SET] = {.key = "set",
             .kind = EW_PARAMETER_VERTICES,
             .argument = "WHERE",
             .help = "tets with all their vertices here may be parted (default: all)"},
    [LABEL] = {.key = "label",
               .kind = EW_PARAMETER_REGION,
               .preset = "1000",
               .argument = "LABEL",
               .help = "label of the faces of both sides; with a name from 1001 on"},
    [NAME] = {.key = "name",
              .kind = EW_PARAMETER_NAME,
              .argument = "NAME",
              .help = "name of these faces, as a set or a group of the file"},
};

static ew_status queue_values(const ew_operation_input *in, ew_edit *edit)
{
    const ew_parameter_value *of = in->values->of;
    ew_split_def def = {.vertex = in->vertex, .label = (int32_t)of[LABEL].whole};
    memcpy(def.point, of[PLANE].number, sizeof def.point);
    memcpy(def.normal, of[PLANE].number + 3, sizeof def.normal);
    return ew_operation_split(in->mesh, in->topology, &def, edit);
}

const ew_operation ew_split_operation = {
    .name = "split",
    .summary = "part the body along its faces next to a plane",
    .text =
        "Tets stay as they are: faces between those with their middles on one side of the plane\n"
        "and on the other get vertices of their own on the side that its normal points to. Of\n"
        "several sections in the plane the one nearest to its point is parted.",
    .example = "bolt.mesh --plane 0,0,5,0,0,1 -o parted.mesh",
    .file_code = 19,
    .n_parameter = N_PARAMETER,
    .parameter = parameters,
    .queue = queue_values,
};
