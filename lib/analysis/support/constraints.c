/* Constraints. In: lines of a case, each a set of vertices with prescribed components.
 * Out: per vertex slot the bits of its prescribed components and their values, which is
 * the filter of the solver (Baraff & Witkin 1998, section 5.3), or the directions that are
 * prescribed where they are no axes (directions.c). Vertices without tets are prescribed
 * wholly, at zero, so that they leave the system. */
#include "analysis/check/directions.h"

#include <math.h>
#include <string.h>

static ew_status check_line(const ew_mesh *mesh, const ew_constraint *line, int32_t place)
{
    if (!line->vertex || line->fixed > 7 || (unsigned)line->axes.kind > EW_AXES_CYLINDER) {
        return ew_fail(EW_BAD_ARGUMENT, "constraint %d: needs a set, and components among 0, 1, 2",
                       place + 1);
    }
    for (int c = 0; c < 3; c++) {
        if (line->fixed >> c & 1 && !isfinite(line->value[c])) {
            return ew_fail_about(EW_BAD_INPUT, place, -1,
                                 "constraint %d: component %c is prescribed as %g; give a "
                                 "finite displacement or leave it free",
                                 place + 1, "xyz"[c], line -> value[c]);
        }
    }
    for (int32_t i = 0; i < line->vertex->list.n; i++) {
        if (line->vertex->list.id[i] >= mesh->n_vertex) {
            return ew_fail(EW_BAD_ARGUMENT,
                           "constraint %d: its set names vertex slot %d of %d; select it again",
                           place + 1, line->vertex->list.id[i], mesh->n_vertex);
        }
    }
    return EW_OK;
}

static ew_status fail_conflict(const ew_mesh *mesh, int32_t place, int32_t v, int c, double one,
                               double other)
{
    const double *x = mesh->xyz + 3 * (size_t)v;
    return ew_fail_about(
        EW_BAD_INPUT, place, mesh->vertex_id[v],
        "vertex %lld at (%g, %g, %g) is prescribed displacement %c = %.9g and also "
        "%.9g; take it out of one of the two sets",
        (long long)mesh->vertex_id[v], x[0], x[1], x[2], "xyz"[c], one, other);
}

static double value_at(const ew_constraint *line, int32_t v, int c)
{
    return line->base ? line->base[3 * (size_t)v + (size_t)c] + line->value[c] : line->value[c];
}

static bool is_global(const ew_constraint *line)
{
    return line->axes.kind == EW_AXES_GLOBAL;
}

/* Whether two lines along x, y, z agree on the vertices they share. Lines are few, so pairs of them
 * are compared: that needs no memory, and nothing is written before all agree. */
static ew_status check_pair(const ew_mesh *mesh, const ew_constraint *a, const ew_constraint *b,
                            int32_t place)
{
    for (int c = 0; c < 3 && is_global(a) && is_global(b); c++) {
        if (!(a->fixed & b->fixed & 1 << c) ||
            (!a->base && !b->base && a->value[c] == b->value[c])) {
            continue;
        }
        for (int32_t i = 0; i < b->vertex->list.n; i++) {
            int32_t v = b->vertex->list.id[i];
            if (ew_mesh_vertex_is_active(mesh, v) && ew_set_has(a->vertex, v) &&
                value_at(a, v, c) != value_at(b, v, c)) {
                return fail_conflict(mesh, place, v, c, value_at(a, v, c), value_at(b, v, c));
            }
        }
    }
    return EW_OK;
}

/* A vertex with a line that is not along x, y, z. */
static ew_status apply_directions(ew_constraints *constraints, const ew_mesh *mesh, int32_t n,
                                  const ew_constraint *list, int32_t v)
{
    ew_directions directions;
    EW_TRY(ew_directions_collect(&directions, mesh, n, list, v));
    return ew_directions_apply(&directions, constraints, v);
}

static void apply_line(const ew_mesh *mesh, const ew_constraint *line, ew_constraints *constraints)
{
    for (int32_t i = 0; i < line->vertex->list.n; i++) {
        int32_t v = line->vertex->list.id[i];
        if (!ew_mesh_vertex_is_active(mesh, v)) {
            continue;
        }
        constraints->fixed[v] = (uint8_t)(constraints->fixed[v] | line->fixed);
        for (int c = 0; c < 3; c++) {
            if (line->fixed >> c & 1) {
                constraints->value[3 * (size_t)v + c] = value_at(line, v, c);
            }
        }
    }
}

/* The rows of edges move behind other vertices. */
static void move_edges(ew_constraints *to, int32_t n_vertex)
{
    const size_t n = (size_t)to->n_edge, before = (size_t)to->n_vertex, now = (size_t)n_vertex;
    if (!n || now == before) {
        return;
    }
    memmove(to->fixed + now, to->fixed + before, n * sizeof *to->fixed);
    memmove(to->value + 3 * now, to->value + 3 * before, 3 * n * sizeof *to->value);
    if (to->place) {
        memmove(to->place + now, to->place + before, n * sizeof *to->place);
    }
    for (int32_t k = 0; k < to->oblique.n; k++) {
        to->oblique.row[k] += to->oblique.row[k] >= to->n_vertex ? n_vertex - to->n_vertex : 0;
    }
}

ew_status ew_constraints_reserve(ew_constraints *constraints, int32_t n_vertex, int32_t n_edge)
{
    ew_constraints *to = constraints;
    const int32_t before = to->n_vertex, edges = to->n_edge;
    const int64_t n =
        (int64_t)(n_vertex > before ? n_vertex : before) + (n_edge > edges ? n_edge : edges);
    EW_TRY(ew_grow(&to->fixed, &to->capacity, n, sizeof *to->fixed));
    EW_TRY(ew_grow(&to->value, &to->value_capacity, n, 3 * sizeof *to->value));
    EW_TRY(to->place ? ew_grow(&to->place, &to->place_capacity, n, sizeof *to->place) : EW_OK);
    move_edges(to, n_vertex);
    for (int32_t v = before; to->place && v < n_vertex; v++) {
        to->place[v] = -1;
    }
    for (int32_t e = edges; to->place && e < n_edge; e++) {
        to->place[n_vertex + e] = -1;
    }
    to->n_vertex = n_vertex;
    to->n_edge = n_edge;
    return EW_OK;
}

ew_status ew_constraints_build(ew_constraints *constraints, const ew_mesh *mesh, int32_t n,
                               const ew_constraint *list)
{
    for (int32_t i = 0; i < n; i++) {
        EW_TRY(check_line(mesh, &list[i], i));
        for (int32_t j = 0; j < i; j++) {
            EW_TRY(check_pair(mesh, &list[j], &list[i], i));
        }
    }
    for (int32_t v = 0; v < constraints->n_vertex; v++) {
        ew_directions_forget(constraints, v);
    }
    EW_TRY(ew_constraints_reserve(constraints, mesh->n_vertex, constraints->n_edge));
    constraints->spring = NULL;
    constraints->equations = NULL;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        constraints->fixed[v] = ew_mesh_vertex_is_active(mesh, v) ? 0 : 7;
    }
    if (mesh->n_vertex) {
        memset(constraints->value, 0, 3 * (size_t)mesh->n_vertex * sizeof *constraints->value);
    }
    for (int32_t i = 0; i < n; i++) {
        if (is_global(&list[i])) {
            apply_line(mesh, &list[i], constraints);
        }
    }
    for (int32_t i = 0; i < n; i++) {
        const ew_list *vertex = &list[i].vertex->list;
        for (int32_t k = 0; k < vertex->n && !is_global(&list[i]); k++) {
            if (ew_mesh_vertex_is_active(mesh, vertex->id[k])) {
                EW_TRY(apply_directions(constraints, mesh, n, list, vertex->id[k]));
            }
        }
    }
    return EW_OK;
}

/* One vertex, line by line in their order. */
static ew_status update_vertex(ew_constraints *constraints, const ew_mesh *mesh, int32_t n,
                               const ew_constraint *list, int32_t v)
{
    double value[3] = {0.0, 0.0, 0.0};
    uint8_t fixed = 0;
    const bool active = ew_mesh_vertex_is_active(mesh, v);
    for (int32_t i = 0; i < n && active; i++) {
        if (!ew_set_has(list[i].vertex, v)) {
            continue;
        }
        if (!is_global(&list[i])) {
            return apply_directions(constraints, mesh, n, list, v);
        }
        for (int c = 0; c < 3; c++) {
            if (!(list[i].fixed >> c & 1)) {
                continue;
            }
            const double given = value_at(&list[i], v, c);
            if (fixed >> c & 1 && value[c] != given) {
                return fail_conflict(mesh, i, v, c, value[c], given);
            }
            value[c] = given;
        }
        fixed = (uint8_t)(fixed | list[i].fixed);
    }
    ew_directions_forget(constraints, v);
    constraints->fixed[v] = active ? fixed : 7;
    memcpy(constraints->value + 3 * (size_t)v, value, sizeof value);
    return EW_OK;
}

ew_status ew_constraints_update(ew_constraints *constraints, const ew_mesh *mesh, int32_t n,
                                const ew_constraint *list, const ew_list *vertex)
{
    EW_TRY(ew_constraints_reserve(constraints, mesh->n_vertex, constraints->n_edge));
    for (int32_t i = 0; i < vertex->n; i++) {
        EW_TRY(update_vertex(constraints, mesh, n, list, vertex->id[i]));
    }
    return EW_OK;
}

ew_status ew_constraints_value_at(const ew_mesh *mesh, int32_t n, const ew_constraint *list,
                                  int32_t vertex, double value[3])
{
    ew_directions directions;
    EW_TRY(ew_directions_collect(&directions, mesh, n, list, vertex));
    ew_directions_sum(&directions, value);
    return EW_OK;
}

void ew_constraints_free(ew_constraints *constraints)
{
    ew_release(constraints->fixed);
    ew_release(constraints->value);
    ew_release(constraints->oblique.row);
    ew_release(constraints->oblique.normal);
    ew_release(constraints->place);
    ew_release(constraints->has_face);
    *constraints = (ew_constraints){0};
}
