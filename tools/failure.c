/* Failures: one line on the error stream, and the exit status that goes with it. */
#include "tool.h"

#include <stdarg.h>

static const char *program = "edgewise";

void tool_name_program(const char *name)
{
    program = name;
}

int tool_refuse(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fprintf(stderr, "%s: ", program);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
    return TOOL_BAD_INPUT;
}

int tool_report_failure(ew_status status, const char *file)
{
    if (file) {
        ew_fail_in_file(status, file);
    }
    tool_refuse("%s", *ew_message() ? ew_message() : ew_status_text(status));
    switch (status) {
    case EW_NO_MEMORY:
    case EW_CANCELED:
    case EW_DEVICE:
    case EW_UNDER_CONSTRAINED:
    case EW_NOT_CONVERGED:
    case EW_INDEFINITE:
    case EW_NOT_FINITE:
    case EW_MATRIX_DIFFERS:
        return TOOL_FAILED;
    default:
        return TOOL_BAD_INPUT;
    }
}
