/* Points of a coupling and how they move as a whole. In: a set, a displacement. Out: centroid,
 * rotation, and what a displacement of each point adds to them.
 *
 * With large rotations the rotation R is that nearest to sum w x' r^T, x' and r being arms of the
 * points as they are and as they were. It turns by
 *
 *     d = (tr(S) 1 - S)^-1 sum w R r x du,   S = sum w x' (R r)^T,
 *
 * and the rotation vector, of length the angle, by J^-1 d, J being the left Jacobian of rotations
 * (Sola, Deray & Atchuthan 2018, A micro Lie theory for state estimation in robotics, equation
 * 146). At small displacements R = 1. */
#include "model/boundary_conditions/coupling_frame.h"
#include "polar.h"

#include <math.h>
#include <string.h>

/* J is singular where its determinant is below this share of the cube of its mean diagonal. */
#define IN_LINE 1e-10

static ew_status add_vertex(const ew_model *model, model_frame *to, int32_t v, double weight)
{
    EW_TRY(ew_grow(&to->at, &to->capacity, (int64_t)to->n + 1, sizeof *to->at));
    model_frame_point *made = &to->at[to->n++];
    *made = (model_frame_point){.n = 1, .row = {v}, .share = {1.0}, .weight = weight};
    memcpy(made->x, model->mesh.xyz + 3 * (size_t)v, sizeof made->x);
    return EW_OK;
}

static ew_status add_middle(const ew_model *model, model_frame *to, int32_t a, int32_t b,
                            double weight)
{
    const ew_edge_rows *rows = &model->quadratic.rows;
    const int32_t own = model_row_between(model, a, b);
    EW_TRY(ew_grow(&to->at, &to->capacity, (int64_t)to->n + 1, sizeof *to->at));
    model_frame_point *made = &to->at[to->n++];
    *made = (model_frame_point){.n = own < 0 ? 2 : 3,
                                .row = {a, b, model->mesh.n_vertex + own},
                                .share = {0.5, 0.5, 1.0},
                                .weight = weight};
    for (int c = 0; c < 3; c++) {
        made->x[c] = 0.5 * (model->mesh.xyz[3 * (size_t)a + (size_t)c] +
                            model->mesh.xyz[3 * (size_t)b + (size_t)c]) +
                     (own >= 0 && rows->curve ? rows->curve[3 * (size_t)own + (size_t)c] : 0.0);
    }
    return EW_OK;
}

/* A third of its area at each corner, or where tets are quadratic in the middle of each side: both
 * give the mean of what varies along it as displacements do. */
static ew_status add_face(const ew_model *model, model_frame *to, int32_t code)
{
    int32_t v[3];
    double a[3], b[3], normal[3];
    for (int k = 0; k < 3; k++) {
        v[k] = model->mesh.tet[4 * (size_t)(code / 4) + (size_t)ew_face_vertex[code % 4][k]];
    }
    for (int c = 0; c < 3; c++) {
        const double *x = model->mesh.xyz + c;
        a[c] = x[3 * (size_t)v[1]] - x[3 * (size_t)v[0]];
        b[c] = x[3 * (size_t)v[2]] - x[3 * (size_t)v[0]];
    }
    model_cross(a, b, normal);
    const double third = hypot(hypot(normal[0], normal[1]), normal[2]) / 6.0;
    for (int k = 0; k < 3; k++) {
        EW_TRY(model_has_edges(model) ? add_middle(model, to, v[k], v[(k + 1) % 3], third)
                                      : add_vertex(model, to, v[k], third));
    }
    return EW_OK;
}

static ew_status add_points(ew_model *model, const ew_model_coupling *of, model_frame *to)
{
    const model_set *set = &model->set[of->set];
    const ew_list *member = &set->member.set.list;
    for (int32_t i = 0; i < member->n; i++) {
        if (set->kind == EW_SET_OF_FACES) {
            EW_TRY(add_face(model, to, model->boundary.code[member->id[i]]));
        } else if (ew_mesh_vertex_is_active(&model->mesh, member->id[i])) {
            EW_TRY(add_vertex(model, to, member->id[i], 1.0));
        }
    }
    return EW_OK;
}

/* False: it is singular. */
static bool invert(double a[3][3], double inverse[3][3])
{
    double minor[3][3];
    for (int c = 0; c < 3; c++) {
        model_cross(a[(c + 1) % 3], a[(c + 2) % 3], minor[c]);
    }
    const double det = a[0][0] * minor[0][0] + a[0][1] * minor[0][1] + a[0][2] * minor[0][2];
    const double mean = (a[0][0] + a[1][1] + a[2][2]) / 3.0;
    for (int c = 0; c < 9; c++) {
        inverse[c / 3][c % 3] = minor[c % 3][c / 3] / det;
    }
    return det > IN_LINE * mean * mean * mean;
}

/* The points less their centroid. */
static void take_center(model_frame *to)
{
    for (int32_t k = 0; k < to->n; k++) {
        to->weight += to->at[k].weight;
        for (int c = 0; c < 3; c++) {
            to->center[c] += to->at[k].weight * to->at[k].x[c];
        }
    }
    for (int c = 0; c < 3; c++) {
        to->center[c] /= to->weight;
    }
    for (int32_t k = 0; k < to->n; k++) {
        for (int c = 0; c < 3; c++) {
            to->at[k].x[c] -= to->center[c];
        }
    }
}

static void point_displacement(const ew_model *model, const model_frame_point *at, double u[3])
{
    for (int c = 0; c < 3; c++) {
        u[c] = 0.0;
        for (int32_t r = 0; r < at->n; r++) {
            u[c] += at->share[r] * model->field[0].value[3 * (size_t)at->row[r] + (size_t)c];
        }
    }
}

void model_turn(const double turn[9], const double a[3], double out[3])
{
    for (int c = 0; c < 3; c++) {
        out[c] = turn[3 * c] * a[0] + turn[3 * c + 1] * a[1] + turn[3 * c + 2] * a[2];
    }
}

/* Arms turn with the points as a whole; `inertia` becomes tr(S) 1 - S. */
static void turn_arms(const ew_model *model, model_frame *to)
{
    double sum[9] = {0.0}, u[3], s[3][3] = {{0.0}};
    for (int32_t k = 0; k < to->n; k++) {
        point_displacement(model, &to->at[k], u);
        for (int c = 0; c < 3; c++) {
            to->moved[c] += to->at[k].weight / to->weight * u[c];
        }
    }
    for (int32_t k = 0; k < to->n; k++) {
        point_displacement(model, &to->at[k], u);
        for (int i = 0; i < 9; i++) {
            const double *r = to->at[k].x;
            sum[i] += to->at[k].weight * (r[i / 3] + u[i / 3] - to->moved[i / 3]) * r[i % 3];
        }
    }
    ew_polar_rotation(sum, to->turn);
    for (int32_t k = 0; k < to->n; k++) {
        const double r[3] = {to->at[k].x[0], to->at[k].x[1], to->at[k].x[2]};
        model_turn(to->turn, r, to->at[k].x);
    }
    for (int i = 0; i < 9; i++) { /* S = sum R^T */
        for (int m = 0; m < 3; m++) {
            s[i / 3][i % 3] += sum[3 * (i / 3) + m] * to->turn[3 * (i % 3) + m];
        }
    }
    for (int i = 0; i < 9; i++) {
        to->inertia[i / 3][i % 3] =
            (i % 4 ? 0.0 : s[0][0] + s[1][1] + s[2][2]) - 0.5 * (s[i / 3][i % 3] + s[i % 3][i / 3]);
    }
}

/* The rotation vector, and the inverse of the left Jacobian there. */
static void find_rotation(model_frame *to)
{
    const double *r = to->turn, twice[3] = {r[7] - r[5], r[2] - r[6], r[3] - r[1]};
    const double sine = 0.5 * sqrt(twice[0] * twice[0] + twice[1] * twice[1] + twice[2] * twice[2]);
    const double angle = atan2(sine, 0.5 * (r[0] + r[4] + r[8] - 1.0));
    double *w = to->rotation;
    for (int c = 0; c < 3; c++) {
        w[c] = 0.5 * twice[c] * (sine > 0.0 ? angle / sine : 1.0);
    }
    const double square = angle * angle;
    const double share =
        angle > 1e-3 ? (1.0 - 0.5 * angle * (1.0 + cos(angle)) / sin(angle)) / square : 1.0 / 12.0;
    for (int i = 0; i < 9; i++) { /* 1 - [w] / 2 + share [w]^2, [w]^2 = w w^T - |w|^2 1 */
        const int a = i / 3, b = i % 3, c = 3 - a - b;
        const double cross_of = a == b ? 0.0 : (b - a + 3) % 3 == 1 ? -w[c] : w[c];
        to->rate[a][b] =
            (a == b ? 1.0 - share * square : 0.0) - 0.5 * cross_of + share * w[a] * w[b];
    }
}

static ew_status make(ew_model *model, int32_t i, model_frame *to)
{
    const ew_model_coupling *of = &model->equations.coupling[i];
    EW_TRY(add_points(model, of, to));
    take_center(to);
    if (model_has_large_rotations(model)) {
        turn_arms(model, to);
        find_rotation(to);
    } else {
        for (int32_t k = 0; k < to->n; k++) {
            model_add_inertia(to->inertia, to->at[k].weight, to->at[k].x);
        }
    }
    return invert(to->inertia, to->inverse)
               ? EW_OK
               : ew_fail_about(EW_BAD_INPUT, model->equations.n + i, -1,
                               "coupling %d: the %d points of set '%.60s' lie on a line, so that "
                               "they have no rotation; it takes three that do not",
                               i + 1, to->n, model->set[of->set].name);
}

ew_status model_make_frame(ew_model *model, int32_t i, model_frame *to)
{
    *to = (model_frame){.turn = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                        .rate = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    const ew_status status = make(model, i, to);
    if (status) {
        ew_release(to->at);
        to->at = NULL;
    }
    return status;
}

void model_frame_motion(const model_frame *of, const double reference[3], double motion[6])
{
    double arm[3], turned[3];
    for (int c = 0; c < 3; c++) {
        arm[c] = reference[c] - of->center[c];
    }
    model_turn(of->turn, arm, turned);
    for (int c = 0; c < 3; c++) {
        motion[c] = of->moved[c] + turned[c] - arm[c];
        motion[3 + c] = of->rotation[c];
    }
}

void model_frame_factor(const model_frame *of, const double reference[3],
                        const model_frame_point *at, int m, double out[3])
{
    double axis[3] = {m % 3 == 0, m % 3 == 1, m % 3 == 2}, arm[3], turn[3];
    if (m >= 3) {
        memcpy(axis, of->rate[m - 3], sizeof axis);
    } else {
        double before[3];
        for (int c = 0; c < 3; c++) {
            before[c] = of->center[c] - reference[c];
        }
        model_turn(of->turn, before, arm);
        model_cross(axis, arm, turn);
        memcpy(axis, turn, sizeof axis);
    }
    for (int c = 0; c < 3; c++) {
        turn[c] =
            of->inverse[c][0] * axis[0] + of->inverse[c][1] * axis[1] + of->inverse[c][2] * axis[2];
    }
    model_cross(turn, at->x, out);
    for (int c = 0; c < 3; c++) {
        out[c] = at->weight * (out[c] + (m < 3 && c == m ? 1.0 / of->weight : 0.0));
    }
}
