/* The sets of a case: expressions evaluated on the mesh as it is, then handed to the model, which
 * keeps them in step with edits. Those of the case are made at the start, those of a step after its
 * edits, one given in place in an edit right before that. */
#include "study/run/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* An evaluation under way. */
typedef struct evaluation {
    ew_study *study;
    ew_list *made; /* [n_set] of the case's sets at the start, each once; null: a named set means
                      its members in the model */
    uint8_t *done; /* [n_set] with `made` */
} evaluation;

static ew_status evaluate(evaluation *in, int32_t node, ew_list *out);

static ew_status append(ew_list *to, const ew_list *from)
{
    for (int32_t i = 0; i < from->n; i++) {
        EW_TRY(ew_list_push(to, from->id[i]));
    }
    return EW_OK;
}

/* Ascending lists: `a` keeps the ids found in `b` (keep) or not found there (!keep). */
static void filter_ids(ew_list *a, const ew_list *b, bool keep)
{
    int32_t n = 0, j = 0;
    for (int32_t i = 0; i < a->n; i++) {
        while (j < b->n && b->id[j] < a->id[i]) {
            j++;
        }
        if ((j < b->n && b->id[j] == a->id[i]) == keep) {
            a->id[n++] = a->id[i];
        }
    }
    a->n = n;
}

static ew_status combine(evaluation *in, const ew_set_node *node, ew_list *out)
{
    const ew_set_node *all = in->study->input->node;
    ew_list other = {0};
    ew_status status = evaluate(in, node->first_child, out);
    for (int32_t child = all[node->first_child].next; child >= 0 && !status;
         child = all[child].next) {
        other.n = 0;
        status = evaluate(in, child, &other);
        if (node->kind == EW_SET_UNION) {
            status = status ? status : append(out, &other);
            ew_list_sort_unique(out);
        } else {
            filter_ids(out, &other, node->kind == EW_SET_INTERSECT);
        }
    }
    ew_list_free(&other);
    return status;
}

/* A label whose triangles all lie between tets picks no faces, which deserves a word. */
static ew_status explain_inner_label(const ew_mesh *mesh, int32_t label)
{
    bool *live;
    int32_t n = 0;
    EW_TRY(ew_new(&live, (size_t)mesh->n_face, sizeof *live));
    ew_status status = ew_mesh_live_faces(mesh, live);
    for (int32_t f = 0; f < mesh->n_face && !status; f++) {
        n += live[f] && mesh->face_label[f] == label;
    }
    ew_release(live);
    return status || !n
               ? status
               : ew_fail(EW_BAD_INPUT,
                         "the %d triangles of surface %d lie inside the body, where no boundary "
                         "faces are; 'of: vertices' takes their vertices",
                         n, label);
}

/* A vertex as near to a plane as this share of the body's size lies in it. */
#define IN_PLANE 1e-6

double study_plane_thickness(const ew_mesh *mesh)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        for (int c = 0; c < 3 && ew_mesh_vertex_is_active(mesh, v); c++) {
            low[c] = fmin(low[c], mesh->xyz[3 * (size_t)v + (size_t)c]);
            high[c] = fmax(high[c], mesh->xyz[3 * (size_t)v + (size_t)c]);
        }
    }
    return IN_PLANE * hypot(hypot(high[0] - low[0], high[1] - low[1]), high[2] - low[2]);
}

static ew_selector selector_of(const ew_study *study, const ew_set_node *at)
{
    const ew_mesh *mesh = ew_model_mesh(study->model);
    ew_selector out = at->selector;
    if (at->is_of_edit) {
        out.label = ew_study_label(study, out.label);
    }
    if (out.kind == EW_SELECT_PLANE && out.radius == EW_THICK_BY_SIZE) {
        out.radius = study_plane_thickness(mesh);
    }
    return out;
}

static ew_status select_faces(evaluation *in, const ew_set_node *at, ew_list *out)
{
    const ew_mesh *mesh = ew_model_mesh(in->study->model);
    const ew_selector selector = selector_of(in->study, at);
    const ew_boundary *boundary;
    EW_TRY(ew_model_boundary(in->study->model, &boundary));
    EW_TRY(ew_boundary_select(boundary, mesh, &selector, at->has_direction ? &at->direction : NULL,
                              out));
    for (int32_t i = 0, n = out->n; i < n && at->is_of_section; i++) {
        out->n = i ? out->n : 0;
        if (ew_split_is_beyond(mesh, out->id[i] / 4, selector.a, selector.b) == at->is_beyond) {
            out->id[out->n++] = out->id[i];
        }
    }
    return at->selector.kind == EW_SELECT_SURFACE && !at->has_direction && !out->n
               ? explain_inner_label(mesh, selector.label)
               : EW_OK;
}

/* Members that the model has now: vertices, face codes or tets, ascending. */
static ew_status list_members(const ew_study *study, int32_t set, ew_list *out)
{
    switch (study->input->set[set].kind) {
    case EW_SET_OF_VERTICES:
        return ew_model_list_vertices(study->model, set, out);
    case EW_SET_OF_FACES:
        return ew_model_list_faces(study->model, set, out);
    default:
        return ew_model_list_tets(study->model, set, out);
    }
}

static ew_status evaluate_named(evaluation *in, int32_t set, ew_list *out)
{
    if (!in->made) {
        return list_members(in->study, set, out);
    }
    if (!in->done[set]) {
        in->done[set] = 1;
        EW_TRY(evaluate(in, in->study->input->set[set].node, &in->made[set]));
    }
    return append(out, &in->made[set]);
}

/* Members of an expression, ascending, into an empty list. */
static ew_status evaluate(evaluation *in, int32_t node, ew_list *out)
{
    const ew_set_node *at = &in->study->input->node[node];
    const ew_mesh *mesh = ew_model_mesh(in->study->model);
    if (at->kind == EW_SET_NAMED) {
        return evaluate_named(in, at->named, out);
    }
    if (at->kind != EW_SET_SELECT) {
        return combine(in, at, out);
    }
    const ew_selector selector = selector_of(in->study, at);
    return at->of == EW_SET_OF_FACES  ? select_faces(in, at, out)
           : at->of == EW_SET_OF_TETS ? ew_mesh_select_tets(mesh, &selector, out)
                                      : ew_mesh_select(mesh, &selector, out);
}

static ew_status name_failure(const ew_study *study, ew_status status, int32_t set, int32_t line)
{
    const ew_case_set *about = &study->input->set[set];
    ew_fail_line(status, line);
    return about->is_unnamed ? status : ew_fail_prefix(status, "set '%.60s'", about->name);
}

/* ---- at the start --------------------------------------------------------------- */

/* A set that a step will make is empty until then, and so is one in a plane of symmetry. */
static ew_status define(evaluation *in, int32_t set)
{
    const ew_case_set *from = &in->study->input->set[set];
    const ew_model_set_def def = {from->is_unnamed ? NULL : from->name, from->kind, true};
    ew_list member = {0};
    int32_t number;
    const bool now = from->step < 0 && !from->is_plane;
    ew_status status = now ? evaluate_named(in, set, &member) : EW_OK;
    if (!status) {
        status = ew_model_add_set(in->study->model, &def, &member, &number);
    }
    ew_list_free(&member);
    in->study->set[set] = (study_set){.is_made = now,
                                      .is_new = now,
                                      .allow_empty = from->allow_empty,
                                      .line = from->line,
                                      .vertices = -1};
    return status ? name_failure(in->study, status, set, from->line) : EW_OK;
}

ew_status ew_study_define_sets(ew_study *study)
{
    const int32_t n = study->input->n_set;
    evaluation in = {.study = study};
    EW_TRY(ew_new_zero(&study->set, (size_t)n, sizeof *study->set));
    EW_TRY(ew_new_zero(&in.made, (size_t)n, sizeof *in.made));
    ew_status status = ew_new_zero(&in.done, (size_t)n, 1);
    for (int32_t i = 0; i < n && !status; i++) {
        status = define(&in, i);
    }
    for (int32_t i = 0; i < n; i++) {
        ew_list_free(&in.made[i]);
    }
    ew_release(in.made);
    ew_release(in.done);
    return status;
}

/* ---- in a step ------------------------------------------------------------------- */

static ew_status list_vertices_again(ew_study *study, int32_t set)
{
    ew_list vertex = {0};
    ew_status status = ew_model_list_vertices(study->model, set, &vertex);
    if (!status) {
        status = ew_model_redefine_set(study->model, study->set[set].vertices, &vertex);
    }
    ew_list_free(&vertex);
    return status;
}

static ew_status redefine(ew_study *study, const ew_case_definition *from)
{
    study_set *set = &study->set[from->set];
    evaluation in = {.study = study};
    ew_list member = {0};
    ew_status status = evaluate(&in, from->node, &member);
    if (!status) {
        status = ew_model_redefine_set(study->model, from->set, &member);
    }
    ew_list_free(&member);
    if (status) {
        return name_failure(study, status, from->set, from->line);
    }
    set->is_made = set->is_new = true;
    set->allow_empty = from->allow_empty;
    set->line = from->line;
    return set->vertices >= 0 ? list_vertices_again(study, from->set) : EW_OK;
}

static ew_status make_unnamed(ew_study *study, int32_t set)
{
    const ew_case_set *from = &study->input->set[set];
    const ew_case_definition as = {from->line, set, from->node, from->allow_empty};
    return redefine(study, &as);
}

/* After the edits of the step, or before the first analysis between them, after which they follow
 * the mesh like any others. */
ew_status ew_study_make_step_sets(ew_study *study, const ew_case_step *step)
{
    if (study->has_step_sets) {
        return EW_OK;
    }
    study->has_step_sets = true;
    const int32_t number = (int32_t)(step - study->input->step);
    for (int32_t i = 0; i < step->n_definition; i++) {
        EW_TRY(redefine(study, &step->definition[i]));
    }
    for (int32_t s = 0; s < study->input->n_set; s++) {
        const ew_case_set *set = &study->input->set[s];
        if (set->is_unnamed && set->step == number && !set->in_edit && !set->is_plane) {
            EW_TRY(make_unnamed(study, s));
        }
    }
    return EW_OK;
}

ew_status ew_study_make_named_faces(ew_study *study, const ew_case_step *step, const char *name)
{
    for (int32_t i = 0; i < step->n_definition; i++) {
        if (!strcmp(study->input->set[step->definition[i].set].name, name)) {
            return redefine(study, &step->definition[i]);
        }
    }
    return EW_OK;
}

ew_status ew_study_make_edit_set(ew_study *study, int32_t set)
{
    if (!study->input->set[set].in_edit) {
        return EW_OK;
    }
    EW_TRY(make_unnamed(study, set));
    return ew_model_measure_set(study->model, set, &study->set[set].given);
}

/* ---- uses -------------------------------------------------------------------------- */

ew_status ew_study_vertices_of(ew_study *study, int32_t set, int32_t *vertices)
{
    study_set *of = &study->set[set];
    const ew_model_set_def def = {NULL, EW_SET_OF_VERTICES, true};
    ew_list vertex = {0};
    if (study->input->set[set].kind == EW_SET_OF_VERTICES) {
        *vertices = set;
        return EW_OK;
    }
    ew_status status =
        of->vertices < 0 ? ew_model_list_vertices(study->model, set, &vertex) : EW_OK;
    if (!status && of->vertices < 0) {
        status = ew_model_add_set(study->model, &def, &vertex, &of->vertices);
    }
    ew_list_free(&vertex);
    *vertices = of->vertices;
    return status;
}

ew_status ew_study_require_members(const ew_study *study, int32_t set, int32_t line)
{
    const ew_case_set *about = &study->input->set[set];
    const ew_model_set view = ew_model_view_set(study->model, set);
    char name[80] = "the set";
    if (view.n_active > 0 || study->set[set].allow_empty) {
        return EW_OK;
    }
    if (!about->is_unnamed) {
        snprintf(name, sizeof name, "set '%.60s'", about->name);
    }
    ew_mesh_measure body;
    ew_mesh_take_measure(ew_model_mesh(study->model), &body);
    return ew_fail_at(EW_BAD_INPUT, line,
                      "%s (line %d) has no %s%s in the body, which is in (%g, %g, %g) to (%g, %g, "
                      "%g); change its selection or say 'allow_empty: true'",
                      name, (int)study->set[set].line, ew_set_kind_name(about->kind),
                      study->set[set].is_left_out
                          ? " left (they went with components that were left out)"
                      : view.had_members ? " left after the edits"
                                         : "",
                      body.low[0], body.low[1], body.low[2], body.high[0], body.high[1],
                      body.high[2]);
}
