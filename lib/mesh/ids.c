/* Slots by persistent id. In: a mesh, changes of it, ids. Out: a hash table of the slots (open
 * addressing, linear probing; erasing moves what follows back, so nothing is left behind: Knuth
 * 1998, The Art of Computer Programming 3, 6.4, algorithm R), and slots, ascending. */
#include "mesh/internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- the hash table ---------------------------------------------------- */

static uint32_t mask_of(const ew_id_index *index)
{
    return (UINT32_C(1) << index->bits) - 1;
}

/* Where an id belongs: ids that follow one another lie far apart (Knuth 1998, 6.4: Fibonacci
 * hashing). */
static uint32_t home_of(const ew_id_index *index, int64_t id)
{
    return (uint32_t)(((uint64_t)id * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - index->bits));
}

static void enter(ew_id_index *index, int32_t slot)
{
    const uint32_t mask = mask_of(index);
    uint32_t at = home_of(index, index->id[slot]);
    while (index->table[at] >= 0) {
        at = (at + 1) & mask;
    }
    index->table[at] = slot;
}

/* The place of an id, or of the empty place where looking for it ends. */
static uint32_t place_of(const ew_id_index *index, int64_t id)
{
    const uint32_t mask = mask_of(index);
    uint32_t at = home_of(index, id);
    while (index->table[at] >= 0 && index->id[index->table[at]] != id) {
        at = (at + 1) & mask;
    }
    return at;
}

static void erase(ew_id_index *index, int32_t slot)
{
    const uint32_t mask = mask_of(index);
    uint32_t hole = place_of(index, index->id[slot]);
    for (uint32_t at = (hole + 1) & mask; index->table[at] >= 0; at = (at + 1) & mask) {
        const uint32_t home = home_of(index, index->id[index->table[at]]);
        if (((at - home) & mask) >= ((at - hole) & mask)) {
            index->table[hole] = index->table[at];
            hole = at;
        }
    }
    index->table[hole] = -1;
    index->id[slot] = -1;
    index->n--;
}

/* A table that n ids fill to a half at the most, with the ids of all slots entered. */
static ew_status make_table(ew_id_index *index, int64_t n)
{
    int32_t *table, bits = 3;
    while ((INT64_C(1) << bits) < 2 * n) {
        bits++;
    }
    EW_TRY(ew_new(&table, (size_t)1 << bits, sizeof *table));
    memset(table, 0xff, sizeof *table << bits);
    ew_release(index->table);
    index->table = table;
    index->bits = bits;
    for (int32_t slot = 0; slot < index->n_slot; slot++) {
        if (index->id[slot] >= 0) {
            enter(index, slot);
        }
    }
    return EW_OK;
}

/* ---- building and following -------------------------------------------- */

static int64_t id_in_mesh(const ew_mesh *mesh, ew_id_kind kind, int32_t slot)
{
    if (kind == EW_TET_IDS) {
        return ew_mesh_tet_is_live(mesh, slot) ? mesh->tet_id[slot] : -1;
    }
    return mesh->valence[slot] >= 0 ? mesh->vertex_id[slot] : -1;
}

static ew_status grow_slots(ew_id_index *index, const ew_mesh *mesh)
{
    const int32_t n_slot = index->kind == EW_TET_IDS ? mesh->n_tet : mesh->n_vertex;
    EW_TRY(ew_grow(&index->id, &index->slot_capacity, n_slot, sizeof *index->id));
    for (; index->n_slot < n_slot; index->n_slot++) {
        index->id[index->n_slot] = -1;
    }
    return EW_OK;
}

static ew_status build(ew_id_index *index, const ew_mesh *mesh)
{
    EW_TRY(grow_slots(index, mesh));
    for (int32_t slot = 0; slot < index->n_slot; slot++) {
        index->id[slot] = id_in_mesh(mesh, index->kind, slot);
        index->n += index->id[slot] >= 0;
    }
    return make_table(index, index->n);
}

ew_status ew_id_index_prepare(ew_id_index *index, ew_id_kind kind, const ew_mesh *mesh)
{
    if (index->table && index->kind == kind && index->revision == mesh->revision) {
        return EW_OK;
    }
    ew_id_index_free(index);
    index->kind = kind;
    const ew_status status = build(index, mesh);
    if (status) {
        ew_id_index_free(index);
        return status;
    }
    index->revision = mesh->revision;
    return EW_OK;
}

static ew_status follow(ew_id_index *index, const ew_mesh *mesh, const ew_change *change)
{
    const bool tets = index->kind == EW_TET_IDS;
    const ew_list *gone = tets ? &change->removed_tet : &change->removed_vertex;
    const ew_list *added = tets ? &change->added_tet : &change->added_vertex;
    for (int32_t i = 0; i < gone->n; i++) {
        erase(index, gone->id[i]);
    }
    EW_TRY(grow_slots(index, mesh));
    const int64_t n = (int64_t)index->n + added->n;
    if (2 * n > INT64_C(1) << index->bits) {
        EW_TRY(make_table(index, n + n / 2));
    }
    for (int32_t i = 0; i < added->n; i++) {
        index->id[added->id[i]] = id_in_mesh(mesh, index->kind, added->id[i]);
        enter(index, added->id[i]);
        index->n++;
    }
    index->revision = change->to_revision;
    return EW_OK;
}

void ew_id_index_update(ew_id_index *index, const ew_mesh *mesh, const ew_change *change)
{
    const bool follows = index->table && index->revision == change->from_revision &&
                         mesh->revision == change->to_revision;
    if (change->from_revision == change->to_revision) {
        return;
    }
    if (!follows || follow(index, mesh, change)) {
        ew_id_index_free(index);
    }
}

void ew_id_index_free(ew_id_index *index)
{
    ew_release(index->id);
    ew_release(index->table);
    memset(index, 0, sizeof *index);
}

int32_t ew_id_index_find(const ew_id_index *index, int64_t id)
{
    return index->table && id >= 0 ? index->table[place_of(index, id)] : -1;
}

/* ---- looking up -------------------------------------------------------- */

static int compare_ids(const void *left, const void *right)
{
    const int64_t x = *(const int64_t *)left, y = *(const int64_t *)right;
    return (x > y) - (x < y);
}

static bool is_used(const ew_mesh *mesh, ew_id_kind kind, int32_t slot)
{
    return kind == EW_TET_IDS ? ew_mesh_tet_is_live(mesh, slot)
                              : ew_mesh_vertex_is_active(mesh, slot);
}

static ew_status fail_unknown(ew_id_kind kind, int64_t id)
{
    return ew_fail(EW_BAD_INPUT, "%s id %lld is not a %s of the mesh",
                   kind == EW_TET_IDS ? "tet" : "vertex", (long long)id,
                   kind == EW_TET_IDS ? "tet" : "vertex of any tet");
}

/* id: ascending, each once. */
static ew_status find_indexed(const ew_mesh *mesh, ew_id_kind kind, const ew_id_index *index,
                              const int64_t *id, int32_t n, ew_list *slot)
{
    if (index->kind != kind || index->revision != mesh->revision) {
        return ew_fail(EW_STALE,
                       "the index of ids is of mesh revision %llu, the mesh is at %llu; prepare it "
                       "again",
                       (unsigned long long)index->revision, (unsigned long long)mesh->revision);
    }
    for (int32_t i = 0; i < n; i++) {
        const int32_t found = ew_id_index_find(index, id[i]);
        if (found < 0 || !is_used(mesh, kind, found)) {
            return fail_unknown(kind, id[i]);
        }
        EW_TRY(ew_list_push(slot, found));
    }
    ew_list_sort(slot);
    return EW_OK;
}

/* The same by a look at every slot. met: [n] all false. */
static ew_status find_by_scan(const ew_mesh *mesh, ew_id_kind kind, const int64_t *id, int32_t n,
                              bool *met, ew_list *slot)
{
    const int32_t n_slot = kind == EW_TET_IDS ? mesh->n_tet : mesh->n_vertex;
    const int64_t *own = kind == EW_TET_IDS ? mesh->tet_id : mesh->vertex_id;
    for (int32_t s = 0; s < n_slot; s++) {
        const int64_t *found = bsearch(&own[s], id, (size_t)n, sizeof *id, compare_ids);
        if (found && is_used(mesh, kind, s)) {
            met[found - id] = true;
            EW_TRY(ew_list_push(slot, s));
        }
    }
    for (int32_t i = 0; i < n; i++) {
        if (!met[i]) {
            return fail_unknown(kind, id[i]);
        }
    }
    return EW_OK;
}

ew_status ew_mesh_find_ids(const ew_mesh *mesh, ew_id_kind kind, const ew_id_index *index,
                           const int64_t *id, int32_t n, ew_list *slot)
{
    ew_status status;
    int64_t *sorted = NULL;
    bool *met = NULL;
    int32_t n_sorted = 0;
    if (n <= 0) {
        return EW_OK;
    }
    EW_TRY_OUT(ew_new(&sorted, (size_t)n, sizeof *sorted));
    EW_TRY_OUT(ew_new_zero(&met, (size_t)n, sizeof *met));
    memcpy(sorted, id, (size_t)n * sizeof *id);
    qsort(sorted, (size_t)n, sizeof *sorted, compare_ids);
    for (int32_t i = 0; i < n; i++) {
        if (n_sorted == 0 || sorted[n_sorted - 1] != sorted[i]) {
            sorted[n_sorted++] = sorted[i];
        }
    }
    EW_TRY_OUT(index ? find_indexed(mesh, kind, index, sorted, n_sorted, slot)
                     : find_by_scan(mesh, kind, sorted, n_sorted, met, slot));
out:
    ew_release(sorted);
    ew_release(met);
    if (status) {
        slot->n = 0;
    }
    return status;
}
