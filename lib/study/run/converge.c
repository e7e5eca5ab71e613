/* What a number of a step does while tets shrink: `converge:`. In: the answer of each round. Out: a
 * row of the table for each, with the order of convergence and the value extrapolated to tets of
 * size 0, and whether it has converged.
 *
 * Richardson's extrapolation on sizes of any ratio: with v = v0 + c h^p through the last three
 * rows, (v1 - v2) / (v2 - v3) = (h1^p - h2^p) / (h2^p - h3^p), which ascends with p on the right. A
 * negative p is a value that grows without bound, as the stress at a sharp inner corner or under a
 * point load does (Roache 1998, "Verification and Validation in Computational Science and
 * Engineering"). */
#include "study/run/run.h"

#include <math.h>
#include <string.h>

static const double min_order = -3.0, max_order = 12.0;

static double ratio_at(const double h[3], double p)
{
    if (fabs(p) < 1e-9) {
        return log(h[0] / h[1]) / log(h[1] / h[2]);
    }
    return (pow(h[0], p) - pow(h[1], p)) / (pow(h[1], p) - pow(h[2], p));
}

/* NaN: the values do not go one way, or by no power. */
static double order_of(const double h[3], const double v[3])
{
    const double wanted = (v[0] - v[1]) / (v[1] - v[2]);
    double low = min_order, high = max_order;
    if (!(h[0] > h[1] && h[1] > h[2]) || !(wanted >= ratio_at(h, low)) ||
        !(wanted <= ratio_at(h, high))) {
        return NAN;
    }
    for (int k = 0; k < 100; k++) {
        const double middle = 0.5 * (low + high);
        *(ratio_at(h, middle) < wanted ? &low : &high) = middle;
    }
    return 0.5 * (low + high);
}

/* Edge of a regular tet of the mean volume of tets at the set, or of all. */
static ew_status find_size(ew_study *study, const ew_case_converge *of, double *size)
{
    const ew_mesh *mesh = ew_model_mesh(study->model);
    double volume = 0.0;
    int64_t n = 0;
    bool *near = NULL;
    EW_TRY(ew_study_mark_vertices(study, of->set, &near));
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (ew_mesh_tet_is_live(mesh, t) && ew_study_touches(mesh, near, t)) {
            volume += ew_mesh_tet_volume(mesh, t);
            n++;
        }
    }
    ew_release(near);
    if (!n) {
        return ew_fail_at(EW_BAD_INPUT, of->line,
                          "converge: set '%.60s' of 'on' is empty; no value is there to look at, "
                          "choose another set",
                          study->input->set[of->set].name);
    }
    *size = cbrt(6.0 * sqrt(2.0) * volume / (double)n);
    return EW_OK;
}

static ew_status find_value(ew_study *study, const ew_case_converge *of, double *value)
{
    static const double about[3];
    const ew_sums *sums = study->report.sums;
    ew_set_results results;
    if (of->quantity == EW_CONVERGE_STRAIN_ENERGY || of->set < 0) {
        *value = of->quantity == EW_CONVERGE_STRAIN_ENERGY  ? sums->strain_energy
                 : of->quantity == EW_CONVERGE_DISPLACEMENT ? sums->max_displacement
                                                            : sums->max_vertex_von_mises;
        return EW_OK;
    }
    EW_TRY(ew_model_recover_set(study->model, of->set, 0, about, &results));
    *value =
        of->quantity == EW_CONVERGE_DISPLACEMENT ? results.max_displacement : results.max_von_mises;
    return EW_OK;
}

/* With at least three rows: neither the last change nor what is left to the extrapolated value is
 * more than asked for. */
static void judge(ew_convergence *table, double until)
{
    ew_convergence_row *row = &table->row[table->n_row - 1];
    row->order = row->extrapolated = NAN;
    table->is_reached = false; /* that of the step before may have been */
    row->change = table->n_row > 1 ? (row->value - row[-1].value) / row->value : NAN;
    if (table->n_row < 3) {
        return;
    }
    const double h[3] = {row[-2].size, row[-1].size, row->size};
    const double v[3] = {row[-2].value, row[-1].value, row->value};
    row->order = v[1] == v[2] ? NAN : order_of(h, v);
    if (row->order > 0.0) {
        const double p = row->order, part = pow(h[2], p) / (pow(h[1], p) - pow(h[2], p));
        row->extrapolated = v[2] + (v[2] - v[1]) * part;
    }
    const double left =
        isnan(row->extrapolated) ? 0.0 : (row->extrapolated - row->value) / row->value;
    table->is_reached = fabs(row->change) <= until && fabs(left) <= until && !(row->order < 0.0);
}

ew_status ew_study_note_round(ew_study *study, const ew_case_converge *of)
{
    ew_convergence *table = &study->convergence;
    const ew_mesh *mesh = ew_model_mesh(study->model);
    const ew_edge_rows *rows = ew_model_edge_rows(study->model);
    ew_convergence_row row = {.n_tet = mesh->n_live_tet,
                              .n_unknown =
                                  3 * ((int64_t)mesh->n_active_vertex + (rows ? rows->n_live : 0))};
    EW_TRY(find_size(study, of, &row.size));
    EW_TRY(find_value(study, of, &row.value));
    EW_TRY(ew_grow(&table->row, &table->capacity, (int64_t)table->n_row + 1, sizeof *table->row));
    table->row[table->n_row++] = row;
    table->quantity = of->quantity;
    table->set = of->set < 0 ? NULL : study->input->set[of->set].name;
    judge(table, of->until);
    study->report.convergence = table;
    return EW_OK;
}

void ew_study_judge_convergence(ew_study *study, const ew_case_converge *of)
{
    const ew_convergence *table = study->report.convergence;
    const ew_convergence_row *row = table && table->n_row ? &table->row[table->n_row - 1] : NULL;
    if (!row || table->is_reached) {
        return;
    }
    if (row->order < 0.0) {
        ew_study_warn(
            study, EW_WARNING_GOAL, of->line,
            "the value that 'converge' looks at grows as tets shrink, with the order %.2f: at "
            "a sharp inner corner, a point load or a point support it has no limit; give "
            "another set for 'on', or round the corner",
            row->order);
    } else {
        ew_study_warn(
            study, EW_WARNING_GOAL, of->line,
            "the value that 'converge' looks at changed by %.3g %% in the last round, %s: not "
            "yet within %.3g %%; raise max_rounds (%d) or max_tets (%d)",
            100.0 * row->change,
            isnan(row->extrapolated) ? "not by a power of the size" : "and would change further",
            100.0 * of->until, of->max_rounds, of->max_tets);
    }
}

void ew_study_free_convergence(ew_study *study)
{
    ew_release(study->convergence.row);
    study->convergence = (ew_convergence){0};
}

/* ---- tets at a set --------------------------------------------------------------------------- */

ew_status ew_study_mark_vertices(ew_study *study, int32_t set, bool **near)
{
    const ew_mesh *mesh = ew_model_mesh(study->model);
    ew_list vertex = {0};
    *near = NULL;
    if (set < 0) {
        return EW_OK;
    }
    EW_TRY(ew_new_zero(near, (size_t)mesh->n_vertex, sizeof **near));
    const ew_status status = ew_model_list_vertices(study->model, set, &vertex);
    for (int32_t i = 0; i < vertex.n && !status; i++) {
        (*near)[vertex.id[i]] = true;
    }
    ew_list_free(&vertex);
    return status;
}

bool ew_study_touches(const ew_mesh *mesh, const bool *near, int32_t t)
{
    bool touches = !near;
    for (int k = 0; k < 4 && !touches; k++) {
        touches = near[mesh->tet[4 * (size_t)t + (size_t)k]];
    }
    return touches;
}
