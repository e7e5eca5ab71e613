/* Ties of a model: slave faces that move with master faces. In: a list over sets, the mesh as it
 * is. Out: equations, gaps, forces. */
#include "model/internal.h"

#include <math.h>
#include <string.h>

/* ---- the list ----------------------------------------------------------------------------------
 */

static ew_status check_side(const ew_model *model, int32_t set, int32_t place)
{
    return set >= 0 && set < model->n_set && model->set[set].kind != EW_SET_OF_TETS
               ? EW_OK
               : ew_fail_about(EW_BAD_ARGUMENT, place, -1,
                               "tie %d: a side needs a set of faces or vertices, not %d", place + 1,
                               set);
}

/* Rows of a rotation are at right angles to one another, of length 1. */
static ew_status check_image(const ew_model_tie *tie, int32_t place)
{
    double off = 0.0, sum = 0.0;
    for (int i = 0; i < 9; i++) {
        const double *a = tie->turn + 3 * (i / 3), *b = tie->turn + 3 * (i % 3);
        off = fmax(off, fabs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] - (i % 4 == 0)));
    }
    for (int c = 0; c < 3; c++) {
        sum += tie->shift[c] + tie->jump[c];
    }
    return off < 1e-12 && isfinite(sum)
               ? EW_OK
               : ew_fail_about(
                     EW_BAD_ARGUMENT, place, -1,
                     "tie %d: its turn is off a rotation by %g, or its shift and jump are "
                     "not finite; rows of a rotation are at right angles, of length 1",
                     place + 1, off);
}

static ew_status check(const ew_model *model, const ew_model_tie *tie, int32_t place)
{
    const double numbers =
        tie->distance + tie->shortening + tie->axis[0] + tie->axis[1] + tie->axis[2];
    if (!isfinite(numbers) || tie->distance < 0.0) {
        return ew_fail_about(EW_BAD_ARGUMENT, place, -1,
                             "tie %d: the distance is %g and the shortening %g; they and the axis "
                             "must be finite, the distance at least 0",
                             place + 1, tie->distance, tie->shortening);
    }
    EW_TRY(tie->kind == EW_TIE_CYCLIC ? check_image(tie, place) : EW_OK);
    EW_TRY(check_side(model, tie->slave, place));
    return check_side(model, tie->master, place);
}

static bool is_same_image(const ew_model_tie *a, const ew_model_tie *b)
{
    return !memcmp(a->turn, b->turn, sizeof a->turn) &&
           !memcmp(a->shift, b->shift, sizeof a->shift) &&
           !memcmp(a->jump, b->jump, sizeof a->jump);
}

static bool is_same(const model_ties *of, int32_t n, const ew_model_tie *list)
{
    bool same = of->n == n;
    for (int32_t i = 0; i < n && same; i++) {
        const ew_model_tie *a = &of->tie[i].given, *b = &list[i];
        same = a->slave == b->slave && a->master == b->master && a->distance == b->distance &&
               a->kind == b->kind && a->shortening == b->shortening && is_same_image(a, b) &&
               !memcmp(a->axis, b->axis, sizeof a->axis);
    }
    return same;
}

ew_status ew_model_set_ties(ew_model *model, int32_t n, const ew_model_tie *list)
{
    model_ties *of = &model->ties;
    const int32_t before = of->capacity;
    for (int32_t i = 0; i < n; i++) {
        EW_TRY(check(model, &list[i], i));
    }
    if (is_same(of, n, list)) {
        return EW_OK;
    }
    EW_TRY(ew_grow(&of->tie, &of->capacity, n, sizeof *of->tie));
    memset(of->tie + before, 0, sizeof *of->tie * (size_t)(of->capacity - before));
    for (int32_t i = 0; i < n; i++) {
        of->tie[i].given = list[i];
    }
    of->n = n;
    of->revision = 0;
    model_forget_equations(model);
    model_forget_row_changes(model);
    model->dynamics.has_changed = true;
    return EW_OK;
}

/* ---- rows --------------------------------------------------------------------------------------
 */

static ew_status count_vertices(const ew_mesh *mesh, const ew_list *face, int32_t *n)
{
    ew_list vertex = {0};
    const ew_status status = model_list_corners(mesh, face, &vertex);
    *n = vertex.n;
    ew_list_free(&vertex);
    return status;
}

static ew_status build_rows(ew_model *model, int32_t i, const ew_list *slave, const ew_list *master)
{
    model_tie *tie = &model->ties.tie[i];
    const double given = tie->given.distance, size = model_face_size(model, slave);
    ew_contact_def def = {.slave = slave,
                          .master = master,
                          .distance = given > 0.0 ? given : size,
                          .is_tie = true,
                          .turns = true,
                          .edge_row = model_has_edges(model) ? model->quadratic.rows.row : NULL,
                          .curve = model_has_edges(model) ? model->quadratic.rows.curve : NULL};
    ew_mesh mesh = model->mesh;
    if (tie->given.kind == EW_TIE_CYCLIC) {
        EW_TRY(model_find_images(model, i, slave, master, size));
        tie->whole = 0.5 * size * size * slave->n;
        mesh.xyz = tie->placed ? tie->placed : mesh.xyz;
        def.curve = tie->placed && def.curve ? tie->placed + 3 * (size_t)mesh.n_vertex : def.curve;
    } else {
        EW_TRY(count_vertices(&mesh, slave, &tie->n_vertex));
    }
    if (tie->image.n) {
        ew_contact_rows_free(&tie->rows);
        return EW_OK;
    }
    const bool is_bolt = tie->given.kind == EW_TIE_SHORTENED || tie->given.kind == EW_TIE_SLIDING;
    tie->side.n = 0;
    EW_TRY(is_bolt && model_has_edges(model) ? model_match_sides(model, tie, slave, master, size)
                                             : EW_OK);
    return ew_contact_build_rows(&tie->rows, &mesh, &model->topology, &def);
}

static ew_status make_rows(ew_model *model, int32_t i)
{
    model_tie *tie = &model->ties.tie[i];
    ew_list slave = {0}, master = {0};
    ew_status status =
        model_list_sides(model,
                         &(model_sides){"tie", i, tie->given.slave, tie->given.master, false},
                         model->equations.n + model->equations.n_coupling + i, &slave, &master);
    tie->is_lost = !slave.n || !master.n;
    if (tie->is_lost) {
        ew_contact_rows_free(&tie->rows);
        model_forget_images(tie);
    }
    status = status || tie->is_lost ? status : build_rows(model, i, &slave, &master);
    ew_list_free(&slave);
    ew_list_free(&master);
    return status;
}

static ew_status update_rows(ew_model *model)
{
    model_ties *of = &model->ties;
    if (!of->n || of->revision == model->mesh.revision) {
        return EW_OK;
    }
    of->revision = 0;
    EW_TRY(ew_model_boundary(model, NULL));
    ew_status status = EW_OK;
    for (int32_t i = 0; i < of->n && !status; i++) {
        status = make_rows(model, i);
    }
    of->revision = status ? 0 : model->mesh.revision;
    return status;
}

/* The mean normal of the slave. */
static void find_normal(const ew_contact_rows *rows, double normal[3])
{
    memset(normal, 0, 3 * sizeof *normal);
    for (int32_t i = 0; i < 3 * rows->n; i++) {
        normal[i % 3] += rows->area[i / 3] * rows->normal[i];
    }
    const double length = hypot(hypot(normal[0], normal[1]), normal[2]);
    for (int c = 0; c < 3 && length > 0.0; c++) {
        normal[c] /= length;
    }
}

/* Along which sides move over one another. */
static void find_axis(const model_tie *tie, double axis[3])
{
    const double *given = tie->given.axis;
    const double length = hypot(hypot(given[0], given[1]), given[2]);
    find_normal(&tie->rows, axis);
    const double along = given[0] * axis[0] + given[1] * axis[1] + given[2] * axis[2];
    for (int c = 0; c < 3 && length > 0.0; c++) {
        axis[c] = (along < 0.0 ? -given[c] : given[c]) / length;
    }
}

/* Two directions across a normal, all three of length 1. */
static void find_tangents(const double n[3], double tangent[2][3])
{
    const int least = fabs(n[0]) < 0.6 ? 0 : 1;
    double length = 0.0;
    for (int c = 0; c < 3; c++) {
        tangent[0][c] = (c == least) - n[least] * n[c];
        length += tangent[0][c] * tangent[0][c];
    }
    for (int c = 0; c < 3; c++) {
        tangent[0][c] /= sqrt(length);
    }
    for (int c = 0; c < 3; c++) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        tangent[1][c] = n[d] * tangent[0][e] - n[e] * tangent[0][d];
    }
}

/* `sign` times the rows of vertex j along a direction. */
static ew_status push_along(model_equations *to, const ew_contact_rows *rows, int32_t j,
                            const double direction[3], double sign)
{
    for (int c = 0; c < 3; c++) {
        for (int32_t t = rows->begin[3 * j + c]; t < rows->begin[3 * j + c + 1]; t++) {
            double factor[3] = {0.0, 0.0, 0.0};
            factor[rows->entry[t] % 3] = sign * direction[c] * rows->factor[t];
            EW_TRY(model_push_terms(to, rows->entry[t] / 3, 1.0, factor));
        }
    }
    return EW_OK;
}

/* Across the normal nothing moves; along it all vertices as the first one. */
static ew_status add_sliding(ew_model *model, int32_t place, const model_tie *tie)
{
    const ew_contact_rows *rows = &tie->rows;
    model_equations *to = &model->equations;
    double normal[3], tangent[2][3];
    find_axis(tie, normal);
    find_tangents(normal, tangent);
    for (int32_t j = 0; j < rows->n; j++) {
        for (int k = 0; k < (j ? 3 : 2); k++) {
            EW_TRY(model_begin_equation(to, place));
            EW_TRY(push_along(to, rows, j, k < 2 ? tangent[k] : normal, 1.0));
            EW_TRY(k < 2 ? EW_OK : push_along(to, rows, 0, normal, -1.0));
            to->value[to->n_row++] = 0.0;
        }
    }
    return EW_OK;
}

/* Coefficients of the edges of a bolt, which no uniform motion changes, are alike on both sides. */
static ew_status add_sides(ew_model *model, int32_t place, const model_tie *tie)
{
    model_equations *to = &model->equations;
    const int32_t first = model->mesh.n_vertex;
    for (int32_t i = 0; i < 3 * (tie->side.n / 2); i++) {
        const int32_t *row = tie->side.id + 2 * (i / 3);
        double factor[3] = {0.0};
        if (row[0] < 0 && row[1] < 0) {
            continue;
        }
        factor[i % 3] = 1.0;
        EW_TRY(model_begin_equation(to, place));
        EW_TRY(row[0] < 0 ? EW_OK : model_push_terms(to, first + row[0], -1.0, factor));
        EW_TRY(row[1] < 0 ? EW_OK : model_push_terms(to, first + row[1], 1.0, factor));
        to->value[to->n_row++] = 0.0;
    }
    return EW_OK;
}

static ew_status add_equations(ew_model *model, int32_t i)
{
    model_equations *to = &model->equations;
    model_tie *tie = &model->ties.tie[i];
    const int32_t place = to->n + to->n_coupling + i;
    double normal[3];
    tie->first_row = to->n_row;
    memset(tie->force, 0, sizeof tie->force);
    if (tie->given.kind == EW_TIE_CYCLIC) {
        EW_TRY(model_add_images(tie, &(model_wave){.n_part = 1, .cosine = 1.0}, 0, place, to));
        tie->end_row = to->n_row;
        return EW_OK;
    }
    if (tie->given.kind == EW_TIE_SLIDING) {
        EW_TRY(add_sliding(model, place, tie));
        return add_sides(model, place, tie);
    }
    find_axis(tie, normal);
    for (int32_t r = 0; r < tie->rows.n_row; r++) {
        EW_TRY(model_begin_equation(to, place));
        EW_TRY(model_push_row(to, &tie->rows, r));
        to->value[to->n_row++] =
            tie->given.kind == EW_TIE_SHORTENED ? -tie->given.shortening * normal[r % 3] : 0.0;
    }
    return add_sides(model, place, tie);
}

ew_status model_make_ties(ew_model *model)
{
    EW_TRY(update_rows(model));
    for (int32_t i = 0; i < model->ties.n; i++) {
        EW_TRY(add_equations(model, i));
    }
    return EW_OK;
}

/* The factors of the slaves add up to -1 in a row. Equations along the normal of a tie that slides
 * have no resultant. */
static void find_force(const double *multiplier, model_tie *tie, const double normal[3])
{
    const double *m = multiplier + tie->first_row;
    double tangent[2][3];
    memset(tie->force, 0, sizeof tie->force);
    find_tangents(normal, tangent);
    for (int32_t j = 0; j < tie->rows.n && tie->given.kind == EW_TIE_SLIDING; j++) {
        for (int c = 0; c < 3; c++) {
            tie->force[c] -= m[0] * tangent[0][c] + m[1] * tangent[1][c];
        }
        m += j ? 3 : 2;
    }
    for (int32_t r = 0; r < tie->rows.n_row && tie->given.kind != EW_TIE_SLIDING; r++) {
        tie->force[r % 3] -= m[r];
    }
}

static double find_shortening(const ew_contact_rows *rows, const double normal[3], const double *u)
{
    double sum = 0.0, area = 0.0;
    for (int32_t r = 0; r < rows->n_row; r++) {
        double moved = 0.0;
        for (int32_t t = rows->begin[r]; t < rows->begin[r + 1]; t++) {
            moved += rows->factor[t] * u[rows->entry[t]];
        }
        sum -= rows->area[r / 3] * normal[r % 3] * moved;
        area += r % 3 ? 0.0 : rows->area[r / 3];
    }
    return rows->n ? sum / area : 0.0;
}

void model_take_ties(ew_model *model)
{
    for (int32_t i = 0; i < model->ties.n; i++) {
        model_tie *tie = &model->ties.tie[i];
        double normal[3];
        if (tie->given.kind == EW_TIE_CYCLIC) {
            model_find_image_force(&model->equations, model->mesh.n_vertex, tie);
            continue;
        }
        find_axis(tie, normal);
        find_force(model->equations.multiplier, tie, normal);
    }
}

/* ---- what is shown of them ---------------------------------------------------------------------
 */

ew_status ew_model_view_tie(const ew_model *model, int32_t tie, ew_model_tie_report *report)
{
    const model_ties *of = &model->ties;
    if (tie < 0 || tie >= of->n) {
        return ew_fail(EW_BAD_ARGUMENT, "model: there is no tie %d, it has %d", tie, of->n);
    }
    if (of->revision != model->mesh.revision || !model->equations.is_current) {
        return ew_fail(EW_STALE, "model: ties have changed since they were last used");
    }
    const model_tie *from = &of->tie[tie];
    const ew_contact_rows *rows = &from->rows;
    const int32_t n = from->image.n ? from->n_vertex : rows->n;
    *report = (ew_model_tie_report){.is_lost = from->is_lost,
                                    .n_point = n,
                                    .n_free = from->is_lost ? 0 : from->n_vertex - n,
                                    .covered = from->image.n ? from->whole
                                               : rows->n     ? rows->covered
                                                             : 0.0,
                                    .whole = from->is_lost   ? 0.0
                                             : from->image.n ? from->whole
                                                             : rows->whole};
    for (int32_t j = 0; j < rows->n; j++) {
        report->min_gap = j ? fmin(report->min_gap, rows->gap[j]) : rows->gap[j];
        report->max_gap = j ? fmax(report->max_gap, rows->gap[j]) : rows->gap[j];
    }
    memcpy(report->force, from->force, sizeof report->force);
    find_axis(from, report->normal);
    report->shortening = find_shortening(rows, report->normal, model->field[0].value);
    return EW_OK;
}

void model_forget_tie_rows(model_ties *of)
{
    for (int32_t i = 0; i < of->capacity; i++) {
        ew_contact_rows_free(&of->tie[i].rows);
        model_forget_images(&of->tie[i]);
    }
    of->revision = 0;
}

void model_free_ties(ew_model *model)
{
    model_ties *of = &model->ties;
    model_forget_tie_rows(of);
    ew_release(of->tie);
    *of = (model_ties){0};
}
