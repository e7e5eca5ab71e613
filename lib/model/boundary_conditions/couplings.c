/* Couplings of a model: points of a set and a reference point that moves with them. In: a list over
 * sets. Out: of rigid ones groups of rows with their six modes, of prescribed components equations.
 *
 * With weights w of points x, centroid c, r = x - c and J = sum w (|r|^2 - r r^T) the reference
 * point X has the rotation and the displacement
 *
 *     t = J^-1 sum w r x u,    U = sum w u / sum w + (c - X) x t,
 *
 * which minimize sum w |u - U - t x (x - X)|^2; they are those of a rigid motion where u is one. */
#include "model/internal.h"

#include <math.h>
#include <string.h>

/* J is singular where its determinant is below this share of the cube of its mean diagonal. */
#define IN_LINE 1e-10

/* ---- the list ---------------------------------------------------------------------------- */

ew_status ew_model_set_couplings(ew_model *model, int32_t n, const ew_model_coupling *list)
{
    model_equations *of = &model->equations;
    for (int32_t i = 0; i < n; i++) {
        const ew_model_coupling *c = &list[i];
        double sum = c->point[0] + c->point[1] + c->point[2];
        for (int k = 0; k < 6; k++) {
            sum += c->value[k];
        }
        if (c->set < 0 || c->set >= model->n_set || !isfinite(sum) || c->prescribed > 63 ||
            (model->set[c->set].kind != EW_SET_OF_VERTICES &&
             (c->is_rigid || model->set[c->set].kind != EW_SET_OF_FACES))) {
            return ew_fail_about(EW_BAD_ARGUMENT, i, -1,
                                 "coupling %d: it takes a set of vertices (faces where it is not "
                                 "rigid), not %d, and finite numbers",
                                 i + 1, c->set);
        }
    }
    if (n == of->n_coupling && (!n || !memcmp(list, of->coupling, (size_t)n * sizeof *list))) {
        return EW_OK;
    }
    EW_TRY(ew_grow(&of->coupling, &of->coupling_capacity, n, sizeof *of->coupling));
    EW_TRY(ew_grow(&of->coupling_row, &of->coupling_row_capacity, n, sizeof *of->coupling_row));
    of->n_coupling = n;
    for (int32_t i = 0; i < n; i++) {
        of->coupling[i] = list[i];
    }
    of->is_current = false;
    model_forget_row_changes(model);
    model->dynamics.has_changed = true;
    return EW_OK;
}

/* ---- points ------------------------------------------------------------------------------ */

/* A vertex, or the middle of a side: its ends and the row of its edge. */
typedef struct point {
    int32_t n, row[3];
    double share[3], weight, x[3];
} point;

typedef struct frame {
    int32_t n, capacity;
    point *at; /* owned */
    double weight, center[3], inertia[3][3], inverse[3][3];
} frame;

static ew_status add_vertex(const ew_model *model, frame *to, int32_t v, double weight)
{
    EW_TRY(ew_grow(&to->at, &to->capacity, (int64_t)to->n + 1, sizeof *to->at));
    point *made = &to->at[to->n++];
    *made = (point){.n = 1, .row = {v}, .share = {1.0}, .weight = weight};
    memcpy(made->x, model->mesh.xyz + 3 * (size_t)v, sizeof made->x);
    return EW_OK;
}

static ew_status add_middle(const ew_model *model, frame *to, int32_t a, int32_t b, double weight)
{
    const ew_edge_rows *rows = &model->quadratic.rows;
    const int32_t own = model_row_between(model, a, b);
    EW_TRY(ew_grow(&to->at, &to->capacity, (int64_t)to->n + 1, sizeof *to->at));
    point *made = &to->at[to->n++];
    *made = (point){.n = own < 0 ? 2 : 3,
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

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int c = 0; c < 3; c++) {
        out[c] = a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3];
    }
}

/* A third of its area at each corner, or where tets are quadratic in the middle of each side: both
 * give the mean of what varies along it as displacements do. */
static ew_status add_face(const ew_model *model, frame *to, int32_t code)
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
    cross(a, b, normal);
    const double third = hypot(hypot(normal[0], normal[1]), normal[2]) / 6.0;
    for (int k = 0; k < 3; k++) {
        EW_TRY(model_has_edges(model) ? add_middle(model, to, v[k], v[(k + 1) % 3], third)
                                      : add_vertex(model, to, v[k], third));
    }
    return EW_OK;
}

static ew_status add_points(ew_model *model, const ew_model_coupling *of, frame *to)
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

static void add_inertia(double inertia[3][3], double weight, const double r[3])
{
    const double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    for (int c = 0; c < 9; c++) {
        inertia[c / 3][c % 3] += weight * ((c % 4 ? 0.0 : square) - r[c / 3] * r[c % 3]);
    }
}

/* False: it is singular. */
static bool invert(double a[3][3], double inverse[3][3])
{
    double minor[3][3];
    for (int c = 0; c < 3; c++) {
        cross(a[(c + 1) % 3], a[(c + 2) % 3], minor[c]);
    }
    const double det = a[0][0] * minor[0][0] + a[0][1] * minor[0][1] + a[0][2] * minor[0][2];
    const double mean = (a[0][0] + a[1][1] + a[2][2]) / 3.0;
    for (int c = 0; c < 9; c++) {
        inverse[c / 3][c % 3] = minor[c % 3][c / 3] / det;
    }
    return det > IN_LINE * mean * mean * mean;
}

static ew_status make_frame(ew_model *model, int32_t i, frame *to)
{
    const ew_model_coupling *of = &model->equations.coupling[i];
    *to = (frame){.n = 0};
    EW_TRY(add_points(model, of, to));
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
        add_inertia(to->inertia, to->at[k].weight, to->at[k].x);
    }
    return invert(to->inertia, to->inverse)
               ? EW_OK
               : ew_fail_about(EW_BAD_INPUT, model->equations.n + i, -1,
                               "coupling %d: the %d points of set '%.60s' lie on a line, so that "
                               "they have no rotation; it takes three that do not",
                               i + 1, to->n, model->set[of->set].name);
}

/* What a point contributes to component m of the reference point: 0 to 2 displacement, 3 to 5
 * rotation. */
static void factor_of(const frame *of, const double reference[3], const point *at, int m,
                      double out[3])
{
    double axis[3] = {m % 3 == 0, m % 3 == 1, m % 3 == 2}, arm[3], turn[3];
    if (m < 3) {
        for (int c = 0; c < 3; c++) {
            arm[c] = of->center[c] - reference[c];
        }
        cross(axis, arm, turn);
        memcpy(axis, turn, sizeof axis);
    }
    for (int c = 0; c < 3; c++) {
        turn[c] =
            of->inverse[c][0] * axis[0] + of->inverse[c][1] * axis[1] + of->inverse[c][2] * axis[2];
    }
    cross(turn, at->x, out);
    for (int c = 0; c < 3; c++) {
        out[c] = at->weight * (out[c] + (m < 3 && c == m ? 1.0 / of->weight : 0.0));
    }
}

/* ---- rigid groups ------------------------------------------------------------------------ */

/* Columns of the inverse of the transposed Cholesky factor: modes of rotation about them are
 * orthonormal. */
static void find_axes(double j[3][3], double axis[3][3])
{
    double l[3][3] = {{0}};
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b <= a; b++) {
            double sum = j[a][b];
            for (int k = 0; k < b; k++) {
                sum -= l[a][k] * l[b][k];
            }
            l[a][b] = a == b ? sqrt(sum) : sum / l[b][b];
        }
    }
    for (int m = 0; m < 3; m++) { /* L^T x = e_m */
        for (int a = 2; a >= 0; a--) {
            double sum = a == m;
            for (int k = a + 1; k < 3; k++) {
                sum -= l[k][a] * axis[m][k];
            }
            axis[m][a] = sum / l[a][a];
        }
    }
}

/* A row with the modes so far: of rotations the arm. */
static ew_status push_row(model_equations *to, int32_t row, double share, const double arm[3])
{
    const int32_t at = to->rigid_begin[to->n_rigid + 1]++;
    EW_TRY(
        ew_grow(&to->rigid_row, &to->rigid_row_capacity, (int64_t)at + 1, sizeof *to->rigid_row));
    EW_TRY(ew_grow(&to->mode, &to->mode_capacity, (int64_t)at + 1, 18 * sizeof *to->mode));
    double *mode = to->mode + 18 * (size_t)at;
    memset(mode, 0, 18 * sizeof *mode);
    for (int c = 0; c < 3; c++) {
        mode[6 * c + c] = share;
        mode[6 * c + 3] = arm[c];
    }
    to->rigid_row[at] = row;
    return EW_OK;
}

/* Edges between vertices of the group, where supports of the same set would prescribe them. */
static ew_status push_edges(ew_model *model, const ew_set *set, int32_t vertex, double j[3][3])
{
    const ew_constraint line = {.vertex = set};
    const bool by_faces = ew_constraint_has_face(&model->mesh, &model->topology, &line);
    const ew_edge_rows *rows = &model->quadratic.rows;
    int32_t n;
    const int32_t *item = ew_pattern_items(&model->topology.pattern, vertex, &n);
    for (int32_t k = 0; k < n; k++) {
        const int32_t edge = item[2 * k + 1], own = rows->row[edge];
        if (item[2 * k] > vertex && own >= 0 &&
            ew_constraint_has_edge(&model->mesh, &model->topology, &line, by_faces, edge)) {
            const double *curve = rows->curve ? rows->curve + 3 * (size_t)own : (double[3]){0};
            add_inertia(j, 1.0, curve);
            EW_TRY(push_row(&model->equations, model->mesh.n_vertex + own, 0.0, curve));
        }
    }
    return EW_OK;
}

static void finish_modes(model_equations *to, double j[3][3])
{
    double axis[3][3];
    find_axes(j, axis);
    for (int32_t i = to->rigid_begin[to->n_rigid]; i < to->rigid_begin[to->n_rigid + 1]; i++) {
        double *mode = to->mode + 18 * (size_t)i;
        const double arm[3] = {mode[3], mode[9], mode[15]};
        for (int m = 0; m < 3; m++) {
            double v[3];
            cross(axis[m], arm, v);
            for (int c = 0; c < 3; c++) {
                mode[6 * c + 3 + m] = v[c];
            }
        }
    }
}

/* A row is in one group alone. */
static ew_status check_rows(ew_model *model, int32_t i)
{
    model_equations *of = &model->equations;
    ew_set seen = {0};
    ew_status status = EW_OK;
    for (int32_t k = 0; k < of->rigid_begin[of->n_rigid + 1] && !status; k++) {
        if (ew_set_has(&seen, of->rigid_row[k])) {
            status = ew_fail_about(EW_BAD_INPUT, of->n + i, -1,
                                   "coupling %d: vertices of set '%.60s' are in another rigid "
                                   "coupling, too; make one coupling of both sets",
                                   i + 1, model->set[of->coupling[i].set].name);
        }
        status = status ? status : ew_set_add(&seen, of->rigid_row[k]);
    }
    ew_set_free(&seen);
    return status;
}

static ew_status add_group(ew_model *model, int32_t i, const frame *of)
{
    model_equations *to = &model->equations;
    const ew_set *set = &model->set[to->coupling[i].set].member.set;
    double j[3][3];
    EW_TRY(ew_grow(&to->rigid_begin, &to->rigid_begin_capacity, (int64_t)to->n_rigid + 2,
                   sizeof *to->rigid_begin));
    to->rigid_begin[0] = 0;
    to->rigid_begin[to->n_rigid + 1] = to->rigid_begin[to->n_rigid];
    memcpy(j, of->inertia, sizeof j);
    for (int32_t k = 0; k < of->n; k++) {
        EW_TRY(push_row(to, of->at[k].row[0], 1.0 / sqrt((double)of->n), of->at[k].x));
    }
    for (int32_t k = 0; k < of->n && model_has_edges(model); k++) {
        EW_TRY(push_edges(model, set, of->at[k].row[0], j));
    }
    finish_modes(to, j);
    EW_TRY(check_rows(model, i));
    to->n_rigid++;
    return EW_OK;
}

/* ---- prescribed components --------------------------------------------------------------- */

static ew_status add_component(ew_model *model, int32_t i, const frame *of, int m)
{
    model_equations *to = &model->equations;
    EW_TRY(model_begin_equation(to, to->n + i));
    for (int32_t k = 0; k < of->n; k++) {
        double factor[3];
        factor_of(of, to->coupling[i].point, &of->at[k], m, factor);
        for (int32_t r = 0; r < of->at[k].n; r++) {
            EW_TRY(model_push_terms(to, of->at[k].row[r], of->at[k].share[r], factor));
        }
    }
    to->value[to->n_row++] = to->coupling[i].value[m];
    return EW_OK;
}

static ew_status add_coupling(ew_model *model, int32_t i)
{
    model_equations *to = &model->equations;
    frame of;
    ew_status status = make_frame(model, i, &of);
    if (!status && to->coupling[i].is_rigid) {
        status = add_group(model, i, &of);
    }
    to->coupling_row[i] = to->n_row;
    for (int m = 0; m < 6 && !status; m++) {
        status = to->coupling[i].prescribed >> m & 1 ? add_component(model, i, &of, m) : EW_OK;
    }
    ew_release(of.at);
    return status;
}

ew_status model_make_couplings(ew_model *model)
{
    model_equations *of = &model->equations;
    of->n_rigid = of->n_lost_coupling = 0;
    for (int32_t i = 0; i < of->n_coupling; i++) {
        bool usable;
        if (model_require_members(model, of->coupling[i].set, &usable)) {
            const ew_failure failure = *ew_last_failure();
            return ew_fail_about(EW_BAD_INPUT, of->n + i, -1, "coupling %d: %s", i + 1,
                                 failure.text);
        }
        of->coupling_row[i] = -1;
        of->n_lost_coupling += !usable;
        EW_TRY(usable ? add_coupling(model, i) : EW_OK);
    }
    of->list.rigid = (ew_rigid_rows){of->n_rigid, of->rigid_begin, of->rigid_row, of->mode};
    return EW_OK;
}

/* ---- what is shown of them --------------------------------------------------------------- */

ew_status ew_model_view_coupling(ew_model *model, int32_t place, ew_model_coupling_report *report)
{
    model_equations *of = &model->equations;
    const double *u = model->field[0].value;
    const bool is_known = of->multiplier && model->fields_revision == model->mesh.revision;
    frame at;
    *report = (ew_model_coupling_report){.is_lost = true};
    if (place < 0 || place >= of->n_coupling) {
        return ew_fail(EW_BAD_ARGUMENT, "model: there is no coupling %d of %d", place + 1,
                       of->n_coupling);
    }
    if (!of->is_current || of->coupling_row[place] < 0) {
        return EW_OK;
    }
    report->is_lost = false;
    ew_status status = make_frame(model, place, &at);
    for (int m = 0, n = 0; m < 6 && !status; m++) {
        double value = 0.0;
        for (int32_t k = 0; k < at.n; k++) {
            double f[3];
            factor_of(&at, of->coupling[place].point, &at.at[k], m, f);
            for (int32_t r = 0; r < at.at[k].n; r++) {
                const double *v = u + 3 * (size_t)at.at[k].row[r];
                value += at.at[k].share[r] * (f[0] * v[0] + f[1] * v[1] + f[2] * v[2]);
            }
        }
        report->motion[m] = value;
        if (of->coupling[place].prescribed >> m & 1) {
            report->reaction[m] = is_known ? of->multiplier[of->coupling_row[place] + n] : 0.0;
            n++;
        }
    }
    ew_release(at.at);
    return status;
}
