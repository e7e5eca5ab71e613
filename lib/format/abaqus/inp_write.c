/* Meshes of Abaqus and CalculiX written (.inp). In: a mesh and groups. Out: bytes: nodes, tets of
 * four or ten nodes by region, sets of nodes and elements, surfaces of element faces and their
 * nodes. Regions and labels without a name are REGION_n and SURFACE_n, which are read back as
 * numbers; names that differ in case alone are told apart, as decks know no case. CalculiX reads
 * names of up to 80 bytes without commas, and stops at a load on a surface that has the name of a
 * set of elements; of a number it reads 20 characters: one that is longer has as many digits as
 * fit. */
#include "format/abaqus/inp.h"
#include "format/framework/print.h"
#include "topology/parts/topology.h"

#include <stdio.h>
#include <string.h>

enum { PER_LINE = 12, MAX_NUMBER = 20, MAX_NAME = 81 };

typedef struct writing {
    const ew_mesh *mesh;
    const ew_groups *groups;
    ew_plan plan;
    ew_middles middles;
    char (*name)[MAX_NAME]; /* [groups->n] owned: as they are written */
    ew_list label;          /* of triangles, ascending */
    int32_t *code;          /* [mesh->n_face] owned: 4 * place in the file + face; -1: not there */
    ew_topology topology;   /* of tets of ten nodes, likewise: */
    ew_list boundary;       /* face codes */
    ew_text text;
    size_t capacity;
} writing;

/* ---- names --------------------------------------------------------------------------- */

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static bool is_same(const char *a, const char *b, size_t n)
{
    size_t i = 0;
    while (i < n && a[i] && lower(a[i]) == lower(b[i])) {
        i++;
    }
    return i == n || (!a[i] && !b[i]);
}

/* Whether the name could be that of a label without one. */
static bool is_number(const char *name, const char *word)
{
    const size_t n = strlen(word);
    return is_same(name, word, n) && !name[n + strspn(name + n, "-0123456789")];
}

/* Sets of nodes have names of their own, all else shares one list. Also where a group before has
 * it.
 */
static bool is_taken(const writing *w, int32_t g)
{
    const char *name = w->name[g];
    const bool nodes = w->groups->group[g].kind == EW_GROUP_VERTICES;
    bool taken = !nodes && (is_number(name, "REGION_") || is_number(name, "SURFACE_"));
    for (int32_t i = 0; i < g && !taken; i++) {
        taken = (w->groups->group[i].kind == EW_GROUP_VERTICES) == nodes &&
                is_same(w->name[i], name, MAX_NAME);
    }
    return taken;
}

/* As many whole characters (UTF-8) as fit, with the suffix behind them. */
static void put_name(char name[MAX_NAME], const char *clean, const char *suffix)
{
    size_t n = strlen(clean);
    if (n > MAX_NAME - 1 - strlen(suffix)) {
        n = MAX_NAME - 1 - strlen(suffix);
        while (n && ((unsigned char)clean[n] & 0xc0) == 0x80) {
            n--;
        }
    }
    snprintf(name, MAX_NAME, "%.*s%s", (int)n, clean, suffix);
}

static void make_name(const writing *w, int32_t g)
{
    char clean[EW_GROUP_NAME], suffix[16] = "";
    snprintf(clean, sizeof clean, "%s", w->groups->group[g].name);
    for (char *at = clean; *at; at++) {
        const bool ends = *at == ',' || (unsigned char)*at < ' ' || *at == 127;
        *at = *at == '"' ? '\'' : ends ? '_' : *at; /* they would end the name */
    }
    put_name(w->name[g], clean, "");
    for (int k = 2; is_taken(w, g); k++) {
        snprintf(suffix, sizeof suffix, "_%d", k);
        put_name(w->name[g], clean, suffix);
    }
}

/* The name of a label; `made` where it has none. */
static const char *label_name(const writing *w, ew_group_kind kind, int32_t label,
                              char made[MAX_NAME])
{
    for (int32_t g = 0; g < w->groups->n; g++) {
        const ew_group *group = &w->groups->group[g];
        if (group->is_label && group->kind == kind && group->label == label) {
            return w->name[g];
        }
    }
    snprintf(made, MAX_NAME, kind == EW_GROUP_TETS ? "REGION_%d" : "SURFACE_%d", label);
    return made;
}

/* ---- faces of tets -------------------------------------------------------------------- */

/* Ascending in `key`; whether an odd number of exchanges leads there. */
static int sort_three(const int32_t *vertex, int32_t key[3])
{
    int odd = 0;
    memcpy(key, vertex, 3 * sizeof *key);
    for (int k = 0; k < 3; k++) {
        const int i = k == 1;
        if (key[i] > key[i + 1]) {
            const int32_t high = key[i];
            key[i] = key[i + 1];
            key[i + 1] = high;
            odd ^= 1;
        }
    }
    return odd;
}

/* side[2 * first + odd]: the face of a tet, for the first labeled triangle of each place. */
static void find_sides(const writing *w, const ew_map *first, int32_t *side)
{
    for (int32_t i = 0; i < w->plan.n_tet; i++) {
        const int32_t *tet = w->mesh->tet + 4 * (size_t)w->plan.tet[i];
        for (int k = 0; k < 4; k++) {
            int32_t key[3];
            const int32_t vertex[3] = {tet[ew_inp_face[k][0]], tet[ew_inp_face[k][1]],
                                       tet[ew_inp_face[k][2]]};
            const int odd = sort_three(vertex, key);
            const int32_t f = ew_map_find(first, key[0], key[1], key[2]);
            if (f >= 0) {
                side[2 * (size_t)f + (size_t)odd] = 4 * i + k;
            }
        }
    }
}

/* Of two tets at a triangle that out of which it looks. */
static ew_status find_codes(writing *w, ew_map *first, int32_t *side)
{
    const ew_mesh *mesh = w->mesh;
    int32_t key[3], old;
    for (int32_t f = 0; f < mesh->n_face; f++) {
        if (w->plan.live[f]) {
            sort_three(mesh->face + 3 * (size_t)f, key);
            EW_TRY(ew_map_enter(first, key[0], key[1], key[2], f, &old));
        }
        side[2 * (size_t)f] = side[2 * (size_t)f + 1] = -1;
    }
    find_sides(w, first, side);
    for (int32_t f = 0; f < mesh->n_face; f++) {
        w->code[f] = -1;
        if (w->plan.live[f]) {
            const int odd = sort_three(mesh->face + 3 * (size_t)f, key);
            const int32_t *both = side + 2 * (size_t)ew_map_find(first, key[0], key[1], key[2]);
            w->code[f] = both[odd] >= 0 ? both[odd] : both[1 - odd];
        }
    }
    return EW_OK;
}

static ew_status find_faces(writing *w)
{
    int32_t *side = NULL;
    ew_map first = {0};
    for (int32_t f = 0; f < w->mesh->n_face; f++) {
        EW_TRY(w->plan.live[f] ? ew_list_push(&w->label, w->mesh->face_label[f]) : EW_OK);
    }
    ew_list_sort_unique(&w->label);
    EW_TRY(ew_new(&w->code, (size_t)w->mesh->n_face, sizeof *w->code));
    ew_status status = ew_new(&side, 2 * (size_t)w->mesh->n_face, sizeof *side);
    status = status ? status : find_codes(w, &first, side);
    ew_map_free(&first);
    ew_release(side);
    return status;
}

/* ---- cards and numbers ------------------------------------------------------------------ */

static ew_status put_words(writing *w, const char *words)
{
    EW_TRY(ew_text_room(&w->text, &w->capacity, strlen(words)));
    ew_put_text(&w->text, words);
    return EW_OK;
}

/* "*NSET, NSET=name"; in quotes where it is no plain word. */
static ew_status put_card(writing *w, const char *card, const char *name)
{
    char line[MAX_NAME + 80];
    bool plain = true;
    for (const char *at = name; *at; at++) {
        const char c = lower(*at);
        plain = plain && ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-');
    }
    snprintf(line, sizeof line, plain ? "%s=%s\n" : "%s=\"%s\"\n", card, name);
    return put_words(w, line);
}

static ew_status put_list(writing *w, const ew_list *number)
{
    EW_TRY(ew_text_room(&w->text, &w->capacity, (size_t)number->n * (EW_MAX_INT + 2)));
    for (int32_t i = 0; i < number->n; i++) {
        ew_put_int(&w->text, number->id[i]);
        ew_put_text(&w->text, i + 1 == number->n             ? "\n"
                              : i % PER_LINE == PER_LINE - 1 ? ",\n"
                                                             : ", ");
    }
    return EW_OK;
}

static void put_coordinate(ew_text *text, double value)
{
    const size_t begin = text->size;
    for (int digits = 17; digits > 0; digits--) {
        text->size = begin;
        ew_put_double(text, value, digits);
        if (text->size - begin <= MAX_NUMBER) {
            return;
        }
    }
}

static ew_status put_nodes(writing *w)
{
    const int32_t n = w->plan.n_vertex + w->middles.n;
    EW_TRY(put_words(w, "** A mesh of Edgewise\n*NODE\n"));
    EW_TRY(ew_text_room(&w->text, &w->capacity, (size_t)n * (EW_MAX_INT + 3 * EW_MAX_DOUBLE + 8)));
    for (int32_t i = 0; i < n; i++) {
        const int32_t middle = i - w->plan.n_vertex;
        const double *xyz = middle < 0 ? w->mesh->xyz + 3 * (size_t)w->plan.vertex[i]
                                       : w->middles.xyz + 3 * (size_t)middle;
        ew_put_int(&w->text, i + 1);
        for (int c = 0; c < 3; c++) {
            ew_put_text(&w->text, ", ");
            put_coordinate(&w->text, xyz[c]);
        }
        ew_put_text(&w->text, "\n");
    }
    return EW_OK;
}

/* ---- elements ---------------------------------------------------------------------------- */

/* Corners, then middles of the sides in the order of C3D10. */
static void put_tet(writing *w, int32_t number)
{
    static const int8_t side[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}};
    const int32_t *slot = w->mesh->tet + 4 * (size_t)w->plan.tet[number - 1];
    int32_t node[10];
    const int n = w->mesh->has_middles ? 10 : 4;
    for (int k = 0; k < n; k++) {
        node[k] = k < 4 ? w->plan.number[slot[k]]
                        : ew_middle_number(&w->middles, &w->plan, slot[side[k - 4][0]],
                                           slot[side[k - 4][1]]);
    }
    ew_put_int(&w->text, number);
    for (int k = 0; k < n; k++) {
        ew_put_text(&w->text, ", ");
        ew_put_int(&w->text, node[k]);
    }
    ew_put_text(&w->text, "\n");
}

/* A card for each run of tets of one region: their order is that of the mesh. */
static ew_status put_elements(writing *w)
{
    const ew_mesh *mesh = w->mesh;
    char made[MAX_NAME];
    for (int32_t i = 0, end; i < w->plan.n_tet; i = end) {
        const int32_t region = mesh->region[w->plan.tet[i]];
        for (end = i; end < w->plan.n_tet && mesh->region[w->plan.tet[end]] == region; end++) {
        }
        EW_TRY(put_card(
            w, mesh->has_middles ? "*ELEMENT, TYPE=C3D10, ELSET" : "*ELEMENT, TYPE=C3D4, ELSET",
            label_name(w, EW_GROUP_TETS, mesh->region_label[region], made)));
        EW_TRY(ew_text_room(&w->text, &w->capacity, (size_t)(end - i) * 11 * (EW_MAX_INT + 2)));
        for (; i < end; i++) {
            put_tet(w, i + 1);
        }
    }
    return EW_OK;
}

/* ---- sets and surfaces --------------------------------------------------------------------- */

static ew_status push_middle(const writing *w, const bool *has, const int32_t *tet, int a, int b,
                             ew_list *number)
{
    return has[tet[a]] && has[tet[b]]
               ? ew_list_push(number, ew_middle_number(&w->middles, &w->plan, tet[a], tet[b]))
               : EW_OK;
}

/* Nodes in the middle of sides, as supports take them: of faces of the boundary that are in the set
 * as a whole; without such faces of all sides that have both ends in it. */
static ew_status push_middles(const writing *w, const bool *has, ew_list *number)
{
    const int32_t n = number->n;
    for (int32_t i = 0; i < w->boundary.n; i++) {
        const int32_t *tet = w->mesh->tet + (w->boundary.id[i] & ~3);
        const int8_t *k = ew_face_vertex[w->boundary.id[i] & 3];
        for (int j = 0; j < 3 && has[tet[k[0]]] && has[tet[k[1]]] && has[tet[k[2]]]; j++) {
            EW_TRY(push_middle(w, has, tet, k[j], k[(j + 1) % 3], number));
        }
    }
    for (int32_t i = 0; i < w->plan.n_tet && number->n == n; i++) {
        const int32_t *tet = w->mesh->tet + 4 * (size_t)w->plan.tet[i];
        for (int k = 0; k < 6; k++) {
            EW_TRY(push_middle(w, has, tet, ew_edge_vertex[k][0], ew_edge_vertex[k][1], number));
        }
    }
    ew_list_sort_unique(number);
    return EW_OK;
}

static ew_status add_middles(const writing *w, ew_list *number)
{
    bool *has = NULL;
    EW_TRY(ew_new_zero(&has, (size_t)w->mesh->n_vertex, sizeof *has));
    for (int32_t i = 0; i < number->n; i++) {
        has[w->plan.vertex[number->id[i] - 1]] = true;
    }
    const ew_status status = push_middles(w, has, number);
    ew_release(has);
    return status;
}

static ew_status put_set(writing *w, int32_t g)
{
    const ew_group *group = &w->groups->group[g];
    const bool nodes = group->kind == EW_GROUP_VERTICES;
    ew_list number = {0};
    ew_status status = ew_plan_members(w->mesh, &w->plan, group, &number);
    if (!status && nodes && w->mesh->has_middles) {
        status = add_middles(w, &number);
    }
    if (!status && number.n) {
        status = put_card(w, nodes ? "*NSET, NSET" : "*ELSET, ELSET", w->name[g]);
    }
    status = status ? status : put_list(w, &number);
    ew_list_free(&number);
    return status;
}

/* Whether a set of nodes with this name is written as a group. */
static bool has_node_set(const writing *w, const char *name)
{
    bool has = false;
    for (int32_t g = 0; g < w->groups->n && !has; g++) {
        has = w->groups->group[g].kind == EW_GROUP_VERTICES && is_same(w->name[g], name, MAX_NAME);
    }
    return has;
}

/* The nodes of a label's faces, for supports, which decks have at nodes alone: NAME_nodes. */
static ew_status put_nodes_of_label(writing *w, int32_t label)
{
    char made[MAX_NAME], name[MAX_NAME];
    ew_list number = {0};
    ew_status status = EW_OK;
    put_name(name, label_name(w, EW_GROUP_FACES, label, made), "_nodes");
    if (has_node_set(w, name)) { /* of a file that was written so, or the user's */
        return EW_OK;
    }
    for (int32_t i = 0; i < 3 * w->mesh->n_face && !status; i++) {
        if (w->code[i / 3] >= 0 && w->mesh->face_label[i / 3] == label) {
            status = ew_list_push(&number, w->plan.number[w->mesh->face[i]]);
        }
    }
    ew_list_sort_unique(&number);
    if (!status && w->mesh->has_middles) {
        status = add_middles(w, &number);
    }
    status = status ? status : put_card(w, "*NSET, NSET", name);
    status = status ? status : put_list(w, &number);
    ew_list_free(&number);
    return status;
}

static ew_status put_surface(writing *w, int32_t label)
{
    char made[MAX_NAME];
    EW_TRY(put_card(w, "*SURFACE, TYPE=ELEMENT, NAME", label_name(w, EW_GROUP_FACES, label, made)));
    for (int32_t f = 0; f < w->mesh->n_face; f++) {
        if (w->code[f] >= 0 && w->mesh->face_label[f] == label) {
            char line[2 * EW_MAX_INT];
            snprintf(line, sizeof line, "%d, S%d\n", w->code[f] / 4 + 1, w->code[f] % 4 + 1);
            EW_TRY(put_words(w, line));
        }
    }
    return EW_OK;
}

static ew_status put_groups(writing *w)
{
    for (int32_t g = 0; g < w->groups->n; g++) {
        EW_TRY(w->groups->group[g].is_label ? EW_OK : put_set(w, g));
    }
    for (int32_t i = 0; i < w->label.n; i++) {
        EW_TRY(put_surface(w, w->label.id[i]));
        EW_TRY(put_nodes_of_label(w, w->label.id[i]));
    }
    return EW_OK;
}

/* ---- the file ------------------------------------------------------------------------------ */

static ew_status prepare(writing *w, bool user_order)
{
    EW_TRY(ew_plan_make(w->mesh, user_order, &w->plan));
    EW_TRY(ew_middles_make(w->mesh, &w->plan, &w->middles));
    EW_TRY(ew_new_zero(&w->name, (size_t)w->groups->n, sizeof *w->name));
    for (int32_t g = 0; g < w->groups->n; g++) {
        make_name(w, g);
    }
    EW_TRY(find_faces(w));
    if (w->mesh->has_middles) {
        EW_TRY(ew_topology_build(&w->topology, w->mesh));
        EW_TRY(ew_topology_boundary(&w->topology, w->mesh, &w->boundary));
    }
    return EW_OK;
}

ew_status ew_inp_write(const ew_mesh *mesh, const ew_groups *groups, bool user_order, ew_text *file)
{
    writing w = {.mesh = mesh, .groups = groups};
    ew_status status = prepare(&w, user_order);
    status = status ? status : put_nodes(&w);
    status = status ? status : put_elements(&w);
    status = status ? status : put_groups(&w);
    if (status) {
        ew_text_free(&w.text);
    } else {
        *file = w.text;
    }
    ew_plan_free(&w.plan);
    ew_middles_free(&w.middles);
    ew_topology_free(&w.topology);
    ew_list_free(&w.label);
    ew_list_free(&w.boundary);
    ew_release(w.name);
    ew_release(w.code);
    return status;
}
