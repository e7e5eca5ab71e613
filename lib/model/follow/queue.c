/* Edits of a model: a queue is filled, by a caller or by an operation. One commit applies it
 * (commit.c). */
#include "model/internal.h"

ew_edit *ew_model_edit(ew_model *model)
{
    return &model->edit;
}

const ew_edit *ew_model_applied(const ew_model *model)
{
    return &model->applied;
}

void ew_model_begin(ew_model *model)
{
    ew_edit_clear(&model->edit);
}

ew_status ew_model_queue(ew_model *model, ew_queue_function queue, void *user)
{
    EW_TRY(model_need_usable(model));
    ew_edit_clear(&model->edit);
    const double start = ew_seconds();
    const ew_status status = queue(user, model, &model->edit);
    model->report.seconds_choose += ew_seconds() - start;
    if (status) {
        ew_edit_clear(&model->edit);
    }
    return status;
}

ew_status ew_model_apply(ew_model *model, ew_queue_function queue, void *user)
{
    EW_TRY(ew_model_queue(model, queue, user));
    return ew_model_commit(model);
}

void ew_model_set_frame(ew_model *model, int32_t frame)
{
    model->mesh.frame = frame;
}

/* Tets of the sets that an operation protects. */
static ew_status list_protected(const ew_model *model, const ew_parameter_value *value,
                                ew_set *keep)
{
    ew_list tet = {0};
    ew_status status = EW_OK;
    for (int32_t i = 0; i < value->n_set && !status; i++) {
        tet.n = 0;
        status = ew_model_list_tets(model, value->set[i], &tet);
        for (int32_t k = 0; k < tet.n && !status; k++) {
            status = ew_set_add(keep, tet.id[k]);
        }
    }
    ew_list_free(&tet);
    return status;
}

/* Tets chosen by id are found without a pass over the mesh. */
static ew_status use_id_index(ew_model *model, const ew_operation *operation,
                              ew_operation_values *values)
{
    const int32_t tets = ew_operation_parameter_of(operation, EW_PARAMETER_TETS);
    if (tets < 0 || !values->of[tets].given || values->of[tets].selector.kind != EW_SELECT_IDS) {
        return EW_OK;
    }
    EW_TRY(ew_id_index_prepare(&model->tet_ids, EW_TET_IDS, &model->mesh));
    values->of[tets].selector.index = &model->tet_ids;
    return EW_OK;
}

/* Vertices of each of several sets; *list [n] the caller's, also on failure. */
static ew_status list_parts(const ew_model *model, const ew_parameter_value *value, ew_list **list)
{
    EW_TRY(ew_new_zero(list, (size_t)value->n_part, sizeof **list));
    for (int32_t i = 0; i < value->n_part; i++) {
        EW_TRY(ew_model_list_vertices(model, (int32_t)value->part[i].of[0].whole, &(*list)[i]));
    }
    return EW_OK;
}

static void free_parts(ew_list *list, int32_t n)
{
    for (int32_t i = 0; i < n && list; i++) {
        ew_list_free(&list[i]);
    }
    ew_release(list);
}

/* Where sets end, for operations that keep that; *list the caller's. */
static ew_status list_sets(const ew_model *model, ew_operation_input *input, const ew_set ***list)
{
    const ew_set **set;
    EW_TRY(ew_new(&set, (size_t)model->n_set, sizeof *set));
    for (int32_t s = 0; s < model->n_set; s++) {
        if (model->set[s].kind == EW_SET_OF_VERTICES && !model->set[s].may_fray) {
            set[input->n_vertex_set++] = &model->set[s].member.set;
        }
    }
    input->vertex_set = set;
    input->tet_set = set + input->n_vertex_set;
    for (int32_t s = 0; s < model->n_set; s++) {
        if (model->set[s].kind == EW_SET_OF_TETS && !model->set[s].may_fray) {
            set[input->n_vertex_set + input->n_tet_set++] = &model->set[s].member.set;
        }
    }
    *list = set;
    return EW_OK;
}

void ew_model_set_fill(ew_model *model, ew_fill_function fill)
{
    model->fill = fill;
}

const char *ew_model_remark(const ew_model *model)
{
    return model->remark;
}

/* Of the operations in the table decimate alone does; those of a program may. */
static bool reads_values_of_tets(const ew_operation *operation)
{
    const ew_operation *shipped = ew_operation_named(operation->name);
    return shipped != operation || shipped == ew_operation_named("decimate");
}

ew_status ew_model_queue_operation(ew_model *model, const ew_operation *operation,
                                   const ew_operation_values *values, const ew_mesh *other)
{
    const int32_t parts = ew_operation_parameter_of(operation, EW_PARAMETER_PARTS);
    const int32_t n_part = parts >= 0 && values->of[parts].given ? values->of[parts].n_part : 0;
    const int32_t vertices = ew_operation_parameter_of(operation, EW_PARAMETER_VERTICES);
    const bool has_set = vertices >= 0 && values->of[vertices].given;
    const int32_t protect = ew_operation_parameter_of(operation, EW_PARAMETER_PROTECTED);
    const bool protects = protect >= 0 && values->of[protect].given;
    const ew_fields *fields = reads_values_of_tets(operation) ? ew_model_recovered(model) : NULL;
    ew_list list = {0}, *part = NULL;
    const ew_set **set = NULL;
    ew_set keep = {0};
    ew_operation_values given = *values;
    ew_mesh mesh = model->mesh; /* linear tets are straight */
    mesh.n_curve = model_is_curved(model) ? mesh.n_curve : 0;
    ew_operation_input input = {.operation = operation,
                                .mesh = &mesh,
                                .topology = &model->topology,
                                .values = &given,
                                .other = other,
                                .before = values->before,
                                .fill = model->fill,
                                .remark = model->remark,
                                .tet_value = fields ? fields->energy : NULL};
    EW_TRY(model_need_usable(model));
    EW_TRY(fields ? ew_fields_complete(&model->fields, ew_model_edge_rows(model) != NULL) : EW_OK);
    EW_TRY(operation->maps ? model_need_unflowed(model, operation->name) : EW_OK);
    ew_edit_clear(&model->edit);
    model->remark[0] = 0;
    const double start = ew_seconds();
    ew_status status =
        has_set ? ew_model_list_vertices(model, (int32_t)values->of[vertices].whole, &list) : EW_OK;
    if (!status && protects) {
        status = list_protected(model, &values->of[protect], &keep);
    }
    if (!status) {
        status = use_id_index(model, operation, &given);
    }
    if (!status && n_part) {
        status = list_parts(model, &values->of[parts], &part);
    }
    if (!status) {
        status = list_sets(model, &input, &set);
    }
    if (!status) {
        input.part = part;
        input.vertex = has_set ? &list : NULL;
        input.keep = protects ? &keep : NULL;
        status = operation->queue(&input, &model->edit);
    }
    status = status ? status : model_remark_on_axes(model, operation->name);
    ew_list_free(&list);
    free_parts(part, n_part);
    ew_release(set);
    ew_set_free(&keep);
    model->report.seconds_choose += ew_seconds() - start;
    return status;
}
