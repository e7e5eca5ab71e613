/* Pairs of faces that move all the time. In: two sides. Out: the pairs that pairs.c finds, from a
 * list of pairs of wider boxes that stays as long as faces are within theirs and have about turned
 * as they were (Verlet 1967, Computer "experiments" on classical fluids): only those that are not
 * are searched for again. */
#include "contact/internal.h"

/* How much wider boxes are, of the distance by which slaves are. */
#define SKIN 0.25

/* Whether faces are those of the list, each within its box. */
static bool stays(const contact_side *side)
{
    bool same = side->n == side->n_before;
    for (int32_t i = 0; i < side->n && same; i++) {
        same = side->from[i] >= 0;
    }
    return same;
}

static ew_status update_list(contact_near *near, const contact_side *slave,
                             const contact_side *master, bool is_of_one, double margin)
{
    EW_TRY(contact_side_follow(&near->slave, slave, SKIN * margin));
    EW_TRY(contact_side_follow(&near->master, master, SKIN * margin));
    if (stays(&near->slave) && stays(&near->master)) {
        return EW_OK;
    }
    const ew_face_pairs before = near->pairs;
    near->pairs = near->before;
    near->before = before;
    EW_TRY(ew_grow(&near->is_touched, &near->touched_capacity, slave->n, sizeof *near->is_touched));
    return contact_pairs_update(&near->pairs, &near->before, &near->slave, &near->master,
                                (contact_meeting){is_of_one, CONTACT_FACING_TURNED},
                                near->is_touched);
}

/* Of the list those that meet. */
static ew_status pick(const ew_face_pairs *list, const contact_side *slave,
                      const contact_side *master, bool is_of_one, ew_face_pairs *pairs)
{
    const contact_meeting meeting = {is_of_one, CONTACT_FACING};
    int32_t n = 0;
    EW_TRY(ew_grow(&pairs->begin, &pairs->begin_capacity, (int64_t)slave->n + 1,
                   sizeof *pairs->begin));
    EW_TRY(ew_grow(&pairs->master, &pairs->master_capacity, list->n_pair, sizeof *pairs->master));
    for (int32_t i = 0; i < slave->n; i++) {
        pairs->begin[i] = n;
        for (int32_t k = list->begin[i]; k < list->begin[i + 1]; k++) {
            const int32_t m = list->master[k];
            if (contact_boxes_meet(&slave->box[i], &master->box[m]) &&
                contact_may_meet(&slave->face[i], &master->face[m], meeting)) {
                pairs->master[n++] = m;
            }
        }
    }
    pairs->begin[slave->n] = pairs->n_pair = n;
    pairs->n_slave = slave->n;
    return EW_OK;
}

/* Slaves that differ, or of which a master does, or is another one. */
static void find_touched(const ew_face_pairs *pairs, const ew_face_pairs *before,
                         const contact_side *slave, const contact_side *master, bool *is_touched)
{
    for (int32_t i = 0; i < slave->n; i++) {
        const int32_t old = slave->from[i], begin = pairs->begin[i],
                      n = pairs->begin[i + 1] - begin;
        is_touched[i] = old < 0 || n != before->begin[old + 1] - before->begin[old];
        for (int32_t k = 0; k < n && !is_touched[i]; k++) {
            is_touched[i] =
                master->to[before->master[before->begin[old] + k]] != pairs->master[begin + k];
        }
    }
}

ew_status contact_near_update(contact_near *near, ew_face_pairs *pairs, const ew_face_pairs *before,
                              const contact_side *slave, const contact_side *master, bool is_of_one,
                              double margin, bool *is_touched)
{
    EW_TRY(update_list(near, slave, master, is_of_one, margin));
    EW_TRY(pick(&near->pairs, slave, master, is_of_one, pairs));
    find_touched(pairs, before, slave, master, is_touched);
    return EW_OK;
}

void contact_near_free(contact_near *near)
{
    contact_side_free(&near->slave);
    contact_side_free(&near->master);
    ew_face_pairs_free(&near->pairs);
    ew_face_pairs_free(&near->before);
    ew_release(near->is_touched);
    *near = (contact_near){0};
}
