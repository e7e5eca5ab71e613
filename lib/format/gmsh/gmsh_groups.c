/* Physical groups of a Gmsh file. In: names of groups, members by the numbers of groups. Out: named
 * groups: of points and curves vertices, of surfaces face labels, of volumes regions, or lists of
 * tets where one tet is in several. */
#include "format/gmsh/gmsh.h"

#include <stdio.h>
#include <string.h>

/* dimension, number, and the name in quotes. */
static ew_status read_name(ew_gmsh *r, ew_gmsh_name *name)
{
    int64_t dimension, tag;
    ew_scan *scan = &r->scan;
    ew_scan_anywhere(scan);
    EW_TRY(ew_scan_int(scan, "a group's dimension", 0, 3, &dimension));
    EW_TRY(ew_scan_int(scan, "a group's number", -INT32_MAX, INT32_MAX, &tag));
    ew_scan_on_line(scan);
    const char *stop = memchr(scan->at, '\n', (size_t)(scan->end - scan->at));
    stop = stop ? stop : scan->end;
    const char *quote =
        scan->at < stop ? memchr(scan->at + 1, '"', (size_t)(stop - scan->at - 1)) : NULL;
    if (scan->at == stop || *scan->at != '"' || !quote) {
        return ew_scan_fail(scan, "the name of a physical group should stand here, in quotes");
    }
    *name = (ew_gmsh_name){.dimension = (int32_t)dimension,
                           .tag = (int32_t)(tag < 0 ? -tag : tag),
                           .line = scan->line,
                           .text = scan->at + 1,
                           .length = (size_t)(quote - scan->at - 1)};
    ew_scan_leave_line(scan);
    return EW_OK;
}

ew_status ew_gmsh_read_names(ew_gmsh *r)
{
    const bool binary = r->binary;
    int32_t n = 0;
    r->binary = false; /* names are text, whatever follows */
    EW_TRY(ew_gmsh_count(r, "the count of physical names", 4, EW_MIN_BYTES(3), &n));
    for (int32_t i = 0; i < n; i++) {
        EW_TRY(ew_grow(&r->name, &r->name_capacity, (int64_t)r->n_name + 1, sizeof *r->name));
        EW_TRY(read_name(r, &r->name[r->n_name]));
        r->n_name++;
    }
    r->binary = binary;
    return EW_OK;
}

/* ---- members ------------------------------------------------------------------- */

/* A name that the kind has already is told apart by its number. */
static void make_name(const ew_gmsh_name *from, const ew_groups *groups, ew_group_kind kind,
                      char name[EW_GROUP_NAME])
{
    char raw[EW_GROUP_NAME], number[20];
    const size_t n = from->length < sizeof raw ? from->length : sizeof raw - 1;
    memcpy(raw, from->text, n);
    raw[n] = 0;
    ew_group_clean_name(raw, name);
    snprintf(number, sizeof number, " (%d)", from->tag);
    const size_t room = EW_GROUP_NAME - sizeof number;
    if (!*name || ew_groups_find(groups, kind, name)) {
        name[strlen(name) < room ? strlen(name) : room] = 0;
        strcat(name, number);
    }
}

/* The first of the entries of a number that is not less. */
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

static ew_status push_members(const ew_numbers *list, int32_t tag, ew_group *group)
{
    for (int32_t i = first_of(list, tag); i < list->n && list->of[i].number == tag; i++) {
        EW_TRY(ew_group_push(group, list->of[i].to));
    }
    return EW_OK;
}

/* Points and curves with one name are one set of vertices. */
static ew_status name_vertices(ew_gmsh *r, const ew_gmsh_name *from, ew_groups *groups)
{
    char raw[EW_GROUP_NAME], name[EW_GROUP_NAME];
    const size_t n = from->length < sizeof raw ? from->length : sizeof raw - 1;
    ew_group *group = NULL;
    memcpy(raw, from->text, n);
    raw[n] = 0;
    ew_group_clean_name(raw, name);
    const ew_group *there = *name ? ew_groups_find(groups, EW_GROUP_VERTICES, name) : NULL;
    if (there) {
        group = &groups->group[there - groups->group];
    } else {
        make_name(from, groups, EW_GROUP_VERTICES, name);
        EW_TRY(ew_groups_add_list(groups, EW_GROUP_VERTICES, name, &group));
    }
    return push_members(&r->member[from->dimension], from->tag, group);
}

static ew_status name_faces(const ew_gmsh_name *from, ew_groups *groups)
{
    char name[EW_GROUP_NAME];
    make_name(from, groups, EW_GROUP_FACES, name);
    return ew_groups_name_label(groups, EW_GROUP_FACES, from->tag, name);
}

/* A region where all of its tets have it as their own, else a list. */
static ew_status name_tets(ew_gmsh *r, const ew_gmsh_name *from, ew_groups *groups)
{
    const ew_numbers *more = &r->member[3];
    const int32_t at = first_of(more, from->tag);
    char name[EW_GROUP_NAME];
    ew_group *group;
    make_name(from, groups, EW_GROUP_TETS, name);
    if (at == more->n || more->of[at].number != from->tag) {
        return ew_groups_name_label(groups, EW_GROUP_TETS, from->tag, name);
    }
    EW_TRY(ew_groups_add_list(groups, EW_GROUP_TETS, name, &group));
    for (int32_t t = 0; t < r->n_tet; t++) {
        EW_TRY(r->region[t] == from->tag ? ew_group_push(group, t) : EW_OK);
    }
    return push_members(more, from->tag, group);
}

/* A number that two names want is refused: which one is meant cannot be known. */
static ew_status check_numbers(const ew_gmsh *r)
{
    ew_numbers number = {0};
    ew_status status = EW_OK;
    int64_t twice;
    for (int32_t i = 0; i < r->n_name && !status; i++) {
        status = ew_numbers_enter(&number, 4 * (int64_t)r->name[i].tag + r->name[i].dimension, i);
    }
    if (!status && !ew_numbers_sort(&number, &twice)) {
        const ew_gmsh_name *name = &r->name[ew_numbers_find(&number, twice)->to];
        status = ew_fail_at(EW_BAD_INPUT, (int32_t)name->line,
                            "physical group %d of dimension %d has two names", name->tag,
                            name->dimension);
    }
    ew_numbers_free(&number);
    return status;
}

/* Tets by group: *of lists the groups, each to its place in *count. */
static ew_status count_tets(const ew_gmsh *r, ew_numbers *of, int64_t **count)
{
    int64_t twice;
    ew_numbers all = {0};
    ew_status status = EW_OK;
    for (int32_t t = 0; t < r->n_tet && !status; t++) {
        status = ew_numbers_enter(&all, r->region[t], 0);
    }
    for (int32_t i = 0; i < r->member[3].n && !status; i++) {
        status = ew_numbers_enter(&all, r->member[3].of[i].number, 0);
    }
    ew_numbers_sort(&all, &twice);
    for (int32_t i = 0; i < all.n && !status; i++) {
        const bool is_new = !of->n || of->of[of->n - 1].number != all.of[i].number;
        status = is_new ? ew_numbers_enter(of, all.of[i].number, of->n) : EW_OK;
    }
    status = status ? status : ew_new_zero(count, (size_t)of->n, sizeof **count);
    for (int32_t i = 0; i < all.n && !status; i++) {
        (*count)[ew_numbers_find(of, all.of[i].number)->to]++;
    }
    ew_numbers_free(&all);
    return status;
}

/* Of several groups of a tet the one with the fewest tets is its region: that of the whole body
 * tells nothing apart. */
static ew_status choose_regions(ew_gmsh *r)
{
    ew_numbers of = {0};
    int64_t *count = NULL;
    const ew_status status = r->member[3].n ? count_tets(r, &of, &count) : EW_OK;
    for (int32_t i = 0; i < r->member[3].n && !status; i++) {
        ew_numbered *other = &r->member[3].of[i];
        int32_t *region = &r->region[other->to];
        const int32_t tag = (int32_t)other->number;
        const int64_t mine = count[ew_numbers_find(&of, *region)->to];
        const int64_t others = count[ew_numbers_find(&of, tag)->to];
        if (others < mine || (others == mine && tag < *region)) {
            other->number = *region;
            *region = tag;
        }
    }
    ew_numbers_free(&of);
    ew_release(count);
    return status;
}

ew_status ew_gmsh_name_groups(ew_gmsh *r, ew_groups *groups)
{
    int64_t twice;
    EW_TRY(check_numbers(r));
    EW_TRY(r->region_is_first ? EW_OK : choose_regions(r));
    for (int d = 0; d < 4; d++) {
        ew_numbers_sort(&r->member[d], &twice); /* several of a number are what it is for */
    }
    for (int32_t i = 0; i < r->n_name; i++) {
        const ew_gmsh_name *from = &r->name[i];
        const ew_status status = from->dimension < 2    ? name_vertices(r, from, groups)
                                 : from->dimension == 2 ? name_faces(from, groups)
                                                        : name_tets(r, from, groups);
        if (status) {
            return ew_fail_line(status, (int32_t)from->line);
        }
    }
    return EW_OK;
}
