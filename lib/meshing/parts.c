/* Partitions by METIS (Karypis & Kumar 1998, "A fast and high quality multilevel scheme for
 * partitioning irregular graphs", SIAM J. Sci. Comput. 20(1)). In: a pattern, weights. Out: the
 * part of each row. METIS draws random numbers from a seed that is fixed here, so the same graph
 * always gives the same parts. */
#include "ew_parts.h"
#include "meshing/adjacency.h"
#include "meshing/parts/meshing.h"

#if EW_WITH_METIS
#include <metis.h>

bool ew_has_metis(void)
{
    return true;
}

/* METIS counts in idx_t, which a build of it may make 64 bits wide. */
static ew_status copy_for_metis(idx_t **copy, const int32_t *array, int32_t n)
{
    EW_TRY(ew_new(copy, (size_t)n, sizeof **copy));
    for (int32_t i = 0; i < n; i++) {
        (*copy)[i] = array[i];
    }
    return EW_OK;
}

static ew_status explain_metis_failure(int code, int32_t n, int32_t n_part)
{
    switch (code) {
    case METIS_OK:
        return EW_OK;
    case METIS_ERROR_MEMORY:
        return ew_fail(EW_NO_MEMORY, "METIS ran out of memory for %d rows", n);
    case METIS_ERROR_INPUT:
        return ew_fail(EW_BAD_ARGUMENT, "METIS refuses a graph of %d rows in %d parts", n, n_part);
    default:
        return ew_refuse(EW_RULE_LIBRARY, "METIS (%d rows in %d parts, code %d)", n, n_part, code);
    }
}

ew_status ew_adjacency_partition(const ew_adjacency *adjacency, const int32_t *node_weight,
                                 const int32_t *neighbor_weight, int32_t n_part, int32_t *part)
{
    idx_t *begin = NULL, *neighbor = NULL, *found = NULL, *of_node = NULL, *of_neighbor = NULL;
    idx_t n = adjacency->n, n_weight = 1, n_wanted = n_part, cut = 0;
    idx_t options[METIS_NOPTIONS];
    void *room = NULL;
    const size_t room_bytes =
        16 * sizeof *begin * ((size_t)n + (size_t)adjacency->begin[adjacency->n]) +
        ((size_t)4 << 20);
    ew_status status = EW_OK;
    EW_TRY_OUT(copy_for_metis(&begin, adjacency->begin, adjacency->n + 1));
    EW_TRY_OUT(copy_for_metis(&neighbor, adjacency->neighbor, adjacency->begin[adjacency->n]));
    if (node_weight) {
        EW_TRY_OUT(copy_for_metis(&of_node, node_weight, adjacency->n));
    }
    if (neighbor_weight) {
        EW_TRY_OUT(copy_for_metis(&of_neighbor, neighbor_weight, adjacency->begin[adjacency->n]));
    }
    EW_TRY_OUT(ew_new(&found, (size_t)n, sizeof *found));
    /* METIS prints where memory fails; it takes some ten times the graph at most. */
    EW_TRY_OUT(ew_room_keep(&room, room_bytes));
    ew_room_give(&room, room_bytes);
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;
    int code = METIS_PartGraphKway(&n, &n_weight, begin, neighbor, of_node, NULL, of_neighbor,
                                   &n_wanted, NULL, NULL, options, &cut, found);
    EW_TRY_OUT(explain_metis_failure(code, adjacency->n, n_part));
    for (int32_t i = 0; i < adjacency->n; i++) {
        part[i] = (int32_t)found[i];
    }
out:
    ew_release(begin);
    ew_release(neighbor);
    ew_release(of_node);
    ew_release(of_neighbor);
    ew_release(found);
    return status;
}

#else

bool ew_has_metis(void)
{
    return false;
}

ew_status ew_adjacency_partition(const ew_adjacency *adjacency, const int32_t *node_weight,
                                 const int32_t *neighbor_weight, int32_t n_part, int32_t *part)
{
    (void)adjacency, (void)node_weight, (void)neighbor_weight, (void)n_part, (void)part;
    return ew_refuse_missing("partition", "METIS", NULL, "EW_WITH_METIS");
}

#endif

/* Weights of the graph's nodes and of its neighbors, by those of rows and pairs. */
static void take_weights(const ew_adjacency *adjacency, const ew_pattern *pattern,
                         const int32_t *row_weight, const int32_t *pair_weight, int32_t *of_node,
                         int32_t *of_neighbor)
{
    int32_t at = 0, count;
    for (int32_t i = 0; i < adjacency->n; i++) {
        const int32_t *item = ew_pattern_items(pattern, adjacency->row[i], &count);
        if (row_weight) {
            of_node[i] = row_weight[adjacency->row[i]];
        }
        for (int32_t k = 0; pair_weight && k < count; k++) {
            of_neighbor[at++] = pair_weight[item[2 * (size_t)k + 1]];
        }
    }
}

static ew_status partition_rows(const ew_adjacency *adjacency, const ew_pattern *pattern,
                                const int32_t *row_weight, const int32_t *pair_weight,
                                int32_t n_part, int32_t *part)
{
    int32_t *found = NULL, *of_node = NULL, *of_neighbor = NULL;
    ew_status status = EW_OK;
    EW_TRY_OUT(ew_new_zero(&found, (size_t)adjacency->n, sizeof *found));
    if (n_part > 1) {
        const size_t n_neighbor = pair_weight ? (size_t)adjacency->begin[adjacency->n] : 0;
        EW_TRY_OUT(ew_new(&of_node, row_weight ? (size_t)adjacency->n : 0, sizeof *of_node));
        EW_TRY_OUT(ew_new(&of_neighbor, n_neighbor, sizeof *of_neighbor));
        take_weights(adjacency, pattern, row_weight, pair_weight, of_node, of_neighbor);
        EW_TRY_OUT(ew_adjacency_partition(adjacency, row_weight ? of_node : NULL,
                                          pair_weight ? of_neighbor : NULL, n_part, found));
    }
    for (int32_t v = 0; v < pattern->n_row; v++) {
        part[v] = -1;
    }
    for (int32_t i = 0; i < adjacency->n; i++) {
        part[adjacency->row[i]] = found[i];
    }
out:
    ew_release(found);
    ew_release(of_node);
    ew_release(of_neighbor);
    return status;
}

ew_status ew_partition(const ew_pattern *pattern, const int32_t *row_weight,
                       const int32_t *pair_weight, int32_t n_part, int32_t *part)
{
    ew_adjacency adjacency;
    if (!ew_has_metis()) {
        return ew_refuse_missing("partition", "METIS", NULL, "EW_WITH_METIS");
    }
    EW_TRY(ew_adjacency_of_rows(&adjacency, pattern));
    ew_status status =
        n_part < 1 || (n_part > 1 && n_part > adjacency.n)
            ? ew_fail(EW_BAD_ARGUMENT, "%d parts of %d rows with edges: give 1 to %d", n_part,
                      adjacency.n, adjacency.n)
            : partition_rows(&adjacency, pattern, row_weight, pair_weight, n_part, part);
    ew_adjacency_free(&adjacency);
    return status;
}
