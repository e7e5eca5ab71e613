/* Tags of an XML file of VTK. In: its text up to appended data, which are none. Out: tag after tag
 * with attributes. Nothing is built from them, so that nesting needs no bound. */
#include "format/vtk/vtu.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

ew_status ew_vtu_fail(const ew_vtu *r, const char *at, const char *format, ...)
{
    char text[300];
    int32_t line = 1;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (const char *c = r->data; c < at; c++) {
        line += *c == '\n';
    }
    return ew_fail_at(EW_BAD_INPUT, line, "%s", text);
}

const char *ew_vtu_find(const char *at, const char *end, const char *word)
{
    const size_t n = strlen(word);
    while (at < end) {
        const char *first = memchr(at, word[0], (size_t)(end - at));
        if (!first || (size_t)(end - first) < n) {
            return NULL;
        }
        if (!memcmp(first, word, n)) {
            return first;
        }
        at = first + 1;
    }
    return NULL;
}

/* The next tag, comments and declarations passed over; false at the end. A '>' within quotes ends
 * none. */
bool ew_vtu_next_tag(ew_vtu *r, ew_vtu_tag *t)
{
    for (;;) {
        const char *open = memchr(r->at, '<', (size_t)(r->end - r->at)), *at;
        if (!open) {
            return false;
        }
        if (r->end - open > 4 && !memcmp(open, "<!--", 4)) {
            at = ew_vtu_find(open, r->end, "-->");
            r->at = at ? at + 3 : r->end;
            continue;
        }
        char quote = 0;
        for (at = open + 1; at < r->end && (quote || *at != '>'); at++) {
            quote = quote ? (*at == quote ? 0 : quote) : *at == '"' || *at == '\'' ? *at : 0;
        }
        if (at == r->end) {
            return false;
        }
        t->name = open + 1;
        t->end = at;
        t->name_size = 0;
        while (t->name + t->name_size < at && (unsigned char)t->name[t->name_size] > ' ' &&
               (t->name[t->name_size] != '/' || !t->name_size)) {
            t->name_size++;
        }
        t->attributes = t->name + t->name_size;
        r->at = at + 1;
        if (*t->name != '?' && *t->name != '!') {
            return true;
        }
    }
}

bool ew_vtu_is_named(const ew_vtu_tag *t, const char *name)
{
    return strlen(name) == t->name_size && !memcmp(name, t->name, t->name_size);
}

/* The value of an attribute, cut to its room; "" where it is absent. */
bool ew_vtu_attribute(const ew_vtu_tag *t, const char *key, char value[EW_GROUP_NAME])
{
    const size_t n = strlen(key);
    value[0] = 0;
    for (const char *at = t->attributes; at < t->end;) {
        const char *equals = memchr(at, '=', (size_t)(t->end - at));
        const char *open = equals ? equals + 1 : t->end, *stop, *last = equals;
        while (open < t->end && *open != '"' && *open != '\'') {
            open++;
        }
        if (!equals || open == t->end) {
            return false;
        }
        stop = memchr(open + 1, *open, (size_t)(t->end - open - 1));
        if (!stop) {
            return false;
        }
        while (at < last && (unsigned char)*at <= ' ') {
            at++;
        }
        while (last > at && (unsigned char)last[-1] <= ' ') {
            last--;
        }
        if ((size_t)(last - at) == n && !memcmp(at, key, n)) {
            const size_t size = (size_t)(stop - open - 1);
            const size_t kept = size < EW_GROUP_NAME ? size : EW_GROUP_NAME - 1;
            memcpy(value, open + 1, kept);
            value[kept] = 0;
            return true;
        }
        at = stop + 1;
    }
    return false;
}

/* The five entities of XML. */
void ew_vtu_replace_entities(char *text)
{
    static const struct {
        const char *name;
        char is;
    } known[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
    char *to = text;
    while (*text) {
        size_t n = 1;
        *to = *text;
        for (size_t i = 0; i < 5 && *text == '&'; i++) {
            if (!strncmp(text, known[i].name, strlen(known[i].name))) {
                *to = known[i].is;
                n = strlen(known[i].name);
                break;
            }
        }
        to++;
        text += n;
    }
    *to = 0;
}

ew_status ew_vtu_whole(const ew_vtu *r, const ew_vtu_tag *t, const char *key, bool needed,
                       int64_t *value)
{
    char text[EW_GROUP_NAME];
    *value = 0;
    if (!ew_vtu_attribute(t, key, text) && !needed) {
        return EW_OK;
    }
    size_t n = 0;
    for (; text[n] >= '0' && text[n] <= '9' && n < 18; n++) {
        *value = 10 * *value + (text[n] - '0');
    }
    return n && !text[n]
               ? EW_OK
               : ew_vtu_fail(r, t->name, "%s is '%.40s'; expected a whole number", key, text);
}
