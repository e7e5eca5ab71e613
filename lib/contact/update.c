/* Rows of a contact or a tie. In: terms of the vertices that are touched, and the rows before. Out:
 * for each slave vertex sums of displacements, in ascending order; those of other vertices are as
 * they were. */
#include "contact/internal.h"

#include <math.h>
#include <string.h>

/* Vertices with less of the area than this share of the largest one's have no row; and coefficients
 * below this share of the largest one of a row are what rounding left. */
#define SLIVER   1e-9
#define ROUNDING 4e-15

/* Items by their rows: those of row i are order[begin[i]] .. order[begin[i + 1] - 1], in the order
 * of faces. */
typedef struct sorted_items {
    int32_t n_row, longest;
    int32_t *begin, *order; /* owned */
    contact_item *sum;      /* [longest] owned: of one row */
} sorted_items;

static ew_status sort_items(const contact_terms *terms, int32_t n_row, sorted_items *to)
{
    to->n_row = n_row;
    EW_TRY(ew_new_zero(&to->begin, (size_t)n_row + 2, sizeof *to->begin));
    EW_TRY(ew_new(&to->order, (size_t)terms->n_item, sizeof *to->order));
    for (int32_t i = 0; i < terms->n_item; i++) {
        to->begin[terms->item[i].row + 2]++;
    }
    for (int32_t r = 0; r < n_row; r++) {
        to->longest = to->begin[r + 2] > to->longest ? to->begin[r + 2] : to->longest;
        to->begin[r + 2] += to->begin[r + 1];
    }
    for (int32_t i = 0; i < terms->n_item; i++) {
        to->order[to->begin[terms->item[i].row + 1]++] = i;
    }
    return ew_new(&to->sum, (size_t)to->longest, sizeof *to->sum);
}

static void free_items(sorted_items *items)
{
    ew_release(items->begin);
    ew_release(items->order);
    ew_release(items->sum);
}

/* One block from all of the same column; how many there are of different ones. */
static int32_t sum_items(const contact_terms *terms, sorted_items *items, int32_t row)
{
    int32_t n = 0;
    for (int32_t i = items->begin[row]; i < items->begin[row + 1]; i++) {
        n = contact_enter_item(items->sum, n, &terms->item[items->order[i]]);
    }
    return n;
}

/* Room for another row of n terms; where they begin. */
static ew_status begin_row(ew_contact_rows *rows, int64_t n, int32_t *at)
{
    *at = rows->n_row ? rows->begin[rows->n_row] : 0;
    EW_TRY(
        ew_grow(&rows->begin, &rows->row_capacity, (int64_t)rows->n_row + 2, sizeof *rows->begin));
    EW_TRY(ew_grow(&rows->entry, &rows->entry_capacity, *at + n, sizeof *rows->entry));
    EW_TRY(ew_grow(&rows->factor, &rows->factor_capacity, *at + n, sizeof *rows->factor));
    rows->begin[rows->n_row] = *at;
    return EW_OK;
}

static ew_status write_row(ew_contact_rows *rows, const contact_item *list, int32_t n, double area)
{
    double largest = 0.0;
    int32_t at;
    EW_TRY(begin_row(rows, 3 * (int64_t)n, &at));
    for (int32_t i = 0; i < 3 * n; i++) {
        largest = fmax(largest, fabs(list[i / 3].factor[i % 3]));
    }
    for (int32_t i = 0; i < 3 * n; i++) {
        const double factor = list[i / 3].factor[i % 3];
        if (fabs(factor) > ROUNDING * largest) {
            rows->entry[at] = 3 * list[i / 3].column + i % 3;
            rows->factor[at++] = factor / area;
        }
    }
    rows->begin[++rows->n_row] = at;
    return EW_OK;
}

/* A row as it was; edges are `shift` rows farther behind. */
static ew_status copy_row(ew_contact_rows *rows, const ew_contact_rows *before, int32_t row,
                          int32_t first_edge, int32_t shift)
{
    const int32_t from = before->begin[row], n = before->begin[row + 1] - from;
    int32_t at;
    EW_TRY(begin_row(rows, n, &at));
    memcpy(rows->factor + at, before->factor + from, sizeof *rows->factor * (size_t)n);
    for (int32_t i = 0; i < n; i++) {
        const int32_t entry = before->entry[from + i];
        rows->entry[at + i] = entry < 3 * first_edge ? entry : entry + 3 * shift;
    }
    rows->begin[++rows->n_row] = at + n;
    return EW_OK;
}

static ew_status begin_rows(ew_contact_rows *rows, int32_t n)
{
    EW_TRY(ew_grow(&rows->vertex, &rows->capacity, n, sizeof *rows->vertex));
    EW_TRY(ew_grow(&rows->area, &rows->area_capacity, n, sizeof *rows->area));
    EW_TRY(ew_grow(&rows->gap, &rows->gap_capacity, n, sizeof *rows->gap));
    EW_TRY(ew_grow(&rows->normal, &rows->normal_capacity, n, 3 * sizeof *rows->normal));
    EW_TRY(ew_grow(&rows->slid, &rows->slid_capacity, n, 3 * sizeof *rows->slid));
    EW_TRY(ew_grow(&rows->min_gap, &rows->min_gap_capacity, n, sizeof *rows->min_gap));
    EW_TRY(ew_grow(&rows->size, &rows->size_capacity, n, sizeof *rows->size));
    EW_TRY(ew_grow(&rows->begin, &rows->row_capacity, 1, sizeof *rows->begin));
    rows->begin[0] = 0;
    return EW_OK;
}

static void write_vertex(ew_contact_rows *rows, contact_vertex *of)
{
    of->place = rows->n;
    rows->n_new += of->is_touched;
    rows->vertex[rows->n] = of->vertex;
    rows->gap[rows->n] = of->moment / of->area;
    rows->min_gap[rows->n] = isfinite(of->min_gap) ? of->min_gap : rows->gap[rows->n];
    rows->size[rows->n] = sqrt(6.0 * of->whole / of->n_face); /* a third of each face is its */
    for (size_t c = 0; c < 3; c++) {
        rows->normal[3 * (size_t)rows->n + c] = of->normal[c] / of->area;
        rows->slid[3 * (size_t)rows->n + c] = of->slid[c] / of->area;
    }
    rows->area[rows->n++] = of->area;
}

/* Rows of a vertex: of the contact or the tie, and of a tie beside it. */
static int32_t own_width(const contact_memory *memory)
{
    return memory->is_tie ? 3 : 1;
}

static int32_t width_of(const contact_memory *memory)
{
    return own_width(memory) + (memory->has_tie ? 3 : 0);
}

/* Rows c of a vertex, `out` being those that they go to, as they are or as they were. */
static ew_status put_row(ew_contact_rows *out, const contact_terms *terms, sorted_items *items,
                         int32_t j, int32_t c)
{
    const contact_memory *memory = terms->memory;
    const contact_vertex *of = &memory->vertex[j];
    const int32_t own = own_width(memory), first_edge = memory->n_mesh_vertex;
    if (of->is_touched) {
        const int32_t n = sum_items(terms, items, width_of(memory) * j + c);
        return write_row(out, items->sum, n, of->area);
    }
    return copy_row(out, c < own ? &memory->before : &memory->before_tie,
                    c < own ? own * of->place + c : 3 * of->place + c - own, first_edge,
                    terms->mesh->n_vertex - first_edge);
}

/* Rows of the vertices with enough area, the others are left out. */
static ew_status write_rows(ew_contact_rows *rows, ew_contact_rows *tie, const contact_terms *terms,
                            sorted_items *items)
{
    contact_memory *memory = terms->memory;
    const int32_t width = width_of(memory), own = own_width(memory);
    double largest = 0.0;
    for (int32_t j = 0; j < memory->n_vertex; j++) {
        largest = fmax(largest, memory->vertex[j].area);
    }
    EW_TRY(begin_rows(rows, memory->n_vertex));
    for (int32_t j = 0; j < memory->n_vertex; j++) {
        contact_vertex *of = &memory->vertex[j];
        const bool counts = of->area > SLIVER * largest;
        for (int32_t c = 0; c < width && counts; c++) {
            EW_TRY(put_row(c < own ? rows : tie, terms, items, j, c));
        }
        of->place = -1;
        if (counts) {
            write_vertex(rows, of);
        }
    }
    return EW_OK;
}

static ew_status add_faces(contact_terms *terms)
{
    const contact_memory *memory = terms->memory;
    terms->n_item = 0;
    for (int32_t i = 0; i < memory->slave.n; i++) {
        const int32_t *v = memory->slave.face[i].vertex;
        const bool touched = ew_set_has(&memory->touched, v[0]) ||
                             ew_set_has(&memory->touched, v[1]) ||
                             ew_set_has(&memory->touched, v[2]);
        EW_TRY(touched ? contact_add_face(terms, i) : EW_OK);
    }
    return EW_OK;
}

static ew_status update(ew_contact_rows *rows, ew_contact_rows *tie, contact_terms *terms,
                        const ew_topology *topology)
{
    contact_memory *memory = terms->memory;
    bool again;
    EW_TRY(contact_memory_update(memory, terms->mesh, topology, terms->def, rows->margin));
    EW_TRY(add_faces(terms));
    EW_TRY(contact_memory_find_small(memory, &again));
    EW_TRY(again ? add_faces(terms) : EW_OK);
    for (int32_t i = 0; i < memory->slave.n; i++) {
        rows->whole += memory->sums[i].area;
        rows->covered += memory->sums[i].covered;
    }
    rows->n_pair = memory->pairs.n_pair;
    sorted_items items = {0};
    ew_status status = sort_items(terms, width_of(memory) * memory->n_vertex, &items);
    status = status ? status : write_rows(rows, tie, terms, &items);
    free_items(&items);
    memory->n_mesh_vertex = terms->mesh->n_vertex;
    return status;
}

/* 1 / 32 of a power of 2 is its step. */
static double round_up(double distance)
{
    int exponent;
    const double digits = frexp(distance, &exponent);
    return ldexp(ceil(32.0 * digits), exponent - 5);
}

/* The rows that there are become those before, in whose memory new ones are written. */
static void begin(ew_contact_rows *rows, double distance)
{
    contact_memory *memory = rows->memory;
    const ew_contact_rows before = *rows;
    *rows = memory->before;
    memory->before = before;
    memory->before.memory = NULL;
    rows->memory = memory;
    rows->n = rows->n_row = rows->n_pair = rows->n_new = 0;
    rows->covered = rows->whole = 0.0;
    rows->margin = round_up(distance);
}

/* The same of the rows of a tie beside them. */
static ew_status begin_tie(contact_memory *memory, ew_contact_rows *tie)
{
    if (memory->has_tie != (tie != NULL)) {
        contact_memory_clear(memory);
        memory->has_tie = tie != NULL;
    }
    if (!tie) {
        return EW_OK;
    }
    const ew_contact_rows before = *tie;
    *tie = memory->before_tie;
    memory->before_tie = before;
    tie->n = tie->n_row = 0;
    EW_TRY(ew_grow(&tie->begin, &tie->row_capacity, 1, sizeof *tie->begin));
    tie->begin[0] = 0;
    return EW_OK;
}

/* tie: null: none. */
static ew_status build(ew_contact_rows *rows, ew_contact_rows *tie, const ew_mesh *mesh,
                       const ew_topology *topology, const ew_contact_def *def)
{
    EW_TRY(rows->memory ? EW_OK : ew_new_zero(&rows->memory, 1, sizeof *rows->memory));
    contact_terms terms = {.mesh = mesh, .def = def, .memory = rows->memory};
    begin(rows, def->rigid ? 0.0 : def->distance); /* without masters there are no pairs */
    ew_status status = begin_tie(rows->memory, tie);
    status = status ? status : update(rows, tie, &terms, topology);
    if (status) {
        rows->n = rows->n_row = 0;
        contact_memory_clear(rows->memory);
    }
    if (tie) {
        tie->n = rows->n;
        tie->n_row = status ? 0 : tie->n_row;
    }
    ew_release(terms.point);
    ew_release(terms.item);
    return status;
}

ew_status ew_contact_build_rows(ew_contact_rows *rows, const ew_mesh *mesh,
                                const ew_topology *topology, const ew_contact_def *def)
{
    return build(rows, NULL, mesh, topology, def);
}

ew_status ew_contact_build_with_tie(ew_contact_rows *rows, ew_contact_rows *tie,
                                    const ew_mesh *mesh, const ew_topology *topology,
                                    const ew_contact_def *def)
{
    return build(rows, tie, mesh, topology, def);
}

const ew_face_pairs *ew_contact_pairs(const ew_contact_rows *rows)
{
    return &rows->memory->pairs;
}

void ew_contact_rows_free(ew_contact_rows *rows)
{
    if (rows->memory) {
        contact_memory_free(rows->memory);
        ew_release(rows->memory);
    }
    contact_release_rows(rows);
}
