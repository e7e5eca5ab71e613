/* What rows remember. In: faces of two sides as they are, and as they were at the call before. Out:
 * pairs; vertices of slave faces, and which of them have a face, a master over one, or a distance
 * that is not what it was. */
#include "contact/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Share of what faces have round a vertex below which what is covered of it is little. */
#define SMALL 0.1

static int compare_vertices(const void *key, const void *of)
{
    const int32_t x = *(const int32_t *)key, y = ((const contact_vertex *)of)->vertex;
    return (x > y) - (x < y);
}

static contact_vertex *find(contact_vertex *list, int32_t n, int32_t vertex)
{
    return n ? bsearch(&vertex, list, (size_t)n, sizeof *list, compare_vertices) : NULL;
}

contact_vertex *contact_memory_find(const contact_memory *memory, int32_t vertex)
{
    return find(memory->vertex, memory->n_vertex, vertex);
}

/* ---- pairs and sums of faces ------------------------------------------------------------------
 */

static int32_t count_changed(const contact_side *side)
{
    int32_t n = 0;
    for (int32_t i = 0; i < side->n; i++) {
        n += side->from[i] < 0;
    }
    return n;
}

/* Whether most faces differ from those before, as they do where a body moves. */
static bool moves(const contact_memory *memory)
{
    const contact_side *slave = &memory->slave, *master = &memory->master;
    return slave->n_before && master->n_before &&
           2 * (count_changed(slave) + count_changed(master)) > slave->n + master->n;
}

static ew_status update_pairs(contact_memory *memory, bool is_of_one)
{
    const ew_face_pairs before = memory->pairs;
    memory->pairs = memory->pairs_before;
    memory->pairs_before = before;
    EW_TRY(ew_grow(&memory->is_touched, &memory->touched_capacity, memory->slave.n,
                   sizeof *memory->is_touched));
    if (moves(memory)) {
        const ew_status status =
            contact_near_update(&memory->near, &memory->pairs, &memory->pairs_before,
                                &memory->slave, &memory->master, is_of_one, memory->margin,
                                memory->is_touched);
        if (status != EW_LIMIT) {
            return status;
        }
    }
    contact_near_free(&memory->near);
    return contact_pairs_update(&memory->pairs, &memory->pairs_before, &memory->slave,
                                &memory->master, (contact_meeting){is_of_one, CONTACT_FACING},
                                memory->is_touched);
}

static ew_status update_sums(contact_memory *memory, double distance)
{
    contact_sums *before = memory->sums;
    const int32_t capacity = memory->sums_capacity;
    memory->sums = memory->sums_before;
    memory->sums_capacity = memory->sums_before_capacity;
    memory->sums_before = before;
    memory->sums_before_capacity = capacity;
    EW_TRY(ew_grow(&memory->sums, &memory->sums_capacity, memory->slave.n, sizeof *memory->sums));
    for (int32_t i = 0; i < memory->slave.n; i++) {
        const int32_t old = memory->slave.from[i];
        memory->sums[i] = old < 0 ? (contact_sums){.area = 0.5 * sqrt(memory->slave.face[i].square),
                                                   .near = -1.0,
                                                   .far = INFINITY}
                                  : before[old];
        memory->is_touched[i] = memory->is_touched[i] || memory->sums[i].near > distance ||
                                memory->sums[i].far <= distance;
    }
    return EW_OK;
}

/* ---- vertices ---------------------------------------------------------------------------------
 */

/* Of the vertices before, those of faces that are gone. */
static ew_status leave_faces(contact_memory *memory)
{
    const contact_side *side = &memory->slave;
    for (int32_t o = 0; o < side->n_before && side->n_gone; o++) {
        for (int k = 0; k < 3 && side->is_gone[o]; k++) {
            contact_memory_corner(memory, o, k)->n_face--;
            EW_TRY(ew_set_add(&memory->touched, side->before[o].vertex[k]));
        }
    }
    return EW_OK;
}

/* Whether a face has only moved, and nothing is or was over it. */
static bool is_bare(const contact_memory *memory, int32_t i)
{
    const contact_side *side = &memory->slave;
    const contact_face *face = &side->face[i];
    const int32_t old = side->same_corners[i];
    return side->from[i] < 0 && old >= 0 && !memory->rigid && !face->is_curved &&
           face->square > 0.0 && memory->pairs.begin[i] == memory->pairs.begin[i + 1] &&
           memory->sums_before[old].covered == 0.0;
}

/* Such a face is of no account for vertices of which nothing was covered. */
static ew_status touch_bare(contact_memory *memory, int32_t i)
{
    for (int k = 0; k < 3; k++) {
        const contact_vertex *of = contact_memory_corner(memory, memory->slave.same_corners[i], k);
        if (of->place >= 0 || of->area > 0.0 || of->covered > 0.0) {
            EW_TRY(ew_set_add(&memory->touched, of->vertex));
        }
    }
    return EW_OK;
}

/* Before vertices have their places now. */
static ew_status touch_faces(contact_memory *memory)
{
    const contact_side *side = &memory->slave;
    memory->corner.n = 0;
    for (int32_t i = 0; i < side->n; i++) {
        if (is_bare(memory, i)) {
            EW_TRY(touch_bare(memory, i));
            continue;
        }
        for (int k = 0; k < 3 && memory->is_touched[i]; k++) {
            EW_TRY(ew_set_add(&memory->touched, side->face[i].vertex[k]));
        }
        for (int k = 0; k < 3 && side->same_corners[i] < 0; k++) {
            EW_TRY(ew_list_push(&memory->corner, side->face[i].vertex[k]));
        }
    }
    ew_list_sort(&memory->corner);
    return EW_OK;
}

static void clear(contact_vertex *of)
{
    of->covered = of->whole = of->area = of->moment = 0.0;
    of->meets_itself = false;
    of->min_gap = INFINITY;
    memset(of->normal, 0, sizeof of->normal);
    memset(of->slid, 0, sizeof of->slid);
}

/* Those whose row is to be made begin with nothing. */
static ew_status add_vertex(contact_memory *memory, contact_vertex *of)
{
    of->is_touched = ew_set_has(&memory->touched, of->vertex) || (of->place < 0 && of->area > 0.0);
    if (of->is_touched) {
        clear(of);
        EW_TRY(ew_set_add(&memory->touched, of->vertex));
    }
    memory->vertex[memory->n_vertex++] = *of;
    return EW_OK;
}

/* The same faces as before have the same vertices. */
static ew_status keep_vertices(contact_memory *memory)
{
    const int32_t n = memory->n_vertex;
    memory->n_vertex = 0;
    for (int32_t j = 0; j < n; j++) {
        EW_TRY(add_vertex(memory, &memory->vertex[j]));
    }
    return EW_OK;
}

static void swap_corners(contact_memory *memory)
{
    int32_t *before = memory->corner_place;
    const int32_t capacity = memory->corner_capacity;
    memory->corner_place = memory->corner_before;
    memory->corner_capacity = memory->corner_before_capacity;
    memory->corner_before = before;
    memory->corner_before_capacity = capacity;
}

/* Places of the vertices of faces, from those of vertices before. */
static ew_status place_corners(contact_memory *memory)
{
    const contact_side *side = &memory->slave;
    swap_corners(memory);
    EW_TRY(ew_grow(&memory->corner_place, &memory->corner_capacity, side->n,
                   3 * sizeof *memory->corner_place));
    for (int32_t i = 0; i < side->n; i++) {
        const int32_t old = side->same_corners[i];
        for (size_t k = 0; k < 3; k++) {
            memory->corner_place[3 * (size_t)i + k] =
                old < 0 ? (int32_t)(contact_memory_find(memory, side->face[i].vertex[k]) -
                                    memory->vertex)
                        : memory->now_at[memory->corner_before[3 * (size_t)old + k]];
        }
    }
    return EW_OK;
}

/* Those before that have faces, and those of new faces, ascending. */
static ew_status merge_vertices(contact_memory *memory)
{
    contact_vertex *before = memory->vertex;
    const int32_t n = memory->n_vertex, capacity = memory->vertex_capacity;
    const ew_list *corner = &memory->corner;
    memory->vertex = memory->vertex_before;
    memory->vertex_capacity = memory->vertex_before_capacity;
    memory->vertex_before = before;
    memory->vertex_before_capacity = capacity;
    memory->n_vertex = 0;
    EW_TRY(ew_grow(&memory->vertex, &memory->vertex_capacity, (int64_t)n + corner->n,
                   sizeof *memory->vertex));
    EW_TRY(ew_grow(&memory->now_at, &memory->now_capacity, n, sizeof *memory->now_at));
    for (int32_t o = 0, k = 0; o < n || k < corner->n;) {
        contact_vertex next = {.place = -1};
        next.vertex = o < n && (k == corner->n || before[o].vertex <= corner->id[k])
                          ? before[o].vertex
                          : corner->id[k];
        if (o < n && before[o].vertex == next.vertex) {
            memory->now_at[o] = memory->n_vertex;
            next = before[o++];
        }
        for (; k < corner->n && corner->id[k] == next.vertex; k++) {
            next.n_face++;
        }
        EW_TRY(next.n_face ? add_vertex(memory, &next) : EW_OK);
    }
    return place_corners(memory);
}

/* Vertices of which little is covered now and was not, or was and is not, likewise those that
 * masters share. */
static ew_status find_changed(contact_memory *memory, ew_set *changed)
{
    for (int32_t j = 0; j < memory->n_vertex; j++) {
        contact_vertex *of = &memory->vertex[j];
        const bool is_small = of->meets_itself || of->covered < SMALL * of->whole;
        if (of->is_touched && (is_small != of->is_small || of->meets_itself != of->is_shared)) {
            of->is_small = is_small;
            of->is_shared = of->meets_itself;
            EW_TRY(ew_set_add(changed, of->vertex));
        }
    }
    return EW_OK;
}

ew_status contact_memory_find_small(contact_memory *memory, bool *again)
{
    ew_set changed = {0};
    ew_status status = find_changed(memory, &changed);
    *again = changed.list.n > 0;
    for (int32_t i = 0; i < memory->slave.n && !status && *again; i++) {
        const int32_t *v = memory->slave.face[i].vertex;
        const bool near =
            ew_set_has(&changed, v[0]) || ew_set_has(&changed, v[1]) || ew_set_has(&changed, v[2]);
        for (int k = 0; k < 3 && near && !status; k++) {
            status = ew_set_add(&memory->touched, v[k]);
        }
    }
    for (int32_t j = 0; j < memory->touched.list.n && *again; j++) {
        contact_vertex *of = contact_memory_find(memory, memory->touched.list.id[j]);
        if (of) { /* else it has no slave face any more */
            of->is_touched = true;
            clear(of);
        }
    }
    ew_set_free(&changed);
    return status;
}

ew_status contact_memory_update(contact_memory *memory, const ew_mesh *mesh,
                                const ew_topology *topology, const ew_contact_def *def,
                                double margin)
{
    const uint64_t revision = def->rigid ? contact_rigid_revision(def->rigid) : 0;
    const bool has_edges = def->edge_row != NULL, is_of_one = contact_is_of_one(def);
    if (memory->margin != margin || memory->is_tie != def->is_tie || memory->turns != def->turns ||
        memory->has_edges != has_edges || memory->is_of_one != is_of_one ||
        memory->by_motion != def->by_motion || memory->rigid != def->rigid ||
        memory->rigid_revision != revision) {
        contact_memory_clear(memory);
    }
    memory->margin = margin;
    memory->is_tie = def->is_tie;
    memory->turns = def->turns;
    memory->has_edges = has_edges;
    memory->is_of_one = is_of_one;
    memory->by_motion = def->by_motion;
    memory->rigid = def->rigid;
    memory->rigid_revision = revision;
    EW_TRY(contact_side_read(&memory->slave, mesh, topology, def, def->slave, margin));
    EW_TRY(is_of_one ? contact_side_repeat(&memory->master, &memory->slave)
                     : contact_side_read(&memory->master, mesh, topology, def, def->master, 0.0));
    EW_TRY(update_pairs(memory, is_of_one));
    EW_TRY(update_sums(memory, def->distance));
    ew_set_clear(&memory->touched);
    EW_TRY(leave_faces(memory));
    EW_TRY(touch_faces(memory));
    return memory->slave.n_gone || memory->corner.n ? merge_vertices(memory)
                                                    : keep_vertices(memory);
}

void contact_memory_clear(contact_memory *memory)
{
    memory->slave.n = memory->master.n = memory->n_vertex = 0;
    memory->pairs.n_slave = memory->pairs.n_pair = 0;
    memory->before.n = memory->before.n_row = 0;
    contact_near_free(&memory->near);
}

void contact_release_rows(ew_contact_rows *rows)
{
    ew_release(rows->vertex);
    ew_release(rows->gap);
    ew_release(rows->area);
    ew_release(rows->normal);
    ew_release(rows->slid);
    ew_release(rows->min_gap);
    ew_release(rows->size);
    ew_release(rows->begin);
    ew_release(rows->entry);
    ew_release(rows->factor);
    *rows = (ew_contact_rows){0};
}

void contact_memory_free(contact_memory *memory)
{
    contact_side_free(&memory->slave);
    contact_side_free(&memory->master);
    ew_face_pairs_free(&memory->pairs);
    contact_near_free(&memory->near);
    ew_face_pairs_free(&memory->pairs_before);
    ew_release(memory->is_touched);
    ew_release(memory->sums);
    ew_release(memory->sums_before);
    ew_release(memory->vertex);
    ew_release(memory->vertex_before);
    ew_release(memory->corner_place);
    ew_release(memory->corner_before);
    ew_release(memory->now_at);
    ew_list_free(&memory->corner);
    ew_set_free(&memory->touched);
    contact_release_rows(&memory->before);
    contact_release_rows(&memory->before_tie);
    *memory = (contact_memory){0};
}
