/* Blocks of an HDF5 file under construction in, a file on disk out, or the errno of the first write
 * that failed. HDF5's own driver will not do: after a failed write the library can neither close
 * the file nor end the process without faults. This one takes what follows a failed write for
 * written; the owner looks at `trouble` and discards the file. Reference: HDF5 Virtual File Layer
 * manual. */
#define _POSIX_C_SOURCE 200809L
#include "results/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct sink_file {
    H5FD_t head; /* HDF5's part, first */
    ew_sink *sink;
    haddr_t end;     /* of the address space HDF5 uses */
    haddr_t written; /* end of what was written */
} sink_file;

/* The memory of the driver's file is HDF5's to ask for, with malloc as for all its own. */
static H5FD_t *sink_open(const char *name, unsigned flags, hid_t access, haddr_t max)
{
    (void)name;
    (void)flags;
    (void)max;
    ew_sink *const *sink = H5Pget_driver_info(access);
    sink_file *file = sink ? calloc(1, sizeof *file) : NULL;
    if (file) {
        file->sink = *sink;
    }
    return (H5FD_t *)file;
}

static herr_t sink_close(H5FD_t *head)
{
    free(head);
    return 0;
}

static herr_t sink_query(const H5FD_t *head, unsigned long *flags)
{
    (void)head;
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA;
    return 0;
}

static haddr_t sink_get_eoa(const H5FD_t *head, H5FD_mem_t type)
{
    (void)type;
    return ((const sink_file *)head)->end;
}

static herr_t sink_set_eoa(H5FD_t *head, H5FD_mem_t type, haddr_t end)
{
    (void)type;
    ((sink_file *)head)->end = end;
    return 0;
}

static haddr_t sink_get_eof(const H5FD_t *head, H5FD_mem_t type)
{
    (void)type;
    return ((const sink_file *)head)->written;
}

/* Bytes that were never written read as zeros. */
static herr_t sink_read(H5FD_t *head, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t size,
                        void *buffer)
{
    (void)type;
    (void)transfer;
    ew_sink *sink = ((sink_file *)head)->sink;
    char *to = buffer;
    while (size > 0) {
        ssize_t n = pread(sink->descriptor, to, size, (off_t)at);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            sink->trouble = n < 0 && !sink->trouble ? errno : sink->trouble;
            memset(to, 0, size);
            break;
        }
        to += n;
        at += (haddr_t)n;
        size -= (size_t)n;
    }
    return 0;
}

static herr_t sink_write(H5FD_t *head, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t size,
                         const void *buffer)
{
    (void)type;
    (void)transfer;
    sink_file *file = (sink_file *)head;
    const char *from = buffer;
    haddr_t end = at + size;
    while (size > 0 && !file->sink->trouble) {
        ssize_t n = pwrite(file->sink->descriptor, from, size, (off_t)at);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            file->sink->trouble = n < 0 ? errno : ENOSPC;
            break;
        }
        from += n;
        at += (haddr_t)n;
        size -= (size_t)n;
    }
    file->written = end > file->written ? end : file->written;
    return 0;
}

static herr_t sink_truncate(H5FD_t *head, hid_t transfer, hbool_t closing)
{
    (void)transfer;
    (void)closing;
    sink_file *file = (sink_file *)head;
    if (file->end != file->written && !file->sink->trouble &&
        ftruncate(file->sink->descriptor, (off_t)file->end) != 0) {
        file->sink->trouble = errno;
    }
    file->written = file->end;
    return 0;
}

static const H5FD_class_t sink_class = {
#if H5_VERSION_GE(1, 13, 0)
    .version = H5FD_CLASS_VERSION,
    .value = 700, /* outside the range that the HDF Group gives out */
#endif
    .name = "edgewise_sink",
    .maxaddr = INT64_MAX,
    .fc_degree = H5F_CLOSE_STRONG,
    .fapl_size = sizeof(ew_sink *),
    .open = sink_open,
    .close = sink_close,
    .query = sink_query,
    .get_eoa = sink_get_eoa,
    .set_eoa = sink_set_eoa,
    .get_eof = sink_get_eof,
    .read = sink_read,
    .write = sink_write,
    .truncate = sink_truncate,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

ew_status ew_sink_open(ew_sink *sink, int descriptor, const char *label)
{
    sink->trouble = 0;
    sink->driver = -1;
    sink->descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    return sink->descriptor < 0 ? ew_fail(EW_IO, "%s: cannot create: %s", label, strerror(errno))
                                : EW_OK;
}

herr_t ew_sink_use(hid_t access, ew_sink *sink)
{
    sink->driver = H5FDregister(&sink_class);
    return sink->driver < 0 ? -1 : H5Pset_driver(access, sink->driver, &sink);
}

void ew_sink_close(ew_sink *sink)
{
    if (sink->descriptor >= 0 && close(sink->descriptor) != 0 && !sink->trouble) {
        sink->trouble = errno;
    }
    sink->descriptor = -1;
    if (sink->driver >= 0) {
        H5FDunregister(sink->driver);
    }
    sink->driver = -1;
}
