/* The table that a sweep takes its combinations from: text in, numbers out. The first line has the
 * heads of the columns; of the separators comma, semicolon and tab it is the one it has. Heads and
 * numbers may stand in double quotes. */
#include "study/study.h"
#include "base/parts/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_COLUMNS = 1024, MAX_WORD = 128 };

typedef struct table_reader {
    ew_case *input;
    ew_case_sweep sweep; /* that is being filled */
    const char *at, *end;
    int32_t line; /* from 1 */
    char separator;
    int32_t n_column;
    int32_t of[MAX_COLUMNS]; /* place in sweep.parameter, -1: passed over */
    int32_t capacity;
} table_reader;

static ew_status fail(const table_reader *reader, const char *what, const char *word)
{
    return ew_fail(EW_BAD_INPUT, "%s:%d: %s '%.60s'", reader->sweep.file, (int)reader->line, what,
                   word);
}

/* The next line; empty ones and comments are passed over. False at the end. */
static bool next_line(table_reader *reader, const char **begin, const char **end)
{
    while (reader->at < reader->end) {
        const char *line = reader->at;
        const char *stop = memchr(line, '\n', (size_t)(reader->end - line));
        stop = stop ? stop : reader->end;
        reader->at = stop < reader->end ? stop + 1 : stop;
        reader->line++;
        while (stop > line && (stop[-1] == '\r' || stop[-1] == ' ')) {
            stop--;
        }
        if (stop > line && *line != '#') {
            *begin = line;
            *end = stop;
            return true;
        }
    }
    return false;
}

/* The word at *at without blanks and quotes; *at moves behind its separator, null after the last.
 * A word that is too long is cut off, and is no name then and no number. */
static void next_word(const table_reader *reader, const char **at, const char *end,
                      char word[MAX_WORD])
{
    const char *p = *at;
    size_t n = 0;
    bool quoted = false;
    for (; p < end && (quoted || *p != reader->separator); p++) {
        if (*p == '"') {
            quoted = !quoted;
        } else if (n < MAX_WORD - 1 && (n || (*p != ' ' && *p != '\t'))) {
            word[n++] = *p;
        }
    }
    while (n && word[n - 1] == ' ') {
        n--;
    }
    word[n] = 0;
    *at = p < end ? p + 1 : NULL;
}

/* Which of the sweep's parameters a head names; those of the case where it names none itself. */
static ew_status find_head(table_reader *reader, const char *head, int32_t *place)
{
    const ew_case *input = reader->input;
    const ew_case_sweep *sweep = &reader->sweep;
    char names[EW_EXPRESSION_NAMES] = "", near[64];
    *place = -1;
    for (int32_t k = 0; k < sweep->n_parameter; k++) {
        const char *name = input->parameter[sweep->parameter[k]].name;
        const char *wanted = sweep->column ? sweep->column[k] : name;
        *place = !strcmp(wanted, head) ? k : *place;
        strcat(strcat(names, k ? " " : ""), name);
    }
    if (*place >= 0 || sweep->column) {
        return EW_OK;
    }
    return ew_nearest_word(head, names, near)
               ? ew_fail(EW_BAD_INPUT, "%s:%d: no parameter is called '%.60s'; did you mean '%s'?",
                         sweep->file, (int)reader->line, head, near)
               : ew_fail(EW_BAD_INPUT,
                         "%s:%d: no parameter is called '%.60s'; there are %.200s ('columns:' "
                         "chooses among other columns)",
                         sweep->file, (int)reader->line, head, names);
}

static ew_status read_head(table_reader *reader)
{
    static const char separators[] = ";\t,";
    const char *at, *end;
    if (!next_line(reader, &at, &end)) {
        return ew_fail(EW_BAD_INPUT, "%s: has no lines; the first one names the parameters",
                       reader->sweep.file);
    }
    reader->separator = ',';
    for (const char *s = separators; *s; s++) {
        if (memchr(at, *s, (size_t)(end - at))) {
            reader->separator = *s;
            break;
        }
    }
    while (at) {
        char word[MAX_WORD];
        next_word(reader, &at, end, word);
        if (reader->n_column == MAX_COLUMNS) {
            return fail(reader, "more than 1024 columns, at", word);
        }
        int32_t *of = &reader->of[reader->n_column++];
        EW_TRY(find_head(reader, word, of));
        for (int32_t k = 0; k < reader->n_column - 1 && *of >= 0; k++) {
            if (reader->of[k] == *of) {
                return fail(reader, "two columns are called", word);
            }
        }
    }
    return EW_OK;
}

/* All that the sweep names are there. */
static ew_status need_columns(table_reader *reader)
{
    ew_case_sweep *sweep = &reader->sweep;
    bool has[EW_MAX_PARAMETERS_OF_CASE] = {false};
    for (int32_t c = 0; c < reader->n_column; c++) {
        if (reader->of[c] >= 0) {
            has[reader->of[c]] = true;
        }
    }
    for (int32_t k = 0; k < sweep->n_parameter && sweep->column; k++) {
        if (!has[k]) {
            return fail(reader, "the head has no column", sweep->column[k]);
        }
    }
    return EW_OK;
}

static ew_status read_number(const table_reader *reader, const char *word, double *number)
{
    char *end;
    *number = strtod(word, &end);
    return *word && !*end && isfinite(*number) && strspn(word, "+-.0123456789eE") == strlen(word)
               ? EW_OK
               : fail(reader, "a number is expected, with a decimal point, not", word);
}

static ew_status read_row(table_reader *reader, const char *at, const char *end)
{
    ew_case_sweep *sweep = &reader->sweep;
    const size_t width = (size_t)sweep->n_parameter;
    int32_t n = 0;
    if (sweep->n == EW_MAX_COMBINATIONS) {
        return ew_fail(EW_BAD_INPUT,
                       "%s:%d: more than %d combinations, which is the most there "
                       "may be",
                       sweep->file, (int)reader->line, (int)EW_MAX_COMBINATIONS);
    }
    EW_TRY(ew_grow(&sweep->value, &reader->capacity, ((int64_t)sweep->n + 1) * (int64_t)width,
                   sizeof *sweep->value));
    double *row = sweep->value + (size_t)sweep->n * width;
    for (size_t k = 0; k < width; k++) {
        row[k] = NAN;
    }
    for (; at; n++) {
        char word[MAX_WORD];
        next_word(reader, &at, end, word);
        if (n < reader->n_column && reader->of[n] >= 0) {
            EW_TRY(read_number(reader, word, &row[reader->of[n]]));
        }
    }
    if (n != reader->n_column) {
        return ew_fail(EW_BAD_INPUT, "%s:%d: has %d columns, the head %d", sweep->file,
                       (int)reader->line, (int)n, (int)reader->n_column);
    }
    sweep->n++;
    return EW_OK;
}

static ew_status read_rows(table_reader *reader)
{
    const char *at, *end;
    EW_TRY(read_head(reader));
    EW_TRY(need_columns(reader));
    while (next_line(reader, &at, &end)) {
        EW_TRY(read_row(reader, at, end));
    }
    return reader->sweep.n
               ? EW_OK
               : ew_fail(EW_BAD_INPUT, "%s: has a head and no rows; a sweep needs at least one",
                         reader->sweep.file);
}

/* All parameters of the case, where the sweep names none. */
static ew_status list_parameters(table_reader *reader, ew_arena_block **arena)
{
    ew_case_sweep *sweep = &reader->sweep;
    const int32_t n = reader->input->n_parameter;
    if (sweep->n_parameter) {
        return EW_OK;
    }
    EW_TRY(ew_arena_take(arena, (size_t)n * sizeof *sweep->parameter, &sweep->parameter));
    for (int32_t k = 0; k < n; k++) {
        sweep->parameter[k] = k;
    }
    sweep->n_parameter = n;
    return EW_OK;
}

ew_status ew_case_read_rows(ew_case *input, const char *text, size_t size)
{
    table_reader reader = {.input = input, .sweep = *input->sweep, .at = text, .end = text + size};
    ew_arena_block *arena = input->arena;
    double *value;
    reader.sweep.value = NULL;
    reader.sweep.n = 0;
    if (size >= 3 && !memcmp(text, "\xEF\xBB\xBF", 3)) {
        reader.at += 3;
    }
    ew_status status = list_parameters(&reader, &arena);
    status = status ? status : read_rows(&reader);
    const size_t bytes = (size_t)reader.sweep.n * (size_t)reader.sweep.n_parameter * sizeof *value;
    if (!status) {
        status = ew_arena_take(&arena, bytes, &value);
    }
    if (!status) {
        memcpy(value, reader.sweep.value, bytes);
    }
    ew_release(reader.sweep.value);
    input->arena = arena;
    if (!status) {
        reader.sweep.value = value;
        *input->sweep = reader.sweep;
    }
    return status;
}
