/* Fuzzer of the STL reader and of the check of a surface. */
#include "fuzz_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_surface(ew_format_of_name(".stl"), data, size);
    return 0;
}
