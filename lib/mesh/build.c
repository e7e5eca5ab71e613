/* Construction, copying, release and renumbering of a mesh.
 * In: plain arrays of a reader or a shape. Out: a mesh that keeps every rule but MESH_FACE,
 * which only the checker tests. */
#include "mesh/internal.h"

#include <math.h>
#include <string.h>

void ew_mesh_free(ew_mesh *mesh)
{
    ew_release(mesh->xyz);
    ew_release(mesh->valence);
    ew_release(mesh->vertex_id);
    ew_release(mesh->tet);
    ew_release(mesh->region);
    ew_release(mesh->tet_id);
    ew_release(mesh->born);
    ew_release(mesh->region_label);
    ew_release(mesh->face);
    ew_release(mesh->face_label);
    ew_release(mesh->curve_end);
    ew_release(mesh->curve);
    ew_release(mesh->curve_place);
    ew_list_free(&mesh->vertex_hole);
    ew_list_free(&mesh->tet_hole);
    memset(mesh, 0, sizeof *mesh);
}

ew_status ew_mesh_allocate(ew_mesh *mesh)
{
    size_t n_vertex = (size_t)mesh->n_vertex, n_tet = (size_t)mesh->n_tet;
    size_t n_face = (size_t)mesh->n_face;
    EW_TRY(ew_new(&mesh->xyz, 3 * n_vertex, sizeof *mesh->xyz));
    EW_TRY(ew_new_zero(&mesh->valence, n_vertex, sizeof *mesh->valence));
    EW_TRY(ew_new(&mesh->vertex_id, n_vertex, sizeof *mesh->vertex_id));
    EW_TRY(ew_new(&mesh->tet, 4 * n_tet, sizeof *mesh->tet));
    EW_TRY(ew_new(&mesh->region, n_tet, sizeof *mesh->region));
    EW_TRY(ew_new(&mesh->tet_id, n_tet, sizeof *mesh->tet_id));
    EW_TRY(ew_new(&mesh->born, n_tet, sizeof *mesh->born));
    EW_TRY(ew_new(&mesh->region_label, (size_t)mesh->n_region, sizeof *mesh->region_label));
    EW_TRY(ew_new(&mesh->face, 3 * n_face, sizeof *mesh->face));
    EW_TRY(ew_new(&mesh->face_label, n_face, sizeof *mesh->face_label));
    const int32_t n_curve = mesh->n_curve;
    mesh->n_curve = 0;
    EW_TRY(ew_mesh_reserve_curves(mesh, n_curve));
    mesh->n_curve = n_curve;
    mesh->vertex_capacity = mesh->n_vertex;
    mesh->tet_capacity = mesh->n_tet;
    mesh->region_capacity = mesh->n_region;
    mesh->face_capacity = mesh->n_face;
    return EW_OK;
}

static void copy_array(void *to, const void *from, int32_t n, size_t size)
{
    if (n > 0) {
        memcpy(to, from, (size_t)n * size);
    }
}

/* Curved sides are known by vertex_id, which no renumbering changes. */
static void copy_curves(ew_mesh *to, const ew_mesh *from)
{
    copy_array(to->curve_end, from->curve_end, from->n_curve, 2 * sizeof *to->curve_end);
    copy_array(to->curve, from->curve, from->n_curve, 3 * sizeof *to->curve);
    ew_mesh_index_curves(to);
}

/* ---- init -------------------------------------------------------------- */

static ew_status check_counts(const ew_mesh_def *def)
{
    if (def->n_vertex < 0 || def->n_tet < 0 || def->n_face < 0) {
        return ew_fail(EW_BAD_ARGUMENT,
                       "mesh: %d vertices, %d tets and %d faces; counts must be 0 or more",
                       def->n_vertex, def->n_tet, def->n_face);
    }
    if ((def->n_vertex && !def->xyz) || (def->n_tet && !def->tet) || (def->n_face && !def->face)) {
        return ew_fail(EW_BAD_ARGUMENT, "mesh: an array with entries is null; give xyz, tet, face");
    }
    if (def->n_tet > EW_MAX_TET) {
        return ew_fail(EW_LIMIT, "mesh: %d tets; at most %d can be named", def->n_tet, EW_MAX_TET);
    }
    return EW_OK;
}

static ew_status fill_vertices(ew_mesh *mesh, const double *xyz)
{
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        const double *x = xyz + 3 * (size_t)v;
        if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2])) {
            return ew_fail(EW_MESH_COORDINATE,
                           "vertex %d: position (%g, %g, %g) is not finite; give three numbers", v,
                           x[0], x[1], x[2]);
        }
        mesh->vertex_id[v] = v;
    }
    copy_array(mesh->xyz, xyz, mesh->n_vertex, 3 * sizeof *xyz);
    return EW_OK;
}

/* Copies tet t right-handed and counts it at its vertices. */
static ew_status fill_tet(ew_mesh *mesh, int32_t t, const int32_t *v, int32_t *n_reoriented)
{
    for (int i = 0; i < 4; i++) {
        if (v[i] < 0 || v[i] >= mesh->n_vertex) {
            return ew_fail_about(EW_MESH_RANGE, t, -1,
                                 "tet %d: vertex %d does not exist; vertices are 0 to %d (0-based)",
                                 t, v[i], mesh->n_vertex - 1);
        }
        for (int j = 0; j < i; j++) {
            if (v[i] == v[j]) {
                return ew_fail_about(EW_MESH_REPEATED, t, -1,
                                     "tet %d: vertex %d is named twice; a tet needs four vertices",
                                     t, v[i]);
            }
        }
    }
    const double *x = mesh->xyz;
    int hand = ew_tet_hand(x + 3 * (size_t)v[0], x + 3 * (size_t)v[1], x + 3 * (size_t)v[2],
                           x + 3 * (size_t)v[3]);
    if (hand == 0) {
        return ew_fail_about(
            EW_MESH_VOLUME, t, -1,
            "tet %d (vertices %d %d %d %d): no usable volume, 6V / (longest edge)^3 is "
            "below %g; remove the tet or move a vertex",
            t, v[0], v[1], v[2], v[3], EW_MIN_SHAPE);
    }
    int32_t *to = mesh->tet + 4 * (size_t)t;
    to[0] = v[0];
    to[1] = v[1];
    to[2] = hand > 0 ? v[2] : v[3];
    to[3] = hand > 0 ? v[3] : v[2];
    *n_reoriented += hand < 0;
    for (int i = 0; i < 4; i++) {
        mesh->valence[v[i]]++;
    }
    mesh->tet_id[t] = t;
    mesh->born[t] = 0;
    return EW_OK;
}

static ew_status check_duplicates(const ew_mesh *mesh)
{
    bool found;
    int32_t t[3];
    EW_TRY(ew_tets_repeat(mesh->n_vertex, mesh->n_tet, mesh->tet, EW_REPEAT_TET, &found, t));
    if (found) {
        const int32_t *v = mesh->tet + 4 * (size_t)t[0];
        return ew_fail_about(
            EW_MESH_DUPLICATE, t[0], t[1],
            "tets %d and %d have the same vertices %d %d %d %d; remove one of them", t[0], t[1],
            v[0], v[1], v[2], v[3]);
    }
    return EW_OK;
}

/* The labels in use, ascending, each once. */
static ew_status collect_labels(const ew_mesh_def *def, ew_list *label)
{
    for (int32_t t = 0; t < def->n_tet; t++) {
        int32_t value = def->region ? def->region[t] : 0;
        if (label->n == 0 || label->id[label->n - 1] != value) {
            EW_TRY(ew_list_push(label, value));
        }
    }
    ew_list_sort_unique(label);
    return EW_OK;
}

static void fill_regions(ew_mesh *mesh, const int32_t *region, const ew_list *label)
{
    copy_array(mesh->region_label, label->id, label->n, sizeof *label->id);
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        int32_t value = region ? region[t] : 0;
        int32_t low = 0, high = label->n - 1;
        while (low < high) {
            int32_t middle = low + (high - low) / 2;
            if (label->id[middle] < value) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        mesh->region[t] = low;
    }
}

static ew_status fill_faces(ew_mesh *mesh, const ew_mesh_def *def)
{
    for (int32_t f = 0; f < def->n_face; f++) {
        const int32_t *v = def->face + 3 * (size_t)f;
        for (int i = 0; i < 3; i++) {
            if (v[i] < 0 || v[i] >= mesh->n_vertex) {
                return ew_fail(EW_MESH_RANGE,
                               "triangle %d: vertex %d does not exist; vertices are 0 to %d "
                               "(0-based)",
                               f, v[i], mesh->n_vertex - 1);
            }
        }
        mesh->face_label[f] = def->face_label ? def->face_label[f] : 0;
    }
    copy_array(mesh->face, def->face, def->n_face, 3 * sizeof *def->face);
    mesh->face_id_end = mesh->n_vertex;
    return EW_OK;
}

static ew_status fill(ew_mesh *mesh, const ew_mesh_def *def, const ew_list *label,
                      ew_mesh_repair *repair)
{
    EW_TRY(ew_mesh_allocate(mesh));
    EW_TRY(fill_vertices(mesh, def->xyz));
    for (int32_t t = 0; t < def->n_tet; t++) {
        EW_TRY(fill_tet(mesh, t, def->tet + 4 * (size_t)t, &repair->n_reoriented));
    }
    EW_TRY(check_duplicates(mesh));
    fill_regions(mesh, def->region, label);
    EW_TRY(fill_faces(mesh, def));
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        mesh->n_active_vertex += mesh->valence[v] > 0;
    }
    repair->n_unused = mesh->n_vertex - mesh->n_active_vertex;
    mesh->n_live_tet = mesh->n_tet;
    mesh->next_vertex_id = mesh->n_vertex;
    mesh->next_tet_id = mesh->n_tet;
    mesh->revision = 1;
    return EW_OK;
}

ew_status ew_mesh_init(ew_mesh *mesh, const ew_mesh_def *def, ew_mesh_repair *repair)
{
    ew_list label = {0};
    ew_mesh_repair repaired = {0};
    ew_status status;

    memset(mesh, 0, sizeof *mesh);
    EW_TRY(check_counts(def));
    EW_TRY_OUT(collect_labels(def, &label));
    mesh->n_vertex = def->n_vertex;
    mesh->n_tet = def->n_tet;
    mesh->n_face = def->n_face;
    mesh->n_region = label.n;
    EW_TRY_OUT(fill(mesh, def, &label, &repaired));
    if (repair) {
        *repair = repaired;
    }
out:
    ew_list_free(&label);
    if (status) {
        ew_mesh_free(mesh);
    }
    return status;
}

/* ---- copy -------------------------------------------------------------- */

static ew_status copy_list(ew_list *to, const ew_list *from)
{
    EW_TRY(ew_new(&to->id, (size_t)from->n, sizeof *to->id));
    to->n = to->capacity = from->n;
    copy_array(to->id, from->id, from->n, sizeof *to->id);
    return EW_OK;
}

static ew_status copy_lists(ew_mesh *copy, const ew_mesh *mesh)
{
    EW_TRY(copy_list(&copy->vertex_hole, &mesh->vertex_hole));
    return copy_list(&copy->tet_hole, &mesh->tet_hole);
}

ew_status ew_mesh_copy(ew_mesh *copy, const ew_mesh *mesh)
{
    ew_status status;

    *copy = *mesh;
    copy->xyz = NULL;
    copy->valence = copy->tet = copy->region = copy->born = NULL;
    copy->vertex_id = copy->tet_id = NULL;
    copy->region_label = copy->face = copy->face_label = NULL;
    copy->curve_end = NULL;
    copy->curve = NULL;
    copy->curve_place = NULL;
    copy->curve_end_capacity = copy->curve_capacity = copy->n_curve_place = 0;
    memset(&copy->vertex_hole, 0, sizeof copy->vertex_hole);
    memset(&copy->tet_hole, 0, sizeof copy->tet_hole);
    EW_TRY_OUT(ew_mesh_allocate(copy));
    EW_TRY_OUT(copy_lists(copy, mesh));
    copy_array(copy->xyz, mesh->xyz, mesh->n_vertex, 3 * sizeof *mesh->xyz);
    copy_array(copy->valence, mesh->valence, mesh->n_vertex, sizeof *mesh->valence);
    copy_array(copy->vertex_id, mesh->vertex_id, mesh->n_vertex, sizeof *mesh->vertex_id);
    copy_array(copy->tet, mesh->tet, mesh->n_tet, 4 * sizeof *mesh->tet);
    copy_array(copy->region, mesh->region, mesh->n_tet, sizeof *mesh->region);
    copy_array(copy->tet_id, mesh->tet_id, mesh->n_tet, sizeof *mesh->tet_id);
    copy_array(copy->born, mesh->born, mesh->n_tet, sizeof *mesh->born);
    copy_array(copy->region_label, mesh->region_label, mesh->n_region, sizeof *mesh->region_label);
    copy_array(copy->face, mesh->face, mesh->n_face, 3 * sizeof *mesh->face);
    copy_array(copy->face_label, mesh->face_label, mesh->n_face, sizeof *mesh->face_label);
    copy_curves(copy, mesh);
out:
    if (status) {
        ew_mesh_free(copy);
    }
    return status;
}

/* ---- compact ----------------------------------------------------------- */

/* map[v]: new slot of vertex v, -1 for holes. `taken` is zeroed, a byte per new slot. */
static ew_status map_vertices(const ew_mesh *mesh, const int32_t *order, int32_t n_live,
                              uint8_t *taken, int32_t *map)
{
    int32_t next = 0;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        bool hole = mesh->valence[v] < 0;
        map[v] = hole ? -1 : order ? order[v] : next++;
        if (!order) {
            continue;
        }
        if (hole ? order[v] != -1 : order[v] < 0 || order[v] >= n_live || taken[order[v]]) {
            return ew_fail(EW_BAD_ARGUMENT,
                           "compact: vertex_order[%d] is %d; it must be a permutation of the %d "
                           "live vertices, and -1 for holes",
                           v, order[v], n_live);
        }
        if (!hole) {
            taken[order[v]] = 1;
        }
    }
    return EW_OK;
}

static int32_t min_vertex(const ew_mesh *mesh, int32_t t, const int32_t *vertex_map)
{
    int32_t min = INT32_MAX;
    for (int i = 0; i < 4; i++) {
        int32_t v = vertex_map[mesh->tet[4 * (size_t)t + i]];
        min = v < min ? v : min;
    }
    return min;
}

/* map[t]: new slot of tet t, -1 for holes. By least new vertex, then by old slot, when
 * `begin` (zeroed, [n_live + 1]) is given; else in the old order. */
static void map_tets(const ew_mesh *mesh, const int32_t *vertex_map, int32_t n_live, int32_t *begin,
                     int32_t *map)
{
    int32_t next = 0;
    for (int32_t t = 0; begin && t < mesh->n_tet; t++) {
        if (ew_mesh_tet_is_live(mesh, t)) {
            begin[min_vertex(mesh, t, vertex_map) + 1]++;
        }
    }
    for (int32_t v = 0; begin && v < n_live; v++) {
        begin[v + 1] += begin[v];
    }
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        bool live = ew_mesh_tet_is_live(mesh, t);
        map[t] = !live ? -1 : begin ? begin[min_vertex(mesh, t, vertex_map)]++ : next++;
    }
}

/* Fills `packed`, which has the counts and room. */
static void pack(ew_mesh *packed, const ew_mesh *mesh, const int32_t *vertex_map,
                 const int32_t *tet_map)
{
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        int32_t to = vertex_map[v];
        if (to >= 0) {
            memcpy(packed->xyz + 3 * (size_t)to, mesh->xyz + 3 * (size_t)v, 3 * sizeof(double));
            packed->valence[to] = mesh->valence[v];
            packed->vertex_id[to] = mesh->vertex_id[v];
        }
    }
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        int32_t to = tet_map[t];
        for (int i = 0; to >= 0 && i < 4; i++) {
            packed->tet[4 * (size_t)to + i] = vertex_map[mesh->tet[4 * (size_t)t + i]];
        }
        if (to >= 0) {
            packed->region[to] = mesh->region[t];
            packed->tet_id[to] = mesh->tet_id[t];
            packed->born[to] = mesh->born[t];
        }
    }
    copy_array(packed->region_label, mesh->region_label, mesh->n_region,
               sizeof *mesh->region_label);
    copy_curves(packed, mesh);
    int32_t n_face = 0;
    for (int32_t f = 0; f < mesh->n_face; f++) {
        if (ew_mesh_face_is_kept(mesh, f)) {
            for (int i = 0; i < 3; i++) {
                packed->face[3 * (size_t)n_face + i] = vertex_map[mesh->face[3 * (size_t)f + i]];
            }
            packed->face_label[n_face++] = mesh->face_label[f];
        }
    }
}

/* The scalars and counts of the mesh without holes; its arrays are null. */
static ew_mesh packed_counts(const ew_mesh *mesh)
{
    ew_mesh packed = {.n_vertex = mesh->n_vertex - mesh->vertex_hole.n,
                      .n_tet = mesh->n_live_tet,
                      .n_active_vertex = mesh->n_active_vertex,
                      .n_live_tet = mesh->n_live_tet,
                      .n_region = mesh->n_region,
                      .face_id_end = mesh->face_id_end,
                      .has_middles = mesh->has_middles,
                      .n_curve = mesh->n_curve,
                      .appends = mesh->appends,
                      .keeps_slots = mesh->keeps_slots,
                      .next_vertex_id = mesh->next_vertex_id,
                      .next_tet_id = mesh->next_tet_id,
                      .frame = mesh->frame,
                      .revision = mesh->revision + 1};
    for (int32_t f = 0; f < mesh->n_face; f++) {
        packed.n_face += ew_mesh_face_is_kept(mesh, f);
    }
    return packed;
}

ew_status ew_mesh_compact_copy(ew_mesh *copy, const ew_mesh *mesh, const int32_t *vertex_order,
                               bool sort_tets, int32_t *vertex_map, int32_t *tet_map)
{
    int32_t *vertex_to = NULL, *tet_to = NULL, *begin = NULL;
    uint8_t *taken = NULL;
    ew_status status;

    *copy = packed_counts(mesh);
    const int32_t n_live = copy->n_vertex;
    EW_TRY_OUT(ew_new(&vertex_to, (size_t)mesh->n_vertex, sizeof *vertex_to));
    EW_TRY_OUT(ew_new(&tet_to, (size_t)mesh->n_tet, sizeof *tet_to));
    EW_TRY_OUT(ew_new_zero(&taken, (size_t)n_live, sizeof *taken));
    EW_TRY_OUT(map_vertices(mesh, vertex_order, n_live, taken, vertex_to));
    if (sort_tets) {
        EW_TRY_OUT(ew_new_zero(&begin, (size_t)n_live + 1, sizeof *begin));
    }
    EW_TRY_OUT(ew_mesh_allocate(copy));
    map_tets(mesh, vertex_to, n_live, begin, tet_to);
    pack(copy, mesh, vertex_to, tet_to);
    if (vertex_map) {
        copy_array(vertex_map, vertex_to, mesh->n_vertex, sizeof *vertex_map);
    }
    if (tet_map) {
        copy_array(tet_map, tet_to, mesh->n_tet, sizeof *tet_map);
    }
out:
    if (status) {
        ew_mesh_free(copy);
    }
    ew_release(taken);
    ew_release(begin);
    ew_release(tet_to);
    ew_release(vertex_to);
    return status;
}

ew_status ew_mesh_compact(ew_mesh *mesh, const int32_t *vertex_order, bool sort_tets,
                          int32_t *vertex_map, int32_t *tet_map)
{
    ew_mesh packed;
    EW_TRY(ew_mesh_compact_copy(&packed, mesh, vertex_order, sort_tets, vertex_map, tet_map));
    ew_mesh_free(mesh);
    *mesh = packed;
    return EW_OK;
}

void ew_mesh_convert_length(ew_mesh *mesh, double factor, double divisor)
{
    for (size_t i = 0; i < 3 * (size_t)mesh->n_vertex; i++) {
        mesh->xyz[i] = mesh->xyz[i] * factor / divisor;
    }
    for (size_t i = 0; i < 3 * (size_t)mesh->n_curve; i++) {
        mesh->curve[i] = mesh->curve[i] * factor / divisor;
    }
}
