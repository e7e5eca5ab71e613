/* Private to results: an HDF5 file that another program wrote, read in a process of its own.
 * (foreign.c, med.c) */
#ifndef EW_RESULTS_FOREIGN_H
#define EW_RESULTS_FOREIGN_H

#include "cad/parts/cad.h"
#include "format/parts/format.h"
#include "results/isolated_reader.h"

typedef struct ew_foreign {
    const char *path; /* borrowed */
    uint64_t size;    /* of the file, bytes */
    hid_t file;
    ew_text made; /* what the job makes, owned */
    int32_t capacity;
} ew_foreign;

/* Does `read` in a process of its own, with the file open as from->file and no other to be opened;
 * what it has put into from->made comes back. */
ew_status ew_foreign_read(const char *path, ew_foreign *from, ew_status (*read)(void *user),
                          void *user);
ew_status ew_foreign_put(ew_foreign *from, const void *data, size_t size);

/* Opens the group or dataset `name`, one component, that is linked hard and stored in the file
 * itself. *child: -1 where there is none, which is EW_BAD_INPUT where it is needed. */
ew_status ew_foreign_child(const ew_foreign *from, hid_t group, const char *name, bool needed,
                           hid_t *child);
/* Name of the i-th link of a group, in the order of names; false beyond the last. */
bool ew_foreign_name(hid_t group, int64_t i, char name[EW_GROUP_NAME]);
/* All numbers of a dataset as `memory`, a native type of at most 8 bytes; *data is owned. */
ew_status ew_foreign_numbers(const ew_foreign *from, hid_t set, const char *name, hid_t memory,
                             void **data, int64_t *n);
/* A number that is an attribute; EW_BAD_INPUT where it is none. */
ew_status ew_foreign_attribute(const ew_foreign *from, hid_t object, const char *name,
                               int64_t *value);

/* All numbers of a dataset, "/a/b", as doubles in their order. `numbers`: untouched on failure. */
ew_status ew_hdf5_read_numbers(const char *path, const char *dataset, ew_text *numbers);
/* The mesh of a MED file as a binary Gmsh file of version 4.1 with its groups. (med.c) */
ew_status ew_med_to_gmsh(const char *path, ew_text *gmsh);

#endif
