/* The known word nearest to a mistyped one: two words in, their distance or the nearest out.
 * Levenshtein (1966), with swaps of neighbors by Damerau (1964), a row of the table at a time. */
#include "base/parts/base.h"

#include <string.h>

static const char *word_after(const char *words, size_t length)
{
    words += length;
    return words + strspn(words, " ");
}

/* Distance of short words: 2 for a letter that is added, left out or changed, 3 for one that is
 * swapped with the next. */
enum { CHANGE = 2, SWAP = 3 };
static int32_t word_distance(const char *a, size_t n, const char *b, size_t m)
{
    int32_t row[3][65]; /* of i - 2, i - 1 and i letters of a */
    for (size_t j = 0; j <= m; j++) {
        row[1][j] = CHANGE * (int32_t)j;
    }
    for (size_t i = 1; i <= n; i++) {
        row[2][0] = CHANGE * (int32_t)i;
        for (size_t j = 1; j <= m; j++) {
            int32_t best = row[1][j - 1] + (a[i - 1] != b[j - 1] ? CHANGE : 0);
            best = row[1][j] + CHANGE < best ? row[1][j] + CHANGE : best;
            best = row[2][j - 1] + CHANGE < best ? row[2][j - 1] + CHANGE : best;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                row[0][j - 2] + SWAP < best) {
                best = row[0][j - 2] + SWAP;
            }
            row[2][j] = best;
        }
        memcpy(row[0], row[1], sizeof row[0]);
        memcpy(row[1], row[2], sizeof row[0]);
    }
    return row[1][m];
}

bool ew_nearest_word(const char *word, const char *words, char nearest[64])
{
    const int32_t half = (int32_t)(strlen(word) + 1) / 2;
    int32_t min =
        CHANGE * (half < 3 ? half : 3); /* at most two letters, and fewer than half of them */
    bool found = false;
    for (; *words; words = word_after(words, strcspn(words, " "))) {
        size_t length = strcspn(words, " ");
        if (length > 63 || strlen(word) > 63) {
            continue;
        }
        int32_t distance = word_distance(word, strlen(word), words, length);
        if (distance < min) {
            min = distance;
            found = true;
            memcpy(nearest, words, length);
            nearest[length] = 0;
        }
    }
    return found;
}

bool ew_has_control_character(const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c < 0x20 || *c == 0x7f || (*c == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0)) {
            return true;
        }
    }
    return false;
}

const char *ew_cell_prefix(const char *text)
{
    return *text && strchr("=+-@\t\r\n'", *text) ? "'" : "";
}
