/* Fuzzer of the TetGen reader and writer: the input is .node, .ele and .face, parted by '%'. */
#include "fuzz_format.h"

static ew_status read_parts(const char *const part[3], const size_t size[3], ew_mesh *mesh)
{
    return ew_read_tetgen(part[0], size[0], part[1], size[1], part[2], size[2], mesh, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *part[3] = {(const char *)data, NULL, NULL};
    size_t length[3] = {size, 0, 0};
    for (int i = 1; i < 3; i++) {
        const char *cut = length[i - 1] ? memchr(part[i - 1], '%', length[i - 1]) : NULL;
        if (cut) {
            size_t before = (size_t)(cut - part[i - 1]);
            part[i] = cut + 1;
            length[i] = length[i - 1] - before - 1;
            length[i - 1] = before;
        }
    }
    ew_mesh mesh, again;
    ew_text text[3];
    ew_status status = read_parts(part, length, &mesh);
    if (status) {
        fuzz_check_message(status);
        return 0;
    }
    fuzz_check_mesh(&mesh);
    fuzz_require(ew_write_tetgen(&mesh, true, &text[0], &text[1], &text[2]) == EW_OK);
    for (int i = 0; i < 3; i++) {
        part[i] = text[i].data;
        length[i] = text[i].size;
    }
    fuzz_require(read_parts(part, length, &again) == EW_OK);
    fuzz_check_same(&mesh, &again);
    for (int i = 0; i < 3; i++) {
        ew_text_free(&text[i]);
    }
    ew_mesh_free(&again);
    ew_mesh_free(&mesh);
    return 0;
}
