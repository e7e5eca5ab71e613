/* Whether the tets that a batch adds find their place: not there yet, never the third on a
 * face, and never on the side of a face where its other tet lies. In: mesh, queues, the table of
 * tets by vertex. Out: the first offender.
 *
 * A tet across a face of an added tet has three of its four vertices, so at least one of any
 * two: the rows of the two vertices with the fewest tets hold every neighbor. Within the
 * batch, and without a table, a hash table of the added tets' faces finds them. */
#include "mesh/internal.h"

#include <stdio.h>
#include <string.h>

/* ---- messages ---------------------------------------------------------- */

/* slot: of the other tet; -1: it is a queued one. */
static ew_status fail_duplicate(int32_t place, int32_t slot, ew_name other)
{
    return ew_fail_about(
        EW_BAD_EDIT, slot, -1,
        "add tet, place %d of the queue: %s has the same vertices; remove that one or "
        "leave this out",
        place, other.text);
}

static ew_status fail_crowded(const ew_batch *batch, int32_t place, int face)
{
    const int32_t *v = batch->edit->add_tet + 4 * (size_t)place;
    return ew_fail_about(
        EW_BAD_EDIT, v[ew_face_vertex[face][0]], v[ew_face_vertex[face][1]],
        "add tet, place %d of the queue: two other tets have its face of %s, %s and %s "
        "already; remove one of them",
        place, ew_vertex_name(batch->mesh, v[ew_face_vertex[face][0]]).text,
        ew_vertex_name(batch->mesh, v[ew_face_vertex[face][1]]).text,
        ew_vertex_name(batch->mesh, v[ew_face_vertex[face][2]]).text);
}

/* `other`: the tet across the face, which lies on this side of it, too; slot: as above. */
static ew_status fail_overlap(const ew_batch *batch, int32_t place, int face, int32_t slot,
                              ew_name other)
{
    const int32_t *v = batch->edit->add_tet + 4 * (size_t)place;
    return ew_fail_about(
        EW_BAD_EDIT, slot, -1,
        "add tet, place %d of the queue: it lies on the same side of its face of %s, %s "
        "and %s as %s, so the two overlap; remove that one or leave this out",
        place, ew_vertex_name(batch->mesh, v[ew_face_vertex[face][0]]).text,
        ew_vertex_name(batch->mesh, v[ew_face_vertex[face][1]]).text,
        ew_vertex_name(batch->mesh, v[ew_face_vertex[face][2]]).text, other.text);
}

static ew_name queued_name(int32_t place)
{
    ew_name n;
    snprintf(n.text, sizeof n.text, "the tet at place %d", place);
    return n;
}

/* ---- against the mesh, by the table ------------------------------------ */

/* The local vertex of `tet` that v[0..3] lacks; they have three in common. */
static int opposite_vertex(const int32_t tet[4], const int32_t v[4])
{
    int k = 0;
    while (tet[k] == v[0] || tet[k] == v[1] || tet[k] == v[2] || tet[k] == v[3]) {
        k++;
    }
    return k;
}

/* Which of v[0..3] the tet has, as bits. */
static unsigned common_vertices(const int32_t v[4], const int32_t tet[4])
{
    unsigned mask = 0;
    for (int j = 0; j < 4; j++) {
        for (int k = 0; k < 4; k++) {
            mask |= (unsigned)(tet[j] == v[k]) << k;
        }
    }
    return mask;
}

static int32_t tets_at(const ew_batch *batch, int32_t v)
{
    return v < 0 ? 0 : batch->mesh->valence[v];
}

/* The two local vertices with the fewest tets. */
static void two_lightest(const ew_batch *batch, const int32_t v[4], int light[2])
{
    light[0] = 0;
    light[1] = -1;
    for (int k = 1; k < 4; k++) {
        int32_t n = tets_at(batch, v[k]);
        if (n < tets_at(batch, v[light[0]])) {
            light[1] = light[0];
            light[0] = k;
        } else if (light[1] < 0 || n < tets_at(batch, v[light[1]])) {
            light[1] = k;
        }
    }
}

/* One surviving tet in the row of an added tet's vertex: a duplicate, a neighbor, or neither. */
static ew_status meet_tet(const ew_batch *batch, int32_t i, int32_t t, unsigned mask, bool taken[4])
{
    static const int8_t opposite[16] = {[14] = 0, [13] = 1, [11] = 2, [7] = 3};
    if (mask == 15) {
        return fail_duplicate(i, t, ew_tet_name(batch->mesh, t));
    }
    int face = opposite[mask];
    if (taken[face]) {
        return fail_crowded(batch, i, face);
    }
    taken[face] = true;
    const int32_t *v = batch->edit->add_tet + 4 * (size_t)i;
    const int32_t *other = batch->mesh->tet + 4 * (size_t)t;
    return ew_face_side(v, face) == ew_face_side(other, opposite_vertex(other, v))
               ? fail_overlap(batch, i, face, t, ew_tet_name(batch->mesh, t))
               : EW_OK;
}

/* Whether three vertices have tets that stay. */
static bool has_neighbors(const ew_batch *batch, const int32_t v[4])
{
    int n = 0;
    for (int k = 0; k < 4; k++) {
        n += v[k] >= 0 && ew_bit_has(batch->stays, v[k]);
    }
    return n >= 3;
}

/* taken[f]: a surviving tet has face f of the i-th added tet. */
static ew_status look_around(const ew_batch *batch, int32_t i, bool taken[4])
{
    const int32_t *v = batch->edit->add_tet + 4 * (size_t)i;
    int light[2];
    if (batch->stays && !has_neighbors(batch, v)) {
        return EW_OK;
    }
    two_lightest(batch, v, light);
    for (int side = 0; side < 2; side++) {
        const int32_t *row = NULL;
        int32_t n = 0;
        if (v[light[side]] >= 0) {
            EW_TRY(ew_batch_tets_of(batch, v[light[side]], &row, &n));
        }
        for (int32_t k = 0; k < n; k++) {
            if (ew_set_has(&batch->change->commit.gone_tet, row[k])) {
                continue;
            }
            unsigned mask = common_vertices(v, batch->mesh->tet + 4 * (size_t)row[k]);
            bool seen = side == 1 && (mask >> light[0] & 1u);
            bool neighbor = mask == 15 || mask == 14 || mask == 13 || mask == 11 || mask == 7;
            if (neighbor && !seen) {
                EW_TRY(meet_tet(batch, i, row[k], mask, taken));
            }
        }
    }
    return EW_OK;
}

/* ---- against the batch, by hashing ------------------------------------- */

/* A single tet meets no other of the batch. */
static bool needs_faces(const ew_batch *batch)
{
    return batch->edit->n_add_tet > (batch->vertex_to_tet ? 1 : 0);
}

/* Blocks of the table, 1 << these places: see home_of. */
enum { NEW_BLOCK = 11, OLD_BLOCK = 9 };

/* Where most tets go, few vertices have one that stays, next to which an added tet may lie. */
static ew_status mark_staying(ew_batch *batch)
{
    const ew_mesh *mesh = batch->mesh;
    const ew_set *gone = &batch->change->commit.gone_tet;
    if (4 * (int64_t)gone->list.n < 3 * (int64_t)mesh->n_live_tet) {
        return EW_OK;
    }
    EW_TRY(ew_new_zero(&batch->stays, (size_t)mesh->n_vertex / 64 + 1, sizeof *batch->stays));
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        const int32_t *v = mesh->tet + 4 * (size_t)t;
        for (int k = 0; k < 4 && !ew_set_has(gone, t) && v[0] >= 0; k++) {
            ew_bit_set(batch->stays, v[k]);
        }
    }
    return EW_OK;
}

/* Four faces a tet, of which two tets mostly share each. */
ew_status ew_batch_reserve_faces(ew_batch *batch)
{
    enum { PER_TET = 6 };
    EW_TRY(batch->vertex_to_tet && batch->edit->n_add_tet ? mark_staying(batch) : EW_OK);
    const int64_t n = PER_TET * (int64_t)batch->edit->n_add_tet + (1 << NEW_BLOCK);
    if (!needs_faces(batch)) {
        return EW_OK;
    }
    batch->n_face_place = (uint64_t)n;
    batch->face_shift = 0;
    while (batch->edit->n_add_vertex >> batch->face_shift >= n >> NEW_BLOCK) {
        batch->face_shift++;
    }
    return ew_grow(&batch->change->commit.face, &batch->change->commit.face_capacity, n,
                   sizeof *batch->change->commit.face);
}

/* Three vertices of a tet, ascending. */
static void face_key(const int32_t tet[4], int face, int32_t key[3])
{
    int32_t a = tet[ew_face_vertex[face][0]], b = tet[ew_face_vertex[face][1]];
    int32_t c = tet[ew_face_vertex[face][2]], low = a < b ? a : b, high = a < b ? b : a;
    key[0] = low < c ? low : c;
    key[2] = high > c ? high : c;
    key[1] = low < c ? (high < c ? high : c) : low;
}

/* Places of the hash table: 0 is free, c + 1 is the face of code c = 4 * place in the queue + face,
 * -(c + 1) the same when two tets have the face. They are read and written at once by several
 * threads; without atomics there is one. */
#if defined(__GNUC__)
enum { HAS_ATOMICS = 1 };
static inline int32_t read_place(const int32_t *place)
{
    return __atomic_load_n(place, __ATOMIC_RELAXED);
}

static inline bool write_place(int32_t *place, int32_t old, int32_t now)
{
    return __atomic_compare_exchange_n(place, &old, now, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}
#else
enum { HAS_ATOMICS = 0 };
static inline int32_t read_place(const int32_t *place)
{
    return *place;
}

static inline bool write_place(int32_t *place, int32_t old, int32_t now)
{
    (void)old;
    *place = now;
    return true;
}
#endif

/* Whether this place is the face's, or free for it; *seen: what it was found to have. */
static inline bool is_place_of(const ew_batch *batch, const int32_t *place, const int32_t key[3],
                               int32_t *seen)
{
    const int32_t at = *seen = read_place(place), code = (at < 0 ? -at : at) - 1;
    int32_t other[3];
    if (at == 0) {
        return true;
    }
    face_key(batch->edit->add_tet + 4 * (size_t)(code / 4), code % 4, other);
    return other[0] == key[0] && other[1] == key[1] && other[2] == key[2];
}

static uint64_t hash_face(const int32_t key[3])
{
    uint64_t hash = (uint32_t)key[0];
    hash = (hash ^ (hash >> 29)) * UINT64_C(0x9E3779B97F4A7C15) + (uint32_t)key[1];
    hash = (hash ^ (hash >> 29)) * UINT64_C(0xD6E8FEB86659FD93) + (uint32_t)key[2];
    return (hash ^ (hash >> 32)) * UINT64_C(0x9E3779B97F4A7C15);
}

/* Where a face is looked for first, by its lowest vertex, so that tets near each other in the queue
 * meet in the same few kilobytes of the table. New vertices are led to blocks in their order. Old
 * ones go by small groups, each to some block: whatever part of the mesh they are, no block gets
 * many. */
static uint64_t home_of(const ew_batch *batch, int32_t lowest, uint64_t hash)
{
    enum { GROUP = 16 };
    if (lowest <= EW_NEW_VERTEX(0)) {
        const uint64_t block = (uint64_t)EW_NEW_VERTEX(lowest) >> batch->face_shift;
        return (block << NEW_BLOCK) + (hash & ((1 << NEW_BLOCK) - 1));
    }
    const uint64_t group = (uint32_t)(lowest / GROUP) * UINT64_C(0x9E3779B97F4A7C15) >> 32;
    const uint64_t block = group * (batch->n_face_place >> OLD_BLOCK) >> 32;
    return (block << OLD_BLOCK) + (hash & ((1 << OLD_BLOCK) - 1));
}

typedef struct face_search {
    int32_t key[3];
    uint64_t hash, home;
} face_search;

static inline face_search search_for(const ew_batch *batch, const int32_t tet[4], int face)
{
    face_search search;
    face_key(tet, face, search.key);
    search.hash = hash_face(search.key);
    search.home = home_of(batch, search.key[0], search.hash);
    return search;
}

/* The place of this face, or the free one where it would be. What finds none near its home goes
 * anywhere, by jumps: homes that are full may lie side by side and are not to be gone along. */
static int32_t *find_face(const ew_batch *batch, const face_search *search, int32_t *seen)
{
    enum { NEAR = 16, JUMPS = 64 };
    int32_t *place = batch->change->commit.face;
    const uint64_t n = batch->n_face_place;
    uint64_t hash = search->hash, at = search->home;
    for (int i = 0; i < NEAR; i++, at++) {
        at -= at >= n ? n : 0;
        if (is_place_of(batch, place + at, search->key, seen)) {
            return place + at;
        }
    }
    for (int i = 0; i < JUMPS; i++) {
        at = (hash >> 32) * n >> 32;
        if (is_place_of(batch, place + at, search->key, seen)) {
            return place + at;
        }
        hash = hash * UINT64_C(0xD1342543DE82EF95) + 1;
    }
    for (;; at++) {
        at -= at >= n ? n : 0;
        if (is_place_of(batch, place + at, search->key, seen)) {
            return place + at;
        }
    }
}

/* Enters the i-th added tet. */
static ew_status enter_faces(const ew_batch *batch, int32_t i, const bool taken[4])
{
    const int32_t *v = batch->edit->add_tet + 4 * (size_t)i;
    for (int f = 0; f < 4; f++) {
        const face_search search = search_for(batch, v, f);
        int32_t code = 4 * i + f, seen, *place = find_face(batch, &search, &seen);
        if (seen == 0) {
            *place = taken[f] ? -(code + 1) : code + 1;
            continue;
        }
        int32_t other = (seen < 0 ? -seen : seen) - 1;
        if (batch->edit->add_tet[4 * (size_t)(other / 4) + other % 4] == v[f]) {
            return fail_duplicate(i, -1, queued_name(other / 4));
        }
        if (seen < 0) {
            return fail_crowded(batch, i, f);
        }
        if (ew_face_side(v, f) ==
            ew_face_side(batch->edit->add_tet + 4 * (size_t)(other / 4), other % 4)) {
            return fail_overlap(batch, i, f, -1, queued_name(other / 4));
        }
        *place = -seen;
    }
    return EW_OK;
}

/* One surviving tet against the faces of the batch, without a table. */
static ew_status meet_batch(const ew_batch *batch, int32_t t)
{
    const int32_t *v = batch->mesh->tet + 4 * (size_t)t;
    for (int f = 0; f < 4; f++) {
        const face_search search = search_for(batch, v, f);
        int32_t seen, *place = find_face(batch, &search, &seen);
        if (seen == 0) {
            continue;
        }
        int32_t other = (seen < 0 ? -seen : seen) - 1;
        if (batch->edit->add_tet[4 * (size_t)(other / 4) + other % 4] == v[f]) {
            return fail_duplicate(other / 4, t, ew_tet_name(batch->mesh, t));
        }
        if (seen < 0) {
            return fail_crowded(batch, other / 4, other % 4);
        }
        if (ew_face_side(v, f) ==
            ew_face_side(batch->edit->add_tet + 4 * (size_t)(other / 4), other % 4)) {
            return fail_overlap(batch, other / 4, other % 4, t, ew_tet_name(batch->mesh, t));
        }
        *place = -seen;
    }
    return EW_OK;
}

static ew_status scan_for_neighbors(const ew_batch *batch)
{
    const ew_mesh *mesh = batch->mesh;
    const ew_set *corner = &batch->change->commit.corner;
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        const int32_t *v = mesh->tet + 4 * (size_t)t;
        int n = ew_set_has(corner, v[0]) + ew_set_has(corner, v[1]) + ew_set_has(corner, v[2]) +
                ew_set_has(corner, v[3]);
        if (n >= 3 && !ew_set_has(&batch->change->commit.gone_tet, t)) {
            EW_TRY(meet_batch(batch, t));
        }
    }
    return EW_OK;
}

/* ---- by several threads ------------------------------------------------- */

/* Enters a face while others enter theirs; false where it does not fit. Which tet came first does
 * not matter for that: a face fits unless it has more than two tets, or two on one side. */
static bool enter_face(const ew_batch *batch, const face_search *search, int32_t code, bool taken)
{
    const int32_t *v = batch->edit->add_tet + 4 * (size_t)(code / 4);
    int32_t seen, *place;
    do { /* again where another thread took the free place */
        place = find_face(batch, search, &seen);
    } while (seen == 0 && !write_place(place, 0, taken ? -(code + 1) : code + 1));
    if (seen == 0) {
        return true;
    }
    const int32_t other = seen - 1;
    return seen > 0 && !taken &&
           ew_face_side(v, code % 4) !=
               ew_face_side(batch->edit->add_tet + 4 * (size_t)(other / 4), other % 4) &&
           write_place(place, seen, -seen);
}

enum { TOGETHER = 8 };

/* The tet that a place has, which is compared with. */
EW_PREFETCHER void prefetch_tet_of(const ew_batch *batch, const int32_t *place)
{
    const int32_t at = read_place(place), code = (at < 0 ? -at : at) - 1;
    if (at) {
        EW_PREFETCH(batch->edit->add_tet + 4 * (size_t)(code / 4));
    }
}

/* A few tets, whose homes are asked for before the first is looked for, and then what is there. */
static bool fit(const ew_batch *batch, int32_t begin, int32_t end)
{
    face_search search[4 * TOGETHER];
    for (int32_t k = 0; k < 4 * (end - begin); k++) {
        search[k] = search_for(batch, batch->edit->add_tet + 4 * (size_t)(begin + k / 4), k % 4);
        EW_PREFETCH(batch->change->commit.face + search[k].home);
    }
    for (int32_t k = 0; k < 4 * (end - begin); k++) {
        prefetch_tet_of(batch, batch->change->commit.face + search[k].home);
    }
    bool good = true;
    for (int32_t i = begin; i < end && good; i++) {
        bool taken[4] = {false, false, false, false};
        good = look_around(batch, i, taken) == EW_OK;
        for (int32_t f = 0; f < 4 && good; f++) {
            good = enter_face(batch, &search[4 * (i - begin) + f], 4 * i + f, taken[f]);
        }
    }
    return good;
}

static bool all_fit(const ew_batch *batch)
{
    const int32_t n = batch->edit->n_add_tet;
    bool good = true;
#pragma omp parallel for schedule(static) num_threads(ew_threads()) reduction(&& : good)
    for (int32_t i = 0; i < n; i += TOGETHER) {
        good = good && fit(batch, i, n - i < TOGETHER ? n : i + TOGETHER);
    }
    return good;
}

/* ---- the check ---------------------------------------------------------- */

/* By all threads, for the system clears the pages of a new table first. */
static void clear_places(const ew_batch *batch)
{
    enum { PIECE = 1 << 19 };
    const int64_t n = (int64_t)batch->n_face_place;
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(n, PIECE))
    for (int64_t i = 0; i < n; i += PIECE) {
        const size_t left = (size_t)(n - i < PIECE ? n - i : PIECE);
        memset(batch->change->commit.face + i, 0, left * sizeof(int32_t));
    }
}

/* Where a tet does not fit, threads do not know which was the first: it is looked for in order. */
ew_status ew_batch_check_faces(const ew_batch *batch)
{
    enum { MIN_PARALLEL = 4096 };
    const int32_t n = batch->edit->n_add_tet;
    const bool hashed = needs_faces(batch);
    if (hashed) {
        clear_places(batch);
    }
    if (HAS_ATOMICS && batch->vertex_to_tet && n >= MIN_PARALLEL) {
        if (all_fit(batch)) {
            return EW_OK;
        }
        clear_places(batch);
    }
    for (int32_t i = 0; i < n; i++) {
        bool taken[4] = {false, false, false, false};
        if (batch->vertex_to_tet) {
            EW_TRY(look_around(batch, i, taken));
        }
        if (hashed) {
            EW_TRY(enter_faces(batch, i, taken));
        }
    }
    return n && !batch->vertex_to_tet ? scan_for_neighbors(batch) : EW_OK;
}
