/* The workspace of the minimal residual method. */
#include "solver/saddle/saddle.h"

void ew_saddle_free(saddle_work *work)
{
    if (work) {
        if (work->ops) {
            work->ops->free(work->self);
        }
        ew_release(work->history);
        ew_release(work->step);
        ew_release(work);
    }
}
