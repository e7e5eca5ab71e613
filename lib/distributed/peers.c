/* Processes that solve systems together: see peers.h. In: rows that each has and needs. Out: sums
 * and rows in all of them.
 *
 * A process waits by asking again and again whether its messages are there, and in between whether
 * another one has failed: then every function returns at once, and the solve ends by `status`.
 *
 * Longer than 500 lines because whatever waits goes through that one loop. */
#include "distributed/peers.h"

#include <sched.h>
#include <string.h>
#include <time.h>

enum { VALUES = 3, FAILURE = 4 }; /* tags */
/* Seconds in the end for those that hear late of a failure, for they compute: the first one has
 * told it by then, others wait until it has. */
#define PATIENCE_OF_FIRST  3.0
#define PATIENCE_OF_OTHERS 60.0
/* MPI counts in int. */
enum { PIECE = 1 << 28 };

struct ew_transfer {
    ew_rows send, receive; /* a row for each process: rows of vectors, ascending */
};

/* ---- failures --------------------------------------------------------------------- */

static void take_failure(ew_mpi_peers *peers, const ew_failure *failure, int32_t from)
{
    if (!peers->failure.status) {
        peers->failure = *failure;
        peers->failed = from;
    }
}

/* Of this process, told to the others. */
static void fail(ew_mpi_peers *peers, ew_status status)
{
    if (peers->failure.status) {
        return;
    }
    ew_failure own = *ew_last_failure();
    own.status = status;
    take_failure(peers, &own, peers->rank);
    for (int32_t p = 0; p < peers->n; p++) {
        MPI_Request request; /* none after an error, as where there is no memory for one */
        if (p == peers->rank) {
            continue;
        }
        if (MPI_Isend(&peers->failure, (int)sizeof peers->failure, MPI_BYTE, p, FAILURE,
                      peers->notes, &request) == MPI_SUCCESS) {
            MPI_Request_free(&request); /* short enough to go without a wait */
        } else {
            peers->is_untold = peers->is_untold || p == 0;
        }
    }
}

static void look_for_failures(ew_mpi_peers *peers)
{
    int there = 0;
    MPI_Status from;
    ew_failure failure;
    MPI_Iprobe(MPI_ANY_SOURCE, FAILURE, peers->notes, &there, &from);
    if (there) {
        const ew_status status =
            ew_check_mpi(MPI_Recv(&failure, (int)sizeof failure, MPI_BYTE, from.MPI_SOURCE, FAILURE,
                                  peers->notes, MPI_STATUS_IGNORE));
        if (status) {
            fail(peers, status);
        } else {
            take_failure(peers, &failure, from.MPI_SOURCE);
        }
    }
}

static bool has_failed(const ew_mpi_peers *peers)
{
    return peers->failure.status != EW_OK;
}

/* Until the messages are there or a process has failed. */
static void wait_for(ew_mpi_peers *peers, int n, MPI_Request *request)
{
    enum { LOOKS = 64 };
    int done = 0;
    const clock_t began = clock();
    for (int k = 1; !has_failed(peers) && !done; k++) {
        const ew_status status = ew_check_mpi(MPI_Testall(n, request, &done, MPI_STATUSES_IGNORE));
        if (status) {
            fail(peers, status);
        }
        if (!done && k % LOOKS == 0) {
            look_for_failures(peers);
            sched_yield();
        }
    }
    peers->waited += (double)(clock() - began) / CLOCKS_PER_SEC;
}

static ew_status status_of(void *user)
{
    const ew_mpi_peers *peers = user;
    return !has_failed(peers)             ? EW_OK
           : peers->failed == peers->rank ? ew_fail_text(peers->failure.status, peers->failure.text)
                                          : ew_fail(peers->failure.status, "process %d: %.1900s",
                                                    (int)peers->failed, peers->failure.text);
}

/* ---- sums ---------------------------------------------------------------------------- */

static void join_bits(ew_mpi_peers *peers, MPI_Comm comm, MPI_Datatype type, MPI_Op op, int64_t n,
                      size_t size, void *value)
{
    for (int64_t done = 0; done < n && !has_failed(peers); done += PIECE) {
        MPI_Request request;
        const int count = (int)(n - done < PIECE ? n - done : PIECE);
        const ew_status status = ew_check_mpi(MPI_Iallreduce(
            MPI_IN_PLACE, (char *)value + size * (size_t)done, count, type, op, comm, &request));
        if (status) {
            fail(peers, status);
            return;
        }
        wait_for(peers, 1, &request);
    }
}

/* By bits: no number is lost, neither a zero's sign nor what is not a number. */
static void join(void *user, int64_t n, double *number)
{
    ew_mpi_peers *peers = user;
    peers->n_join++;
    if (peers->team.n > 1) {
        join_bits(peers, peers->team.comm, MPI_UINT64_T, MPI_BOR, n, sizeof *number, number);
    }
}

/* ---- transfers -------------------------------------------------------------------------- */

static void free_transfer(ew_transfer *transfer)
{
    if (transfer) {
        ew_rows_free(&transfer->send);
        ew_rows_free(&transfer->receive);
        ew_release(transfer);
    }
}

/* Who has each row; -1: nobody. */
static ew_status find_owners(ew_mpi_peers *peers, int32_t n_row, const uint64_t *has,
                             int32_t **owner)
{
    EW_TRY(ew_new(owner, (size_t)n_row, sizeof **owner));
    for (int32_t row = 0; row < n_row; row++) {
        (*owner)[row] = ew_bit_has(has, row) ? peers->team.rank : -1;
    }
    join_bits(peers, peers->team.comm, MPI_INT32_T, MPI_MAX, n_row, sizeof **owner, *owner);
    return EW_OK;
}

static ew_status list_received(const ew_mpi_peers *peers, int32_t n_row, const int32_t *owner,
                               const uint64_t *needs, ew_rows *receive)
{
    const int32_t n = peers->team.n, rank = peers->team.rank;
    int32_t *count;
    EW_TRY(ew_new_zero(&count, (size_t)n, sizeof *count));
    for (int32_t row = 0; row < n_row; row++) {
        if (ew_bit_has(needs, row) && owner[row] >= 0 && owner[row] != rank) {
            count[owner[row]]++;
        }
    }
    const ew_status status = ew_rows_init(receive, n, 1, count);
    ew_release(count);
    EW_TRY(status);
    for (int32_t row = 0; row < n_row; row++) {
        if (ew_bit_has(needs, row) && owner[row] >= 0 && owner[row] != rank) {
            ew_rows_append1(receive, owner[row], row);
        }
    }
    return EW_OK;
}

/* What each process receives from this one, from what each asks for. */
static ew_status list_sent(ew_mpi_peers *peers, const ew_rows *receive, ew_rows *send)
{
    const int32_t n = peers->team.n, rank = peers->team.rank;
    int32_t *count = NULL;
    MPI_Request *request = NULL;
    int n_request = 0;
    ew_status status;
    EW_TRY_OUT(ew_new_zero(&count, (size_t)n, sizeof *count));
    EW_TRY_OUT(ew_new(&request, 2 * (size_t)n, sizeof *request));
    status = ew_check_mpi(MPI_Ialltoall(receive->count, 1, MPI_INT32_T, count, 1, MPI_INT32_T,
                                        peers->team.comm, request));
    EW_TRY_OUT(status);
    wait_for(peers, 1, request);
    EW_TRY_OUT(status_of(peers));
    EW_TRY_OUT(ew_rows_init(send, n, 1, count));
    for (int32_t p = 0; p < n; p++) {
        send->count[p] = count[p];
        if (p != rank && count[p]) {
            EW_TRY_OUT(ew_check_mpi(MPI_Irecv(send->item + send->begin[p], count[p], MPI_INT32_T, p,
                                              VALUES, peers->team.comm, &request[n_request++])));
        }
    }
    for (int32_t p = 0; p < n; p++) {
        if (p != rank && receive->count[p]) {
            EW_TRY_OUT(ew_check_mpi(MPI_Isend(receive->item + receive->begin[p], receive->count[p],
                                              MPI_INT32_T, p, VALUES, peers->team.comm,
                                              &request[n_request++])));
        }
    }
    wait_for(peers, n_request, request);
    status = status_of(peers);
out:
    ew_release(count);
    ew_release(request);
    return status;
}

static ew_transfer *plan(void *user, int32_t n_row, const uint64_t *has, const uint64_t *needs)
{
    ew_mpi_peers *peers = user;
    ew_transfer *transfer = NULL;
    int32_t *owner = NULL;
    ew_status status;
    EW_TRY_OUT(status_of(peers));
    EW_TRY_OUT(ew_new_zero(&transfer, 1, sizeof *transfer));
    EW_TRY_OUT(find_owners(peers, n_row, has, &owner));
    EW_TRY_OUT(list_received(peers, n_row, owner, needs, &transfer->receive));
    EW_TRY_OUT(list_sent(peers, &transfer->receive, &transfer->send));
out:
    ew_release(owner);
    if (status) {
        fail(peers, status);
        free_transfer(transfer);
        return NULL;
    }
    return transfer;
}

static ew_status start_messages(ew_mpi_peers *peers, const ew_transfer *transfer, size_t size,
                                const char *value, int *n_request)
{
    ew_exchange_room *room = &peers->room;
    int64_t n = 0;
    for (int32_t p = 0; p < peers->team.n; p++) {
        n += transfer->send.count[p] + transfer->receive.count[p];
    }
    EW_TRY(ew_grow(&room->request, &room->request_capacity, 2 * (int64_t)peers->team.n,
                   sizeof *room->request));
    EW_TRY(ew_grow(&room->byte, &room->byte_capacity, n * (int64_t)size, 1));
    char *at = room->byte;
    for (int32_t p = 0; p < peers->team.n; p++) {
        const int32_t count = transfer->receive.count[p];
        if (count) {
            EW_TRY(ew_check_mpi(MPI_Irecv(at, (int)(size * (size_t)count), MPI_BYTE, p, VALUES,
                                          peers->team.comm, &room->request[(*n_request)++])));
            at += size * (size_t)count;
        }
    }
    for (int32_t p = 0; p < peers->team.n; p++) {
        const int32_t count = transfer->send.count[p];
        const int32_t *row = transfer->send.item + (count ? transfer->send.begin[p] : 0);
        for (int32_t i = 0; i < count; i++) {
            memcpy(at + size * (size_t)i, value + size * (size_t)row[i], size);
        }
        if (count) {
            peers->n_message++;
            peers->n_byte += (int64_t)size * count;
            EW_TRY(ew_check_mpi(MPI_Isend(at, (int)(size * (size_t)count), MPI_BYTE, p, VALUES,
                                          peers->team.comm, &room->request[(*n_request)++])));
            at += size * (size_t)count;
        }
    }
    return EW_OK;
}

static void bring(void *user, ew_transfer *transfer, size_t size, void *value)
{
    ew_mpi_peers *peers = user;
    int n_request = 0;
    if (has_failed(peers) || peers->team.n == 1) {
        return;
    }
    const ew_status status = start_messages(peers, transfer, size, value, &n_request);
    if (status) {
        fail(peers, status);
        return;
    }
    wait_for(peers, n_request, peers->room.request);
    const char *at = peers->room.byte;
    for (int32_t p = 0; p < peers->team.n && !has_failed(peers); p++) {
        const int32_t count = transfer->receive.count[p];
        const int32_t *row = transfer->receive.item + (count ? transfer->receive.begin[p] : 0);
        for (int32_t i = 0; i < count; i++) {
            memcpy((char *)value + size * (size_t)row[i], at + size * (size_t)i, size);
        }
        at += size * (size_t)count;
    }
}

static void bring_first(void *user, int32_t from, int64_t n, const double *number, double *to)
{
    ew_mpi_peers *peers = user;
    const int32_t rank = peers->team.rank;
    if (from == 0 && rank == 0) {
        memcpy(to, number, (size_t)n * sizeof *to);
    }
    for (int64_t done = 0; from && (rank == 0 || rank == from) && done < n && !has_failed(peers);
         done += PIECE) {
        MPI_Request request;
        const int piece = (int)(n - done < PIECE ? n - done : PIECE);
        const ew_status status =
            ew_check_mpi(rank == 0 ? MPI_Irecv(to + done, piece, MPI_DOUBLE, from, VALUES,
                                               peers->team.comm, &request)
                                   : MPI_Isend(number + done, piece, MPI_DOUBLE, 0, VALUES,
                                               peers->team.comm, &request));
        if (status) {
            fail(peers, status);
            return;
        }
        peers->n_message += rank > 0;
        peers->n_byte += rank > 0 ? (int64_t)sizeof *number * piece : 0;
        wait_for(peers, 1, &request);
    }
}

/* ---- records of groups -------------------------------------------------------------------- */

struct ew_given_records {
    char *data; /* owned: their size, and the records */
    MPI_Request request[2];
};

/* Those that have arrived, or after `all` every one. */
static void clear_given(ew_mpi_peers *peers, bool all)
{
    int32_t n = 0;
    for (int32_t i = 0; i < peers->n_given; i++) {
        struct ew_given_records *given = &peers->given[i];
        int done = 0;
        if (all) {
            wait_for(peers, 2, given->request);
            done = !has_failed(peers);
        } else {
            MPI_Testall(2, given->request, &done, MPI_STATUSES_IGNORE);
        }
        if (done) {
            ew_release(given->data);
        } else {
            peers->given[n++] = *given;
        }
    }
    peers->n_given = n;
}

/* `to`: a process of the first group, whose numbers are 0 to team.n. */
static ew_status give_to(ew_mpi_peers *peers, int32_t to, size_t size, const void *data)
{
    struct ew_given_records *given;
    EW_TRY(ew_grow(&peers->given, &peers->given_capacity, (int64_t)peers->n_given + 1,
                   sizeof *peers->given));
    given = &peers->given[peers->n_given];
    const uint64_t bytes = size;
    EW_TRY(ew_new(&given->data, size + sizeof bytes, 1));
    memcpy(given->data, &bytes, sizeof bytes);
    memcpy(given->data + sizeof bytes, data, size);
    peers->n_given++;
    EW_TRY(ew_check_mpi(MPI_Isend(given->data, (int)sizeof bytes, MPI_BYTE, to, VALUES, peers->give,
                                  &given->request[0])));
    return ew_check_mpi(MPI_Isend(given->data + sizeof bytes, (int)size, MPI_BYTE, to, VALUES,
                                  peers->give, &given->request[1]));
}

static ew_status give(void *user, int32_t k, size_t size, const void *data)
{
    ew_mpi_peers *peers = user;
    enum { AHEAD = 64 }; /* combinations whose records wait, at most */
    (void)k;
    clear_given(peers, peers->n_given >= AHEAD * peers->team.n);
    if (size > INT32_MAX / 2) {
        return ew_fail(EW_LIMIT, "groups: the records of a combination have %zu bytes, at most %d",
                       size, INT32_MAX / 2);
    }
    for (int32_t p = 0; p < peers->team.n && peers->team.rank == 0; p++) {
        EW_TRY(give_to(peers, p, size, data));
    }
    return status_of(peers);
}

static ew_status take(void *user, int32_t k, size_t *size, void **data)
{
    ew_mpi_peers *peers = user;
    const int32_t from = k % peers->groups.n * peers->team.n;
    MPI_Request request;
    uint64_t bytes = 0;
    EW_TRY(ew_check_mpi(
        MPI_Irecv(&bytes, (int)sizeof bytes, MPI_BYTE, from, VALUES, peers->give, &request)));
    wait_for(peers, 1, &request);
    EW_TRY(status_of(peers));
    EW_TRY(ew_new((char **)data, (size_t)bytes + 1, 1));
    EW_TRY(
        ew_check_mpi(MPI_Irecv(*data, (int)bytes, MPI_BYTE, from, VALUES, peers->give, &request)));
    wait_for(peers, 1, &request);
    *size = (size_t)bytes;
    return status_of(peers);
}

/* ---- interface --------------------------------------------------------------------------- */

/* Processes of a group have numbers that follow one another. */
static ew_status split(ew_mpi_peers *peers, MPI_Comm comm, int32_t group_size)
{
    const int32_t size = group_size ? group_size : peers->n;
    MPI_Comm own;
    if (peers->n % size != 0) {
        return ew_fail(EW_BAD_ARGUMENT,
                       "--group %d: %d processes are no groups of that many; start a multiple",
                       (int)size, (int)peers->n);
    }
    EW_TRY(ew_check_mpi(MPI_Comm_split(comm, peers->rank / size, peers->rank, &own)));
    EW_TRY(ew_check_mpi(MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN)));
    peers->groups = (ew_study_groups){.user = peers,
                                      .group = peers->rank / size,
                                      .n = peers->n / size,
                                      .give = give,
                                      .take = take};
    return ew_team_init(&peers->team, own);
}

ew_status ew_mpi_peers_init(ew_mpi_peers *peers, MPI_Comm comm, int32_t group_size,
                            int32_t n_thread)
{
    memset(peers, 0, sizeof *peers);
    const ew_status status = ew_team_init(&peers->team, comm);
    peers->rank = peers->team.rank; /* after a failure, too: one of them tells it */
    peers->n = peers->team.n;
    EW_TRY(status);
    EW_TRY(ew_check_mpi(MPI_Comm_dup(comm, &peers->notes)));
    EW_TRY(ew_check_mpi(MPI_Comm_dup(comm, &peers->give)));
    EW_TRY(ew_check_mpi(MPI_Allreduce(MPI_IN_PLACE, &n_thread, 1, MPI_INT32_T, MPI_MAX, comm)));
    EW_TRY(split(peers, comm, group_size));
    peers->as = (ew_peers){.user = peers,
                           .rank = peers->team.rank,
                           .n = peers->team.n,
                           .n_thread = n_thread,
                           .join = join,
                           .plan = plan,
                           .bring = bring,
                           .free_transfer = free_transfer,
                           .bring_first = bring_first,
                           .status = status_of};
    return EW_OK;
}

ew_status ew_mpi_peers_compare(ew_peers *peers, const char *what, const char *text)
{
    ew_mpi_peers *own = peers->user;
    uint64_t *sum = NULL;
    ew_status status;
    EW_TRY_OUT(ew_new_zero(&sum, (size_t)own->n, sizeof *sum));
    sum[own->rank] = ew_hash(EW_HASH_START, text, strlen(text));
    join_bits(own, own->notes, MPI_UINT64_T, MPI_BOR, own->n, sizeof *sum, sum);
    EW_TRY_OUT(status_of(own));
    for (int32_t p = 1; p < own->n && !status; p++) {
        status = sum[p] == sum[0]
                     ? EW_OK
                     : ew_fail(EW_BAD_INPUT,
                               "process %d has another %s than process 0: start the same program "
                               "everywhere, with the same files and options",
                               (int)p, what);
    }
out:
    ew_release(sum);
    return status;
}

ew_status ew_mpi_peers_end(ew_mpi_peers *peers, ew_status own, bool *met)
{
    MPI_Request all;
    int done = 0;
    const double began = ew_seconds();
    if (own) {
        fail(peers, own);
    }
    clear_given(peers, true);
    /* Without memory there is no barrier, and no request that could be asked. */
    const ew_status waits = ew_check_mpi(MPI_Ibarrier(peers->notes, &all));
    if (waits) {
        fail(peers, waits);
    }
    const double patience = peers->is_untold ? 0.0
                            : peers->rank    ? PATIENCE_OF_OTHERS
                                             : PATIENCE_OF_FIRST;
    while (!done && (!has_failed(peers) || ew_seconds() - began < patience)) {
        if (!waits) {
            MPI_Test(&all, &done, MPI_STATUS_IGNORE);
        }
        look_for_failures(peers);
        sched_yield();
    }
    look_for_failures(peers);
    *met = done;
    return status_of(peers);
}

void ew_mpi_peers_free(ew_mpi_peers *peers)
{
    if (peers->as.user) {
        MPI_Comm_free(&peers->notes);
        MPI_Comm_free(&peers->give);
        MPI_Comm_free(&peers->team.comm);
    }
    for (int32_t i = 0; i < peers->n_given; i++) {
        ew_release(peers->given[i].data);
    }
    ew_release(peers->given);
    ew_exchange_room_free(&peers->room);
    memset(peers, 0, sizeof *peers);
}
