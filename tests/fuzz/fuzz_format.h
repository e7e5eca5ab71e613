/* What the fuzzers of the readers share. Whatever the bytes, a reader ends in a message or in
 * a mesh that keeps its rules and survives being written and read again. Build with
 * -DEW_FUZZ=ON and clang, run for example `fuzz_format_medit -max_total_time=120 corpus
 * tests/fuzz/corpus/medit`. */
#ifndef EW_FUZZ_FORMAT_H
#define EW_FUZZ_FORMAT_H

#include "format/parts/format.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void fuzz_require(bool condition)
{
    if (!condition) {
        abort();
    }
}

/* The message names a place. */
static inline void fuzz_check_message(ew_status status)
{
    bool memory = status == EW_NO_MEMORY || status == EW_LIMIT;
    fuzz_require(memory || strstr(ew_message(), "line ") || strstr(ew_message(), "byte "));
}

static inline void fuzz_check_same(const ew_mesh *mesh, const ew_mesh *again)
{
    fuzz_require(again->n_vertex == mesh->n_vertex && again->n_tet == mesh->n_tet);
    fuzz_require(memcmp(mesh->xyz, again->xyz, 3 * sizeof(double) * (size_t)mesh->n_vertex) == 0);
    fuzz_require(memcmp(mesh->tet, again->tet, 4 * sizeof(int32_t) * (size_t)mesh->n_tet) == 0);
}

static inline void fuzz_check_mesh(const ew_mesh *mesh)
{
    ew_status status = ew_mesh_check(mesh);
    fuzz_require(status == EW_OK || status == EW_MESH_FACE);
}

static inline void fuzz_surface(const ew_format *format, const uint8_t *data, size_t size)
{
    ew_surface surface;
    int32_t n_welded;
    ew_status status = ew_format_read_surface(format, &(ew_bytes){(const char *)data, size},
                                              &surface, &n_welded, NULL);
    if (status) {
        fuzz_check_message(status);
        return;
    }
    for (int64_t i = 0; i < 3 * (int64_t)surface.n_triangle; i++) {
        fuzz_require(surface.triangle[i] >= 0 && surface.triangle[i] < surface.n_vertex);
    }
    status = ew_surface_check(&surface);
    fuzz_require(status == EW_OK || status == EW_BAD_INPUT);
    ew_surface_free(&surface);
}

/* An array of one value or more for each cell, read alone. */
static inline void fuzz_cells(const ew_format *format, const uint8_t *data, size_t size)
{
    const ew_bytes file = {(const char *)data, size};
    ew_cell_array cells = {0};
    const ew_status status = ew_format_read_cells(format, &file, "region", &cells);
    if (status) {
        fuzz_check_message(status);
        return;
    }
    fuzz_require(cells.n_tet >= 0 && cells.width > 0);
    ew_release(cells.value);
}

/* A mesh in one file, read, written with its groups, and read again. */
static inline void fuzz_mesh(const ew_format *format, const uint8_t *data, size_t size)
{
    const ew_bytes file = {(const char *)data, size};
    const ew_mesh_input input = {.file = &file};
    ew_mesh mesh, again;
    ew_groups groups;
    ew_text text;
    const ew_status status = ew_format_read_mesh(format, &input, &mesh, NULL, &groups);
    if (status) {
        fuzz_check_message(status);
        return;
    }
    fuzz_check_mesh(&mesh);
    fuzz_require(ew_format_write_mesh(format, &mesh, &groups, true, &text) == EW_OK);
    const ew_bytes written = {text.data, text.size};
    const ew_mesh_input once_more = {.file = &written};
    fuzz_require(ew_format_read_mesh(format, &once_more, &again, NULL, NULL) == EW_OK);
    fuzz_require(again.n_active_vertex == mesh.n_active_vertex && again.n_tet == mesh.n_tet);
    ew_mesh_free(&again);
    ew_text_free(&text);
    ew_groups_free(&groups);
    ew_mesh_free(&mesh);
}

#endif
