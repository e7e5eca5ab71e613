/* The body of a SOFA scene. In: loaders, grids or arrays of the body's Node and those around it,
 * their scale, rotation and translation. Out: its tets in their place. */
#include "scene/internal.h"

#include "shape/parts/shape.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char loaders[] =
    "MeshGmshLoader MeshVTKLoader MeshVtkLoader MeshObjLoader MeshOBJLoader "
    "MeshOffLoader MeshSTLLoader MeshTetGenLoader MeshTopologyLoader "
    "MeshLoader MeshXspLoader MeshMeditLoader";
static const char containers[] =
    "TetrahedronSetTopologyContainer MeshTopology Mesh TetrahedronSetTopology";
static const char grids[] = "RegularGridTopology RegularGrid";
static const char sparse[] = "SparseGridTopology SparseGrid SparseGridRamificationTopology "
                             "SparseGridMultipleTopology";

/* ---- where it is ------------------------------------------------------------------- */

/* x -> turn (scale x) + shift. */
typedef struct placement {
    double scale[3], turn[9], shift[3];
} placement;

static void multiply(const double a[9], const double b[9], double out[9])
{
    for (int i = 0; i < 9; i++) {
        out[i] = 0.0;
        for (int k = 0; k < 3; k++) {
            out[i] += a[3 * (i / 3) + k] * b[3 * k + i % 3];
        }
    }
}

/* About x, then y, then z, degrees. */
static void turn_by(const double degrees[3], double out[9])
{
    double so_far[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    for (int axis = 0; axis < 3; axis++) {
        const int a = (axis + 1) % 3, b = (axis + 2) % 3;
        const double angle = degrees[axis] * 3.14159265358979323846 / 180.0;
        double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, next[9];
        one[4 * a] = one[4 * b] = cos(angle);
        one[3 * a + b] = -sin(angle);
        one[3 * b + a] = sin(angle);
        multiply(one, so_far, next);
        memcpy(so_far, next, sizeof so_far);
    }
    memcpy(out, so_far, sizeof so_far);
}

static ew_status read_placement(sofa *s, int32_t element, placement *p)
{
    static const char *const shift[] = {"dx", "dy", "dz"}, *const turn[] = {"rx", "ry", "rz"};
    static const char *const scale[] = {"sx", "sy", "sz"};
    double one = 1.0, degrees[3] = {0, 0, 0};
    int32_t n;
    *p = (placement){.scale = {1, 1, 1}};
    EW_TRY(sofa_number(s, element, "scale", &one));
    for (int c = 0; c < 3; c++) {
        EW_TRY(sofa_number(s, element, shift[c], &p->shift[c]));
        EW_TRY(sofa_number(s, element, turn[c], &degrees[c]));
        EW_TRY(sofa_number(s, element, scale[c], &p->scale[c]));
    }
    EW_TRY(sofa_numbers(s, element, "scale3d", 3, 3, p->scale, &n));
    EW_TRY(sofa_numbers(s, element, "translation", 3, 3, p->shift, &n));
    EW_TRY(sofa_numbers(s, element, "rotation", 3, 3, degrees, &n));
    for (int c = 0; c < 3; c++) {
        p->scale[c] *= one;
        if (p->scale[c] == 0.0) {
            return sofa_fail(s, element, "its scale is 0 along an axis");
        }
    }
    turn_by(degrees, p->turn);
    if ((degrees[0] != 0.0) + (degrees[1] != 0.0) + (degrees[2] != 0.0) > 1) {
        sofa_note(s, element, "rotations are taken about x, then y, then z");
    }
    return EW_OK;
}

/* In place, before anything is made of the mesh. */
static void place(double *xyz, int32_t n_vertex, const placement *p)
{
    for (int32_t v = 0; v < n_vertex; v++) {
        double *x = xyz + 3 * (size_t)v, scaled[3];
        for (int c = 0; c < 3; c++) {
            scaled[c] = p->scale[c] * x[c];
        }
        for (int c = 0; c < 3; c++) {
            x[c] = p->shift[c] + p->turn[3 * c] * scaled[0] + p->turn[3 * c + 1] * scaled[1] +
                   p->turn[3 * c + 2] * scaled[2];
        }
    }
}

/* ---- what it is made of ---------------------------------------------------------------- */

/* nx x ny x nz points between two corners. */
static ew_status make_grid(sofa *s, int32_t element)
{
    static const char *const count[] = {"nx", "ny", "nz"};
    double n[3] = {2, 2, 2}, low[3] = {0, 0, 0}, high[3] = {1, 1, 1}, size[3];
    int32_t n_low = 0, n_high = 0, found, cells[3];
    EW_TRY(sofa_numbers(s, element, "n", 3, 3, n, &found));
    for (int c = 0; c < 3; c++) {
        EW_TRY(sofa_number(s, element, count[c], &n[c]));
    }
    EW_TRY(sofa_numbers(s, element, "min", 3, 3, low, &n_low));
    EW_TRY(sofa_numbers(s, element, "max", 3, 3, high, &n_high));
    if (!n_low || !n_high) {
        return sofa_fail(s, element, "a grid needs min and max, its corners");
    }
    for (int c = 0; c < 3; c++) {
        size[c] = high[c] - low[c];
        if (!(n[c] >= 2 && n[c] <= 1000 && n[c] == floor(n[c])) || !(size[c] > 0.0)) {
            return sofa_fail(s, element,
                             "a grid of tets needs 2 to 1000 points along each axis and min < max");
        }
        cells[c] = (int32_t)n[c] - 1;
    }
    EW_TRY(ew_shape_box(&s->mesh, size, cells));
    for (int32_t v = 0; v < s->mesh.n_vertex; v++) {
        for (int c = 0; c < 3; c++) {
            s->mesh.xyz[3 * (size_t)v + (size_t)c] += low[c];
        }
    }
    sofa_note(s, element, "each cell is six tets; SOFA may cut it in another way");
    return EW_OK;
}

/* Positions and tets that stand in the scene. state: the MechanicalObject, or -1. */
static ew_status make_inline(sofa *s, int32_t element, int32_t state)
{
    double *xyz = NULL, *corner = NULL;
    int32_t n_xyz = 0, n_corner = 0, *tet = NULL;
    ew_status status = EW_OK;
    EW_TRY_OUT(sofa_list(s, element, "tetrahedra", &corner, &n_corner));
    if (!corner) {
        EW_TRY_OUT(sofa_list(s, element, "tetras", &corner, &n_corner));
    }
    EW_TRY_OUT(sofa_list(s, element, "position", &xyz, &n_xyz));
    if (!xyz && state >= 0) {
        EW_TRY_OUT(sofa_list(s, state, "position", &xyz, &n_xyz));
    }
    if (!xyz || !corner || n_xyz % 3 || n_corner % 4) {
        status = sofa_fail(s, element,
                           "needs position (three numbers a point) and tetrahedra (four "
                           "points each), or a loader of a mesh with tets");
        goto out;
    }
    EW_TRY_OUT(ew_new(&tet, (size_t)n_corner, sizeof *tet));
    for (int32_t i = 0; i < n_corner; i++) {
        const bool right = corner[i] >= 0 && corner[i] < n_xyz / 3;
        tet[i] = right ? (int32_t)corner[i] : -1;
    }
    const ew_mesh_def def = {.n_vertex = n_xyz / 3, .xyz = xyz, .n_tet = n_corner / 4, .tet = tet};
    status = ew_mesh_init(&s->mesh, &def, NULL);
    if (status && status != EW_NO_MEMORY) {
        char text[300];
        snprintf(text, sizeof text, "%s", ew_message());
        status = sofa_fail(s, element, "%s", text);
    }
out:
    ew_release(xyz);
    ew_release(corner);
    ew_release(tet);
    return status;
}

static ew_status load(sofa *s, int32_t element)
{
    const char *file = xml_find(&s->tree, element, "filename");
    if (!file) {
        return sofa_fail(s, element, "has no filename");
    }
    if (!s->def->read_mesh) {
        return sofa_fail(s, element, "this program gives no way to read '%.80s'", file);
    }
    const ew_status status = s->def->read_mesh(s->def->user, file, &s->mesh);
    if (status) {
        ew_fail_prefix(status, "%.40s", sofa_kind(s, element));
        ew_fail_line(status, s->tree.element[element].line);
    }
    return status;
}

/* The loader that the container, or the state, takes its mesh from; else the nearest one. */
static int32_t find_loader(sofa *s, int32_t container, int32_t state)
{
    const int32_t user[] = {container, state};
    for (int k = 0; k < 2; k++) {
        const char *link = user[k] >= 0 ? xml_find(&s->tree, user[k], "src") : NULL;
        if (!link && user[k] >= 0) {
            link = xml_find(&s->tree, user[k], k ? "position" : "tetrahedra");
        }
        const int32_t found = link ? sofa_follow(s, user[k], link) : -1;
        if (found >= 0 && sofa_is(s, found, loaders)) {
            s->is_read[found] = true;
            return found;
        }
    }
    return sofa_in_scope(s, loaders);
}

/* element: what it was made of, where that has a placement. */
static ew_status make_mesh(sofa *s, int32_t state, int32_t *element)
{
    const int32_t grid = sofa_in_scope(s, grids), other = sofa_in_scope(s, sparse);
    const int32_t container = sofa_in_scope(s, containers);
    *element = -1;
    if (grid >= 0) {
        return make_grid(s, grid);
    }
    if (other >= 0) {
        return sofa_fail(s, other,
                         "a grid fitted to a surface is not read; fill the surface with "
                         "tets (edgewise mesh) and load those");
    }
    const char *tets = container >= 0 ? xml_find(&s->tree, container, "tetrahedra") : NULL;
    tets = !tets && container >= 0 ? xml_find(&s->tree, container, "tetras") : tets;
    if (tets && tets[0] != '@') {
        return make_inline(s, container, state);
    }
    *element = find_loader(s, container, state);
    if (*element < 0) {
        return sofa_fail(s, s->elastic,
                         "no mesh: neither a loader, nor a regular grid, nor tetrahedra "
                         "in its Node or one around it");
    }
    return load(s, *element);
}

static ew_status number_vertices(sofa *s)
{
    int32_t n = 0;
    EW_TRY(ew_new(&s->number, (size_t)s->mesh.n_vertex, sizeof *s->number));
    for (int32_t v = 0; v < s->mesh.n_vertex; v++) {
        s->number[v] = s->mesh.valence[v] > 0 ? n++ : -1;
    }
    if (n < s->mesh.n_vertex) {
        sofa_note(s, s->elastic, "%d points of no tet are left out, the rest is numbered again",
                  s->mesh.n_vertex - n);
    }
    return EW_OK;
}

/* With both placements: of the loader, then of the state. */
static ew_status move_body(sofa *s, const placement *first, const placement *second)
{
    ew_mesh *mesh = &s->mesh, moved;
    place(mesh->xyz, mesh->n_vertex, first);
    place(mesh->xyz, mesh->n_vertex, second);
    const ew_mesh_def def = {.n_vertex = mesh->n_vertex,
                             .xyz = mesh->xyz,
                             .n_tet = mesh->n_tet,
                             .tet = mesh->tet,
                             .n_face = mesh->n_face,
                             .face = mesh->face,
                             .face_label = mesh->face_label};
    EW_TRY(ew_mesh_init(&moved, &def, NULL)); /* a mirroring scale turns tets inside out */
    ew_mesh_free(mesh);
    *mesh = moved;
    return EW_OK;
}

ew_status sofa_read_body(sofa *s)
{
    const int32_t state = sofa_in_scope(s, "MechanicalObject");
    placement first, second;
    int32_t loader;
    EW_TRY(make_mesh(s, state, &loader));
    EW_TRY(read_placement(s, loader >= 0 ? loader : s->elastic, &first));
    EW_TRY(read_placement(s, state >= 0 ? state : s->elastic, &second));
    EW_TRY(move_body(s, &first, &second));
    for (int32_t t = 0; t < s->mesh.n_tet; t++) {
        s->volume += ew_mesh_tet_volume(&s->mesh, t);
    }
    sofa_in_scope(s, "Hexa2TetraTopologicalMapping");
    return number_vertices(s);
}
