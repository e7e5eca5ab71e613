/* A table beside a result, NAME.paths.csv ..., in cells. */
#ifndef EW_TOOL_REPORT_TABLE_H
#define EW_TOOL_REPORT_TABLE_H

#include "page.h"

typedef struct report_table {
    char *text; /* owned, cut up into cells */
    int32_t n_row, n_column;
    int32_t cell_capacity;
    char **cell; /* [1 + n_row][n_column] owned: the head, then the rows */
} report_table;

/* NAME.ENDING beside NAME.vtkhdf; without rows and columns where there is none. A row of another
 * length ends the table. */
ew_status report_table_read(const char *result, const char *ending, report_table *table);
/* The column of this name; -1: there is none. */
int32_t report_table_column(const report_table *table, const char *name);
/* Row -1 is the head; "" of the column -1. */
const char *report_table_cell(const report_table *table, int32_t row, int32_t column);
/* NaN: the cell is empty. */
double report_table_number(const report_table *table, int32_t row, int32_t column);
void report_table_free(report_table *table);

#endif
