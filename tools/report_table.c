/* Tables beside a result. In: the text of one. Out: its cells. */
#include "report_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The text with a zero behind it; null where there is none. */
static ew_status read_text(const char *result, const char *ending, char **table)
{
    const char *dot = strrchr(result, '.'), *slash = strrchr(result, '/');
    const size_t stem = dot && (!slash || dot > slash) ? (size_t)(dot - result) : strlen(result);
    char *path = NULL;
    ew_text text = {0};
    EW_TRY(ew_new(&path, stem + strlen(ending) + 1, 1));
    memcpy(path, result, stem);
    strcpy(path + stem, ending);
    ew_status status = access(path, R_OK) ? EW_OK : ew_file_read(path, &text);
    if (!status && text.size) {
        status = ew_new_zero(table, text.size + 1, 1);
    }
    if (!status && text.size) {
        memcpy(*table, text.data, text.size);
    }
    ew_text_free(&text);
    ew_release(path);
    return status;
}

/* The cell at *at, its quotes taken off; *at: behind it, null at the end of the line. */
static char *cut_cell(char **at)
{
    char *start = *at, *to = start, *from = start;
    bool quoted = false;
    for (; *from && (quoted || *from != ','); from++) {
        if (*from != '"') {
            *to++ = *from;
        } else {
            quoted = !quoted;
            if (quoted && from > start && from[-1] == '"') {
                *to++ = '"';
            }
        }
    }
    *at = *from ? from + 1 : NULL;
    *to = 0;
    return start;
}

static ew_status add_row(report_table *table, char *line, int32_t *n_cell)
{
    int32_t n = 0;
    for (char *at = line; at; n++) {
        EW_TRY(ew_grow(&table->cell, &table->cell_capacity, (int64_t)*n_cell + n + 1,
                       sizeof *table->cell));
        table->cell[*n_cell + n] = cut_cell(&at);
    }
    if (*n_cell && n != table->n_column) {
        return EW_OK;
    }
    table->n_row += *n_cell > 0;
    table->n_column = n;
    *n_cell += n;
    return EW_OK;
}

ew_status report_table_read(const char *result, const char *ending, report_table *table)
{
    *table = (report_table){0};
    ew_status status = read_text(result, ending, &table->text);
    char *at = table->text;
    int32_t n_cell = 0, before = -1;
    while (!status && at && *at && n_cell != before) {
        char *line = at;
        const size_t n = strcspn(line, "\r\n");
        at = line + n + strspn(line + n, "\r\n");
        line[n] = 0;
        before = n_cell;
        status = add_row(table, line, &n_cell);
    }
    if (status) {
        report_table_free(table);
    }
    return status;
}

int32_t report_table_column(const report_table *table, const char *name)
{
    for (int32_t k = 0; k < table->n_column; k++) {
        if (!strcmp(table->cell[k], name)) {
            return k;
        }
    }
    return -1;
}

const char *report_table_cell(const report_table *table, int32_t row, int32_t column)
{
    return column < 0 ? ""
                      : table->cell[(size_t)(row + 1) * (size_t)table->n_column + (size_t)column];
}

double report_table_number(const report_table *table, int32_t row, int32_t column)
{
    const char *text = report_table_cell(table, row, column);
    return *text ? strtod(text, NULL) : NAN;
}

void report_table_free(report_table *table)
{
    ew_release(table->text);
    ew_release(table->cell);
    *table = (report_table){0};
}
