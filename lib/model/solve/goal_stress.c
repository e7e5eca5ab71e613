/* Goals of stresses: their values and derivatives by the displacement. In: a model whose matrix,
 * loads and supports are current. They are sums over points, of which each is a mean over corners
 * of tets: a tet by itself, or a vertex with the tets around it as a recovery averages them. */
#include "model/solve/goals.h"
#include "model/state/set_parts.h"

#include <math.h>
#include <string.h>

/* The measure of n numbers, which has these slopes where none are given; d gets those that count.
 */
ew_status model_take_slopes(model_slopes *in, int n, const double *s, double *d, double *value)
{
    model_goal *to = in->to;
    if (to) {
        EW_TRY(
            ew_grow(&to->slope, &to->slope_capacity, (int64_t)to->n_slope + n, sizeof *to->slope));
        memcpy(to->slope + to->n_slope, d, (size_t)n * sizeof *d);
        to->n_slope += n;
    } else if (in->at + n > in->n) {
        return ew_fail(EW_BAD_ARGUMENT, "goal: it has %d slopes, those given are of another goal",
                       in->n);
    } else {
        memcpy(d, in->from + in->at, (size_t)n * sizeof *d);
        in->at += n;
    }
    *value = 0.0;
    for (int c = 0; c < n; c++) {
        *value += d[c] * s[c];
    }
    return EW_OK;
}

enum { STRESS_TETS = 256 };
/* A mean stress: tets and the shares of their corners, 1 in all. */
typedef struct stress_point {
    int n;
    int32_t tet[STRESS_TETS];
    double share[STRESS_TETS][4];
} stress_point;

typedef struct stress_sum {
    const ew_model *model;
    const ew_goal *goal;
    ew_edge_values values;
    const ew_edge_values *edges; /* or null */
    model_slopes *slopes;
    double value;
    double *gradient; /* or null */
} stress_sum;

static void stress_at(const stress_sum *in, const stress_point *point, double stress[6])
{
    const ew_model *model = in->model;
    memset(stress, 0, 6 * sizeof *stress);
    for (int i = 0; i < point->n; i++) {
        double corner[4][6];
        ew_corner_stress(&model->mesh, &model->materials, model->n_load_line, model->load_line,
                         model->field[0].value, in->edges, point->tet[i], corner);
        for (int k = 0; k < 24; k++) {
            stress[k % 6] += point->share[i][k / 6] * corner[k / 6][k % 6];
        }
    }
}

/* The slopes of the number that the goal takes of a stress. */
static void find_slopes(const ew_goal *goal, const double s[6], double d[6])
{
    const double mises = goal->kind == EW_GOAL_STRESS ? 0.0 : ew_von_mises(s);
    const double mean = (s[0] + s[1] + s[2]) / 3.0;
    for (int c = 0; c < 6; c++) {
        d[c] = goal->kind == EW_GOAL_STRESS ? c == goal->component
               : mises == 0.0               ? 0.0
               : c < 3                      ? 1.5 * (s[c] - mean) / mises
                                            : 3.0 * s[c] / mises;
    }
}

static ew_status add_point(stress_sum *to, const stress_point *point, double weight)
{
    const ew_model *model = to->model;
    double stress[6], d[6], part[4][6], number = 0.0;
    stress_at(to, point, stress);
    find_slopes(to->goal, stress, d);
    EW_TRY(model_take_slopes(to->slopes, 6, stress, d, &number));
    to->value += weight * number;
    for (int i = 0; i < point->n && to->gradient; i++) {
        for (int k = 0; k < 24; k++) {
            part[k / 6][k % 6] = weight * point->share[i][k / 6] * d[k % 6];
        }
        ew_corner_stress_gradient(&model->mesh, &model->materials, to->edges, point->tet[i], part,
                                  to->gradient);
    }
    return EW_OK;
}

static ew_status add_tet(stress_sum *to, int32_t tet, double weight)
{
    stress_point point;
    point.n = 1;
    point.tet[0] = tet;
    for (int a = 0; a < 4; a++) {
        point.share[0][a] = 0.25;
    }
    return add_point(to, &point, weight);
}

static bool is_alike(const ew_model *model, int32_t a, int32_t b)
{
    const ew_material *of = model->materials.material;
    const int32_t r = model->mesh.region[a], s = model->mesh.region[b];
    return r == s || !memcmp(&of[r], &of[s], sizeof of[r]);
}

static bool tet_has_edges(const stress_sum *in, int32_t tet)
{
    return in->edges && ew_edge_rows_have(in->edges->rows, in->edges->topology, tet);
}

/* The tets at a vertex with the material of one of them: where some are quadratic these alone, each
 * by its corner there, else all by volume. */
static ew_status find_around(const stress_sum *in, int32_t vertex, int32_t like,
                             stress_point *point)
{
    const ew_model *model = in->model;
    const ew_rows *rows = &model->topology.vertex_to_tet;
    const int32_t *tet = rows->item + rows->begin[vertex];
    double sum = 0.0;
    bool any = false;
    for (int32_t i = 0; i < rows->count[vertex]; i++) {
        any = any || (is_alike(model, tet[i], like) && tet_has_edges(in, tet[i]));
    }
    point->n = 0;
    for (int32_t i = 0; i < rows->count[vertex]; i++) {
        if (!is_alike(model, tet[i], like) || (any && !tet_has_edges(in, tet[i]))) {
            continue;
        }
        if (point->n == STRESS_TETS) {
            return ew_fail(EW_BAD_INPUT, "goal: vertex %d has more than %d tets around it",
                           (int)vertex, STRESS_TETS);
        }
        const int32_t *of = model->mesh.tet + 4 * (size_t)tet[i];
        const double weight = any ? 1.0 : 0.25 * ew_mesh_tet_volume(&model->mesh, tet[i]);
        for (int a = 0; a < 4; a++) {
            point->share[point->n][a] = !any || of[a] == vertex ? weight : 0.0;
        }
        point->tet[point->n++] = tet[i];
        sum += any ? weight : 4.0 * weight;
    }
    for (int i = 0; i < 4 * point->n; i++) {
        point->share[i / 4][i % 4] /= sum;
    }
    return EW_OK;
}

/* like: a tet on whose side materials meet; -1: that of the largest von Mises stress. */
static ew_status add_vertex(stress_sum *to, int32_t vertex, int32_t like, double weight)
{
    const ew_rows *rows = &to->model->topology.vertex_to_tet;
    const int32_t *tet = rows->item + rows->begin[vertex];
    stress_point point;
    double most = -1.0;
    for (int32_t i = 0; i < rows->count[vertex] && like < 0; i++) {
        double stress[6];
        bool is_new = true;
        for (int32_t k = 0; k < i; k++) {
            is_new = is_new && !is_alike(to->model, tet[i], tet[k]);
        }
        if (is_new) {
            EW_TRY(find_around(to, vertex, tet[i], &point));
            stress_at(to, &point, stress);
            like = ew_von_mises(stress) > most ? -2 - tet[i] : like;
            most = fmax(most, ew_von_mises(stress));
        }
    }
    like = like < -1 ? -2 - like : like;
    EW_TRY(find_around(to, vertex, like, &point));
    return add_point(to, &point, weight);
}

static ew_status add_faces(stress_sum *to, const ew_list *face)
{
    double size = 0.0;
    for (int32_t i = 0; i < face->n; i++) {
        size += model_part_of_set(to->model, true, face->id[i]).size;
    }
    for (int32_t i = 0; i < face->n; i++) {
        const model_set_part of = model_part_of_set(to->model, true, face->id[i]);
        for (int k = 0; k < 3; k++) {
            EW_TRY(add_vertex(to, of.corner[k], face->id[i] / 4, of.of_corner[k] / size));
        }
    }
    return EW_OK;
}

static ew_status add_set(stress_sum *to)
{
    const ew_model *model = to->model;
    const int32_t set = to->goal->set;
    const ew_set_kind kind = model->set[set].kind;
    ew_list list = {0};
    double size = 0.0;
    ew_status status = kind == EW_SET_OF_VERTICES ? ew_model_list_vertices(model, set, &list)
                       : kind == EW_SET_OF_FACES  ? ew_model_list_faces(model, set, &list)
                                                  : ew_model_list_tets(model, set, &list);
    if (!status && kind == EW_SET_OF_FACES) {
        status = add_faces(to, &list);
    }
    for (int32_t i = 0; i < list.n && !status && kind == EW_SET_OF_VERTICES; i++) {
        status = add_vertex(to, list.id[i], -1, 1.0 / list.n);
    }
    for (int32_t i = 0; i < list.n && !status && kind == EW_SET_OF_TETS; i++) {
        size += model_part_of_set(model, false, list.id[i]).size;
    }
    for (int32_t i = 0; i < list.n && !status && kind == EW_SET_OF_TETS; i++) {
        status = add_tet(to, list.id[i], model_part_of_set(model, false, list.id[i]).size / size);
    }
    ew_list_free(&list);
    return status;
}

ew_status model_find_stress_goal(const ew_model *model, const ew_goal *goal, model_slopes *in,
                                 double *value, double *gradient)
{
    stress_sum sum = {.model = model, .goal = goal, .slopes = in, .gradient = gradient};
    ew_status status = EW_OK;
    sum.edges = model_edge_values(model, &sum.values);
    if (goal->set >= 0) {
        status = add_set(&sum);
    } else if (goal->tet >= 0) {
        status = add_tet(&sum, goal->tet, 1.0);
    } else {
        status = add_vertex(&sum, goal->vertex, -1, 1.0);
    }
    *value = sum.value;
    return status;
}
