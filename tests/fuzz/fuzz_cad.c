/* Fuzzer of what edgewise-gmsh sends: whatever the bytes, they end in a message of one line or in a
 * mesh that keeps its rules. */
#include "fuzz_format.h"

#include "cad/internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const ew_text sent = {size, (char *)(uintptr_t)data};
    const ew_cad_def def = ew_default_cad_def();
    ew_mesh mesh;
    ew_groups groups = {0};
    ew_cad_report report;
    const ew_status status = ew_cad_decode(&sent, &def, &mesh, &groups, NULL, &report);
    if (status) {
        fuzz_require(!strchr(ew_message(), '\n'));
        return 0;
    }
    fuzz_check_mesh(&mesh);
    ew_groups_free(&groups);
    ew_mesh_free(&mesh);
    return 0;
}
