/* The value of a goal and its derivatives by the displacement. In: a model whose matrix, loads and
 * supports are current, its displacement. Out: a number and, where wanted, a vector of all rows.
 * Means of displacements are sums of weights times rows. */
#include "model/formulation/formulation.h"
#include "model/solve/goals.h"
#include "model/state/set_parts.h"

#include <math.h>
#include <string.h>

ew_status model_check_goal(const ew_model *model, int32_t i, const ew_goal *goal)
{
    const bool is_stress = goal->kind == EW_GOAL_STRESS || goal->kind == EW_GOAL_VON_MISES;
    const bool has_place = is_stress || goal->kind == EW_GOAL_DISPLACEMENT;
    if (goal->kind < 0 || goal->kind >= EW_GOAL_KINDS) {
        return ew_fail_about(EW_BAD_ARGUMENT, i, -1, "goal %d: there is no kind %d", i,
                             (int)goal->kind);
    }
    if (goal->kind == EW_GOAL_STRESS && (goal->component < 0 || goal->component > 5)) {
        return ew_fail_about(EW_BAD_ARGUMENT, i, -1,
                             "goal %d: component %d of the stress; there are 0 to 5", i,
                             goal->component);
    }
    if (!has_place && goal->kind != EW_GOAL_REACTION) {
        return EW_OK;
    }
    if (goal->set >= 0 || !has_place) {
        return model_need_set(model, goal->set);
    }
    const ew_mesh *mesh = &model->mesh;
    const bool is_tet = is_stress && goal->tet >= 0;
    const int32_t at = is_tet ? goal->tet : goal->vertex;
    const bool is_there =
        at >= 0 && at < (is_tet ? mesh->n_tet : mesh->n_vertex) &&
        (is_tet ? ew_mesh_tet_is_live(mesh, at) : ew_mesh_vertex_is_active(mesh, at));
    return is_there ? EW_OK
                    : ew_fail_about(EW_BAD_ARGUMENT, i, at, "goal %d: the body has no %s %d", i,
                                    is_tet ? "tet" : "vertex", at);
}

/* ---- vectors ------------------------------------------------------------------- */

/* Three sums of displacements or forces: along a direction, or their magnitude. d [3]: the
 * slopes. */
static ew_status measure(model_slopes *in, const ew_goal *goal, const double sum[3], double d[3],
                         double *value)
{
    const double *along = goal->direction;
    const bool is_along = along[0] != 0.0 || along[1] != 0.0 || along[2] != 0.0;
    const double size = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
    for (int c = 0; c < 3; c++) {
        d[c] = is_along ? along[c] : size > 0.0 ? sum[c] / size : 0.0;
    }
    return model_take_slopes(in, 3, sum, d, value);
}

typedef struct weighted_rows {
    int32_t n, capacity, weight_capacity;
    int32_t *row;   /* [n] owned: with repetitions */
    double *weight; /* [n] owned */
} weighted_rows;

static ew_status add_row(weighted_rows *to, int32_t row, double weight)
{
    EW_TRY(ew_grow(&to->row, &to->capacity, (int64_t)to->n + 1, sizeof *to->row));
    EW_TRY(ew_grow(&to->weight, &to->weight_capacity, (int64_t)to->n + 1, sizeof *to->weight));
    to->row[to->n] = row;
    to->weight[to->n++] = weight;
    return EW_OK;
}

static ew_status list_parts(const ew_model *model, bool is_face, const ew_list *list,
                            weighted_rows *to)
{
    double size = 0.0;
    for (int32_t i = 0; i < list->n; i++) {
        const model_set_part of = model_part_of_set(model, is_face, list->id[i]);
        size += of.size;
        for (int k = 0; k < of.n_corner; k++) {
            EW_TRY(add_row(to, of.corner[k], of.of_corner[k]));
        }
        for (int k = 0; k < of.n_edge; k++) {
            EW_TRY(of.row[k] < 0 ? EW_OK
                                 : add_row(to, model->mesh.n_vertex + of.row[k], of.of_edge[k]));
        }
    }
    for (int32_t i = 0; i < to->n && size > 0.0; i++) {
        to->weight[i] /= size;
    }
    return EW_OK;
}

/* Whose weighted sum is the mean displacement of a set. */
static ew_status list_rows(const ew_model *model, int32_t set, weighted_rows *to)
{
    const ew_set_kind kind = model->set[set].kind;
    ew_list list = {0};
    ew_status status = kind == EW_SET_OF_VERTICES ? ew_model_list_vertices(model, set, &list)
                       : kind == EW_SET_OF_FACES  ? ew_model_list_faces(model, set, &list)
                                                  : ew_model_list_tets(model, set, &list);
    if (!status && kind != EW_SET_OF_VERTICES) {
        status = list_parts(model, kind == EW_SET_OF_FACES, &list, to);
    }
    for (int32_t i = 0; i < list.n && kind == EW_SET_OF_VERTICES && !status; i++) {
        status = add_row(to, list.id[i], 1.0 / list.n);
    }
    ew_list_free(&list);
    return status;
}

static ew_status find_displacement(const ew_model *model, const ew_goal *goal, model_slopes *in,
                                   double *value, double *gradient)
{
    const double *u = model->field[0].value;
    weighted_rows of = {0};
    double sum[3] = {0.0}, d[3];
    ew_status status =
        goal->set >= 0 ? list_rows(model, goal->set, &of) : add_row(&of, goal->vertex, 1.0);
    for (int32_t i = 0; i < of.n; i++) {
        for (int c = 0; c < 3; c++) {
            sum[c] += of.weight[i] * u[3 * (size_t)of.row[i] + (size_t)c];
        }
    }
    status = status ? status : measure(in, goal, sum, d, value);
    for (int32_t i = 0; i < of.n && gradient && !status; i++) {
        for (int c = 0; c < 3; c++) {
            gradient[3 * (size_t)of.row[i] + (size_t)c] += of.weight[i] * d[c];
        }
    }
    ew_release(of.row);
    ew_release(of.weight);
    return status;
}

/* The part of v along what is prescribed at a vertex. */
static void take_prescribed(const ew_model *model, const ew_system *rows, int32_t vertex,
                            uint8_t components, double v[3])
{
    const uint8_t fixed = rows->fixed[vertex];
    double across[3] = {v[0], v[1], v[2]};
    for (int32_t k = 0; k < model->constraints.oblique.n && fixed & EW_OBLIQUE; k++) {
        if (rows->oblique->row[k] == vertex) {
            ew_oblique_project(rows->oblique, k, across);
        }
    }
    for (int c = 0; c < 3; c++) {
        const bool counts = components >> c & 1;
        v[c] = !counts ? 0.0 : fixed >> c & 1 ? v[c] : fixed & EW_OBLIQUE ? v[c] - across[c] : 0.0;
    }
}

/* Of vertex v: what constraints exert, K u - f along what is prescribed, and springs, with both
 * added up. */
static void add_reaction(const ew_model *model, const ew_system *rows, const ew_goal *goal,
                         const double *product, int32_t vertex, double sum[3])
{
    const size_t at = 3 * (size_t)vertex;
    double force[3], drawn[3];
    for (size_t c = 0; c < 3; c++) {
        force[c] = product[at + c] - model->force.value[at + c];
    }
    take_prescribed(model, rows, vertex, goal->components, force);
    model_spring_force(model, vertex, model->field[0].value + at, drawn);
    for (int c = 0; c < 3; c++) {
        sum[c] += force[c] + (goal->components & EW_SPRING_FORCES ? drawn[c] : 0.0);
    }
}

/* The gradient is K times the directions along what is prescribed, and minus the springs' share. */
static ew_status add_reaction_gradient(ew_model *model, const ew_system *rows, const ew_goal *goal,
                                       const ew_list *vertex, const double d[3], double *gradient)
{
    double *lifted;
    EW_TRY(ew_new_zero(&lifted, 3 * (size_t)model_n_row(model), sizeof *lifted));
    for (int32_t i = 0; i < vertex->n; i++) {
        double *at = lifted + 3 * (size_t)vertex->id[i];
        memcpy(at, d, 3 * sizeof *d);
        take_prescribed(model, rows, vertex->id[i], goal->components, at);
    }
    ew_status status = model_elastic_product(model, lifted, gradient);
    if (!status && goal->components & EW_SPRING_FORCES) {
        memset(lifted, 0, model_vector_size(model));
        for (int32_t i = 0; i < vertex->n; i++) {
            memcpy(lifted + 3 * (size_t)vertex->id[i], d, 3 * sizeof *d);
        }
        EW_TRY_OUT(model_pull_faces(model, lifted));
        for (int32_t row = 0; row < model_n_spring_row(model); row++) {
            double drawn[3];
            model_spring_force(model, row, lifted + 3 * (size_t)row, drawn);
            for (size_t c = 0; c < 3; c++) {
                gradient[3 * (size_t)row + c] += drawn[c];
            }
        }
    }
out:
    ew_release(lifted);
    return status;
}

static ew_status find_reaction(ew_model *model, const ew_goal *goal, model_slopes *in,
                               const double *product, double *value, double *gradient)
{
    const ew_system rows = model_rows(model);
    ew_list vertex = {0};
    double sum[3] = {0.0}, d[3];
    ew_status status = model_pull_faces(model, model->field[0].value);
    status = status ? status : ew_model_list_vertices(model, goal->set, &vertex);
    for (int32_t i = 0; i < vertex.n && !status; i++) {
        add_reaction(model, &rows, goal, product, vertex.id[i], sum);
    }
    status = status ? status : measure(in, goal, sum, d, value);
    if (!status && gradient) {
        status = add_reaction_gradient(model, &rows, goal, &vertex, d, gradient);
    }
    ew_list_free(&vertex);
    return status;
}

/* ---- energies -------------------------------------------------------------------- */

static void find_compliance(const ew_model *model, double *value, double *gradient)
{
    const double *u = model->field[0].value, *f = model->force.value;
    *value = 0.0;
    for (size_t i = 0; i < 3 * (size_t)model_n_row(model); i++) {
        *value += f[i] * u[i];
    }
    if (gradient) {
        memcpy(gradient, f, model_vector_size(model));
    }
}

/* Half of u . K u without the springs. */
static ew_status find_energy(ew_model *model, const double *product, double *value,
                             double *gradient)
{
    const double *u = model->field[0].value;
    *value = 0.0;
    EW_TRY(model_pull_faces(model, u));
    for (int32_t row = 0; row < model_n_row(model); row++) {
        const size_t at = 3 * (size_t)row;
        double drawn[3];
        model_spring_force(model, row, u + at, drawn);
        for (size_t c = 0; c < 3; c++) {
            const double force = product[at + c] + drawn[c];
            *value += 0.5 * u[at + c] * force;
            if (gradient) {
                gradient[at + c] = force;
            }
        }
    }
    return EW_OK;
}

/* ---- all ---------------------------------------------------------------------------- */

static ew_status find(ew_model *model, const ew_goal *goal, model_slopes *in, const double *product,
                      double *value, double *gradient)
{
    switch (goal->kind) {
    case EW_GOAL_DISPLACEMENT:
        return find_displacement(model, goal, in, value, gradient);
    case EW_GOAL_REACTION:
        return find_reaction(model, goal, in, product, value, gradient);
    case EW_GOAL_COMPLIANCE:
        find_compliance(model, value, gradient);
        return EW_OK;
    case EW_GOAL_ENERGY:
        return find_energy(model, product, value, gradient);
    default:
        return model_find_stress_goal(model, goal, in, value, gradient);
    }
}

ew_status model_goal_value(ew_model *model, model_goal *goal, const double *product, double *value,
                           double *gradient)
{
    model_slopes in = {.to = goal};
    if (gradient) {
        memset(gradient, 0, model_vector_size(model));
    }
    goal->n_slope = 0;
    return find(model, &goal->goal, &in, product, value, gradient);
}

ew_status model_goal_linear_value(ew_model *model, const ew_goal *goal, const double *product,
                                  int32_t n_slope, const double *slope, double *value)
{
    model_slopes in = {.n = n_slope, .from = slope};
    return find(model, goal, &in, product, value, NULL);
}
