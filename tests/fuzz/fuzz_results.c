/* Fuzzer of the reading of results: any bytes end in one line that names the file, or in an
 * archive. HDF5 is not built with the fuzzer's counters and may crash on damaged files; both stay
 * in the process that reads, so the corpus, a whole result, is what the fuzzer varies. */
#define _XOPEN_SOURCE 700
#include "results/results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition) {
        abort();
    }
}

static void check(ew_status status, const char *path)
{
    if (status) {
        require(status == EW_BAD_INPUT || status == EW_IO || status == EW_NO_MEMORY);
        require(status == EW_NO_MEMORY || strstr(ew_message(), path) != NULL);
        require(!strpbrk(ew_message(), "\n\r"));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[] = "/tmp/edgewise-fuzz-XXXXXX";
    char different[800] = "";
    ew_result_archive archive = {0};
    const int file = mkstemp(path);
    require(file >= 0 && write(file, data, size) == (ssize_t)size);
    close(file);
    const ew_status status = ew_result_read_archive(path, &archive);
    check(status, path);
    size_t taken = status ? 0 : strlen(archive.case_text);
    for (int32_t k = 0; k < archive.n_step; k++) {
        taken += archive.journal_bytes[k];
    }
    require(taken <= size);
    check(ew_result_compare(path, path, different, sizeof different), path);
    require(!different[0]);
    ew_result_view view = {0};
    check(ew_result_read_view(path, &view), path);
    ew_result_view_free(&view);
    ew_view_frame frame = {0};
    check(ew_result_read_frame(path, 0, "displacement von_mises", &frame), path);
    ew_view_frame_free(&frame);
    int32_t n_field = 0;
    ew_view_field *field = NULL;
    check(ew_result_list_fields(path, &n_field, &field), path);
    ew_release(field);
    int32_t n_probe = 0;
    ew_view_probe *probe = NULL;
    check(ew_result_read_probes(path, &n_probe, &probe), path);
    ew_view_probes_free(n_probe, probe);
    ew_result_archive_free(&archive);
    remove(path);
    return 0;
}
