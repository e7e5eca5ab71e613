/* An edit of all parts: each tells the others, all check, then all commit. */
#include "distributed/team.h"

static ew_status commit(const ew_team *team, ew_subdomain *subdomain, const ew_records *received,
                        const ew_rows *vertex_to_tet, ew_change *change, bool *renumbered)
{
    ew_status status = ew_subdomain_queue(subdomain, team->n, received);
    status = status ? status : ew_subdomain_check(subdomain, vertex_to_tet, change);
    EW_TRY(ew_team_agree(team, status));
    return ew_team_agree(team, ew_subdomain_commit(subdomain, vertex_to_tet, change, renumbered));
}

ew_status ew_team_edit(const ew_team *team, ew_subdomain *subdomain, const ew_records *records,
                       const ew_rows *vertex_to_tet, ew_change *change, bool *renumbered)
{
    ew_records *received = NULL;
    ew_status status;
    EW_TRY(ew_team_agree(team, ew_new_zero(&received, (size_t)team->n, sizeof *received)));
    status = ew_team_send_records(team, records, received);
    status = status ? status : commit(team, subdomain, received, vertex_to_tet, change, renumbered);
    for (int32_t p = 0; p < team->n; p++) {
        ew_records_free(&received[p]);
    }
    ew_release(received);
    return status;
}
