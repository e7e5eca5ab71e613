/* Files for the page: they are opened, and where that fails the page says why until they are
 * repaired. */
#ifndef EW_VIEW_OPEN_H
#define EW_VIEW_OPEN_H

#include "result.h"

/* All borrowed. */
typedef struct view_open_def {
    const char *path;
    const char *second; /* of a result: another one to compare with; null: none */
    bool is_result, is_difference;
} view_open_def;
/* A session of what the file holds; the def is borrowed. A file that is broken, or names one that
 * is, is shown as the line that tells so (`trouble` of the state, also printed) and is opened as
 * soon as it can be. Opening fails where that cannot come: no file of the name, none of a kind that
 * is known, or one that this program was built without. */
view_subject view_open_subject(view_open_def *def);

#endif
