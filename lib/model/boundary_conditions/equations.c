/* Linear equations between displacements of a model. In: a list over sets and vertices, and what
 * constraints prescribe. Out: an equation for each point of it, by rows of vertices and edges; what
 * they leave free, for the solver and all that filters a vector; the forces by which they act.
 *
 * The displacement at the middle of an edge is the mean of its ends and the coefficient of its row,
 * so an equation of such a point has three terms for one. Along an edge whose ends have the same
 * equation the coefficient alone is 0. */
#include "model/internal.h"

#include <math.h>
#include <string.h>

/* ---- the list ---------------------------------------------------------------------------- */

static bool is_same_term(const ew_model_term *a, const ew_model_term *b)
{
    return a->set == b->set &&
           (a->set >= 0 || (a->end[0] == b->end[0] && a->end[1] == b->end[1])) &&
           !memcmp(a->factor, b->factor, sizeof a->factor);
}

static bool is_same(const model_equations *of, int32_t n, const ew_model_equation *list)
{
    bool same = of->n == n;
    for (int32_t i = 0; i < n && same; i++) {
        same = of->given[i].n_term == list[i].n_term && of->given[i].value == list[i].value;
        for (int32_t k = 0; k < list[i].n_term && same; k++) {
            same = is_same_term(&of->given[i].term[k], &list[i].term[k]);
        }
    }
    return same;
}

static ew_status check_term(const ew_model *model, const ew_model_term *term, int32_t place)
{
    const double *f = term->factor;
    if (term->set >= 0 &&
        (term->set >= model->n_set || model->set[term->set].kind != EW_SET_OF_VERTICES)) {
        return ew_fail_about(EW_BAD_ARGUMENT, place, -1,
                             "equation %d: a term needs a set of vertices, not %d", place + 1,
                             term->set);
    }
    return isfinite(f[0] + f[1] + f[2]) && (f[0] != 0.0 || f[1] != 0.0 || f[2] != 0.0)
               ? EW_OK
               : ew_fail_about(EW_BAD_ARGUMENT, place, -1,
                               "equation %d: the factors of a term are (%g, %g, %g); one of them "
                               "must differ from 0",
                               place + 1, f[0], f[1], f[2]);
}

static ew_status check(const ew_model *model, int32_t n, const ew_model_equation *list,
                       int64_t *n_term)
{
    *n_term = 0;
    for (int32_t i = 0; i < n; i++) {
        if (list[i].n_term < 1 || !isfinite(list[i].value)) {
            return ew_fail_about(EW_BAD_ARGUMENT, i, -1,
                                 "equation %d has %d terms and the value %g; it takes a term and a "
                                 "finite value",
                                 i + 1, list[i].n_term, list[i].value);
        }
        for (int32_t k = 0; k < list[i].n_term; k++) {
            EW_TRY(check_term(model, &list[i].term[k], i));
        }
        *n_term += list[i].n_term;
    }
    return EW_OK;
}

ew_status ew_model_set_equations(ew_model *model, int32_t n, const ew_model_equation *list)
{
    model_equations *of = &model->equations;
    int64_t n_term;
    EW_TRY(check(model, n, list, &n_term));
    if (is_same(of, n, list)) {
        return EW_OK;
    }
    EW_TRY(ew_grow(&of->given, &of->capacity, n, sizeof *of->given));
    EW_TRY(ew_grow(&of->term, &of->term_capacity, n_term, sizeof *of->term));
    of->n = n;
    of->n_term = 0;
    for (int32_t i = 0; i < n; i++) {
        of->given[i] = list[i];
        of->given[i].term = of->term + of->n_term;
        for (int32_t k = 0; k < list[i].n_term; k++) {
            of->term[of->n_term++] = list[i].term[k];
        }
    }
    model_forget_equations(model);
    model_forget_row_changes(model);
    model->dynamics.has_changed = true;
    return EW_OK;
}

/* ---- equations of points --------------------------------------------------------------------- */

/* Rows of the point of a term: a vertex, or the two ends of a side and its row, -1: none. False: it
 * is gone. */
static bool find_point(ew_model *model, const ew_model_term *term, int32_t row[3])
{
    const ew_mesh *mesh = &model->mesh;
    if (term->set >= 0) {
        const ew_list *list = &model->set[term->set].member.set.list;
        row[0] = row[1] = row[2] = -1;
        for (int32_t i = 0; i < list->n; i++) {
            row[0] = ew_mesh_vertex_is_active(mesh, list->id[i]) ? list->id[i] : row[0];
        }
        return row[0] >= 0;
    }
    row[0] = ew_model_find_vertex(model, term->end[0]);
    row[1] = term->end[0] == term->end[1] ? -1 : ew_model_find_vertex(model, term->end[1]);
    row[2] = -1;
    if (row[0] < 0 || !ew_mesh_vertex_is_active(mesh, row[0]) || term->end[0] == term->end[1]) {
        return row[0] >= 0 && ew_mesh_vertex_is_active(mesh, row[0]);
    }
    const int32_t edge =
        row[1] < 0 ? -1 : ew_pattern_pair_between(&model->topology.pattern, row[0], row[1]);
    const int32_t own = model_has_edges(model) ? model_row_between(model, row[0], row[1]) : -1;
    row[2] = edge >= 0 && own >= 0 ? mesh->n_vertex + own : -1;
    return edge >= 0;
}

static ew_status push_term(ew_model *model, const ew_model_term *term)
{
    int32_t row[3];
    (void)find_point(model, term, row);
    if (row[1] < 0) {
        return model_push_terms(&model->equations, row[0], 1.0, term->factor);
    }
    EW_TRY(model_push_terms(&model->equations, row[0], 0.5, term->factor));
    EW_TRY(model_push_terms(&model->equations, row[1], 0.5, term->factor));
    return row[2] < 0 ? EW_OK : model_push_terms(&model->equations, row[2], 1.0, term->factor);
}

/* The equation at one point of its first term. */
static ew_status add_at(ew_model *model, int32_t i, int32_t vertex)
{
    model_equations *to = &model->equations;
    const ew_model_equation *from = &to->given[i];
    EW_TRY(model_begin_equation(to, i));
    EW_TRY(vertex < 0 ? push_term(model, &from->term[0])
                      : model_push_terms(to, vertex, 1.0, from->term[0].factor));
    for (int32_t k = 1; k < from->n_term; k++) {
        EW_TRY(push_term(model, &from->term[k]));
    }
    to->value[to->n_row++] = from->value;
    return EW_OK;
}

/* Coefficients of the edges at a vertex of the first term's set, each from its lower end. */
static ew_status add_edges_at(ew_model *model, int32_t i, const ew_constraint *line, bool by_faces,
                              int32_t vertex)
{
    model_equations *to = &model->equations;
    int32_t n;
    const int32_t *item = ew_pattern_items(&model->topology.pattern, vertex, &n);
    for (int32_t k = 0; k < n; k++) {
        const int32_t edge = item[2 * k + 1], row = model->quadratic.rows.row[edge];
        if (item[2 * k] > vertex && row >= 0 &&
            ew_constraint_has_edge(&model->mesh, &model->topology, line, by_faces, edge)) {
            EW_TRY(model_begin_equation(to, i));
            EW_TRY(
                model_push_terms(to, model->mesh.n_vertex + row, 1.0, to->given[i].term[0].factor));
            to->value[to->n_row++] = 0.0;
        }
    }
    return EW_OK;
}

static ew_status add_set(ew_model *model, int32_t i)
{
    const ew_set *set = &model->set[model->equations.given[i].term[0].set].member.set;
    const ew_constraint line = {.vertex = set};
    const bool has_edges = model_has_edges(model);
    const bool by_faces =
        has_edges && ew_constraint_has_face(&model->mesh, &model->topology, &line);
    ew_list vertex = {0};
    ew_status status = EW_OK;
    for (int32_t k = 0; k < set->list.n && !status; k++) {
        status = ew_mesh_vertex_is_active(&model->mesh, set->list.id[k])
                     ? ew_list_push(&vertex, set->list.id[k])
                     : EW_OK;
    }
    ew_list_sort(&vertex);
    for (int32_t k = 0; k < vertex.n && !status; k++) {
        status = add_at(model, i, vertex.id[k]);
    }
    for (int32_t k = 0; k < vertex.n && !status && has_edges; k++) {
        status = add_edges_at(model, i, &line, by_faces, vertex.id[k]);
    }
    ew_list_free(&vertex);
    return status;
}

/* *is_lost: a point of it is gone. */
static ew_status find_points(ew_model *model, int32_t i, bool *is_lost)
{
    const ew_model_equation *from = &model->equations.given[i];
    *is_lost = false;
    for (int32_t k = 0; k < from->n_term; k++) {
        const ew_model_term *term = &from->term[k];
        int32_t row[3];
        bool usable;
        if (term->set >= 0 && model_require_members(model, term->set, &usable)) {
            const ew_failure failure = *ew_last_failure();
            return ew_fail_about(EW_BAD_INPUT, i, -1, "equation %d: %s", i + 1, failure.text);
        }
        *is_lost = *is_lost || !find_point(model, term, row);
        if (k && term->set >= 0 && model->set[term->set].n_active > 1) {
            return ew_fail_about(EW_BAD_INPUT, i, -1,
                                 "equation %d: set '%.60s' has %d vertices; terms but the first "
                                 "take a set of one",
                                 i + 1, model->set[term->set].name, model->set[term->set].n_active);
        }
    }
    return EW_OK;
}

static ew_status make_rows(ew_model *model)
{
    model_equations *of = &model->equations;
    of->n_row = of->n_lost = 0;
    of->first_lost = -1;
    for (int32_t i = 0; i < of->n; i++) {
        bool is_lost;
        EW_TRY(find_points(model, i, &is_lost));
        if (is_lost) {
            of->first_lost = of->n_lost++ ? of->first_lost : i;
        } else {
            EW_TRY(of->given[i].term[0].set >= 0 ? add_set(model, i) : add_at(model, i, -1));
        }
    }
    EW_TRY(model_make_couplings(model));
    return model_make_ties(model);
}

/* Equations of the closed points of contacts, behind all others. */
static ew_status add_contacts(ew_model *model)
{
    model_equations *to = &model->equations;
    const model_contacts *of = &model->contacts;
    to->first_contact = to->n_row;
    for (int32_t k = 0, i = 0; k < of->n_part && !of->is_released; k++) {
        const ew_contact_rows *rows = &of->part[k].rows;
        for (int32_t r = 0; r < rows->n; r++, i++) {
            if (!of->point[i].is_closed) {
                continue;
            }
            EW_TRY(model_begin_equation(to, model_place_of_contact(model, of->part[k].contact)));
            EW_TRY(model_push_row(to, rows, r));
            to->value[to->n_row++] = -model_contact_gap_of(of, i);
            EW_TRY(of->part[k].friction > 0.0 ? model_stick(model, &of->part[k], r, i) : EW_OK);
        }
    }
    return model_make_friction_springs(model);
}

/* ---- what they leave free ---------------------------------------------------------------------
 */

/* What is between displaced faces is measured, wherever they have moved to. */
static ew_status check_interference(const ew_model *model)
{
    const model_contacts *of = &model->contacts;
    for (int32_t i = 0; i < of->n && model_has_large_rotations(model); i++) {
        if (of->given[i].has_interference) {
            return ew_fail_about(
                EW_BAD_ARGUMENT, model_place_of_contact(model, i), -1,
                "contact %d: with large rotations gaps are measured where "
                "faces slide to, and an interference is of faces that do not; move "
                "the parts, or use 'kinematics: small'",
                i + 1);
        }
    }
    return EW_OK;
}

static ew_status refuse(const ew_model *model)
{
    if (model->device) {
        return ew_refuse(EW_RULE_HOST, "a body with contact or equations between displacements");
    }
    return check_interference(model);
}

/* Whether they contradict what constraints prescribe, or one another. */
static ew_status check_values(ew_model *model)
{
    double *x;
    EW_TRY(ew_new_zero(&x, 3 * (size_t)model_n_row(model), sizeof *x));
    model_put_prescribed_values(model, x);
    const ew_status status = model_put_equations(model, false, x);
    ew_release(x);
    return status;
}

bool model_is_tied(const ew_model *model)
{
    const model_equations *of = &model->equations;
    return of->n || of->n_coupling || model->ties.n || model->contacts.n;
}

static ew_status build(ew_model *model)
{
    model_equations *of = &model->equations;
    EW_TRY(model_is_tied(model) ? refuse(model) : EW_OK);
    model->ties.revision = model->contacts.keeps_rows ? model->ties.revision : 0;
    EW_TRY(model_update_contacts(model));
    EW_TRY(make_rows(model));
    EW_TRY(add_contacts(model));
    of->list.n = of->n_row;
    of->list.begin = of->begin;
    of->list.entry = of->entry;
    of->list.factor = of->factor;
    if (!of->n_row && !of->n_rigid) {
        return EW_OK;
    }
    EW_TRY(ew_equations_build(&of->free, &of->list, model_n_row(model), model->constraints.fixed,
                              &model->constraints.oblique));
    of->support = of->list;
    of->support.n += of->n_spring;
    model->constraints.equations = &of->support;
    return model_is_nonlinear(model) ? EW_OK : check_values(model);
}

bool model_turn_equations(ew_model *model)
{
    const bool turns = model_has_large_rotations(model) &&
                       (model->equations.n_coupling > 0 || model->contacts.n > 0);
    if (turns) {
        model_forget_equations(model);
    }
    return turns;
}

ew_status model_update_equations(ew_model *model)
{
    model_equations *of = &model->equations;
    if (of->is_current || (!model_is_tied(model) && !of->n_row && !of->n_rigid)) {
        return EW_OK;
    }
    ew_solver_reset(&model->stiffness.solver); /* their preconditioners read other blocks */
    ew_solver_reset(&model->quadratic.assembled_solver);
    if (of->are_in_steps) {
        ew_solver_reset(&model->dynamics.system.solver);
    }
    ew_stiffened_free(&of->stiffened);
    model->constraints.equations = NULL;
    of->free.n = of->free.rigid.n = of->n_spring = 0;
    const ew_status status = build(model);
    if (status) {
        of->free.n = of->free.rigid.n = of->n_row = of->n_rigid = 0;
        model->constraints.equations = NULL;
    }
    of->is_current = status == EW_OK;
    return status;
}

ew_status model_refuse_contradiction(const ew_model *model, int32_t i)
{
    const model_equations *of = &model->equations;
    int32_t place = i < of->n_row ? of->place[i] : of->n;
    const int32_t tie = place - of->n - of->n_coupling, contact = tie - model->ties.n;
    if (tie >= 0) {
        return ew_fail_about(EW_BAD_INPUT, place, -1,
                             "%s %d: %s contradict constraints, equations or ties before it; leave "
                             "vertices where displacements are prescribed out of its slaves",
                             contact < 0 ? "tie" : "contact", (contact < 0 ? tie : contact) + 1,
                             contact < 0 ? "its equations" : "closed points");
    }
    for (int32_t k = 0, group = i - of->n_row; k < of->n_coupling && group >= 0; k++) {
        place = of->n + k;
        group -= of->coupling[k].is_rigid && of->coupling_row[k] >= 0;
    }
    return ew_fail_about(EW_BAD_INPUT, place, -1,
                         "%s %d contradicts constraints, or equations and couplings before it; "
                         "leave one of them out or give them values that agree",
                         place < of->n ? "equation" : "coupling",
                         place < of->n ? place + 1 : place - of->n + 1);
}

ew_status model_put_equations(ew_model *model, bool rate, double *x)
{
    const model_equations *of = &model->equations;
    int32_t i = -1;
    EW_TRY(model_has_equations(of)
               ? ew_equations_put(&of->free, &of->list, rate ? NULL : of->value, x, &i)
               : EW_OK);
    return i < 0 ? EW_OK : model_refuse_contradiction(model, i);
}

/* ---- solving ----------------------------------------------------------------------------------
 */

/* In a step in time the mass keeps in place what closed points do: a preconditioner that knows
 * nothing of these stays from round to round and from step to step. */
static bool are_kept_by_mass(const ew_model *model)
{
    const model_equations *of = &model->equations;
    const bool are_of_contacts = !of->n_rigid && (!of->n_row || !of->first_contact);
    return are_of_contacts && !model_has_friction(model) && !model_has_edges(model);
}

ew_status model_equip_system(ew_model *model, ew_system *system)
{
    model_equations *of = &model->equations;
    const ew_matrix *blocks = system->op->matrix;
    const bool is_step = system->op == &model->dynamics.system.op,
               is_plain = is_step && are_kept_by_mass(model);
    of->are_in_steps = is_step ? !is_plain : of->are_in_steps;
    if (system->equations && blocks && !is_plain) {
        EW_TRY(ew_equations_stiffen(&of->free, blocks, system->op->pattern, &of->stiffened));
        of->op = ew_operator_on_host(&of->stiffened.matrix, &of->stiffened.pattern);
        of->op.edges = system->op->edges;
        system->stiffened = &of->op;
    }
    model_add_friction_springs(model, &system->op, system->stiffened ? &of->stiffened : NULL);
    return EW_OK;
}

/* ---- forces -------------------------------------------------------------------------------------
 */

static void find_largest(model_equations *of, int32_t row)
{
    const double *f = of->force + 3 * (size_t)row;
    of->max_force = fmax(of->max_force, hypot(hypot(f[0], f[1]), f[2]));
}

ew_status model_find_equation_force(ew_model *model, const double *rest)
{
    model_equations *of = &model->equations;
    if (!model_has_equations(of)) {
        return EW_OK;
    }
    EW_TRY(ew_grow(&of->force, &of->force_capacity, model_n_row(model), 3 * sizeof *of->force));
    EW_TRY(ew_grow(&of->multiplier, &of->multiplier_capacity, of->n_row, sizeof *of->multiplier));
    memset(of->force, 0, model_vector_size(model));
    ew_equations_forces(&of->free, &of->list, rest, of->multiplier, of->force);
    of->max_force = 0.0;
    for (int32_t k = 0; of->n_row && k < of->begin[of->n_row]; k++) {
        find_largest(of, of->entry[k] / 3);
    }
    for (int32_t k = 0; of->n_rigid && k < of->rigid_begin[of->n_rigid]; k++) {
        find_largest(of, of->rigid_row[k]);
    }
    model_take_ties(model);
    return EW_OK;
}

ew_status model_take_multipliers(ew_model *model, const double *u)
{
    const model_equations *of = &model->equations;
    const bool any = model_has_equations(of) && of->n_row > of->first_contact;
    return model_take_contacts(model, u, any ? of->multiplier + of->first_contact : NULL);
}

/* ---- what is shown of them ----------------------------------------------------------------------
 */

ew_model_equation_report ew_model_view_equations(const ew_model *model)
{
    const model_equations *of = &model->equations;
    const bool is_known =
        model_has_equations(of) && of->force && model->fields_revision == model->mesh.revision;
    return (ew_model_equation_report){.n = of->n_row,
                                      .n_dependent = of->n_row ? of->free.n_dependent : 0,
                                      .n_lost = of->n_lost,
                                      .first_lost = of->n_lost ? of->first_lost : -1,
                                      .max_force = is_known ? of->max_force : 0.0,
                                      .force = is_known ? of->force : NULL};
}

void model_free_equations(ew_model *model)
{
    model_equations *of = &model->equations;
    ew_release(of->given);
    ew_release(of->term);
    model_release_equation_rows(of);
    ew_stiffened_free(&of->stiffened);
    ew_release(of->force);
    ew_release(of->total);
    ew_release(of->multiplier);
    ew_release(of->start);
    ew_release(of->aim);
    ew_release(of->coupling);
    ew_release(of->coupling_row);
    ew_release(of->rigid_begin);
    ew_release(of->rigid_row);
    ew_release(of->mode);
    ew_equations_free(&of->free);
    ew_operator_free(&of->op);
    *of = (model_equations){0};
}
