/* Sets of a running study: expressions evaluated once on the mesh of the case, then tracked by
 * slot. An edit's new vertices inherit: the mirror image of a vertex is in its sets, the middle of
 * a split edge in those that hold both ends, any other new vertex in none. */
#include "study/run.h"

#include <math.h>
#include <string.h>

static ew_status evaluate(ew_run *run, int32_t node, uint8_t *done, ew_list *out);

static ew_status evaluate_set(ew_run *run, int32_t set, uint8_t *done)
{
    if (done[set]) {
        return EW_OK;
    }
    ew_list list = {0};
    ew_status status = evaluate(run, run->one->set[set].node, done, &list);
    for (int32_t i = 0; i < list.n && !status; i++) {
        status = ew_set_add(&run->set[set], list.id[i]);
    }
    ew_list_free(&list);
    done[set] = 1;
    return status;
}

/* Ascending lists: result keeps ids of `a` found in `b` (keep) or not found (!keep). */
static void sift(ew_list *a, const ew_list *b, bool keep)
{
    int32_t n = 0, j = 0;
    for (int32_t i = 0; i < a->n; i++) {
        while (j < b->n && b->id[j] < a->id[i]) {
            j++;
        }
        if ((j < b->n && b->id[j] == a->id[i]) == keep) {
            a->id[n++] = a->id[i];
        }
    }
    a->n = n;
}

static ew_status combine(ew_run *run, const ew_set_node *node, uint8_t *done, ew_list *out)
{
    int32_t child = node->first_child;
    ew_list other = {0};
    ew_status status = evaluate(run, child, done, out);
    for (child = run->one->node[child].next; child >= 0 && !status;
         child = run->one->node[child].next) {
        other.n = 0;
        status = evaluate(run, child, done, &other);
        if (node->kind == EW_SET_UNION) {
            for (int32_t i = 0; i < other.n && !status; i++) {
                status = ew_list_push(out, other.id[i]);
            }
            ew_list_sort_unique(out);
        } else {
            sift(out, &other, node->kind == EW_SET_INTERSECT);
        }
    }
    ew_list_free(&other);
    return status;
}

/* Members of an expression, ascending, into an empty list. */
static ew_status evaluate(ew_run *run, int32_t node, uint8_t *done, ew_list *out)
{
    const ew_set_node *at = &run->one->node[node];
    switch (at->kind) {
    case EW_SET_SELECT:
        return ew_mesh_select(run->mesh, &at->selector, out);
    case EW_SET_NAMED: {
        EW_TRY(evaluate_set(run, at->named, done));
        const ew_list *members = &run->set[at->named].list;
        for (int32_t i = 0; i < members->n; i++) {
            EW_TRY(ew_list_push(out, members->id[i]));
        }
        return EW_OK;
    }
    default:
        return combine(run, at, done, out);
    }
}

static int32_t count_members(const ew_run *run, int32_t set)
{
    const ew_list *list = &run->set[set].list;
    int32_t n = 0;
    for (int32_t i = 0; i < list->n; i++) {
        n += ew_mesh_vertex_is_active(run->mesh, list->id[i]);
    }
    return n;
}

ew_status ew_run_find_sets(ew_run *run)
{
    const int32_t n = run->one->n_set;
    uint8_t *done = NULL;
    EW_TRY(ew_new_zero(&run->set, (size_t)n, sizeof *run->set));
    EW_TRY(ew_new_zero(&run->set_members, (size_t)n, sizeof *run->set_members));
    EW_TRY(ew_new_zero(&run->set_found, (size_t)n, sizeof *run->set_found));
    EW_TRY(ew_new_zero(&run->set_lost, (size_t)n, sizeof *run->set_lost));
    EW_TRY(ew_new_zero(&done, (size_t)n, 1));
    ew_status status = EW_OK;
    for (int32_t i = 0; i < n && !status; i++) {
        status = evaluate_set(run, i, done);
        if (status) {
            ew_fail_line(status, run->one->set[i].line);
            ew_fail_prefix(status, "set '%.60s'", run->one->set[i].name);
            break;
        }
        run->set_members[i] = count_members(run, i);
        run->set_found[i] = run->set_members[i] > 0;
    }
    ew_release(done);
    return status;
}

ew_status ew_run_require_members(const ew_run *run, int32_t set, int32_t line, bool *usable)
{
    const ew_case_set *about = &run->one->set[set];
    *usable = run->set_members[set] > 0;
    if (*usable || about->allow_empty) {
        return EW_OK;
    }
    return ew_fail_at(EW_BAD_INPUT, line,
                      "set '%.60s' (line %d) has no vertices%s; change its selection or say "
                      "'allow_empty: true'",
                      about->name, (int)about->line,
                      run->set_found[set] ? " left after the edits" : "");
}

/* Which sets does the k-th added vertex belong to? */
static bool inherits(const ew_run *run, int32_t k, const ew_set *set)
{
    const int32_t *parent = run->change.added_parent + 2 * (size_t)k;
    return ew_set_has(set, parent[0]) && ew_set_has(set, parent[1]);
}

static bool is_shared_by(const ew_case_load *list, int32_t n, int32_t set)
{
    for (int32_t i = 0; i < n; i++) {
        if (list[i].kind == EW_LOAD_TOTAL_FORCE && list[i].set == set) {
            return true;
        }
    }
    return false;
}

/* A total force is shared by its members: when their number changes, so does every share. */
static ew_status mark_shares(ew_run *run, int32_t set)
{
    const ew_case *one = run->one;
    bool shared = is_shared_by(one->load, one->n_load, set);
    for (int32_t s = 0; s < one->n_step && !shared; s++) {
        shared = is_shared_by(one->step[s].load, one->step[s].n_load, set);
    }
    for (int32_t i = 0; shared && i < run->set[set].list.n; i++) {
        EW_TRY(ew_set_add(&run->stale_load, run->set[set].list.id[i]));
    }
    return EW_OK;
}

/* The loads of the step under way. */
static const ew_case_load *loads_of_step(const ew_run *run, int32_t *n)
{
    const ew_case_step *step = &run->one->step[run->report.step];
    *n = step->own_loads ? step->n_load : run->one->n_load;
    return step->own_loads ? step->load : run->one->load;
}

static void lose(ew_run *run, double factor, const double force[3])
{
    for (int32_t c = 0; c < 3; c++) {
        run->report.lost_force[c] += factor * force[c];
    }
}

static void count_lost_vertex(ew_run *run, int32_t vertex)
{
    int32_t n;
    const ew_case_load *list = loads_of_step(run, &n);
    for (int32_t i = 0; i < n; i++) {
        if (list[i].kind == EW_LOAD_FORCE && ew_set_has(&run->set[list[i].set], vertex)) {
            lose(run, 1, list[i].vector);
        }
    }
}

/* A total force stays whole as long as one vertex is left to carry it. */
static void count_lost_set(ew_run *run, int32_t set)
{
    int32_t n;
    const ew_case_load *list = loads_of_step(run, &n);
    for (int32_t i = 0; i < n; i++) {
        if (list[i].kind == EW_LOAD_TOTAL_FORCE && list[i].set == set) {
            lose(run, 1, list[i].vector);
        }
    }
}

static bool is_on_faces(const ew_case_load *load)
{
    return load->kind == EW_LOAD_PRESSURE || load->kind == EW_LOAD_TRACTION;
}

static void count_lost_face(ew_run *run, int32_t face)
{
    const int32_t *tet = run->mesh->tet + 4 * (size_t)(face / 4);
    double area[3];
    int32_t n;
    const ew_case_load *list = loads_of_step(run, &n);
    ew_face_area_vector(run->mesh, face, area);
    for (int32_t i = 0; i < n; i++) {
        const ew_set *set = is_on_faces(&list[i]) ? &run->set[list[i].set] : NULL;
        if (!set || !ew_set_has(set, tet[ew_face_vertex[face % 4][0]]) ||
            !ew_set_has(set, tet[ew_face_vertex[face % 4][1]]) ||
            !ew_set_has(set, tet[ew_face_vertex[face % 4][2]])) {
            continue;
        }
        if (list[i].kind == EW_LOAD_PRESSURE) {
            lose(run, -list[i].pressure, area);
        } else {
            lose(run, sqrt(area[0] * area[0] + area[1] * area[1] + area[2] * area[2]),
                 list[i].vector);
        }
    }
}

void ew_run_count_lost_faces(ew_run *run, int32_t code)
{
    const ew_list *gone = &run->edit.remove_tet;
    int32_t n;
    const ew_case_load *list = loads_of_step(run, &n);
    bool any = false;
    for (int32_t i = 0; i < n; i++) {
        any = any || is_on_faces(&list[i]);
    }
    if (!any || code == EW_CODE_REFINE) { /* which takes tets away only to put smaller ones in */
        return;
    }
    for (int32_t i = 0; i < gone->n; i++) {
        const int32_t t = gone->id[i];
        if (t < 0 || t >= run->mesh->n_tet || !ew_mesh_tet_is_live(run->mesh, t)) {
            continue; /* a damaged journal; the commit will refuse */
        }
        for (int32_t face = 4 * t; face < 4 * t + 4; face++) {
            if (ew_topology_face_neighbour(&run->topology, run->mesh, face) < 0) {
                count_lost_face(run, face);
            }
        }
    }
}

ew_status ew_run_follow_sets(ew_run *run)
{
    const ew_change *change = &run->change;
    for (int32_t i = 0; i < run->topology.touched.touched_row.n; i++) {
        EW_TRY(ew_set_add(&run->stale_load, run->topology.touched.touched_row.id[i]));
    }
    for (int32_t i = 0; i < change->emptied_vertex.n; i++) {
        count_lost_vertex(run, change->emptied_vertex.id[i]);
    }
    for (int32_t s = 0; s < run->one->n_set; s++) {
        for (int32_t k = 0; k < change->added_vertex.n; k++) {
            if (inherits(run, k, &run->set[s])) {
                EW_TRY(ew_set_add(&run->set[s], change->added_vertex.id[k]));
            }
        }
        bool changed = change->added_vertex.n > 0;
        for (int32_t i = 0; i < change->emptied_vertex.n; i++) {
            const bool lost = ew_set_has(&run->set[s], change->emptied_vertex.id[i]);
            run->set_lost[s] += lost;
            changed = changed || lost;
        }
        for (int32_t i = 0; i < change->filled_vertex.n && !changed; i++) {
            changed = ew_set_has(&run->set[s], change->filled_vertex.id[i]);
        }
        if (changed) {
            const int32_t before = run->set_members[s];
            run->set_members[s] = count_members(run, s);
            if (before && !run->set_members[s]) {
                count_lost_set(run, s);
            }
            EW_TRY(mark_shares(run, s));
        }
    }
    return EW_OK;
}

ew_status ew_run_rename_sets(ew_run *run, const int32_t *vertex_map, int32_t n_old)
{
    for (int32_t s = 0; s < run->one->n_set; s++) {
        ew_set renamed = {0};
        ew_status status = EW_OK;
        for (int32_t i = 0; i < run->set[s].list.n && !status; i++) {
            const int32_t old = run->set[s].list.id[i];
            if (old < n_old && vertex_map[old] >= 0) {
                status = ew_set_add(&renamed, vertex_map[old]);
            }
        }
        if (status) {
            ew_set_free(&renamed);
            return status;
        }
        ew_set_free(&run->set[s]);
        run->set[s] = renamed;
    }
    return EW_OK;
}
