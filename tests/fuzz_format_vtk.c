/* Fuzzer of the reader of legacy files of VTK, and of what it gives written again. */
#include "fuzz_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_mesh(ew_format_of_name(".vtk"), data, size);
    return 0;
}
