/* Wavefront OBJ (Wavefront, Advanced Visualizer manual, appendix B1). In: lines 'v x y z', 'vt u
 * v', 'f a b c ...' with corners a, a/t, a//n or a/t/n, numbered from 1, or from -1 backwards, and
 * lines that group faces (g, o, usemtl, s) or name materials (mtllib), which are kept as they are;
 * all other lines are passed over. Triangles: polygons are fanned from their first corner, and
 * labeled by the last line g or o above them, from 1. A first pass counts, a second one reads. */
#include "format/framework/surface.h"

#include <string.h>

typedef enum line_kind {
    line_vertex,
    line_texture,
    line_normal,
    line_face,
    line_group,
    line_other
} line_kind;

static line_kind begin_line(ew_scan *scan)
{
    static const struct {
        char word[8];
        line_kind kind;
    } known[] = {{"v", line_vertex},     {"f", line_face},  {"vt", line_texture},
                 {"vn", line_normal},    {"g", line_group}, {"o", line_group},
                 {"usemtl", line_group}, {"s", line_group}, {"mtllib", line_group}};
    char word[EW_WORD];
    ew_scan_word(scan, word);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(word, known[i].word) == 0) {
            return known[i].kind;
        }
    }
    return line_other;
}

/* ---- counting -------------------------------------------------------------------- */

typedef struct counts {
    int64_t of[line_other + 1]; /* lines */
    int64_t n_triangle, n_corner, n_text;
} counts;

static ew_status count_face(ew_scan *scan, counts *n)
{
    char word[EW_WORD];
    int64_t n_corner = 0;
    for (; ew_scan_on_line(scan); n_corner++) {
        ew_scan_word(scan, word);
    }
    if (n_corner < 3) {
        return ew_scan_fail(scan, "a face of %lld corners; it needs at least 3",
                            (long long)n_corner);
    }
    n->n_triangle += n_corner - 2;
    n->n_corner += n_corner;
    return EW_OK;
}

static ew_status count_lines(ew_scan scan, counts *n)
{
    memset(n, 0, sizeof *n);
    while (ew_scan_anywhere(&scan)) {
        const char *begin = scan.at;
        const line_kind kind = begin_line(&scan);
        n->of[kind]++;
        if (kind == line_face) {
            EW_TRY(count_face(&scan, n));
        }
        ew_scan_leave_line(&scan);
        n->n_text += kind == line_group ? scan.at - begin + 1 : 0;
    }
    return EW_OK;
}

/* ---- corners ------------------------------------------------------------------------ */

/* State of reading; polygons null: triangles alone. */
typedef struct reading {
    ew_surface *surface;
    ew_polygons *polygons;
    ew_groups *groups; /* names of labels */
    const char *name;  /* what stands behind the last g or o, [name_size] */
    size_t name_size;
    int32_t n_label, label, no_name; /* label: of faces now, no_name: of those under none; 0: not
                                        yet */
    const counts *n;
    int32_t n_vertex, n_texture, n_normal;
    int32_t *triangle; /* where the next one goes */
    int32_t *normal;   /* [n_corner] owned: the file's numbers, -1: none */
} reading;

/* A number of the file, from 1 or backwards from what has been read, up to the next slash. */
static ew_status read_number(const ew_scan *here, const char **at, const char *end,
                             const char *what, int32_t n_before, int64_t n_all, int32_t *number)
{
    ew_scan part = *here;
    int64_t value;
    const char *slash = memchr(*at, '/', (size_t)(end - *at));
    part.at = *at;
    part.end = slash ? slash : end;
    EW_TRY(ew_scan_int(&part, what, -(int64_t)n_before, n_all, &value));
    if (value == 0) {
        return ew_scan_fail(here, "%s is 0; they are numbered from 1", what);
    }
    *number = (int32_t)(value > 0 ? value - 1 : n_before + value);
    *at = slash ? slash + 1 : NULL;
    return EW_OK;
}

/* A corner; what follows a slash is looked at only where polygons are read. corner: vertex,
 * texture, normal; -1 where there is none. */
static ew_status read_corner(ew_scan *scan, const reading *r, int32_t corner[3])
{
    ew_scan_on_line(scan);
    const ew_scan here = *scan;
    const char *at = here.at;
    char word[EW_WORD];
    ew_scan_word(scan, word);
    corner[1] = corner[2] = -1;
    EW_TRY(read_number(&here, &at, scan->at, "a face's vertex", r->n_vertex, r->n->of[line_vertex],
                       &corner[0]));
    if (!r->polygons || !at) {
        return EW_OK;
    }
    if (at < scan->at && *at == '/') {
        at++;
    } else {
        EW_TRY(read_number(&here, &at, scan->at, "a corner's texture coordinates", r->n_texture,
                           r->n->of[line_texture], &corner[1]));
    }
    return at ? read_number(&here, &at, scan->at, "a corner's normal", r->n_normal,
                            r->n->of[line_normal], &corner[2])
              : EW_OK;
}

static ew_status find_label(reading *r)
{
    if (r->label == 0 && !r->name && r->no_name) {
        r->label = r->no_name;
    } else if (r->label == 0) {
        EW_TRY(ew_surface_name_label(r->groups, r->name, r->name_size, &r->n_label, &r->label));
        r->no_name = r->name ? r->no_name : r->label;
    }
    return EW_OK;
}

static ew_status read_face(ew_scan *scan, reading *r)
{
    int32_t first = 0, before = 0, corner[3];
    ew_polygons *to = r->polygons;
    EW_TRY(find_label(r));
    for (int64_t k = 0; ew_scan_on_line(scan); k++) {
        EW_TRY(read_corner(scan, r, corner));
        if (k == 0) {
            first = corner[0];
        } else if (k > 1) {
            r->surface->label[(r->triangle - r->surface->triangle) / 3] = r->label;
            *r->triangle++ = first;
            *r->triangle++ = before;
            *r->triangle++ = corner[0];
        }
        before = corner[0];
        if (to) {
            to->vertex[to->n_corner] = corner[0];
            to->texture[to->n_corner] = corner[1];
            r->normal[to->n_corner++] = corner[2];
        }
    }
    if (to) {
        to->begin[++to->n_face] = to->n_corner;
    }
    return EW_OK;
}

/* ---- the rest of a polygon surface ------------------------------------------------------ */

/* One to three coordinates; those that are missing are 0. */
static ew_status read_texture(ew_scan *scan, reading *r)
{
    static const char *const name[] = {"texture coordinate u", "texture coordinate v",
                                       "texture coordinate w"};
    int32_t n = 0;
    double *to = r->polygons->uvw + 3 * (size_t)r->n_texture++;
    to[0] = to[1] = to[2] = 0.0;
    do {
        EW_TRY(ew_scan_real(scan, name[n], &to[n]));
        n++;
    } while (n < 3 && ew_scan_on_line(scan));
    r->polygons->texture_width = n > r->polygons->texture_width ? n : r->polygons->texture_width;
    return EW_OK;
}

/* From behind g or o. A line without a name is the end of the group. */
static void begin_group(const char *begin, const char *end, reading *r)
{
    const bool groups = begin[0] == 'g' || begin[0] == 'o' || begin[0] == 'G' || begin[0] == 'O';
    if (!groups || end - begin < 2 || (unsigned char)begin[1] > ' ') {
        return;
    }
    const char *comment = memchr(begin, '#', (size_t)(end - begin));
    end = comment ? comment : end;
    for (begin++; begin < end && (unsigned char)*begin <= ' '; begin++) {
    }
    r->name = begin < end ? begin : NULL;
    r->name_size = (size_t)(end - begin);
    r->label = 0;
}

/* The line as it is, without what would disturb a terminal. */
static void keep_line(const char *begin, const char *end, ew_polygons *to)
{
    ew_polygon_line *line = &to->line[to->n_line++];
    const char *comment = memchr(begin, '#', (size_t)(end - begin));
    end = comment ? comment : end;
    while (end > begin && ((unsigned char)end[-1] <= ' ' || end[-1] == 127)) {
        end--;
    }
    *line = (ew_polygon_line){to->n_face, (int32_t)to->text_size};
    for (; begin < end; begin++) {
        const unsigned char c = (unsigned char)*begin;
        to->text[to->text_size++] = c < ' ' || c == 127 ? ' ' : (char)c;
    }
    to->text[to->text_size++] = 0;
}

/* Corners that share vertex and normal in the file share a normal that is computed. */
static ew_status number_normals(const reading *r)
{
    ew_polygons *to = r->polygons;
    ew_map map = {0};
    ew_status status = EW_OK;
    for (int32_t k = 0; k < to->n_corner && !status; k++) {
        int32_t old = -1;
        status = ew_map_enter(&map, to->vertex[k], r->normal[k], -1, to->n_normal, &old);
        to->normal[k] = old < 0 ? to->n_normal++ : old;
    }
    ew_map_free(&map);
    return status;
}

static ew_status allocate(reading *r)
{
    const counts *n = r->n;
    ew_polygons *to = r->polygons;
    EW_TRY(ew_surface_allocate(r->surface, n->of[line_vertex], n->n_triangle));
    r->triangle = r->surface->triangle;
    if (!to) {
        return EW_OK;
    }
    if (n->n_corner > INT32_MAX || n->n_text > INT32_MAX || n->of[line_texture] > INT32_MAX) {
        return ew_fail(EW_LIMIT, "surface of %lld corners; at most %d", (long long)n->n_corner,
                       INT32_MAX);
    }
    EW_TRY(ew_new(&r->normal, (size_t)n->n_corner, sizeof *r->normal));
    EW_TRY(ew_new_zero(&to->begin, (size_t)n->of[line_face] + 1, sizeof *to->begin));
    EW_TRY(ew_new(&to->vertex, (size_t)n->n_corner, sizeof *to->vertex));
    EW_TRY(ew_new(&to->texture, (size_t)n->n_corner, sizeof *to->texture));
    EW_TRY(ew_new(&to->normal, (size_t)n->n_corner, sizeof *to->normal));
    EW_TRY(ew_new(&to->uvw, 3 * (size_t)n->of[line_texture], sizeof *to->uvw));
    EW_TRY(ew_new(&to->line, (size_t)n->of[line_group], sizeof *to->line));
    to->n_texture = (int32_t)n->of[line_texture];
    return ew_new(&to->text, (size_t)n->n_text, 1);
}

static ew_status read_lines(ew_scan scan, reading *r)
{
    while (ew_scan_anywhere(&scan)) {
        const char *begin = scan.at;
        const line_kind kind = begin_line(&scan);
        if (kind == line_vertex) {
            EW_TRY(ew_scan_point(&scan, r->surface->xyz + 3 * (size_t)r->n_vertex++));
        } else if (kind == line_face) {
            EW_TRY(read_face(&scan, r));
        } else if (kind == line_texture && r->polygons) {
            EW_TRY(read_texture(&scan, r));
        } else if (kind == line_normal) {
            r->n_normal++;
        }
        ew_scan_leave_line(&scan);
        if (kind == line_group) {
            begin_group(begin, scan.at, r);
        }
        if (kind == line_group && r->polygons) {
            keep_line(begin, scan.at, r->polygons);
        }
    }
    return EW_OK;
}

static ew_status read(const ew_bytes *file, reading *r)
{
    const ew_scan scan = ew_scan_begin(file->data, file->size, "");
    counts n;
    EW_TRY(count_lines(scan, &n));
    if (n.of[line_face] == 0) {
        return ew_scan_fail(&scan, "no faces ('f' lines) in the file");
    }
    r->n = &n;
    ew_status status = allocate(r);
    if (!status) {
        status = read_lines(scan, r);
    }
    if (!status && r->polygons) {
        status = number_normals(r);
    }
    ew_release(r->normal);
    r->n = NULL;
    return status;
}

static ew_status read_surface(const ew_bytes *file, ew_surface *surface, int32_t *n_welded,
                              ew_groups *groups)
{
    reading r = {.surface = surface, .groups = groups};
    *n_welded = 0;
    return read(file, &r);
}

static ew_status read_polygons(const ew_bytes *file, ew_polygons *polygons)
{
    ew_groups groups = {0};
    reading r = {.surface = &polygons->surface, .polygons = polygons, .groups = &groups};
    const ew_status status = read(file, &r);
    ew_groups_free(&groups);
    return status;
}

const ew_format ew_format_obj = {
    .name = "OBJ",
    .holds = "a surface; polygons are fanned; groups and their names",
    .endings = ".obj",
    .n_file = 1,
    .n_needed = 1,
    .read_surface = read_surface,
    .read_polygons = read_polygons,
};
