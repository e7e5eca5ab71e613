/* Parts of about equal size again after edits: atoms that have grown are halved, all are dealt
 * again, and whole ones travel as records, with values of their vertices. */
#include "distributed/team.h"

#include <string.h>

/* ---- atoms ------------------------------------------------------------------------ */

/* Until none has more than `limit` rows. graph: rows of all processes, edges of this one. */
static ew_status halve_atoms(const ew_team *team, ew_subdomain *subdomain,
                             const ew_pattern *pattern, int32_t limit, ew_atom_graph *graph)
{
    ew_exchange_room room = {0};
    ew_status status = EW_OK;
    for (int32_t before = -1; before != subdomain->n_atom;) {
        before = subdomain->n_atom;
        EW_TRY_OUT(ew_team_agree(team, ew_subdomain_graph(subdomain, pattern, graph)));
        EW_TRY_OUT(ew_team_join_counts(team, graph->n_atom, graph->rows));
        EW_TRY_OUT(ew_team_agree(team, ew_subdomain_halve(subdomain, graph->rows, limit)));
        EW_TRY_OUT(ew_team_exchange(team, subdomain, sizeof(int32_t), subdomain->atom, &room));
    }
out:
    ew_exchange_room_free(&room);
    return status;
}

static ew_status gather_edges(const ew_team *team, ew_atom_graph *graph)
{
    int32_t *edge = NULL, n = 0;
    EW_TRY(ew_team_gather(team, 3 * sizeof *edge, graph->n_edge, graph->edge, &n, &edge));
    ew_release(graph->edge);
    graph->edge = edge;
    graph->n_edge = graph->edge_capacity = n;
    return EW_OK;
}

/* part [n_atom]; the graph of all is the same everywhere, and so is what comes of it. */
static ew_status deal(const ew_team *team, const ew_subdomain *subdomain, ew_atom_graph *graph,
                      double above, int32_t *part, bool *moves)
{
    *moves = ew_atom_graph_imbalance(graph, team->n, subdomain->atom_part) > above;
    if (!*moves) {
        return EW_OK;
    }
    EW_TRY(gather_edges(team, graph));
    return ew_team_agree(team, ew_atom_graph_deal(graph, team->n, part));
}

/* ---- what travels -------------------------------------------------------------------- */

/* Messages with the values of the vertices of records[p], in their order. */
static ew_status pack_values(const ew_team *team, const ew_subdomain *from,
                             const ew_records *records, int32_t width, const double *value,
                             ew_parcels *parcels)
{
    const size_t size = (size_t)width * sizeof *value;
    EW_TRY(ew_parcels_init(parcels, team));
    for (int32_t p = 0; width && p < team->n; p++) {
        parcels->bytes[p] = size * (size_t)records[p].n_vertex;
        EW_TRY(ew_new(&parcels->message[p], (size_t)records[p].n_vertex, size));
        for (int32_t i = 0; i < records[p].n_vertex; i++) {
            const int32_t v = ew_id_index_find(&from->vertex_at, records[p].vertex[i].id);
            memcpy((char *)parcels->message[p] + size * (size_t)i,
                   value + (size_t)width * (size_t)v, size);
        }
    }
    return EW_OK;
}

static ew_status put_values(const ew_team *team, const ew_parcels *parcels,
                            const ew_records *received, const ew_subdomain *to, int32_t width,
                            double **value)
{
    const size_t size = (size_t)width * sizeof **value;
    double *moved;
    EW_TRY(ew_new_zero(&moved, (size_t)width * (size_t)to->mesh.n_vertex, sizeof *moved));
    for (int32_t p = 0; p < team->n; p++) {
        for (int32_t i = 0; i < received[p].n_vertex; i++) {
            const int32_t v = ew_id_index_find(&to->vertex_at, received[p].vertex[i].id);
            memcpy(moved + (size_t)width * (size_t)v,
                   parcels->arrived + parcels->begin[p] + size * (size_t)i, size);
        }
    }
    ew_release(*value);
    *value = moved;
    return EW_OK;
}

static ew_status make_part(const ew_subdomain *from, const int32_t *part, int32_t n,
                           const ew_records *received, ew_subdomain *to)
{
    const ew_subdomain_def def = {from->part, from->n_part,        from->n_atom,
                                  part,       from->mesh.n_region, from->mesh.region_label};
    EW_TRY(ew_subdomain_init(to, &def, n, received));
    to->mesh.frame = from->mesh.frame;
    return EW_OK;
}

typedef struct luggage {
    ew_records *sent, *received; /* [team.n] owned each */
    ew_parcels values;
    ew_subdomain part;
} luggage;

static ew_status pack(const ew_team *team, const ew_subdomain *from, const ew_rows *vertex_to_tet,
                      const int32_t *part, int32_t width, double *const *value, luggage *all)
{
    EW_TRY(ew_new_zero(&all->sent, (size_t)team->n, sizeof *all->sent));
    EW_TRY(ew_new_zero(&all->received, (size_t)team->n, sizeof *all->received));
    EW_TRY(ew_records_of_atoms(from, vertex_to_tet, part, team->n, all->sent));
    return pack_values(team, from, all->sent, width, width ? *value : NULL, &all->values);
}

static ew_status move(const ew_team *team, ew_subdomain *subdomain, const ew_rows *vertex_to_tet,
                      const int32_t *part, int32_t width, double **value)
{
    luggage all = {0};
    ew_status status;
    EW_TRY_OUT(ew_team_agree(team, pack(team, subdomain, vertex_to_tet, part, width, value, &all)));
    EW_TRY_OUT(ew_team_send_records(team, all.sent, all.received));
    EW_TRY_OUT(ew_parcels_send(team, &all.values));
    status = make_part(subdomain, part, team->n, all.received, &all.part);
    if (!status && width) {
        status = put_values(team, &all.values, all.received, &all.part, width, value);
    }
    EW_TRY_OUT(ew_team_agree(team, status));
    ew_subdomain_free(subdomain);
    *subdomain = all.part;
    all.part = (ew_subdomain){0};
out:
    for (int32_t p = 0; p < team->n; p++) {
        if (all.sent && all.received) {
            ew_records_free(&all.sent[p]);
            ew_records_free(&all.received[p]);
        }
    }
    ew_release(all.sent);
    ew_release(all.received);
    ew_parcels_free(&all.values);
    ew_subdomain_free(&all.part);
    return status;
}

ew_status ew_team_balance(const ew_team *team, ew_subdomain *subdomain, const ew_topology *topology,
                          int32_t limit, double above, int32_t width, double **value, bool *moved)
{
    ew_atom_graph graph = {0};
    int32_t *part = NULL;
    bool moves = false;
    ew_status status;
    EW_TRY_OUT(halve_atoms(team, subdomain, &topology->pattern, limit, &graph));
    status = ew_new(&part, (size_t)subdomain->n_atom, sizeof *part);
    EW_TRY_OUT(ew_team_agree(team, status));
    EW_TRY_OUT(deal(team, subdomain, &graph, above, part, &moves));
    if (moves) {
        EW_TRY_OUT(move(team, subdomain, &topology->vertex_to_tet, part, width, value));
    }
    *moved = moves;
out:
    ew_atom_graph_free(&graph);
    ew_release(part);
    return status;
}
