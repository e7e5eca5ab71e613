/* Fuzzer of the reader of legacy files of VTK, and of what it gives written again. */
#include "fuzz_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const ew_format *format = ew_format_of_name(".vtk");
    const ew_bytes file = {(const char *)data, size};
    const ew_mesh_input input = {.file = &file};
    ew_mesh mesh, again;
    ew_groups groups;
    ew_text text;
    const ew_status status = ew_read_mesh(format, &input, &mesh, NULL, &groups);
    if (status) {
        fuzz_check_message(status);
        return 0;
    }
    fuzz_check_mesh(&mesh);
    fuzz_require(ew_write_mesh(format, &mesh, &groups, true, &text) == EW_OK);
    const ew_bytes written = {text.data, text.size};
    const ew_mesh_input once_more = {.file = &written};
    fuzz_require(ew_read_mesh(format, &once_more, &again, NULL, NULL) == EW_OK);
    fuzz_require(again.n_active_vertex == mesh.n_active_vertex && again.n_tet == mesh.n_tet);
    ew_mesh_free(&again);
    ew_text_free(&text);
    ew_groups_free(&groups);
    ew_mesh_free(&mesh);
    return 0;
}
