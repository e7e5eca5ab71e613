/* The log: JSON lines, for programs that watch a run. */
#include "tool.h"

#include <errno.h>
#include <math.h>
#include <string.h>

ew_status tool_log_open(tool_log *log, const char *path)
{
    log->file = NULL;
    log->path = path;
    if (!path) {
        return EW_OK;
    }
    log->file = fopen(path, "w");
    return log->file ? EW_OK : ew_fail(EW_IO, "%s: cannot be written: %s", path, strerror(errno));
}

static void put_text(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') {
            fprintf(file, "\\%c", c);
        } else if (c < 0x20) {
            fprintf(file, "\\u%04x", c);
        } else {
            fputc(c, file);
        }
    }
    fputc('"', file);
}

/* JSON has no infinities and no NaN. */
static void put_number(FILE *file, double value)
{
    if (isfinite(value)) {
        fprintf(file, "%.17g", value);
    } else {
        fputs("null", file);
    }
}

static bool put_key(tool_log *log, const char *key)
{
    if (!log->file) {
        return false;
    }
    fputs(log->first ? "{" : ", ", log->file);
    log->first = false;
    put_text(log->file, key);
    fputs(": ", log->file);
    return true;
}

void tool_log_begin(tool_log *log, const char *event)
{
    log->first = true;
    tool_log_text(log, "event", event);
}

void tool_log_text(tool_log *log, const char *key, const char *value)
{
    if (put_key(log, key)) {
        put_text(log->file, value);
    }
}

void tool_log_number(tool_log *log, const char *key, double value)
{
    if (put_key(log, key)) {
        put_number(log->file, value);
    }
}

void tool_log_vector(tool_log *log, const char *key, const double *value, int32_t n)
{
    if (put_key(log, key)) {
        for (int32_t i = 0; i < n; i++) {
            fputs(i ? ", " : "[", log->file);
            put_number(log->file, value[i]);
        }
        fputc(']', log->file);
    }
}

void tool_log_end(tool_log *log)
{
    if (log->file) {
        fputs("}\n", log->file);
        fflush(log->file);
    }
}

ew_status tool_log_close(tool_log *log)
{
    if (!log->file) {
        return EW_OK;
    }
    const bool bad = ferror(log->file) != 0;
    const bool closed = !fclose(log->file);
    log->file = NULL;
    return !bad && closed ? EW_OK
                          : ew_fail(EW_IO, "%s: writing failed: %s", log->path, strerror(errno));
}
