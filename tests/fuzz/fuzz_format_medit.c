/* Fuzzer of the MEDIT reader and writer. */
#include "fuzz_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ew_mesh mesh, again;
    ew_text text;
    ew_status status = ew_read_medit((const char *)data, size, &mesh, NULL);
    if (status) {
        fuzz_check_message(status);
        return 0;
    }
    fuzz_check_mesh(&mesh);
    fuzz_require(ew_write_medit(&mesh, true, &text) == EW_OK);
    fuzz_require(ew_read_medit(text.data, text.size, &again, NULL) == EW_OK);
    fuzz_check_same(&mesh, &again);
    ew_text_free(&text);
    ew_mesh_free(&again);
    ew_mesh_free(&mesh);
    return 0;
}
