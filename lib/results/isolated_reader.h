/* Private to results: reading a file that may be hostile, in a process of its own
 * (thread_affinity.c), and opening only what lies within it (guard.c). */
#ifndef EW_RESULTS_ISOLATED_READER_H
#define EW_RESULTS_ISOLATED_READER_H

#include "results/internal.h"

/* One end of the pipe between the process that reads and the one that asked. A failure stays:
 * everything after it fails as well. */
typedef struct ew_wire {
    int descriptor;
    bool broken;
} ew_wire;
void ew_wire_put(ew_wire *wire, const void *data, size_t size);
/* A size and that many bytes. */
void ew_wire_put_block(ew_wire *wire, const void *data, size_t size);
void ew_wire_get(ew_wire *wire, void *data, size_t size);
/* *data is ew_new'd, with a zero behind its *size bytes. More than *left bytes are refused; what
 * was taken is subtracted from it. */
ew_status ew_wire_get_block(ew_wire *wire, uint64_t *left, char **data, size_t *size);

/* Size in bytes of a regular file; EW_IO naming what else it is, so that a fifo or a device is
 * never opened. */
ew_status ew_result_file_size(const char *path, uint64_t *size);

/* A job done in a child process, under limits that follow from `file_bytes`, the size of the files
 * it reads. `read` runs in the child; what it found, `send` writes after its status has gone out;
 * `take` reads that in the parent. What crashes or exceeds the limits is EW_BAD_INPUT. */
typedef struct ew_isolated_job {
    const char *path; /* for messages */
    uint64_t file_bytes;
    void *user;
    ew_status (*read)(void *user);
    void (*send)(void *user, ew_wire *wire);
    ew_status (*take)(void *user, ew_wire *wire);
} ew_isolated_job;
ew_status ew_read_isolated(const ew_isolated_job *job);

/* From now on this process can open no file at all: whatever a file points to stays unread. */
void ew_open_nothing_more(void);

/* Opens a result file for reading; EW_BAD_INPUT when it is none. */
ew_status ew_guard_file(const char *path, hid_t *file);
/* Opens the group or dataset `name`, one component, of a group; only what is linked hard, so within
 * the file. A dataset must hold its numbers within the file too, in chunks of bounded size with
 * the filters that Edgewise writes. `label` is the object's path, for messages. */
ew_status ew_guard_child(const char *path, hid_t group, const char *name, const char *label,
                         hid_t *child);
/* Follows a path of several components, "a/b/c", below the group whose own path is `prefix`. */
ew_status ew_guard_path(const char *path, hid_t group, const char *prefix, const char *name,
                        hid_t *child);
/* Whether the group has a link of this name, of any kind. */
bool ew_guard_has(hid_t group, const char *name);

#endif
