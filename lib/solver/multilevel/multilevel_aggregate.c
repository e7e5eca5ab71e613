/* How many levels the preconditioner has, and how large aggregates are. In: the fine level. Out:
 * aggregates and their pattern, and groups of them. */
#include "solver/multilevel/multilevel.h"
#include "solver/multilevel/slenderness.h"

/* Aggregates that a mesh is cut into, while that gives sizes between the two: few enough for a
 * cheap factor, small enough for their rigid modes to tell. In a thick body each has more
 * neighbors, and the factor of so many costs more than the iterations that it saves. A body is
 * thick where rows have more than so many pairs, each counted once: inside a mesh it is seven, on
 * its surface less than half of that. */
enum { WANTED_AGGREGATES = 600, WANTED_IN_THICK = 300 };
enum { MIN_SIZE = 16, MIN_ON_HOST = 20, MAX_SIZE = 128 };
/* In small thick bodies, whose factor is half of the set-up, as few until they are of this size. */
enum { FEW_IN_THICK = 200, SMALL_IN_THICK = 28 };
#define PAIRS_IN_THICK 6.2
/* Along wires the factor of many aggregates costs little, and bending needs them, for each turns as
 * a whole. Then this many times more. */
enum { MORE_IN_WIRE = 4 };
/* Balls of one row in so many are looked at to tell. */
enum { WIRE_SHARE = 75 };
/* From so many rows on, about 2 million tets, the factor of aggregates of that largest size takes
 * half of the set-up. Then there is a level more, and aggregates are small again. */
enum { MANY_ROWS = 350000, SIZE_IN_THREE = 32 };
/* For a device fewer, since it multiplies with the dense inverse of the factor, at most so many. A
 * level more pays from the size on where two levels would have large aggregates: fewer iterations
 * (box of 105,000 tets 32 in place of 48, of a million 47 in place of 107) and a smaller inverse.
 */
enum { WANTED_ON_DEVICE = 250, MAX_ON_DEVICE = EW_DEVICE_COARSEST_MAX / 6, MANY_ON_DEVICE = 8000 };
/* Aggregates with fewer pairs than this each are mostly in chains, as of many thin fingers: in a
 * chain it is one, in a sheet three. What is rigid over m links of a chain is m times too stiff
 * against bending, and a smoother needs m^2 sweeps for the rest; in a thick body groups of eight
 * are two links long. So in chains links are short: aggregates of the least size, as many as the
 * host has, and if there are more groups of two, but for a tenth of the room, which edits need. */
#define PAIRS_IN_CHAINS 2.5
enum { MAX_IN_CHAINS = 600, LINKS_IN_GROUP = 2, MAX_GROUPS = MAX_ON_DEVICE - MAX_ON_DEVICE / 10 };
/* A body that is one chain as a whole has two levels while so many aggregates are no larger than
 * this: of 9,600 rows 71 iterations in place of 1,052, but of 50,000 149 in place of 103. */
enum { MAX_SIZE_IN_WIRE = 32 };

static int32_t count_rows(const ew_pattern *pattern)
{
    int32_t n = 0;
    for (int32_t row = 0; row < pattern->n_row; row++) {
        n += pattern->row_to_pair.count[row] > 0;
    }
    return n;
}

static bool has_three_levels(const ew_multilevel *m, const ew_pattern *pattern)
{
    const int32_t levels = m->def.levels;
    const int32_t many = m->on_device ? MANY_ON_DEVICE : MANY_ROWS;
    return levels ? levels == 3 : count_rows(pattern) >= many;
}

/* Rows of an aggregate in three levels: on a device such that groups, as many as are wanted there,
 * have as many aggregates each. */
static int32_t choose_small_size(const ew_multilevel *m, const ew_pattern *pattern)
{
    const int32_t rows_in_group = m->on_device ? count_rows(pattern) / WANTED_ON_DEVICE : 0;
    int32_t size = m->on_device ? MIN_SIZE : SIZE_IN_THREE;
    while (size < MAX_SIZE && size * size < rows_in_group) {
        size++;
    }
    return m->def.aggregate_rows ? m->def.aggregate_rows : size;
}

/* Aggregates of a group. */
static int32_t choose_group_size(const ew_multilevel *m)
{
    const int32_t size = m->on_device ? m->aggregates.n / WANTED_ON_DEVICE : 0;
    return size > EW_GROUP_SIZE ? size : EW_GROUP_SIZE;
}

/* In two levels. */
static int32_t choose_size(const ew_multilevel_def *def, const ew_pattern *pattern, bool on_device)
{
    const int32_t n_row = count_rows(pattern);
    const bool is_thick = !on_device && pattern->n_live_pair > PAIRS_IN_THICK * n_row;
    const int32_t min = on_device ? MIN_SIZE : MIN_ON_HOST;
    int32_t n = n_row / (on_device  ? WANTED_ON_DEVICE
                         : is_thick ? WANTED_IN_THICK
                                    : WANTED_AGGREGATES);
    if (is_thick && n < SMALL_IN_THICK) {
        n = n_row / FEW_IN_THICK < SMALL_IN_THICK ? n_row / FEW_IN_THICK : SMALL_IN_THICK;
    }
    return def->aggregate_rows          ? def->aggregate_rows
           : n < min                    ? min
           : n > MAX_SIZE && !on_device ? MAX_SIZE
                                        : n;
}

static bool is_of_chains(const ew_multilevel *m)
{
    const int32_t n = m->aggregates.n;
    return m->on_device && m->pattern.n_live_pair < PAIRS_IN_CHAINS * n;
}

/* Where links of chains make too many groups, ever larger ones. */
static ew_status group(ew_multilevel *m, const ew_fine_level *fine)
{
    const ew_grouped_level level = ew_multilevel_grouped(m, fine);
    const int32_t usual = choose_group_size(m);
    int32_t size = is_of_chains(m) ? LINKS_IN_GROUP : usual;
    EW_TRY(ew_intermediate_group(&m->intermediate, &level, size, m->def.single));
    while (size < usual && m->intermediate.groups.n > MAX_GROUPS) {
        EW_TRY(ew_intermediate_group(&m->intermediate, &level, ++size, m->def.single));
    }
    return EW_OK;
}

static ew_status aggregate(ew_multilevel *m, const ew_fine_level *fine, int32_t size)
{
    EW_TRY(ew_aggregates_build(&m->aggregates, fine, size));
    return ew_coarse_build_pattern(&m->pattern, fine->pattern, &m->aggregates);
}

ew_status ew_multilevel_aggregate(ew_multilevel *m, const ew_fine_level *fine)
{
    int32_t size = choose_size(&m->def, fine->pattern, m->on_device);
    bool is_wire = false;
    ew_intermediate_free(&m->intermediate);
    const int32_t in_wire = count_rows(fine->pattern) / MAX_GROUPS + 1;
    if (m->on_device && m->def.aggregate_rows == 0 && m->def.levels == 0 &&
        in_wire <= MAX_SIZE_IN_WIRE) {
        EW_TRY(ew_is_wire(fine->pattern, count_rows(fine->pattern) / WIRE_SHARE, &is_wire));
        if (is_wire) {
            return aggregate(m, fine, in_wire > MIN_SIZE ? in_wire : MIN_SIZE);
        }
    }
    if (has_three_levels(m, fine->pattern)) {
        EW_TRY(aggregate(m, fine, choose_small_size(m, fine->pattern)));
        const bool are_few = is_of_chains(m) && m->aggregates.n <= MAX_IN_CHAINS;
        return are_few && m->def.levels == 0 ? EW_OK : group(m, fine);
    }
    if (m->def.aggregate_rows == 0 && !m->on_device && size >= 2 * MIN_SIZE) {
        EW_TRY(ew_is_wire(fine->pattern, count_rows(fine->pattern) / WIRE_SHARE, &is_wire));
    }
    if (is_wire) {
        size = size / MORE_IN_WIRE > MIN_SIZE ? size / MORE_IN_WIRE : MIN_SIZE;
    }
    EW_TRY(aggregate(m, fine, size));
    if (m->def.aggregate_rows == 0 && size > MIN_SIZE && is_of_chains(m)) {
        EW_TRY(aggregate(m, fine, MIN_SIZE));
    }
    const bool are_many = m->on_device && m->aggregates.n > MAX_ON_DEVICE;
    return are_many && m->def.levels == 0 ? group(m, fine) : EW_OK;
}
