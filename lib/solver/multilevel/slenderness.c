/* Wires. In: a pattern. Out: whether it is one, by how balls of rows grow with their radius. */
#include "solver/multilevel/slenderness.h"

/* Balls, and how often one must be a stretch of wire. */
enum { BALLS = 8, WANTED = 5 };
/* Rows in twice the radius, over those in the radius, that a stretch of wire has at most: between a
 * line's 2 and a sheet's 4. */
#define MAX_GROWTH 3.4

typedef struct search {
    const ew_pattern *pattern;
    uint8_t *seen; /* [n_row] by which ball, 1 on */
    ew_list row;   /* of the ball, nearest first */
    int32_t done;  /* rows of it whose pairs were looked at */
} search;

/* Rows one step further than all there are. */
static ew_status grow(search *s, uint8_t ball)
{
    for (const int32_t end = s->row.n; s->done < end; s->done++) {
        int32_t count;
        const int32_t *item = ew_pattern_items(s->pattern, s->row.id[s->done], &count);
        for (int32_t k = 0; k < count; k++) {
            if (s->seen[item[2 * k]] != ball) {
                s->seen[item[2 * k]] = ball;
                EW_TRY(ew_list_push(&s->row, item[2 * k]));
            }
        }
    }
    return EW_OK;
}

/* The first row from `from` on that has pairs, or -1. */
static int32_t find_seed(const ew_pattern *pattern, int32_t from)
{
    while (from < pattern->n_row && pattern->row_to_pair.count[from] == 0) {
        from++;
    }
    return from < pattern->n_row ? from : -1;
}

static ew_status look_around(search *s, int32_t seed, uint8_t ball, int32_t n, bool *is_stretch)
{
    int32_t radius = 0;
    *is_stretch = false;
    s->row.n = s->done = 0;
    s->seen[seed] = ball;
    EW_TRY(ew_list_push(&s->row, seed));
    for (; s->row.n < n && s->done < s->row.n; radius++) {
        EW_TRY(grow(s, ball));
    }
    const int32_t before = s->row.n;
    if (before < n) {
        return EW_OK; /* a small body */
    }
    for (int32_t k = 0; k < radius && s->row.n <= MAX_GROWTH * before; k++) {
        EW_TRY(grow(s, ball));
    }
    *is_stretch = s->row.n > s->done && s->row.n <= MAX_GROWTH * before; /* and it goes on */
    return EW_OK;
}

ew_status ew_is_wire(const ew_pattern *pattern, int32_t n, bool *is_wire)
{
    search s = {.pattern = pattern};
    ew_status status = EW_OK;
    int32_t n_stretch = 0;
    EW_TRY(ew_new_zero(&s.seen, (size_t)pattern->n_row + 1, 1));
    for (int32_t k = 0; k < BALLS && n_stretch + BALLS - k >= WANTED; k++) {
        const int64_t share = (int64_t)pattern->n_row * (2 * k + 1) / (2 * BALLS);
        const int32_t seed = find_seed(pattern, (int32_t)share);
        bool is_stretch = false;
        EW_TRY_OUT(seed < 0 ? EW_OK : look_around(&s, seed, (uint8_t)(k + 1), n, &is_stretch));
        n_stretch += is_stretch;
    }
    *is_wire = n_stretch >= WANTED;
out:
    ew_release(s.seen);
    ew_list_free(&s.row);
    return status;
}
