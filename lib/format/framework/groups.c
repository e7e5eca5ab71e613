/* Named groups: parts of a mesh by labels and ids, so that edits and renumbering leave them as they
 * are. In: names as files have them. Out: groups by kind and name. */
#include "format/parts/format.h"

#include <stdlib.h>
#include <string.h>

static const char *const kind_name[] = {"vertices", "faces", "tets"};

const char *ew_group_kind_name(ew_group_kind kind)
{
    return kind_name[kind];
}

/* ---- names ------------------------------------------------------------------------ */

/* Bytes of the character that begins here, 0: none of UTF-8 (RFC 3629, without its bounds on
 * surrogates). */
static size_t character(const unsigned char *at)
{
    const size_t n = *at < 0x80                   ? 1
                     : *at >= 0xc2 && *at <= 0xdf ? 2
                     : (*at & 0xf0) == 0xe0       ? 3
                     : *at >= 0xf0 && *at <= 0xf4 ? 4
                                                  : 0;
    for (size_t i = 1; i < n; i++) {
        if ((at[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    return n;
}

void ew_group_clean_name(const char *name, char clean[EW_GROUP_NAME])
{
    const unsigned char *at = (const unsigned char *)name;
    size_t n = 0;
    while (*at && *at <= ' ') {
        at++;
    }
    while (*at) {
        const size_t length = character(at);
        if (n + (length ? length : 1) >= EW_GROUP_NAME) {
            break;
        }
        if (length > 1) {
            memcpy(clean + n, at, length);
        } else {
            const bool blank = *at >= '\t' && *at <= '\r';
            const bool control = *at < ' ' || *at == 127;
            clean[n] = length == 0 ? '?' : blank ? ' ' : control ? '_' : (char)*at;
        }
        n += length ? length : 1;
        at += length ? length : 1;
    }
    while (n && clean[n - 1] == ' ') {
        n--;
    }
    clean[n] = 0;
}

/* The place of a name in the table: two numbers, the next two where they are those of another. */
static void hash_name(const char *name, uint32_t attempt, int32_t key[2])
{
    const uint64_t hash = ew_hash(EW_HASH_START + attempt, name, strlen(name));
    key[0] = (int32_t)(hash >> 33);
    key[1] = (int32_t)(hash & INT32_MAX);
}

static int32_t find(const ew_groups *groups, ew_group_kind kind, const char *name)
{
    for (uint32_t attempt = 0;; attempt++) {
        int32_t key[2];
        hash_name(name, attempt, key);
        const int32_t at = ew_map_find(&groups->place, (int32_t)kind, key[0], key[1]);
        if (at < 0 || !strcmp(groups->group[at].name, name)) {
            return at;
        }
    }
}

const ew_group *ew_groups_find(const ew_groups *groups, ew_group_kind kind, const char *name)
{
    const int32_t at = groups->n ? find(groups, kind, name) : -1;
    return at < 0 ? NULL : &groups->group[at];
}

ew_selector ew_group_selector(const ew_group *group)
{
    return (ew_selector){.kind = group->kind == EW_GROUP_FACES ? EW_SELECT_SURFACE
                                 : group->is_label             ? EW_SELECT_REGION
                                                               : EW_SELECT_IDS,
                         .label = group->label,
                         .n_id = group->n_id,
                         .id = group->id};
}

const char *ew_groups_label_name(const ew_groups *groups, ew_group_kind kind, int32_t label)
{
    for (int32_t i = 0; i < groups->n; i++) {
        const ew_group *group = &groups->group[i];
        if (group->kind == kind && group->is_label && group->label == label) {
            return group->name;
        }
    }
    return NULL;
}

/* ---- adding ------------------------------------------------------------------------ */

static ew_status enter(ew_groups *groups, ew_group_kind kind, const char *name, int32_t value)
{
    for (uint32_t attempt = 0;; attempt++) {
        int32_t key[2], old;
        hash_name(name, attempt, key);
        EW_TRY(ew_map_enter(&groups->place, (int32_t)kind, key[0], key[1], value, &old));
        if (old < 0) {
            return EW_OK;
        }
    }
}

static ew_status add(ew_groups *groups, ew_group_kind kind, const char *name, ew_group **group)
{
    char clean[EW_GROUP_NAME];
    ew_group_clean_name(name, clean);
    if (!*clean) {
        return ew_fail(EW_BAD_INPUT, "a group of %s has an empty name", kind_name[kind]);
    }
    if (groups->n && find(groups, kind, clean) >= 0) {
        return ew_fail(EW_BAD_INPUT, "two groups of %s have the name '%.60s'", kind_name[kind],
                       clean);
    }
    EW_TRY(
        ew_grow(&groups->group, &groups->capacity, (int64_t)groups->n + 1, sizeof *groups->group));
    ew_group *made = &groups->group[groups->n];
    *made = (ew_group){.kind = kind};
    EW_TRY(ew_new(&made->name, strlen(clean) + 1, 1));
    strcpy(made->name, clean);
    const ew_status status = enter(groups, kind, clean, groups->n);
    if (status) {
        ew_release(made->name);
        return status;
    }
    groups->n++;
    *group = made;
    return EW_OK;
}

ew_status ew_groups_name_label(ew_groups *groups, ew_group_kind kind, int32_t label,
                               const char *name)
{
    ew_group *group;
    EW_ASSERT(kind != EW_GROUP_VERTICES);
    EW_TRY(add(groups, kind, name, &group));
    group->is_label = true;
    group->label = label;
    return EW_OK;
}

ew_status ew_groups_add_list(ew_groups *groups, ew_group_kind kind, const char *name,
                             ew_group **group)
{
    EW_ASSERT(kind != EW_GROUP_FACES);
    return add(groups, kind, name, group);
}

ew_status ew_group_push(ew_group *group, int64_t id)
{
    EW_TRY(ew_grow(&group->id, &group->id_capacity, (int64_t)group->n_id + 1, sizeof *group->id));
    group->id[group->n_id++] = id;
    return EW_OK;
}

static bool has_label(const ew_groups *groups, const ew_mesh *mesh, ew_group_kind kind,
                      int32_t label)
{
    const int32_t *list = kind == EW_GROUP_FACES ? mesh->face_label : mesh->region_label;
    const int32_t n = kind == EW_GROUP_FACES ? mesh->n_face : mesh->n_region;
    bool found = false;
    for (int32_t i = 0; i < n && !found; i++) {
        found = list[i] == label;
    }
    return found || ew_groups_label_name(groups, kind, label);
}

int32_t ew_groups_free_label(const ew_groups *groups, const ew_mesh *mesh, ew_group_kind kind)
{
    int32_t label = 0;
    const int32_t *list = kind == EW_GROUP_FACES ? mesh->face_label : mesh->region_label;
    const int32_t n = kind == EW_GROUP_FACES ? mesh->n_face : mesh->n_region;
    for (int32_t i = 0; i < n; i++) {
        label = list[i] > label ? list[i] : label;
    }
    for (int32_t i = 0; i < groups->n; i++) {
        const ew_group *group = &groups->group[i];
        const bool counts = group->kind == kind && group->is_label && group->label > label;
        label = counts ? group->label : label;
    }
    if (label < INT32_MAX) {
        return label + 1;
    }
    for (label = 1; has_label(groups, mesh, kind, label); label++) {
    }
    return label;
}

/* ---- once a mesh is there -------------------------------------------------------------- */

static int by_id(const void *a, const void *b)
{
    const int64_t first = *(const int64_t *)a, second = *(const int64_t *)b;
    return (first > second) - (first < second);
}

static void sort_ids(ew_group *group, const uint64_t *has, int64_t end)
{
    int32_t n = 0;
    if (group->n_id) {
        qsort(group->id, (size_t)group->n_id, sizeof *group->id, by_id);
    }
    for (int32_t i = 0; i < group->n_id; i++) {
        const int64_t id = group->id[i];
        const bool twice = n && group->id[n - 1] == id;
        if (!twice && id >= 0 && id < end && has[id / 64] >> (id % 64) & 1u) {
            group->id[n++] = id;
        }
    }
    group->n_id = n;
}

/* Bits of the ids of active vertices, or of live tets. */
static ew_status mark_ids(const ew_mesh *mesh, bool of_tets, uint64_t **bit, int64_t *end)
{
    *end = of_tets ? mesh->next_tet_id : mesh->next_vertex_id;
    EW_TRY(ew_new_zero(bit, (size_t)(*end / 64 + 1), sizeof **bit));
    const int32_t n = of_tets ? mesh->n_tet : mesh->n_vertex;
    for (int32_t i = 0; i < n; i++) {
        if (of_tets ? ew_mesh_tet_is_live(mesh, i) : ew_mesh_vertex_is_active(mesh, i)) {
            const int64_t id = of_tets ? mesh->tet_id[i] : mesh->vertex_id[i];
            (*bit)[id / 64] |= UINT64_C(1) << (id % 64);
        }
    }
    return EW_OK;
}

ew_status ew_groups_finish(ew_groups *groups, const ew_mesh *mesh)
{
    for (int of_tets = 0; of_tets < 2; of_tets++) {
        const ew_group_kind kind = of_tets ? EW_GROUP_TETS : EW_GROUP_VERTICES;
        uint64_t *bit = NULL;
        int64_t end;
        EW_TRY(mark_ids(mesh, of_tets, &bit, &end));
        for (int32_t i = 0; i < groups->n; i++) {
            if (groups->group[i].kind == kind && !groups->group[i].is_label) {
                sort_ids(&groups->group[i], bit, end);
            }
        }
        ew_release(bit);
    }
    return EW_OK;
}

ew_status ew_groups_copy(ew_groups *copy, const ew_groups *groups)
{
    ew_groups made = {0};
    ew_status status = EW_OK;
    for (int32_t i = 0; i < groups->n && !status; i++) {
        const ew_group *from = &groups->group[i];
        ew_group *to;
        status = add(&made, from->kind, from->name, &to);
        if (!status) {
            to->is_label = from->is_label;
            to->label = from->label;
            status = ew_grow(&to->id, &to->id_capacity, from->n_id, sizeof *to->id);
        }
        if (!status && from->n_id) {
            memcpy(to->id, from->id, (size_t)from->n_id * sizeof *to->id);
            to->n_id = from->n_id;
        }
    }
    if (status) {
        ew_groups_free(&made);
        return status;
    }
    *copy = made;
    return EW_OK;
}

void ew_groups_free(ew_groups *groups)
{
    for (int32_t i = 0; i < groups->n; i++) {
        ew_release(groups->group[i].name);
        ew_release(groups->group[i].id);
    }
    ew_release(groups->group);
    ew_map_free(&groups->place);
    ew_geometry_list_free(&groups->geometry);
    memset(groups, 0, sizeof *groups);
}
