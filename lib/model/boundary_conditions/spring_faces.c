/* Springs on faces of quadratic tets: what edges get of them, brought up to date with the ground of
 * the vertices, and what they pull with. Rows of edges where it changes are touched rows of their
 * blocks. */
#include "model/internal.h"

#include <string.h>

static ew_status touch_edges(ew_model *model, int32_t face, ew_list *touched)
{
    const model_quadratic *q = &model->quadratic;
    const int32_t tet = face / 4;
    if (tet >= model->mesh.n_tet || !ew_mesh_tet_is_live(&model->mesh, tet)) {
        return EW_OK; /* an edit has touched what it left */
    }
    for (int k = 0; k < 3; k++) {
        const size_t edge = 6 * (size_t)tet + (size_t)ew_face_edge(face % 4, k);
        const int32_t row = q->rows.row[model->topology.tet_to_edge[edge]];
        EW_TRY(row >= 0 ? ew_list_push(touched, row) : EW_OK);
    }
    return EW_OK;
}

static bool are_same(const ew_face_ground *a, int32_t i, const ew_face_ground *b, int32_t j)
{
    const size_t width = 6 * EW_FACE_BLOCKS;
    return !memcmp(a->block + width * (size_t)i, b->block + width * (size_t)j,
                   width * sizeof *a->block);
}

/* Edges of faces that are in one of them alone or have other blocks; both ascend. */
static ew_status list_touched(ew_model *model, const ew_face_ground *before,
                              const ew_face_ground *now, ew_list *touched)
{
    touched->n = 0;
    for (int32_t i = 0, j = 0; i < before->n || j < now->n;) {
        const int32_t a = i < before->n ? before->face[i] : INT32_MAX;
        const int32_t b = j < now->n ? now->face[j] : INT32_MAX;
        EW_TRY(a == b && are_same(before, i, now, j) ? EW_OK
                                                     : touch_edges(model, a < b ? a : b, touched));
        i += a <= b;
        j += b <= a;
    }
    ew_list_sort_unique(touched);
    return EW_OK;
}

static ew_status touch_blocks(model_quadratic *q)
{
    ew_pattern_change *change = &q->face_change;
    change->from_revision = change->to_revision = q->rows.pattern.revision;
    if (q->dirty.to_revision && q->dirty.to_revision != change->to_revision) {
        q->blocks.revision = q->device_blocks.revision = 0;
        return EW_OK;
    }
    return change->touched_row.n ? ew_pattern_dirty_add(&q->dirty, change) : EW_OK;
}

ew_status model_update_face_ground(ew_model *model, int32_t n_line, bool is_stale)
{
    model_quadratic *q = &model->quadratic;
    ew_face_ground *now = &q->face_ground, *before = &q->face_ground_before;
    if (!model_has_edges(model)) {
        now->n = 0;
        return EW_OK;
    }
    if (!is_stale && now->revision == q->rows.pattern.revision &&
        now->mesh_revision == model->mesh.revision) {
        return EW_OK;
    }
    const ew_face_ground last = *now;
    *now = *before;
    *before = last;
    now->version = last.version;
    EW_TRY(ew_springs_gather_faces(&model->mesh, &model->topology, &q->rows, n_line,
                                   model->spring_line, model->spring_share, now));
    EW_TRY(list_touched(model, before, now, &q->face_change.touched_row));
    return touch_blocks(q);
}

/* ---- forces ----------------------------------------------------------------- */

ew_status model_pull_faces(ew_model *model, const double *x)
{
    model_quadratic *q = &model->quadratic;
    const size_t n = 3 * (size_t)model_n_row(model);
    q->pull_n = 0;
    if (!model_has_edges(model) || !q->face_ground.n) {
        return EW_OK;
    }
    EW_TRY(ew_grow(&q->pull, &q->pull_capacity, model_n_row(model), 3 * sizeof *q->pull));
    memset(q->pull, 0, n * sizeof *q->pull);
    ew_face_ground_add(&q->face_ground, EW_EDGE_ALL, x, q->pull);
    for (size_t i = 0; i < n; i++) {
        q->pull[i] = -q->pull[i];
    }
    q->pull_n = model_n_row(model);
    return EW_OK;
}

void model_spring_force(const ew_model *model, int32_t row, const double *x, double force[3])
{
    const model_quadratic *q = &model->quadratic;
    const double *spring = model->constraints.spring;
    force[0] = force[1] = force[2] = 0.0;
    if (spring && row < model->mesh.n_vertex && ew_mesh_vertex_is_active(&model->mesh, row)) {
        ew_spring_force(spring + 6 * (size_t)row, x, force);
    }
    for (size_t c = 0; c < 3 && row < q->pull_n; c++) {
        force[c] += q->pull[3 * (size_t)row + c];
    }
}

int32_t model_n_spring_row(const ew_model *model)
{
    const int32_t n_face = model->quadratic.pull_n;
    return n_face ? n_face : model->constraints.spring ? model->mesh.n_vertex : 0;
}

double model_spring_energy(const ew_model *model, const double *x)
{
    const int32_t n = model_n_spring_row(model);
    double sum = 0.0;
    for (int32_t row = 0; row < n; row++) {
        const double *u = x + 3 * (size_t)row;
        double force[3];
        model_spring_force(model, row, u, force);
        sum -= 0.5 * (force[0] * u[0] + force[1] * u[1] + force[2] * u[2]);
    }
    return sum;
}

void model_free_face_ground(model_quadratic *q)
{
    ew_face_ground_free(&q->face_ground);
    ew_face_ground_free(&q->face_ground_before);
    ew_pattern_change_free(&q->face_change);
    ew_release(q->pull);
}
