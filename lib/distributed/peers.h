/* peers: processes that run the same study, each with the whole body, and solve its systems
 * together (ew_pcg_def.peers): what they do for each other by MPI. */
#ifndef EW_DISTRIBUTED_PEERS_H
#define EW_DISTRIBUTED_PEERS_H

#include "distributed/team.h"
#include "study/study.h"

typedef struct ew_mpi_peers {
    ew_peers as; /* for ew_pcg_def.peers; its user is this struct */
    ew_team team;
    MPI_Comm notes;                    /* owned: of all processes of the run, for failures, and */
    MPI_Comm give;                     /* owned: for the records of groups */
    int32_t rank, n;                   /* of all */
    ew_failure failure;                /* of any process; status EW_OK: none */
    int32_t failed;                    /* the process that it is of, by its number of all */
    bool is_untold;                    /* the first process cannot hear of this one's */
    int64_t n_byte, n_message, n_join; /* sent by this process; sums */
    double waited;                     /* seconds of processor time that it waited for others */
    ew_exchange_room room;
    ew_study_groups groups; /* of more than one; its user is this struct */
    int32_t n_given, given_capacity;
    struct ew_given_records *given; /* [n_given] owned: on their way to the first group */
} ew_mpi_peers;

/* By all processes of the communicator, one of which the struct is for. EW_BAD_ARGUMENT where they
 * are of other versions, or no groups of group_size, 0: one group. n_thread: of this process. */
ew_status ew_mpi_peers_init(ew_mpi_peers *peers, MPI_Comm comm, int32_t group_size,
                            int32_t n_thread);
/* The same text in all processes, of all groups, such as sums of all files that are read, or of the
 * program; else EW_BAD_INPUT, which names the process that has another. Waits for all. */
ew_status ew_mpi_peers_compare(ew_peers *peers, const char *what, const char *text);
/* By each process at its end, with how that came out: the failure of the process that failed first
 * is that of all. Waits until all are there, but no longer than some seconds for processes that
 * another one's failure ends. After a failure MPI is of no further use. */
ew_status ew_mpi_peers_end(ew_mpi_peers *peers, ew_status own, bool *met);
void ew_mpi_peers_free(ew_mpi_peers *peers);

#endif
