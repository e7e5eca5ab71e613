/* The amplitudes of a case into the model, those of files with the tables that these hold. */
#include "study/run/run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char separators[] = " \t,;\r";

/* The number in a column (from 1) of a line that ends at `end`. False where there is none. */
static bool number_in(const char *line, const char *end, int32_t column, double *number)
{
    char word[64];
    for (int32_t k = 1;; k++) {
        line += strspn(line, " \t\r");
        const char *stop = line;
        while (stop < end && !strchr(separators, *stop)) {
            stop++;
        }
        if (k == column) {
            const size_t n = (size_t)(stop - line);
            char *rest;
            if (!n || n >= sizeof word) {
                return false;
            }
            memcpy(word, line, n);
            word[n] = 0;
            *number = strtod(word, &rest);
            return !*rest;
        }
        stop += strspn(stop, " \t\r");
        if (stop >= end) {
            return false;
        }
        line = stop + (*stop == ',' || *stop == ';');
    }
}

typedef struct table_reader {
    const ew_case_amplitude *of;
    double *time, *value; /* owned */
    int32_t n, time_capacity, value_capacity;
} table_reader;

/* Lines before the first numbers are a head; # begins a comment; empty lines are none. */
static ew_status read_line(table_reader *reader, const char *line, const char *end, int32_t number)
{
    const ew_case_amplitude *of = reader->of;
    double time, value;
    if (line + strspn(line, separators) >= end || *line == '#') {
        return EW_OK;
    }
    if (!number_in(line, end, of->time_column, &time) ||
        !number_in(line, end, of->column, &value)) {
        return reader->n == 0
                   ? EW_OK
                   : ew_fail(EW_BAD_INPUT,
                             "%s:%d: no numbers in columns %d and %d; a line has a "
                             "time and a value, and what else there is",
                             of->file, (int)number, (int)of->time_column, (int)of->column);
    }
    if (memchr(line, ',', (size_t)(end - line)) && memchr(line, ';', (size_t)(end - line))) {
        return ew_fail(
            EW_BAD_INPUT,
            "%s:%d: commas and semicolons in one line; numbers have a decimal point, and "
            "columns are separated by one of the two",
            of->file, (int)number);
    }
    EW_TRY(ew_grow(&reader->time, &reader->time_capacity, (int64_t)reader->n + 1,
                   sizeof *reader->time));
    EW_TRY(ew_grow(&reader->value, &reader->value_capacity, (int64_t)reader->n + 1,
                   sizeof *reader->value));
    reader->time[reader->n] = time;
    reader->value[reader->n++] = of->scale * value;
    return EW_OK;
}

/* text ends with a zero byte, which every line reader above stops at. */
static ew_status read_lines(table_reader *reader, const char *text)
{
    static const char byte_order_mark[] = "\xEF\xBB\xBF";
    int32_t number = 0;
    text += strncmp(text, byte_order_mark, 3) ? 0 : 3;
    while (*text) {
        const char *end = text + strcspn(text, "\n");
        EW_TRY(read_line(reader, text, end, ++number));
        text = *end ? end + 1 : end;
    }
    return reader->n
               ? EW_OK
               : ew_fail(EW_BAD_INPUT, "%s: no line has numbers in columns %d and %d",
                         reader->of->file, (int)reader->of->time_column, (int)reader->of->column);
}

static ew_status read_file(ew_study *study, table_reader *reader)
{
    ew_text text = {0};
    char *whole = NULL;
    if (!study->def.read_text) {
        return ew_refuse(EW_RULE_READER, "'%s'", reader->of->file);
    }
    EW_TRY(study->def.read_text(study->def.user, reader->of->file, &text));
    ew_status status = ew_new(&whole, text.size + 1, 1);
    if (!status) {
        memcpy(whole, text.data, text.size);
        whole[text.size] = 0;
        status = read_lines(reader, whole);
    }
    ew_release(whole);
    ew_text_free(&text);
    return status;
}

static ew_status define(ew_study *study, int32_t number)
{
    const ew_case_amplitude *from = &study->input->amplitude[number];
    ew_amplitude *to = &study->amplitude[number];
    table_reader reader = {.of = from};
    *to = from->as;
    if (!from->file) {
        return EW_OK;
    }
    const ew_status status = read_file(study, &reader);
    to->n = reader.n;
    to->time = reader.time;
    to->value = reader.value;
    EW_TRY(status);
    return ew_amplitude_check(to);
}

ew_status ew_study_define_amplitudes(ew_study *study)
{
    const int32_t n = study->input->n_amplitude;
    EW_TRY(ew_new_zero(&study->amplitude, (size_t)n, sizeof *study->amplitude));
    for (int32_t i = 0; i < n; i++) {
        const ew_case_amplitude *from = &study->input->amplitude[i];
        const ew_status status = define(study, i);
        if (status) {
            ew_fail_line(status, from->line);
            return ew_fail_prefix(status, "amplitude '%.60s'", from->name);
        }
    }
    return ew_model_set_amplitudes(study->model, n, study->amplitude);
}

void ew_study_free_amplitudes(ew_study *study)
{
    for (int32_t i = 0; study->amplitude && i < study->input->n_amplitude; i++) {
        if (study->input->amplitude[i].file) {
            ew_release((double *)study->amplitude[i].time);
            ew_release((double *)study->amplitude[i].value);
        }
    }
    ew_release(study->amplitude);
    study->amplitude = NULL;
}
