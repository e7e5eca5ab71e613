/* I-DEAS universal files, .unv (SDRC, "Universal File Format"; datasets 2411 and 781 of nodes, 2412
 * and 780 of elements, 2435, 2452, 2467 and 2477 of groups). In: tets of four or ten nodes,
 * triangles, groups of elements and of nodes. Out: a mesh; the numbers of groups are regions and
 * face labels, those of physical properties where no group has any, and names of groups name them,
 * as those of a Gmsh file, whose tables are used. Lengths are as they stand: no unit is taken from
 * dataset 164. */
#include "format/formats.h"
#include "format/gmsh/gmsh.h"

#include <string.h>

enum { NODE_CODE = 7, ELEMENT_CODE = 8, MAX_NODES_OF_ELEMENT = 64, MAX_GROUPS_OF_ELEMENT = 64 };

typedef struct unv_group {
    int32_t number;
    bool has[4]; /* members of this dimension */
    int64_t line;
    const char *name; /* [length] borrowed */
    size_t length;
} unv_group;

typedef struct unv {
    ew_gmsh r;
    int32_t n_group, capacity;
    unv_group *group;           /* [n_group] owned */
    ew_numbers nodes, elements; /* of groups, by number in the file; to: row of group */
    bool tets_have, faces_have; /* some group */
    bool naming;                /* the round of elements that only looks who is in groups */
} unv;

/* ---- datasets -------------------------------------------------------------------- */

/* A line "-1" and nothing else stands around each dataset; passed over where it is next. */
static bool at_mark(ew_scan *scan)
{
    ew_scan copy = *scan;
    char word[EW_WORD];
    if (!ew_scan_anywhere(&copy)) {
        return true;
    }
    ew_scan_word(&copy, word);
    if (strcmp(word, "-1") || ew_scan_on_line(&copy)) {
        return false;
    }
    *scan = copy;
    ew_scan_leave_line(scan);
    return true;
}

static void pass_over(ew_scan *scan)
{
    while (!at_mark(scan)) {
        ew_scan_leave_line(scan);
    }
}

static ew_status next_int(ew_scan *scan, const char *what, int64_t low, int64_t *value)
{
    ew_scan_anywhere(scan);
    return ew_scan_int(scan, what, low, INT32_MAX, value);
}

/* Calls `read` for what every dataset of two numbers has, until its end. */
static ew_status each(unv *u, const int32_t number[4], ew_status (*read)(unv *, int64_t dataset))
{
    ew_scan *scan = &u->r.scan;
    *scan = ew_scan_begin(u->r.begin, (size_t)(scan->end - u->r.begin), "");
    while (ew_scan_anywhere(scan)) {
        int64_t dataset;
        if (!at_mark(scan)) {
            return ew_scan_fail(scan, "a dataset should begin here, with a line -1; the file is no "
                                      "universal file, or a dataset has more entries than it says");
        }
        if (!ew_scan_anywhere(scan)) {
            break;
        }
        EW_TRY(ew_scan_int(scan, "the number of a dataset", 0, INT32_MAX, &dataset));
        ew_scan_leave_line(scan);
        bool wanted = false;
        for (int i = 0; i < 4; i++) {
            wanted = wanted || number[i] == dataset;
        }
        if (!wanted) {
            pass_over(scan);
            continue;
        }
        while (!at_mark(scan)) {
            EW_TRY(read(u, dataset));
        }
    }
    return EW_OK;
}

/* ---- groups ------------------------------------------------------------------------ */

static ew_status read_member(unv *u, int32_t group)
{
    int64_t code, tag, passed;
    ew_scan *scan = &u->r.scan;
    EW_TRY(next_int(scan, "the kind of a group's member", 0, &code));
    EW_TRY(next_int(scan, "the number of a group's member", 0, &tag));
    EW_TRY(next_int(scan, "a group's member", INT32_MIN, &passed));
    EW_TRY(next_int(scan, "a group's member", INT32_MIN, &passed));
    return code == NODE_CODE      ? ew_numbers_enter(&u->nodes, tag, group)
           : code == ELEMENT_CODE ? ew_numbers_enter(&u->elements, tag, group)
                                  : EW_OK;
}

static ew_status read_group(unv *u, int64_t dataset)
{
    (void)dataset;
    int64_t number, passed, n;
    ew_scan *scan = &u->r.scan;
    EW_TRY(next_int(scan, "the number of a group", 1, &number));
    for (int i = 0; i < 6; i++) {
        EW_TRY(next_int(scan, "a number of a group", INT32_MIN, &passed));
    }
    EW_TRY(next_int(scan, "the count of a group's members", 0, &n));
    ew_scan_leave_line(scan);
    EW_TRY(ew_grow(&u->group, &u->capacity, (int64_t)u->n_group + 1, sizeof *u->group));
    const char *stop = memchr(scan->at, '\n', (size_t)(scan->end - scan->at));
    u->group[u->n_group] = (unv_group){.number = (int32_t)number, .line = scan->line};
    u->group[u->n_group].name = scan->at;
    u->group[u->n_group].length = (size_t)((stop ? stop : scan->end) - scan->at);
    ew_scan_leave_line(scan);
    for (int64_t i = 0; i < n; i++) {
        EW_TRY(read_member(u, u->n_group));
    }
    ew_scan_leave_line(scan);
    u->n_group++;
    return EW_OK;
}

/* The first of the entries of a number. */
static int32_t first_of(const ew_numbers *list, int64_t number)
{
    int32_t low = 0, high = list->n;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (list->of[middle].number < number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* ---- nodes --------------------------------------------------------------------------- */

static ew_status enter_groups_of_node(unv *u, int64_t label, int32_t row)
{
    for (int32_t i = first_of(&u->nodes, label); i < u->nodes.n && u->nodes.of[i].number == label;
         i++) {
        unv_group *group = &u->group[u->nodes.of[i].to];
        group->has[0] = true;
        EW_TRY(ew_numbers_enter(&u->r.member[0], group->number, row));
    }
    return EW_OK;
}

static ew_status read_node(unv *u, int64_t dataset)
{
    (void)dataset;
    int64_t label, passed;
    ew_gmsh *r = &u->r;
    EW_TRY(next_int(&r->scan, "a node's number", 1, &label));
    for (int i = 0; i < 3; i++) {
        EW_TRY(next_int(&r->scan, "a number of a node", INT32_MIN, &passed));
    }
    ew_scan_leave_line(&r->scan);
    const int32_t row = r->node.n;
    EW_TRY(ew_grow(&r->xyz, &r->xyz_capacity, (int64_t)row + 1, 3 * sizeof *r->xyz));
    EW_TRY(ew_scan_point(&r->scan, r->xyz + 3 * (size_t)row));
    ew_scan_leave_line(&r->scan);
    EW_TRY(ew_numbers_enter(&r->node, label, row));
    return enter_groups_of_node(u, label, row);
}

/* ---- elements -------------------------------------------------------------------------- */

/* Of a descriptor: its kind, and where its nodes stand in Gmsh's order. */
typedef struct unv_kind {
    int32_t type, n, place[10];
} unv_kind;
static const unv_kind tet = {EW_GMSH_TET, 4, {0, 1, 2, 3}};
static const unv_kind tet_10 = {EW_GMSH_TET_10, 10, {0, 2, 4, 9, 1, 3, 5, 6, 8, 7}};
static const unv_kind triangle = {EW_GMSH_TRIANGLE, 3, {0, 1, 2}};
static const unv_kind triangle_6 = {EW_GMSH_TRIANGLE_6, 6, {0, 2, 4, 1, 3, 5}};

static const unv_kind point = {0, 1, {0}};
static const unv_kind line = {0, 2, {0, 1}};
static const unv_kind line_3 = {0, 3, {0, 1, 2}};

static const unv_kind *kind_of(int64_t descriptor)
{
    switch (descriptor) {
    case 111:
        return &tet;
    case 118:
        return &tet_10;
    case 41: /* plane stress, plane strain, plate, membrane, axisymmetric, shell */
    case 51:
    case 61:
    case 74:
    case 81:
    case 91:
        return &triangle;
    case 42:
    case 52:
    case 62:
    case 72:
    case 82:
    case 92:
        return &triangle_6;
    case 161: /* lumped mass */
        return &point;
    case 11: /* rod, beams */
    case 21:
        return &line;
    case 22:
    case 24:
        return &line_3;
    default:
        return NULL;
    }
}

/* Beams have a line of their own before their nodes. */
static bool is_beam(int64_t descriptor)
{
    return descriptor == 11 || (descriptor >= 21 && descriptor <= 24) || descriptor == 31 ||
           descriptor == 32;
}

/* Points and lines are their nodes, in the groups that they have. */
static ew_status take_nodes(unv *u, int64_t label, const unv_kind *kind, const int32_t *node)
{
    for (int32_t i = first_of(&u->elements, label);
         !u->naming && i < u->elements.n && u->elements.of[i].number == label; i++) {
        unv_group *of = &u->group[u->elements.of[i].to];
        of->has[0] = true;
        for (int32_t k = 0; k < kind->n; k++) {
            EW_TRY(ew_numbers_enter(&u->r.member[0], of->number, node[k]));
        }
    }
    return EW_OK;
}

/* The groups of an element, or, where no element of its kind has any, its property. */
static ew_status add_to_groups(unv *u, int64_t label, int64_t property, const unv_kind *kind,
                               const int32_t *node)
{
    int32_t group[MAX_GROUPS_OF_ELEMENT], n = 0;
    const bool is_tet = kind->type == EW_GMSH_TET || kind->type == EW_GMSH_TET_10;
    for (int32_t i = first_of(&u->elements, label);
         i < u->elements.n && u->elements.of[i].number == label; i++) {
        unv_group *of = &u->group[u->elements.of[i].to];
        of->has[is_tet ? 3 : 2] = true;
        if (n == MAX_GROUPS_OF_ELEMENT) {
            return ew_scan_fail(&u->r.scan, "element %lld is in more than %d groups",
                                (long long)label, (int)n);
        }
        group[n++] = of->number;
    }
    if (u->naming) {
        *(is_tet ? &u->tets_have : &u->faces_have) |= n > 0;
        return EW_OK;
    }
    if (!(is_tet ? u->tets_have : u->faces_have)) {
        group[n++] = (int32_t)property;
    }
    return ew_gmsh_take_element(&u->r, kind->type, node, n, group);
}

static ew_status read_nodes_of(unv *u, int64_t n, const unv_kind *kind, int32_t *node)
{
    int64_t label, raw[MAX_NODES_OF_ELEMENT];
    for (int64_t i = 0; i < n; i++) {
        EW_TRY(next_int(&u->r.scan, "a node's number", 0, &label));
        raw[i] = label;
    }
    for (int32_t i = 0; kind && i < kind->n; i++) {
        const ew_numbered *found = ew_numbers_find(&u->r.node, raw[kind->place[i]]);
        if (!found) {
            return ew_scan_fail(&u->r.scan,
                                "an element names node %lld, which the file does not "
                                "have",
                                (long long)raw[kind->place[i]]);
        }
        node[i] = found->to;
    }
    return EW_OK;
}

static ew_status read_element(unv *u, int64_t dataset)
{
    int64_t label, descriptor, property, passed, n;
    int32_t node[MAX_NODES_OF_ELEMENT];
    ew_scan *scan = &u->r.scan;
    EW_TRY(next_int(scan, "an element's number", 1, &label));
    EW_TRY(next_int(scan, "an element's kind", 0, &descriptor));
    if (dataset == 780) {
        EW_TRY(next_int(scan, "a number of an element", INT32_MIN, &passed));
    }
    EW_TRY(next_int(scan, "an element's property", -INT32_MAX, &property));
    for (int i = 0; i < (dataset == 780 ? 3 : 2); i++) {
        EW_TRY(next_int(scan, "a number of an element", INT32_MIN, &passed));
    }
    EW_TRY(next_int(scan, "the count of an element's nodes", 1, &n));
    const unv_kind *kind = kind_of(descriptor);
    if (n > MAX_NODES_OF_ELEMENT || (kind && n != kind->n)) {
        return ew_scan_fail(scan, "element %lld of kind %lld has %lld nodes", (long long)label,
                            (long long)descriptor, (long long)n);
    }
    if (!kind && descriptor > 100 && descriptor < 120) {
        return ew_scan_fail(scan,
                            "volume elements of kind %lld; only tets of four or ten nodes "
                            "(111, 118) are read: mesh the part with tets",
                            (long long)descriptor);
    }
    ew_scan_leave_line(scan);
    if (is_beam(descriptor)) {
        ew_scan_leave_line(scan);
    }
    EW_TRY(read_nodes_of(u, n, kind, node));
    if (kind && kind->type) {
        EW_TRY(add_to_groups(u, label, property < 0 ? -property : property, kind, node));
    } else if (kind) {
        EW_TRY(take_nodes(u, label, kind, node));
    }
    ew_scan_leave_line(scan);
    return EW_OK;
}

/* ---- the file ------------------------------------------------------------------------- */

/* A group is named once for each dimension that it has members of. */
static ew_status name_groups(unv *u)
{
    ew_gmsh *r = &u->r;
    for (int32_t g = 0; g < u->n_group; g++) {
        const unv_group *group = &u->group[g];
        for (int32_t d = 0; d < 4; d++) {
            if (group->has[d]) {
                EW_TRY(
                    ew_grow(&r->name, &r->name_capacity, (int64_t)r->n_name + 1, sizeof *r->name));
                r->name[r->n_name++] = (ew_gmsh_name){.dimension = d,
                                                      .tag = group->number,
                                                      .line = group->line,
                                                      .text = group->name,
                                                      .length = group->length};
            }
        }
    }
    return EW_OK;
}

static ew_status read_all(unv *u, ew_mesh *mesh, ew_mesh_repair *repair, ew_groups *groups)
{
    static const int32_t of_groups[4] = {2435, 2452, 2467, 2477};
    static const int32_t of_nodes[4] = {2411, 781, 781, 781};
    static const int32_t of_elements[4] = {2412, 780, 780, 780};
    int64_t twice;
    EW_TRY(each(u, of_groups, read_group));
    ew_numbers_sort(&u->nodes, &twice); /* several of a number are what it is for */
    ew_numbers_sort(&u->elements, &twice);
    EW_TRY(each(u, of_nodes, read_node));
    if (!ew_numbers_sort(&u->r.node, &twice)) {
        return ew_scan_fail(&u->r.scan, "two nodes have the number %lld", (long long)twice);
    }
    u->naming = true;
    EW_TRY(each(u, of_elements, read_element));
    u->naming = false;
    EW_TRY(each(u, of_elements, read_element));
    if (!u->r.n_tet) {
        return ew_scan_fail(&u->r.scan, "the file has no tets (elements of kind 111 or 118); mesh "
                                        "the volume before it is exported");
    }
    EW_TRY(name_groups(u));
    return ew_gmsh_finish(&u->r, mesh, repair, groups);
}

static ew_status read_mesh(const ew_mesh_input *input, ew_mesh *mesh, ew_mesh_repair *repair,
                           ew_groups *groups)
{
    unv u = {.r.scan = ew_scan_begin(input->file->data, input->file->size, "")};
    u.r.begin = u.r.scan.at;
    const ew_status status = read_all(&u, mesh, repair, groups);
    ew_release(u.group);
    ew_numbers_free(&u.nodes);
    ew_numbers_free(&u.elements);
    ew_gmsh_free(&u.r);
    return status;
}

const ew_format ew_format_unv = {
    .name = "I-DEAS universal",
    .holds = "nodes, triangles, tets (of ten nodes, too), groups and their names",
    .endings = ".unv",
    .n_file = 1,
    .n_needed = 1,
    .read_mesh = read_mesh,
};
