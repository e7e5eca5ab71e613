/* Tables of moves. In: a text of rows "vertex_id, dx, dy, dz", separated by commas, semicolons or
 * blanks. Out: ids and vectors; or the line and the rule that it breaks. */
#include "operation/basic/motion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORD = 64, N_COLUMN = 4 };

/* The next word of a line into `word`; returns where it ends, or null where there is none. A comma
 * or semicolon ends one. */
static const char *next_word(const char *at, const char *end, char word[MAX_WORD])
{
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r')) {
        at++;
    }
    const char *stop = at;
    while (stop < end && !strchr(" \t\r,;", *stop)) {
        stop++;
    }
    const size_t n = (size_t)(stop - at);
    if (n == 0 || n >= MAX_WORD) {
        return NULL;
    }
    memcpy(word, at, n);
    word[n] = 0;
    while (stop < end && (*stop == ' ' || *stop == '\t' || *stop == '\r')) {
        stop++;
    }
    return stop < end && (*stop == ',' || *stop == ';') ? stop + 1 : stop;
}

/* Whether the line is a row of exactly four numbers. */
static bool read_row(const char *at, const char *end, double number[N_COLUMN])
{
    char word[MAX_WORD], *rest;
    for (int i = 0; i < N_COLUMN; i++) {
        at = next_word(at, end, word);
        if (!at) {
            return false;
        }
        number[i] = strtod(word, &rest);
        if (rest == word || *rest || !isfinite(number[i])) {
            return false;
        }
    }
    return at == end;
}

static ew_status put_row(const char *name, int32_t line, const double number[N_COLUMN],
                         ew_move_table *table)
{
    const int32_t n = table->n;
    if (!(number[0] >= 0.0 && number[0] < 9007199254740992.0 && floor(number[0]) == number[0])) {
        return ew_fail(EW_BAD_INPUT,
                       "%s:%d: the first column is a vertex_id, a whole number from 0, not %.17g",
                       name, (int)line, number[0]);
    }
    EW_TRY(ew_grow(&table->id, &table->id_capacity, (int64_t)n + 1, sizeof *table->id));
    EW_TRY(ew_grow(&table->by, &table->by_capacity, (int64_t)n + 1, 3 * sizeof *table->by));
    table->id[n] = (int64_t)number[0];
    memcpy(table->by + 3 * (size_t)n, number + 1, 3 * sizeof *number);
    table->n = n + 1;
    return EW_OK;
}

static int compare_ids(const void *left, const void *right)
{
    const int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

static ew_status refuse_repeated(const char *name, const ew_move_table *table)
{
    int64_t *id, repeated = -1;
    EW_TRY(ew_new(&id, (size_t)table->n, sizeof *id));
    memcpy(id, table->id, (size_t)table->n * sizeof *id);
    qsort(id, (size_t)table->n, sizeof *id, compare_ids);
    for (int32_t i = 1; i < table->n && repeated < 0; i++) {
        repeated = id[i] == id[i - 1] ? id[i] : -1;
    }
    ew_release(id);
    return repeated < 0 ? EW_OK
                        : ew_fail(EW_BAD_INPUT, "%s: vertex %lld has more than one row", name,
                                  (long long)repeated);
}

ew_status ew_move_table_read(const char *name, const char *text, size_t size, ew_move_table *table)
{
    static const char byte_order_mark[] = {'\xEF', '\xBB', '\xBF'};
    const size_t mark = sizeof byte_order_mark;
    const bool has_mark = size >= mark && !memcmp(text, byte_order_mark, mark);
    const char *end = text + size, *line = has_mark ? text + mark : text;
    for (int32_t number = 1; line < end; number++) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        stop = stop ? stop : end;
        double row[N_COLUMN];
        char word[MAX_WORD];
        const bool is_empty = line == stop || *line == '#' || (*line == '\r' && stop == line + 1);
        if (!is_empty && read_row(line, stop, row)) {
            EW_TRY(put_row(name, number, row, table));
        } else if (!is_empty && (table->n || number > 1 || !next_word(line, stop, word) ||
                                 strchr("+-.0123456789", *word))) { /* the first may be a head */
            return ew_fail(EW_BAD_INPUT,
                           "%s:%d: a row has four numbers: vertex_id, dx, dy, dz, separated by "
                           "commas, semicolons or blanks",
                           name, (int)number);
        }
        line = stop + 1;
    }
    return table->n
               ? refuse_repeated(name, table)
               : ew_fail(EW_BAD_INPUT, "%s: the table has no rows of vertex_id, dx, dy, dz", name);
}

/* The place of an id among the rows, sorted by it. */
typedef struct table_row {
    int64_t id;
    int32_t row;
} table_row;

static int compare_rows(const void *left, const void *right)
{
    const table_row *a = left, *b = right;
    return (a->id > b->id) - (a->id < b->id);
}

static int32_t find_row(const table_row *row, int32_t n, int64_t id)
{
    int32_t low = 0;
    while (low < n) {
        const int32_t middle = low + (n - low) / 2;
        if (row[middle].id == id) {
            return row[middle].row;
        }
        if (row[middle].id < id) {
            low = middle + 1;
        } else {
            n = middle;
        }
    }
    return -1;
}

ew_status ew_move_table_place(const ew_mesh *mesh, const ew_move_table *table, ew_list *vertex,
                              double **by)
{
    table_row *row;
    double *each = NULL;
    EW_TRY(ew_mesh_find_ids(mesh, EW_VERTEX_IDS, NULL, table->id, table->n, vertex));
    EW_TRY(ew_new(&row, (size_t)table->n, sizeof *row));
    const ew_status status = ew_new(&each, (size_t)vertex->n, 3 * sizeof *each);
    for (int32_t i = 0; i < table->n; i++) {
        row[i] = (table_row){table->id[i], i};
    }
    qsort(row, (size_t)table->n, sizeof *row, compare_rows);
    for (int32_t i = 0; i < vertex->n && !status; i++) {
        const int32_t at = find_row(row, table->n, mesh->vertex_id[vertex->id[i]]);
        memcpy(each + 3 * (size_t)i, table->by + 3 * (size_t)at, 3 * sizeof *each);
    }
    ew_release(row);
    *by = each;
    return status;
}

void ew_move_table_free(ew_move_table *table)
{
    ew_release(table->id);
    ew_release(table->by);
    *table = (ew_move_table){0};
}
