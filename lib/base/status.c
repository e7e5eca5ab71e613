/* Status codes and this thread's message. In: a code and a printf line. Out: the
 * same code, so that a failure reads `return ew_fail(...)`. The message lives in a
 * fixed thread-local buffer, because reporting "out of memory" must not allocate. */
#include "base/base.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_SIZE = 2048 };

static _Thread_local char message[MESSAGE_SIZE];

const char *ew_status_text(ew_status status)
{
    static const char *const text[] = {
#define EW_STATUS_TEXT(name, words) words,
        EW_STATUS_LIST(EW_STATUS_TEXT)
#undef EW_STATUS_TEXT
    };
    return (unsigned)status < EW_STATUS_COUNT ? text[status] : "unknown status";
}

/* Formats aside first: an argument may be the current message itself. Arguments quote files and
 * command lines, so line breaks and other control characters in them become '?'. */
static void set_message(const char *format, va_list arguments, const char *separator,
                        const char *tail)
{
    char line[MESSAGE_SIZE];
    int n = vsnprintf(line, sizeof line, format, arguments);
    size_t length = n < 0 ? 0 : (size_t)n < sizeof line ? (size_t)n : sizeof line - 1;
    line[length] = '\0';
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)line[i] < 0x20 || line[i] == 0x7f) {
            line[i] = '?';
        }
    }
    snprintf(line + length, sizeof line - length, "%s%s", separator, tail);
    memcpy(message, line, strlen(line) + 1);
}

ew_status ew_fail(ew_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set_message(format, arguments, "", "");
    va_end(arguments);
    return status;
}

const char *ew_message(void)
{
    return message;
}

ew_status ew_fail_prefix(ew_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set_message(format, arguments, ": ", message);
    va_end(arguments);
    return status;
}
