/* The log: JSON lines, for programs that watch a run. */
#define _POSIX_C_SOURCE 200809L
#include "tool.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

/* A mistyped name must not cost a case or a mesh: only a log, which begins like this, is
 * overwritten. */
static bool may_overwrite(const char *path)
{
    static const char begin[] = "{\"event\": \"";
    char read[sizeof begin] = "";
    struct stat about;
    if (stat(path, &about) || !S_ISREG(about.st_mode) || about.st_size == 0) {
        return true;
    }
    FILE *file = fopen(path, "r");
    const bool is_log = file && fread(read, 1, sizeof begin - 1, file) == sizeof begin - 1 &&
                        !memcmp(read, begin, sizeof begin - 1);
    if (file) {
        fclose(file);
    }
    return is_log;
}

ew_status tool_log_open(tool_log *log, const char *path)
{
    log->file = NULL;
    log->path = path;
    if (!path) {
        return EW_OK;
    }
    if (!may_overwrite(path)) {
        return ew_fail(EW_IO, "%s: is no log; name another file", path);
    }
    log->file = fopen(path, "w");
    return log->file ? EW_OK : ew_fail(EW_IO, "%s: cannot be written: %s", path, strerror(errno));
}

/* Bytes of the UTF-8 character at `text`, or 0 where there is none: names of files may be any
 * bytes, and messages cut long names anywhere, but JSON is UTF-8. */
static int character_bytes(const unsigned char *text)
{
    const int n = text[0] < 0x80                       ? 1
                  : text[0] >= 0xc2 && text[0] <= 0xdf ? 2
                  : text[0] >= 0xe0 && text[0] <= 0xef ? 3
                  : text[0] >= 0xf0 && text[0] <= 0xf4 ? 4
                                                       : 0;
    for (int i = 1; i < n; i++) {
        if ((text[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    const bool too_long =
        (text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xf0 && text[1] < 0x90);
    const bool outside =
        (text[0] == 0xed && text[1] >= 0xa0) || (text[0] == 0xf4 && text[1] >= 0x90);
    return too_long || outside ? 0 : n;
}

static void put_text(FILE *file, const char *text)
{
    fputc('"', file);
    for (const unsigned char *c = (const unsigned char *)text; *c;) {
        const int n = character_bytes(c);
        if (!n) {
            fputs("\\ufffd", file);
        } else if (*c == '"' || *c == '\\') {
            fprintf(file, "\\%c", *c);
        } else if (*c < 0x20) {
            fprintf(file, "\\u%04x", *c);
        } else {
            fwrite(c, 1, (size_t)n, file);
        }
        c += n ? n : 1;
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
