/* Fuzzer of the tables of `move`: whatever the bytes, they end in a message that names the table,
 * or in rows whose numbers are finite, each vertex once. */
#include "fuzz_format.h"
#include "operation/basic/motion.h"

#include <math.h>

static void check(const ew_move_table *table)
{
    fuzz_require(table->n > 0);
    for (int32_t i = 0; i < table->n; i++) {
        fuzz_require(table->id[i] >= 0);
        for (size_t c = 3 * (size_t)i; c < 3 * (size_t)i + 3; c++) {
            fuzz_require(isfinite(table->by[c]));
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ew_move_table table = {0};
    const ew_status status = ew_move_table_read("table.csv", (const char *)data, size, &table);
    if (status) {
        fuzz_require(status == EW_NO_MEMORY || strstr(ew_message(), "table.csv"));
    } else {
        check(&table);
    }
    ew_move_table_free(&table);
    return 0;
}
