/* Text of a page: grows, escapes, encodes. */
#include "page.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

static char *room(page *to, size_t n)
{
    if (!to->status) {
        to->status =
            ew_grow(&to->text.data, &to->capacity, (int64_t)to->text.size + (int64_t)n + 1, 1);
    }
    return to->status ? NULL : to->text.data + to->text.size;
}

void page_add(page *to, const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    const int n = vsnprintf(NULL, 0, format, list);
    char *at = room(to, (size_t)(n > 0 ? n : 0));
    if (at && n > 0) {
        vsnprintf(at, (size_t)n + 1, format, again);
        to->text.size += (size_t)n;
    }
    va_end(again);
    va_end(list);
}

void page_add_text(page *to, const char *text)
{
    page_add_line(to, text, strlen(text));
}

void page_add_line(page *to, const char *text, size_t n)
{
    for (const char *c = text; c < text + n; c++) {
        switch (*c) {
        case '<':
            page_add(to, "&lt;");
            break;
        case '>':
            page_add(to, "&gt;");
            break;
        case '&':
            page_add(to, "&amp;");
            break;
        case '"':
            page_add(to, "&quot;");
            break;
        default:
            page_add(to, "%c", (unsigned char)*c < 0x20 && *c != '\n' && *c != '\t' ? ' ' : *c);
        }
    }
}

void page_add_bytes(page *to, const void *data, size_t n)
{
    char *at = room(to, n);
    if (at && n) {
        memcpy(at, data, n);
        to->text.size += n;
    }
}

void page_add_base64(page *to, const ew_text *data)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *from = (const unsigned char *)data->data;
    char *at = room(to, 4 * ((data->size + 2) / 3));
    for (size_t i = 0; i < data->size && at; i += 3) {
        const size_t n = data->size - i < 3 ? data->size - i : 3;
        const uint32_t bits = (uint32_t)from[i] << 16 | (n > 1 ? (uint32_t)from[i + 1] << 8 : 0) |
                              (n > 2 ? from[i + 2] : 0);
        at[0] = digit[bits >> 18];
        at[1] = digit[bits >> 12 & 63];
        at[2] = n > 1 ? digit[bits >> 6 & 63] : '=';
        at[3] = n > 2 ? digit[bits & 63] : '=';
        at += 4;
        to->text.size += 4;
    }
}

/* ---- tables -------------------------------------------------------------------------- */

void page_open_table(page *to)
{
    page_add(to, "<div class='wide' tabindex='0'><table>");
}

void page_close_table(page *to)
{
    page_add(to, "</table></div>\n");
}

void page_add_head(page *to, const char *title, const char *unit, bool is_text)
{
    page_add(to, is_text ? "<th class='t'>" : "<th>");
    page_add_text(to, title);
    if (*unit) {
        page_add(to, "<small>");
        page_add_text(to, unit);
        page_add(to, "</small>");
    }
    page_add(to, "</th>");
}

void page_add_cell(page *to, double value, const char *format)
{
    char text[64] = "";
    if (isfinite(value)) {
        snprintf(text, sizeof text, format, value);
    }
    page_add(to, "<td>%s</td>", text);
}

void page_add_text_cell(page *to, const char *text)
{
    page_add(to, "<td class='t'>");
    page_add_text(to, text);
    page_add(to, "</td>");
}
