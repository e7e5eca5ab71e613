/* Fuzzer of the reader of XML files of VTK, and of what it gives written again. */
#include "fuzz_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_mesh(ew_format_of_name(".vtu"), data, size);
    return 0;
}
