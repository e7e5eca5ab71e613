/* Constraints of a model: a list over sets, and what it says of each vertex, brought up to date
 * where edits touched it. A constraint on faces stands on the set of their vertices, which is kept
 * in step. */
#include "model/internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- lists ------------------------------------------------------------------- */

static ew_status check_field(const ew_model *model, const ew_model_constraint *one, int32_t place)
{
    const int32_t f = one->field;
    const model_field *field = f > 0 && f < model->n_field ? &model->field[f] : NULL;
    if (!f) {
        return EW_OK;
    }
    if (!field || field->on_tets || field->width != 3) {
        return ew_fail_about(EW_BAD_ARGUMENT, place, -1,
                             "constraint %d: field %d is no field on vertices of width 3",
                             place + 1, f);
    }
    return one->axes.kind == EW_AXES_GLOBAL && !one->amplitude && !one->is_velocity
               ? EW_OK
               : ew_fail_about(
                     EW_BAD_ARGUMENT, place, -1,
                     "constraint %d: a field prescribes constant displacements along x, y, "
                     "z; leave out axes, amplitude and velocity",
                     place + 1);
}

ew_status ew_model_set_constraints(ew_model *model, int32_t n, const ew_model_constraint *list)
{
    for (int32_t i = 0; i < n; i++) {
        EW_TRY(model_check_set_number(model, "constraint", i, list[i].set));
        EW_TRY(model_check_amplitude(model, "constraint", i, list[i].amplitude));
        EW_TRY(check_field(model, &list[i], i));
    }
    if (n == model->n_constraint &&
        (!n || !memcmp(list, model->constraint, (size_t)n * sizeof *list))) {
        return EW_OK;
    }
    EW_TRY(ew_grow(&model->constraint, &model->constraint_capacity, n, sizeof *list));
    EW_TRY(
        ew_grow(&model->constraint_line, &model->line_capacity, n, sizeof *model->constraint_line));
    EW_TRY(ew_grow(&model->constraint_of_line, &model->of_line_capacity, n,
                   sizeof *model->constraint_of_line));
    const int32_t before = model->face_vertex_capacity;
    EW_TRY(
        ew_grow(&model->face_vertex, &model->face_vertex_capacity, n, sizeof *model->face_vertex));
    if (model->face_vertex_capacity > before) {
        memset(model->face_vertex + before, 0,
               (size_t)(model->face_vertex_capacity - before) * sizeof *model->face_vertex);
    }
    if (n) {
        memcpy(model->constraint, list, (size_t)n * sizeof *list);
    }
    model->n_constraint = n;
    model->constraints_current = false;
    model->dynamics.has_changed = true;
    return EW_OK;
}

void model_free_constraints(ew_model *model)
{
    for (int32_t i = 0; i < model->face_vertex_capacity; i++) {
        model_members_free(&model->face_vertex[i]);
    }
    ew_release(model->face_vertex);
    ew_set_free(&model->touched_vertex);
    ew_release(model->constraint);
    ew_release(model->constraint_line);
    ew_release(model->constraint_of_line);
    ew_release(model->motion);
    ew_constraints_free(&model->constraints);
}

static bool is_on_faces(const ew_model *model, int32_t i)
{
    return model->set[model->constraint[i].set].kind == EW_SET_OF_FACES;
}

/* The lines whose sets have members. */
static ew_status make_lines(ew_model *model)
{
    model->n_line = 0;
    for (int32_t i = 0; i < model->n_constraint; i++) {
        const ew_model_constraint *from = &model->constraint[i];
        bool usable;
        EW_TRY(model_require_members(model, from->set, &usable));
        if (!usable) {
            continue;
        }
        model->constraint_of_line[model->n_line] = i;
        ew_constraint *to = &model->constraint_line[model->n_line++];
        *to = (ew_constraint){.vertex = is_on_faces(model, i) ? &model->face_vertex[i].set
                                                              : &model->set[from->set].member.set,
                              .fixed = from->fixed,
                              .axes = from->axes};
        for (int c = 0; c < 3; c++) {
            to->value[c] = from->is_velocity ? 0.0 : from->value[c];
        }
        to->base = from->field ? model->field[from->field].value : NULL;
        if (is_on_faces(model, i)) {
            to->face = &model->set[from->set].member.set;
            to->boundary = &model->boundary;
        }
    }
    return EW_OK;
}

/* ---- all of them ----------------------------------------------------------------- */

static int32_t corner(const ew_model *model, int32_t code, int k)
{
    return model->mesh.tet[4 * (size_t)(code / 4) + (size_t)ew_face_vertex[code % 4][k]];
}

static ew_status collect_face_vertices(ew_model *model, int32_t i)
{
    const ew_list *face = &model->set[model->constraint[i].set].member.set.list;
    model_members *vertex = &model->face_vertex[i];
    ew_set_clear(&vertex->set);
    for (int32_t k = 0; k < 3 * face->n; k++) {
        const int32_t code = model->boundary.code[face->id[k / 3]];
        EW_TRY(model_members_add(vertex, corner(model, code, k % 3)));
    }
    return EW_OK;
}

static ew_status build(ew_model *model)
{
    model_forget_row_changes(model);
    for (int32_t i = 0; i < model->n_constraint; i++) {
        EW_TRY(is_on_faces(model, i) ? collect_face_vertices(model, i) : EW_OK);
    }
    EW_TRY(ew_constraints_build(&model->constraints, &model->mesh, model->n_line,
                                model->constraint_line));
    model->dynamics.largest = -1.0;
    model->ground_current = model->quadratic.constraints_current = false;
    model_forget_equations(model);
    return EW_OK;
}

/* The rows of edges, after those of vertices. */
static ew_status update_edges(ew_model *model)
{
    model_quadratic *q = &model->quadratic;
    const bool follows = q->constraints_current;
    if ((follows && !q->stale_fixed.list.n) ||
        (!q->rows.pattern.n_row && !model->constraints.n_edge)) {
        return EW_OK;
    }
    q->constraints_current = false; /* unless all goes well */
    model_forget_equations(model);
    if (follows) { /* what is prescribed there may be another displacement */
        model_note_edge_rows(model, &q->stale_fixed.list);
    } else {
        model_forget_row_changes(model);
    }
    EW_TRY(ew_constraints_set_edges(&model->constraints, &model->mesh, &model->topology, &q->rows,
                                    model->n_line, model->constraint_line,
                                    follows ? &q->stale_fixed.list : NULL));
    EW_TRY(ew_solver_touch_edges(&model->stiffness.solver, follows ? &q->stale_fixed.list : NULL));
    ew_set_clear(&q->stale_fixed);
    q->constraints_current = true;
    return EW_OK;
}

ew_status model_update_constraints(ew_model *model)
{
    EW_TRY(make_lines(model));
    ew_status status = model->constraints_current ? EW_OK : build(model);
    status = status ? status : update_edges(model);
    model->constraints_current = status == EW_OK;
    return status;
}

static void put_row(const ew_constraints *constraints, int32_t row, double *u)
{
    for (size_t i = 3 * (size_t)row; i < 3 * (size_t)row + 3; i++) {
        u[i] = constraints->fixed[row] >> i % 3 & 1 ? constraints->value[i] : u[i];
    }
}

/* What is there but for rounding stays as it is: local answers compare bits. */
static void put_oblique(const ew_constraints *constraints, int32_t k, double *u)
{
    const double *value = constraints->value + 3 * (size_t)constraints->oblique.row[k];
    const double size = fmax(fmax(fabs(u[0]), fabs(u[1])), fabs(u[2]));
    double put[3] = {u[0], u[1], u[2]}, off = 0.0;
    ew_oblique_project(&constraints->oblique, k, put);
    for (int c = 0; c < 3; c++) {
        put[c] += value[c];
        off = fmax(off, fabs(put[c] - u[c]));
    }
    if (off > 16.0 * DBL_EPSILON * size) {
        memcpy(u, put, sizeof put);
    }
}

void model_put_prescribed_values(const ew_model *model, double *u)
{
    const ew_constraints *constraints = &model->constraints;
    for (int32_t k = 0; k < constraints->oblique.n; k++) {
        put_oblique(constraints, k, u + 3 * (size_t)constraints->oblique.row[k]);
    }
    for (int32_t i = 0; i < model->n_line; i++) {
        const ew_list *list = &model->constraint_line[i].vertex->list;
        for (int32_t k = 0; k < list->n; k++) {
            put_row(constraints, list->id[k], u);
        }
    }
    for (int32_t row = model->mesh.n_vertex; row < model_n_row(model); row++) {
        put_row(constraints, row, u);
    }
}

/* ---- following a commit ------------------------------------------------------------ */

/* Vertices of faces that came to the boundary or left it. */
static ew_status list_touched(ew_model *model)
{
    const ew_boundary *boundary = &model->boundary;
    ew_set *touched = &model->touched_vertex;
    ew_set_clear(touched);
    for (int32_t k = 0; k < 3 * boundary->removed.n; k++) {
        EW_TRY(ew_set_add(touched, boundary->removed_vertex[k]));
    }
    for (int32_t k = 0; k < 3 * boundary->added.n; k++) {
        const int32_t code = boundary->code[boundary->added.id[k / 3]];
        EW_TRY(ew_set_add(touched, corner(model, code, k % 3)));
    }
    return EW_OK;
}

/* Whether a face of the set has the vertex. */
static bool has_face_at(const ew_model *model, const ew_set *face, int32_t v)
{
    const ew_rows *rows = &model->topology.vertex_to_tet;
    for (int32_t i = 0; i < rows->count[v]; i++) {
        const int32_t t = rows->item[rows->begin[v] + i];
        for (int32_t k = 0; k < 4; k++) {
            if (model->mesh.tet[4 * (size_t)t + (size_t)k] != v &&
                ew_set_has(face, ew_boundary_find(&model->boundary, 4 * t + k))) {
                return true;
            }
        }
    }
    return false;
}

static ew_status follow_face_vertices(ew_model *model, int32_t i)
{
    const ew_set *face = &model->set[model->constraint[i].set].member.set;
    const ew_list *touched = &model->touched_vertex.list;
    for (int32_t k = 0; k < touched->n; k++) {
        if (has_face_at(model, face, touched->id[k])) {
            EW_TRY(model_members_add(&model->face_vertex[i], touched->id[k]));
        } else {
            model_members_remove(&model->face_vertex[i], touched->id[k]);
        }
    }
    return EW_OK;
}

/* Directions that depend on the place follow a moved vertex. */
static bool depends_on_place(const ew_model *model)
{
    bool any = false;
    for (int32_t i = 0; i < model->n_constraint && !any; i++) {
        any = model->constraint[i].axes.kind == EW_AXES_CYLINDER;
    }
    return any;
}

static ew_status follow(ew_model *model)
{
    static const ew_list none;
    const ew_change *change = &model->change;
    const ew_list *const list[] = {&change->added_vertex,
                                   &change->emptied_vertex,
                                   &change->filled_vertex,
                                   &change->removed_vertex,
                                   &model->touched_vertex.list,
                                   depends_on_place(model) ? &model->topology.touched.touched_row
                                                           : &none};
    EW_TRY(model->has_boundary ? list_touched(model) : EW_OK);
    for (int32_t i = 0; i < model->n_constraint; i++) {
        EW_TRY(is_on_faces(model, i) ? follow_face_vertices(model, i) : EW_OK);
    }
    EW_TRY(make_lines(model));
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        EW_TRY(ew_constraints_update(&model->constraints, &model->mesh, model->n_line,
                                     model->constraint_line, list[i]));
        EW_TRY(model_touch_edge_constraints(model, list[i]));
    }
    return EW_OK;
}

/* Constraints that cannot follow are built when they are used, which says what is wrong. */
void model_follow_constraints(ew_model *model)
{
    model_forget_equations(model);
    if (model->constraints_current) {
        model->constraints_current = follow(model) == EW_OK;
    }
}
