/* Scalars of a case as YAML writes them. In: numbers and texts. Out: text that reads back to the
 * same bits and to the same characters. */
#include "case/draft.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- text ------------------------------------------------------------------------------------ */

void ew_case_text_add(ew_case_text *to, const char *text, size_t n)
{
    if (!to->status) {
        to->status = ew_grow(&to->data, &to->capacity, (int64_t)to->n + (int64_t)n + 1, 1);
    }
    if (!to->status) {
        memcpy(to->data + to->n, text, n);
        to->n += (int32_t)n;
        to->data[to->n] = 0;
    }
}

static void add(ew_case_text *to, const char *text)
{
    ew_case_text_add(to, text, strlen(text));
}

/* Also other readers of YAML take it for a number: "1.0e+20", with a point. */
void ew_case_number_text(double value, char text[EW_CASE_NUMBER])
{
    for (int digits = fabs(value) < 1e-300 ? 1 : 15; digits <= 17; digits++) {
        snprintf(text, EW_CASE_NUMBER, "%.*g", digits, value);
        if (strtod(text, NULL) == value) {
            break;
        }
    }
    for (char *at = text; *at; at++) { /* whatever the locale's point is */
        *at = strchr("0123456789+-e", *at) ? *at : '.';
    }
    char *exponent = strchr(text, 'e');
    if (exponent && !strchr(text, '.')) {
        memmove(exponent + 2, exponent, strlen(exponent) + 1);
        memcpy(exponent, ".0", 2);
    }
}

/* ---- quotes ---------------------------------------------------------------------------------- */

/* The character at `text` (UTF-8) and how many bytes it has; 0: it is none. */
int ew_case_character(const char *text, uint32_t *character)
{
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *at = (const unsigned char *)text;
    const int n = *at < 0x80 ? 1 : *at < 0xc0 ? 0 : *at < 0xe0 ? 2 : *at < 0xf0 ? 3 : 4;
    *character = n == 1 ? *at : *at & (0x7fu >> n);
    for (int i = 1; i < n; i++) {
        if ((at[i] & 0xc0) != 0x80) {
            return 0;
        }
        *character = *character << 6 | (at[i] & 0x3fu);
    }
    const bool is_one = n && *at < 0xf8 && *character >= least[n] && *character <= 0x10ffff &&
                        (*character < 0xd800 || *character > 0xdfff);
    return is_one ? n : 0;
}

bool ew_case_is_printable(uint32_t c)
{
    return (c >= 0x20 && c < 0x7f) || (c >= 0xa0 && c < 0xfeff && c != 0x2028 && c != 0x2029) ||
           (c > 0xfeff && c < 0xfffe) || c >= 0x10000;
}

/* Words that readers of YAML take for something else than a text. */
static bool is_reserved(const char *text)
{
    static const char words[] = " true false null yes no on off y n ";
    char word[16];
    const int n = snprintf(word, sizeof word, " %.8s ", text);
    for (int i = 0; i < n; i++) {
        word[i] = (char)(word[i] >= 'A' && word[i] <= 'Z' ? word[i] + 32 : word[i]);
    }
    return strlen(text) <= 8 && strstr(words, word);
}

/* Whether a text needs no quotes: words of letters, digits and some signs. */
static bool is_plain(const char *text)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
    static const char others[] = "0123456789-./ ";
    const size_t n = strlen(text);
    size_t i = 0;
    while (i < n && (strchr(letters, text[i]) || (i && strchr(others, text[i])))) {
        i++;
    }
    return n && i == n && text[n - 1] != ' ' && !is_reserved(text);
}

static void add_escaped(uint32_t character, ew_case_text *to)
{
    char text[16];
    snprintf(text, sizeof text, character < 0x10000 ? "\\u%04x" : "\\U%08x", (unsigned)character);
    add(to, text);
}

ew_status ew_case_quote(const char *text, ew_case_text *to)
{
    bool is_all_printable = true;
    uint32_t c;
    int n;
    for (const char *at = text; *at; at += n) {
        n = ew_case_character(at, &c);
        if (!n || c < ' ' || (c >= 0x7f && c < 0xa0)) {
            return ew_fail(EW_BAD_INPUT, "the name '%.60s' %s; take another name", text,
                           n ? "has control characters" : "is not UTF-8, which a case is");
        }
        is_all_printable = is_all_printable && ew_case_is_printable(c);
    }
    const char quote = is_all_printable ? '\'' : '"';
    if (is_plain(text)) {
        add(to, text);
        return to->status;
    }
    ew_case_text_add(to, &quote, 1);
    for (const char *at = text; *at; at += n) {
        n = ew_case_character(at, &c);
        if (!ew_case_is_printable(c)) {
            add_escaped(c, to);
            continue;
        }
        if (quote == '"' && (c == '"' || c == '\\')) {
            add(to, "\\");
        }
        ew_case_text_add(to, at, (size_t)n);
        if (quote == '\'' && c == '\'') {
            add(to, "'");
        }
    }
    ew_case_text_add(to, &quote, 1);
    return to->status;
}
