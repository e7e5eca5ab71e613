/* The edit that a refinement is. In: parts of tets, with and without names. Out: the queues in the
 * words of an edit, or the refusal of parts that the commit would refuse. */
#include "operation/refine/refine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_parts(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Those that were not cut, in the order in which they were made; *key: the caller's, a part in the
 * lower half of each. */
static ew_status list_left(const ew_refiner *r, int64_t **key, int32_t *n)
{
    *n = 0;
    for (int32_t p = 0; p < r->n_part; p++) {
        *n += r->part[p].v[0] != -1;
    }
    EW_TRY(ew_new(key, (size_t)*n, sizeof **key));
    for (int32_t p = 0, k = 0; p < r->n_part; p++) {
        if (r->part[p].v[0] != -1) {
            (*key)[k++] = (int64_t)r->part[p].number << 32 | p;
        }
    }
    qsort(*key, (size_t)*n, sizeof **key, compare_parts);
    return EW_OK;
}

/* Parts that have names and were not cut take their places among the queued ones. */
static ew_status merge_parts(ew_refiner *r, const int64_t *key, int32_t n_left)
{
    ew_edit *edit = r->edit;
    int32_t from = edit->n_add_tet, to = from + n_left; /* at most the parts made */
    EW_TRY(ew_grow(&edit->add_tet, &edit->add_tet_capacity, to, 4 * sizeof *edit->add_tet));
    EW_TRY(ew_grow(&edit->add_tet_from, &edit->add_from_capacity, to, sizeof(int32_t)));
    EW_TRY(ew_grow(&edit->add_tet_region, &edit->add_region_capacity, to, sizeof(int32_t)));
    edit->n_add_tet = to;
    for (int32_t k = n_left - 1; k >= 0; k--) {
        const ew_part *part = &r->part[key[k] & INT32_MAX];
        const int32_t n = from - part->place;
        from -= n;
        to -= n;
        memmove(edit->add_tet + 4 * (size_t)to, edit->add_tet + 4 * (size_t)from,
                4 * sizeof *edit->add_tet * (size_t)n);
        memmove(edit->add_tet_from + to, edit->add_tet_from + from,
                sizeof *edit->add_tet_from * (size_t)n);
        to--;
        memcpy(edit->add_tet + 4 * (size_t)to, part->v, sizeof part->v);
        edit->add_tet_from[to] = part->from;
    }
    return EW_OK;
}

/* ---- shapes ------------------------------------------------------------ */

/* Whether 6V / (longest edge)^3 is so far above EW_MIN_SHAPE, and both so far from the ends of a
 * double's range, that nothing can refuse the tet. */
static bool is_safe(const ew_refiner *r, const int32_t v[4])
{
    const double *const x[4] = {ew_refine_place(r, v[0]), ew_refine_place(r, v[1]),
                                ew_refine_place(r, v[2]), ew_refine_place(r, v[3])};
    double e[3][3], max2 = 0.0, min2 = 1e80;
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) {
            e[k][i] = x[k + 1][i] - x[0][i];
        }
    }
    for (int k = 0; k < 3; k++) {
        const double *a = e[k], *b = e[(k + 1) % 3];
        const double p = b[0] - a[0], q = b[1] - a[1], s = b[2] - a[2];
        const double a2 = a[0] * a[0] + a[1] * a[1] + a[2] * a[2], b2 = p * p + q * q + s * s;
        const double max = a2 > b2 ? a2 : b2;
        max2 = max > max2 ? max : max2;
        min2 = a2 < min2 ? a2 : min2;
    }
    const double d = e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) +
                     e[0][1] * (e[1][2] * e[2][0] - e[1][0] * e[2][2]) +
                     e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
    return d > 0.0 && d * d > 1e-20 * (max2 * max2 * max2) && min2 > 1e-80 && max2 < 1e80;
}

static ew_status refuse(const ew_refiner *r)
{
    const ew_edit *edit = r->edit;
    ew_refusal refusal = {0};
    for (int32_t i = 0; i < edit->n_add_tet; i++) {
        const double *x[4];
        for (size_t k = 0; k < 4; k++) {
            x[k] = ew_refine_place(r, edit->add_tet[4 * (size_t)i + k]);
        }
        ew_refusal_note(&refusal, r->mesh->tet_id[edit->add_tet_from[i]], x);
    }
    return ew_refusal_fail(&refusal, "refine", "parts of tets", "give a greater length");
}

static ew_status check_shapes(const ew_refiner *r)
{
    const ew_edit *edit = r->edit;
    bool safe = true;
#pragma omp parallel for schedule(static) num_threads(ew_threads()) reduction(&& : safe)
    for (int32_t i = 0; i < edit->n_add_tet; i++) {
        safe = is_safe(r, edit->add_tet + 4 * (size_t)i) && safe;
    }
    return safe ? EW_OK : refuse(r);
}

/* ---- names ------------------------------------------------------------- */

static void name_parts(const ew_refiner *r)
{
    const ew_mesh *mesh = r->mesh;
    ew_edit *edit = r->edit;
#pragma omp parallel for schedule(static) num_threads(ew_threads())
    for (int32_t i = 0; i < edit->n_add_tet; i++) {
        int32_t *v = edit->add_tet + 4 * (size_t)i;
        for (int k = 0; k < 4; k++) {
            v[k] = ew_refine_name(r, v[k]);
        }
        edit->add_tet_region[i] = mesh->region_label[mesh->region[edit->add_tet_from[i]]];
    }
}

ew_status ew_refine_queue(ew_refiner *r)
{
    int64_t *left = NULL;
    int32_t n_left;
    ew_status status = list_left(r, &left, &n_left);
    status = status ? status : merge_parts(r, left, n_left);
    ew_release(left);
    EW_TRY(status);
    EW_TRY(check_shapes(r));
    name_parts(r);
    EW_TRY(ew_refine_remove_cut(r));
    r->edit->parts_of = r->crowded ? 0 : r->mesh->revision;
    return EW_OK;
}
