/* Pairs of faces. In: two sides, each with what differs from before, and the pairs before. Out: the
 * pairs whose boxes meet, sorted.
 *
 * Pairs of faces that are as they were stay. Slaves that are not are found from all masters by a
 * tree of these slaves, masters that are not from the other slaves by a tree of these masters: no
 * tree has to follow edits, and one box is all of it that others are compared with. */
#include "contact/internal.h"

#include <math.h>

/* A face meets a few dozen others; with more of them on average the distance is that of the whole
 * body. */
enum { MAX_PAIRS_A_FACE = 400, MIN_LIMIT = 1000000 };

/* Pairs in the order in which they are found. */
typedef struct hits {
    ew_list slave, master;
} hits;

static ew_status check_number(int64_t n_pair, int32_t n_slave, int32_t n_master)
{
    const int64_t limit = (int64_t)MAX_PAIRS_A_FACE * n_slave;
    return n_pair > (limit > MIN_LIMIT ? limit : MIN_LIMIT)
               ? ew_fail(EW_LIMIT,
                         "contact: more than %d pairs of %d and %d faces; give a distance of about "
                         "the size of a face",
                         (int)n_pair - 1, n_slave, n_master)
               : EW_OK;
}

static bool look_at_each_other(const contact_face *a, const contact_face *b, double facing)
{
    double along = 0.0;
    for (int c = 0; c < 3; c++) {
        along += a->area[c] * b->area[c];
    }
    return -along > facing * sqrt(a->square * b->square);
}

/* Of faces of one list: whether they look against each other, and this is the slave. */
static bool is_slave(const contact_face *a, const contact_face *b, double facing)
{
    double cosine = 0.0;
    for (int c = 0; c < 3; c++) {
        cosine += a->normal[c] * b->normal[c];
    }
    const double first = cosine < 0.0 ? a->turn : a->place,
                 other = cosine < 0.0 ? b->turn : b->place;
    return look_at_each_other(a, b, facing) && (first != other ? first > other : a->code > b->code);
}

/* Neighbors of two lists are none of each other, except at the front of a slit. */
bool contact_may_meet(const contact_face *slave, const contact_face *master,
                      contact_meeting meeting)
{
    return meeting.is_of_one ? is_slave(slave, master, meeting.facing)
                             : !contact_share_vertex(slave->vertex, master->vertex) ||
                                   look_at_each_other(slave, master, meeting.facing);
}

/* Pairs of the slaves that differ with all masters; `others`: of the masters that differ with the
 * other slaves. */
static ew_status search(const contact_side *slave, const contact_side *master,
                        contact_meeting meeting, bool others, hits *to)
{
    const contact_side *side = others ? master : slave, *by = others ? slave : master;
    ew_list place = {0}, found = {0};
    contact_box *box = NULL;
    contact_tree tree = {0};
    ew_status status = EW_OK;
    for (int32_t i = 0; i < side->n && !status && by->n; i++) {
        status = side->from[i] < 0 ? ew_list_push(&place, i) : EW_OK;
    }
    status = status ? status : ew_new(&box, (size_t)place.n, sizeof *box);
    for (int32_t i = 0; i < place.n && !status; i++) {
        box[i] = side->box[place.id[i]];
    }
    status = status ? status : contact_tree_build(&tree, place.n, box);
    for (int32_t i = 0; i < by->n && !status && place.n; i++) {
        found.n = 0;
        if (others && by->from[i] < 0) {
            continue;
        }
        status = contact_tree_find(&tree, &by->box[i], &found);
        for (int32_t k = 0; k < found.n && !status; k++) {
            const int32_t at = place.id[found.id[k]], s = others ? i : at, m = others ? at : i;
            if (contact_may_meet(&slave->face[s], &master->face[m], meeting)) {
                status = ew_list_push(&to->slave, s);
                status = status ? status : ew_list_push(&to->master, m);
            }
        }
        status = status ? status : check_number(to->slave.n, slave->n, master->n);
    }
    contact_tree_free(&tree);
    ew_release(box);
    ew_list_free(&place);
    ew_list_free(&found);
    return status;
}

/* How many pairs slave i keeps. */
static int32_t count_kept(const ew_face_pairs *before, const contact_side *slave,
                          const contact_side *master, int32_t i, bool *is_touched)
{
    const int32_t old = slave->from[i];
    int32_t n = 0;
    for (int32_t k = old < 0 ? 0 : before->begin[old]; old >= 0 && k < before->begin[old + 1];
         k++) {
        n += master->to[before->master[k]] >= 0;
    }
    *is_touched = old < 0 || n < before->begin[old + 1] - before->begin[old];
    return n;
}

/* Room for the pairs of each slave: pairs->begin[i] is where it begins, and where the next of its
 * hits goes. */
static ew_status lay_out(ew_face_pairs *pairs, const ew_face_pairs *before,
                         const contact_side *slave, const contact_side *master, const hits *found,
                         bool *is_touched)
{
    int64_t sum = 0;
    EW_TRY(ew_grow(&pairs->begin, &pairs->begin_capacity, (int64_t)slave->n + 1,
                   sizeof *pairs->begin));
    for (int32_t i = 0; i < slave->n; i++) {
        pairs->begin[i] = count_kept(before, slave, master, i, &is_touched[i]);
    }
    for (int32_t k = 0; k < found->slave.n; k++) {
        pairs->begin[found->slave.id[k]]++;
        is_touched[found->slave.id[k]] = true;
    }
    for (int32_t i = 0; i < slave->n; i++) {
        const int32_t n = pairs->begin[i];
        pairs->begin[i] = (int32_t)sum;
        sum += n;
        EW_TRY(check_number(sum, slave->n, master->n));
    }
    pairs->begin[slave->n] = (int32_t)sum;
    EW_TRY(ew_grow(&pairs->master, &pairs->master_capacity, sum, sizeof *pairs->master));
    pairs->n_slave = slave->n;
    pairs->n_pair = (int32_t)sum;
    return EW_OK;
}

/* Each found one where it belongs among those that are kept, which move up. */
static void put(int32_t *list, int32_t n, int32_t master)
{
    int32_t at = n;
    for (; at > 0 && list[at - 1] > master; at--) {
        list[at] = list[at - 1];
    }
    list[at] = master;
}

static void fill(ew_face_pairs *pairs, const ew_face_pairs *before, const contact_side *slave,
                 const contact_side *master, const hits *found, int32_t *n)
{
    for (int32_t i = 0; i < slave->n; i++) {
        const int32_t old = slave->from[i];
        n[i] = 0;
        for (int32_t k = old < 0 ? 0 : before->begin[old]; old >= 0 && k < before->begin[old + 1];
             k++) {
            const int32_t m = master->to[before->master[k]];
            if (m >= 0) {
                pairs->master[pairs->begin[i] + n[i]++] = m;
            }
        }
    }
    for (int32_t k = 0; k < found->slave.n; k++) {
        const int32_t i = found->slave.id[k];
        put(pairs->master + pairs->begin[i], n[i]++, found->master.id[k]);
    }
}

ew_status contact_pairs_update(ew_face_pairs *pairs, const ew_face_pairs *before,
                               const contact_side *slave, const contact_side *master,
                               contact_meeting meeting, bool *is_touched)
{
    hits found = {0};
    int32_t *n = NULL;
    pairs->n_pair = pairs->n_slave = 0;
    ew_status status = search(slave, master, meeting, false, &found);
    status = status ? status : search(slave, master, meeting, true, &found);
    status = status ? status : lay_out(pairs, before, slave, master, &found, is_touched);
    status = status ? status : ew_new(&n, (size_t)slave->n, sizeof *n);
    if (!status) {
        fill(pairs, before, slave, master, &found, n);
    }
    ew_release(n);
    ew_list_free(&found.slave);
    ew_list_free(&found.master);
    return status;
}

/* ---- of lists of faces ------------------------------------------------------------------------
 */

static contact_meeting meeting_of(const ew_contact_def *def)
{
    return (contact_meeting){contact_is_of_one(def), CONTACT_FACING};
}

ew_status ew_face_pairs_find(ew_face_pairs *pairs, const ew_mesh *mesh, const ew_list *slave,
                             const ew_list *master, double distance)
{
    const ew_contact_def def = {.slave = slave, .master = master};
    contact_side of_slave = {0}, of_master = {0};
    bool *is_touched = NULL;
    ew_status status = contact_side_read(&of_slave, mesh, NULL, &def, slave, distance);
    status = status ? status : contact_side_read(&of_master, mesh, NULL, &def, master, 0.0);
    status = status ? status : ew_new(&is_touched, (size_t)slave->n, sizeof *is_touched);
    const ew_face_pairs none = {0};
    status = status ? status
                    : contact_pairs_update(pairs, &none, &of_slave, &of_master, meeting_of(&def),
                                           is_touched);
    ew_release(is_touched);
    contact_side_free(&of_slave);
    contact_side_free(&of_master);
    return status;
}

ew_status ew_face_pairs_compare_all(ew_face_pairs *pairs, const ew_mesh *mesh, const ew_list *slave,
                                    const ew_list *master, double distance)
{
    const ew_contact_def def = {.slave = slave, .master = master};
    contact_side of_slave = {0}, of_master = {0};
    ew_status status = contact_side_read(&of_slave, mesh, NULL, &def, slave, distance);
    status = status ? status : contact_side_read(&of_master, mesh, NULL, &def, master, 0.0);
    pairs->n_pair = 0;
    pairs->n_slave = slave->n;
    status = status ? status
                    : ew_grow(&pairs->begin, &pairs->begin_capacity, (int64_t)slave->n + 1,
                              sizeof *pairs->begin);
    for (int32_t i = 0; i < slave->n && !status; i++) {
        pairs->begin[i] = pairs->n_pair;
        status = ew_grow(&pairs->master, &pairs->master_capacity,
                         (int64_t)pairs->n_pair + master->n, sizeof *pairs->master);
        for (int32_t k = 0; k < master->n && !status; k++) {
            if (contact_boxes_meet(&of_slave.box[i], &of_master.box[k]) &&
                contact_may_meet(&of_slave.face[i], &of_master.face[k], meeting_of(&def))) {
                pairs->master[pairs->n_pair++] = k;
            }
        }
        pairs->begin[i + 1] = pairs->n_pair;
        status = status ? status : check_number(pairs->n_pair, slave->n, master->n);
    }
    contact_side_free(&of_slave);
    contact_side_free(&of_master);
    return status;
}

void ew_face_pairs_free(ew_face_pairs *pairs)
{
    ew_release(pairs->begin);
    ew_release(pairs->master);
    *pairs = (ew_face_pairs){0};
}
