/* Numbers as people read them. */
#include "tool.h"

#include <ctype.h>
#include <string.h>

const char *tool_count(int64_t n, char text[32])
{
    char digits[24];
    const int length = snprintf(digits, sizeof digits, "%lld", (long long)n);
    int to = 0;
    for (int i = 0; i < length; i++) {
        if (i > (n < 0) && (length - i) % 3 == 0) {
            text[to++] = ',';
        }
        text[to++] = digits[i];
    }
    text[to] = 0;
    return text;
}

const char *tool_duration(double seconds, char text[32])
{
    if (seconds < 1e-3) {
        snprintf(text, 32, "%.1f us", 1e6 * seconds);
    } else if (seconds < 1) {
        snprintf(text, 32, "%.1f ms", 1e3 * seconds);
    } else if (seconds < 120) {
        snprintf(text, 32, "%.2f s", seconds);
    } else {
        snprintf(text, 32, "%.0f min %.0f s", (double)(int64_t)(seconds / 60),
                 seconds - 60 * (double)(int64_t)(seconds / 60));
    }
    return text;
}

const char *tool_bytes(double bytes, char text[32])
{
    static const char *units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    int unit = 0;
    for (; bytes >= 1024 && unit < 4; unit++) {
        bytes /= 1024;
    }
    snprintf(text, 32, unit ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
    return text;
}

/* Cut and padded by characters, which may have several bytes; a newline would break the row. */
void tool_print_padded(const char *name, int width)
{
    int n = 0;
    for (; *name; name++) {
        const bool starts = ((unsigned char)*name & 0xc0) != 0x80;
        if (starts && n == width) {
            break;
        }
        n += starts;
        putchar(iscntrl((unsigned char)*name) ? ' ' : *name);
    }
    printf("%*s", width - n, "");
}
