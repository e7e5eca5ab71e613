/* Unstructured grids of VTK to meshes. In: points, cells and arrays, read from either of its
 * formats. Out: tets of four and ten nodes, triangles with labels, regions, named groups. Vertices,
 * lines and other polygons are passed over; other volume cells are refused: to drop them would
 * change the body. */
#include "format/vtk/vtk.h"

#include <math.h>
#include <string.h>

enum { TRIANGLE = 5, TET = 10, TRIANGLE_6 = 22, TET_10 = 24 };

void ew_vtk_free(ew_vtk_grid *grid)
{
    ew_release(grid->points.value);
    ew_release(grid->connectivity.value);
    ew_release(grid->offsets.value);
    ew_release(grid->types.value);
    for (int32_t i = 0; i < grid->n_array; i++) {
        ew_release(grid->array[i].value);
    }
    ew_release(grid->array);
    memset(grid, 0, sizeof *grid);
}

/* ---- arrays -------------------------------------------------------------------------- */

/* Place of a name in the list of those that give regions and labels, in the order in which they
 * count; -1: none. */
static int label_rank(const char *name)
{
    static const char *const known[] = {"region",        "label",      "gmsh:physical", "medit:ref",
                                        "cellentityids", "material",   "materialids",   "regionid",
                                        "physical",      "physicalids"};
    char low[32];
    size_t n = 0;
    for (; name[n] && n < sizeof low - 1; n++) {
        low[n] = name[n] >= 'A' && name[n] <= 'Z' ? (char)(name[n] + 32) : name[n];
    }
    low[n] = 0;
    for (int i = 0; i < (int)(sizeof known / sizeof *known); i++) {
        if (!strcmp(low, known[i])) {
            return i;
        }
    }
    return -1;
}

bool ew_vtk_is_wanted(const char *name, bool of_cells)
{
    return !strncmp(name, EW_VTK_GROUP, sizeof EW_VTK_GROUP - 1) ||
           (of_cells && label_rank(name) >= 0);
}

size_t ew_vtk_size(ew_vtk_type type)
{
    static const uint8_t size[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
    return size[type];
}

static double value_of(const unsigned char at[8], ew_vtk_type type)
{
    union {
        int8_t i8;
        int16_t i16;
        uint16_t u16;
        int32_t i32;
        uint32_t u32;
        int64_t i64;
        uint64_t u64;
        float f32;
        double f64;
    } u;
    memcpy(&u, at, 8);
    switch (type) {
    case EW_VTK_INT8:
        return u.i8;
    case EW_VTK_UINT8:
        return at[0];
    case EW_VTK_INT16:
        return u.i16;
    case EW_VTK_UINT16:
        return u.u16;
    case EW_VTK_INT32:
        return u.i32;
    case EW_VTK_UINT32:
        return u.u32;
    case EW_VTK_INT64:
        return (double)u.i64;
    case EW_VTK_UINT64:
        return (double)u.u64;
    case EW_VTK_FLOAT32:
        return (double)u.f32;
    default:
        return u.f64;
    }
}

void ew_vtk_values(const unsigned char *data, ew_vtk_type type, bool swap, int64_t n, double *value)
{
    const size_t size = ew_vtk_size(type);
    for (int64_t i = 0; i < n; i++) {
        unsigned char one[8] = {0};
        for (size_t k = 0; k < size; k++) {
            one[swap ? size - 1 - k : k] = data[(size_t)i * size + k];
        }
        value[i] = value_of(one, type);
    }
}

/* ---- cells ----------------------------------------------------------------------------- */

typedef struct making {
    const ew_vtk_grid *grid;
    ew_draft draft;
    int32_t tet_capacity, region_capacity, middle_capacity, face_capacity, label_capacity;
    bool has_middles;
    const ew_vtk_array *label;
    int32_t *place; /* [n_cell] owned: tet, or -2 - face, or -1 */
} making;

static ew_status fail(const making *m, int64_t cell, const char *what)
{
    return ew_fail_at(EW_BAD_INPUT, (int32_t)m->grid->line, "cell %lld, counted from 0: %s",
                      (long long)cell, what);
}

/* Nodes that a type has; 0: it is passed over; -1: it is refused. */
static int n_node_of(double type)
{
    const int t = type >= 0 && type < 1000 ? (int)type : -1;
    return t == TRIANGLE     ? 3
           : t == TET        ? 4
           : t == TRIANGLE_6 ? 6
           : t == TET_10     ? 10
           : (t >= 0 && t <= 9) || t == 21 || t == 23 || t == 28 || t == 30 || t == 34 || t == 35 ||
                   t == 36 || t == 68 || t == 69 || t == 70 || t == 75
               ? 0
               : -1;
}

static int32_t label_of(const making *m, int64_t cell)
{
    const double value = m->label && cell < m->label->n ? m->label->value[cell] : 0.0;
    return value > INT32_MIN && value < INT32_MAX ? (int32_t)value : 0;
}

static ew_status add_tet(making *m, const int32_t *node, int n_node, int64_t cell)
{
    static const int8_t side[6] = {4, 6, 7, 5, 8, 9}; /* 01 12 20 03 13 23, by edge */
    ew_draft *d = &m->draft;
    const int64_t n = (int64_t)d->n_tet + 1;
    EW_TRY(ew_grow(&d->tet, &m->tet_capacity, n, 4 * sizeof *d->tet));
    EW_TRY(ew_grow(&d->region, &m->region_capacity, n, sizeof *d->region));
    EW_TRY(ew_grow(&d->middle, &m->middle_capacity, n, 6 * sizeof *d->middle));
    memcpy(d->tet + 4 * (size_t)d->n_tet, node, 4 * sizeof *node);
    for (size_t k = 0; k < 6; k++) {
        d->middle[6 * (size_t)d->n_tet + k] = n_node == 10 ? node[side[k]] : -1;
    }
    m->has_middles = m->has_middles || n_node == 10;
    m->place[cell] = d->n_tet;
    d->region[d->n_tet++] = label_of(m, cell);
    return EW_OK;
}

static ew_status add_face(making *m, const int32_t *node, int32_t label)
{
    ew_draft *d = &m->draft;
    const int64_t n = (int64_t)d->n_face + 1;
    EW_TRY(ew_grow(&d->face, &m->face_capacity, n, 3 * sizeof *d->face));
    EW_TRY(ew_grow(&d->face_label, &m->label_capacity, n, sizeof *d->face_label));
    memcpy(d->face + 3 * (size_t)d->n_face, node, 3 * sizeof *node);
    d->face_label[d->n_face++] = label;
    return EW_OK;
}

static ew_status add_cell(making *m, int64_t cell, double begin)
{
    const ew_vtk_grid *grid = m->grid;
    const double end = grid->offsets.value[cell];
    const int n = n_node_of(grid->types.value[cell]);
    int32_t node[10];
    if (!(end >= begin && end <= (double)grid->connectivity.n)) {
        return fail(m, cell, "its offset is not one, or the offsets descend");
    }
    m->place[cell] = -1;
    if (n < 0) {
        return fail(m, cell,
                    "its type is not read; tets of four and ten nodes are, and triangles: "
                    "mesh the solid with tets");
    }
    if (n && end - begin != n) {
        return fail(m, cell, "it has not the nodes of its type");
    }
    for (int k = 0; k < n; k++) {
        const double value = grid->connectivity.value[(int64_t)begin + k];
        if (!(value >= 0 && value < (double)m->draft.n_vertex)) {
            return fail(m, cell, "it names a point that is not there");
        }
        node[k] = (int32_t)value;
    }
    if (n == 4 || n == 10) {
        return add_tet(m, node, n, cell);
    }
    if (n) {
        m->place[cell] = -2 - m->draft.n_face;
        return add_face(m, node, label_of(m, cell));
    }
    return EW_OK;
}

static ew_status check_sizes(const ew_vtk_grid *g)
{
    const bool fits = g->n_point >= 0 && g->n_cell >= 0 && g->n_point <= INT32_MAX &&
                      g->n_cell <= INT32_MAX && g->points.n == 3 * g->n_point &&
                      g->offsets.n == g->n_cell && g->types.n == g->n_cell;
    return fits ? EW_OK
                : ew_fail_at(EW_BAD_INPUT, (int32_t)g->line,
                             "the grid says %lld points and %lld cells, and has %lld coordinates, "
                             "%lld offsets and %lld types",
                             (long long)g->n_point, (long long)g->n_cell, (long long)g->points.n,
                             (long long)g->offsets.n, (long long)g->types.n);
}

static ew_status read_cells(making *m)
{
    const ew_vtk_grid *grid = m->grid;
    double begin = 0.0;
    int rank = -1;
    EW_TRY(check_sizes(grid));
    m->draft.n_vertex = (int32_t)grid->n_point;
    for (int32_t i = 0; i < grid->n_array; i++) {
        const int own = grid->array[i].of_cells ? label_rank(grid->array[i].name) : -1;
        if (own >= 0 && (rank < 0 || own < rank)) {
            m->label = &grid->array[i];
            rank = own;
        }
    }
    EW_TRY(ew_new(&m->place, (size_t)grid->n_cell, sizeof *m->place));
    for (int64_t i = 0; i < grid->n_cell; i++) {
        EW_TRY(add_cell(m, i, begin));
        begin = grid->offsets.value[i];
    }
    return EW_OK;
}

/* ---- groups ---------------------------------------------------------------------------- */

static bool is_in_group(const ew_vtk_array *array, int64_t i)
{
    return i < array->n && array->value[i] != 0.0;
}

static ew_status name_points(making *m, const ew_vtk_array *array, const char *name,
                             ew_groups *groups)
{
    ew_group *group;
    EW_TRY(ew_groups_add_list(groups, EW_GROUP_VERTICES, name, &group));
    for (int64_t i = 0; i < m->grid->n_point; i++) {
        EW_TRY(is_in_group(array, i) ? ew_group_push(group, i) : EW_OK);
    }
    return EW_OK;
}

/* Whether the tets (or the triangles) of the array are all of one label, which has no name yet. */
static bool is_label(const making *m, const ew_vtk_array *array, bool tets, int32_t n_face,
                     const ew_groups *groups, int32_t *label)
{
    bool found = false, right = true;
    for (int pass = 0; pass < 2 && right; pass++) {
        for (int64_t i = 0; i < m->grid->n_cell && right; i++) {
            const int32_t at = m->place[i];
            const bool of_kind = tets ? at >= 0 : at <= -2 && -2 - at < n_face;
            if (!of_kind) {
                continue;
            }
            const int32_t own = tets ? m->draft.region[at] : m->draft.face_label[-2 - at];
            if (pass == 0 && !found && is_in_group(array, i)) {
                *label = own;
                found = true;
            }
            right = pass == 0 || is_in_group(array, i) == (own == *label);
        }
        right = right && found;
    }
    return right && !ew_groups_label_name(groups, tets ? EW_GROUP_TETS : EW_GROUP_FACES, *label);
}

static ew_status name_tets(making *m, const ew_vtk_array *array, const char *name,
                           ew_groups *groups)
{
    int32_t label = 0;
    ew_group *group;
    if (is_label(m, array, true, 0, groups, &label)) {
        return ew_groups_name_label(groups, EW_GROUP_TETS, label, name);
    }
    EW_TRY(ew_groups_add_list(groups, EW_GROUP_TETS, name, &group));
    for (int64_t i = 0; i < m->grid->n_cell; i++) {
        EW_TRY(m->place[i] >= 0 && is_in_group(array, i) ? ew_group_push(group, m->place[i])
                                                         : EW_OK);
    }
    return EW_OK;
}

/* n_face: triangles of the file; those that are added for further groups come behind. */
static ew_status name_faces(making *m, const ew_vtk_array *array, const char *name, int32_t n_face,
                            ew_groups *groups)
{
    int32_t label = 0;
    if (is_label(m, array, false, n_face, groups, &label)) {
        return ew_groups_name_label(groups, EW_GROUP_FACES, label, name);
    }
    for (int32_t f = 0; f < m->draft.n_face; f++) {
        label = m->draft.face_label[f] > label ? m->draft.face_label[f] : label;
    }
    if (label == INT32_MAX) {
        return ew_fail(EW_LIMIT, "no label is left for the group '%.60s'", name);
    }
    EW_TRY(ew_groups_name_label(groups, EW_GROUP_FACES, label + 1, name));
    for (int64_t i = 0; i < m->grid->n_cell; i++) {
        if (m->place[i] <= -2 && is_in_group(array, i)) {
            int32_t node[3];
            memcpy(node, m->draft.face + 3 * (size_t)(-2 - m->place[i]), sizeof node);
            EW_TRY(add_face(m, node, label + 1));
        }
    }
    return EW_OK;
}

static ew_status name_groups(making *m, ew_groups *groups)
{
    const int32_t n_face = m->draft.n_face;
    for (int32_t a = 0; a < m->grid->n_array; a++) {
        const ew_vtk_array *array = &m->grid->array[a];
        const char *name = array->name + sizeof EW_VTK_GROUP - 1;
        bool tets = false, faces = false;
        if (strncmp(array->name, EW_VTK_GROUP, sizeof EW_VTK_GROUP - 1) != 0) {
            continue;
        }
        for (int64_t i = 0; i < m->grid->n_cell && array->of_cells; i++) {
            tets = tets || (m->place[i] >= 0 && is_in_group(array, i));
            faces = faces || (m->place[i] <= -2 && is_in_group(array, i));
        }
        const bool taken = ew_groups_find(groups, EW_GROUP_VERTICES, name) != NULL;
        ew_status status = !array->of_cells && !taken ? name_points(m, array, name, groups) : EW_OK;
        if (!status && tets && !ew_groups_find(groups, EW_GROUP_TETS, name)) {
            status = name_tets(m, array, name, groups);
        }
        if (!status && faces && !ew_groups_find(groups, EW_GROUP_FACES, name)) {
            status = name_faces(m, array, name, n_face, groups);
        }
        if (status) {
            return ew_fail_line(status, (int32_t)m->grid->line);
        }
    }
    return EW_OK;
}

/* ---- the mesh ------------------------------------------------------------------------------ */

static ew_status make(making *m, ew_mesh *mesh, ew_mesh_repair *repair, ew_groups *groups)
{
    const ew_vtk_grid *grid = m->grid;
    EW_TRY(read_cells(m));
    for (int64_t i = 0; i < 3 * grid->n_point; i++) {
        if (!isfinite(grid->points.value[i])) {
            return ew_fail_at(EW_BAD_INPUT, (int32_t)grid->line,
                              "point %lld, counted from 0: a coordinate is not finite",
                              (long long)(i / 3));
        }
    }
    if (!m->draft.n_tet) {
        return ew_fail_at(EW_BAD_INPUT, (int32_t)grid->line,
                          "the grid has no tets, of four or ten nodes");
    }
    EW_TRY(name_groups(m, groups));
    const ew_mesh_def def = {.n_vertex = m->draft.n_vertex,
                             .xyz = grid->points.value,
                             .n_tet = m->draft.n_tet,
                             .tet = m->draft.tet,
                             .region = m->draft.region,
                             .n_face = m->draft.n_face,
                             .face = m->draft.face,
                             .face_label = m->draft.face_label};
    ew_status status = ew_mesh_init(mesh, &def, repair);
    if (!status && m->has_middles) {
        status = ew_take_middles(mesh, repair, m->draft.tet, m->draft.middle, grid->points.value);
    }
    return status ? ew_fail_line(status, (int32_t)grid->line) : EW_OK;
}

ew_status ew_vtk_make_mesh(const ew_vtk_grid *grid, ew_mesh *mesh, ew_mesh_repair *repair,
                           ew_groups *groups)
{
    making m = {.grid = grid};
    const ew_status status = make(&m, mesh, repair, groups);
    ew_draft_free(&m.draft);
    ew_release(m.place);
    return status;
}
