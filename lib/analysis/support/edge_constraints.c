/* Constraints on the functions of edges. In: the lines of a case, and what they make of vertices.
 * Out: per row of an edge the prescribed components of its coefficient, the displacement at its
 * middle less the mean of its ends. A component that two vertices have alike leaves the edge
 * between them straight; that is all of it but for directions that depend on the place. */
#include "analysis/check/directions.h"

typedef struct context {
    const ew_mesh *mesh;
    const ew_topology *topology;
    const ew_edge_rows *rows;
    ew_constraints *constraints;
    int32_t n;
    const ew_constraint *list;
} context;

/* Whether a boundary face that the line stands on has tet's edge (place[0], place[1]); of a set of
 * vertices one with all three in the set. */
static bool holds_face(const context *in, const ew_constraint *line, int32_t tet,
                       const int32_t *end)
{
    const int32_t *vertex = in->mesh->tet + 4 * (size_t)tet;
    for (int k = 0; k < 4; k++) { /* face k is opposite to vertex k */
        bool has = vertex[k] != end[0] && vertex[k] != end[1];
        for (int j = 0; j < 3 && has && !line->face; j++) {
            has = ew_set_has(line->vertex, vertex[ew_face_vertex[k][j]]);
        }
        if (has && line->face) {
            has = ew_set_has(line->face, ew_boundary_find(line->boundary, 4 * tet + k));
        }
        if (has &&
            (line->face || ew_topology_face_neighbor(in->topology, in->mesh, 4 * tet + k) < 0)) {
            return true;
        }
    }
    return false;
}

/* by_faces: some boundary face has its vertices in the set of the line. */
static bool holds_edge(const context *in, const ew_constraint *line, bool by_faces, int32_t edge)
{
    const int32_t *end = in->topology->pattern.pair_row + 2 * (size_t)edge;
    const ew_rows *tets = &in->topology->edge_to_tet;
    if (!ew_set_has(line->vertex, end[0]) || !ew_set_has(line->vertex, end[1])) {
        return false;
    }
    bool holds = !line->face && !by_faces;
    for (int32_t k = 0; k < tets->count[edge] && !holds; k++) {
        holds = holds_face(in, line, tets->item[(size_t)tets->begin[edge] + (size_t)k], end);
    }
    return holds;
}

/* Whether any boundary face has its three vertices in the set of the line. */
static bool has_face(const context *in, const ew_constraint *line)
{
    const ew_list *vertex = &line->vertex->list;
    const ew_rows *tets = &in->topology->vertex_to_tet;
    for (int32_t i = 0; i < vertex->n; i++) {
        const int32_t v = vertex->id[i];
        const int32_t end[2] = {v, v};
        for (int32_t k = 0; k < tets->count[v]; k++) {
            if (holds_face(in, line, tets->item[(size_t)tets->begin[v] + (size_t)k], end)) {
                return true;
            }
        }
    }
    return false;
}

bool ew_constraint_has_face(const ew_mesh *mesh, const ew_topology *topology,
                            const ew_constraint *line)
{
    const context in = {.mesh = mesh, .topology = topology};
    return has_face(&in, line);
}

bool ew_constraint_has_edge(const ew_mesh *mesh, const ew_topology *topology,
                            const ew_constraint *line, bool by_faces, int32_t edge)
{
    const context in = {.mesh = mesh, .topology = topology};
    return holds_edge(&in, line, by_faces, edge);
}

/* ---- one edge ----------------------------------------------------------------- */

/* A line at the middle of an edge, where what is given by vertex is linear between the ends. */
static ew_constraint line_at_middle(const ew_constraint *line, const int32_t end[2])
{
    ew_constraint made = *line;
    for (int c = 0; c < 3 && line->base; c++) {
        made.value[c] += 0.5 * (line->base[3 * (size_t)end[0] + (size_t)c] +
                                line->base[3 * (size_t)end[1] + (size_t)c]);
    }
    made.base = NULL;
    return made;
}

/* The displacement that the lines prescribe at its middle, minus the mean of those at its ends. */
static ew_status collect(const context *in, int32_t edge, ew_directions *directions)
{
    static const double none[3];
    const int32_t *end = in->topology->pattern.pair_row + 2 * (size_t)edge;
    const double *a = in->mesh->xyz + 3 * (size_t)end[0], *b = in->mesh->xyz + 3 * (size_t)end[1];
    const double *curve =
        in->rows->curve ? in->rows->curve + 3 * (size_t)in->rows->row[edge] : none;
    const double x[3] = {0.5 * (a[0] + b[0]) + curve[0], 0.5 * (a[1] + b[1]) + curve[1],
                         0.5 * (a[2] + b[2]) + curve[2]};
    const double *of_a = in->constraints->value + 3 * (size_t)end[0];
    const double *of_b = in->constraints->value + 3 * (size_t)end[1];
    *directions = (ew_directions){0};
    for (int stage = 0; stage < 2; stage++) {
        for (int32_t i = 0; i < in->n; i++) {
            if ((in->list[i].axes.kind != EW_AXES_GLOBAL) == stage &&
                holds_edge(in, &in->list[i], in->constraints->has_face[i], edge)) {
                const ew_constraint line = line_at_middle(&in->list[i], end);
                EW_TRY(ew_directions_add(directions, in->mesh, &line, i, end[0], x));
            }
        }
    }
    for (int32_t k = 0; k < directions->n; k++) {
        for (int c = 0; c < 3; c++) {
            directions->value[k] -= 0.5 * directions->unit[k][c] * (of_a[c] + of_b[c]);
        }
    }
    return EW_OK;
}

static ew_status update_row(const context *in, int32_t row)
{
    ew_constraints *to = in->constraints;
    const int32_t edge = in->rows->edge[row];
    ew_directions directions = {0};
    EW_TRY(edge >= 0 ? collect(in, edge, &directions) : EW_OK);
    EW_TRY(ew_directions_apply(&directions, to, to->n_vertex + row));
    if (edge < 0) {
        to->fixed[to->n_vertex + row] = 7;
    }
    return EW_OK;
}

/* Of each line; *same: whether it is what it was. */
static ew_status find_faces(const context *in, bool *same)
{
    ew_constraints *to = in->constraints;
    *same = to->n_line == in->n;
    EW_TRY(ew_grow(&to->has_face, &to->line_capacity, in->n, sizeof *to->has_face));
    for (int32_t i = 0; i < in->n; i++) {
        const bool has = !in->list[i].face && has_face(in, &in->list[i]);
        *same = *same && has == to->has_face[i];
        to->has_face[i] = has;
    }
    to->n_line = in->n;
    return EW_OK;
}

ew_status ew_constraints_set_edges(ew_constraints *constraints, const ew_mesh *mesh,
                                   const ew_topology *topology, const ew_edge_rows *rows, int32_t n,
                                   const ew_constraint *list, const ew_list *row)
{
    const context in = {mesh, topology, rows, constraints, n, list};
    const int32_t n_row = rows->pattern.n_row;
    bool same;
    for (int32_t e = n_row; e < constraints->n_edge; e++) {
        ew_directions_forget(constraints, constraints->n_vertex + e);
    }
    EW_TRY(ew_constraints_reserve(constraints, mesh->n_vertex, n_row));
    EW_TRY(find_faces(&in, &same));
    const ew_list *only = same ? row : NULL;
    for (int32_t i = 0; i < (only ? only->n : n_row); i++) {
        EW_TRY(update_row(&in, only ? only->id[i] : i));
    }
    return EW_OK;
}
