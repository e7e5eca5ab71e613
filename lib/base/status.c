/* Status codes and this thread's last failure. In: a code and a printf line. Out: the same code, so
 * that a failure reads `return ew_fail(...)`. The failure lives in fixed thread-local memory,
 * because reporting "out of memory" must not allocate. */
#include "base/parts/base.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_SIZE = sizeof((ew_failure *)0)->text };

static _Thread_local ew_failure failure = {.id = {-1, -1}};

const char *ew_status_text(ew_status status)
{
    static const char *const text[] = {
#define EW_STATUS_TEXT(name, words) words,
        EW_STATUS_LIST(EW_STATUS_TEXT)
#undef EW_STATUS_TEXT
    };
    return (unsigned)status < EW_STATUS_COUNT ? text[status] : "unknown status";
}

const ew_failure *ew_last_failure(void)
{
    return &failure;
}

/* Formats aside first: an argument may be the current text itself. Arguments quote files and
 * command lines, so line breaks and other control characters in them become '?'. */
static void set_text(const char *format, va_list arguments, const char *separator, const char *tail)
{
    char line[TEXT_SIZE];
    int n = vsnprintf(line, sizeof line, format, arguments);
    size_t length = n < 0 ? 0 : (size_t)n < sizeof line ? (size_t)n : sizeof line - 1;
    line[length] = '\0';
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)line[i] < 0x20 || line[i] == 0x7f) {
            line[i] = '?';
        }
    }
    snprintf(line + length, sizeof line - length, "%s%s", separator, tail);
    memcpy(failure.text, line, strlen(line) + 1);
}

static void set(ew_status status, int32_t line, int64_t first, int64_t second, const char *format,
                va_list arguments)
{
    set_text(format, arguments, "", "");
    failure.status = status;
    failure.line = line;
    failure.file_line = 0;
    failure.id[0] = first;
    failure.id[1] = second;
}

ew_status ew_fail(ew_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set(status, 0, -1, -1, format, arguments);
    va_end(arguments);
    return status;
}

ew_status ew_fail_text(ew_status status, const char *text)
{
    return ew_fail(status, "%s", text ? text : ew_status_text(status));
}

ew_status ew_fail_at(ew_status status, int32_t line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set(status, line, -1, -1, format, arguments);
    va_end(arguments);
    return status;
}

ew_status ew_fail_about(ew_status status, int64_t first, int64_t second, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set(status, 0, first, second, format, arguments);
    va_end(arguments);
    return status;
}

ew_status ew_fail_prefix(ew_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set_text(format, arguments, ": ", *failure.text ? failure.text : ew_status_text(status));
    va_end(arguments);
    failure.status = status;
    return status;
}

ew_status ew_fail_in_file(ew_status status, const char *path)
{
    const int32_t line = failure.line;
    if (!line) {
        return ew_fail_prefix(status, "%s", path);
    }
    failure.line = 0;
    failure.file_line = line;
    return ew_fail_prefix(status, "%s:%d", path, (int)line);
}

ew_status ew_fail_line(ew_status status, int32_t line)
{
    failure.line = failure.line ? failure.line : line;
    return status;
}

const char *ew_message(void)
{
    static _Thread_local char message[TEXT_SIZE + 20];
    if (!failure.line) {
        return failure.text;
    }
    snprintf(message, sizeof message, "line %d: %s", (int)failure.line, failure.text);
    return message;
}
