/* A mesh with its stiffness, and the same in parts, which tell each other by messages of bytes. */
#ifndef EW_SUBDOMAIN_FIXTURE_H
#define EW_SUBDOMAIN_FIXTURE_H

#include "assembly/parts/assembly.h"
#include "subdomain/parts/subdomain.h"
#include "testlib.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PART = 16 };

typedef struct piece {
    ew_subdomain sub;
    ew_topology topology;
    ew_matrix matrix;
    ew_change change;
} piece;

typedef struct whole {
    ew_mesh mesh; /* ids are slots */
    ew_topology topology;
    ew_materials materials;
    ew_matrix matrix;
    ew_change change;
    int32_t n_part, n_atom, atom_room;
    int32_t *atom; /* [mesh.n_vertex] */
    piece part[MAX_PART];
} whole;

/* ---- messages ---------------------------------------------------------------- */

/* message[from][to] as one list for each receiver, through bytes and back. */
static inline void deliver(ew_records (*message)[MAX_PART], int32_t n_part, int32_t to,
                           ew_records *received)
{
    for (int32_t from = 0; from < n_part; from++) {
        size_t bytes;
        void *packed;
        must(ew_records_pack(&message[from][to], &bytes, &packed));
        must(ew_records_unpack(&received[from], bytes, packed));
        ew_release(packed);
    }
}

static inline void free_messages(ew_records (*message)[MAX_PART])
{
    for (int32_t i = 0; i < MAX_PART * MAX_PART; i++) {
        ew_records_free(&message[i / MAX_PART][i % MAX_PART]);
    }
    free(message);
}

/* Values of size bytes by vertex, array[p] of part p, brought to the ghosts. */
static inline void exchange(whole *w, size_t size, void **array)
{
    for (int32_t from = 0; from < w->n_part; from++) {
        for (int32_t to = 0; to < w->n_part; to++) {
            const ew_subdomain *sender = &w->part[from].sub, *receiver = &w->part[to].sub;
            CU_ASSERT_EQUAL_FATAL(sender->send.count[to], receiver->receive.count[from]);
            char *message = malloc(size * (size_t)sender->send.count[to] + 1);
            ew_subdomain_take_values(sender, to, size, array[from], message);
            ew_subdomain_put_values(receiver, from, size, message, array[to]);
            free(message);
        }
    }
}

/* ---- construction -------------------------------------------------------------- */

static inline void build_piece(whole *w, piece *p)
{
    must(ew_topology_build(&p->topology, &p->sub.mesh));
    must(ew_subdomain_plan(&p->sub, &p->topology.vertex_to_tet));
    must(ew_stiffness_build(&p->matrix, &p->sub.mesh, &p->topology, &w->materials));
}

static inline ew_subdomain_def def_of(const whole *w, int32_t part, const int32_t *atom_part)
{
    return (ew_subdomain_def){part,      w->n_part,        w->n_atom,
                              atom_part, w->mesh.n_region, w->mesh.region_label};
}

static inline void cut_whole(whole *w, int32_t n_part)
{
    const ew_record_source source = {&w->mesh, &w->topology.vertex_to_tet, w->atom, NULL, NULL};
    ew_atom_graph graph = {0};
    int32_t *atom_part = malloc((size_t)w->n_atom * sizeof *atom_part);
    w->n_part = n_part;
    must(ew_atom_graph_of_mesh(&graph, &w->mesh, &w->topology.pattern, w->n_atom, w->atom));
    must(ew_atom_graph_deal(&graph, n_part, atom_part));
    for (int32_t p = 0; p < n_part; p++) {
        const ew_subdomain_def def = def_of(w, p, atom_part);
        ew_records records = {0};
        must(ew_records_of_part(&source, atom_part, p, &records));
        must(ew_subdomain_init(&w->part[p].sub, &def, 1, &records));
        build_piece(w, &w->part[p]);
        ew_records_free(&records);
    }
    ew_atom_graph_free(&graph);
    free(atom_part);
}

/* The mesh is taken over. rows: of an atom. */
static inline void make_whole(whole *w, ew_mesh *mesh, int32_t rows, int32_t n_part)
{
    const ew_material material[] = {{.young = 7, .poisson = 0.3, .density = 1},
                                    {.young = 3, .poisson = 0.2, .density = 1}};
    memset(w, 0, sizeof *w);
    w->mesh = *mesh;
    memset(mesh, 0, sizeof *mesh);
    w->mesh.appends = true;
    must(ew_topology_build(&w->topology, &w->mesh));
    must(ew_materials_init(&w->materials, w->mesh.n_region, material));
    must(ew_stiffness_build(&w->matrix, &w->mesh, &w->topology, &w->materials));
    must(ew_grow(&w->atom, &w->atom_room, w->mesh.n_vertex, sizeof *w->atom));
    must(ew_atoms_cut(&w->mesh, &w->topology.pattern, rows, &w->n_atom, w->atom));
    cut_whole(w, n_part);
}

static inline void free_piece(piece *p)
{
    ew_subdomain_free(&p->sub);
    ew_topology_free(&p->topology);
    ew_matrix_free(&p->matrix);
    ew_change_free(&p->change);
    memset(p, 0, sizeof *p);
}

static inline void free_whole(whole *w)
{
    for (int32_t p = 0; p < MAX_PART; p++) {
        free_piece(&w->part[p]);
    }
    ew_mesh_free(&w->mesh);
    ew_topology_free(&w->topology);
    ew_materials_free(&w->materials);
    ew_matrix_free(&w->matrix);
    ew_change_free(&w->change);
    ew_release(w->atom);
}

/* ---- comparison ------------------------------------------------------------------ */

static inline bool same_block(const double *a, const double *b)
{
    return memcmp(a, b, 9 * sizeof *a) == 0;
}

/* Whether an owned row has the neighbors and the bits that it has in the whole. */
static inline bool same_row(const whole *w, const piece *p, int32_t v)
{
    const int32_t row = (int32_t)p->sub.mesh.vertex_id[v];
    int32_t n, n_whole;
    const int32_t *item = ew_pattern_items(&p->topology.pattern, v, &n);
    const int32_t *of_whole = ew_pattern_items(&w->topology.pattern, row, &n_whole);
    bool same =
        n == n_whole && p->sub.mesh.valence[v] == w->mesh.valence[row] &&
        same_block(p->matrix.diagonal + 9 * (size_t)v, w->matrix.diagonal + 9 * (size_t)row) &&
        memcmp(p->sub.mesh.xyz + 3 * (size_t)v, w->mesh.xyz + 3 * (size_t)row,
               3 * sizeof(double)) == 0;
    for (int32_t i = 0; same && i < n; i++) {
        same = p->sub.mesh.vertex_id[item[2 * i]] == of_whole[2 * i] &&
               same_block(p->matrix.pair + 9 * (size_t)item[2 * i + 1],
                          w->matrix.pair + 9 * (size_t)of_whole[2 * i + 1]);
    }
    return same;
}

/* Every row of the whole has one owner, who has it bit for bit. */
static inline void compare_rows(const whole *w)
{
    int64_t n_active = 0, n_kept = 0;
    for (int32_t i = 0; i < w->n_part; i++) {
        const piece *p = &w->part[i];
        for (int32_t v = 0; v < p->sub.mesh.n_vertex; v++) {
            if (p->sub.mesh.valence[v] >= 0 && ew_subdomain_owns(&p->sub, v)) {
                n_kept++;
                n_active += p->sub.mesh.valence[v] > 0;
                CU_ASSERT_FATAL(same_row(w, p, v));
            }
        }
    }
    CU_ASSERT_EQUAL_FATAL(n_active, w->mesh.n_active_vertex);
    CU_ASSERT_EQUAL_FATAL(n_kept, w->mesh.n_vertex - w->mesh.vertex_hole.n);
}

/* Ghosts get what their owners have. */
static inline void compare_exchange(whole *w)
{
    void *array[MAX_PART];
    for (int32_t i = 0; i < w->n_part; i++) {
        const ew_subdomain *sub = &w->part[i].sub;
        double *x = malloc(((size_t)sub->mesh.n_vertex + 1) * sizeof *x);
        for (int32_t v = 0; v < sub->mesh.n_vertex; v++) {
            x[v] = ew_subdomain_owns(sub, v) ? sin((double)sub->mesh.vertex_id[v]) : NAN;
        }
        array[i] = x;
    }
    exchange(w, sizeof(double), array);
    for (int32_t i = 0; i < w->n_part; i++) {
        const ew_subdomain *sub = &w->part[i].sub;
        const double *x = array[i];
        for (int32_t v = -1; (v = ew_mesh_next_vertex(&sub->mesh, v)) >= 0;) {
            CU_ASSERT_EQUAL_FATAL(x[v], sin((double)sub->mesh.vertex_id[v]));
        }
        free(array[i]);
    }
}

static inline bool same_rows(const ew_rows *a, const ew_rows *b)
{
    bool same = a->n_row == b->n_row;
    for (int32_t i = 0; same && i < a->n_row; i++) {
        same = a->count[i] == b->count[i] &&
               (a->count[i] == 0 || memcmp(a->item + a->begin[i], b->item + b->begin[i],
                                           (size_t)a->count[i] * sizeof(int32_t)) == 0);
    }
    return same;
}

/* Each part keeps its rules, and its exchange is the one that follows from its tets. */
static inline void validate_parts(whole *w)
{
    for (int32_t i = 0; i < w->n_part; i++) {
        piece *p = &w->part[i];
        ew_rows send = {0}, receive = {0};
        must(ew_subdomain_validate(&p->sub));
        must(ew_topology_check(&p->topology, &p->sub.mesh));
        must(ew_rows_copy(&send, &p->sub.send));
        must(ew_rows_copy(&receive, &p->sub.receive));
        must(ew_subdomain_plan(&p->sub, &p->topology.vertex_to_tet));
        CU_ASSERT_FATAL(same_rows(&send, &p->sub.send));
        CU_ASSERT_FATAL(same_rows(&receive, &p->sub.receive));
        ew_rows_free(&send);
        ew_rows_free(&receive);
    }
}

/* ---- edits ------------------------------------------------------------------------- */

static inline void follow(whole *w, piece *p)
{
    bool renumbered = false;
    must(ew_subdomain_commit(&p->sub, &p->topology.vertex_to_tet, &p->change, &renumbered));
    if (renumbered) {
        ew_topology_free(&p->topology);
        ew_matrix_free(&p->matrix);
        build_piece(w, p);
        return;
    }
    must(ew_topology_update(&p->topology, &p->sub.mesh, &p->change));
    must(ew_subdomain_follow(&p->sub, &p->topology.vertex_to_tet, &p->change));
    must(ew_stiffness_revalidate(&p->matrix, &p->sub.mesh, &p->topology, &w->materials,
                                 &p->topology.touched));
}

/* The atoms of added vertices, as their owners have them. */
static inline void take_atoms(whole *w)
{
    must(ew_grow(&w->atom, &w->atom_room, w->mesh.n_vertex, sizeof *w->atom));
    w->n_atom = w->part[0].sub.n_atom;
    for (int32_t i = 0; i < w->n_part; i++) {
        const ew_subdomain *sub = &w->part[i].sub;
        for (int32_t v = 0; v < sub->mesh.n_vertex; v++) {
            if (sub->mesh.valence[v] >= 0 && ew_subdomain_owns(sub, v)) {
                w->atom[sub->mesh.vertex_id[v]] = sub->atom[v];
            }
        }
    }
}

/* The edit of the whole, and of its parts by messages that `sender` sends. False: it is refused, by
 * the whole and by one of the parts, and changes nothing. */
static inline bool edit_whole(whole *w, const ew_edit *edit, int32_t sender)
{
    const ew_record_source source = {&w->mesh, &w->topology.vertex_to_tet, w->atom, NULL, NULL};
    ew_records(*message)[MAX_PART] = calloc(MAX_PART, sizeof *message);
    ew_records received[MAX_PART] = {0};
    const ew_status verdict =
        ew_mesh_check_edit(&w->mesh, edit, &w->topology.vertex_to_tet, &w->change);
    bool refused = false;
    must(ew_records_of_edit(&source, edit, w->mesh.next_vertex_id, w->mesh.next_tet_id,
                            w->part[0].sub.atom_part, w->n_part, message[sender]));
    for (int32_t p = 0; p < w->n_part; p++) {
        piece *to = &w->part[p];
        deliver(message, w->n_part, p, received);
        must(ew_subdomain_queue(&to->sub, w->n_part, received));
        const ew_status status =
            ew_subdomain_check(&to->sub, &to->topology.vertex_to_tet, &to->change);
        CU_ASSERT_FATAL(status == EW_OK || status == EW_BAD_EDIT);
        refused = refused || status;
    }
    CU_ASSERT_EQUAL_FATAL(refused, verdict != EW_OK);
    if (!refused) {
        must(ew_mesh_commit(&w->mesh, edit, &w->topology.vertex_to_tet, &w->change));
        must(ew_topology_update(&w->topology, &w->mesh, &w->change));
        must(ew_stiffness_revalidate(&w->matrix, &w->mesh, &w->topology, &w->materials,
                                     &w->topology.touched));
        for (int32_t p = 0; p < w->n_part; p++) {
            follow(w, &w->part[p]);
        }
        take_atoms(w);
    }
    for (int32_t p = 0; p < MAX_PART; p++) {
        ew_records_free(&received[p]);
    }
    free_messages(message);
    return !refused;
}

/* ---- balance ------------------------------------------------------------------------- */

static inline void sum_graphs(whole *w, ew_atom_graph *graph)
{
    ew_atom_graph one = {0};
    must(ew_subdomain_graph(&w->part[0].sub, &w->part[0].topology.pattern, graph));
    for (int32_t p = 1; p < w->n_part; p++) {
        must(ew_subdomain_graph(&w->part[p].sub, &w->part[p].topology.pattern, &one));
        must(ew_atom_graph_add(graph, &one));
    }
    ew_atom_graph_free(&one);
}

static inline void halve_atoms(whole *w, int32_t limit)
{
    ew_atom_graph graph = {0};
    void *array[MAX_PART];
    sum_graphs(w, &graph);
    for (int32_t p = 0; p < w->n_part; p++) {
        must(ew_subdomain_halve(&w->part[p].sub, graph.rows, limit));
        array[p] = w->part[p].sub.atom;
    }
    exchange(w, sizeof(int32_t), array);
    take_atoms(w);
    ew_atom_graph_free(&graph);
}

/* Deals the atoms to n_part parts and sends whole ones there. */
static inline void deal_again(whole *w, int32_t n_part)
{
    ew_records(*message)[MAX_PART] = calloc(MAX_PART, sizeof *message);
    ew_records received[MAX_PART] = {0};
    ew_atom_graph graph = {0};
    const int32_t n_before = w->n_part;
    int32_t *atom_part = malloc((size_t)w->n_atom * sizeof *atom_part);
    sum_graphs(w, &graph);
    must(ew_atom_graph_deal(&graph, n_part, atom_part));
    for (int32_t p = 0; p < n_before; p++) {
        must(ew_records_of_atoms(&w->part[p].sub, &w->part[p].topology.vertex_to_tet, atom_part,
                                 n_part, message[p]));
    }
    for (int32_t p = 0; p < n_before; p++) {
        free_piece(&w->part[p]);
    }
    w->n_part = n_part;
    for (int32_t p = 0; p < n_part; p++) {
        const ew_subdomain_def def = def_of(w, p, atom_part);
        deliver(message, n_before, p, received);
        must(ew_subdomain_init(&w->part[p].sub, &def, n_before, received));
        build_piece(w, &w->part[p]);
    }
    for (int32_t p = 0; p < MAX_PART; p++) {
        ew_records_free(&received[p]);
    }
    free_messages(message);
    ew_atom_graph_free(&graph);
    free(atom_part);
}

#endif
