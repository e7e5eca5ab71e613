/* A text that grows: notes of what is left out, and the head of a case that has them. */
#include "scene/internal.h"

#include <stdarg.h>
#include <stdio.h>
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

void scene_put_head(ew_case_draft *draft, const char *what, const char *name, const words *notes)
{
    char line[512];
    snprintf(line, sizeof line, "Made from a %s, '%.400s', by edgewise convert.%s\n", what, name,
             notes->n ? " Left out, or read in another way:" : "");
    ew_case_draft_head(draft, line);
    for (const char *at = notes->n ? notes->text : ""; *at;) {
        const size_t n = strcspn(at, "\n");
        snprintf(line, sizeof line, "  %.*s\n", (int)(n < 500 ? n : 500), at);
        ew_case_draft_head(draft, line);
        at += n + (at[n] == '\n');
    }
}
