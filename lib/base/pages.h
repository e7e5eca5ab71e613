/* pages, private to the library: arrays of which a process fills a part. */
#ifndef EW_PAGES_H
#define EW_PAGES_H

#include <stddef.h>

/* Of an array that is to be filled in part: pages that are not written take no memory, and with
 * large ones hardly any would be left. Before anything is written, and after each growth; elsewhere
 * than on Linux it does nothing. */
void ew_use_small_pages(void *array, size_t bytes);

#endif
