/* Two result files in, the first difference below /VTKHDF out. Datasets are compared by type, shape
 * and bits, block by block, so the files may be larger than memory and differ in chunks and
 * compression. Done in a process of its own (thread_affinity.c): either file may be hostile. */
#include "results/isolated_reader.h"

#include <stdio.h>
#include <string.h>

#define BLOCK_BYTES ((size_t)1 << 20)
#define MAX_DEPTH   8    /* a foreign file may hold groups that contain themselves */
#define MAX_NAMES   4096 /* in a group */

typedef struct comparison {
    const char *path_a, *path_b;
    char *different;
    size_t size;
    bool found;
    char *block_a, *block_b; /* [BLOCK_BYTES] owned */
} comparison;

/* Reads rows begin .. begin+n-1 of a dataset of `rank` dimensions. */
static ew_status read_rows(const char *path, const char *name, hid_t set, hid_t type, int rank,
                           const hsize_t *extent, hsize_t begin, hsize_t n, void *block)
{
    hsize_t start[H5S_MAX_RANK] = {begin};
    hsize_t count[H5S_MAX_RANK];
    memcpy(count, extent, sizeof *extent * (size_t)rank);
    count[0] = n;
    hid_t space = H5Dget_space(set);
    hid_t memory = H5Screate_simple(rank, count, NULL);
    ew_status status = EW_OK;
    if (space < 0 || memory < 0 ||
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) < 0 ||
        H5Dread(set, type, memory, space, H5P_DEFAULT, block) < 0) {
        status = ew_h5_fail(EW_BAD_INPUT, path, "read %s", name);
    }
    ew_h5_close(&memory);
    ew_h5_close(&space);
    return status;
}

static double number_at(hid_t type, const char *at, size_t size)
{
    char room[64] = {0};
    double value = 0;
    if (size <= sizeof room) {
        memcpy(room, at, size);
        H5Tconvert(type, H5T_NATIVE_DOUBLE, 1, room, NULL, H5P_DEFAULT);
        memcpy(&value, room, sizeof value);
    }
    return value;
}

static void tell_number(comparison *c, const char *name, hid_t type, size_t size, size_t row_items,
                        hsize_t begin, size_t bytes)
{
    size_t item = 0;
    while (item < bytes / size - 1 &&
           !memcmp(c->block_a + item * size, c->block_b + item * size, size)) {
        item++;
    }
    snprintf(c->different, c->size, "%s [%llu][%zu]: %.17g against %.17g", name,
             (unsigned long long)(begin + item / row_items), item % row_items,
             number_at(type, c->block_a + item * size, size),
             number_at(type, c->block_b + item * size, size));
    c->found = true;
}

static ew_status compare_rows(comparison *c, const char *name, hid_t a, hid_t b, hid_t type,
                              int rank, const hsize_t *extent)
{
    size_t size = H5Tget_size(type);
    size_t row_items = 1;
    for (int d = 1; d < rank && row_items > 0; d++) {
        row_items = extent[d] <= BLOCK_BYTES / row_items ? row_items * (size_t)extent[d] : 0;
    }
    size_t row = size * row_items;
    H5T_class_t class = H5Tget_class(type);
    if ((class != H5T_FLOAT && class != H5T_INTEGER) || row == 0 || row > BLOCK_BYTES) {
        return ew_fail(EW_BAD_INPUT, "%s: %s is not an array of numbers that Edgewise wrote",
                       c->path_a, name);
    }
    hsize_t step = BLOCK_BYTES / row;
    for (hsize_t begin = 0; begin < extent[0] && !c->found; begin += step) {
        hsize_t n = extent[0] - begin < step ? extent[0] - begin : step;
        EW_TRY(read_rows(c->path_a, name, a, type, rank, extent, begin, n, c->block_a));
        EW_TRY(read_rows(c->path_b, name, b, type, rank, extent, begin, n, c->block_b));
        if (memcmp(c->block_a, c->block_b, (size_t)n * row)) {
            tell_number(c, name, type, size, row_items, begin, (size_t)n * row);
        }
    }
    return EW_OK;
}

static int shape_of(hid_t set, hsize_t *extent)
{
    hid_t space = H5Dget_space(set);
    int rank = space < 0 ? -1 : H5Sget_simple_extent_dims(space, extent, NULL);
    ew_h5_close(&space);
    return rank;
}

static ew_status compare_datasets(comparison *c, const char *name, hid_t a, hid_t b)
{
    hsize_t extent_a[H5S_MAX_RANK] = {0};
    hsize_t extent_b[H5S_MAX_RANK] = {0};
    int rank_a = shape_of(a, extent_a);
    int rank_b = shape_of(b, extent_b);
    hid_t type_a = H5Dget_type(a);
    hid_t type_b = H5Dget_type(b);
    ew_status status = EW_OK;
    if (rank_a < 1 || rank_b < 1 || type_a < 0 || type_b < 0) {
        status = ew_fail(EW_BAD_INPUT, "%s: %s is not an array of numbers that Edgewise wrote",
                         rank_a < 1 || type_a < 0 ? c->path_a : c->path_b, name);
    } else if (rank_a != rank_b || memcmp(extent_a, extent_b, sizeof extent_a) != 0) {
        snprintf(c->different, c->size, "%s: %llu rows against %llu, or rows of another length",
                 name, (unsigned long long)extent_a[0], (unsigned long long)extent_b[0]);
        c->found = true;
    } else if (H5Tequal(type_a, type_b) <= 0) {
        snprintf(c->different, c->size, "%s: numbers of another type", name);
        c->found = true;
    } else {
        status = compare_rows(c, name, a, b, type_a, rank_a, extent_a);
    }
    ew_h5_close(&type_b);
    ew_h5_close(&type_a);
    return status;
}

static ew_status compare_groups(comparison *c, const char *name, hid_t a, hid_t b, int depth);

/* `link` is present in both groups; `name` is its path. */
static ew_status compare_objects(comparison *c, const char *name, const char *link, hid_t group_a,
                                 hid_t group_b, int depth)
{
    hid_t a = -1;
    hid_t b = -1;
    ew_status status = ew_guard_child(c->path_a, group_a, link, name, &a);
    if (!status) {
        status = ew_guard_child(c->path_b, group_b, link, name, &b);
    }
    if (!status && H5Iget_type(a) != H5Iget_type(b)) {
        snprintf(c->different, c->size, "%s: a dataset in one file, a group in the other", name);
        c->found = true;
    } else if (!status && H5Iget_type(a) == H5I_GROUP) {
        status = compare_groups(c, name, a, b, depth + 1);
    } else if (!status) {
        status = compare_datasets(c, name, a, b);
    }
    ew_h5_close(&b);
    ew_h5_close(&a);
    return status;
}

/* The names of a group's links. H5Lget_name_by_idx would do, but crashes on damaged files. */
typedef struct name_list {
    char (*name)[EW_RESULT_PATH]; /* [n] owned */
    int32_t n, capacity;
    ew_status status;
} name_list;

static herr_t keep_name(hid_t group, const char *name, const H5L_info_t *info, void *user)
{
    (void)group;
    (void)info;
    name_list *list = user;
    list->status = EW_LIMIT;
    if (!name[0] || strlen(name) >= EW_RESULT_PATH || list->n >= MAX_NAMES) {
        return -1;
    }
    list->status = ew_grow(&list->name, &list->capacity, (int64_t)list->n + 1, sizeof *list->name);
    if (list->status) {
        return -1;
    }
    snprintf(list->name[list->n++], sizeof *list->name, "%s", name);
    return 0;
}

static ew_status list_names(const char *path, const char *name, hid_t group, int depth,
                            name_list *list)
{
    if (depth > MAX_DEPTH ||
        H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, NULL, keep_name, list) < 0) {
        return list->status == EW_NO_MEMORY
                   ? EW_NO_MEMORY
                   : ew_fail(EW_BAD_INPUT, "%s: %s cannot be listed, or holds a name too long",
                             path, name);
    }
    return EW_OK;
}

/* Every link of `a`: missing in `b` is a difference; present, and asked for, is compared. */
static ew_status visit_links(comparison *c, const char *name, hid_t a, hid_t b, const char *path,
                             bool compare, int depth)
{
    char child[2 * EW_RESULT_PATH];
    name_list list = {0};
    ew_status status = list_names(path, name, a, depth, &list);
    for (int32_t k = 0; k < list.n && !c->found && !status; k++) {
        const char *link = list.name[k];
        if (snprintf(child, sizeof child, "%s/%s", name, link) >= (int)sizeof child) {
            status = ew_fail(EW_BAD_INPUT, "%s: %s holds a name that is too long", path, name);
        } else if (!ew_guard_has(b, link)) {
            snprintf(c->different, c->size, "%s: only in %s", child, path);
            c->found = true;
        } else if (compare) {
            status = compare_objects(c, child, link, a, b, depth);
        }
    }
    ew_release(list.name);
    return status;
}

static ew_status compare_groups(comparison *c, const char *name, hid_t a, hid_t b, int depth)
{
    EW_TRY(visit_links(c, name, a, b, c->path_a, true, depth));
    return visit_links(c, name, b, a, c->path_b, false, depth);
}

static ew_status compare_files(void *user)
{
    comparison *c = user;
    const char *path[2] = {c->path_a, c->path_b};
    hid_t file[2] = {-1, -1};
    ew_status status = EW_OK;
    for (int k = 0; k < 2; k++) {
        EW_TRY_OUT(ew_guard_file(path[k], &file[k]));
    }
    ew_open_nothing_more();
    for (int k = 0; k < 2; k++) {
        if (!ew_guard_has(file[k], "VTKHDF")) {
            status = ew_fail(EW_BAD_INPUT, "%s: an HDF5 file, but without /VTKHDF", path[k]);
            goto out;
        }
    }
    EW_TRY_OUT(ew_new(&c->block_a, BLOCK_BYTES, 1));
    EW_TRY_OUT(ew_new(&c->block_b, BLOCK_BYTES, 1));
    status = compare_objects(c, "/VTKHDF", "VTKHDF", file[0], file[1], 0);
out:
    ew_h5_close(&file[1]);
    ew_h5_close(&file[0]);
    return status;
}

static void send_difference(void *user, ew_wire *wire)
{
    const comparison *c = user;
    ew_wire_put_block(wire, c->different, strlen(c->different));
}

static ew_status take_difference(void *user, ew_wire *wire)
{
    comparison *c = user;
    uint64_t left = c->size - 1;
    char *text = NULL;
    size_t size = 0;
    EW_TRY(ew_wire_get_block(wire, &left, &text, &size));
    if (text) {
        memcpy(c->different, text, size + 1);
    }
    ew_release(text);
    return EW_OK;
}

ew_status ew_result_compare(const char *path_a, const char *path_b, char *different, size_t size)
{
    char found[6 * EW_RESULT_PATH] = "";
    comparison c = {path_a, path_b, found, sizeof found, false, NULL, NULL};
    uint64_t size_a = 0;
    uint64_t size_b = 0;
    EW_TRY(ew_result_file_size(path_a, &size_a));
    EW_TRY(ew_result_file_size(path_b, &size_b));
    const ew_isolated_job apart = {path_a,        size_a + size_b, &c,
                                   compare_files, send_difference, take_difference};
    const ew_status status = ew_read_isolated(&apart);
    ew_release(c.block_a);
    ew_release(c.block_b);
    if (!status && size > 0) {
        snprintf(different, size, "%s", found);
    }
    return status;
}
