/* Private to format: zlib data. (inflate.c) */
#ifndef EW_FORMAT_INFLATE_H
#define EW_FORMAT_INFLATE_H

#include "base/parts/base.h"

/* Data of the zlib format (RFC 1950) to exactly `size` bytes; its sum is checked. EW_BAD_INPUT with
 * a message without a place. */
ew_status ew_inflate(const unsigned char *data, size_t n, unsigned char *out, size_t size);

#endif
