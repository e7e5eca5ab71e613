/* Bulk data of Nastran (MSC Nastran Quick Reference Guide, "Format of Bulk Data Entries"): fields
 * of 8 or 16 columns or between commas, with continuation lines. In: a text. Out: its cards one by
 * one, their fields, and numbers of these. */
#include "format/formats.h"
#include "format/framework/scan.h"

#include <string.h>

enum { COLUMNS = 72 };

ew_bulk ew_bulk_begin(const char *data, size_t size)
{
    return (ew_bulk){.at = data, .end = data + size, .next_line = 1};
}

void ew_bulk_free(ew_bulk *bulk)
{
    ew_release(bulk->field);
    bulk->field = NULL;
    bulk->capacity = bulk->n = 0;
}

/* ---- lines ------------------------------------------------------------------------ */

static void leave_line(ew_bulk *bulk)
{
    const char *stop = memchr(bulk->at, '\n', (size_t)(bulk->end - bulk->at));
    bulk->at = stop ? stop + 1 : bulk->end;
    bulk->next_line++;
}

/* The line that is next, up to a comment, tabs widened; zeros behind it. */
static void see_line(const ew_bulk *bulk, char text[COLUMNS + 9])
{
    int n = 0;
    memset(text, 0, COLUMNS + 9);
    for (const char *p = bulk->at; p < bulk->end && *p != '\n' && *p != '\r' && *p != '$'; p++) {
        const bool tab = *p == '\t';
        do {
            if (n < COLUMNS + 8) {
                text[n++] = tab || *p < ' ' || *p > '~' ? ' ' : *p;
            }
        } while (tab && n % 8 && n < COLUMNS + 8);
    }
}

static bool is_free(const char *text)
{
    const size_t n = strcspn(text, ",");
    return text[n] == ',' && n <= 8;
}

static bool continues(const char *text)
{
    const size_t n = strspn(text, " ");
    return *text == '+' || *text == '*' || (*text == ',') || (n >= 8 && text[n]);
}

/* A field, its blanks left out. */
static ew_status copy_field(ew_bulk *to, const char *from, size_t n)
{
    int length = 0;
    EW_TRY(ew_grow(&to->field, &to->capacity, (int64_t)to->n + 1, sizeof *to->field));
    for (size_t i = 0; i < n && from[i]; i++) {
        if (from[i] != ' ' && length < EW_BULK_FIELD - 1) {
            to->field[to->n][length++] = from[i];
        }
    }
    to->field[to->n++][length] = 0;
    return EW_OK;
}

/* Fields behind the first: eight, or four of double width; blank ones where the line ends early. */
static ew_status add_fields(ew_bulk *to, const char *text, bool wide)
{
    const int count = wide ? 4 : 8;
    if (is_free(text)) {
        const char *at = text + strcspn(text, ",");
        for (int i = 0; i < count; i++) {
            const size_t n = *at ? strcspn(at + 1, ",") : 0;
            EW_TRY(copy_field(to, *at ? at + 1 : at, n));
            at += *at ? n + 1 : 0;
        }
        return EW_OK;
    }
    const size_t length = strlen(text), width = wide ? 16 : 8;
    for (int i = 0; i < count; i++) {
        const size_t from = 8 + (size_t)i * width;
        EW_TRY(copy_field(to, from < length ? text + from : "", width));
    }
    return EW_OK;
}

static void take_name(ew_bulk *to, const char *text, bool *wide)
{
    const char *at = text + strspn(text, " ");
    int n = 0;
    memset(to->name, 0, sizeof to->name);
    for (; n < 8 && *at && *at != ',' && *at != ' ' && *at != '*'; at++) {
        to->name[n++] = *at >= 'a' && *at <= 'z' ? (char)(*at - 32) : *at;
    }
    if (n && to->name[n - 1] == '_') { /* meshio calls tets of ten nodes CTETRA_ */
        to->name[n - 1] = 0;
    }
    *wide = *at == '*';
}

ew_status ew_bulk_next(ew_bulk *bulk, bool *has_card)
{
    char text[COLUMNS + 9];
    bool wide;
    *has_card = false;
    for (;; leave_line(bulk)) {
        if (bulk->at >= bulk->end) {
            return EW_OK;
        }
        see_line(bulk, text);
        if (text[strspn(text, " ")] && !continues(text)) {
            break;
        }
    }
    bulk->line = bulk->next_line;
    bulk->n = 0;
    take_name(bulk, text, &wide);
    do {
        EW_TRY(add_fields(bulk, text, wide));
        leave_line(bulk);
        see_line(bulk, text);
        wide = *text == '*';
    } while (bulk->at < bulk->end && continues(text));
    *has_card = strcmp(bulk->name, "ENDDATA") != 0;
    return EW_OK;
}

/* Whether a line is BEGIN BULK. */
static bool begins_data(const char *text)
{
    const char *at = text + strspn(text, " ");
    return (at[0] == 'B' || at[0] == 'b') && (at[1] == 'E' || at[1] == 'e') &&
           strspn(at, "BEGINbegin") == 5 && at[5] == ' ';
}

bool ew_bulk_skip_control(ew_bulk *bulk)
{
    const ew_bulk start = *bulk;
    char text[COLUMNS + 9];
    for (; bulk->at < bulk->end; leave_line(bulk)) {
        see_line(bulk, text);
        if (begins_data(text)) {
            leave_line(bulk);
            return true;
        }
    }
    *bulk = start;
    return false;
}

/* ---- numbers ------------------------------------------------------------------------ */

const char *ew_bulk_text(const ew_bulk *bulk, int32_t field)
{
    return field < bulk->n ? bulk->field[field] : "";
}

ew_status ew_bulk_int(const ew_bulk *bulk, int32_t field, const char *what, int64_t low,
                      int64_t *value)
{
    const char *text = ew_bulk_text(bulk, field);
    ew_scan scan = ew_scan_begin(text, strlen(text), "");
    scan.line = (int32_t)bulk->line;
    return ew_scan_int(&scan, what, low, INT32_MAX, value);
}

/* 1.5-3 is 1.5e-3, and so is 1.5D-3. */
ew_status ew_bulk_real(const ew_bulk *bulk, int32_t field, const char *what, double preset,
                       double *value)
{
    char text[EW_BULK_FIELD + 2];
    int n = 0;
    for (const char *p = ew_bulk_text(bulk, field); *p && n < EW_BULK_FIELD; p++) {
        const bool sign = (*p == '-' || *p == '+') && n;
        const char before = n ? text[n - 1] : 'e';
        if (sign && ((before >= '0' && before <= '9') || before == '.')) {
            text[n++] = 'e';
        }
        text[n++] = *p == 'D' || *p == 'd' ? 'e' : *p;
    }
    ew_scan scan = ew_scan_begin(text, (size_t)n, "");
    scan.line = (int32_t)bulk->line;
    *value = preset;
    return n ? ew_scan_real(&scan, what, value) : EW_OK;
}
