/* A checkpoint: a file that grows by one record a step, so that a run that was killed can be
 * resumed. In: who the run is (its identity) and what each step needs. Out: the records that are
 * whole. A record survives a kill when its append returns; a loss of power costs steps that took
 * no more than a second together, for waiting for the disk after each of many short steps would
 * cost more than they do. One that was left unfinished is known by its checksum and cut off.
 *
 * All numbers little-endian. The file begins with
 *
 *   char[24]   "edgewise checkpoint 1" and zeros
 *   uint64     bytes of the identity
 *   uint64     checksum of the identity
 *   char[]     the identity: lines "what value"
 *
 * and each record is
 *
 *   uint64     its bytes
 *   uint64     checksum of them, begun with the record's number
 *   char[]     the record
 */
#define _DEFAULT_SOURCE
#include "results/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEAD_BYTES = 40, RECORD_BYTES = 16, MAX_IDENTITY = 4096 };
static const char magic[24] = "edgewise checkpoint 1";

typedef struct record_place {
    int64_t begin; /* of its bytes in the file */
    uint64_t size;
} record_place;

struct ew_checkpoint {
    char *path, *identity; /* owned */
    int descriptor;        /* -1: closed; locked while open */
    bool is_new;           /* nothing of this run is in the file yet */
    bool is_foreign;       /* the file belongs to another run, which lives: nothing is written */
    int64_t end;           /* of the last whole record */
    double synced;         /* ew_seconds when all was on the disk; 0: never */
    int32_t n, capacity;
    record_place *record; /* [n] owned */
    char *data;           /* owned: the record read last */
    int32_t data_capacity;
};

/* ---- checksums ----------------------------------------------------------------- */

/* FNV-1a over words of eight bytes with a shift between, for a byte at a time is slow. It guards
 * against accidents, not against intent. */
uint64_t ew_checksum(uint64_t seed, const void *data, size_t size)
{
    const unsigned char *at = data;
    uint64_t sum = seed ^ UINT64_C(0xcbf29ce484222325);
    for (; size > 0; size -= size < 8 ? size : 8, at += 8) {
        uint64_t word = 0;
        memcpy(&word, at, size < 8 ? size : 8);
        sum = (sum ^ word ^ (size < 8 ? (uint64_t)size << 56 : 0)) * UINT64_C(0x100000001b3);
        sum ^= sum >> 29;
    }
    return sum;
}

/* ---- reading and writing --------------------------------------------------------- */

static bool read_at(int descriptor, void *data, size_t size, int64_t at)
{
    char *to = data;
    while (size > 0) {
        const ssize_t n = pread(descriptor, to, size, (off_t)at);
        if (n > 0) {
            to += n;
            at += n;
            size -= (size_t)n;
        } else if (n == 0 || errno != EINTR) {
            return false;
        }
    }
    return true;
}

static bool write_at(int descriptor, const void *data, size_t size, int64_t at)
{
    const char *from = data;
    while (size > 0) {
        const ssize_t n = pwrite(descriptor, from, size, (off_t)at);
        if (n > 0) {
            from += n;
            at += n;
            size -= (size_t)n;
        } else if (n == 0 || errno != EINTR) {
            errno = n ? errno : ENOSPC;
            return false;
        }
    }
    return true;
}

static ew_status reserve(ew_checkpoint *own, uint64_t size)
{
    return size > INT32_MAX - 1 ? ew_fail(EW_LIMIT, "%s: a record of more than 2 GiB", own->path)
                                : ew_grow(&own->data, &own->data_capacity, (int64_t)size + 1, 1);
}

static ew_status copy_text(char **copy, const char *text)
{
    const size_t size = strlen(text) + 1;
    EW_TRY(ew_new(copy, size, 1));
    memcpy(*copy, text, size);
    return EW_OK;
}

/* ---- a file of an earlier run ------------------------------------------------------ */

/* The lines of both go together; names the first that differs. */
static ew_status compare_identities(const ew_checkpoint *own, const char *there)
{
    const char *here = own->identity;
    while (*here && *there) {
        const size_t n = strcspn(here, "\n"), m = strcspn(there, "\n");
        if (n != m || memcmp(here, there, n) != 0) {
            return ew_fail(EW_BAD_INPUT,
                           "%s: is of another run: the %.*s %s; put back what it was, or start "
                           "again without --resume",
                           own->path, (int)strcspn(here, ":"), here, "is not what it was then");
        }
        here += n + (here[n] == '\n');
        there += m + (there[m] == '\n');
    }
    return *here || *there ? ew_fail(EW_BAD_INPUT, "%s: is of another run", own->path) : EW_OK;
}

static ew_status read_head(ew_checkpoint *own, int64_t bytes)
{
    char head[HEAD_BYTES];
    uint64_t size = 0, sum = 0;
    if (bytes < HEAD_BYTES || !read_at(own->descriptor, head, sizeof head, 0) ||
        memcmp(head, magic, sizeof magic) != 0) {
        return ew_fail(EW_BAD_INPUT, "%s: not a checkpoint of Edgewise", own->path);
    }
    memcpy(&size, head + 24, sizeof size);
    memcpy(&sum, head + 32, sizeof sum);
    if (size > MAX_IDENTITY || (int64_t)size > bytes - HEAD_BYTES) {
        return ew_fail(EW_BAD_INPUT, "%s: damaged in its first bytes", own->path);
    }
    EW_TRY(reserve(own, size));
    if (!read_at(own->descriptor, own->data, (size_t)size, HEAD_BYTES) ||
        ew_checksum(0, own->data, (size_t)size) != sum) {
        return ew_fail(EW_BAD_INPUT, "%s: damaged in its first bytes", own->path);
    }
    own->data[size] = '\0';
    own->end = HEAD_BYTES + (int64_t)size;
    return compare_identities(own, own->data);
}

/* The records that are whole; what comes after them is of a program that was killed. */
static ew_status find_records(ew_checkpoint *own, int64_t bytes)
{
    uint64_t head[2];
    while (bytes - own->end >= RECORD_BYTES &&
           read_at(own->descriptor, head, sizeof head, own->end) &&
           head[0] <= (uint64_t)(bytes - own->end - RECORD_BYTES)) {
        const record_place place = {own->end + RECORD_BYTES, head[0]};
        EW_TRY(reserve(own, place.size));
        if (!read_at(own->descriptor, own->data, (size_t)place.size, place.begin) ||
            ew_checksum((uint64_t)own->n, own->data, (size_t)place.size) != head[1]) {
            break;
        }
        EW_TRY(ew_grow(&own->record, &own->capacity, (int64_t)own->n + 1, sizeof *own->record));
        own->record[own->n++] = place;
        own->end = place.begin + (int64_t)place.size;
    }
    return EW_OK;
}

/* ---- life ---------------------------------------------------------------------------- */

/* Opens and locks a file that is there, or makes it; *descriptor is -1 where there is none, or
 * where a living run has it (is_foreign). */
static ew_status open_locked(ew_checkpoint *own, const char *path, bool create, int *descriptor)
{
    const int flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | (create ? O_CREAT : 0);
    *descriptor = -1;
    for (;;) {
        const int opened = open(path, flags, 0666);
        struct stat about;
        if (opened < 0) {
            return errno == ENOENT ? EW_OK
                                   : ew_fail(EW_IO, "%s: cannot open: %s", path, strerror(errno));
        }
        if (fstat(opened, &about) != 0 || !S_ISREG(about.st_mode)) {
            close(opened);
            return ew_fail(EW_IO, "%s: is not a file", path);
        }
        if (flock(opened, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
            close(opened);
            own->is_foreign = true;
            return EW_OK;
        }
        if (ew_is_at(opened, path)) {
            *descriptor = opened;
            return EW_OK;
        }
        close(opened); /* its run ended and took it away */
    }
}

static ew_status resume(ew_checkpoint *own)
{
    struct stat about;
    EW_TRY(open_locked(own, own->path, false, &own->descriptor));
    if (own->is_foreign) {
        return ew_fail(EW_BAD_INPUT, "%s: the run that writes it has not ended", own->path);
    }
    if (own->descriptor < 0) {
        return EW_OK;
    }
    if (fstat(own->descriptor, &about) != 0) {
        return ew_fail(EW_IO, "%s: cannot read: %s", own->path, strerror(errno));
    }
    EW_TRY(read_head(own, about.st_size));
    own->is_new = false;
    return find_records(own, about.st_size);
}

ew_status ew_checkpoint_open(ew_checkpoint **checkpoint, const char *path, const char *identity,
                             bool go_on)
{
    ew_checkpoint *own = NULL;
    EW_ASSERT(strlen(identity) <= MAX_IDENTITY);
    EW_TRY(ew_new_zero(&own, 1, sizeof *own));
    own->descriptor = -1;
    own->is_new = true;
    ew_status status = copy_text(&own->path, path);
    if (!status) {
        status = copy_text(&own->identity, identity);
    }
    if (!status && go_on) {
        status = resume(own);
    }
    if (status) {
        ew_checkpoint_close(own, true);
        return status;
    }
    *checkpoint = own;
    return EW_OK;
}

ew_status ew_checkpoint_open_beside(ew_checkpoint **checkpoint, const char *path,
                                    const char *identity)
{
    ew_checkpoint *own = NULL;
    struct stat about;
    EW_TRY(ew_checkpoint_open(&own, path, identity, false));
    own->is_foreign = true;
    own->descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    ew_status status = EW_OK;
    if (own->descriptor < 0 && errno != ENOENT) {
        status = ew_fail(EW_IO, "%s: cannot open: %s", path, strerror(errno));
    } else if (own->descriptor >= 0 &&
               (fstat(own->descriptor, &about) || !S_ISREG(about.st_mode))) {
        status = ew_fail(EW_IO, "%s: is not a file", path);
    } else if (own->descriptor >= 0) {
        status = read_head(own, about.st_size);
        status = status ? status : find_records(own, about.st_size);
    }
    if (status) {
        ew_checkpoint_close(own, true);
        return status;
    }
    *checkpoint = own;
    return EW_OK;
}

int32_t ew_checkpoint_n_record(const ew_checkpoint *own)
{
    return own->n;
}

ew_status ew_checkpoint_record(ew_checkpoint *own, int32_t k, const void **data, size_t *size)
{
    EW_ASSERT(k >= 0 && k < own->n);
    const record_place place = own->record[k];
    EW_TRY(reserve(own, place.size));
    if (!read_at(own->descriptor, own->data, (size_t)place.size, place.begin)) {
        return ew_fail(EW_IO, "%s: cannot read record %d: %s", own->path, k, strerror(errno));
    }
    *data = own->data;
    *size = (size_t)place.size;
    return EW_OK;
}

static ew_status fail_to_write(const ew_checkpoint *own)
{
    return ew_fail(EW_IO, "%s: cannot write: %s", own->path, strerror(errno));
}

/* Not more often than once a second. */
static bool bring_to_disk(ew_checkpoint *own)
{
    const double now = ew_seconds();
    if (own->synced > 0.0 && now - own->synced < 1.0) {
        return true;
    }
    own->synced = now;
    return ew_sync_descriptor(own->descriptor);
}

static ew_status append(ew_checkpoint *own, const void *data, size_t size)
{
    const uint64_t head[2] = {size, ew_checksum((uint64_t)own->n, data, size)};
    const record_place place = {own->end + RECORD_BYTES, size};
    EW_TRY(ew_grow(&own->record, &own->capacity, (int64_t)own->n + 1, sizeof *own->record));
    if (!write_at(own->descriptor, head, sizeof head, own->end) ||
        !write_at(own->descriptor, data, size, place.begin) || !bring_to_disk(own)) {
        const ew_status status = fail_to_write(own);
        /* where it cannot be cut off, what is unfinished is known by its checksum */
        return ftruncate(own->descriptor, (off_t)own->end) == 0 ? status : fail_to_write(own);
    }
    own->record[own->n++] = place;
    own->end = place.begin + (int64_t)size;
    return EW_OK;
}

/* A name that holds anything but a checkpoint is not taken. */
static ew_status check_name(ew_checkpoint *own)
{
    char head[sizeof magic];
    int descriptor = -1;
    EW_TRY(open_locked(own, own->path, false, &descriptor));
    if (descriptor < 0) {
        return EW_OK;
    }
    const bool known =
        read_at(descriptor, head, sizeof head, 0) && !memcmp(head, magic, sizeof head);
    close(descriptor);
    return known ? EW_OK : ew_fail(EW_IO, "%s: is no checkpoint; move it away", own->path);
}

static ew_status begin_with(ew_checkpoint *own, const char *part, const void *data, size_t size)
{
    char head[HEAD_BYTES] = {0};
    const uint64_t n = strlen(own->identity), sum = ew_checksum(0, own->identity, (size_t)n);
    memcpy(head, magic, sizeof magic);
    memcpy(head + 24, &n, sizeof n);
    memcpy(head + 32, &sum, sizeof sum);
    if (ftruncate(own->descriptor, 0) != 0 || !write_at(own->descriptor, head, sizeof head, 0) ||
        !write_at(own->descriptor, own->identity, (size_t)n, HEAD_BYTES)) {
        return fail_to_write(own);
    }
    own->end = HEAD_BYTES + (int64_t)n;
    EW_TRY(append(own, data, size));
    if (rename(part, own->path) != 0) {
        return fail_to_write(own);
    }
    char *folder = NULL;
    EW_TRY(ew_path_join(own->path, ".", 1, "", &folder));
    ew_sync_folder(folder);
    ew_release(folder);
    return EW_OK;
}

/* The first record of a new run. It is made aside, so that a checkpoint of an earlier run stays
 * whole until there is one of this. */
static ew_status begin_checkpoint(ew_checkpoint *own, const void *data, size_t size)
{
    char *part = NULL;
    EW_TRY(check_name(own));
    if (own->is_foreign) {
        return EW_OK;
    }
    EW_TRY(ew_new(&part, strlen(own->path) + sizeof ".part", 1));
    strcat(strcpy(part, own->path), ".part");
    ew_status status = open_locked(own, part, true, &own->descriptor);
    if (!status && own->descriptor >= 0) {
        status = begin_with(own, part, data, size);
        if (status) {
            unlink(part);
            close(own->descriptor);
            own->descriptor = -1;
            own->n = 0;
        }
    }
    ew_release(part);
    own->is_new = status != EW_OK;
    return status;
}

ew_status ew_checkpoint_append(ew_checkpoint *own, const void *data, size_t size)
{
    if (own->is_foreign) {
        return EW_OK;
    }
    return own->is_new ? begin_checkpoint(own, data, size) : append(own, data, size);
}

bool ew_checkpoint_is_shared(const ew_checkpoint *own)
{
    return own->is_foreign;
}

void ew_checkpoint_close(ew_checkpoint *own, bool keep)
{
    if (!own) {
        return;
    }
    if (own->descriptor >= 0) {
        if (!keep && !own->is_foreign && ew_is_at(own->descriptor, own->path)) {
            unlink(own->path);
        } else if (!own->is_foreign) {
            ew_sync_descriptor(own->descriptor);
        }
        close(own->descriptor);
    }
    ew_release(own->path);
    ew_release(own->identity);
    ew_release(own->record);
    ew_release(own->data);
    ew_release(own);
}
