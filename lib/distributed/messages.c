/* Messages of any length from each process to each, and records as such. */
#include "distributed/team.h"

#include <string.h>

void ew_parcels_free(ew_parcels *parcels)
{
    for (int32_t p = 0; parcels->message && p < parcels->n; p++) {
        ew_release(parcels->message[p]);
    }
    ew_release(parcels->message);
    ew_release(parcels->bytes);
    ew_release(parcels->begin);
    ew_release(parcels->arrived);
    memset(parcels, 0, sizeof *parcels);
}

ew_status ew_parcels_init(ew_parcels *parcels, const ew_team *team)
{
    const size_t n = (size_t)team->n;
    *parcels = (ew_parcels){.n = team->n};
    EW_TRY(ew_new_zero(&parcels->message, n, sizeof *parcels->message));
    EW_TRY(ew_new_zero(&parcels->bytes, n, sizeof *parcels->bytes));
    return ew_new_zero(&parcels->begin, n + 1, sizeof *parcels->begin);
}

/* MPI counts in int. */
static ew_status check_sizes(const ew_parcels *parcels)
{
    for (int32_t p = 0; p < parcels->n; p++) {
        if (parcels->bytes[p] > INT32_MAX) {
            return ew_fail(EW_LIMIT, "a message of %zu bytes; at most %d", parcels->bytes[p],
                           INT32_MAX);
        }
    }
    return EW_OK;
}

static ew_status exchange_sizes(const ew_team *team, ew_parcels *parcels)
{
    uint64_t *size = NULL; /* [2][n]: to each, from each */
    const size_t n = (size_t)team->n;
    ew_status status = ew_new(&size, 2 * n, sizeof *size);
    EW_TRY_OUT(ew_team_agree(team, status));
    for (size_t p = 0; p < n; p++) {
        size[p] = parcels->bytes[p];
    }
    EW_TRY_OUT(
        ew_check_mpi(MPI_Alltoall(size, 1, MPI_UINT64_T, size + n, 1, MPI_UINT64_T, team->comm)));
    for (size_t p = 0; p < n; p++) {
        parcels->begin[p + 1] = parcels->begin[p] + (size_t)size[n + p];
    }
out:
    ew_release(size);
    return status;
}

static ew_status send_all(const ew_team *team, const ew_parcels *parcels, MPI_Request *request)
{
    for (int32_t p = 0; p < team->n; p++) {
        EW_TRY(ew_check_mpi(MPI_Irecv(parcels->arrived + parcels->begin[p],
                                      (int)(parcels->begin[p + 1] - parcels->begin[p]), MPI_BYTE, p,
                                      2, team->comm, &request[p])));
    }
    for (int32_t p = 0; p < team->n; p++) {
        EW_TRY(ew_check_mpi(MPI_Isend(parcels->message[p], (int)parcels->bytes[p], MPI_BYTE, p, 2,
                                      team->comm, &request[team->n + p])));
    }
    return ew_check_mpi(MPI_Waitall(2 * team->n, request, MPI_STATUSES_IGNORE));
}

ew_status ew_parcels_send(const ew_team *team, ew_parcels *parcels)
{
    MPI_Request *request = NULL;
    ew_status status;
    EW_TRY_OUT(ew_team_agree(team, check_sizes(parcels)));
    EW_TRY_OUT(exchange_sizes(team, parcels));
    status = ew_new(&parcels->arrived, parcels->begin[team->n], 1);
    status = status ? status : ew_new(&request, 2 * (size_t)team->n, sizeof(MPI_Request));
    EW_TRY_OUT(ew_team_agree(team, status));
    EW_TRY_OUT(send_all(team, parcels, request));
out:
    ew_release(request);
    return status;
}

/* ---- records ------------------------------------------------------------------------- */

static ew_status pack_all(const ew_team *team, const ew_records *records, ew_parcels *parcels)
{
    EW_TRY(ew_parcels_init(parcels, team));
    for (int32_t p = 0; p < team->n; p++) {
        EW_TRY(ew_records_pack(&records[p], &parcels->bytes[p], &parcels->message[p]));
    }
    return EW_OK;
}

static ew_status unpack_all(const ew_team *team, const ew_parcels *parcels, ew_records *received)
{
    for (int32_t p = 0; p < team->n; p++) {
        EW_TRY(ew_records_unpack(&received[p], parcels->begin[p + 1] - parcels->begin[p],
                                 parcels->arrived + parcels->begin[p]));
    }
    return EW_OK;
}

ew_status ew_team_send_records(const ew_team *team, const ew_records *records, ew_records *received)
{
    ew_parcels parcels = {0};
    ew_status status;
    EW_TRY_OUT(ew_team_agree(team, pack_all(team, records, &parcels)));
    EW_TRY_OUT(ew_parcels_send(team, &parcels));
    EW_TRY_OUT(ew_team_agree(team, unpack_all(team, &parcels, received)));
out:
    ew_parcels_free(&parcels);
    return status;
}
