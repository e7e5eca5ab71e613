/* A text that grows. In: formats, numbers. Out: YAML that reads back to the same bits. */
#include "scene/internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_bytes(words *to, const char *text, size_t n)
{
    if (!to->status) {
        to->status = ew_grow(&to->text, &to->capacity, (int64_t)to->n + (int64_t)n + 1, 1);
    }
    if (!to->status) {
        memcpy(to->text + to->n, text, n);
        to->n += (int32_t)n;
        to->text[to->n] = 0;
    }
}

void words_add(words *to, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    const int n = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    add_bytes(to, text, n < (int)sizeof text ? (size_t)n : sizeof text - 1);
}

void words_join(words *to, const words *from)
{
    if (from->n) {
        add_bytes(to, from->text, (size_t)from->n);
    }
    to->status = to->status ? to->status : from->status;
}

void words_add_number(words *to, double value)
{
    char text[64];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) {
            break;
        }
    }
    for (char *at = text; *at; at++) { /* whatever the locale's point is */
        *at = strchr("0123456789+-e", *at) ? *at : '.';
    }
    add_bytes(to, text, strlen(text));
}

void words_add_vector(words *to, const double *value, int32_t n)
{
    for (int32_t i = 0; i < n; i++) {
        add_bytes(to, i ? ", " : "[", i ? 2 : 1);
        words_add_number(to, value[i]);
    }
    add_bytes(to, "]", 1);
}

void words_add_quoted(words *to, const char *text)
{
    add_bytes(to, "'", 1);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        const char kept = c < ' ' || c == 127 ? ' ' : *text;
        add_bytes(to, &kept, 1);
        if (kept == '\'') {
            add_bytes(to, "'", 1);
        }
    }
    add_bytes(to, "'", 1);
}
