/* What a set means where another kind is needed: its vertices, or the tets that it touches. */
#include "model/internal.h"

/* A vertex by its place in the tets of faces and tets. */
static int32_t corner(const ew_model *model, int32_t tet, int k)
{
    return model->mesh.tet[4 * (size_t)tet + (size_t)k];
}

static ew_status push_vertices(const ew_model *model, ew_set_kind kind, int32_t member,
                               ew_list *vertex)
{
    if (kind == EW_SET_OF_VERTICES) {
        return ew_mesh_vertex_is_active(&model->mesh, member) ? ew_list_push(vertex, member)
                                                              : EW_OK;
    }
    if (kind == EW_SET_OF_FACES) {
        const int32_t code = model->boundary.code[member];
        for (int k = 0; k < 3 && code >= 0; k++) {
            EW_TRY(ew_list_push(vertex, corner(model, code / 4, ew_face_vertex[code % 4][k])));
        }
        return EW_OK;
    }
    for (int k = 0; k < 4 && ew_mesh_tet_is_live(&model->mesh, member); k++) {
        EW_TRY(ew_list_push(vertex, corner(model, member, k)));
    }
    return EW_OK;
}

static ew_status push_tets(const ew_model *model, ew_set_kind kind, int32_t member, ew_list *tet)
{
    const ew_rows *rows = &model->topology.vertex_to_tet;
    if (kind == EW_SET_OF_TETS) {
        return ew_mesh_tet_is_live(&model->mesh, member) ? ew_list_push(tet, member) : EW_OK;
    }
    if (kind == EW_SET_OF_FACES) {
        const int32_t code = model->boundary.code[member];
        return code >= 0 ? ew_list_push(tet, code / 4) : EW_OK;
    }
    for (int32_t i = 0; i < rows->count[member]; i++) {
        EW_TRY(ew_list_push(tet, rows->item[rows->begin[member] + i]));
    }
    return EW_OK;
}

/* What `push` makes of the members, ascending, each once. */
static ew_status list(const ew_model *model, int32_t set, ew_list *out,
                      ew_status (*push)(const ew_model *, ew_set_kind, int32_t, ew_list *))
{
    EW_TRY(model_need_set(model, set));
    EW_TRY(model_need_usable(model));
    const ew_list *member = &model->set[set].member.set.list;
    for (int32_t i = 0; i < member->n; i++) {
        EW_TRY(push(model, model->set[set].kind, member->id[i], out));
    }
    ew_list_sort_unique(out);
    return EW_OK;
}

ew_status ew_model_list_vertices(const ew_model *model, int32_t set, ew_list *vertex)
{
    return list(model, set, vertex, push_vertices);
}

ew_status ew_model_list_tets(const ew_model *model, int32_t set, ew_list *tet)
{
    return list(model, set, tet, push_tets);
}

static int32_t first_corner(const ew_model *model, int32_t code)
{
    return corner(model, code / 4, ew_face_vertex[code % 4][0]);
}

/* The boundary faces with all three vertices in the set: each from the vertex that it lists first.
 */
static ew_status push_enclosed(const ew_model *model, const ew_set *member, int32_t v,
                               ew_list *face)
{
    const ew_rows *rows = &model->topology.vertex_to_tet;
    for (int32_t i = 0; i < 4 * rows->count[v]; i++) {
        const int32_t code = 4 * rows->item[rows->begin[v] + i / 4] + i % 4;
        if (first_corner(model, code) == v &&
            ew_set_has(member, corner(model, code / 4, ew_face_vertex[code % 4][1])) &&
            ew_set_has(member, corner(model, code / 4, ew_face_vertex[code % 4][2])) &&
            ew_topology_face_neighbor(&model->topology, &model->mesh, code) < 0) {
            EW_TRY(ew_list_push(face, code));
        }
    }
    return EW_OK;
}

ew_status ew_model_list_faces(const ew_model *model, int32_t set, ew_list *face)
{
    EW_TRY(model_need_set(model, set));
    EW_TRY(model_need_usable(model));
    const ew_set *member = &model->set[set].member.set;
    const ew_set_kind kind = model->set[set].kind;
    for (int32_t i = 0; i < member->list.n && kind == EW_SET_OF_FACES; i++) {
        const int32_t code = model->boundary.code[member->list.id[i]];
        EW_TRY(code >= 0 ? ew_list_push(face, code) : EW_OK);
    }
    for (int32_t i = 0; i < member->list.n && kind == EW_SET_OF_VERTICES; i++) {
        EW_TRY(push_enclosed(model, member, member->list.id[i], face));
    }
    ew_list_sort(face);
    return EW_OK;
}
