/* Cyclic and periodic symmetry: a slave that is the image of its master, turned and shifted. In:
 * faces of both sides. Out: where the faces have the same vertices, pairs of rows; else the rows of
 * a tie of the slave with the image of the master; equations
 *
 *     u_slave = R u_master + jump.
 *
 * Coefficients of the edges of quadratic tets turn likewise, without a jump. */
#include "model/boundary_conditions/coupling_frame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Vertices nearer than this share of the size of a face lie on one another. */
#define COINCIDENT 1e-4
/* Factors of a rotation below it are rounding. */
#define ROUNDING 1e-14

ew_status model_list_corners(const ew_mesh *mesh, const ew_list *face, ew_list *vertex)
{
    ew_status status = EW_OK;
    for (int32_t i = 0; i < 3 * face->n && !status; i++) {
        const int32_t code = face->id[i / 3];
        status = ew_list_push(
            vertex, mesh->tet[4 * (size_t)(code / 4) + (size_t)ew_face_vertex[code % 4][i % 3]]);
    }
    ew_list_sort_unique(vertex);
    return status;
}

/* ---- vertices that lie on one another -----------------------------------------------------------
 */

typedef struct image {
    double key, x[3];
    int32_t row;
} image;

static int compare(const void *a, const void *b)
{
    const image *x = a, *y = b;
    return x->key != y->key ? (x->key < y->key ? -1 : 1) : (x->row > y->row) - (x->row < y->row);
}

/* Along a direction that few meshes have planes across. */
static double key_of(const double x[3])
{
    return 0.618 * x[0] + 0.3719 * x[1] + 0.6928 * x[2];
}

static void find_image(const ew_model_tie *tie, const double *x, double out[3])
{
    if (tie->kind != EW_TIE_CYCLIC) {
        memcpy(out, x, 3 * sizeof *x);
        return;
    }
    model_turn(tie->turn, x, out);
    for (int c = 0; c < 3; c++) {
        out[c] += tie->shift[c];
    }
}

/* The place of the image nearest to x within a distance, -1: none. */
static int32_t find_near(const image *list, int32_t n, const double *x, double near)
{
    int32_t low = 0, high = n, found = -1;
    double best = near;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (list[middle].key < key_of(x) - 2.0 * near) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (; low < n && list[low].key <= key_of(x) + 2.0 * near; low++) {
        const double *y = list[low].x;
        const double apart = hypot(hypot(y[0] - x[0], y[1] - x[1]), y[2] - x[2]);
        found = apart <= best ? low : found;
        best = fmin(best, apart);
    }
    return found;
}

/* [n] owned, ascending by their keys. */
static ew_status list_images(const ew_model *model, const ew_model_tie *tie, const ew_list *master,
                             image **list)
{
    EW_TRY(ew_new(list, (size_t)master->n, sizeof **list));
    for (int32_t i = 0; i < master->n; i++) {
        image *to = &(*list)[i];
        find_image(tie, model->mesh.xyz + 3 * (size_t)master->id[i], to->x);
        to->key = key_of(to->x);
        to->row = master->id[i];
    }
    qsort(*list, (size_t)master->n, sizeof **list, compare);
    return EW_OK;
}

/* Partner by place in `slave`; *matches: each has one, and none has two. */
static ew_status find_partners(const ew_model *model, const ew_model_tie *tie, double near,
                               const ew_list *slave, const ew_list *master, int32_t *partner,
                               bool *matches)
{
    image *list;
    ew_set seen = {0};
    EW_TRY(list_images(model, tie, master, &list));
    ew_status status = EW_OK;
    *matches = slave->n == master->n;
    for (int32_t i = 0; i < slave->n && *matches && !status; i++) {
        const int32_t at =
            find_near(list, master->n, model->mesh.xyz + 3 * (size_t)slave->id[i], near);
        *matches = at >= 0 && !ew_set_has(&seen, list[at].row);
        partner[i] = *matches ? list[at].row : -1;
        status = *matches ? ew_set_add(&seen, list[at].row) : EW_OK;
    }
    ew_set_free(&seen);
    ew_release(list);
    return status;
}

/* Rows of the sides of slave faces with those of their partners, each once; -1: a side is straight.
 */
static ew_status match_edges(ew_model *model, const ew_list *slave_face, const ew_list *slave,
                             const int32_t *partner, ew_list *pair, bool *matches)
{
    const ew_pattern *pattern = &model->topology.pattern;
    ew_set seen = {0};
    ew_status status = EW_OK;
    for (int32_t i = 0; i < 3 * slave_face->n && *matches && !status; i++) {
        const int32_t code = slave_face->id[i / 3];
        const int8_t *corner = ew_face_vertex[code % 4];
        const int32_t *tet = model->mesh.tet + 4 * (size_t)(code / 4);
        const int32_t a = tet[corner[i % 3]], b = tet[corner[(i + 1) % 3]];
        const int32_t c = partner[model_place_in(slave, a)], d = partner[model_place_in(slave, b)];
        const int32_t edge = ew_pattern_pair_between(pattern, a, b);
        *matches = ew_pattern_pair_between(pattern, c, d) >= 0;
        if (*matches && !ew_set_has(&seen, edge)) {
            const int32_t own = model_row_between(model, a, b);
            const int32_t other = model_row_between(model, c, d);
            status = ew_set_add(&seen, edge);
            status = status ? status : ew_list_push(pair, own);
            status = status ? status : ew_list_push(pair, other);
        }
    }
    ew_set_free(&seen);
    return status;
}

static ew_status match(ew_model *model, model_tie *tie, const ew_list *slave_face, double size,
                       const ew_list *slave, const ew_list *master, int32_t *partner)
{
    ew_list pair = {0};
    bool matches;
    EW_TRY(find_partners(model, &tie->given, COINCIDENT * size, slave, master, partner, &matches));
    ew_status status = EW_OK;
    if (matches && model_has_edges(model)) {
        status = match_edges(model, slave_face, slave, partner, &pair, &matches);
    }
    for (int32_t i = 0; i < slave->n && matches && !status; i++) {
        status = ew_list_push(&tie->image, slave->id[i]);
        status = status ? status : ew_list_push(&tie->image, partner[i]);
    }
    for (int32_t i = 0; i < pair.n && matches && !status; i++) {
        const int32_t row = pair.id[i];
        status = ew_list_push(&tie->image, row < 0 ? -1 : model->mesh.n_vertex + row);
    }
    ew_list_free(&pair);
    return status;
}

/* ---- sides that do not match --------------------------------------------------------------------
 */

static bool shares_vertex(const ew_list *slave, const ew_list *master)
{
    bool shares = false;
    for (int32_t i = 0, k = 0; i < slave->n && k < master->n && !shares;) {
        shares = slave->id[i] == master->id[k];
        i += slave->id[i] <= master->id[k];
        k += i >= slave->n || master->id[k] < slave->id[i];
    }
    return shares;
}

/* Rows of the vertices and edges of master faces. */
static ew_status list_turned(ew_model *model, const ew_list *face, ew_set *turned)
{
    for (int32_t i = 0; i < 3 * face->n; i++) {
        const int32_t code = face->id[i / 3];
        const int8_t *corner = ew_face_vertex[code % 4];
        const int32_t *tet = model->mesh.tet + 4 * (size_t)(code / 4);
        const int32_t a = tet[corner[i % 3]], b = tet[corner[(i + 1) % 3]];
        const int32_t own = model_has_edges(model) ? model_row_between(model, a, b) : -1;
        EW_TRY(ew_set_add(turned, a));
        EW_TRY(own < 0 ? EW_OK : ew_set_add(turned, model->mesh.n_vertex + own));
    }
    return EW_OK;
}

/* Vertices on their images, and behind them the curves of sides turned. */
static ew_status place_masters(ew_model *model, model_tie *tie, const ew_list *master)
{
    const size_t n = 3 * (size_t)model->mesh.n_vertex;
    const ew_edge_rows *edges = &model->quadratic.rows;
    const double *curve = model_has_edges(model) ? edges->curve : NULL;
    const int32_t n_curve = curve ? edges->pattern.n_row : 0;
    EW_TRY(ew_new(&tie->placed, n + 3 * (size_t)n_curve, sizeof *tie->placed));
    memcpy(tie->placed, model->mesh.xyz, n * sizeof *tie->placed);
    for (int32_t e = 0; e < n_curve; e++) {
        double *to = tie->placed + n + 3 * (size_t)e;
        memcpy(to, curve + 3 * (size_t)e, 3 * sizeof *to);
        if (ew_set_has(&tie->turned, model->mesh.n_vertex + e)) {
            model_turn(tie->given.turn, curve + 3 * (size_t)e, to);
        }
    }
    for (int32_t i = 0; i < master->n; i++) {
        const size_t at = 3 * (size_t)master->id[i];
        find_image(&tie->given, model->mesh.xyz + at, tie->placed + at);
    }
    return EW_OK;
}

/* ---- both --------------------------------------------------------------------------------------
 */

ew_status model_find_images(ew_model *model, int32_t i, const ew_list *slave_face,
                            const ew_list *master_face, double size)
{
    model_tie *tie = &model->ties.tie[i];
    ew_list slave = {0}, master = {0};
    int32_t *partner = NULL;
    model_forget_images(tie);
    ew_status status = model_list_corners(&model->mesh, slave_face, &slave);
    status = status ? status : model_list_corners(&model->mesh, master_face, &master);
    status = status ? status : ew_new(&partner, (size_t)slave.n, sizeof *partner);
    status = status ? status : match(model, tie, slave_face, size, &slave, &master, partner);
    tie->n_vertex = slave.n;
    for (int32_t k = 0; k < slave.n && !status; k++) {
        const bool is_own_image = tie->image.n && partner[k] == slave.id[k];
        status = is_own_image ? EW_OK : ew_set_add(&tie->own, slave.id[k]);
    }
    if (!status && !tie->image.n && shares_vertex(&slave, &master)) {
        status =
            ew_fail_about(EW_BAD_INPUT, model->equations.n + model->equations.n_coupling + i, -1,
                          "tie %d: its sides have vertices in common, as on an axis, and the "
                          "mesh of one is not the image of that of the other; mesh both alike",
                          i + 1);
    }
    if (!status && !tie->image.n) {
        status = list_turned(model, master_face, &tie->turned);
        status = status ? status : place_masters(model, tie, &master);
    }
    ew_list_free(&slave);
    ew_list_free(&master);
    ew_release(partner);
    return status;
}

ew_status model_match_sides(ew_model *model, model_tie *tie, const ew_list *slave_face,
                            const ew_list *master_face, double size)
{
    ew_list slave = {0}, master = {0};
    int32_t *partner = NULL;
    bool matches = false;
    tie->side.n = 0;
    ew_status status = model_list_corners(&model->mesh, slave_face, &slave);
    status = status ? status : model_list_corners(&model->mesh, master_face, &master);
    status = status ? status : ew_new(&partner, (size_t)slave.n, sizeof *partner);
    status = status ? status
                    : find_partners(model, &tie->given, COINCIDENT * size, &slave, &master, partner,
                                    &matches);
    status = status || !matches
                 ? status
                 : match_edges(model, slave_face, &slave, partner, &tie->side, &matches);
    tie->side.n = matches ? tie->side.n : 0;
    ew_list_free(&slave);
    ew_list_free(&master);
    ew_release(partner);
    return status;
}

/* What the turned master is times in a part of the slave, by part of the master. */
static void find_phase(const model_wave *wave, int32_t part, double phase[2])
{
    phase[part] = wave->cosine;
    phase[1 - part] = part ? wave->sine : -wave->sine;
}

static double rotation(double turn)
{
    return fabs(turn) < ROUNDING ? 0.0 : turn;
}

/* -u of one row, the other turned, along c: no terms where both are the same point and c is along
 * the axis. */
static ew_status push_pair(model_equations *to, const ew_model_tie *tie, const model_wave *wave,
                           int32_t part, int32_t place, int c, const int32_t pair[2], double value)
{
    const int32_t slave = pair[0], master = pair[1];
    double own[2][3] = {{0.0}}, turned[2][3] = {{0.0}}, phase[2], size = 0.0;
    find_phase(wave, part, phase);
    own[part][c] = -1.0;
    for (int32_t p = 0; p < wave->n_part; p++) {
        for (int k = 0; k < 3; k++) {
            turned[p][k] = phase[p] * rotation(tie->turn[3 * c + k]);
            own[p][k] += slave == master ? turned[p][k] : 0.0;
            size += fabs(own[p][k]);
        }
    }
    if (size < ROUNDING) {
        return EW_OK;
    }
    EW_TRY(model_begin_equation(to, place));
    for (int32_t p = 0; p < wave->n_part; p++) {
        const int32_t first = p * wave->n_row;
        EW_TRY(slave < 0 ? EW_OK : model_push_terms(to, first + slave, 1.0, own[p]));
        EW_TRY(master < 0 || slave == master
                   ? EW_OK
                   : model_push_terms(to, first + master, 1.0, turned[p]));
    }
    to->value[to->n_row++] = value;
    return EW_OK;
}

/* Row r of a tie of the slave with the image of the master. */
static ew_status push_turned(model_equations *to, const model_tie *tie, const model_wave *wave,
                             int32_t part, int32_t r)
{
    const ew_contact_rows *rows = &tie->rows;
    double phase[2];
    find_phase(wave, part, phase);
    for (int32_t t = rows->begin[r]; t < rows->begin[r + 1]; t++) {
        const int32_t row = rows->entry[t] / 3, c = rows->entry[t] % 3;
        const bool is_master = ew_set_has(&tie->turned, row);
        for (int32_t p = 0; p < wave->n_part; p++) {
            double factor[3] = {0.0, 0.0, 0.0};
            factor[c] = p == part ? rows->factor[t] : 0.0;
            for (int k = 0; k < 3 && is_master; k++) {
                factor[k] = rows->factor[t] * phase[p] * rotation(tie->given.turn[3 * c + k]);
            }
            EW_TRY(model_push_terms(to, p * wave->n_row + row, 1.0, factor));
        }
    }
    return EW_OK;
}

ew_status model_add_images(const model_tie *tie, const model_wave *wave, int32_t part,
                           int32_t place, model_equations *to)
{
    const ew_model_tie *given = &tie->given;
    const int32_t *pair = tie->image.id;
    for (int32_t i = 0; i < tie->image.n; i += 2) {
        const bool is_vertex = i < 2 * tie->n_vertex;
        for (int c = 0; c < 3 && (pair[i] >= 0 || pair[i + 1] >= 0); c++) {
            EW_TRY(push_pair(to, given, wave, part, place, c, pair + i,
                             is_vertex ? -given->jump[c] : 0.0));
        }
    }
    for (int32_t r = 0; r < tie->rows.n_row && !tie->image.n; r++) {
        EW_TRY(model_begin_equation(to, place));
        EW_TRY(push_turned(to, tie, wave, part, r));
        to->value[to->n_row++] = -given->jump[r % 3];
    }
    return EW_OK;
}

/* Of vertices of the slave alone: coefficients of edges have no resultant. */
void model_find_image_force(const model_equations *of, int32_t n_vertex, model_tie *tie)
{
    memset(tie->force, 0, sizeof tie->force);
    for (int32_t i = tie->first_row; i < tie->end_row; i++) {
        for (int32_t t = of->begin[i]; t < of->begin[i + 1]; t++) {
            const int32_t row = of->entry[t] / 3;
            if (row < n_vertex && ew_set_has(&tie->own, row)) {
                tie->force[of->entry[t] % 3] += of->factor[t] * of->multiplier[i];
            }
        }
    }
}

void model_forget_images(model_tie *tie)
{
    ew_list_free(&tie->image);
    ew_list_free(&tie->side);
    ew_set_free(&tie->turned);
    ew_set_free(&tie->own);
    ew_release(tie->placed);
    tie->placed = NULL;
}
