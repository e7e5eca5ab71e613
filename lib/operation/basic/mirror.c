/* Reflects a mesh across a plane and joins the halves. In: mesh and plane, the mesh on the
 * negative side. Out: image vertices and tets; vertices on the plane are shared.
 *
 * A reflection turns tets inside out, so the images have their last two vertices swapped. */
#include "operation/framework/internal.h"

#include <math.h>
#include <string.h>

typedef struct mirror {
    const ew_mesh *mesh;
    double point[3], normal[3], tolerance; /* normal of length 1 */
    double *height;                        /* [n_vertex] owned: signed distance from the plane */
    int32_t *image;                        /* [n_vertex] owned */
} mirror;

static void measure_heights(mirror *m)
{
    for (int32_t v = 0; v < m->mesh->n_vertex; v++) {
        const double *x = m->mesh->xyz + 3 * (size_t)v;
        double sum = 0.0;
        for (int i = 0; i < 3 && ew_mesh_vertex_is_active(m->mesh, v); i++) {
            sum += (x[i] - m->point[i]) * m->normal[i];
        }
        m->height[v] = sum;
    }
}

/* The whole mesh must lie on the negative side, and no tet in the plane. */
static ew_status check_sides(const mirror *m)
{
    int32_t crossing = 0, beyond = 0, flat = 0;
    int64_t example[3] = {-1, -1, -1};
    for (int32_t t = 0; t < m->mesh->n_tet; t++) {
        const int32_t *v = m->mesh->tet + 4 * (size_t)t;
        int below = 0, above = 0;
        for (int k = 0; k < 4 && v[0] >= 0; k++) {
            below += m->height[v[k]] < -m->tolerance;
            above += m->height[v[k]] > m->tolerance;
        }
        if (v[0] < 0 || (below && !above)) {
            continue;
        }
        int32_t *count = below ? &crossing : above ? &beyond : &flat;
        int64_t *id = &example[below ? 0 : above ? 1 : 2];
        *id = (*count)++ ? *id : m->mesh->tet_id[t];
    }
    if (crossing || beyond) {
        return ew_fail(EW_BAD_EDIT,
                       "mirror: %d tets cross the plane and %d lie beyond it, for example tet "
                       "%lld; move the plane, turn its normal or remove them",
                       crossing, beyond, (long long)(crossing ? example[0] : example[1]));
    }
    if (flat) {
        return ew_fail(EW_BAD_EDIT,
                       "mirror: %d tets have all four vertices within %g of the plane, for "
                       "example tet %lld; lower the tolerance or remove them",
                       flat, m->tolerance, (long long)example[2]);
    }
    return EW_OK;
}

static ew_status queue_vertices(mirror *m, ew_edit *edit)
{
    for (int32_t v = 0; v < m->mesh->n_vertex; v++) {
        const double *x = m->mesh->xyz + 3 * (size_t)v;
        double height = m->height[v], to[3];
        m->image[v] = v;
        if (!ew_mesh_vertex_is_active(m->mesh, v) || fabs(height) <= m->tolerance) {
            continue;
        }
        for (int i = 0; i < 3; i++) {
            to[i] = x[i] - 2.0 * height * m->normal[i];
        }
        EW_TRY(ew_edit_add_vertex_from(edit, to, v, v, &m->image[v]));
    }
    return EW_OK;
}

static const double *position(const ew_mesh *mesh, const ew_edit *edit, int32_t v)
{
    return v >= 0 ? mesh->xyz + 3 * (size_t)v : edit->add_vertex + 3 * (size_t)EW_NEW_VERTEX(v);
}

/* In the plane a face has two tets, the body's and its image, so the body can have one there. */
static ew_status check_shared_faces(const mirror *m, ew_corners_list *face)
{
    for (int32_t t = 0; t < m->mesh->n_tet; t++) {
        const int32_t *v = m->mesh->tet + 4 * (size_t)t;
        int32_t shared[4], n = 0;
        for (int k = 0; k < 4 && v[0] >= 0; k++) {
            shared[k] = m->image[v[k]] == v[k] ? v[k] : -1;
            n += shared[k] >= 0;
        }
        if (n == 3) {
            EW_TRY(ew_corners_push(face, shared, -1 - t));
        }
    }
    const ew_corners *first = ew_corners_overlap(face);
    if (first) {
        const int64_t *id = m->mesh->vertex_id, *tet = m->mesh->tet_id;
        return ew_fail(EW_BAD_EDIT,
                       "mirror: tets %lld and %lld overlap: they share the face of vertices %lld, "
                       "%lld and %lld in the plane and lie on the same side of it, where their "
                       "images would make four; remove one of the two",
                       (long long)tet[-1 - first[0].tet], (long long)tet[-1 - first[1].tet],
                       (long long)id[first->v[0]], (long long)id[first->v[1]],
                       (long long)id[first->v[2]]);
    }
    return EW_OK;
}

/* A face whose three vertices all are shared must have its tet below: the image of a tet above
 * the face is higher still, so it keeps its side while the swap turns it over, and it is
 * refused. Of two tets on either side of such a face one is above, so no face ever gets a third
 * tet. */
static ew_status queue_tets(const mirror *m, ew_edit *edit)
{
    const ew_mesh *mesh = m->mesh;
    ew_refusal refusal = {0};
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        const int32_t *v = mesh->tet + 4 * (size_t)t;
        if (v[0] < 0) {
            continue;
        }
        int32_t w[4] = {m->image[v[0]], m->image[v[1]], m->image[v[3]], m->image[v[2]]};
        const double *x[4];
        for (int k = 0; k < 4; k++) {
            x[k] = position(mesh, edit, w[k]);
        }
        ew_refusal_note(&refusal, mesh->tet_id[t], x);
        EW_TRY(ew_edit_add_tet_from(edit, w, mesh->region_label[mesh->region[t]], t));
    }
    return ew_refusal_fail(&refusal, "mirror", "images", "lower the tolerance");
}

static ew_status queue(mirror *m, ew_edit *edit)
{
    EW_TRY(ew_new(&m->height, (size_t)m->mesh->n_vertex, sizeof *m->height));
    EW_TRY(ew_new(&m->image, (size_t)m->mesh->n_vertex, sizeof *m->image));
    measure_heights(m);
    EW_TRY(check_sides(m));
    EW_TRY(queue_vertices(m, edit));
    ew_corners_list face = {0};
    ew_status status = check_shared_faces(m, &face);
    ew_release(face.item);
    EW_TRY(status);
    EW_TRY(queue_tets(m, edit));
    return ew_label_images(m->mesh, m->image, true, edit);
}

ew_status ew_operation_mirror(const ew_mesh *mesh, const ew_mirror_def *def, ew_edit *edit)
{
    mirror m = {.mesh = mesh, .tolerance = def->tolerance};
    EW_TRY(ew_need_empty("mirror", edit));
    EW_TRY(ew_need_tets("mirror", mesh));
    EW_TRY(ew_need_finite("mirror", "point", def->point));
    EW_TRY(ew_need_unit("mirror", "normal", def->normal, m.normal));
    EW_TRY(ew_need_length("mirror", "tolerance", def->tolerance));
    for (int i = 0; i < 3; i++) {
        m.point[i] = def->point[i];
    }
    ew_status status = queue(&m, edit);
    ew_release(m.height);
    ew_release(m.image);
    if (status) {
        ew_edit_clear(edit);
    }
    return status;
}

/* ---- its place in the table -------------------------------------------- */

enum { NORMAL, AT, TOLERANCE, N_PARAMETER };

static const ew_parameter parameters[N_PARAMETER] = {
    [NORMAL] = {.key = "normal",
                .kind = EW_PARAMETER_AXIS,
                .preset = "x",
                .argument = "AXIS",
                .help = "x, y, z or a vector"},
    [AT] = {.key = "at",
            .kind = EW_PARAMETER_PLACE,
            .preset = "max",
            .words = "min max",
            .argument = "WHERE",
            .help = "min or max of the mesh along the normal, or a point X,Y,Z"},
    [TOLERANCE] = {.key = "tolerance",
                   .kind = EW_PARAMETER_LENGTH,
                   .argument = "LENGTH",
                   .help =
                       "distance to the plane within which vertices are shared (1e-6 of the size)"},
};

static ew_status queue_values(const ew_operation_input *in, ew_edit *edit)
{
    const ew_parameter_value *of = in->values->of;
    ew_mirror_def def = {.tolerance = of[TOLERANCE].given ? of[TOLERANCE].number[0] : -1};
    memcpy(def.normal, of[NORMAL].number, sizeof def.normal);
    memcpy(def.point, of[AT].number, sizeof def.point);
    ew_mirror_place(in->mesh, of[AT].whole < 0 ? 0 : of[AT].whole == 0 ? -1 : 1, &def);
    return ew_operation_mirror(in->mesh, &def, edit);
}

const ew_operation ew_mirror_operation = {
    .name = "mirror",
    .summary = "reflect a mesh across a plane and weld both halves",
    .text = "The mesh must lie on one side of the plane.",
    .example = "half.mesh --normal x --at max -o whole.mesh",
    .file_code = 1,
    .maps = true,
    .n_parameter = N_PARAMETER,
    .parameter = parameters,
    .joined = "shared by both halves",
    .queue = queue_values,
};
