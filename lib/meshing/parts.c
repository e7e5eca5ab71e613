/* Partitions by METIS (Karypis & Kumar 1998, "A fast and high quality multilevel scheme for
 * partitioning irregular graphs", SIAM J. Sci. Comput. 20(1)). In: a pattern. Out: the part
 * of each row. METIS draws random numbers from a seed that is fixed here, so the same
 * graph always gives the same parts. */
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

ew_status ew_adjacency_partition(const ew_adjacency *adjacency, int32_t n_part, int32_t *part)
{
    idx_t *begin = NULL, *neighbor = NULL, *found = NULL;
    idx_t n = adjacency->n, n_weight = 1, n_wanted = n_part, cut = 0;
    idx_t options[METIS_NOPTIONS];
    void *room = NULL;
    const size_t room_bytes =
        16 * sizeof *begin * ((size_t)n + (size_t)adjacency->begin[adjacency->n]) +
        ((size_t)4 << 20);
    ew_status status = EW_OK;
    EW_TRY_OUT(copy_for_metis(&begin, adjacency->begin, adjacency->n + 1));
    EW_TRY_OUT(copy_for_metis(&neighbor, adjacency->neighbor, adjacency->begin[adjacency->n]));
    EW_TRY_OUT(ew_new(&found, (size_t)n, sizeof *found));
    /* METIS prints where memory fails; it takes some ten times the graph at most. */
    EW_TRY_OUT(ew_room_keep(&room, room_bytes));
    ew_room_give(&room, room_bytes);
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;
    int code = METIS_PartGraphKway(&n, &n_weight, begin, neighbor, NULL, NULL, NULL, &n_wanted,
                                   NULL, NULL, options, &cut, found);
    EW_TRY_OUT(explain_metis_failure(code, adjacency->n, n_part));
    for (int32_t i = 0; i < adjacency->n; i++) {
        part[i] = (int32_t)found[i];
    }
out:
    ew_release(begin);
    ew_release(neighbor);
    ew_release(found);
    return status;
}

#else

bool ew_has_metis(void)
{
    return false;
}

ew_status ew_adjacency_partition(const ew_adjacency *adjacency, int32_t n_part, int32_t *part)
{
    (void)adjacency, (void)n_part, (void)part;
    return ew_refuse_missing("partition", "METIS", NULL, "EW_WITH_METIS");
}

#endif

static ew_status partition_rows(const ew_adjacency *adjacency, int32_t n_row, int32_t n_part,
                                int32_t *part)
{
    int32_t *found = NULL;
    EW_TRY(ew_new_zero(&found, (size_t)adjacency->n, sizeof *found));
    ew_status status = n_part > 1 ? ew_adjacency_partition(adjacency, n_part, found) : EW_OK;
    for (int32_t v = 0; v < n_row && !status; v++) {
        part[v] = -1;
    }
    for (int32_t i = 0; i < adjacency->n && !status; i++) {
        part[adjacency->row[i]] = found[i];
    }
    ew_release(found);
    return status;
}

ew_status ew_partition(const ew_pattern *pattern, int32_t n_part, int32_t *part)
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
            : partition_rows(&adjacency, pattern->n_row, n_part, part);
    ew_adjacency_free(&adjacency);
    return status;
}
