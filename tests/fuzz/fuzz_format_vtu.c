/* Fuzzer of the reader of XML files of VTK, and of what it gives written again. */
#include "fuzz_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const ew_format *format = ew_format_of_name(".vtu");
    fuzz_cells(format, data, size);
    fuzz_mesh(format, data, size);
    return 0;
}
