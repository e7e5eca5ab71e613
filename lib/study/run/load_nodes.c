/* The nodes that loads of a case name by their places or by their numbers: vertices, and middles of
 * sides, of the mesh as the study starts with it. Temperatures of vertices are a field, which has
 * values at vertices that edits add, too; those of middles are what they have beyond the mean of
 * their ends, so that a side that edits make is linear. */
#include "study/run/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Along no plane of a part, so that few nodes of a face are neighbors in this order. */
static const double skew[3] = {0.5418, 0.6271, 0.5597};
/* How far a place may be from its node, of the diagonal of the mesh's box. */
static const double reach = 1e-6;

typedef struct node {
    double key, x[3];
    int64_t end[2]; /* vertex_ids; of a vertex twice the same */
} node;

typedef struct nodes {
    int32_t n;
    node *node; /* owned, by ascending key */
    double tolerance;
    const char *unit; /* of lengths; empty: none is given */
} nodes;

static int by_key(const void *one, const void *other)
{
    const node *a = one, *b = other;
    return (a->key > b->key) - (a->key < b->key);
}

static double key_of(const double x[3])
{
    return skew[0] * x[0] + skew[1] * x[1] + skew[2] * x[2];
}

/* a and b: slots, of a vertex the same. */
static void put_node(const ew_mesh *mesh, int32_t a, int32_t b, nodes *to)
{
    node *made = &to->node[to->n++];
    const int64_t end[2] = {mesh->vertex_id[a], mesh->vertex_id[b]};
    const double *curve = a == b ? NULL : ew_mesh_curve(mesh, end[0], end[1]);
    for (int c = 0; c < 3; c++) {
        made->x[c] = 0.5 * mesh->xyz[3 * (size_t)a + (size_t)c] +
                     0.5 * mesh->xyz[3 * (size_t)b + (size_t)c] + (curve ? curve[c] : 0.0);
    }
    made->key = key_of(made->x);
    memcpy(made->end, end, sizeof end);
}

static ew_status collect(const ew_model *model, nodes *to)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const ew_pattern *edges = &ew_model_topology(model)->pattern;
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    EW_TRY(ew_new(&to->node, (size_t)mesh->n_vertex + (size_t)edges->n_pair, sizeof *to->node));
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        if (ew_mesh_vertex_is_active(mesh, v)) {
            put_node(mesh, v, v, to);
            for (int c = 0; c < 3; c++) {
                low[c] = fmin(low[c], mesh->xyz[3 * (size_t)v + (size_t)c]);
                high[c] = fmax(high[c], mesh->xyz[3 * (size_t)v + (size_t)c]);
            }
        }
    }
    for (int32_t e = 0; e < edges->n_pair; e++) {
        const int32_t *end = edges->pair_row + 2 * (size_t)e;
        if (end[0] >= 0) {
            put_node(mesh, end[0], end[1], to);
        }
    }
    to->tolerance = reach * hypot(hypot(high[0] - low[0], high[1] - low[1]), high[2] - low[2]);
    qsort(to->node, (size_t)to->n, sizeof *to->node, by_key);
    return EW_OK;
}

/* The nearest node within the tolerance, or null. */
static const node *find(const nodes *in, const double x[3])
{
    const double key = key_of(x);
    const node *found = NULL;
    double nearest = in->tolerance;
    int32_t low = 0, high = in->n;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (in->node[middle].key < key - in->tolerance) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (; low < in->n && in->node[low].key <= key + in->tolerance; low++) {
        const double *at = in->node[low].x;
        const double distance = hypot(hypot(at[0] - x[0], at[1] - x[1]), at[2] - x[2]);
        if (distance <= nearest) {
            nearest = distance;
            found = &in->node[low];
        }
    }
    return found;
}

/* ---- by number ---- */

static ew_status take_number(const ew_model *model, const int32_t *slot_of, int64_t n_id,
                             const ew_case_load *load, int32_t i, ew_load_node *to)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    int32_t slot[2];
    nodes one = {.node = &(node){.key = 0.0}};
    memcpy(to->end, load->end + 2 * (size_t)i, sizeof to->end);
    for (int k = 0; k < 2; k++) {
        slot[k] = to->end[k] < n_id ? slot_of[to->end[k]] : -1;
        if (slot[k] < 0) {
            return ew_fail_at(EW_BAD_INPUT, load->line,
                              "nodes: the mesh has no vertex %lld in a tet; numbers are those of "
                              "the mesh file, from 0",
                              (long long)to->end[k]);
        }
    }
    if (slot[0] != slot[1] &&
        ew_pattern_pair_between(&ew_model_topology(model)->pattern, slot[0], slot[1]) < 0) {
        return ew_fail_at(EW_BAD_INPUT, load->line,
                          "nodes: no tet has a side between the vertices %lld and %lld",
                          (long long)to->end[0], (long long)to->end[1]);
    }
    memcpy(to->force, load->force + 3 * (size_t)i, sizeof to->force);
    if (load->node_axes.kind != EW_AXES_GLOBAL) {
        put_node(mesh, slot[0], slot[1], &one);
        ew_case_turn_force(&load->node_axes, one.node->x, to->force);
    }
    return EW_OK;
}

static ew_status resolve_numbers(const ew_model *model, const ew_case_load *load, ew_load_nodes *to)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    int32_t *slot_of = NULL;
    ew_load_node *list = NULL;
    ew_status status = ew_new(&list, (size_t)load->n_place, sizeof *list);
    status = status ? status : ew_new(&slot_of, (size_t)mesh->next_vertex_id, sizeof *slot_of);
    for (int64_t id = 0; !status && id < mesh->next_vertex_id; id++) {
        slot_of[id] = -1;
    }
    for (int32_t v = 0; !status && v < mesh->n_vertex; v++) {
        slot_of[mesh->vertex_id[v]] = ew_mesh_vertex_is_active(mesh, v) ? v : -1;
    }
    for (int32_t i = 0; i < load->n_place && !status; i++) {
        status = take_number(model, slot_of, mesh->next_vertex_id, load, i, &list[i]);
    }
    status = status ? status : ew_load_nodes_init(to, load->n_place, list);
    ew_release(slot_of);
    ew_release(list);
    return status;
}

/* ---- by place ---- */

static ew_status resolve_places(const nodes *in, const ew_case_load *load, ew_load_nodes *to)
{
    ew_load_node *list;
    EW_TRY(ew_new(&list, (size_t)load->n_place, sizeof *list));
    ew_status status = EW_OK;
    for (int32_t i = 0; i < load->n_place && !status; i++) {
        const double *x = load->place + 3 * (size_t)i;
        const node *found = find(in, x);
        if (found) {
            memcpy(list[i].end, found->end, sizeof found->end);
            memcpy(list[i].force, load->force + 3 * (size_t)i, sizeof list[i].force);
        } else {
            status = ew_fail_at(EW_BAD_INPUT, load->line,
                                "at: the mesh has no vertex and no middle of a side at "
                                "(%.9g, %.9g, %.9g), to within %.1g%s%s; take the place of a node",
                                x[0], x[1], x[2], in->tolerance, *in->unit ? " " : "", in->unit);
        }
    }
    status = status ? status : ew_load_nodes_init(to, load->n_place, list);
    ew_release(list);
    return status;
}

static double value_at(const ew_load_nodes *of, int64_t a, int64_t b)
{
    double value[3] = {0.0};
    ew_load_nodes_add_at(of, a, b, value);
    return value[0];
}

/* Values of the nodes into the field, 0 where there is none, and those of middles into what they
 * are beyond the mean of their ends. */
static ew_status take_temperatures(ew_model *model, const ew_case_load *load, ew_load_nodes *to,
                                   int32_t *field)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const ew_field_def def = {.name = "temperature at places", .width = 1, .rule = EW_FIELD_MEAN};
    EW_TRY(ew_model_add_field(model, &def, field));
    double *value = ew_model_field(model, *field);
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        if (ew_mesh_vertex_is_active(mesh, v)) {
            value[v] = value_at(to, mesh->vertex_id[v], mesh->vertex_id[v]);
        }
    }
    for (int32_t i = 0; i < to->n; i++) {
        ew_load_node *at = &to->row[i];
        const int64_t a = at->end[0], b = at->end[1];
        if (i && a == at[-1].end[0] && b == at[-1].end[1]) {
            return ew_fail_at(EW_BAD_INPUT, load->line,
                              "at: a node has two temperatures; give it one");
        }
        if (a != b) {
            at->force[0] -= 0.5 * value_at(to, a, a) + 0.5 * value_at(to, b, b);
        }
    }
    return EW_OK;
}

/* The i-th load of the case, those of its own first, then step by step; null beyond the last. */
static const ew_case_load *load_at(const ew_case *input, int32_t i)
{
    if (i < input->n_load) {
        return &input->load[i];
    }
    i -= input->n_load;
    for (int32_t s = 0; s < input->n_step; s++) {
        const int32_t n = input->step[s].own_loads ? input->step[s].n_load : 0;
        if (i < n) {
            return &input->step[s].load[i];
        }
        i -= n;
    }
    return NULL;
}

ew_status ew_study_find_load_nodes(ew_study *study)
{
    const ew_case *input = study->input;
    nodes all = {.unit = input->length_unit};
    if (!input->n_load_nodes) {
        return EW_OK;
    }
    EW_TRY(ew_new_zero(&study->load_nodes, (size_t)input->n_load_nodes, sizeof *study->load_nodes));
    EW_TRY(ew_new_zero(&study->load_field, (size_t)input->n_load_nodes, sizeof *study->load_field));
    ew_status status = EW_OK;
    const ew_case_load *load;
    for (int32_t i = 0; (load = load_at(input, i)) && !status; i++) {
        if (load->nodes) {
            ew_load_nodes *to = &study->load_nodes[load->nodes - 1];
            status = load->place && !all.node ? collect(study->model, &all) : EW_OK;
            status = status        ? status
                     : load->place ? resolve_places(&all, load, to)
                                   : resolve_numbers(study->model, load, to);
            if (!status && load->as.kind == EW_LOAD_TEMPERATURE) {
                status =
                    take_temperatures(study->model, load, to, &study->load_field[load->nodes - 1]);
            }
        }
    }
    ew_release(all.node);
    return status;
}

static bool same_places(const ew_case_load *a, const ew_case_load *b)
{
    const size_t n = (size_t)a->n_place;
    return !a->place == !b->place && !memcmp(a->force, b->force, 3 * n * sizeof *a->force) &&
           (a->place ? !memcmp(a->place, b->place, 3 * n * sizeof *a->place)
                     : !memcmp(a->end, b->end, 2 * n * sizeof *a->end) &&
                           !memcmp(&a->node_axes, &b->node_axes, sizeof a->node_axes));
}

ew_status ew_study_keep_load_nodes(const ew_study *study, const ew_case *next)
{
    const ew_case_load *load, *before;
    for (int32_t i = 0; (load = load_at(next, i)) && (before = load_at(study->input, i)); i++) {
        if (load->nodes != before->nodes || load->as.kind != before->as.kind ||
            load->n_place != before->n_place || (load->nodes && !same_places(load, before))) {
            return ew_fail_at(
                EW_BAD_INPUT, load->line,
                "at: places and what holds there change, but not with 'start: continue'; take "
                "'start: fresh'");
        }
    }
    return EW_OK;
}

void ew_study_free_load_nodes(ew_study *study)
{
    for (int32_t i = 0; study->load_nodes && i < study->input->n_load_nodes; i++) {
        ew_load_nodes_free(&study->load_nodes[i]);
    }
    ew_release(study->load_nodes);
    ew_release(study->load_field);
    study->load_nodes = NULL;
    study->load_field = NULL;
}
