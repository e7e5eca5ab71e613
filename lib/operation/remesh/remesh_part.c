/* Parts of a choice of tets. In: mesh, tables, tets. Out: components of one region each, with the
 * surface that a mesher has to keep.
 *
 * Parts end at regions, at labeled triangles and where a set of tets ends, so that all of these
 * stay as they are. A vertex inside stays where it is a corner of a labeled triangle, or where a
 * set of vertices ends beside it. */
#include "operation/remesh/remesh.h"

#include <math.h>
#include <string.h>

enum { OUTSIDE = -1, OPEN = -2 };

/* ---- labeled triangles ----------------------------------------------------- */

static void sort3(int32_t v[3])
{
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 2; k++) {
            if (v[k] > v[k + 1]) {
                const int32_t larger = v[k];
                v[k] = v[k + 1];
                v[k + 1] = larger;
            }
        }
    }
}

static ew_status enter_labels(ew_remesh_plan *plan)
{
    const ew_mesh *mesh = plan->mesh;
    for (int32_t f = 0; f < mesh->n_face; f++) {
        int32_t v[3], old;
        if (!ew_mesh_face_is_kept(mesh, f)) {
            continue;
        }
        memcpy(v, mesh->face + 3 * (size_t)f, sizeof v);
        sort3(v);
        EW_TRY(ew_map_enter(&plan->label, v[0], v[1], v[2], f, &old));
    }
    return EW_OK;
}

static void face_of(const ew_mesh *mesh, int32_t t, int32_t f, int32_t v[3])
{
    for (int k = 0; k < 3; k++) {
        v[k] = mesh->tet[4 * (size_t)t + (size_t)ew_face_vertex[f][k]];
    }
}

static bool is_labeled(const ew_remesh_plan *plan, int32_t t, int32_t f)
{
    int32_t v[3];
    face_of(plan->mesh, t, f, v);
    sort3(v);
    return ew_map_find(&plan->label, v[0], v[1], v[2]) >= 0;
}

/* ---- components -------------------------------------------------------------- */

/* Whether two tets may be meshed as one. */
static bool go_together(const ew_remesh_plan *plan, int32_t s, int32_t t)
{
    bool same = plan->mesh->region[s] == plan->mesh->region[t];
    for (int32_t i = 0; i < plan->in->n_tet_set && same; i++) {
        same = ew_set_has(plan->in->tet_set[i], s) == ew_set_has(plan->in->tet_set[i], t);
    }
    return same;
}

static ew_status flood(ew_remesh_plan *plan, int32_t seed, ew_list *stack)
{
    stack->n = 0;
    plan->part[seed] = plan->n_part;
    EW_TRY(ew_list_push(stack, seed));
    while (stack->n) {
        const int32_t t = stack->id[--stack->n];
        for (int32_t f = 0; f < 4; f++) {
            const int32_t other = ew_topology_face_neighbor(plan->topology, plan->mesh, 4 * t + f);
            if (other >= 0 && plan->part[other] == OPEN && go_together(plan, t, other) &&
                !is_labeled(plan, t, f)) {
                plan->part[other] = plan->n_part;
                EW_TRY(ew_list_push(stack, other));
            }
        }
    }
    plan->n_part++;
    return EW_OK;
}

/* Components are numbered by their lowest tet_id. */
static ew_status flood_all(ew_remesh_plan *plan, const ew_set *chosen)
{
    ew_status status;
    ew_list stack = {0};
    ew_keyed *order;
    const int32_t n = chosen->list.n;
    EW_TRY(ew_new(&order, (size_t)n, sizeof *order));
    for (int32_t i = 0; i < n; i++) {
        const int32_t t = chosen->list.id[i];
        plan->part[t] = OPEN;
        order[i] = (ew_keyed){0.0, plan->mesh->tet_id[t], t};
    }
    ew_sort_by_name(order, n);
    status = EW_OK;
    for (int32_t i = 0; i < n && !status; i++) {
        status = plan->part[order[i].slot] == OPEN ? flood(plan, order[i].slot, &stack) : EW_OK;
    }
    ew_list_free(&stack);
    ew_release(order);
    return status;
}

ew_status ew_remesh_plan_init(ew_remesh_plan *plan, const ew_operation_input *in,
                              const ew_set *chosen)
{
    const ew_mesh *mesh = in->mesh;
    *plan = (ew_remesh_plan){.mesh = mesh, .topology = in->topology, .in = in};
    EW_TRY(ew_new(&plan->part, (size_t)mesh->n_tet, sizeof *plan->part));
    EW_TRY(ew_new(&plan->place, (size_t)mesh->n_vertex, sizeof *plan->place));
    memset(plan->place, -1, (size_t)mesh->n_vertex * sizeof *plan->place);
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        plan->part[t] = OUTSIDE;
    }
    EW_TRY(enter_labels(plan));
    return flood_all(plan, chosen);
}

void ew_remesh_plan_free(ew_remesh_plan *plan)
{
    ew_map_free(&plan->label);
    ew_release(plan->part);
    ew_release(plan->place);
    plan->part = plan->place = NULL;
}

/* ---- the surface of one --------------------------------------------------------- */

/* Triangles by slots: those with the part on one side alone, then labeled ones inside, once. */
static ew_status list_triangles(ew_remesh_part *part, const ew_remesh_plan *plan, int32_t number)
{
    for (int inner = 0; inner < 2; inner++) {
        for (int32_t i = 0; i < part->tet.n; i++) {
            const int32_t t = part->tet.id[i];
            for (int32_t f = 0; f < 4; f++) {
                const int32_t other =
                    ew_topology_face_neighbor(plan->topology, plan->mesh, 4 * t + f);
                const bool both = other >= 0 && plan->part[other] == number;
                int32_t v[3];
                if (both != (inner == 1) ||
                    (both && (plan->mesh->tet_id[t] > plan->mesh->tet_id[other] ||
                              !is_labeled(plan, t, f)))) {
                    continue;
                }
                face_of(plan->mesh, t, f, v);
                for (int k = 0; k < 3; k++) {
                    EW_TRY(ew_list_push(&part->triangle, v[k]));
                }
            }
        }
        part->n_outer = inner ? part->n_outer : part->triangle.n / 3;
    }
    return EW_OK;
}

/* Whether a set of vertices has one of the two alone. */
static bool a_set_ends(const ew_remesh_plan *plan, int32_t v, int32_t other)
{
    bool ends = false;
    for (int32_t i = 0; i < plan->in->n_vertex_set && !ends; i++) {
        ends =
            ew_set_has(plan->in->vertex_set[i], v) && !ew_set_has(plan->in->vertex_set[i], other);
    }
    return ends;
}

/* Vertices inside that are the last of a set. */
static ew_status list_kept(const ew_remesh_part *part, const ew_remesh_plan *plan, ew_set *vertex)
{
    for (int32_t i = 0; i < part->tet.n && plan->in->n_vertex_set; i++) {
        const int32_t *v = plan->mesh->tet + 4 * (size_t)part->tet.id[i];
        for (int k = 0; k < 12; k++) {
            if (k / 3 != k % 4 && a_set_ends(plan, v[k / 3], v[k % 4])) {
                EW_TRY(ew_set_add(vertex, v[k / 3]));
            }
        }
    }
    return EW_OK;
}

static ew_status list_vertices(ew_remesh_part *part, ew_remesh_plan *plan)
{
    ew_set vertex = {0};
    ew_keyed *order = NULL;
    ew_status status = list_kept(part, plan, &vertex);
    for (int32_t i = 0; i < part->triangle.n && !status; i++) {
        status = ew_set_add(&vertex, part->triangle.id[i]);
    }
    const int32_t n = vertex.list.n;
    if (!status) {
        status = ew_new(&order, (size_t)n, sizeof *order);
    }
    for (int32_t i = 0; i < n && !status; i++) {
        order[i] = (ew_keyed){0.0, plan->mesh->vertex_id[vertex.list.id[i]], vertex.list.id[i]};
    }
    if (!status) {
        ew_sort_by_name(order, n);
        status = ew_new(&part->xyz, (size_t)n, 3 * sizeof *part->xyz);
    }
    for (int32_t i = 0; i < n && !status; i++) {
        memcpy(part->xyz + 3 * (size_t)i, plan->mesh->xyz + 3 * (size_t)order[i].slot,
               3 * sizeof *part->xyz);
        plan->place[order[i].slot] = i;
        status = ew_list_push(&part->vertex, order[i].slot);
    }
    for (int32_t i = 0; i < part->triangle.n && !status; i++) {
        part->triangle.id[i] = plan->place[part->triangle.id[i]];
    }
    ew_set_free(&vertex);
    ew_release(order);
    return status;
}

static void measure(ew_remesh_part *part)
{
    part->volume = part->max_volume = 0.0;
    part->min_quality = 1.0;
    for (int32_t i = 0; i < part->tet.n; i++) {
        const double volume = ew_mesh_tet_volume(part->mesh, part->tet.id[i]);
        part->volume += volume;
        part->max_volume = fmax(part->max_volume, volume);
        part->min_quality =
            fmin(part->min_quality, ew_mesh_tet_quality(part->mesh, part->tet.id[i]));
    }
}

ew_status ew_remesh_part_init(ew_remesh_part *part, ew_remesh_plan *plan, int32_t number,
                              const int32_t *tet, int32_t n_tet)
{
    *part = (ew_remesh_part){.mesh = plan->mesh, .topology = plan->topology};
    for (int32_t i = 0; i < n_tet; i++) {
        EW_TRY(ew_list_push(&part->tet, tet[i]));
    }
    measure(part);
    EW_TRY(list_triangles(part, plan, number));
    return list_vertices(part, plan);
}

void ew_remesh_part_free(ew_remesh_part *part)
{
    ew_list_free(&part->tet);
    ew_list_free(&part->vertex);
    ew_list_free(&part->triangle);
    ew_release(part->xyz);
    part->xyz = NULL;
}
