/* Couplings of a model: points of a set and a reference point that moves with them. In: a list over
 * sets. Out: of rigid ones groups of rows with their six modes, of prescribed components equations.
 *
 * With weights w of points x, centroid c, r = x - c and J = sum w (|r|^2 - r r^T) the reference
 * point X has the rotation and the displacement
 *
 *     t = J^-1 sum w r x u,    U = sum w u / sum w + (c - X) x t,
 *
 * which minimize sum w |u - U - t x (x - X)|^2; they are those of a rigid motion where u is one. */
#include "model/boundary_conditions/coupling_frame.h"

#include <math.h>
#include <string.h>

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
    model_forget_equations(model);
    model_forget_row_changes(model);
    model->dynamics.has_changed = true;
    return EW_OK;
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
static ew_status push_edges(ew_model *model, const ew_set *set, int32_t vertex,
                            const double turn[9], double j[3][3])
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
            double curve[3] = {0.0, 0.0, 0.0};
            if (rows->curve) {
                model_turn(turn, rows->curve + 3 * (size_t)own, curve);
            }
            model_add_inertia(j, 1.0, curve);
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
            model_cross(axis[m], arm, v);
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

static ew_status add_group(ew_model *model, int32_t i, const model_frame *of)
{
    model_equations *to = &model->equations;
    const ew_set *set = &model->set[to->coupling[i].set].member.set;
    double j[3][3];
    EW_TRY(ew_grow(&to->rigid_begin, &to->rigid_begin_capacity, (int64_t)to->n_rigid + 2,
                   sizeof *to->rigid_begin));
    to->rigid_begin[0] = 0;
    to->rigid_begin[to->n_rigid + 1] = to->rigid_begin[to->n_rigid];
    memset(j, 0, sizeof j);
    for (int32_t k = 0; k < of->n; k++) {
        model_add_inertia(j, of->at[k].weight, of->at[k].x);
        EW_TRY(push_row(to, of->at[k].row[0], 1.0 / sqrt((double)of->n), of->at[k].x));
    }
    for (int32_t k = 0; k < of->n && model_has_edges(model); k++) {
        EW_TRY(push_edges(model, set, of->at[k].row[0], of->turn, j));
    }
    finish_modes(to, j);
    EW_TRY(check_rows(model, i));
    to->n_rigid++;
    return EW_OK;
}

/* Rows of the group of the coupling: vertices first, in the order of the frame. */
static void keep_group(ew_model *model, const model_frame *of, int32_t group)
{
    const model_equations *all = &model->equations;
    const double *curve = model->quadratic.rows.curve;
    const int32_t n_vertex = model->mesh.n_vertex;
    for (int32_t i = all->rigid_begin[group]; i < all->rigid_begin[group + 1]; i++) {
        const int32_t row = all->rigid_row[i];
        const bool is_edge = row >= n_vertex;
        double arm[3] = {0.0, 0.0, 0.0}, turned[3];
        for (int c = 0; c < 3 && !is_edge; c++) {
            arm[c] = model->mesh.xyz[3 * (size_t)row + (size_t)c] - of->center[c];
        }
        if (is_edge && curve) {
            memcpy(arm, curve + 3 * (size_t)(row - n_vertex), sizeof arm);
        }
        model_turn(of->turn, arm, turned);
        for (int c = 0; c < 3; c++) {
            model->field[0].value[3 * (size_t)row + (size_t)c] =
                (is_edge ? 0.0 : of->moved[c]) + turned[c] - arm[c];
        }
    }
}

ew_status model_keep_rigid(ew_model *model)
{
    const model_equations *of = &model->equations;
    const int32_t n = model_has_large_rotations(model) && of->n_rigid ? of->n_coupling : 0;
    for (int32_t i = 0, group = 0; i < n; i++) {
        model_frame frame;
        if (!of->coupling[i].is_rigid || of->coupling_row[i] < 0) {
            continue;
        }
        EW_TRY(model_make_frame(model, i, &frame));
        keep_group(model, &frame, group++);
        ew_release(frame.at);
    }
    return EW_OK;
}

/* ---- prescribed components --------------------------------------------------------------- */

/* With large rotations the terms are of a further displacement. */
static ew_status add_component(ew_model *model, int32_t i, const model_frame *of, int m)
{
    model_equations *to = &model->equations;
    double motion[6], sum = 0.0;
    EW_TRY(model_begin_equation(to, to->n + i));
    for (int32_t k = 0; k < of->n; k++) {
        double factor[3];
        model_frame_factor(of, to->coupling[i].point, &of->at[k], m, factor);
        for (int32_t r = 0; r < of->at[k].n; r++) {
            EW_TRY(model_push_terms(to, of->at[k].row[r], of->at[k].share[r], factor));
        }
    }
    for (int32_t k = to->begin[to->n_row]; k < to->begin[to->n_row + 1]; k++) {
        sum += to->factor[k] * model->field[0].value[to->entry[k]];
    }
    model_frame_motion(of, to->coupling[i].point, motion);
    to->beyond[to->n_row] = model_has_large_rotations(model) ? motion[m] - sum : 0.0;
    to->value[to->n_row++] = to->coupling[i].value[m];
    return EW_OK;
}

static ew_status add_coupling(ew_model *model, int32_t i)
{
    model_equations *to = &model->equations;
    model_frame of;
    ew_status status = model_make_frame(model, i, &of);
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

static void find_motion(const ew_model *model, int32_t place, const model_frame *at,
                        double motion[6])
{
    const double *u = model->field[0].value, *point = model->equations.coupling[place].point;
    if (model_has_large_rotations(model)) {
        model_frame_motion(at, point, motion);
        return;
    }
    for (int m = 0; m < 6; m++) {
        motion[m] = 0.0;
        for (int32_t k = 0; k < at->n; k++) {
            double f[3];
            model_frame_factor(at, point, &at->at[k], m, f);
            for (int32_t r = 0; r < at->at[k].n; r++) {
                const double *v = u + 3 * (size_t)at->at[k].row[r];
                motion[m] += at->at[k].share[r] * (f[0] * v[0] + f[1] * v[1] + f[2] * v[2]);
            }
        }
    }
}

ew_status ew_model_view_coupling(ew_model *model, int32_t place, ew_model_coupling_report *report)
{
    model_equations *of = &model->equations;
    const bool is_known = of->multiplier && model->fields_revision == model->mesh.revision;
    model_frame at;
    *report = (ew_model_coupling_report){.is_lost = true};
    if (place < 0 || place >= of->n_coupling) {
        return ew_fail(EW_BAD_ARGUMENT, "model: there is no coupling %d of %d", place + 1,
                       of->n_coupling);
    }
    if (!of->is_current || of->coupling_row[place] < 0) {
        return EW_OK;
    }
    report->is_lost = false;
    EW_TRY(model_make_frame(model, place, &at));
    find_motion(model, place, &at, report->motion);
    for (int m = 0, row = of->coupling_row[place]; m < 6 && is_known; m++) {
        const bool is_given = of->coupling[place].prescribed >> m & 1;
        const double size = is_given ? of->multiplier[row++] : 0.0;
        for (int c = 0; c < 3; c++) {
            report->reaction[c] += m == c ? size : 0.0;
            report->reaction[3 + c] += m >= 3 ? size * at.rate[m - 3][c] : 0.0;
        }
    }
    ew_release(at.at);
    return EW_OK;
}
