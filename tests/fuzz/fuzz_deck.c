/* Fuzzer of decks to cases. */
#include "fuzz_to_case.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_to_case(ew_scene_read_deck, data, size);
}
