/* The edit journal of a step: a sequence of records, all numbers little-endian. A renumbering is
 * 'R', an analysis with the step's supports and loads 'S'; tets that become quadratic (1) or linear
 * (0) are 'Q', uint8, int32 n, int32 [n]. 'D', int32 n says that what follows comes before time
 * step n (from 0) of a dynamic step. 'B', first of all, says that a combination of a sweep that
 * goes on from the one before began with the case's mesh instead; 'F' alone is a step that failed.
 * A commit is 'C', uint8 code (ew_operation.file_code, EW_CODE_..), seven int32 counts, then the
 * arrays in this order:
 *
 *   added vertices     double [n][3] positions
 *   added tets         int32 [n][4] vertices, int32 [n] region labels
 *   removed tets       int32 [n]
 *   removed vertices   int32 [n]
 *   moved vertices     int32 [n], double [n][3] new positions
 *   parents            int32 [n] of the added vertices: none (n = 0), of which each is the image
 *                      (as many as they are), or the two ends of its edge (twice as many)
 *   added faces        int32 [n][4] vertices and label
 *
 * A commit is 'T' where added tets have origins: the same, and at its end
 *
 *   origins            int32 [n] of the added tets: the tet that each is a part or image of, -1
 * none
 *
 * A commit is 'F' where added vertices lie at fractions between their parents or faces have
 * origins: as 'T', and at its end
 *
 *   fractions          int32 n, double [n] of the first n added vertices; 0.5 of the others
 *   face origins       int32 n, int32 [n][6] vertices of a new face and of the old one
 *
 * Before a commit with vertices inside tets comes a record 'V': int32 n, then int32 [n][5] the
 * place of each among the added vertices and the corners around it, double [n][4] their weights.
 * Before one that has curves of sides comes, after that, a record 'K': int32 n, int32 [n][2] their
 * ends, double [n][3] how far their middles lie beyond the straight ones. Before one that merges
 * vertices comes, after these, a record 'M': int32 n, int32 [n][2] a removed vertex and the one in
 * its place.
 *
 * Ids are slots: commits give slots by a fixed rule, so replaying the records on the same input
 * mesh gives the same slots and the same bits. */
#include "study/run/run.h"

#include <string.h>

ew_status ew_journal_put(ew_journal *journal, const void *data, size_t bytes)
{
    EW_TRY(
        ew_grow(&journal->data, &journal->capacity, (int64_t)journal->bytes + (int64_t)bytes, 1));
    if (bytes) {
        memcpy(journal->data + journal->bytes, data, bytes);
    }
    journal->bytes += (int32_t)bytes;
    return EW_OK;
}

/* How many parents an added vertex has at the most. */
static int32_t parents_of(const ew_edit *edit)
{
    int32_t n = 0;
    for (int32_t k = 0; k < edit->n_add_vertex; k++) {
        const int32_t *parent = edit->add_parent + 2 * (size_t)k;
        const int32_t own = parent[0] != parent[1] ? 2 : parent[0] == -1 ? 0 : 1;
        n = own > n ? own : n;
    }
    return n;
}

static bool has_origins(const ew_edit *edit)
{
    bool any = false;
    for (int32_t i = 0; i < edit->n_add_tet && !any; i++) {
        any = edit->add_tet_from[i] >= 0;
    }
    return any;
}

static ew_status put_details(ew_journal *journal, const ew_edit *edit)
{
    const int32_t n = edit->n_fraction, n_face = edit->n_face_origin;
    EW_TRY(ew_journal_put(journal, &n, sizeof n));
    EW_TRY(ew_journal_put(journal, edit->add_fraction, (size_t)n * sizeof *edit->add_fraction));
    EW_TRY(ew_journal_put(journal, &n_face, sizeof n_face));
    return ew_journal_put(journal, edit->face_origin, (size_t)n_face * 6 * sizeof(int32_t));
}

static ew_status put_inside(ew_journal *journal, const ew_edit *edit)
{
    if (edit->n_inside == 0) {
        return EW_OK;
    }
    EW_TRY(ew_journal_put(journal, "V", 1));
    EW_TRY(ew_journal_put(journal, &edit->n_inside, sizeof edit->n_inside));
    for (int32_t i = 0; i < edit->n_inside; i++) {
        EW_TRY(ew_journal_put(journal, &edit->inside[i].place, sizeof(int32_t)));
        EW_TRY(ew_journal_put(journal, edit->inside[i].corner, sizeof edit->inside[i].corner));
    }
    for (int32_t i = 0; i < edit->n_inside; i++) {
        EW_TRY(ew_journal_put(journal, edit->inside[i].weight, sizeof edit->inside[i].weight));
    }
    return EW_OK;
}

static ew_status put_curves(ew_journal *journal, const ew_edit *edit)
{
    const size_t n = (size_t)edit->n_curve;
    if (n == 0) {
        return EW_OK;
    }
    EW_TRY(ew_journal_put(journal, "K", 1));
    EW_TRY(ew_journal_put(journal, &edit->n_curve, sizeof edit->n_curve));
    EW_TRY(ew_journal_put(journal, edit->curve_end, n * 2 * sizeof *edit->curve_end));
    return ew_journal_put(journal, edit->curve, n * 3 * sizeof *edit->curve);
}

static ew_status put_merges(ew_journal *journal, const ew_edit *edit)
{
    if (edit->n_merge == 0) {
        return EW_OK;
    }
    EW_TRY(ew_journal_put(journal, "M", 1));
    EW_TRY(ew_journal_put(journal, &edit->n_merge, sizeof edit->n_merge));
    return ew_journal_put(journal, edit->merge, (size_t)edit->n_merge * 2 * sizeof *edit->merge);
}

ew_status ew_journal_commit(ew_journal *journal, int32_t code, const ew_edit *edit)
{
    const bool more = edit->n_fraction || edit->n_face_origin;
    const bool origins = more || has_origins(edit);
    const unsigned char head[2] = {more ? 'F' : origins ? 'T' : 'C', (unsigned char)code};
    const int32_t width = parents_of(edit);
    const int32_t counts[7] = {edit->n_add_vertex,  edit->n_add_tet,
                               edit->remove_tet.n,  edit->remove_vertex.n,
                               edit->move_vertex.n, width * edit->n_add_vertex,
                               edit->n_add_face};
    EW_TRY(put_inside(journal, edit));
    EW_TRY(put_curves(journal, edit));
    EW_TRY(put_merges(journal, edit));
    EW_TRY(ew_journal_put(journal, head, sizeof head));
    EW_TRY(ew_journal_put(journal, counts, sizeof counts));
    EW_TRY(ew_journal_put(journal, edit->add_vertex, (size_t)counts[0] * 3 * sizeof(double)));
    EW_TRY(ew_journal_put(journal, edit->add_tet, (size_t)counts[1] * 4 * sizeof(int32_t)));
    EW_TRY(ew_journal_put(journal, edit->add_tet_region, (size_t)counts[1] * sizeof(int32_t)));
    EW_TRY(ew_journal_put(journal, edit->remove_tet.id, (size_t)counts[2] * sizeof(int32_t)));
    EW_TRY(ew_journal_put(journal, edit->remove_vertex.id, (size_t)counts[3] * sizeof(int32_t)));
    EW_TRY(ew_journal_put(journal, edit->move_vertex.id, (size_t)counts[4] * sizeof(int32_t)));
    EW_TRY(ew_journal_put(journal, edit->move_to, (size_t)counts[4] * 3 * sizeof(double)));
    for (int32_t k = 0; k < edit->n_add_vertex && width; k++) {
        EW_TRY(ew_journal_put(journal, edit->add_parent + 2 * (size_t)k,
                              (size_t)width * sizeof(int32_t)));
    }
    for (int32_t i = 0; i < counts[6]; i++) {
        EW_TRY(ew_journal_put(journal, edit->add_face + 3 * (size_t)i, 3 * sizeof(int32_t)));
        EW_TRY(ew_journal_put(journal, &edit->add_face_label[i], sizeof(int32_t)));
    }
    if (origins) {
        EW_TRY(ew_journal_put(journal, edit->add_tet_from, (size_t)counts[1] * sizeof(int32_t)));
    }
    return more ? put_details(journal, edit) : EW_OK;
}

ew_status ew_journal_compact(ew_journal *journal)
{
    return ew_journal_put(journal, "R", 1);
}

ew_status ew_journal_analysis(ew_journal *journal)
{
    return ew_journal_put(journal, "S", 1);
}

ew_status ew_journal_base(ew_journal *journal)
{
    return ew_journal_put(journal, EW_JOURNAL_BASE_MARK, 1);
}

ew_status ew_journal_time(ew_journal *journal, int32_t n)
{
    EW_TRY(ew_journal_put(journal, "D", 1));
    return ew_journal_put(journal, &n, sizeof n);
}

ew_status ew_journal_order(ew_journal *journal, const ew_list *tet, bool quadratic)
{
    const unsigned char head[2] = {'Q', quadratic};
    EW_TRY(ew_journal_put(journal, head, sizeof head));
    EW_TRY(ew_journal_put(journal, &tet->n, sizeof tet->n));
    return ew_journal_put(journal, tet->id, (size_t)tet->n * sizeof *tet->id);
}

typedef struct journal_reader {
    const unsigned char *bytes;
    size_t size, offset;
} journal_reader;

static ew_status get(journal_reader *reader, void *data, size_t bytes)
{
    if (bytes > reader->size - reader->offset) {
        return ew_fail(EW_BAD_INPUT, "the edit journal is truncated at byte %zu", reader->offset);
    }
    memcpy(data, reader->bytes + reader->offset, bytes);
    reader->offset += bytes;
    return EW_OK;
}

static ew_status get_ids(journal_reader *reader, int32_t n, ew_list *list)
{
    for (int32_t i = 0; i < n; i++) {
        int32_t id = -1;
        EW_TRY(get(reader, &id, sizeof id));
        EW_TRY(ew_list_push(list, id));
    }
    return EW_OK;
}

static ew_status get_parents(journal_reader *reader, int32_t n, ew_edit *edit)
{
    const int32_t n_vertex = edit->n_add_vertex;
    if (n != 0 && n != n_vertex && n != 2 * (int64_t)n_vertex) {
        return ew_fail(EW_BAD_INPUT,
                       "the edit journal has %d parents for %d added vertices at byte %zu", n,
                       n_vertex, reader->offset);
    }
    for (int32_t k = 0; k < n_vertex && n; k++) {
        int32_t *parent = edit->add_parent + 2 * (size_t)k;
        EW_TRY(get(reader, parent, (size_t)(n / n_vertex) * sizeof *parent));
        parent[1] = n == n_vertex ? parent[0] : parent[1];
    }
    return EW_OK;
}

static ew_status get_commit(journal_reader *reader, ew_edit *edit)
{
    int32_t counts[7];
    EW_TRY(get(reader, counts, sizeof counts));
    for (int32_t i = 0; i < 7; i++) {
        if (counts[i] < 0) {
            return ew_fail(EW_BAD_INPUT, "the edit journal has a negative count at byte %zu",
                           reader->offset);
        }
    }
    for (int32_t i = 0; i < counts[0]; i++) {
        double xyz[3];
        int32_t vertex;
        EW_TRY(get(reader, xyz, sizeof xyz));
        EW_TRY(ew_edit_add_vertex(edit, xyz, &vertex));
    }
    journal_reader regions = *reader;
    const size_t tets = (size_t)counts[1] * 4 * sizeof(int32_t);
    if (tets > reader->size - reader->offset) {
        return ew_fail(EW_BAD_INPUT, "the edit journal is truncated at byte %zu", reader->offset);
    }
    regions.offset += tets;
    for (int32_t i = 0; i < counts[1]; i++) {
        int32_t tet[4], label = 0;
        EW_TRY(get(reader, tet, sizeof tet));
        EW_TRY(get(&regions, &label, sizeof label));
        EW_TRY(ew_edit_add_tet(edit, tet, label));
    }
    reader->offset = regions.offset;
    EW_TRY(get_ids(reader, counts[2], &edit->remove_tet));
    EW_TRY(get_ids(reader, counts[3], &edit->remove_vertex));
    ew_list moved = {0};
    ew_status status = get_ids(reader, counts[4], &moved);
    for (int32_t i = 0; i < counts[4] && !status; i++) {
        double xyz[3];
        status = get(reader, xyz, sizeof xyz);
        if (!status) {
            status = ew_edit_move_vertex(edit, moved.id[i], xyz);
        }
    }
    ew_list_free(&moved);
    EW_TRY(status);
    EW_TRY(get_parents(reader, counts[5], edit));
    for (int32_t i = 0; i < counts[6]; i++) {
        int32_t face[4] = {0};
        EW_TRY(get(reader, face, sizeof face));
        EW_TRY(ew_edit_add_face(edit, face, face[3]));
    }
    return EW_OK;
}

/* How many there are, of at least so many bytes each. */
static ew_status get_count(journal_reader *reader, int32_t limit, size_t bytes, int32_t *n)
{
    EW_TRY(get(reader, n, sizeof *n));
    if (*n < 0 || *n > limit || (size_t)*n * bytes > reader->size - reader->offset) {
        return ew_fail(EW_BAD_INPUT, "the edit journal counts %d entries at byte %zu", *n,
                       reader->offset);
    }
    return EW_OK;
}

static ew_status get_details(journal_reader *reader, ew_edit *edit)
{
    int32_t n = 0;
    EW_TRY(get_count(reader, edit->n_add_vertex, sizeof(double), &n));
    EW_TRY(ew_grow(&edit->add_fraction, &edit->fraction_capacity, n, sizeof(double)));
    EW_TRY(n ? get(reader, edit->add_fraction, (size_t)n * sizeof(double)) : EW_OK);
    edit->n_fraction = n;
    EW_TRY(get_count(reader, INT32_MAX / 6, 6 * sizeof(int32_t), &n));
    for (int32_t i = 0; i < n; i++) {
        int32_t origin[6] = {0};
        EW_TRY(get(reader, origin, sizeof origin));
        EW_TRY(ew_edit_add_face_origin(edit, origin, origin + 3));
    }
    return EW_OK;
}

static ew_status get_inside(journal_reader *reader, ew_edit *edit)
{
    int32_t n = -1;
    EW_TRY(get(reader, &n, sizeof n));
    if (n < 0 || (size_t)n > (reader->size - reader->offset) / (5 * sizeof(int32_t))) {
        return ew_fail(EW_BAD_INPUT, "the edit journal is truncated at byte %zu", reader->offset);
    }
    EW_TRY(ew_grow(&edit->inside, &edit->inside_capacity, n, sizeof *edit->inside));
    for (int32_t i = 0; i < n; i++) {
        EW_TRY(get(reader, &edit->inside[i].place, sizeof(int32_t)));
        EW_TRY(get(reader, edit->inside[i].corner, sizeof edit->inside[i].corner));
    }
    for (int32_t i = 0; i < n; i++) {
        EW_TRY(get(reader, edit->inside[i].weight, sizeof edit->inside[i].weight));
    }
    edit->n_inside = n;
    return EW_OK;
}

static ew_status get_curves(journal_reader *reader, ew_edit *edit)
{
    const size_t bytes = 2 * sizeof(int32_t) + 3 * sizeof(double);
    int32_t n = 0;
    EW_TRY(get_count(reader, INT32_MAX / 3, bytes, &n));
    journal_reader curves = *reader;
    curves.offset += (size_t)n * 2 * sizeof(int32_t);
    for (int32_t i = 0; i < n; i++) {
        int32_t end[2] = {0};
        double curve[3] = {0};
        EW_TRY(get(reader, end, sizeof end));
        EW_TRY(get(&curves, curve, sizeof curve));
        EW_TRY(ew_edit_add_curve(edit, end[0], end[1], curve));
    }
    reader->offset = curves.offset;
    return EW_OK;
}

/* As queued before: the removals are among those of the commit. */
static ew_status get_merges(journal_reader *reader, ew_edit *edit)
{
    int32_t n = 0;
    EW_TRY(get_count(reader, INT32_MAX / 2, 2 * sizeof(int32_t), &n));
    EW_TRY(ew_grow(&edit->merge, &edit->merge_capacity, n, 2 * sizeof *edit->merge));
    EW_TRY(n ? get(reader, edit->merge, (size_t)n * 2 * sizeof *edit->merge) : EW_OK);
    edit->n_merge = n;
    return EW_OK;
}

static ew_status get_order(journal_reader *reader, ew_list *tet, int32_t *code)
{
    unsigned char quadratic = 0;
    int32_t n = -1;
    EW_TRY(get(reader, &quadratic, 1));
    EW_TRY(get(reader, &n, sizeof n));
    if (n < 0 || quadratic > 1) {
        return ew_fail(EW_BAD_INPUT, "the edit journal has an invalid order of tets");
    }
    *code = quadratic;
    return get_ids(reader, n, tet);
}

ew_status ew_journal_next(const unsigned char *bytes, size_t size, size_t *offset, ew_edit *edit,
                          ew_list *tet, int32_t *code, ew_journal_kind *kind)
{
    journal_reader reader = {bytes, size, *offset};
    unsigned char head = 0, read_code = 0;
    ew_edit_clear(edit);
    tet->n = 0;
    EW_TRY(get(&reader, &head, 1));
    const unsigned char first = head;
    if (head == 'V') {
        EW_TRY(get_inside(&reader, edit));
        EW_TRY(get(&reader, &head, 1));
    }
    if (head == 'K') {
        EW_TRY(get_curves(&reader, edit));
        EW_TRY(get(&reader, &head, 1));
    }
    if (head == 'M') {
        EW_TRY(get_merges(&reader, edit));
        EW_TRY(get(&reader, &head, 1));
    }
    if (head != first && head != 'C' && head != 'T' && head != 'F') {
        return ew_fail(EW_BAD_INPUT, "the edit journal has an unknown record at byte %zu", *offset);
    }
    *kind = head == 'R'   ? EW_JOURNAL_COMPACT
            : head == 'S' ? EW_JOURNAL_ANALYSIS
            : head == 'D' ? EW_JOURNAL_TIME
            : head == 'Q' ? EW_JOURNAL_ORDER
            : head == 'B' ? EW_JOURNAL_BASE
                          : EW_JOURNAL_COMMIT;
    if (head == 'C' || head == 'T' || head == 'F') {
        EW_TRY(get(&reader, &read_code, 1));
        EW_TRY(get_commit(&reader, edit));
        for (int32_t i = 0; i < edit->n_add_tet && head != 'C'; i++) {
            EW_TRY(get(&reader, &edit->add_tet_from[i], sizeof *edit->add_tet_from));
        }
        EW_TRY(head == 'F' ? get_details(&reader, edit) : EW_OK);
        *code = read_code;
    } else if (head == 'D') {
        EW_TRY(get(&reader, code, sizeof *code));
    } else if (*kind == EW_JOURNAL_ORDER) {
        EW_TRY(get_order(&reader, tet, code));
    } else if (*kind == EW_JOURNAL_COMMIT) {
        return ew_fail(EW_BAD_INPUT, "the edit journal has an unknown record at byte %zu", *offset);
    }
    *offset = reader.offset;
    return EW_OK;
}
