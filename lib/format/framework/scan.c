/* Tokens and numbers of a text in memory. Decimal to binary is exact: up to 15 digits and
 * powers of ten to 22 by one multiplication or division (Clinger 1990), all else by strtod
 * on a bounded copy that holds digits and an exponent only, hence no decimal point that a
 * locale could change. */
#include "format/framework/scan.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ew_scan ew_scan_begin(const char *data, size_t size, const char *file)
{
    static const char nothing[1] = "";
    const char *begin = size > 0 ? data : nothing;
    return (ew_scan){begin, begin + size, 1, file};
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool ew_scan_on_line(ew_scan *scan)
{
    while (scan->at < scan->end && is_blank(*scan->at)) {
        scan->at++;
    }
    if (scan->at < scan->end && *scan->at == '#') {
        const char *stop = memchr(scan->at, '\n', (size_t)(scan->end - scan->at));
        scan->at = stop ? stop : scan->end;
    }
    return scan->at < scan->end && *scan->at != '\n';
}

void ew_scan_leave_line(ew_scan *scan)
{
    const char *stop = memchr(scan->at, '\n', (size_t)(scan->end - scan->at));
    scan->at = stop ? stop + 1 : scan->end;
    scan->line += stop != NULL;
}

bool ew_scan_anywhere(ew_scan *scan)
{
    while (!ew_scan_on_line(scan)) {
        if (scan->at == scan->end) {
            return false;
        }
        scan->at++;
        scan->line++;
    }
    return true;
}

static const char *token_end(const ew_scan *scan)
{
    const char *p = scan->at;
    while (p < scan->end && !is_blank(*p) && *p != '\n' && *p != '#') {
        p++;
    }
    return p;
}

void ew_scan_word(ew_scan *scan, char word[EW_WORD])
{
    int n = 0;
    if (ew_scan_on_line(scan)) {
        const char *end = token_end(scan);
        for (; scan->at < end; scan->at++) {
            char c = *scan->at;
            if (n < EW_WORD - 1) {
                word[n++] = c < ' ' || c > '~' ? '?' : c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
            }
        }
    }
    word[n] = 0;
}

ew_status ew_scan_fail(const ew_scan *scan, const char *format, ...)
{
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    /* of several files that belong together the text says which, so the line stands in it, too */
    return *scan->file
               ? ew_fail(EW_BAD_INPUT, "%sline %lld: %s", scan->file, (long long)scan->line, text)
               : ew_fail_at(EW_BAD_INPUT, (int32_t)scan->line, "%s", text);
}

/* The scan is where the token should begin. */
static ew_status fail_token(const ew_scan *scan, const char *what, const char *allowed)
{
    char word[EW_WORD];
    ew_scan copy = *scan;
    ew_scan_word(&copy, word);
    if (word[0] == 0) {
        return ew_scan_fail(scan, "the %s ends before %s; expected %s",
                            scan->at == scan->end ? "file" : "line", what, allowed);
    }
    return ew_scan_fail(scan, "%s is '%s'; expected %s", what, word, allowed);
}

ew_status ew_scan_int(ew_scan *scan, const char *what, int64_t low, int64_t high, int64_t *value)
{
    ew_scan_on_line(scan);
    const char *p = scan->at, *end = scan->end;
    bool negative = p < end && *p == '-';
    uint64_t sum = 0;
    p += p < end && (*p == '-' || *p == '+');
    const char *digits = p;
    for (; p < end && is_digit(*p); p++) {
        if (sum < UINT64_C(100000000000000000)) {
            sum = 10 * sum + (uint64_t)(*p - '0');
        } else {
            sum = INT64_MAX; /* far outside any bounds, and stays so */
        }
    }
    bool whole = p > digits && (p == end || is_blank(*p) || *p == '\n' || *p == '#');
    int64_t found = negative ? -(int64_t)sum : (int64_t)sum;
    if (!whole || found < low || found > high) {
        char allowed[80];
        snprintf(allowed, sizeof allowed, "a whole number from %lld to %lld", (long long)low,
                 (long long)high);
        return fail_token(scan, what, allowed);
    }
    scan->at = p;
    *value = found;
    return EW_OK;
}

/* ---- reals ------------------------------------------------------------- */

#define MAX_DIGITS 800 /* more than decide the rounding of any double (767) */

/* A decimal: digits without leading zeros, times 10^exponent. */
typedef struct decimal {
    bool negative;
    int32_t n;
    int64_t exponent;
    uint64_t head; /* the first 19 digits as a number */
    char digit[MAX_DIGITS + 1];
} decimal;

static void add_digit(decimal *d, char c, bool behind_point)
{
    bool leading = d->n == 0 && c == '0';
    if (!leading && d->n < MAX_DIGITS) {
        d->digit[d->n++] = c;
        if (d->n <= 19) {
            d->head = 10 * d->head + (uint64_t)(c - '0');
        }
        d->exponent -= behind_point;
    } else if (!leading) {
        /* dropped; only whether something not zero follows can still matter */
        d->digit[MAX_DIGITS - 1] = c != '0' ? '1' : d->digit[MAX_DIGITS - 1];
        d->exponent += !behind_point;
    } else {
        d->exponent -= behind_point;
    }
}

/* Returns the end of the number, null where there is none. */
static const char *parse_decimal(const char *p, const char *end, decimal *d)
{
    int32_t n = 0;
    d->negative = p < end && *p == '-';
    d->n = 0;
    d->exponent = 0;
    d->head = 0;
    p += p < end && (*p == '-' || *p == '+');
    for (; p < end && is_digit(*p); p++, n = 1) {
        add_digit(d, *p, false);
    }
    if (p < end && *p == '.') {
        for (p++; p < end && is_digit(*p); p++, n = 1) {
            add_digit(d, *p, true);
        }
    }
    if (n == 0) {
        return NULL;
    }
    if (p < end && (*p == 'e' || *p == 'E' || *p == 'd' || *p == 'D')) {
        bool minus = p + 1 < end && p[1] == '-';
        p += 1 + (p + 1 < end && (p[1] == '-' || p[1] == '+'));
        int32_t power = 0;
        const char *digits = p;
        for (; p < end && is_digit(*p); p++) {
            power = power < 100000000 ? 10 * power + (*p - '0') : power;
        }
        if (p == digits) {
            return NULL;
        }
        d->exponent += minus ? -power : power;
    }
    return p;
}

static double to_double(decimal *d)
{
    static const double ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    double value;
    if (d->n <= 15 && d->exponent >= -22 && d->exponent <= 22) {
        value = d->exponent < 0 ? (double)d->head / ten[-d->exponent]
                                : (double)d->head * ten[d->exponent];
    } else if (d->n == 0) {
        value = 0.0;
    } else {
        char copy[MAX_DIGITS + 24];
        memcpy(copy, d->digit, (size_t)d->n);
        snprintf(copy + d->n, sizeof copy - (size_t)d->n, "e%lld", (long long)d->exponent);
        value = strtod(copy, NULL);
    }
    return d->negative ? -value : value;
}

ew_status ew_scan_real(ew_scan *scan, const char *what, double *value)
{
    decimal d;
    ew_scan_on_line(scan);
    const char *end = parse_decimal(scan->at, scan->end, &d);
    if (!end || end != token_end(&(ew_scan){end, scan->end, 0, ""})) {
        return fail_token(scan, what, "a finite number");
    }
    double found = to_double(&d);
    if (!isfinite(found)) {
        return fail_token(scan, what, "a finite number within the range of a double");
    }
    scan->at = end;
    *value = found;
    return EW_OK;
}

ew_status ew_scan_point(ew_scan *scan, double xyz[3])
{
    EW_TRY(ew_scan_real(scan, "coordinate x", xyz));
    EW_TRY(ew_scan_real(scan, "coordinate y", xyz + 1));
    return ew_scan_real(scan, "coordinate z", xyz + 2);
}

ew_status ew_scan_count(ew_scan *scan, const char *what, size_t bytes, int32_t *count)
{
    int64_t n;
    EW_TRY(ew_scan_int(scan, what, 0, INT32_MAX, &n));
    /* the last entry may lack its end of line */
    size_t max = ((size_t)(scan->end - scan->at) + 1) / bytes;
    if ((uint64_t)n > max) {
        return ew_scan_fail(scan,
                            "%s is %lld, but the %zu bytes that follow hold at most %zu; the file "
                            "is cut off or the number wrong",
                            what, (long long)n, (size_t)(scan->end - scan->at), max);
    }
    *count = (int32_t)n;
    return EW_OK;
}
