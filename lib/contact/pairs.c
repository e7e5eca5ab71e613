/* Pairs of faces. In: two lists of faces, a distance. Out: the pairs whose boxes meet, sorted. */
#include "contact/internal.h"

/* A face meets a few dozen others; with more of them on average the distance is that of the whole
 * body. */
enum { MAX_PAIRS_A_FACE = 400, MIN_LIMIT = 1000000 };

static bool share_vertex(const ew_mesh *mesh, int32_t a, int32_t b)
{
    int32_t v[3], w[3];
    bool share = false;
    contact_face_vertices(mesh, a, v);
    contact_face_vertices(mesh, b, w);
    for (int k = 0; k < 9; k++) {
        share = share || v[k / 3] == w[k % 3];
    }
    return share;
}

static ew_status begin(ew_face_pairs *pairs, int32_t n_slave)
{
    EW_TRY(
        ew_grow(&pairs->begin, &pairs->begin_capacity, (int64_t)n_slave + 1, sizeof *pairs->begin));
    pairs->n_slave = n_slave;
    pairs->n_pair = pairs->begin[0] = 0;
    return EW_OK;
}

/* The pairs of slave i: those of `found` that share no vertex. */
static ew_status add(ew_face_pairs *pairs, const ew_mesh *mesh, const ew_list *slave,
                     const ew_list *master, int32_t i, const ew_list *found)
{
    const int64_t limit = (int64_t)MAX_PAIRS_A_FACE * slave->n;
    EW_TRY(ew_grow(&pairs->master, &pairs->master_capacity, (int64_t)pairs->n_pair + found->n,
                   sizeof *pairs->master));
    for (int32_t k = 0; k < found->n; k++) {
        if (!share_vertex(mesh, slave->id[i], master->id[found->id[k]])) {
            pairs->master[pairs->n_pair++] = found->id[k];
        }
    }
    pairs->begin[i + 1] = pairs->n_pair;
    return pairs->n_pair > (limit > MIN_LIMIT ? limit : MIN_LIMIT)
               ? ew_fail(EW_LIMIT,
                         "contact: more than %d pairs of %d and %d faces; give a distance of about "
                         "the size of a face",
                         pairs->n_pair - 1, slave->n, master->n)
               : EW_OK;
}

ew_status ew_face_pairs_find(ew_face_pairs *pairs, const ew_mesh *mesh, const ew_list *slave,
                             const ew_list *master, double distance)
{
    contact_tree tree;
    ew_list found = {0};
    EW_TRY(begin(pairs, slave->n));
    ew_status status = contact_tree_build(&tree, mesh, master);
    for (int32_t i = 0; i < slave->n && !status; i++) {
        const contact_box box = contact_box_of(mesh, slave->id[i], distance);
        found.n = 0;
        status = contact_tree_find(&tree, &box, &found);
        ew_list_sort(&found);
        status = status ? status : add(pairs, mesh, slave, master, i, &found);
    }
    contact_tree_free(&tree);
    ew_list_free(&found);
    return status;
}

ew_status ew_face_pairs_compare_all(ew_face_pairs *pairs, const ew_mesh *mesh, const ew_list *slave,
                                    const ew_list *master, double distance)
{
    ew_list found = {0};
    ew_status status = begin(pairs, slave->n);
    for (int32_t i = 0; i < slave->n && !status; i++) {
        const contact_box box = contact_box_of(mesh, slave->id[i], distance);
        found.n = 0;
        for (int32_t k = 0; k < master->n && !status; k++) {
            const contact_box other = contact_box_of(mesh, master->id[k], 0.0);
            status = contact_boxes_meet(&box, &other) ? ew_list_push(&found, k) : EW_OK;
        }
        status = status ? status : add(pairs, mesh, slave, master, i, &found);
    }
    ew_list_free(&found);
    return status;
}

void ew_face_pairs_free(ew_face_pairs *pairs)
{
    ew_release(pairs->begin);
    ew_release(pairs->master);
    *pairs = (ew_face_pairs){0};
}
