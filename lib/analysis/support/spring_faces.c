/* Springs on faces that have functions of edges. In: springs over sets, with their shares. Out: the
 * blocks of the six nodes of each such face, integral N_i N_j k by points of the face, curved or
 * not, less what the vertices have of it (springs.c): a third of the straight face's each. Springs
 * are taken in their order at each point, faces by themselves, so that it is the same bits however
 * they are listed. */
#include "analysis/load/curved_face.h"
#include "analysis/support/springs.h"

#include <string.h>

typedef struct context {
    const ew_mesh *mesh;
    const ew_topology *topology;
    const ew_edge_rows *rows;
    int32_t n;
    const ew_spring *spring;
    const double *share;
} context;

/* ---- which faces ------------------------------------------------------------ */

static bool has_function(const context *in, int32_t face)
{
    bool any = false;
    for (int k = 0; k < 3 && !any; k++) {
        const size_t edge = 6 * (size_t)(face / 4) + (size_t)ew_face_edge(face % 4, k);
        any = in->rows->row[in->topology->tet_to_edge[edge]] >= 0;
    }
    return any;
}

static ew_status list_at_vertex(const context *in, const ew_spring *spring, int32_t v,
                                ew_list *face)
{
    int32_t code, at = 0;
    while ((code = ew_spring_next_face(in->mesh, in->topology, spring, v, &at)) >= 0) {
        EW_TRY(has_function(in, code) ? ew_list_push(face, code) : EW_OK);
    }
    return EW_OK;
}

static ew_status list_faces(const context *in, ew_list *face)
{
    for (int32_t s = 0; s < in->n; s++) {
        const ew_spring *spring = &in->spring[s];
        const ew_list *member = spring->face ? &spring->face->list : &spring->vertex->list;
        for (int32_t i = 0; i < member->n && ew_spring_is_on_faces(spring); i++) {
            if (!spring->face) {
                EW_TRY(ew_mesh_vertex_is_active(in->mesh, member->id[i])
                           ? list_at_vertex(in, spring, member->id[i], face)
                           : EW_OK);
            } else if (has_function(in, spring->boundary->code[member->id[i]])) {
                EW_TRY(ew_list_push(face, spring->boundary->code[member->id[i]]));
            }
        }
    }
    ew_list_sort_unique(face);
    return EW_OK;
}

/* ---- the blocks of one ------------------------------------------------------ */

/* k [6] of all springs on the face, where it has this area vector; n: a part of that, one over n.
 */
static ew_status add_springs(const context *in, int32_t face, const double x[3],
                             const double area[3], double n, double k[6])
{
    memset(k, 0, 6 * sizeof *k);
    for (int32_t s = 0; s < in->n; s++) {
        const ew_spring *spring = &in->spring[s];
        EW_TRY(ew_spring_has_face(in->mesh, in->topology, spring, face)
                   ? ew_spring_add_area(spring, in->share[s], s, "a face of tet",
                                        in->mesh->tet_id[face / 4], x, area, n, k)
                   : EW_OK);
    }
    return EW_OK;
}

static ew_status add_point(const context *in, int32_t face, const ew_curved_face *of, int point,
                           double *block)
{
    double l[3], x[3], area[3], k[6], value[EW_FACE_NODES];
    const double weight = ew_face_rule(point, l);
    ew_curved_face_point(of, l, x, area);
    EW_TRY(add_springs(in, face, x, area, 1.0, k));
    for (int i = 0; i < 3; i++) {
        value[i] = l[i];
        value[3 + i] = 4.0 * l[(i + 1) % 3] * l[(i + 2) % 3];
    }
    for (int i = 0; i < EW_FACE_NODES; i++) {
        for (int j = i; j < EW_FACE_NODES; j++) {
            const double factor = weight * value[i] * value[j];
            for (int c = 0; c < 6; c++) {
                block[6 * ew_face_block(i, j) + c] += factor * k[c];
            }
        }
    }
    return EW_OK;
}

static ew_status gather(const context *in, int32_t face, double *block)
{
    ew_curved_face of;
    const ew_curves curves = {in->rows, in->topology};
    double area[3], k[6];
    (void)ew_curved_face_take(&curves, in->mesh, face, &of);
    memset(block, 0, 6 * EW_FACE_BLOCKS * sizeof *block);
    for (int p = 0; p < EW_FACE_POINTS; p++) {
        EW_TRY(add_point(in, face, &of, p, block));
    }
    ew_face_area_vector(in->mesh, face, area);
    for (int i = 0; i < 3; i++) {
        EW_TRY(add_springs(in, face, of.x[i], area, 3.0, k));
        for (int c = 0; c < 6; c++) {
            block[6 * ew_face_block(i, i) + c] -= k[c];
        }
    }
    return EW_OK;
}

/* ---- all -------------------------------------------------------------------- */

static ew_status fill(const context *in, ew_face_ground *ground)
{
    for (int32_t i = 0; i < ground->n; i++) {
        EW_TRY(gather(in, ground->face[i], ground->block + 6 * EW_FACE_BLOCKS * (size_t)i));
    }
    return EW_OK;
}

static ew_status make_room(ew_face_ground *ground, int32_t n)
{
    EW_TRY(ew_grow(&ground->face, &ground->face_capacity, n, sizeof *ground->face));
    EW_TRY(ew_grow(&ground->block, &ground->block_capacity, n,
                   6 * EW_FACE_BLOCKS * sizeof *ground->block));
    return ew_grow(&ground->force, &ground->force_capacity, n,
                   3 * EW_FACE_NODES * sizeof *ground->force);
}

ew_status ew_springs_gather_faces(const ew_mesh *mesh, const ew_topology *topology,
                                  const ew_edge_rows *rows, int32_t n_spring,
                                  const ew_spring *spring, const double *share,
                                  ew_face_ground *ground)
{
    const context in = {mesh, topology, rows, n_spring, spring, share};
    ew_list face = {0};
    ground->n = 0;
    ground->revision = ground->mesh_revision = 0;
    ground->version++;
    ew_status status = list_faces(&in, &face);
    status = status ? status : make_room(ground, face.n);
    if (!status && face.n) {
        memcpy(ground->face, face.id, (size_t)face.n * sizeof *face.id);
        ground->n = face.n;
        status = fill(&in, ground);
    }
    ew_list_free(&face);
    ground->n = status ? 0 : ground->n;
    ground->mesh = mesh;
    ground->topology = topology;
    ground->rows = rows;
    ground->revision = status ? 0 : rows->pattern.revision;
    ground->mesh_revision = status ? 0 : rows->mesh_revision;
    return status;
}
