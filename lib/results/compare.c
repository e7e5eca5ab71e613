/* Two result files in, the first difference below /VTKHDF out. Datasets are compared by type, shape
 * and bits, block by block, so the files may be larger than memory and differ in chunks and
 * compression. */
#include "results/internal.h"

#include <stdio.h>
#include <string.h>

#define BLOCK_BYTES ((size_t)1 << 20)
#define MOST_DEPTH  8 /* a foreign file may hold groups that contain themselves */

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
    for (int d = 1; d < rank; d++) {
        row_items *= (size_t)extent[d];
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

/* `name` is present in both files. */
static ew_status compare_objects(comparison *c, const char *name, hid_t file_a, hid_t file_b,
                                 int depth)
{
    hid_t a = H5Oopen(file_a, name, H5P_DEFAULT);
    hid_t b = H5Oopen(file_b, name, H5P_DEFAULT);
    ew_status status = EW_OK;
    if (a < 0 || b < 0) {
        status = ew_h5_fail(EW_BAD_INPUT, a < 0 ? c->path_a : c->path_b, "open %s", name);
    } else if (H5Iget_type(a) != H5Iget_type(b)) {
        snprintf(c->different, c->size, "%s: a dataset in one file, a group in the other", name);
        c->found = true;
    } else if (H5Iget_type(a) == H5I_GROUP) {
        status = compare_groups(c, name, a, b, depth + 1);
    } else {
        status = compare_datasets(c, name, a, b);
    }
    ew_h5_close(&b);
    ew_h5_close(&a);
    return status;
}

/* Every link of `a`: missing in `b` is a difference; present, and asked for, is compared. */
static ew_status visit_links(comparison *c, const char *name, hid_t a, hid_t b, const char *path,
                             bool compare, int depth)
{
    H5G_info_t info = {.nlinks = 0};
    if (depth > MOST_DEPTH || H5Gget_info(a, &info) < 0) {
        return ew_fail(EW_BAD_INPUT, "%s: %s cannot be listed", path, name);
    }
    for (hsize_t k = 0; k < info.nlinks && !c->found; k++) {
        char link[EW_RESULT_PATH];
        char child[2 * EW_RESULT_PATH];
        ssize_t length = H5Lget_name_by_idx(a, ".", H5_INDEX_NAME, H5_ITER_INC, k, link,
                                            sizeof link, H5P_DEFAULT);
        if (length < 1 || (size_t)length >= sizeof link ||
            snprintf(child, sizeof child, "%s/%s", name, link) >= (int)sizeof child) {
            return ew_fail(EW_BAD_INPUT, "%s: %s holds a name that is too long", path, name);
        }
        if (H5Lexists(b, link, H5P_DEFAULT) <= 0) {
            snprintf(c->different, c->size, "%s: only in %s", child, path);
            c->found = true;
        } else if (compare) {
            EW_TRY(compare_objects(c, child, a, b, depth));
        }
    }
    return EW_OK;
}

static ew_status compare_groups(comparison *c, const char *name, hid_t a, hid_t b, int depth)
{
    EW_TRY(visit_links(c, name, a, b, c->path_a, true, depth));
    return visit_links(c, name, b, a, c->path_b, false, depth);
}

static ew_status compare_files(comparison *c)
{
    const char *path[2] = {c->path_a, c->path_b};
    hid_t file[2] = {-1, -1};
    ew_status status = EW_OK;
    for (int k = 0; k < 2; k++) {
        file[k] = H5Fopen(path[k], H5F_ACC_RDONLY, H5P_DEFAULT);
        if (file[k] < 0) {
            status = ew_h5_fail(EW_BAD_INPUT, path[k], "read as a result file");
            goto out;
        }
        if (H5Lexists(file[k], "VTKHDF", H5P_DEFAULT) <= 0) {
            status = ew_fail(EW_BAD_INPUT, "%s: an HDF5 file, but without /VTKHDF", path[k]);
            goto out;
        }
    }
    EW_TRY_OUT(ew_new(&c->block_a, BLOCK_BYTES, 1));
    EW_TRY_OUT(ew_new(&c->block_b, BLOCK_BYTES, 1));
    status = compare_objects(c, "/VTKHDF", file[0], file[1], 0);
out:
    ew_h5_close(&file[1]);
    ew_h5_close(&file[0]);
    return status;
}

ew_status ew_result_compare(const char *path_a, const char *path_b, char *different, size_t size)
{
    char found[3 * EW_RESULT_PATH] = "";
    comparison c = {path_a, path_b, found, sizeof found, false, NULL, NULL};
    ew_quiet quiet;
    ew_quiet_begin(&quiet);
    ew_status status = compare_files(&c);
    ew_quiet_end(&quiet);
    ew_release(c.block_a);
    ew_release(c.block_b);
    if (!status && size > 0) {
        snprintf(different, size, "%s", found);
    }
    return status;
}
