/* Points of contacts with friction: their tangents, and what slides there. In: rows, constraints,
 * the displacement that a solve, a load step or a step in time begins with. Out: slip since then.
 *
 * Rows of displaced faces times a displacement less the one before are by what the masters' points
 * that are now opposite have moved from the slaves: slip over as many faces as there are. */
#include "model/internal.h"

#include <math.h>
#include <string.h>

/* Row `row` of the tie along a tangent, times u. */
double model_jump_of(const model_contact_part *part, int32_t row, const double tangent[3],
                     const double *u)
{
    const ew_contact_rows *tie = &part->tie;
    double sum = 0.0;
    for (int c = 0; c < 3; c++) {
        for (int32_t k = tie->begin[3 * row + c]; k < tie->begin[3 * row + c + 1]; k++) {
            sum += tangent[c] * tie->factor[k] * u[tie->entry[k]];
        }
    }
    return sum;
}

void model_combine_tangents(const model_friction *of, const double along[2], double direction[3])
{
    for (int c = 0; c < 3; c++) {
        direction[c] = along[0] * of->tangent[0][c] + along[1] * of->tangent[1][c];
    }
}

/* ---- tangents -------------------------------------------------------------------------------- */

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* v without what it has along n; its length. */
static double clear(const double n[3], double v[3])
{
    const double along = dot(n, v);
    for (int c = 0; c < 3; c++) {
        v[c] -= along * n[c];
    }
    return sqrt(dot(v, v));
}

/* The direction that constraints leave free or prescribe alone at a vertex, as far as it is a
 * tangent: with it as one of both, the other one is free or prescribed, too. False: none. */
static bool find_distinct(const ew_model *model, int32_t vertex, double q[3])
{
    const unsigned bits = model->constraints.fixed[vertex] & 7u, free = 7u & ~bits;
    const ew_oblique *oblique = &model->constraints.oblique;
    const unsigned one = !(bits & (bits - 1)) ? bits : !(free & (free - 1)) ? free : 0;
    for (int c = 0; c < 3; c++) {
        q[c] = one >> c & 1;
    }
    for (int32_t k = 0; model->constraints.fixed[vertex] & EW_OBLIQUE && k < oblique->n; k++) {
        if (oblique->row[k] == vertex) {
            memcpy(q, oblique->normal + 6 * (size_t)k, 3 * sizeof *q);
        }
    }
    return dot(q, q) > 0.5;
}

static void find_tangents(const ew_model *model, int32_t vertex, const double normal[3],
                          double tangent[2][3])
{
    const double length = sqrt(dot(normal, normal));
    double n[3], *t = tangent[0];
    int least = 0;
    for (int c = 0; c < 3; c++) {
        n[c] = normal[c] / length;
        least = fabs(n[c]) < fabs(n[least]) ? c : least;
    }
    double size = find_distinct(model, vertex, t) ? clear(t, n) : 0.0;
    if (size < 0.5) { /* it is the normal, or there is none */
        for (int c = 0; c < 3; c++) {
            n[c] = normal[c] / length;
            t[c] = c == least;
        }
        const double left = clear(n, t);
        for (int c = 0; c < 3; c++) {
            t[c] /= left;
        }
        size = 1.0;
    }
    for (int c = 0; c < 3; c++) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        tangent[1][c] = (n[d] * t[e] - n[e] * t[d]) / size;
    }
}

/* ---- history ------------------------------------------------------------------------------------
 */

/* Where rows turn with the faces between iterations, a point goes on as it was. */
static void carry(const model_friction *from, model_friction *to)
{
    const model_friction own = *to;
    double direction[3];
    *to = *from;
    memcpy(to->tangent, own.tangent, sizeof own.tangent);
    model_combine_tangents(from, from->direction, direction);
    for (int a = 0; a < 2; a++) {
        to->direction[a] = dot(direction, own.tangent[a]);
    }
    const double length = hypot(to->direction[0], to->direction[1]);
    to->slips = from->slips && length > 0.0;
    for (int a = 0; a < 2 && to->slips; a++) {
        to->direction[a] /= length;
    }
}

/* What a rigid surface has moved under a point since it was settled, of which `touch` is the share
 * before they touched. */
static void find_moved(const model_contact_part *part, int32_t r, double touch, model_friction *to)
{
    for (int a = 0; a < 2; a++) {
        to->moved[a] = -(1.0 - touch) * dot(to->tangent[a], part->rows.slid + 3 * (size_t)r);
    }
}

/* The displacement that a solve goes on from; null: none. */
static const double *find_start(const ew_model *model)
{
    const model_contacts *of = &model->contacts;
    return of->start          ? of->start
           : !of->has_history ? NULL
                              : model->field[of->is_kept ? of->kept : 0].value;
}

/* The gap at a displacement, null: none; *before: less what a rigid surface has moved. */
static double find_gap(const ew_model *model, const model_contact_part *part, int32_t r, int32_t i,
                       const double *u, double *before)
{
    const ew_contact_rows *rows = &part->rows;
    double gap = model_contact_gap_of(&model->contacts, i);
    for (int32_t t = rows->begin[r]; t < rows->begin[r + 1] && u; t++) {
        gap += rows->factor[t] * u[rows->entry[t]];
    }
    *before = gap - dot(rows->normal + 3 * (size_t)r, rows->slid + 3 * (size_t)r);
    return gap;
}

void model_make_friction(ew_model *model, const model_contact_part *part, int32_t first)
{
    model_contacts *all = &model->contacts;
    const double *from = find_start(model);
    for (int32_t r = 0; r < part->rows.n; r++) {
        model_friction *to = &all->friction[first + r];
        const int32_t before = all->point[first + r].before;
        *to = (model_friction){.slips = false};
        find_tangents(model, part->rows.vertex[r], part->rows.normal + 3 * (size_t)r, to->tangent);
        if (all->start && before >= 0) {
            carry(&all->friction_before[before], to);
        }
        double apart;
        const double gap = find_gap(model, part, r, first + r, from, &apart);
        const double touch = all->is_released ? 0.0 : model_touch_share(apart, gap);
        to->apart = touch > 0.0 ? 0.0 : apart;
        find_moved(part, r, touch, to);
        for (int a = 0; a < 2; a++) {
            to->origin[a] = from ? model_jump_of(part, r, to->tangent[a], from) : 0.0;
            to->origin[a] += to->moved[a]; /* masters move */
        }
    }
}

void model_touch_rigid(ew_model *model)
{
    model_contacts *of = &model->contacts;
    for (int32_t k = 0, i = 0; k < of->n_part && !model_has_large_rotations(model); k++) {
        const model_contact_part *part = &of->part[k];
        for (int32_t r = 0; r < part->rows.n; r++, i++) {
            model_friction *to = &of->friction[i];
            const double share = model_touch_share(to->apart, of->gap[i]);
            if (part->friction > 0.0 && of->point[i].is_closed && !of->before[i] && share > 0.0) {
                const double before[2] = {to->moved[0], to->moved[1]};
                find_moved(part, r, share, to);
                to->apart = 0.0; /* it touched once */
                for (int a = 0; a < 2; a++) {
                    to->origin[a] += to->moved[a] - before[a];
                }
            }
        }
    }
}

/* Back to what the history was when it was kept: rows are made again, and friction with them. */
static void go_back(ew_model *model)
{
    model_contacts *of = &model->contacts;
    of->has_history = of->kept_history;
    model_unsettle_rigid(model, true);
    model_forget_equations(model);
}

void model_reset_relaxation(model_contacts *of)
{
    of->relaxation = 1.0;
    of->most = INFINITY;
    for (int32_t i = 0; i < of->n_point; i++) {
        of->friction[i].lack = 0.0;
    }
}

void model_begin_friction(ew_model *model)
{
    model_contacts *of = &model->contacts;
    bool any = false;
    if (of->is_kept) {
        go_back(model);
    }
    for (int32_t i = 0; of->is_settled && !of->is_kept && i < of->n_point; i++) {
        model_friction *to = &of->friction[i];
        any = any || to->slips || to->slip[0] != 0.0 || to->slip[1] != 0.0;
        to->slips = to->has_slid = false;
        for (int a = 0; a < 2; a++) {
            to->origin[a] += to->slip[a];
            to->slip[a] = 0.0;
        }
    }
    of->is_settled = false;
    of->n_passed = 0;
    model_reset_relaxation(of);
    if (any) {
        model_renew_contact_equations(model);
    }
}

void model_start_from_kept(ew_model *model)
{
    const model_contacts *of = &model->contacts;
    if (of->is_kept) {
        memcpy(model->field[0].value, model->field[of->kept].value, model_vector_size(model));
        model_touch_records(model);
    }
}

ew_status ew_model_keep_history(ew_model *model, bool keeps)
{
    model_contacts *of = &model->contacts;
    of->is_kept = false;
    if (!keeps) {
        return EW_OK;
    }
    EW_TRY(of->kept ? EW_OK : model_add_row_field(model, "start of friction", &of->kept));
    double *to = model->field[of->kept].value;
    if (of->has_history) {
        memcpy(to, model->field[0].value, model_vector_size(model));
    } else {
        memset(to, 0, model_vector_size(model));
    }
    for (int32_t i = 0; i < of->n; i++) {
        of->rigid[i].kept = of->rigid[i].settled;
    }
    of->kept_history = of->has_history;
    of->is_kept = true;
    return EW_OK;
}

void ew_model_forget_history(ew_model *model)
{
    model_contacts *of = &model->contacts;
    of->is_kept = of->has_history = of->is_settled = false;
    of->n_passed = 0;
    model_unsettle_rigid(model, false);
    if (of->n) {
        model_forget_equations(model);
    }
}

void model_start_friction(ew_model *model, const double *u, double share)
{
    model_contacts *of = &model->contacts;
    bool any = false;
    of->start = u;
    model_reset_relaxation(of);
    for (int32_t k = 0, i = 0; k < of->n_part; k++) {
        const model_contact_part *part = &of->part[k];
        for (int32_t r = 0; r < part->rows.n; r++, i++) {
            model_friction *to = &of->friction[i];
            any = any || part->friction > 0.0;
            to->slips = to->has_slid = false;
            for (int a = 0; a < 2 && part->friction > 0.0; a++) {
                to->origin[a] = model_jump_of(part, r, to->tangent[a], u) + share * to->moved[a];
                to->slip[a] = to->lack = 0.0;
            }
        }
    }
    if (any) {
        model_renew_contact_equations(model);
    }
}

ew_status model_pass_slip(ew_model *model)
{
    model_contacts *of = &model->contacts;
    const int32_t n = model_has_friction(model) ? model->mesh.n_vertex : 0;
    EW_TRY(ew_grow(&of->passed, &of->passed_capacity, n, 3 * sizeof *of->passed));
    if (!of->n_passed && n) {
        memset(of->passed, 0, 3 * sizeof *of->passed * (size_t)n);
    }
    of->n_passed = n;
    for (int32_t k = 0, i = 0; k < of->n_part; k++) {
        const model_contact_part *part = &of->part[k];
        for (int32_t r = 0; r < part->rows.n; r++, i++) {
            model_friction *at = &of->friction[i];
            double slid[3];
            model_combine_tangents(at, at->slip, slid);
            for (int c = 0; c < 3 && of->point[i].is_closed && at->slips; c++) {
                of->passed[3 * (size_t)part->rows.vertex[r] + (size_t)c] += slid[c];
            }
            at->slip[0] = at->slip[1] = 0.0;
        }
    }
    return EW_OK;
}

void model_find_slip(ew_model *model, const double *u)
{
    model_contacts *of = &model->contacts;
    for (int32_t k = 0, i = 0; k < of->n_part; k++) {
        const model_contact_part *part = &of->part[k];
        for (int32_t r = 0; r < part->rows.n; r++, i++) {
            model_friction *to = &of->friction[i];
            for (int a = 0; a < 2 && part->friction > 0.0; a++) {
                to->slip[a] = model_jump_of(part, r, to->tangent[a], u) - to->origin[a];
            }
        }
    }
}

double model_close_friction(ew_model *model, const double *from, const double *u)
{
    model_contacts *of = &model->contacts;
    double work = 0.0;
    for (int32_t k = 0, i = 0; k < of->n_part; k++) {
        const model_contact_part *part = &of->part[k];
        for (int32_t r = 0; r < part->rows.n; r++, i++) {
            model_friction *at = &of->friction[i];
            for (int a = 0; a < 2 && part->friction > 0.0; a++) {
                at->origin[a] = model_jump_of(part, r, at->tangent[a], from) + at->moved[a];
                at->slip[a] = model_jump_of(part, r, at->tangent[a], u) - at->origin[a];
                work -= of->point[i].is_closed ? at->force[a] * at->slip[a] : 0.0;
            }
        }
    }
    of->has_history = of->is_settled = of->n > 0;
    return work;
}
