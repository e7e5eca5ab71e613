/* Fuzzer of the table of a sweep: whatever the bytes, a message or combinations of finite numbers;
 * by names of parameters, and by columns that the case chooses. */
#include "study/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_rows(const char *sweep, const uint8_t *data, size_t size)
{
    char text[512];
    ew_case input;
    snprintf(text, sizeof text,
             "mesh: part.mesh\nparameters: {load: 1, share: 0.5, young: 2}\nsweep: {csv: %s}\n"
             "material: {young: young, poisson: 0.3}\n",
             sweep);
    if (ew_case_read(text, strlen(text), &input)) {
        abort();
    }
    if (!ew_case_read_rows(&input, (const char *)data, size)) {
        const ew_case_sweep *rows = input.sweep;
        if (rows->n < 1 || rows->n > EW_MAX_COMBINATIONS || rows->n_parameter > 3) {
            abort();
        }
        for (int32_t i = 0; i < rows->n * rows->n_parameter; i++) {
            if (isinf(rows->value[i])) {
                abort();
            }
        }
    }
    ew_case_free(&input);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_rows("rows.csv", data, size);
    read_rows("{file: rows.csv, columns: {young: 'E, MPa', load: load}}", data, size);
    return 0;
}
