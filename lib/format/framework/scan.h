/* Private to format: a place in a text, and how the readers move it. Nothing here depends on
 * the locale, reads past the end or allocates. */
#ifndef EW_FORMAT_SCAN_H
#define EW_FORMAT_SCAN_H

#include "format/parts/format.h"

typedef struct ew_scan {
    const char *at, *end;
    int64_t line;     /* from 1 */
    const char *file; /* in front of "line L": "", ".node ", ".ele ", ".face " */
} ew_scan;

#define EW_WORD 32 /* a word's room, the zero included; longer ones are cut */

ew_scan ew_scan_begin(const char *data, size_t size, const char *file);

/* Both pass over blanks, and over # to the end of the line; true when a token is next. */
bool ew_scan_on_line(ew_scan *scan);  /* stops at the end of the line */
bool ew_scan_anywhere(ew_scan *scan); /* goes on to further lines */
void ew_scan_leave_line(ew_scan *scan);

/* The next token on this line, in lower case, unprintable bytes as '?'; "" where the line ends. */
void ew_scan_word(ew_scan *scan, char word[EW_WORD]);
/* The next token on this line as a number; `what` names it in the message. */
ew_status ew_scan_int(ew_scan *scan, const char *what, int64_t low, int64_t high, int64_t *value);
ew_status ew_scan_real(ew_scan *scan, const char *what, double *value);
ew_status ew_scan_point(ew_scan *scan, double xyz[3]);
/* A count of entries that take at least `bytes` bytes each: what the rest of the text cannot
 * hold is refused before anything is allocated for it. */
ew_status ew_scan_count(ew_scan *scan, const char *what, size_t bytes, int32_t *count);

/* EW_BAD_INPUT with "line L: " in front. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
ew_status
ew_scan_fail(const ew_scan *scan, const char *format, ...);

/* The least number of bytes that n numbers take on a line of their own. */
#define EW_MIN_BYTES(n) (2 * (size_t)(n))

#endif
