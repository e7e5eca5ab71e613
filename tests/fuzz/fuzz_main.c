/* Runs a fuzzer's function over the files that are named, where there is no libFuzzer: so what the
 * fuzzers demand of the readers holds for their corpora in every run of the tests. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int run(const char *name)
{
    enum { ROOM = 1 << 22 };
    FILE *file = fopen(name, "rb");
    uint8_t *room = malloc(ROOM), *data = NULL;
    size_t size = 0;
    if (file && room) {
        size = fread(room, 1, ROOM, file);
        data = realloc(room, size ? size : 1); /* no byte more: a sanitizer sees what reads on */
    }
    const int failed = !data || size == ROOM || ferror(file) ? 1 : 0;
    if (failed) {
        fprintf(stderr, "fuzz_main: %s cannot be read\n", name);
    } else {
        LLVMFuzzerTestOneInput(data, size);
    }
    if (file) {
        fclose(file);
    }
    free(data ? data : room);
    return failed;
}

int main(int argc, char **argv)
{
    int failed = argc < 2;
    for (int i = 1; i < argc; i++) {
        failed |= run(argv[i]);
    }
    return failed;
}
