/* What `info` tells of a result. */
#ifndef EW_TOOL_RESULT_INFO_H
#define EW_TOOL_RESULT_INFO_H

#include "tool.h"

/* Whether the name is that of a result: it ends in .vtkhdf. */
bool result_is_named(const char *path);
/* Prints it; an exit status. */
int result_info(const char *path);

#endif
