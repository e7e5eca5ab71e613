/* Formats by file name. In: a name. Out: the format of its ending. */
#include "format/format.h"

#include <string.h>

static bool ends_with(const char *name, const char *ending)
{
    size_t n = strlen(name), m = strlen(ending);
    if (n < m) {
        return false;
    }
    for (size_t i = 0; i < m; i++) {
        char c = name[n - m + i];
        if ((c >= 'A' && c <= 'Z' ? (char)(c + 32) : c) != ending[i]) {
            return false;
        }
    }
    return true;
}

ew_format ew_format_of_name(const char *name)
{
    static const struct {
        const char *ending;
        ew_format format;
    } known[] = {{".mesh", EW_FORMAT_MEDIT}, {".node", EW_FORMAT_TETGEN},
                 {".ele", EW_FORMAT_TETGEN}, {".face", EW_FORMAT_TETGEN},
                 {".off", EW_FORMAT_OFF},    {".obj", EW_FORMAT_OBJ},
                 {".stl", EW_FORMAT_STL}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (ends_with(name, known[i].ending)) {
            return known[i].format;
        }
    }
    return EW_FORMAT_UNKNOWN;
}

bool ew_format_is_surface(ew_format format)
{
    return format == EW_FORMAT_OFF || format == EW_FORMAT_OBJ || format == EW_FORMAT_STL;
}
