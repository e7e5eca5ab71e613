/* Atoms that have grown are halved, by a plane across their longest side, so that they can be dealt
 * again; or cut into groups by as many planes as it takes. The planes follow from the vertices
 * alone, whatever part these are in. */
#include "subdomain/internal.h"

#include <math.h>
#include <stdlib.h>

typedef struct entry {
    double at; /* along the longest side */
    int32_t vertex;
} entry;

static int compare_entries(const void *left, const void *right)
{
    const entry *x = left, *y = right;
    return x->at != y->at ? (x->at > y->at) - (x->at < y->at)
                          : (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

static size_t longest_side(const ew_mesh *mesh, const entry *list, int32_t n)
{
    double length[3];
    for (size_t c = 0; c < 3; c++) {
        double low = INFINITY, high = -INFINITY;
        for (int32_t i = 0; i < n; i++) {
            const double at = mesh->xyz[3 * (size_t)list[i].vertex + c];
            low = fmin(low, at);
            high = fmax(high, at);
        }
        length[c] = high - low;
    }
    return length[1] > length[0] ? (length[2] > length[1] ? 2 : 1) : length[2] > length[0] ? 2 : 0;
}

/* list: vertices with tets of an atom; sorted along its longest side, equal ones by slots, whose
 * order is that of the whole. */
static void sort_along(const ew_mesh *mesh, entry *list, int32_t n)
{
    const size_t axis = longest_side(mesh, list, n);
    for (int32_t i = 0; i < n; i++) {
        list[i].at = mesh->xyz[3 * (size_t)list[i].vertex + axis];
    }
    qsort(list, (size_t)n, sizeof *list, compare_entries);
}

static void halve(ew_subdomain *subdomain, entry *list, int32_t n, int32_t fresh)
{
    sort_along(&subdomain->mesh, list, n);
    for (int32_t i = n / 2; i < n; i++) {
        subdomain->atom[list[i].vertex] = fresh;
    }
}

/* Returns the number behind the last group. */
static int32_t group(const ew_mesh *mesh, entry *list, int32_t n, int32_t rows, int32_t first,
                     int32_t *of)
{
    if (n > rows) {
        sort_along(mesh, list, n);
        first = group(mesh, list, n / 2, rows, first, of);
        return group(mesh, list + n / 2, n - n / 2, rows, first, of);
    }
    for (int32_t i = 0; i < n; i++) {
        of[list[i].vertex] = first;
    }
    return first + (n > 0);
}

/* Slots of owned vertices with tets by atom, begin [n_atom + 1]. */
static void list_by_atom(const ew_subdomain *subdomain, int32_t n_atom, int32_t *begin, entry *list)
{
    const ew_mesh *mesh = &subdomain->mesh;
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t v = 0; v < mesh->n_vertex; v++) {
            if (mesh->valence[v] <= 0 || !ew_subdomain_owns(subdomain, v)) {
                continue;
            }
            if (pass) {
                list[begin[subdomain->atom[v]]++].vertex = v;
            } else {
                begin[subdomain->atom[v] + 1]++;
            }
        }
        for (int32_t a = 0; !pass && a < n_atom; a++) {
            begin[a + 1] += begin[a];
        }
    }
    for (int32_t a = n_atom; a > 0; a--) {
        begin[a] = begin[a - 1];
    }
    begin[0] = 0;
}

ew_status ew_subdomain_halve(ew_subdomain *subdomain, const int32_t *rows, int32_t limit)
{
    const int32_t n_atom = subdomain->n_atom;
    int32_t *begin = NULL, n_large = 0, fresh = n_atom;
    entry *list = NULL;
    ew_status status;
    if (limit < 2) {
        return ew_fail(EW_BAD_ARGUMENT, "atoms of at most %d rows: give at least 2", limit);
    }
    for (int32_t a = 0; a < n_atom; a++) {
        n_large += rows[a] > limit;
    }
    EW_TRY_OUT(ew_new_zero(&begin, (size_t)n_atom + 1, sizeof *begin));
    EW_TRY_OUT(ew_new(&list, (size_t)subdomain->mesh.n_vertex, sizeof *list));
    EW_TRY_OUT(ew_grow(&subdomain->atom_part, &subdomain->n_atom_room, (int64_t)n_atom + n_large,
                       sizeof *subdomain->atom_part));
    list_by_atom(subdomain, n_atom, begin, list);
    for (int32_t a = 0; a < n_atom; a++) {
        if (rows[a] <= limit) {
            continue;
        }
        subdomain->atom_part[fresh] = subdomain->atom_part[a];
        if (begin[a + 1] > begin[a]) {
            halve(subdomain, list + begin[a], begin[a + 1] - begin[a], fresh);
        }
        fresh++;
    }
    subdomain->n_atom = fresh;
out:
    ew_release(begin);
    ew_release(list);
    return status;
}

ew_status ew_subdomain_group(const ew_subdomain *subdomain, int32_t rows, int32_t *group_of,
                             int32_t *n_group)
{
    const int32_t n_atom = subdomain->n_atom;
    int32_t *begin = NULL;
    entry *list = NULL;
    ew_status status;
    if (rows < 1) {
        return ew_fail(EW_BAD_ARGUMENT, "groups of at most %d rows: give at least 1", rows);
    }
    EW_TRY_OUT(ew_new_zero(&begin, (size_t)n_atom + 1, sizeof *begin));
    EW_TRY_OUT(ew_new(&list, (size_t)subdomain->mesh.n_vertex, sizeof *list));
    list_by_atom(subdomain, n_atom, begin, list);
    for (int32_t v = 0; v < subdomain->mesh.n_vertex; v++) {
        group_of[v] = -1;
    }
    for (int32_t a = 0; a < n_atom; a++) {
        n_group[a] =
            group(&subdomain->mesh, list + begin[a], begin[a + 1] - begin[a], rows, 0, group_of);
    }
out:
    ew_release(begin);
    ew_release(list);
    return status;
}
