/* The version, as the build gives it: EW_VERSION "1.2.3" and EW_VERSION_NUMBER 1, 2, 3. */
#include "base/parts/base.h"

const char *ew_version(int32_t number[3])
{
    static const int32_t numbers[3] = {EW_VERSION_NUMBER};
    for (int i = 0; number && i < 3; i++) {
        number[i] = numbers[i];
    }
    return EW_VERSION;
}
