/* Records: lists that grow, lists of several messages as one, and their form as bytes, in words of
 * 64 bits: a mark, next ids, five counts, then the lists. */
#include "subdomain/internal.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER = 8, VERTEX = 9, TET = 8, FACE = 4 }; /* words */
static const int64_t MARK = INT64_C(0x4544474557495345);

/* ---- lists ---------------------------------------------------------------- */

ew_status ew_records_push_vertex(ew_records *records, const ew_vertex_record *vertex)
{
    EW_TRY(ew_grow(&records->vertex, &records->vertex_capacity, (int64_t)records->n_vertex + 1,
                   sizeof *records->vertex));
    records->vertex[records->n_vertex++] = *vertex;
    return EW_OK;
}

ew_status ew_records_push_tet(ew_records *records, const ew_tet_record *tet)
{
    EW_TRY(ew_grow(&records->tet, &records->tet_capacity, (int64_t)records->n_tet + 1,
                   sizeof *records->tet));
    records->tet[records->n_tet++] = *tet;
    return EW_OK;
}

ew_status ew_records_push_face(ew_records *records, const ew_face_record *face)
{
    EW_TRY(ew_grow(&records->face, &records->face_capacity, (int64_t)records->n_face + 1,
                   sizeof *records->face));
    records->face[records->n_face++] = *face;
    return EW_OK;
}

ew_status ew_records_push_gone_tet(ew_records *records, int64_t id)
{
    EW_TRY(ew_grow(&records->gone_tet, &records->gone_tet_capacity,
                   (int64_t)records->n_gone_tet + 1, sizeof id));
    records->gone_tet[records->n_gone_tet++] = id;
    return EW_OK;
}

ew_status ew_records_push_gone_vertex(ew_records *records, int64_t id)
{
    EW_TRY(ew_grow(&records->gone_vertex, &records->gone_vertex_capacity,
                   (int64_t)records->n_gone_vertex + 1, sizeof id));
    records->gone_vertex[records->n_gone_vertex++] = id;
    return EW_OK;
}

void ew_records_clear(ew_records *records)
{
    records->next_vertex_id = records->next_tet_id = 0;
    records->n_vertex = records->n_tet = records->n_face = 0;
    records->n_gone_tet = records->n_gone_vertex = 0;
}

void ew_records_free(ew_records *records)
{
    ew_release(records->vertex);
    ew_release(records->tet);
    ew_release(records->face);
    ew_release(records->gone_tet);
    ew_release(records->gone_vertex);
    memset(records, 0, sizeof *records);
}

/* ---- several as one --------------------------------------------------------- */

static ew_status append(ew_records *all, const ew_records *more)
{
    if (more->next_vertex_id > all->next_vertex_id) {
        all->next_vertex_id = more->next_vertex_id;
    }
    if (more->next_tet_id > all->next_tet_id) {
        all->next_tet_id = more->next_tet_id;
    }
    for (int32_t i = 0; i < more->n_vertex; i++) {
        EW_TRY(ew_records_push_vertex(all, &more->vertex[i]));
    }
    for (int32_t i = 0; i < more->n_tet; i++) {
        EW_TRY(ew_records_push_tet(all, &more->tet[i]));
    }
    for (int32_t i = 0; i < more->n_face; i++) {
        EW_TRY(ew_records_push_face(all, &more->face[i]));
    }
    for (int32_t i = 0; i < more->n_gone_tet; i++) {
        EW_TRY(ew_records_push_gone_tet(all, more->gone_tet[i]));
    }
    for (int32_t i = 0; i < more->n_gone_vertex; i++) {
        EW_TRY(ew_records_push_gone_vertex(all, more->gone_vertex[i]));
    }
    return EW_OK;
}

static int order_of(int64_t x, int64_t y)
{
    return (x > y) - (x < y);
}

static int compare_vertices(const void *left, const void *right)
{
    const ew_vertex_record *x = left, *y = right;
    return order_of(x->number, y->number);
}

static int compare_tets(const void *left, const void *right)
{
    const ew_tet_record *x = left, *y = right;
    return order_of(x->number, y->number);
}

static int compare_faces(const void *left, const void *right)
{
    const ew_face_record *x = left, *y = right;
    for (int i = 0; i < 3; i++) {
        if (x->corner[i] != y->corner[i]) {
            return order_of(x->corner[i], y->corner[i]);
        }
    }
    return order_of(x->label, y->label);
}

static int compare_ids(const void *left, const void *right)
{
    return order_of(*(const int64_t *)left, *(const int64_t *)right);
}

/* Sorts unless they are, and keeps one of those that compare equal. */
static void sort_unique(void *list, int32_t *n, size_t size,
                        int (*compare)(const void *, const void *))
{
    char *item = list;
    int32_t kept = *n > 0;
    bool ascends = true;
    for (int32_t i = 1; i < *n && ascends; i++) {
        ascends = compare(item + size * (size_t)(i - 1), item + size * (size_t)i) < 0;
    }
    if (ascends) {
        return;
    }
    qsort(list, (size_t)*n, size, compare);
    for (int32_t i = 1; i < *n; i++) {
        char *last = item + size * (size_t)(kept - 1), *next = item + size * (size_t)i;
        if (compare(last, next)) {
            memmove(last + size, next, size);
            kept++;
        }
    }
    *n = kept;
}

/* Numbers that two ids share: messages of parts that do not belong together. */
static ew_status check_alike(const ew_records *all, ew_map *map)
{
    ew_map_clear(map);
    for (int32_t i = 0; i < all->n_vertex; i++) {
        if (ew_find_id(map, all->vertex[i].id) >= 0) {
            return ew_fail(EW_BAD_INPUT, "records: vertex id %lld has two numbers",
                           (long long)all->vertex[i].id);
        }
        EW_TRY(ew_enter_id(map, all->vertex[i].id, i));
    }
    ew_map_clear(map);
    for (int32_t i = 0; i < all->n_tet; i++) {
        if (ew_find_id(map, all->tet[i].id) >= 0) {
            return ew_fail(EW_BAD_INPUT, "records: tet id %lld has two numbers",
                           (long long)all->tet[i].id);
        }
        EW_TRY(ew_enter_id(map, all->tet[i].id, i));
    }
    return EW_OK;
}

ew_status ew_records_merge(ew_records *all, int32_t n, const ew_records *records)
{
    ew_map map = {0};
    ew_records_clear(all);
    for (int32_t i = 0; i < n; i++) {
        EW_TRY(append(all, &records[i]));
    }
    sort_unique(all->vertex, &all->n_vertex, sizeof *all->vertex, compare_vertices);
    sort_unique(all->tet, &all->n_tet, sizeof *all->tet, compare_tets);
    sort_unique(all->face, &all->n_face, sizeof *all->face, compare_faces);
    sort_unique(all->gone_tet, &all->n_gone_tet, sizeof(int64_t), compare_ids);
    sort_unique(all->gone_vertex, &all->n_gone_vertex, sizeof(int64_t), compare_ids);
    const ew_status status = check_alike(all, &map);
    ew_map_free(&map);
    return status;
}

/* ---- bytes ------------------------------------------------------------------- */

/* Words on their way into a message or out of it. */
typedef struct cursor {
    char *at;
} cursor;

static void put(cursor *to, int64_t word)
{
    memcpy(to->at, &word, sizeof word);
    to->at += sizeof word;
}

static void put_number(cursor *to, double number)
{
    memcpy(to->at, &number, sizeof number);
    to->at += sizeof number;
}

static int64_t get(cursor *from)
{
    int64_t word;
    memcpy(&word, from->at, sizeof word);
    from->at += sizeof word;
    return word;
}

static double get_number(cursor *from)
{
    double number;
    memcpy(&number, from->at, sizeof number);
    from->at += sizeof number;
    return number;
}

static void put_vertex(cursor *to, const ew_vertex_record *vertex)
{
    put(to, vertex->id);
    put(to, vertex->number);
    for (int c = 0; c < 3; c++) {
        put_number(to, vertex->xyz[c]);
    }
    put_number(to, vertex->fraction);
    put(to, vertex->parent[0]);
    put(to, vertex->parent[1]);
    put(to, vertex->atom);
}

static ew_vertex_record get_vertex(cursor *from)
{
    ew_vertex_record vertex = {.id = get(from)};
    vertex.number = get(from);
    for (int c = 0; c < 3; c++) {
        vertex.xyz[c] = get_number(from);
    }
    vertex.fraction = get_number(from);
    vertex.parent[0] = get(from);
    vertex.parent[1] = get(from);
    const int64_t atom = get(from);
    vertex.atom = atom >= 0 && atom <= INT32_MAX ? (int32_t)atom : -1;
    return vertex;
}

static void put_tet(cursor *to, const ew_tet_record *tet)
{
    put(to, tet->id);
    put(to, tet->number);
    for (int k = 0; k < 4; k++) {
        put(to, tet->corner[k]);
    }
    put(to, tet->from);
    put(to, (int64_t)tet->region * (INT64_C(1) << 32) + (uint32_t)tet->born);
}

static ew_tet_record get_tet(cursor *from)
{
    ew_tet_record tet = {.id = get(from)};
    tet.number = get(from);
    for (int k = 0; k < 4; k++) {
        tet.corner[k] = get(from);
    }
    tet.from = get(from);
    const int64_t two = get(from);
    tet.region = (int32_t)(two >> 32);
    tet.born = (int32_t)(uint32_t)(two & 0xffffffff);
    return tet;
}

static void put_face(cursor *to, const ew_face_record *face)
{
    for (int k = 0; k < 3; k++) {
        put(to, face->corner[k]);
    }
    put(to, face->label);
}

static ew_face_record get_face(cursor *from)
{
    ew_face_record face;
    for (int k = 0; k < 3; k++) {
        face.corner[k] = get(from);
    }
    face.label = (int32_t)get(from);
    return face;
}

static size_t words_of(const int64_t count[5])
{
    return HEADER + VERTEX * (size_t)count[0] + TET * (size_t)count[1] + FACE * (size_t)count[2] +
           (size_t)count[3] + (size_t)count[4];
}

ew_status ew_records_pack(const ew_records *records, size_t *bytes, void **message)
{
    const int64_t count[5] = {records->n_vertex, records->n_tet, records->n_face,
                              records->n_gone_tet, records->n_gone_vertex};
    int64_t *word;
    EW_TRY(ew_new(&word, words_of(count), sizeof *word));
    cursor to = {(char *)word};
    put(&to, MARK);
    put(&to, records->next_vertex_id);
    put(&to, records->next_tet_id);
    for (int i = 0; i < 5; i++) {
        put(&to, count[i]);
    }
    for (int32_t i = 0; i < records->n_vertex; i++) {
        put_vertex(&to, &records->vertex[i]);
    }
    for (int32_t i = 0; i < records->n_tet; i++) {
        put_tet(&to, &records->tet[i]);
    }
    for (int32_t i = 0; i < records->n_face; i++) {
        put_face(&to, &records->face[i]);
    }
    for (int32_t i = 0; i < records->n_gone_tet; i++) {
        put(&to, records->gone_tet[i]);
    }
    for (int32_t i = 0; i < records->n_gone_vertex; i++) {
        put(&to, records->gone_vertex[i]);
    }
    *bytes = words_of(count) * sizeof *word;
    *message = word;
    return EW_OK;
}

static ew_status check_header(size_t bytes, const void *message, int64_t head[HEADER])
{
    cursor from = {(char *)message};
    bool fits = bytes >= HEADER * sizeof(int64_t) && bytes % sizeof(int64_t) == 0;
    for (int i = 0; fits && i < HEADER; i++) {
        head[i] = get(&from);
        fits = i == 0 ? head[0] == MARK : head[i] >= 0 && (i < 3 || head[i] <= INT32_MAX);
    }
    if (!fits || words_of(head + 3) * sizeof(int64_t) != bytes) {
        return ew_fail(EW_BAD_INPUT, "records: %zu bytes are no message of this program", bytes);
    }
    return EW_OK;
}

static bool is_id(int64_t id, int64_t next)
{
    return id >= 0 && id < next;
}

static ew_status check_records(const ew_records *records)
{
    const int64_t next = records->next_vertex_id, next_tet = records->next_tet_id;
    for (int32_t i = 0; i < records->n_vertex; i++) {
        const ew_vertex_record *v = &records->vertex[i];
        if (!is_id(v->id, next) || v->number < 0 || v->atom < 0 || v->parent[0] >= next ||
            v->parent[1] >= next) {
            return ew_fail(EW_BAD_INPUT,
                           "records: vertex id %lld, number %lld, atom %d: ids are 0 to %lld, the "
                           "others not negative",
                           (long long)v->id, (long long)v->number, v->atom, (long long)next - 1);
        }
    }
    for (int32_t i = 0; i < records->n_tet; i++) {
        const ew_tet_record *t = &records->tet[i];
        bool good = is_id(t->id, next_tet) && t->number >= 0 && t->from < next_tet;
        for (int k = 0; k < 4; k++) {
            good = good && is_id(t->corner[k], next);
        }
        if (!good) {
            return ew_fail(EW_BAD_INPUT,
                           "records: tet id %lld, corners %lld %lld %lld %lld: ids are 0 to %lld, "
                           "of vertices to %lld",
                           (long long)t->id, (long long)t->corner[0], (long long)t->corner[1],
                           (long long)t->corner[2], (long long)t->corner[3],
                           (long long)next_tet - 1, (long long)next - 1);
        }
    }
    return EW_OK;
}

static ew_status read_lists(ew_records *records, const int64_t count[5], cursor *from)
{
    EW_TRY(ew_grow(&records->vertex, &records->vertex_capacity, count[0], sizeof *records->vertex));
    EW_TRY(ew_grow(&records->tet, &records->tet_capacity, count[1], sizeof *records->tet));
    EW_TRY(ew_grow(&records->face, &records->face_capacity, count[2], sizeof *records->face));
    EW_TRY(ew_grow(&records->gone_tet, &records->gone_tet_capacity, count[3], sizeof(int64_t)));
    EW_TRY(
        ew_grow(&records->gone_vertex, &records->gone_vertex_capacity, count[4], sizeof(int64_t)));
    while (records->n_vertex < count[0]) {
        records->vertex[records->n_vertex++] = get_vertex(from);
    }
    while (records->n_tet < count[1]) {
        records->tet[records->n_tet++] = get_tet(from);
    }
    while (records->n_face < count[2]) {
        records->face[records->n_face++] = get_face(from);
    }
    while (records->n_gone_tet < count[3]) {
        records->gone_tet[records->n_gone_tet++] = get(from);
    }
    while (records->n_gone_vertex < count[4]) {
        records->gone_vertex[records->n_gone_vertex++] = get(from);
    }
    return EW_OK;
}

ew_status ew_records_unpack(ew_records *records, size_t bytes, const void *message)
{
    int64_t head[HEADER];
    EW_TRY(check_header(bytes, message, head));
    ew_records_clear(records);
    records->next_vertex_id = head[1];
    records->next_tet_id = head[2];
    cursor from = {(char *)message + HEADER * sizeof(int64_t)};
    ew_status status = read_lists(records, head + 3, &from);
    status = status ? status : check_records(records);
    if (status) {
        ew_records_clear(records);
    }
    return status;
}
