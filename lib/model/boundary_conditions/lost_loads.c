/* Loads lost to edits: forces on faces and on vertices that leave the body.
 * Loads with one resultant stay whole as long as a member of their set is left to carry it. */
#include "model/internal.h"

#include <string.h>

static void add_lost_force(ew_model *model, const double force[3])
{
    for (int c = 0; c < 3; c++) {
        model->report.lost_force[c] += force[c];
    }
}

/* Force of all local loads on a boundary face; false when none acts on it. */
static bool force_on_face(const ew_model *model, int32_t code, double force[3])
{
    bool any = false;
    for (int32_t i = 0; i < model->n_load; i++) {
        const ew_load line = model_load_line(model, &model->load[i].as);
        double part[3];
        if (ew_load_on_face(&model->mesh, &line, code, part)) {
            any = true;
            for (int c = 0; c < 3; c++) {
                force[c] += part[c];
            }
        }
    }
    return any;
}

static bool has_face_loads(const ew_model *model)
{
    for (int32_t i = 0; i < model->n_load; i++) {
        const ew_load_traits *traits = ew_load_traits_of(model->load[i].as.kind);
        if (traits->by_face && !traits->is_whole) {
            return true;
        }
    }
    return false;
}

/* sum [3] += forces of a load on nodes that act on the listed vertices. active: those in the body.
 */
static void sum_nodes(const ew_model *model, const ew_load_nodes *nodes, const ew_list *vertex,
                      bool active, double sum[3])
{
    const ew_mesh *mesh = &model->mesh;
    for (int32_t i = 0; i < vertex->n; i++) {
        const int32_t v = vertex->id[i];
        if (v >= 0 && v < mesh->n_vertex && mesh->valence[v] >= (active ? 1 : 0)) {
            ew_load_nodes_add(nodes, mesh->vertex_id[v], sum);
        }
    }
}

/* sum [3] += forces of a field on the listed vertices that are members of its set and that
 * `counts`. */
static void sum_field(const ew_model *model, const ew_model_load *load, const ew_list *vertex,
                      bool (*counts)(const ew_model *model, int32_t v), double sum[3])
{
    const double *force = model->field[load->field].value;
    const ew_set *member = load->set >= 0 ? &model->set[load->set].member.set : NULL;
    for (int32_t i = 0; i < vertex->n; i++) {
        const int32_t v = vertex->id[i];
        if (counts(model, v) && (!member || ew_set_has(member, v))) {
            for (size_t c = 0; c < 3; c++) {
                sum[c] += force[3 * (size_t)v + c];
            }
        }
    }
}

/* Before a commit: a removed vertex takes its force along if it is in the body. */
static bool is_active(const ew_model *model, int32_t v)
{
    return v >= 0 && v < model->mesh.n_vertex && ew_mesh_vertex_is_active(&model->mesh, v);
}

/* After it: a vertex stays, without tets; one that took a freed slot is another one. */
static bool has_stayed(const ew_model *model, int32_t v)
{
    const ew_mesh *mesh = &model->mesh;
    const ew_list *added = &model->change.added_vertex;
    return mesh->valence[v] >= 0 &&
           (!added->n || mesh->vertex_id[v] < mesh->vertex_id[added->id[0]]);
}

void model_count_lost_fields(ew_model *model)
{
    for (int32_t i = 0; i < model->n_load; i++) {
        model_load *load = &model->load[i];
        if (load->as.kind == EW_LOAD_FIELD) {
            sum_field(model, &load->as, &model->change.emptied_vertex, has_stayed, load->leaving);
            add_lost_force(model, load->leaving);
        }
    }
}

static void find_leaving_nodes(ew_model *model)
{
    for (int32_t i = 0; i < model->n_load; i++) {
        model_load *load = &model->load[i];
        memset(load->leaving, 0, sizeof load->leaving);
        if (load->as.kind == EW_LOAD_FORCE_ON_NODES) {
            sum_nodes(model, load->as.nodes, &model->edit.remove_vertex, true, load->leaving);
        } else if (load->as.kind == EW_LOAD_FIELD) {
            sum_field(model, &load->as, &model->edit.remove_vertex, is_active, load->leaving);
        }
    }
}

ew_status model_find_lost_faces(ew_model *model)
{
    find_leaving_nodes(model);
    const ew_list *gone = &model->edit.remove_tet;
    model->n_lost_face = 0;
    if (!model->has_boundary || !has_face_loads(model)) {
        return EW_OK;
    }
    for (int32_t i = 0; i < gone->n; i++) {
        const int32_t t = gone->id[i];
        if (t < 0 || t >= model->mesh.n_tet || !ew_mesh_tet_is_live(&model->mesh, t)) {
            continue; /* the commit will refuse it */
        }
        for (int32_t code = 4 * t; code < 4 * t + 4; code++) {
            const int32_t slot = ew_boundary_find(&model->boundary, code);
            lost_face face = {.slot = slot};
            if (slot >= 0 && force_on_face(model, code, face.force)) {
                EW_TRY(ew_grow(&model->lost, &model->lost_face_capacity,
                               (int64_t)model->n_lost_face + 1, sizeof face));
                model->lost[model->n_lost_face++] = face;
            }
        }
    }
    return EW_OK;
}

/* Along x, y, z; of cylindrical axes the part along the axis, for the rest has another direction at
 * every vertex. */
static void vector_of(const ew_model_load *load, double out[3])
{
    memcpy(out, load->vector, sizeof load->vector);
    if (load->axes.kind != EW_AXES_GLOBAL) {
        ew_axes_to_global(load->axes.direction, load->vector, out);
    }
}

void model_count_lost_forces(ew_model *model)
{
    for (int32_t i = 0; i < model->n_load; i++) {
        const ew_model_load *load = &model->load[i].as;
        const model_set *set = model_load_has_set(load) ? &model->set[load->set] : NULL;
        const bool is_force = load->kind != EW_LOAD_MOMENT;
        double vector[3];
        vector_of(load, vector);
        if (ew_load_traits_of(load->kind)->is_whole && is_force && set->n_before &&
            !set->n_active) {
            add_lost_force(model, vector);
        } else if (load->kind == EW_LOAD_FORCE) {
            const double n = set->n_gone;
            add_lost_force(model, (double[3]){n * vector[0], n * vector[1], n * vector[2]});
        } else if (load->kind == EW_LOAD_FORCE_ON_NODES) {
            sum_nodes(model, load->nodes, &model->change.emptied_vertex, false,
                      model->load[i].leaving);
            add_lost_force(model, model->load[i].leaving);
        }
    }
}

ew_status model_count_lost_faces(ew_model *model)
{
    const ew_boundary *boundary = &model->boundary;
    ew_set *origin = &model->scratch;
    if (!model->n_lost_face) {
        return EW_OK;
    }
    ew_set_clear(origin);
    for (int32_t i = 0; i < boundary->from.n; i++) {
        if (boundary->from.id[i] >= 0) {
            EW_TRY(ew_set_add(origin, boundary->from.id[i]));
        }
    }
    for (int32_t i = 0; i < model->n_lost_face; i++) {
        const int32_t slot = model->lost[i].slot;
        if (boundary->code[slot] < 0 && !ew_set_has(origin, slot)) {
            add_lost_force(model, model->lost[i].force);
        }
    }
    return EW_OK;
}
