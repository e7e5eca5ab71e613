/* Processes that talk by MPI. In: what each of them has. Out: what all of them agree on. */
#include "distributed/team.h"

#include <string.h>

ew_status ew_check_mpi(int code)
{
    char text[MPI_MAX_ERROR_STRING + 1] = "";
    int n = 0;
    if (code == MPI_SUCCESS) {
        return EW_OK;
    }
    MPI_Error_string(code, text, &n);
    int kind = MPI_ERR_OTHER;
    MPI_Error_class(code, &kind);
    if (kind == MPI_ERR_NO_MEM ||
        kind == MPI_ERR_INTERN) { /* Open MPI says the second where malloc fails */
        return ew_fail(EW_NO_MEMORY, "MPI: %s, as where the system gives no memory", text);
    }
    return ew_fail(EW_IO, "MPI: %s", text);
}

ew_status ew_team_init(ew_team *team, MPI_Comm comm)
{
    const char *version = ew_version(NULL);
    const uint64_t own = ew_hash(EW_HASH_START, version, strlen(version));
    uint64_t first = own;
    int rank, n;
    EW_TRY(ew_check_mpi(MPI_Comm_rank(comm, &rank)));
    EW_TRY(ew_check_mpi(MPI_Comm_size(comm, &n)));
    *team = (ew_team){comm, rank, n};
    EW_TRY(ew_check_mpi(MPI_Bcast(&first, 1, MPI_UINT64_T, 0, comm)));
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
    EW_TRY(ew_check_mpi(MPI_Allreduce(&first, &least, 1, MPI_INT32_T, MPI_MIN, team->comm)));
    if (least == team->n) {
        return EW_OK;
    }
    if (own) {
        failure = *ew_last_failure();
    }
    EW_TRY(ew_check_mpi(MPI_Bcast(&failure, (int)sizeof failure, MPI_BYTE, least, team->comm)));
    return least == team->rank ? own : ew_fail_text(failure.status, failure.text);
}

/* ---- sums --------------------------------------------------------------------------- */

/* MPI counts in int. */
enum { PIECE = 1 << 28 };

ew_status ew_team_join(const ew_team *team, int64_t n, double *number)
{
    for (int64_t done = 0; done < n; done += PIECE) {
        const int count = (int)(n - done < PIECE ? n - done : PIECE);
        EW_TRY(ew_check_mpi(
            MPI_Allreduce(MPI_IN_PLACE, number + done, count, MPI_DOUBLE, MPI_SUM, team->comm)));
    }
    for (int64_t i = 0; i < n; i++) {
        number[i] += 0.0; /* of one process -0 becomes 0, as with several */
    }
    return EW_OK;
}

ew_status ew_team_join_counts(const ew_team *team, int32_t n, int32_t *count)
{
    return ew_check_mpi(MPI_Allreduce(MPI_IN_PLACE, count, n, MPI_INT32_T, MPI_SUM, team->comm));
}

ew_status ew_team_gather(const ew_team *team, size_t size, int32_t n, const void *own,
                         int32_t *all_n, void *all)
{
    int32_t *count = NULL, *begin;
    int64_t sum = 0;
    void *list = NULL;
    MPI_Datatype type;
    ew_status status = ew_new(&count, 2 * (size_t)team->n, sizeof *count);
    EW_TRY_OUT(ew_team_agree(team, status));
    begin = count + team->n;
    EW_TRY_OUT(ew_check_mpi(MPI_Allgather(&n, 1, MPI_INT32_T, count, 1, MPI_INT32_T, team->comm)));
    for (int32_t p = 0; p < team->n; p++) {
        begin[p] = (int32_t)sum;
        sum += count[p];
    }
    status = sum > INT32_MAX ? ew_fail(EW_LIMIT, "%lld entries of all processes; at most %d",
                                       (long long)sum, INT32_MAX)
                             : ew_new(&list, (size_t)sum, size);
    EW_TRY_OUT(ew_team_agree(team, status));
    EW_TRY_OUT(ew_check_mpi(MPI_Type_contiguous((int)size, MPI_BYTE, &type)));
    EW_TRY_OUT(ew_check_mpi(MPI_Type_commit(&type)));
    EW_TRY_OUT(ew_check_mpi(MPI_Allgatherv(own, n, type, list, count, begin, type, team->comm)));
    EW_TRY_OUT(ew_check_mpi(MPI_Type_free(&type)));
    memcpy(all, &list, sizeof list);
    *all_n = (int32_t)sum;
    list = NULL;
out:
    ew_release(list);
    ew_release(count);
    return status;
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
            EW_TRY(ew_check_mpi(MPI_Irecv(at, (int)bytes, MPI_BYTE, p, 1, team->comm,
                                          &room->request[(*n_request)++])));
            at += bytes;
        }
    }
    for (int32_t p = 0; p < team->n; p++) {
        const size_t bytes = size * (size_t)subdomain->send.count[p];
        if (bytes) {
            room->n_message++;
            room->n_byte += (int64_t)bytes;
            ew_subdomain_take_values(subdomain, p, size, value, at);
            EW_TRY(ew_check_mpi(MPI_Isend(at, (int)bytes, MPI_BYTE, p, 1, team->comm,
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
    EW_TRY(ew_check_mpi(MPI_Waitall(n_request, room->request, MPI_STATUSES_IGNORE)));
    const char *at = room->byte;
    for (int32_t p = 0; p < team->n; p++) {
        ew_subdomain_put_values(subdomain, p, size, at, value);
        at += size * (size_t)subdomain->receive.count[p];
    }
    return EW_OK;
}
