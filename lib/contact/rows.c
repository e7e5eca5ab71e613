/* Terms of the rows of a contact or a tie. In: a slave face, and the masters that may cover it.
 * Out: for its vertices displacements weighed by their dual functions.
 *
 * On a slave face, all over its covered part: M_ik = int N_i N_k, d_i = int N_i, and
 * psi_j = sum_k C_jk N_k with C = diag(d) M^-1. Where the part is so small a sliver that M is
 * singular to rounding psi_j is N_j: the rows stay exact for rigid motions.
 *
 * Dual functions add up to 1 and follow nothing else, but the traction of a tie turns with a curved
 * face. There psi_j = N_j |a_j| / |a|, a = t_1 x t_2 being the area vector of coordinates, a_j that
 * at the corner: where a is linear on the face, as that of a paraboloid over straight triangles,
 * tractions sigma n_j of the corners make sigma n = sigma a / |a| all over it, so that the same
 * stress everywhere passes; else they are off by the share of a that is not linear.
 *
 * Of a tie a point counts for u_m(y) - u_s(x) - theta x (y - x), y - x = g n, where the slave face
 * turns n by theta x n = -sum_k (n . u_k) grad N_k, k over corners and sides, the gradient on the
 * face. */
#include "contact/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A pivot of M below this share of its diagonal is none. */
#define SINGULAR 1e-10
/* Masters that cover more than a face by this share of it are in layers; of a curved one, whose
 * area and what is covered of it are of unlike points. */
#define LAYERS        1e-6
#define CURVED_LAYERS 1e-2
/* Of the area of a face: less that masters cover is a strip. */
#define STRIP 0.1

/* ---- one slave face ------------------------------------------------------------------------ */

/* Rows of the corners of a face, and of the sides opposite to them, -1: none. */
static void find_rows(const contact_terms *in, const contact_face *face, int32_t row[6])
{
    for (int k = 0; k < 3; k++) {
        row[k] = face->vertex[k];
        row[3 + k] = face->edge[k] < 0 ? -1 : in->mesh->n_vertex + face->edge[k];
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

static double area_vector(const contact_face *face, const double at[3])
{
    double x[3], tangent[2][3], normal[3];
    contact_place(face, at, x, tangent);
    return contact_normal(tangent, normal);
}

static bool turns_traction(const contact_terms *in, const contact_face *face)
{
    return in->def->turns && face->is_curved;
}

static void find_functions(contact_terms *in, const contact_face *face)
{
    static const double corner[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    double of_corner[3] = {1.0, 1.0, 1.0};
    const bool turns = turns_traction(in, face);
    for (int k = 0; k < 3 && turns; k++) {
        of_corner[k] = area_vector(face, corner[k]);
    }
    for (int32_t p = 0; p < in->n_point; p++) {
        const double *at = in->point[p].point.slave, here = turns ? area_vector(face, at) : 1.0;
        for (int k = 0; k < 3; k++) {
            in->point[p].function[k] = at[k] * of_corner[k] / here;
        }
    }
}

static void find_dual(const contact_terms *in, const contact_face *face, double dual[3][3])
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
    const bool is_dual = !turns_traction(in, face) && invert(m, inverse);
    for (int i = 0; i < 9; i++) {
        dual[i / 3][i % 3] = is_dual ? d[i / 3] * inverse[i / 3][i % 3] : i % 4 == 0;
    }
}

/* The end of the points of the master that point `first` is of. */
static int32_t end_of_master(const contact_terms *in, int32_t first)
{
    int32_t end = first + 1;
    while (end < in->n_point && in->point[end].master == in->point[first].master) {
        end++;
    }
    return end;
}

/* How far a master is from the slave, and the area that it covers. */
static double mean_distance(const contact_terms *in, int32_t first, int32_t end)
{
    double area = 0.0, moment = 0.0;
    for (int32_t p = first; p < end; p++) {
        area += in->point[p].point.weight;
        moment += in->point[p].point.weight * in->point[p].point.gap;
    }
    return fabs(moment / area);
}

static double covered_area(const contact_terms *in)
{
    double sum = 0.0;
    for (int32_t p = 0; p < in->n_point; p++) {
        sum += in->point[p].point.weight;
    }
    return sum;
}

/* Where layers of masters are over one another: leaves out the farthest, as long as they cover more
 * than there is. */
static void keep_nearest(contact_terms *in, const contact_plane *plane)
{
    const double layers = plane->face->is_curved ? CURVED_LAYERS : LAYERS;
    while (covered_area(in) > (1.0 + layers) * plane->area) {
        double largest = -1.0;
        int32_t from = 0, to = 0;
        for (int32_t first = 0, end; first < in->n_point; first = end) {
            end = end_of_master(in, first);
            const double distance = mean_distance(in, first, end);
            if (distance > largest) {
                largest = distance;
                from = first;
                to = end;
            }
        }
        memmove(in->point + from, in->point + to, sizeof *in->point * (size_t)(in->n_point - to));
        in->n_point -= to - from;
    }
}

static void count_apart(const ew_contact_def *def, double apart, contact_sums *sums)
{
    sums->near = apart <= def->distance ? fmax(sums->near, apart) : sums->near;
    sums->far = apart > def->distance ? fmin(sums->far, apart) : sums->far;
}

static void count_points(contact_terms *in, int32_t i, contact_sums *sums)
{
    for (int32_t p = 0; p < in->n_point; p++) {
        const contact_point *point = &in->point[p].point;
        sums->covered += point->weight;
        for (int c = 0; c < 3; c++) {
            sums->share[c] += point->weight * point->slave[c];
        }
    }
    in->memory->sums[i] = *sums;
}

static ew_status find_points_of_rigid(contact_terms *in, int32_t i, const contact_plane *plane)
{
    contact_sums sums = {.area = plane->area, .near = -1.0, .far = INFINITY};
    double apart;
    EW_TRY(ew_grow(&in->point, &in->point_capacity, CONTACT_MAX_RULE, sizeof *in->point));
    EW_TRY(contact_find_rigid_points(plane, in->def, &apart, &in->n_point, in->point));
    count_apart(in->def, apart, &sums);
    count_points(in, i, &sums);
    return EW_OK;
}

static ew_status find_points(contact_terms *in, int32_t i, const contact_plane *plane)
{
    const ew_contact_def *def = in->def;
    const ew_face_pairs *pairs = &in->memory->pairs;
    contact_sums sums = {.area = plane->area, .near = -1.0, .far = INFINITY};
    in->n_point = 0;
    for (int32_t k = pairs->begin[i]; k < pairs->begin[i + 1]; k++) {
        contact_point found[CONTACT_MAX_POINTS];
        double apart;
        const int n = contact_clip(plane, in->mesh, def, &in->memory->master.face[pairs->master[k]],
                                   &apart, found);
        count_apart(def, apart, &sums);
        EW_TRY(
            ew_grow(&in->point, &in->point_capacity, (int64_t)in->n_point + n, sizeof *in->point));
        for (int p = 0; p < n; p++) {
            in->point[in->n_point++] =
                (contact_covered_point){.point = found[p], .master = pairs->master[k]};
        }
    }
    keep_nearest(in, plane);
    count_points(in, i, &sums);
    return EW_OK;
}

int32_t contact_enter_item(contact_item *list, int32_t n, const contact_item *one)
{
    int32_t at = n;
    while (at > 0 && (list[at - 1].row > one->row ||
                      (list[at - 1].row == one->row && list[at - 1].column > one->column))) {
        at--;
    }
    if (at > 0 && list[at - 1].row == one->row && list[at - 1].column == one->column) {
        for (int c = 0; c < 3; c++) {
            list[at - 1].factor[c] += one->factor[c];
        }
        return n;
    }
    memmove(list + at + 1, list + at, sizeof *list * (size_t)(n - at));
    list[at] = *one;
    return n + 1;
}

/* Of the items of one face and corner, which begin at `first`. */
static void enter(contact_terms *in, int32_t first, const contact_item *one)
{
    in->n_item = first + contact_enter_item(in->item + first, in->n_item - first, one);
}

/* What the points of one face, of a slave or a master, give to the row of a corner: of a function
 * of it a factor of each component; of a tie, how much the turn of the slave adds. */
typedef struct corner_sums {
    int n_function; /* 3, or 6 with those of sides */
    double slave[6][3], master[6][3];
    double turn[6][3][3]; /* [function][row][component] */
    double area, moment, normal[3];
    double min_gap; /* gap of single points */
} corner_sums;

/* The displacement of a column: along the normal, or of a tie all three. */
static void push(contact_terms *in, int32_t first, int32_t j, int32_t column, double sign,
                 const double weight[3])
{
    for (int c = 0; c < (in->is_tie ? 3 : 1) && column >= 0; c++) {
        contact_item one = {.row = in->width * j + in->first + c, .column = column};
        for (int e = 0; e < 3; e++) {
            one.factor[e] = in->is_tie && e != c ? 0.0 : sign * weight[e];
        }
        enter(in, first, &one);
    }
}

static void push_turn(contact_terms *in, int32_t first, int32_t j, int32_t column,
                      double turn[3][3])
{
    for (int c = 0; c < 3 && column >= 0; c++) {
        contact_item one = {.row = in->width * j + in->first + c, .column = column};
        memcpy(one.factor, turn[c], sizeof one.factor);
        enter(in, first, &one);
    }
}

/* Gradients on the face are sums of derivatives times vectors a_i in its plane with a_i . t_k = 1
 * where i = k, else 0: a_0 = t_1 x n / (2 area), a_1 = n x t_0 / (2 area). */
static void add_turn(const contact_face *face, const contact_point *point, double psi,
                     corner_sums *to)
{
    double x[3], t[2][3], n[3], slope[2][6];
    contact_place(face, point->slave, x, t);
    contact_slopes(point->slave, slope);
    const double by = psi * point->gap / (2.0 * contact_normal(t, n));
    for (int c = 0; c < 3; c++) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        const double a[2] = {t[1][d] * n[e] - t[1][e] * n[d], n[d] * t[0][e] - n[e] * t[0][d]};
        for (int k = 0; k < to->n_function; k++) {
            for (int i = 0; i < 3; i++) {
                to->turn[k][c][i] += by * (slope[0][k] * a[0] + slope[1][k] * a[1]) * n[i];
            }
        }
    }
}

/* Sums over the points of one master face, first .. end: of a dual function times each function of
 * the slave, and of the master. */
static void add_up(const contact_terms *in, const contact_face *face, int32_t first, int32_t end,
                   const double dual[3], corner_sums *to)
{
    static const double all[3] = {1.0, 1.0, 1.0};
    memset(to->master, 0, sizeof to->master);
    for (int32_t p = first; p < end; p++) {
        const contact_point *point = &in->point[p].point;
        const double *along = in->is_tie ? all : point->normal;
        double slave[6], master[6];
        const double *f = in->point[p].function;
        const double psi = point->weight * (dual[0] * f[0] + dual[1] * f[1] + dual[2] * f[2]);
        contact_values(point->slave, slave);
        contact_values(point->master, master);
        for (int i = 0; i < 3 * to->n_function; i++) {
            to->slave[i / 3][i % 3] += psi * slave[i / 3] * along[i % 3];
            to->master[i / 3][i % 3] += psi * master[i / 3] * along[i % 3];
        }
        for (int c = 0; c < 3; c++) {
            to->normal[c] += psi * point->normal[c];
        }
        to->area += psi;
        to->moment += psi * point->gap;
        to->min_gap = fmin(to->min_gap, fmin(point->gap, point->min_gap));
        if (in->is_tie) {
            add_turn(face, point, psi, to);
        }
    }
}

/* Of a face that masters cover in a strip along an edge points are no deeper inside than that is
 * wide, whatever the gap along its normal. */
static bool is_strip(const contact_terms *in, int32_t slave)
{
    const contact_sums *of = &in->memory->sums[slave];
    return of->covered < STRIP * of->area;
}

/* What the points of one slave face give to the row of its corner k. */
static void add_corner(contact_terms *in, int32_t slave, int k, const double dual[3])
{
    const contact_face *face = &in->memory->slave.face[slave];
    corner_sums sums = {.n_function = in->def->edge_row ? 6 : 3, .min_gap = INFINITY};
    int32_t row[6], other[6];
    contact_vertex *vertex = contact_memory_corner(in->memory, slave, k);
    const int32_t j = (int32_t)(vertex - in->memory->vertex), begin = in->n_item;
    find_rows(in, face, row);
    for (int32_t first = 0, end; first < in->n_point; first = end) {
        end = end_of_master(in, first);
        add_up(in, face, first, end, dual, &sums);
        find_rows(in, &in->memory->master.face[in->point[first].master], other);
        for (int i = 0; i < sums.n_function; i++) {
            push(in, begin, j, other[i], 1.0, sums.master[i]);
        }
    }
    for (int i = 0; i < sums.n_function; i++) {
        push(in, begin, j, row[i], -1.0, sums.slave[i]);
    }
    for (int i = 0; i < sums.n_function && in->is_tie; i++) {
        push_turn(in, begin, j, row[i], sums.turn[i]);
    }
    if (in->first) { /* another one of the same points */
        return;
    }
    vertex->area += sums.area;
    vertex->moment += sums.moment;
    vertex->min_gap = is_strip(in, slave) ? vertex->min_gap : fmin(vertex->min_gap, sums.min_gap);
    for (int c = 0; c < 3; c++) {
        vertex->normal[c] += sums.normal[c];
    }
}

/* The same over a rigid surface, along its normals. */
static void add_rigid_corner(contact_terms *in, int32_t slave, int k, const double dual[3])
{
    const contact_face *face = &in->memory->slave.face[slave];
    double along[6][3] = {{0.0}}, all[6] = {0.0};
    int32_t row[6];
    contact_vertex *vertex = contact_memory_corner(in->memory, slave, k);
    const int32_t j = (int32_t)(vertex - in->memory->vertex), begin = in->n_item;
    find_rows(in, face, row);
    for (int32_t p = 0; p < in->n_point; p++) {
        const contact_covered_point *at = &in->point[p];
        const double *f = at->function;
        const double psi = at->point.weight * (dual[0] * f[0] + dual[1] * f[1] + dual[2] * f[2]);
        double value[6];
        contact_values(at->point.slave, value);
        for (int i = 0; i < 18; i++) {
            along[i / 3][i % 3] += psi * value[i / 3] * at->normal[i % 3];
        }
        for (int i = 0; i < 6; i++) {
            all[i] += psi * value[i];
        }
        if (in->first) { /* another one of the same points */
            continue;
        }
        for (int c = 0; c < 3; c++) {
            vertex->normal[c] += psi * at->normal[c];
            vertex->slid[c] += psi * at->slid[c];
        }
        vertex->area += psi;
        vertex->moment += psi * at->point.gap;
        vertex->min_gap = fmin(vertex->min_gap, fmin(at->point.gap, at->point.min_gap));
    }
    for (int i = 0; i < 6; i++) {
        const double whole[3] = {all[i], all[i], all[i]};
        push(in, begin, j, row[i], -1.0, in->is_tie ? whole : along[i]);
    }
}

/* The parts of corners of which little is covered go to the others, in equal shares. False: corner
 * k has nothing to add. */
static bool share_small(const contact_terms *in, int32_t i, int k, double dual[3][3], double out[3])
{
    bool is_small[3];
    int n = 0;
    for (int j = 0; j < 3; j++) {
        is_small[j] = contact_memory_corner(in->memory, i, j)->is_small;
        n += !is_small[j];
    }
    const bool is_shared = contact_memory_corner(in->memory, i, k)->is_shared;
    for (int c = 0; c < 3; c++) {
        out[c] = dual[k][c];
        for (int j = 0; j < 3 && n; j++) {
            out[c] += is_small[j] ? dual[j][c] / n : 0.0;
        }
    }
    return !is_small[k] || (!n && !is_shared);
}

static bool is_of_masters(const contact_terms *in, int32_t vertex)
{
    bool found = false;
    for (int32_t p = 0; p < in->n_point && !in->def->rigid; p++) {
        const int32_t *v = in->memory->master.face[in->point[p].master].vertex;
        found = found || v[0] == vertex || v[1] == vertex || v[2] == vertex;
    }
    return found;
}

/* Of the area of the face, to touched vertices. */
static void measure(const contact_terms *in, int32_t i)
{
    const contact_face *face = &in->memory->slave.face[i];
    const contact_sums *sums = &in->memory->sums[i];
    for (int k = 0; k < 3; k++) {
        if (ew_set_has(&in->memory->touched, face->vertex[k])) {
            contact_vertex *of = contact_memory_corner(in->memory, i, k);
            of->covered += sums->share[k];
            of->whole += sums->area / 3.0;
            of->meets_itself = of->meets_itself || is_of_masters(in, face->vertex[k]);
        }
    }
}

static void add_rows(contact_terms *in, int32_t i, int k, const double dual[3])
{
    const bool has_tie = in->memory->has_tie;
    for (int tie = 0; tie < 1 + has_tie; tie++) {
        in->is_tie = in->def->is_tie || tie;
        in->first = tie;
        in->width = has_tie ? 4 : in->is_tie ? 3 : 1;
        if (in->def->rigid) {
            add_rigid_corner(in, i, k, dual);
        } else {
            add_corner(in, i, k, dual);
        }
    }
}

ew_status contact_add_face(contact_terms *in, int32_t i)
{
    const contact_face *face = &in->memory->slave.face[i];
    const contact_plane plane = contact_plane_of(face);
    double dual[3][3], own[3];
    if (!(plane.area > 0.0)) {
        return ew_fail_about(EW_BAD_INPUT, face->code / 4, -1,
                             "contact: face %d of tet %d has no area; move its vertices apart",
                             face->code % 4, face->code / 4);
    }
    EW_TRY(in->def->rigid ? find_points_of_rigid(in, i, &plane) : find_points(in, i, &plane));
    measure(in, i);
    if (!in->n_point) {
        return EW_OK;
    }
    /* blocks of slave, turn, and masters, for three corners and rows of a contact and a tie */
    const int64_t most = (int64_t)in->n_item + 3 * 4 * (6 + 6 + 6 * (int64_t)in->n_point);
    EW_TRY(ew_grow(&in->item, &in->item_capacity, most, sizeof *in->item));
    find_functions(in, face);
    find_dual(in, face, dual);
    for (int k = 0; k < 3; k++) {
        if (ew_set_has(&in->memory->touched, face->vertex[k]) && share_small(in, i, k, dual, own)) {
            add_rows(in, i, k, own);
        }
    }
    return EW_OK;
}
