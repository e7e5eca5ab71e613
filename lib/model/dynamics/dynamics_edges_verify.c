/* The oracle for what motion keeps on edges with functions: constraints, masses, forces of loads
 * and diagonal blocks, as they followed edits, against those made from all of the mesh, bit for
 * bit. */
#include "model/internal.h"

#include <string.h>

static int64_t differs(const void *a, const void *b, size_t bytes)
{
    return memcmp(a, b, bytes) != 0;
}

/* The directions of a row that is oblique; the order of the rows is that in which they came. */
static int64_t directions_differ(const ew_constraints *a, const ew_constraints *b, int32_t row)
{
    const int32_t i = a->place ? a->place[row] : -1, j = b->place ? b->place[row] : -1;
    return i < 0 || j < 0 ? (i < 0) != (j < 0)
                          : differs(a->oblique.normal + 6 * (size_t)i,
                                    b->oblique.normal + 6 * (size_t)j, 6 * sizeof(double));
}

static ew_status verify_constraints(const ew_model *model, ew_model_verification *result)
{
    const ew_constraints *own = &model->constraints;
    ew_constraints fresh = {0};
    ew_status status =
        ew_constraints_build(&fresh, &model->mesh, model->n_line, model->constraint_line);
    status = status ? status
                    : ew_constraints_set_edges(&fresh, &model->mesh, &model->topology,
                                               &model->quadratic.rows, model->n_line,
                                               model->constraint_line, NULL);
    for (int32_t row = 0; row < fresh.n_vertex + fresh.n_edge && !status; row++) {
        result->n_different += own->fixed[row] != fresh.fixed[row] ||
                               directions_differ(own, &fresh, row) ||
                               differs(own->value + 3 * (size_t)row, fresh.value + 3 * (size_t)row,
                                       3 * sizeof(double));
    }
    ew_constraints_free(&fresh);
    return status;
}

static ew_status verify_mass(const ew_model *model, ew_model_verification *result)
{
    const ew_mesh *mesh = &model->mesh;
    const ew_edge_rows *rows = &model->quadratic.rows;
    const ew_edge_mass *own = &model->quadratic.moving.mass;
    ew_edge_mass fresh = {0};
    const ew_status status = ew_edge_mass_build(&fresh, &own->of, rows);
    for (int32_t t = 0; t < mesh->n_tet && !status; t++) {
        const bool is_live = ew_mesh_tet_is_live(mesh, t);
        result->n_different += is_live && own->of_tet[t] != fresh.of_tet[t];
        result->n_different +=
            is_live && rows->curve && (own->place[t] < 0) != (fresh.place[t] < 0);
    }
    for (int32_t v = 0; v < mesh->n_vertex && !status; v++) {
        result->n_different += own->vertex[v] != fresh.vertex[v];
    }
    for (int32_t row = 0; row < rows->pattern.n_row && !status; row++) {
        result->n_different += own->edge[row] != fresh.edge[row];
    }
    ew_edge_mass_free(&fresh);
    return status;
}

/* Of the host; on a device they are computed from blocks and masses by each step. */
static void verify_diagonal(const ew_model *model, ew_model_verification *result)
{
    const model_quadratic *q = &model->quadratic;
    const model_moving_edges *moving = &q->moving;
    for (int32_t row = 0; row < (model->device ? 0 : q->rows.pattern.n_row); row++) {
        const double m = moving->op.terms.of_mass * ew_edge_mass_diagonal(&moving->mass, row);
        const double *k = q->blocks.diagonal + 9 * (size_t)row;
        bool same = true;
        for (size_t i = 0; i < 9; i++) {
            const double entry = moving->op.terms.of_stiffness * k[i] + (i % 4 == 0 ? m : 0.0);
            same = same && moving->diagonal[9 * (size_t)row + i] == entry;
        }
        result->n_different += !same;
    }
}

ew_status model_verify_moving_edges(ew_model *model, ew_model_verification *result)
{
    EW_TRY(verify_constraints(model, result));
    EW_TRY(verify_mass(model, result));
    if (model->dynamics.of_stiffness != 0.0) {
        verify_diagonal(model, result);
    }
    return model_verify_edge_groups(model, result);
}
