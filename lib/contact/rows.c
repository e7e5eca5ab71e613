/* Rows of a contact or a tie. In: faces of two sides, and what masters cover of the slaves. Out:
 * for each slave vertex sums of displacements weighed by its dual function.
 *
 * On a slave face, all over its covered part: M_ik = int N_i N_k, d_i = int N_i, and
 * psi_j = sum_k C_jk N_k with C = diag(d) M^-1. Where the part is so small a sliver that M is
 * singular to rounding psi_j is N_j: the rows stay exact for rigid motions.
 *
 * Of a tie a point counts for u_m(y) - u_s(x) - theta x (y - x), y - x = g n, where the slave face
 * turns n by theta x n = -sum_k (n . u_k) grad N_k. */
#include "contact/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A pivot of M below this share of its diagonal is none. */
#define SINGULAR 1e-10
/* Vertices with less of the area than this share of the largest one's have no row; and coefficients
 * below this share of the largest one of a row are what rounding left. */
#define SLIVER   1e-9
#define ROUNDING 4e-15

/* A block of one row: three factors at the row of a vertex or an edge. */
typedef struct item {
    int32_t row, column, serial;
    double factor[3];
} item;

typedef struct covered_point {
    contact_point point;
    int32_t master; /* place of its face */
} covered_point;

typedef struct making {
    const ew_mesh *mesh;
    const ew_topology *topology;
    const ew_contact_def *def;
    ew_contact_rows *rows;
    ew_list vertex;                  /* slots, ascending */
    int32_t n_point, point_capacity; /* of one slave face */
    covered_point *point;            /* owned */
    int32_t n_item, item_capacity;
    item *item; /* owned */
} making;

/* ---- one slave face ------------------------------------------------------------------------ */

/* Rows of the corners of a face, and of the sides opposite to them, -1: none. */
static void find_rows(const making *in, int32_t code, int32_t row[6])
{
    int32_t vertex[3];
    contact_face_vertices(in->mesh, code, vertex);
    for (int k = 0; k < 3; k++) {
        row[k] = vertex[k];
        row[3 + k] = -1;
        if (in->def->edge_row) {
            const int32_t edge = ew_pattern_pair_between(&in->topology->pattern,
                                                         vertex[(k + 1) % 3], vertex[(k + 2) % 3]);
            row[3 + k] = edge < 0 ? -1 : in->def->edge_row[edge];
        }
    }
}

/* The functions of corners and sides at a point. */
static void find_values(const double at[3], double value[6])
{
    for (int k = 0; k < 3; k++) {
        value[k] = at[k];
        value[3 + k] = 4.0 * at[(k + 1) % 3] * at[(k + 2) % 3];
    }
}

/* The inverse of the symmetric M, which is spoiled; false: it is singular. */
static bool invert(double m[3][3], double inverse[3][3])
{
    const double size[3] = {m[0][0], m[1][1], m[2][2]};
    for (int i = 0; i < 9; i++) {
        inverse[i / 3][i % 3] = i % 4 == 0;
    }
    for (int i = 0; i < 3; i++) {
        if (!(m[i][i] > SINGULAR * size[i])) {
            return false;
        }
        for (int r = 0; r < 3; r++) {
            const double f = r == i ? 0.0 : m[r][i] / m[i][i];
            for (int c = 0; c < 3 && r != i; c++) {
                m[r][c] -= f * m[i][c];
                inverse[r][c] -= f * inverse[i][c];
            }
        }
    }
    for (int i = 0; i < 9; i++) {
        inverse[i / 3][i % 3] /= m[i / 3][i / 3];
    }
    return true;
}

static void find_dual(const making *in, double dual[3][3])
{
    double m[3][3] = {{0.0}}, d[3] = {0.0}, inverse[3][3];
    for (int32_t p = 0; p < in->n_point; p++) {
        const double *n = in->point[p].point.slave, w = in->point[p].point.weight;
        for (int i = 0; i < 9; i++) {
            m[i / 3][i % 3] += w * n[i / 3] * n[i % 3];
        }
        for (int i = 0; i < 3; i++) {
            d[i] += w * n[i];
        }
    }
    const bool is_regular = invert(m, inverse);
    for (int i = 0; i < 9; i++) {
        dual[i / 3][i % 3] = is_regular ? d[i / 3] * inverse[i / 3][i % 3] : i % 4 == 0;
    }
}

static ew_status find_points(making *in, const ew_face_pairs *pairs, int32_t i,
                             const contact_plane *plane)
{
    const ew_contact_def *def = in->def;
    in->n_point = 0;
    for (int32_t k = pairs->begin[i]; k < pairs->begin[i + 1]; k++) {
        contact_point found[CONTACT_MAX_POINTS];
        const int n = contact_clip(plane, in->mesh, def->master->id[pairs->master[k]],
                                   def->distance, def->edge_row != NULL, found);
        EW_TRY(
            ew_grow(&in->point, &in->point_capacity, (int64_t)in->n_point + n, sizeof *in->point));
        for (int p = 0; p < n; p++) {
            in->point[in->n_point++] = (covered_point){found[p], pairs->master[k]};
            in->rows->covered += found[p].weight;
        }
    }
    return EW_OK;
}

static int compare_slots(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static int32_t place_of(const making *in, int32_t vertex)
{
    const int32_t *at =
        bsearch(&vertex, in->vertex.id, (size_t)in->vertex.n, sizeof *in->vertex.id, compare_slots);
    return (int32_t)(at - in->vertex.id);
}

/* `weight` times the displacement of `column`: along the normal, or of a tie all three. */
static void push(making *in, int32_t j, int32_t column, double weight, const double normal[3])
{
    const bool is_tie = in->def->is_tie;
    for (int c = 0; c < (is_tie ? 3 : 1) && column >= 0; c++) {
        item *to = &in->item[in->n_item];
        *to = (item){.row = is_tie ? 3 * j + c : j, .column = column, .serial = in->n_item};
        for (int e = 0; e < 3; e++) {
            to->factor[e] = is_tie ? (e == c ? weight : 0.0) : weight * normal[e];
        }
        in->n_item++;
    }
}

/* The gradients of the functions of the corners, in the plane of the face. */
static void find_gradients(const contact_plane *plane, double gradient[3][3])
{
    const double(*e)[3] = plane->edge, *n = plane->normal;
    for (int c = 0; c < 3; c++) {
        const int d = (c + 1) % 3, f = (c + 2) % 3;
        gradient[1][c] = (e[1][d] * n[f] - e[1][f] * n[d]) / (2.0 * plane->area);
        gradient[2][c] = (n[d] * e[0][f] - n[f] * e[0][d]) / (2.0 * plane->area);
        gradient[0][c] = -gradient[1][c] - gradient[2][c];
    }
}

/* moment: the integral of psi_j times the gap. */
static void push_turn(making *in, int32_t j, const int32_t row[6], double moment,
                      const contact_plane *plane)
{
    double gradient[3][3];
    find_gradients(plane, gradient);
    for (int k = 0; k < 3; k++) {
        for (int c = 0; c < 3; c++) {
            item *to = &in->item[in->n_item];
            *to = (item){.row = 3 * j + c, .column = row[k], .serial = in->n_item};
            for (int e = 0; e < 3; e++) {
                to->factor[e] = moment * gradient[k][c] * plane->normal[e];
            }
            in->n_item++;
        }
    }
}

/* Sums over the points of one master face, first .. end: of a dual function times each function of
 * the slave, and of the master. */
static void add_up(const making *in, int32_t first, int32_t end, const double dual[3],
                   double of_slave[6], double of_master[6], double *area, double *moment)
{
    for (int32_t p = first; p < end; p++) {
        const contact_point *point = &in->point[p].point;
        double slave[6], master[6];
        const double psi = point->weight * (dual[0] * point->slave[0] + dual[1] * point->slave[1] +
                                            dual[2] * point->slave[2]);
        find_values(point->slave, slave);
        find_values(point->master, master);
        for (int k = 0; k < 6; k++) {
            of_slave[k] += psi * slave[k];
            of_master[k] += psi * master[k];
        }
        *area += psi;
        *moment += psi * point->gap;
    }
}

/* What the points of one slave face give to the row of its corner k. */
static void add_corner(making *in, int32_t code, int k, const contact_plane *plane,
                       const double dual[3])
{
    double of_slave[6] = {0.0}, area = 0.0, moment = 0.0;
    int32_t row[6], other[6];
    find_rows(in, code, row);
    const int32_t j = place_of(in, row[k]);
    for (int32_t first = 0, end; first < in->n_point; first = end) {
        double of_master[6] = {0.0};
        for (end = first + 1; end < in->n_point && in->point[end].master == in->point[first].master;
             end++) {
        }
        add_up(in, first, end, dual, of_slave, of_master, &area, &moment);
        find_rows(in, in->def->master->id[in->point[first].master], other);
        for (int i = 0; i < 6; i++) {
            push(in, j, other[i], of_master[i], plane->normal);
        }
    }
    for (int i = 0; i < 6; i++) {
        push(in, j, row[i], -of_slave[i], plane->normal);
    }
    if (in->def->is_tie) {
        push_turn(in, j, row, moment, plane);
    }
    in->rows->area[j] += area;
    in->rows->gap[j] += moment;
    for (int c = 0; c < 3; c++) {
        in->rows->normal[3 * (size_t)j + c] += area * plane->normal[c];
    }
}

static ew_status add_face(making *in, const ew_face_pairs *pairs, int32_t i)
{
    const int32_t code = in->def->slave->id[i];
    const contact_plane plane = contact_plane_of(in->mesh, code);
    double dual[3][3];
    if (!(plane.area > 0.0)) {
        return ew_fail_about(EW_BAD_INPUT, code / 4, -1,
                             "contact: face %d of tet %d has no area; move its vertices apart",
                             code % 4, code / 4);
    }
    in->rows->whole += plane.area;
    EW_TRY(find_points(in, pairs, i, &plane));
    if (!in->n_point) {
        return EW_OK;
    }
    /* blocks of slave, turn, and masters, of three corners and three components */
    const int64_t most = (int64_t)in->n_item + 3 * 3 * (6 + 3 + 6 * (int64_t)in->n_point);
    EW_TRY(ew_grow(&in->item, &in->item_capacity, most, sizeof *in->item));
    find_dual(in, dual);
    for (int k = 0; k < 3; k++) {
        add_corner(in, code, k, &plane, dual[k]);
    }
    return EW_OK;
}

/* ---- all of them ------------------------------------------------------------------------------
 */

static int by_place(const void *a, const void *b)
{
    const item *x = a, *y = b;
    return x->row != y->row         ? (x->row > y->row) - (x->row < y->row)
           : x->column != y->column ? (x->column > y->column) - (x->column < y->column)
                                    : (x->serial > y->serial) - (x->serial < y->serial);
}

/* One block from all of the same row and column; how many there are of different ones. */
static int32_t unite(item *list, int32_t n)
{
    int32_t m = 0;
    for (int32_t i = 0; i < n; i++) {
        if (m && list[m - 1].row == list[i].row && list[m - 1].column == list[i].column) {
            for (int c = 0; c < 3; c++) {
                list[m - 1].factor[c] += list[i].factor[c];
            }
        } else {
            list[m++] = list[i];
        }
    }
    return m;
}

static ew_status write_row(ew_contact_rows *rows, const item *list, int32_t n, double area)
{
    double largest = 0.0;
    EW_TRY(
        ew_grow(&rows->begin, &rows->row_capacity, (int64_t)rows->n_row + 2, sizeof *rows->begin));
    int32_t at = rows->n_row ? rows->begin[rows->n_row] : 0;
    EW_TRY(ew_grow(&rows->entry, &rows->entry_capacity, at + 3 * (int64_t)n, sizeof *rows->entry));
    EW_TRY(
        ew_grow(&rows->factor, &rows->factor_capacity, at + 3 * (int64_t)n, sizeof *rows->factor));
    rows->begin[rows->n_row] = at;
    for (int32_t i = 0; i < 3 * n; i++) {
        largest = fmax(largest, fabs(list[i / 3].factor[i % 3]));
    }
    for (int32_t i = 0; i < 3 * n; i++) {
        const double factor = list[i / 3].factor[i % 3];
        if (fabs(factor) > ROUNDING * largest) {
            rows->entry[at] = 3 * list[i / 3].column + i % 3;
            rows->factor[at++] = factor / area;
        }
    }
    rows->begin[++rows->n_row] = at;
    return EW_OK;
}

/* Rows of the vertices with enough area, the others are left out. */
static ew_status write_rows(making *in)
{
    ew_contact_rows *rows = in->rows;
    const int width = in->def->is_tie ? 3 : 1;
    double largest = 0.0;
    int32_t first = 0;
    for (int32_t j = 0; j < in->vertex.n; j++) {
        largest = fmax(largest, rows->area[j]);
    }
    EW_TRY(ew_grow(&rows->begin, &rows->row_capacity, 1, sizeof *rows->begin));
    rows->begin[0] = 0;
    for (int32_t j = 0; j < in->vertex.n; j++) {
        const bool counts = rows->area[j] > SLIVER * largest;
        for (int c = 0; c < width; c++) {
            int32_t end = first;
            for (; end < in->n_item && in->item[end].row == width * j + c; end++) {
            }
            EW_TRY(counts ? write_row(rows, in->item + first, end - first, rows->area[j]) : EW_OK);
            first = end;
        }
        if (counts) {
            rows->vertex[rows->n] = in->vertex.id[j];
            rows->gap[rows->n] = rows->gap[j] / rows->area[j];
            for (size_t c = 0; c < 3; c++) {
                rows->normal[3 * (size_t)rows->n + c] =
                    rows->normal[3 * (size_t)j + c] / rows->area[j];
            }
            rows->area[rows->n++] = rows->area[j];
        }
    }
    return EW_OK;
}

static ew_status list_vertices(making *in)
{
    ew_contact_rows *rows = in->rows;
    const ew_list *slave = in->def->slave;
    for (int32_t i = 0; i < slave->n; i++) {
        int32_t vertex[3];
        contact_face_vertices(in->mesh, slave->id[i], vertex);
        for (int k = 0; k < 3; k++) {
            EW_TRY(ew_list_push(&in->vertex, vertex[k]));
        }
    }
    ew_list_sort_unique(&in->vertex);
    EW_TRY(ew_grow(&rows->vertex, &rows->capacity, in->vertex.n, sizeof *rows->vertex));
    EW_TRY(ew_grow(&rows->area, &rows->area_capacity, in->vertex.n, sizeof *rows->area));
    EW_TRY(ew_grow(&rows->gap, &rows->gap_capacity, in->vertex.n, sizeof *rows->gap));
    EW_TRY(ew_grow(&rows->normal, &rows->normal_capacity, in->vertex.n, 3 * sizeof *rows->normal));
    for (int32_t j = 0; j < in->vertex.n; j++) {
        rows->area[j] = rows->gap[j] = 0.0;
        memset(rows->normal + 3 * (size_t)j, 0, 3 * sizeof *rows->normal);
    }
    return EW_OK;
}

static ew_status make(making *in)
{
    const ew_contact_def *def = in->def;
    ew_face_pairs pairs = {0};
    EW_TRY(list_vertices(in));
    ew_status status = ew_face_pairs_find(&pairs, in->mesh, def->slave, def->master, def->distance);
    for (int32_t i = 0; i < def->slave->n && !status; i++) {
        status = add_face(in, &pairs, i);
    }
    in->rows->n_pair = pairs.n_pair;
    ew_face_pairs_free(&pairs);
    EW_TRY(status);
    if (in->n_item) {
        qsort(in->item, (size_t)in->n_item, sizeof *in->item, by_place);
    }
    in->n_item = unite(in->item, in->n_item);
    return write_rows(in);
}

ew_status ew_contact_build_rows(ew_contact_rows *rows, const ew_mesh *mesh,
                                const ew_topology *topology, const ew_contact_def *def)
{
    making in = {.mesh = mesh, .topology = topology, .def = def, .rows = rows};
    rows->n = rows->n_row = rows->n_pair = 0;
    rows->covered = rows->whole = 0.0;
    const ew_status status = make(&in);
    if (status) {
        rows->n = rows->n_row = 0;
    }
    ew_list_free(&in.vertex);
    ew_release(in.point);
    ew_release(in.item);
    return status;
}

void ew_contact_rows_free(ew_contact_rows *rows)
{
    ew_release(rows->vertex);
    ew_release(rows->gap);
    ew_release(rows->area);
    ew_release(rows->normal);
    ew_release(rows->begin);
    ew_release(rows->entry);
    ew_release(rows->factor);
    *rows = (ew_contact_rows){0};
}
