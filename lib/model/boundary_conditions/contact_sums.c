/* What contacts do to sets. In: points with their forces, of the last recovery. Out: sums over what
 * of their rows is of a set. */
#include "model/internal.h"

#include <math.h>

/* Shares of a row below this are rounding: both sides are of the set, or none. */
#define NO_SHARE 1e-9

/* Whether a row of the matrix is of a vertex of the set, or of an edge between two of them. */
static bool is_of(const ew_model *model, const bool *has, int32_t row)
{
    const int32_t n = model->mesh.n_vertex;
    if (row < n) {
        return has[row];
    }
    const int32_t edge = model->quadratic.rows.edge[row - n];
    const int32_t *end = model->topology.pattern.pair_row + 2 * (size_t)edge;
    return has[end[0]] && has[end[1]];
}

/* to += factor times what a row has in the set. */
static void add_row(const ew_model *model, const bool *has, const ew_contact_rows *rows,
                    int32_t row, double factor, double to[3])
{
    for (int32_t t = rows->begin[row]; t < rows->begin[row + 1]; t++) {
        to[rows->entry[t] % 3] +=
            is_of(model, has, rows->entry[t] / 3) ? factor * rows->factor[t] : 0.0;
    }
}

static void add_point(const ew_model *model, const bool *has, const model_contact_part *part,
                      int32_t r, int32_t i, ew_model_contact_sum *sum)
{
    const model_contacts *of = &model->contacts;
    const double *normal = part->rows.normal + 3 * (size_t)r, area = part->rows.area[r];
    double on[3] = {0.0, 0.0, 0.0}, force[3];
    add_row(model, has, &part->rows, r, 1.0, on);
    const double share =
        hypot(hypot(on[0], on[1]), on[2]) / hypot(hypot(normal[0], normal[1]), normal[2]);
    if (!(share > NO_SHARE)) {
        return;
    }
    sum->n_point++;
    sum->area += of->point[i].is_closed ? fmin(share, 1.0) * area : 0.0;
    sum->max_pressure =
        share > 0.5 ? fmax(sum->max_pressure, of->force[i] / area) : sum->max_pressure;
    for (int c = 0; c < 3; c++) {
        sum->force[c] += of->force[i] * on[c];
    }
    if (part->friction > 0.0) {
        model_combine_tangents(&of->friction[i], of->friction[i].force, force);
        for (int c = 0; c < 3; c++) {
            add_row(model, has, &part->tie, 3 * r + c, force[c], sum->force);
        }
    }
}

ew_status ew_model_sum_contact(const ew_model *model, int32_t contact, int32_t set,
                               ew_model_contact_sum *sum)
{
    const model_contacts *of = &model->contacts;
    ew_model_contact_report report; /* there is one */
    ew_list vertex = {0};
    bool *has = NULL;
    EW_TRY(ew_model_view_contact(model, contact, &report));
    ew_status status = ew_model_list_vertices(model, set, &vertex);
    status = status ? status : ew_new_zero(&has, (size_t)model->mesh.n_vertex, sizeof *has);
    *sum = (ew_model_contact_sum){0};
    for (int32_t k = 0; k < vertex.n && !status; k++) {
        has[vertex.id[k]] = true;
    }
    for (int32_t k = 0, i = 0; k < of->n_part && !status; k++) {
        for (int32_t r = 0; r < of->part[k].rows.n; r++, i++) {
            if (of->part[k].contact == contact) {
                add_point(model, has, &of->part[k], r, i, sum);
            }
        }
    }
    ew_release(has);
    ew_list_free(&vertex);
    return status;
}
