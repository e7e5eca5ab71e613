/* Gmsh .msh 4.1 written as text, with the names of its parts. In: a mesh and groups. Out: bytes.
 * Every region, or where lists of tets overlap regions every combination of them, is a volume
 * entity with its physical groups; every label a surface; every vertex of a group a point. Elements
 * stand in the order of the mesh, a block for each run of one entity. */
#include "format/framework/print.h"
#include "format/gmsh/gmsh.h"

#include <stdio.h>
#include <string.h>

enum { POINT = 15, TRIANGLE = 2, TET = 4, TRIANGLE_6 = 9, TET_10 = 11 };

/* Tets or vertices with the same groups. */
typedef struct entities {
    int32_t n, capacity;
    int32_t (*from)[2]; /* owned: [n] the entity without its last group, -1: none; that group's
                           number, 0: none */
} entities;

typedef struct writing {
    const ew_mesh *mesh;
    const ew_groups *groups;
    ew_plan plan;
    ew_middles middles;
    int32_t *number; /* [groups->n] owned: physical groups */
    entities point, volume;
    int32_t *point_of, *volume_of; /* [plan.n_vertex], [plan.n_tet] owned: entity, -1: none */
    ew_list label;                 /* of triangles, ascending */
    double low[3], high[3];
    ew_text text;
    size_t capacity;
} writing;

/* ---- entities ---------------------------------------------------------------------------- */

static ew_status add_entity(entities *list, int32_t from, int32_t group)
{
    EW_TRY(ew_grow(&list->from, &list->capacity, (int64_t)list->n + 1, sizeof *list->from));
    list->from[list->n][0] = from;
    list->from[list->n++][1] = group;
    return EW_OK;
}

/* Members of one entity form a new entity. */
static ew_status split(const writing *w, const ew_group *group, int32_t number, entities *list,
                       int32_t *of)
{
    ew_list member = {0};
    ew_map map = {0};
    ew_status status = ew_plan_members(w->mesh, &w->plan, group, &member);
    for (int32_t i = 0; i < member.n && !status; i++) {
        int32_t *entity = &of[member.id[i] - 1], old;
        status = ew_map_enter(&map, *entity, -1, -1, list->n, &old);
        if (!status && old < 0) {
            old = list->n;
            status = add_entity(list, *entity, number);
        }
        *entity = status ? *entity : old;
    }
    ew_map_free(&map);
    ew_list_free(&member);
    return status;
}

static ew_status find_volumes(writing *w)
{
    const ew_mesh *mesh = w->mesh;
    for (int32_t r = 0; r < mesh->n_region; r++) {
        EW_TRY(add_entity(&w->volume, -1, mesh->region_label[r]));
    }
    for (int32_t i = 0; i < w->plan.n_tet; i++) {
        w->volume_of[i] = mesh->region[w->plan.tet[i]];
    }
    return EW_OK;
}

/* Numbers of lists begin behind those of labels. */
static ew_status find_entities(writing *w)
{
    int32_t next[2] = {1, ew_groups_free_label(w->groups, w->mesh, EW_GROUP_TETS)};
    for (int32_t i = 0; i < w->plan.n_vertex; i++) {
        w->point_of[i] = -1;
    }
    EW_TRY(find_volumes(w));
    for (int32_t g = 0; g < w->groups->n; g++) {
        const ew_group *group = &w->groups->group[g];
        const bool tets = group->kind == EW_GROUP_TETS;
        w->number[g] = group->is_label ? group->label : next[tets]++;
        if (!group->is_label) {
            EW_TRY(split(w, group, w->number[g], tets ? &w->volume : &w->point,
                         tets ? w->volume_of : w->point_of));
        }
    }
    return EW_OK;
}

static ew_status find_labels(writing *w)
{
    const ew_mesh *mesh = w->mesh;
    for (int32_t f = 0; f < mesh->n_face; f++) {
        EW_TRY(w->plan.live[f] ? ew_list_push(&w->label, mesh->face_label[f]) : EW_OK);
    }
    ew_list_sort_unique(&w->label);
    for (int32_t i = 0; i < w->label.n + mesh->n_region; i++) {
        const int32_t label = i < w->label.n ? w->label.id[i] : mesh->region_label[i - w->label.n];
        if (label < 0) {
            return ew_fail(EW_BAD_INPUT, "label %d; Gmsh's numbers of groups are not negative",
                           label);
        }
    }
    return EW_OK;
}

/* ---- sections ------------------------------------------------------------------------------- */

static ew_status write_numbers(writing *w, const int32_t *value, int n)
{
    EW_TRY(ew_text_room(&w->text, &w->capacity, (size_t)n * EW_MAX_INT));
    ew_put_ints(&w->text, value, n, '\n');
    return EW_OK;
}

static ew_status put_words(writing *w, const char *words)
{
    EW_TRY(ew_text_room(&w->text, &w->capacity, strlen(words)));
    ew_put_text(&w->text, words);
    return EW_OK;
}

static ew_status put_names(writing *w)
{
    char line[EW_GROUP_NAME + 40];
    if (!w->groups->n) {
        return EW_OK;
    }
    snprintf(line, sizeof line, "$PhysicalNames\n%d\n", w->groups->n);
    EW_TRY(put_words(w, line));
    for (int32_t g = 0; g < w->groups->n; g++) {
        const ew_group *group = &w->groups->group[g];
        const int dimension = group->kind == EW_GROUP_VERTICES ? 0 : group->kind + 1;
        const int n =
            snprintf(line, sizeof line, "%d %d \"%s\"\n", dimension, w->number[g], group->name);
        for (char *at = strchr(line, '"') + 1; at < line + n - 2; at++) {
            *at = *at == '"' ? '\'' : *at; /* a quote would end the name */
        }
        EW_TRY(put_words(w, line));
    }
    return put_words(w, "$EndPhysicalNames\n");
}

/* The numbers of an entity's groups behind their count; the region's first, also where it is 0 and
 * others follow. */
static ew_status put_groups(writing *w, const entities *list, int32_t entity)
{
    int32_t n = 0, root = entity;
    for (; list->from[root][0] >= 0; root = list->from[root][0]) {
        n++;
    }
    n += n || list->from[root][1] > 0;
    if (n > EW_GMSH_MAX_GROUPS) {
        return ew_fail(EW_LIMIT, "a vertex or tet in more than %d groups", EW_GMSH_MAX_GROUPS);
    }
    EW_TRY(ew_text_room(&w->text, &w->capacity, ((size_t)n + 2) * EW_MAX_INT));
    ew_put_text(&w->text, " ");
    ew_put_ints(&w->text, &n, 1, ' ');
    if (n) {
        ew_put_ints(&w->text, &list->from[root][1], 1, ' ');
    }
    for (int32_t at = entity; at != root; at = list->from[at][0]) {
        ew_put_ints(&w->text, &list->from[at][1], 1, ' ');
    }
    return EW_OK;
}

static ew_status put_box(writing *w, int32_t tag)
{
    EW_TRY(ew_text_room(&w->text, &w->capacity, 6 * EW_MAX_DOUBLE + EW_MAX_INT));
    ew_put_int(&w->text, tag);
    ew_put_point(&w->text, w->low);
    ew_put_point(&w->text, w->high);
    return EW_OK;
}

static int32_t count_points(const writing *w)
{
    int32_t n = 0;
    for (int32_t i = 0; i < w->plan.n_vertex; i++) {
        n += w->point_of[i] >= 0;
    }
    return n;
}

/* A point's entity is its vertex' number. */
static ew_status put_entities(writing *w)
{
    const int32_t counts[4] = {count_points(w), 0, w->label.n, w->volume.n};
    EW_TRY(put_words(w, "$Entities\n"));
    EW_TRY(write_numbers(w, counts, 4));
    for (int32_t i = 0; i < w->plan.n_vertex; i++) {
        if (w->point_of[i] < 0) {
            continue;
        }
        EW_TRY(ew_text_room(&w->text, &w->capacity, 3 * EW_MAX_DOUBLE + EW_MAX_INT));
        ew_put_int(&w->text, i + 1);
        ew_put_point(&w->text, w->mesh->xyz + 3 * (size_t)w->plan.vertex[i]);
        EW_TRY(put_groups(w, &w->point, w->point_of[i]));
        EW_TRY(put_words(w, "\n"));
    }
    for (int32_t i = 0; i < w->label.n; i++) {
        char end[48];
        EW_TRY(put_box(w, i + 1));
        snprintf(end, sizeof end, w->label.id[i] ? " 1 %d 0\n" : " 0 0\n", w->label.id[i]);
        EW_TRY(put_words(w, end));
    }
    for (int32_t i = 0; i < w->volume.n; i++) {
        EW_TRY(put_box(w, i + 1));
        EW_TRY(put_groups(w, &w->volume, i));
        EW_TRY(put_words(w, "0\n"));
    }
    return put_words(w, "$EndEntities\n");
}

static ew_status put_nodes(writing *w)
{
    const int32_t n = w->plan.n_vertex + w->middles.n;
    const int32_t head[8] = {1, n, 1, n, 3, 1, 0, n};
    EW_TRY(put_words(w, "$Nodes\n"));
    EW_TRY(write_numbers(w, head, 4));
    EW_TRY(write_numbers(w, head + 4, 4));
    EW_TRY(ew_text_room(&w->text, &w->capacity, (size_t)n * (EW_MAX_INT + 3 * EW_MAX_DOUBLE + 2)));
    for (int32_t i = 1; i <= n; i++) {
        ew_put_ints(&w->text, &i, 1, '\n');
    }
    for (int32_t i = 0; i < n; i++) {
        const int32_t middle = i - w->plan.n_vertex;
        ew_put_point(&w->text, middle < 0 ? w->mesh->xyz + 3 * (size_t)w->plan.vertex[i]
                                          : w->middles.xyz + 3 * (size_t)middle);
        ew_put_text(&w->text, "\n");
    }
    return put_words(w, "$EndNodes\n");
}

/* ---- elements ---------------------------------------------------------------------------------
 */

/* How many blocks runs of one entity make; index: in the order of the file. */
static int32_t face_entity(const writing *w, int32_t f)
{
    int32_t low = 0, high = w->label.n - 1;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (w->label.id[middle] < w->mesh->face_label[f]) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static int32_t next_face(const writing *w, int32_t f)
{
    while (f < w->mesh->n_face && !w->plan.live[f]) {
        f++;
    }
    return f;
}

static ew_status put_block(writing *w, int dimension, int32_t entity, int type, int32_t n)
{
    const int32_t head[4] = {dimension, entity, type, n};
    return write_numbers(w, head, 4);
}

/* Elements of one run, from *number on; vertices, then middles in Gmsh's order. */
static void put_element(writing *w, int32_t *number, const int32_t *slot, int n)
{
    static const int8_t side[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {2, 3}, {1, 3}};
    int32_t entry[11] = {(*number)++};
    int count = 1;
    for (int k = 0; k < n; k++) {
        entry[count++] = w->plan.number[slot[k]];
    }
    for (int k = 0; k < (n == 4 ? 6 : 3) && w->mesh->has_middles && n > 1; k++) {
        entry[count++] =
            ew_middle_number(&w->middles, &w->plan, slot[side[k][0]], slot[side[k][1]]);
    }
    ew_put_ints(&w->text, entry, count, '\n');
}

static ew_status put_triangles(writing *w, int32_t *number, int32_t *n_block, bool count)
{
    const int type = w->mesh->has_middles ? TRIANGLE_6 : TRIANGLE;
    for (int32_t f = next_face(w, 0); f < w->mesh->n_face;) {
        int32_t end = f, n = 0;
        for (; end < w->mesh->n_face && w->mesh->face_label[end] == w->mesh->face_label[f];
             end = next_face(w, end + 1)) {
            n++;
        }
        ++*n_block;
        if (!count) {
            EW_TRY(put_block(w, 2, face_entity(w, f) + 1, type, n));
            EW_TRY(ew_text_room(&w->text, &w->capacity, (size_t)n * 8 * EW_MAX_INT));
        }
        for (; f < end; f = next_face(w, f + 1)) {
            if (!count) {
                put_element(w, number, w->mesh->face + 3 * (size_t)f, 3);
            }
        }
        f = end;
    }
    return EW_OK;
}

static ew_status put_tets(writing *w, int32_t *number, int32_t *n_block, bool count)
{
    const int type = w->mesh->has_middles ? TET_10 : TET;
    for (int32_t i = 0, end; i < w->plan.n_tet; i = end) {
        for (end = i; end < w->plan.n_tet && w->volume_of[end] == w->volume_of[i]; end++) {
        }
        ++*n_block;
        if (count) {
            continue;
        }
        EW_TRY(put_block(w, 3, w->volume_of[i] + 1, type, end - i));
        EW_TRY(ew_text_room(&w->text, &w->capacity, (size_t)(end - i) * 12 * EW_MAX_INT));
        for (int32_t k = i; k < end; k++) {
            put_element(w, number, w->mesh->tet + 4 * (size_t)w->plan.tet[k], 4);
        }
    }
    return EW_OK;
}

static ew_status put_elements(writing *w)
{
    int32_t number = 1, n_block = count_points(w);
    const int32_t n = n_block + w->plan.n_face + w->plan.n_tet;
    EW_TRY(put_triangles(w, &number, &n_block, true));
    EW_TRY(put_tets(w, &number, &n_block, true));
    const int32_t head[4] = {n_block, n, 1, n};
    EW_TRY(put_words(w, "$Elements\n"));
    EW_TRY(write_numbers(w, head, 4));
    for (int32_t i = 0; i < w->plan.n_vertex; i++) {
        if (w->point_of[i] >= 0) {
            EW_TRY(put_block(w, 0, i + 1, POINT, 1));
            EW_TRY(ew_text_room(&w->text, &w->capacity, 2 * EW_MAX_INT));
            put_element(w, &number, &w->plan.vertex[i], 1);
        }
    }
    EW_TRY(put_triangles(w, &number, &n_block, false));
    EW_TRY(put_tets(w, &number, &n_block, false));
    return put_words(w, "$EndElements\n");
}

/* ---- the file ---------------------------------------------------------------------------------
 */

static ew_status prepare(writing *w, bool user_order)
{
    ew_mesh_measure measure;
    EW_TRY(ew_plan_make(w->mesh, user_order, &w->plan));
    EW_TRY(ew_middles_make(w->mesh, &w->plan, &w->middles));
    EW_TRY(ew_new(&w->number, (size_t)w->groups->n, sizeof *w->number));
    EW_TRY(ew_new(&w->point_of, (size_t)w->plan.n_vertex, sizeof *w->point_of));
    EW_TRY(ew_new(&w->volume_of, (size_t)w->plan.n_tet, sizeof *w->volume_of));
    EW_TRY(find_entities(w));
    EW_TRY(find_labels(w));
    ew_mesh_take_measure(w->mesh, &measure);
    memcpy(w->low, measure.low, sizeof w->low);
    memcpy(w->high, measure.high, sizeof w->high);
    return EW_OK;
}

ew_status ew_gmsh_write(const ew_mesh *mesh, const ew_groups *groups, bool user_order,
                        ew_text *file)
{
    writing w = {.mesh = mesh, .groups = groups};
    ew_status status = prepare(&w, user_order);
    status = status
                 ? status
                 : put_words(&w, "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Comments\n" EW_GMSH_REGIONS
                                 "\n$EndComments\n");
    status = status ? status : put_names(&w);
    status = status ? status : put_entities(&w);
    status = status ? status : put_nodes(&w);
    status = status ? status : put_elements(&w);
    if (status) {
        ew_text_free(&w.text);
    } else {
        *file = w.text;
    }
    ew_plan_free(&w.plan);
    ew_middles_free(&w.middles);
    ew_release(w.number);
    ew_release(w.point.from);
    ew_release(w.volume.from);
    ew_release(w.point_of);
    ew_release(w.volume_of);
    ew_list_free(&w.label);
    return status;
}
