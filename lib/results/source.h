/* Private to results: a result file being read, by read.c, view.c, read_frame.c and read_probes.c.
 */
#ifndef EW_RESULTS_SOURCE_H
#define EW_RESULTS_SOURCE_H

#include "results/isolated_reader.h"

/* A file that is read, and what may still be taken from it. */
typedef struct ew_source {
    const char *path; /* borrowed */
    uint64_t size;    /* of the file, bytes */
    uint64_t left;    /* bytes: what is stored without compression is no larger than the file */
    hid_t file;
} ew_source;

/* EW_BAD_INPUT where the file has not so many bytes left. */
ew_status ew_source_claim(ew_source *from, const char *name, uint64_t bytes);
/* Opens /Edgewise of a file of a known format. From now on the process can open nothing more. */
ew_status ew_source_open(ew_source *from, hid_t *root);
/* The text of the dataset `name` of /Edgewise; owned by the caller. */
ew_status ew_source_text(ew_source *from, hid_t root, const char *name, char **text);
/* A text attribute of /Edgewise or below, "" where it is absent; owned by the caller. */
ew_status ew_source_attribute(ew_source *from, hid_t object, const char *name, char **text);

#endif
