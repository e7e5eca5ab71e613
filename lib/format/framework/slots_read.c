/* Slots and ids in mesh files. In: the bytes of a file. Out: the mesh in the slots and with the ids
 * that lines of comments keep, as slots.h describes them. */
#include "format/framework/scan.h"
#include "format/framework/slots.h"

#include <stdlib.h>
#include <string.h>

typedef struct reading {
    ew_scan scan;
    ew_mesh_slots slots;
} reading;

static ew_status next_int(reading *r, const char *what, int64_t low, int64_t high, int64_t *value)
{
    ew_scan_anywhere(&r->scan);
    return ew_scan_int(&r->scan, what, low, high, value);
}

static ew_status next_count(reading *r, const char *what, int numbers, int32_t *n)
{
    ew_scan_anywhere(&r->scan);
    return ew_scan_count(&r->scan, what, EW_MIN_BYTES(numbers), n);
}

static ew_status next_place(reading *r, double xyz[3])
{
    for (int c = 0; c < 3; c++) {
        ew_scan_anywhere(&r->scan);
        EW_TRY(ew_scan_real(&r->scan, "a coordinate", xyz + c));
    }
    return EW_OK;
}

static ew_status expect(reading *r, const char *word)
{
    char found[EW_WORD];
    ew_scan_anywhere(&r->scan);
    const ew_scan here = r->scan;
    ew_scan_word(&r->scan, found);
    return strcmp(found, word) ? ew_scan_fail(&here,
                                              "'%s' where the slots of the mesh have '%s'; "
                                              "delete their lines, and ids begin from 0 again",
                                              found, word)
                               : EW_OK;
}

static ew_status read_slots(reading *r, int32_t n, int32_t *slot)
{
    for (int32_t i = 0; i < n; i++) {
        int64_t value;
        EW_TRY(next_int(r, "a slot", 0, INT32_MAX, &value));
        slot[i] = (int32_t)value;
    }
    return EW_OK;
}

static ew_status read_runs(reading *r, int32_t n, int64_t *id)
{
    int32_t n_run, done = 0;
    EW_TRY(expect(r, "ids"));
    EW_TRY(next_count(r, "the count of runs of ids", 2, &n_run));
    for (int32_t i = 0; i < n_run; i++) {
        int64_t first, count;
        EW_TRY(next_int(r, "the first id of a run", 0, INT64_MAX / 16, &first));
        EW_TRY(next_int(r, "the length of a run", 1, n - done, &count));
        for (int64_t k = 0; k < count; k++) {
            id[done++] = first + k;
        }
    }
    return done == n ? EW_OK
                     : ew_scan_fail(&r->scan, "ids of %d vertices or tets, expected %d", done, n);
}

static ew_status read_entities(reading *r, int32_t *n, int32_t *n_slot, int64_t *next,
                               int32_t **slot, int64_t **id)
{
    int64_t value;
    EW_TRY(next_count(r, "the count of vertices or tets", 1, n));
    EW_TRY(next_int(r, "the count of slots", *n, INT32_MAX, &value));
    *n_slot = (int32_t)value;
    EW_TRY(next_int(r, "the next id", *n, INT64_MAX / 16, next));
    EW_TRY(ew_new(slot, (size_t)*n, sizeof **slot));
    EW_TRY(ew_new(id, (size_t)*n, sizeof **id));
    EW_TRY(read_slots(r, *n, *slot));
    return read_runs(r, *n, *id);
}

static ew_status read_list(reading *r, const char *word, ew_list *list)
{
    int32_t n;
    EW_TRY(expect(r, word));
    EW_TRY(next_count(r, "their count", 1, &n));
    for (int32_t i = 0; i < n; i++) {
        int64_t value;
        EW_TRY(next_int(r, "an entry", INT32_MIN, INT32_MAX, &value));
        EW_TRY(ew_list_push(list, (int32_t)value));
    }
    return EW_OK;
}

static ew_status read_unused(reading *r)
{
    ew_mesh_slots *s = &r->slots;
    EW_TRY(expect(r, "unused"));
    EW_TRY(next_count(r, "the count of unused vertices", 5, &s->n_unused));
    EW_TRY(ew_new(&s->unused, (size_t)s->n_unused, sizeof *s->unused));
    EW_TRY(ew_new(&s->unused_id, (size_t)s->n_unused, sizeof *s->unused_id));
    EW_TRY(ew_new(&s->unused_xyz, (size_t)s->n_unused, 3 * sizeof *s->unused_xyz));
    for (int32_t i = 0; i < s->n_unused; i++) {
        EW_TRY(read_slots(r, 1, s->unused + i));
        EW_TRY(next_int(r, "an id", 0, INT64_MAX / 16, s->unused_id + i));
        EW_TRY(next_place(r, s->unused_xyz + 3 * (size_t)i));
    }
    return EW_OK;
}

static ew_status read_triangles(reading *r)
{
    ew_mesh_slots *s = &r->slots;
    EW_TRY(expect(r, "triangles"));
    EW_TRY(next_int(r, "the end of their ids", 0, INT64_MAX / 16, &s->face_id_end));
    EW_TRY(next_count(r, "the count of triangles", 5, &s->n_face));
    EW_TRY(ew_new(&s->face, (size_t)s->n_face, 5 * sizeof *s->face));
    for (int32_t f = 0; f < s->n_face; f++) {
        int64_t label;
        EW_TRY(read_slots(r, 4, s->face + 5 * (size_t)f));
        EW_TRY(next_int(r, "a label", INT32_MIN, INT32_MAX, &label));
        s->face[5 * (size_t)f + 4] = (int32_t)label;
    }
    return EW_OK;
}

static ew_status read_sides(reading *r)
{
    ew_mesh_slots *s = &r->slots;
    int64_t ten;
    EW_TRY(expect(r, "sides"));
    EW_TRY(next_int(r, "whether tets have ten nodes", 0, 1, &ten));
    s->has_middles = ten;
    EW_TRY(next_count(r, "the count of curved sides", 5, &s->n_curve));
    EW_TRY(ew_new(&s->curve_end, (size_t)s->n_curve, 2 * sizeof *s->curve_end));
    EW_TRY(ew_new(&s->curve, (size_t)s->n_curve, 3 * sizeof *s->curve));
    for (int32_t i = 0; i < s->n_curve; i++) {
        for (size_t k = 0; k < 2; k++) {
            EW_TRY(next_int(r, "an id", 0, INT64_MAX / 16, &s->curve_end[2 * (size_t)i + k]));
        }
        EW_TRY(next_place(r, s->curve + 3 * (size_t)i));
    }
    return EW_OK;
}

static ew_status read_block(reading *r)
{
    ew_mesh_slots *s = &r->slots;
    int64_t version;
    EW_TRY(expect(r, "edgewise"));
    EW_TRY(expect(r, "slots"));
    EW_TRY(next_int(r, "the version of slots", EW_SLOTS_VERSION, EW_SLOTS_VERSION, &version));
    EW_TRY(expect(r, "vertices"));
    EW_TRY(read_entities(r, &s->n_file_vertex, &s->n_vertex, &s->next_vertex_id, &s->vertex,
                         &s->vertex_id));
    EW_TRY(read_unused(r));
    EW_TRY(read_list(r, "holes", &s->vertex_hole));
    EW_TRY(expect(r, "tets"));
    EW_TRY(read_entities(r, &s->n_file_tet, &s->n_tet, &s->next_tet_id, &s->tet, &s->tet_id));
    EW_TRY(read_list(r, "holes", &s->tet_hole));
    EW_TRY(read_list(r, "regions", &s->region));
    EW_TRY(read_triangles(r));
    EW_TRY(read_sides(r));
    return expect(r, "end");
}

/* ---- where it stands ---------------------------------------------------- */

/* The last line that begins with the first words, behind a # perhaps; or null. */
static const char *find_block(const ew_bytes *file)
{
    const size_t n = sizeof EW_SLOTS_WORDS - 1;
    for (size_t i = file->size < n ? 0 : file->size - n + 1; i-- > 0;) {
        const char *at = file->data + i;
        if (*at == *EW_SLOTS_WORDS && !memcmp(at, EW_SLOTS_WORDS, n)) {
            while (at > file->data && (at[-1] == ' ' || at[-1] == '#')) {
                at--;
            }
            if (at == file->data || at[-1] == '\n') {
                return at;
            }
        }
    }
    return NULL;
}

/* A copy in which lines are no comments. */
static ew_status copy_block(const char *begin_of, const char *end, char **copy)
{
    const size_t n = (size_t)(end - begin_of);
    EW_TRY(ew_new(copy, n, 1));
    memcpy(*copy, begin_of, n);
    for (size_t i = 0; i < n; i++) {
        if ((*copy)[i] == '#' && (!i || (*copy)[i - 1] == '\n')) {
            (*copy)[i] = ' ';
        }
    }
    return EW_OK;
}

static int64_t line_of(const ew_bytes *file, const char *at)
{
    int64_t line = 1;
    for (const char *c = file->data; c < at; c++) {
        line += *c == '\n';
    }
    return line;
}

/* Members by the place in the file, as readers list them, become ids, which ascend with it. */
static void name_members(ew_groups *groups, const int64_t *vertex_id, const int64_t *tet_id)
{
    for (int32_t g = 0; g < groups->n; g++) {
        ew_group *group = &groups->group[g];
        const int64_t *id = group->kind == EW_GROUP_TETS ? tet_id : vertex_id;
        for (int32_t i = 0; i < group->n_id; i++) {
            group->id[i] = id[group->id[i]];
        }
    }
}

static bool counts_from_0(const int64_t *id, int32_t n)
{
    int32_t i = 0;
    while (i < n && id[i] == i) {
        i++;
    }
    return i == n;
}

ew_status ew_slots_read(const ew_bytes *file, ew_mesh *mesh, ew_groups *groups)
{
    const char *at = file->size ? find_block(file) : NULL;
    char *copy;
    if (!at) {
        return EW_OK;
    }
    reading r = {0};
    const int64_t line = line_of(file, at);
    EW_TRY(copy_block(at, file->data + file->size, &copy));
    r.scan = ew_scan_begin(copy, (size_t)(file->data + file->size - at), "");
    r.scan.line = line;
    ew_status status = read_block(&r);
    if (!status && (!counts_from_0(mesh->vertex_id, mesh->n_vertex) ||
                    !counts_from_0(mesh->tet_id, mesh->n_tet))) {
        status = ew_fail(EW_BAD_INPUT, "the file's numbers were changed since it has slots; "
                                       "delete their lines");
    }
    if (!status) {
        status = ew_mesh_place(mesh, &r.slots);
        if (status) {
            ew_fail_line(status, (int32_t)line);
        }
    }
    if (!status) {
        name_members(groups, r.slots.vertex_id, r.slots.tet_id);
    }
    ew_mesh_slots_free(&r.slots);
    ew_release(copy);
    return status;
}
