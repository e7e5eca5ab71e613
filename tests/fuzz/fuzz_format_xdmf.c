/* Fuzzer of the reader of meshes of XDMF, without files beside it. */
#include "fuzz_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const ew_bytes file = {(const char *)data, size};
    const ew_mesh_input input = {.file = &file};
    ew_mesh mesh;
    const ew_status status =
        ew_format_read_mesh(ew_format_of_name(".xdmf"), &input, &mesh, NULL, NULL);
    if (status) {
        fuzz_check_message(status);
        return 0;
    }
    fuzz_check_mesh(&mesh);
    ew_mesh_free(&mesh);
    return 0;
}
