/* Processes that talk by MPI. In: what each of them has. Out: what all of them agree on. */
#include "distributed/team.h"

#include <string.h>

static ew_status check_mpi(int code)
{
    char text[MPI_MAX_ERROR_STRING + 1] = "";
    int n = 0;
    if (code == MPI_SUCCESS) {
        return EW_OK;
    }
    MPI_Error_string(code, text, &n);
    return ew_fail(EW_IO, "MPI: %s", text);
}

ew_status ew_team_init(ew_team *team, MPI_Comm comm)
{
    const char *version = ew_version(NULL);
    const uint64_t own = ew_hash(EW_HASH_START, version, strlen(version));
    uint64_t first = own;
    int rank, n;
    EW_TRY(check_mpi(MPI_Comm_rank(comm, &rank)));
    EW_TRY(check_mpi(MPI_Comm_size(comm, &n)));
    *team = (ew_team){comm, rank, n};
    EW_TRY(check_mpi(MPI_Bcast(&first, 1, MPI_UINT64_T, 0, comm)));
    return ew_team_agree(team, first == own ? EW_OK
                                            : ew_fail(EW_BAD_ARGUMENT,
                                                      "process %d is version %s, process 0 another "
                                                      "one: start the same program everywhere",
                                                      rank, version));
}

ew_status ew_team_agree(const ew_team *team, ew_status own)
{
    ew_failure failure = {.status = own};
    int32_t first = own ? team->rank : team->n, least;
    EW_TRY(check_mpi(MPI_Allreduce(&first, &least, 1, MPI_INT32_T, MPI_MIN, team->comm)));
    if (least == team->n) {
        return EW_OK;
    }
    if (own) {
        failure = *ew_last_failure();
    }
    EW_TRY(check_mpi(MPI_Bcast(&failure, (int)sizeof failure, MPI_BYTE, least, team->comm)));
    return least == team->rank ? own : ew_fail_text(failure.status, failure.text);
}

/* ---- sums --------------------------------------------------------------------------- */

/* MPI counts in int. */
enum { PIECE = 1 << 28 };

ew_status ew_team_join(const ew_team *team, int64_t n, double *number)
{
    for (int64_t done = 0; done < n; done += PIECE) {
        const int count = (int)(n - done < PIECE ? n - done : PIECE);
        EW_TRY(check_mpi(
            MPI_Allreduce(MPI_IN_PLACE, number + done, count, MPI_DOUBLE, MPI_SUM, team->comm)));
    }
    for (int64_t i = 0; i < n; i++) {
        number[i] += 0.0; /* of one process -0 becomes 0, as with several */
    }
    return EW_OK;
}

ew_status ew_team_join_counts(const ew_team *team, int32_t n, int32_t *count)
{
    return check_mpi(MPI_Allreduce(MPI_IN_PLACE, count, n, MPI_INT32_T, MPI_SUM, team->comm));
}

ew_status ew_team_sum_atoms(const ew_team *team, int32_t n_atom, int32_t n, double *partial,
                            double *sum)
{
    EW_TRY(ew_team_join(team, (int64_t)n_atom * n, partial));
    for (int32_t i = 0; i < n; i++) {
        sum[i] = 0.0;
        for (int32_t a = 0; a < n_atom; a++) {
            sum[i] += partial[(size_t)n * (size_t)a + (size_t)i];
        }
    }
    return EW_OK;
}

/* ---- values of ghosts ------------------------------------------------------------------ */

void ew_exchange_room_free(ew_exchange_room *room)
{
    ew_release(room->request);
    ew_release(room->byte);
    memset(room, 0, sizeof *room);
}

static ew_status reserve_room(const ew_team *team, const ew_subdomain *subdomain, size_t size,
                              ew_exchange_room *room)
{
    int64_t n = 0;
    for (int32_t p = 0; p < team->n; p++) {
        n += subdomain->send.count[p] + subdomain->receive.count[p];
    }
    EW_TRY(ew_grow(&room->request, &room->request_capacity, 2 * (int64_t)team->n,
                   sizeof *room->request));
    return ew_grow(&room->byte, &room->byte_capacity, n * (int64_t)size, 1);
}

/* From here to there and back: what each process sends to another that expects it. */
static ew_status start_messages(const ew_team *team, const ew_subdomain *subdomain, size_t size,
                                const void *value, ew_exchange_room *room, int *n_request)
{
    char *at = room->byte;
    for (int32_t p = 0; p < team->n; p++) {
        const size_t bytes = size * (size_t)subdomain->receive.count[p];
        if (bytes) {
            EW_TRY(check_mpi(MPI_Irecv(at, (int)bytes, MPI_BYTE, p, 1, team->comm,
                                       &room->request[(*n_request)++])));
            at += bytes;
        }
    }
    for (int32_t p = 0; p < team->n; p++) {
        const size_t bytes = size * (size_t)subdomain->send.count[p];
        if (bytes) {
            ew_subdomain_take_values(subdomain, p, size, value, at);
            EW_TRY(check_mpi(MPI_Isend(at, (int)bytes, MPI_BYTE, p, 1, team->comm,
                                       &room->request[(*n_request)++])));
            at += bytes;
        }
    }
    return EW_OK;
}

ew_status ew_team_exchange(const ew_team *team, const ew_subdomain *subdomain, size_t size,
                           void *value, ew_exchange_room *room)
{
    int n_request = 0;
    EW_TRY(reserve_room(team, subdomain, size, room));
    EW_TRY(start_messages(team, subdomain, size, value, room, &n_request));
    EW_TRY(check_mpi(MPI_Waitall(n_request, room->request, MPI_STATUSES_IGNORE)));
    const char *at = room->byte;
    for (int32_t p = 0; p < team->n; p++) {
        ew_subdomain_put_values(subdomain, p, size, at, value);
        at += size * (size_t)subdomain->receive.count[p];
    }
    return EW_OK;
}

/* ---- records ----------------------------------------------------------------------------- */

typedef struct parcel {
    uint64_t *bytes; /* [2][n] owned: to each, from each */
    void **message;  /* [n] owned, each: packed for each */
    MPI_Request *request;
    char *arrived; /* owned */
} parcel;

static void free_parcel(parcel *mail, int32_t n)
{
    for (int32_t p = 0; mail->message && p < n; p++) {
        ew_release(mail->message[p]);
    }
    ew_release(mail->message);
    ew_release(mail->bytes);
    ew_release(mail->request);
    ew_release(mail->arrived);
}

static ew_status pack_all(const ew_team *team, const ew_records *records, parcel *mail)
{
    EW_TRY(ew_new_zero(&mail->message, (size_t)team->n, sizeof *mail->message));
    EW_TRY(ew_new_zero(&mail->bytes, 2 * (size_t)team->n, sizeof *mail->bytes));
    EW_TRY(ew_new(&mail->request, 2 * (size_t)team->n, sizeof(MPI_Request)));
    for (int32_t p = 0; p < team->n; p++) {
        size_t bytes;
        EW_TRY(ew_records_pack(&records[p], &bytes, &mail->message[p]));
        mail->bytes[p] = bytes;
        if (bytes > INT32_MAX) {
            return ew_fail(EW_LIMIT, "a message of %zu bytes; at most %d", bytes, INT32_MAX);
        }
    }
    return EW_OK;
}

static ew_status send_all(const ew_team *team, const parcel *mail)
{
    const uint64_t *from = mail->bytes + team->n;
    char *at = mail->arrived;
    for (int32_t p = 0; p < team->n; p++) {
        EW_TRY(
            check_mpi(MPI_Irecv(at, (int)from[p], MPI_BYTE, p, 2, team->comm, &mail->request[p])));
        at += from[p];
    }
    for (int32_t p = 0; p < team->n; p++) {
        EW_TRY(check_mpi(MPI_Isend(mail->message[p], (int)mail->bytes[p], MPI_BYTE, p, 2,
                                   team->comm, &mail->request[team->n + p])));
    }
    return check_mpi(MPI_Waitall(2 * team->n, mail->request, MPI_STATUSES_IGNORE));
}

static ew_status unpack_all(const ew_team *team, const parcel *mail, ew_records *received)
{
    const char *at = mail->arrived;
    for (int32_t p = 0; p < team->n; p++) {
        EW_TRY(ew_records_unpack(&received[p], (size_t)mail->bytes[team->n + p], at));
        at += mail->bytes[team->n + p];
    }
    return EW_OK;
}

static ew_status reserve_arrived(const ew_team *team, parcel *mail)
{
    size_t all = 0;
    for (int32_t p = 0; p < team->n; p++) {
        all += (size_t)mail->bytes[team->n + p];
    }
    return ew_new(&mail->arrived, all, 1);
}

ew_status ew_team_send_records(const ew_team *team, const ew_records *records, ew_records *received)
{
    parcel mail = {0};
    ew_status status;
    EW_TRY_OUT(ew_team_agree(team, pack_all(team, records, &mail)));
    EW_TRY_OUT(check_mpi(MPI_Alltoall(mail.bytes, 1, MPI_UINT64_T, mail.bytes + team->n, 1,
                                      MPI_UINT64_T, team->comm)));
    EW_TRY_OUT(ew_team_agree(team, reserve_arrived(team, &mail)));
    EW_TRY_OUT(send_all(team, &mail));
    EW_TRY_OUT(ew_team_agree(team, unpack_all(team, &mail, received)));
out:
    free_parcel(&mail, team->n);
    return status;
}
