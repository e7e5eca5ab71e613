/* Which components are under-constrained. In: mesh, tables and constraints. Out: every component
 * (tets connected through faces) as a rigid body, with the directions that are fixed.
 *
 * A component whose own constraints leave no rigid-body mode is constrained; it fixes the points it
 * shares with others, and so on until nothing changes: every incidence of a vertex and a component
 * is visited a bounded number of times, O(n) in all. Components that are left then still may
 * support one another, as the halves of a three-hinged arch do, so connected groups of them are
 * tried as one system (pinned_components.c). */
#include "analysis/check/components.h"

#include <math.h>
#include <string.h>

typedef ew_component_search search;

void ew_component_search_free(search *in)
{
    ew_release(in->component);
    ew_release(in->vertex_begin);
    ew_list_free(&in->vertex_component);
    ew_release(in->shared_begin);
    ew_release(in->shared_vertex);
    ew_release(in->body);
    ew_release(in->mark);
    ew_release(in->fixed);
    *in = (search){0};
}

static bool is_constrained(const search *in, int32_t component)
{
    return in->body[component].n_row == 6;
}

static void set_marks(search *in, int32_t value)
{
    for (int32_t p = 0; p < in->n_component; p++) {
        in->mark[p] = value;
    }
}

/* The distinct components of each vertex; mark: the last vertex that listed the component. */
static ew_status list_components(search *in, const ew_topology *topology)
{
    const ew_rows *rows = &topology->vertex_to_tet;
    set_marks(in, -1);
    for (int32_t v = 0; v < in->mesh->n_vertex; v++) {
        int32_t n = in->n_component > 1 ? rows->count[v] : rows->count[v] > 0;
        in->vertex_begin[v] = in->vertex_component.n;
        for (int32_t i = 0; i < n; i++) {
            int32_t p = in->n_component > 1 ? in->component[rows->item[rows->begin[v] + i]] : 0;
            if (in->mark[p] != v) {
                in->mark[p] = v;
                EW_TRY(ew_list_push(&in->vertex_component, p));
            }
        }
    }
    in->vertex_begin[in->mesh->n_vertex] = in->vertex_component.n;
    return EW_OK;
}

/* The reverse table, of shared vertices alone: counts, sums, then fills from the back. */
static ew_status list_shared(search *in)
{
    const int32_t *begin = in->vertex_begin, *component = in->vertex_component.id;
    EW_TRY(ew_new_zero(&in->shared_begin, (size_t)in->n_component + 1, sizeof *in->shared_begin));
    for (int32_t v = 0; v < in->mesh->n_vertex; v++) {
        for (int32_t i = begin[v]; i < begin[v + 1] && begin[v + 1] - begin[v] > 1; i++) {
            in->shared_begin[component[i]]++;
        }
    }
    for (int32_t p = 0; p < in->n_component; p++) {
        in->shared_begin[p + 1] += in->shared_begin[p];
    }
    EW_TRY(ew_new(&in->shared_vertex, (size_t)in->shared_begin[in->n_component],
                  sizeof *in->shared_vertex));
    for (int32_t v = in->mesh->n_vertex - 1; v >= 0; v--) {
        for (int32_t i = begin[v]; i < begin[v + 1] && begin[v + 1] - begin[v] > 1; i++) {
            in->shared_vertex[--in->shared_begin[component[i]]] = v;
        }
    }
    return EW_OK;
}

/* Centers and radii. */
static void place_bodies(search *in)
{
    const int32_t *begin = in->vertex_begin, *component = in->vertex_component.id;
    for (int32_t stage = 0; stage < 2; stage++) {
        for (int32_t v = 0; v < in->mesh->n_vertex; v++) {
            const double *x = in->mesh->xyz + 3 * (size_t)v;
            for (int32_t i = begin[v]; i < begin[v + 1]; i++) {
                ew_rigid *body = &in->body[component[i]];
                body->n_point += stage == 0;
                for (int c = 0; c < 3; c++) {
                    double from = x[c] - body->center[c];
                    body->center[c] += stage == 0 ? x[c] : 0.0;
                    body->radius += stage == 1 ? from * from : 0.0;
                }
            }
        }
        for (int32_t p = 0; p < in->n_component; p++) {
            ew_rigid *body = &in->body[p];
            for (int c = 0; c < 3 && stage == 0; c++) {
                body->center[c] /= body->n_point;
            }
            body->radius = stage == 1 ? sqrt(body->radius / body->n_point) : body->radius;
        }
    }
}

/* The rows of the constraints; first those that stand well apart, so that a few vertices far from
 * one another show that a component is constrained. */
static void apply_constraints(search *in)
{
    static const double zero[2] = {0.1, EW_SPAN_ZERO};
    const int32_t *begin = in->vertex_begin, *component = in->vertex_component.id;
    int32_t left = in->n_component;
    for (int stage = 0; stage < 2; stage++) {
        for (int32_t v = 0; v < in->mesh->n_vertex && left; v++) {
            for (int32_t i = begin[v]; i < begin[v + 1] && in->fixed[v]; i++) {
                ew_rigid *body = &in->body[component[i]];
                if (body->n_row < 6) {
                    ew_rigid_support(body, in->mesh->xyz + 3 * (size_t)v, in->constraints, v,
                                     zero[stage]);
                    left -= body->n_row == 6;
                }
            }
        }
    }
}

/* The constrained component fixes what was free of its shared points, for the others that have
 * them; those are to be tested again. */
static void fix_shared(search *in, int32_t constrained, int32_t *stack, int32_t *n)
{
    for (int32_t k = in->shared_begin[constrained]; k < in->shared_begin[constrained + 1]; k++) {
        int32_t v = in->shared_vertex[k];
        unsigned missing = 7u & ~(unsigned)in->fixed[v];
        in->fixed[v] = 7;
        for (int32_t i = in->vertex_begin[v]; i < in->vertex_begin[v + 1] && missing; i++) {
            int32_t p = in->vertex_component.id[i];
            if (is_constrained(in, p)) {
                continue;
            }
            ew_rigid_fix(&in->body[p], in->mesh->xyz + 3 * (size_t)v, missing, -1, EW_SPAN_ZERO);
            if (is_constrained(in, p)) {
                stack[(*n)++] = p;
            }
        }
    }
}

/* The stack holds each constrained component once. */
static ew_status spread(search *in)
{
    int32_t *stack, n = 0;
    EW_TRY(ew_new(&stack, (size_t)in->n_component, sizeof *stack));
    for (int32_t p = in->n_component - 1; p >= 0; p--) {
        if (is_constrained(in, p)) {
            stack[n++] = p;
        }
    }
    while (n) {
        int32_t p = stack[--n];
        fix_shared(in, p, stack, &n);
    }
    ew_release(stack);
    return EW_OK;
}

/* Components that hang on one another through points that are not fixed, from `seed` on; mark:
 * place in the group. No component at such a point is constrained. */
static ew_status collect_group(search *in, int32_t seed, ew_list *group)
{
    group->n = 0;
    EW_TRY(ew_list_push(group, seed));
    in->mark[seed] = 0;
    for (int32_t g = 0; g < group->n; g++) {
        int32_t p = group->id[g];
        for (int32_t k = in->shared_begin[p]; k < in->shared_begin[p + 1]; k++) {
            int32_t v = in->shared_vertex[k];
            for (int32_t i = in->vertex_begin[v]; i < in->vertex_begin[v + 1] && in->fixed[v] != 7;
                 i++) {
                int32_t other = in->vertex_component.id[i];
                if (in->mark[other] < 0) {
                    in->mark[other] = group->n;
                    EW_TRY(ew_list_push(group, other));
                }
            }
        }
    }
    return EW_OK;
}

/* All that are not constrained: equations may tie any of them. */
static ew_status collect_all(search *in, ew_list *group)
{
    group->n = 0;
    for (int32_t p = 0; p < in->n_component; p++) {
        if (!is_constrained(in, p)) {
            in->mark[p] = group->n;
            EW_TRY(ew_list_push(group, p));
        }
    }
    return EW_OK;
}

/* The component of the group that has the vertex, by its place; -1: what is constrained has it. */
static int32_t place_of(const search *in, int32_t v)
{
    int32_t place = -1;
    for (int32_t i = in->vertex_begin[v]; i < in->vertex_begin[v + 1]; i++) {
        if (is_constrained(in, in->vertex_component.id[i])) {
            return -1;
        }
        place = place < 0 ? in->mark[in->vertex_component.id[i]] : place;
    }
    return place;
}

/* Points of other bodies in a rigid group move as the body of its first vertex does. */
static void tie_rigid(const search *in, const ew_rigid_rows *of, int32_t k, int32_t *equation,
                      ew_tie *tie, int32_t *n)
{
    const int32_t first = place_of(in, of->row[of->begin[k]]);
    for (int32_t i = of->begin[k]; i < of->begin[k + 1]; i++) {
        const int32_t v = of->row[i];
        const int32_t place = v < in->mesh->n_vertex ? place_of(in, v) : first;
        for (int c = 0; c < 3 && place != first; c++, ++*equation) {
            for (int side = 0; side < 2; side++) {
                ew_tie made = {.equation = *equation,
                               .body = side ? place : first,
                               .x = in->mesh->xyz + 3 * (size_t)v};
                made.factor[c] = side ? 1.0 : -1.0;
                if (made.body >= 0) {
                    tie[(*n)++] = made;
                }
            }
        }
    }
}

/* Terms of the equations at bodies of the group. Coefficients of edges are zero in a rigid motion.
 */
static ew_status list_ties(const search *in, ew_tie **tie, int32_t *n)
{
    const ew_equation_list *of = in->constraints->equations;
    const int32_t n_term = of && of->n ? of->begin[of->n] : 0;
    const int32_t n_rigid = of && of->rigid.n ? of->rigid.begin[of->rigid.n] : 0;
    EW_TRY(ew_new(tie, (size_t)n_term + 6 * (size_t)n_rigid, sizeof **tie));
    for (int32_t i = 0; i < (of ? of->n : 0); i++) {
        for (int32_t k = of->begin[i]; k < of->begin[i + 1]; k++) {
            const int32_t v = of->entry[k] / 3;
            const int32_t place = v < in->mesh->n_vertex ? place_of(in, v) : -1;
            if (place >= 0) {
                ew_tie *made = &(*tie)[(*n)++];
                *made = (ew_tie){.equation = i, .body = place, .x = in->mesh->xyz + 3 * (size_t)v};
                made->factor[of->entry[k] % 3] = of->factor[k];
            }
        }
    }
    for (int32_t k = 0, equation = of ? of->n : 0; of && k < of->rigid.n; k++) {
        tie_rigid(in, &of->rigid, k, &equation, *tie, n);
    }
    return EW_OK;
}

/* A point of k components makes k - 1 joints, from its first component to each other. */
static ew_status join_group(search *in, const ew_list *group)
{
    ew_status status = EW_OK;
    ew_joint *joint = NULL;
    ew_tie *tie = NULL;
    int32_t n = 0, capacity = 0, n_tie = 0;
    for (int32_t g = 0; g < group->n; g++) {
        int32_t p = group->id[g];
        for (int32_t k = in->shared_begin[p]; k < in->shared_begin[p + 1]; k++) {
            int32_t v = in->shared_vertex[k], first = in->vertex_begin[v];
            if (in->fixed[v] == 7 || in->vertex_component.id[first] != p) {
                continue;
            }
            for (int32_t i = first + 1; i < in->vertex_begin[v + 1]; i++) {
                EW_TRY_OUT(ew_grow(&joint, &capacity, (int64_t)n + 1, sizeof *joint));
                joint[n++] =
                    (ew_joint){g, in->mark[in->vertex_component.id[i]],
                               in->mesh->xyz + 3 * (size_t)v, 7u & ~(unsigned)in->fixed[v]};
            }
        }
    }
    EW_TRY_OUT(list_ties(in, &tie, &n_tie));
    EW_TRY_OUT(ew_rigid_join(in->body, group->n, group->id, n, joint, n_tie, tie));
out:
    ew_release(tie);
    ew_release(joint);
    return status;
}

static ew_status try_groups(search *in)
{
    ew_status status = EW_OK;
    ew_list group = {0};
    set_marks(in, -1);
    for (int32_t p = 0; p < in->n_component; p++) {
        if (!is_constrained(in, p) && in->mark[p] < 0) {
            EW_TRY_OUT(in->constraints->equations ? collect_all(in, &group)
                                                  : collect_group(in, p, &group));
            if (group.n > 1 || in->constraints->equations) {
                EW_TRY_OUT(join_group(in, &group));
            }
        }
    }
out:
    ew_list_free(&group);
    return status;
}

static ew_status init(search *in, const ew_topology *topology, const ew_constraints *constraints)
{
    size_t n_vertex = (size_t)in->mesh->n_vertex;
    EW_TRY(ew_new(&in->component, (size_t)in->mesh->n_tet, sizeof *in->component));
    EW_TRY(ew_topology_components(topology, in->mesh, in->component, &in->n_component));
    size_t n_component = (size_t)in->n_component;
    EW_TRY(ew_new(&in->vertex_begin, n_vertex + 1, sizeof *in->vertex_begin));
    EW_TRY(ew_new_zero(&in->body, n_component, sizeof *in->body));
    EW_TRY(ew_new(&in->mark, n_component, sizeof *in->mark));
    EW_TRY(ew_new(&in->fixed, n_vertex, sizeof *in->fixed));
    if (n_vertex) {
        memcpy(in->fixed, constraints->fixed, n_vertex * sizeof *in->fixed);
    }
    for (int32_t v = 0; v < in->mesh->n_vertex && constraints->spring; v++) {
        if (in->fixed[v] != 7 && ew_has_spring(constraints, v)) {
            in->fixed[v] |= EW_OBLIQUE;
        }
    }
    return EW_OK;
}

ew_status ew_component_search_run(search *in, const ew_mesh *mesh, const ew_topology *topology,
                                  const ew_constraints *constraints)
{
    if (topology->pattern.revision != mesh->revision || constraints->n_vertex != mesh->n_vertex) {
        return ew_fail(EW_STALE,
                       "components: the mesh is of revision %llu, the tables of %llu, and "
                       "constraints cover %d of %d vertices; bring them up to date first",
                       (unsigned long long)mesh->revision,
                       (unsigned long long)topology->pattern.revision, constraints->n_vertex,
                       mesh->n_vertex);
    }
    in->mesh = mesh;
    in->constraints = constraints;
    EW_TRY(init(in, topology, constraints));
    EW_TRY(list_components(in, topology));
    EW_TRY(list_shared(in));
    place_bodies(in);
    apply_constraints(in);
    EW_TRY(spread(in));
    return try_groups(in);
}
