/* Nastran bulk data, .bdf and .nas (MSC Nastran Quick Reference Guide, "Format of Bulk Data
 * Entries"): fields of 8 or 16 columns or between commas, with continuation lines. In: GRID in the
 * basic coordinate system, CTETRA of four or ten nodes, CTRIA3 and CTRIA6. Out: a mesh; properties
 * (PID) are regions and face labels, 0 where none is given. Other cards are passed over, but for
 * solids that are no tets and included files, without which the body would be another. */
#include "format/formats.h"
#include "format/gmsh/gmsh.h"

#include <string.h>

enum { COLUMNS = 72, MAX_FIELDS = 16, FIELD = 17 };

/* A card with its continuations. */
typedef struct card {
    char name[9]; /* upper case, without the asterisk */
    int32_t n;    /* of fields behind the name; of those that are kept */
    int64_t line;
    char field[MAX_FIELDS][FIELD]; /* without blanks */
} card;

typedef struct bdf {
    ew_gmsh r;
} bdf;

/* ---- lines ------------------------------------------------------------------------ */

/* The line that is next, up to a comment, tabs widened; zeros behind it. */
static void see_line(const ew_scan *scan, char text[COLUMNS + 9])
{
    int n = 0;
    memset(text, 0, COLUMNS + 9);
    for (const char *p = scan->at; p < scan->end && *p != '\n' && *p != '\r' && *p != '$'; p++) {
        const bool tab = *p == '\t';
        do {
            if (n < COLUMNS + 8) {
                text[n++] = tab || *p < ' ' || *p > '~' ? ' ' : *p;
            }
        } while (tab && n % 8 && n < COLUMNS + 8);
    }
}

static bool is_free(const char *text)
{
    const size_t n = strcspn(text, ",");
    return text[n] == ',' && n <= 8;
}

static bool continues(const char *text)
{
    const size_t n = strspn(text, " ");
    return *text == '+' || *text == '*' || (*text == ',') || (n >= 8 && text[n]);
}

/* A field, its blanks left out. */
static void copy_field(card *to, const char *from, size_t n)
{
    int length = 0;
    if (to->n >= MAX_FIELDS) {
        return;
    }
    for (size_t i = 0; i < n && from[i]; i++) {
        if (from[i] != ' ' && length < FIELD - 1) {
            to->field[to->n][length++] = from[i];
        }
    }
    to->field[to->n++][length] = 0;
}

/* Fields behind the first: eight, or four of double width; blank ones where the line ends early. */
static void add_fields(card *to, const char *text, bool wide)
{
    const int count = wide ? 4 : 8;
    if (is_free(text)) {
        const char *at = text + strcspn(text, ",");
        for (int i = 0; i < count; i++) {
            const size_t n = *at ? strcspn(at + 1, ",") : 0;
            copy_field(to, *at ? at + 1 : at, n);
            at += *at ? n + 1 : 0;
        }
        return;
    }
    const size_t length = strlen(text), width = wide ? 16 : 8;
    for (int i = 0; i < count; i++) {
        const size_t from = 8 + (size_t)i * width;
        copy_field(to, from < length ? text + from : "", width);
    }
}

/* The next card; false at the end of the data. */
static bool next_card(ew_scan *scan, card *to)
{
    char text[COLUMNS + 9];
    for (;; ew_scan_leave_line(scan)) {
        if (scan->at >= scan->end) {
            return false;
        }
        see_line(scan, text);
        if (text[strspn(text, " ")] && !continues(text)) {
            break;
        }
    }
    memset(to, 0, sizeof *to);
    to->line = scan->line;
    const char *at = text + strspn(text, " ");
    int n = 0;
    for (; n < 8 && *at && *at != ',' && *at != ' ' && *at != '*'; at++) {
        to->name[n++] = *at >= 'a' && *at <= 'z' ? (char)(*at - 32) : *at;
    }
    if (n && to->name[n - 1] == '_') { /* meshio calls tets of ten nodes CTETRA_ */
        to->name[n - 1] = 0;
    }
    bool wide = *at == '*';
    do {
        add_fields(to, text, wide);
        ew_scan_leave_line(scan);
        see_line(scan, text);
        wide = *text == '*';
    } while (scan->at < scan->end && continues(text));
    return strcmp(to->name, "ENDDATA") != 0;
}

/* Behind BEGIN BULK, where it is there. */
static void find_bulk_data(bdf *b)
{
    ew_scan *scan = &b->r.scan;
    *scan = ew_scan_begin(b->r.begin, (size_t)(scan->end - b->r.begin), "");
    const ew_scan whole = *scan;
    char text[COLUMNS + 9];
    for (; scan->at < scan->end; ew_scan_leave_line(scan)) {
        see_line(scan, text);
        const char *at = text + strspn(text, " ");
        if ((at[0] == 'B' || at[0] == 'b') && (at[1] == 'E' || at[1] == 'e') &&
            strspn(at, "BEGINbegin") == 5 && at[5] == ' ') {
            ew_scan_leave_line(scan);
            return;
        }
    }
    *scan = whole;
}

/* ---- numbers ------------------------------------------------------------------------ */

static ew_status read_integer(const card *from, int32_t field, const char *what, int64_t low,
                              int64_t *value)
{
    const char *text = field < from->n ? from->field[field] : "";
    ew_scan scan = ew_scan_begin(text, strlen(text), "");
    scan.line = from->line;
    return ew_scan_int(&scan, what, low, INT32_MAX, value);
}

/* 1.5-3 is 1.5e-3; nothing is 0. */
static ew_status real(const card *from, int32_t field, double *value)
{
    char text[FIELD + 2];
    int n = 0;
    for (const char *p = field < from->n ? from->field[field] : ""; *p; p++) {
        const bool sign = (*p == '-' || *p == '+') && n;
        const char before = n ? text[n - 1] : 'e';
        if (sign && n < FIELD && ((before >= '0' && before <= '9') || before == '.')) {
            text[n++] = 'e';
        }
        text[n++] = *p;
        if (n >= FIELD + 1) {
            break;
        }
    }
    ew_scan scan = ew_scan_begin(text, (size_t)n, "");
    scan.line = from->line;
    *value = 0;
    return n ? ew_scan_real(&scan, "a coordinate", value) : EW_OK;
}

/* ---- cards ---------------------------------------------------------------------------- */

static ew_status read_grid(bdf *b, const card *from)
{
    ew_gmsh *r = &b->r;
    int64_t id, system = 0;
    const int32_t row = r->node.n;
    EW_TRY(read_integer(from, 0, "a node's number", 1, &id));
    if (*from->field[1]) {
        EW_TRY(read_integer(from, 1, "a coordinate system", 0, &system));
    }
    if (system) {
        return ew_fail_at(EW_BAD_INPUT, (int32_t)from->line,
                          "GRID %lld is given in coordinate system %lld; export all nodes in the "
                          "basic one",
                          (long long)id, (long long)system);
    }
    EW_TRY(ew_grow(&r->xyz, &r->xyz_capacity, (int64_t)row + 1, 3 * sizeof *r->xyz));
    for (int32_t i = 0; i < 3; i++) {
        EW_TRY(real(from, 2 + i, r->xyz + 3 * (size_t)row + i));
    }
    return ew_numbers_enter(&r->node, id, row);
}

static ew_status find_nodes(bdf *b, const card *from, int32_t n, const int8_t *place, int32_t *node)
{
    for (int32_t i = 0; i < n; i++) {
        int64_t id;
        EW_TRY(read_integer(from, 2 + place[i], "a node's number", 1, &id));
        const ew_numbered *found = ew_numbers_find(&b->r.node, id);
        if (!found) {
            return ew_fail_at(EW_BAD_INPUT, (int32_t)from->line,
                              "%s names GRID %lld, which the file does not have", from->name,
                              (long long)id);
        }
        node[i] = found->to;
    }
    return EW_OK;
}

/* The middles of tets stand as 01 12 20 03 13 23, those of triangles as Gmsh's do. */
static ew_status read_element(bdf *b, const card *from, bool is_tet)
{
    static const int8_t place[] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 8};
    int32_t node[10], n = is_tet ? 4 : 3;
    int64_t property = 0;
    const int32_t last = from->n > 2 + 4 && *from->field[2 + (is_tet ? 4 : 3)] ? 1 : 0;
    const bool middles = is_tet ? last : !strcmp(from->name, "CTRIA6");
    n = middles ? (is_tet ? 10 : 6) : n;
    if (*from->field[1]) {
        EW_TRY(read_integer(from, 1, "a property", 0, &property));
    }
    EW_TRY(find_nodes(b, from, n, place, node));
    const int type = is_tet ? (middles ? EW_GMSH_TET_10 : EW_GMSH_TET)
                            : (middles ? EW_GMSH_TRIANGLE_6 : EW_GMSH_TRIANGLE);
    const int32_t group = (int32_t)property;
    b->r.scan.line = from->line;
    return ew_gmsh_take_element(&b->r, type, node, group ? 1 : 0, &group);
}

static ew_status refuse_card(const card *from)
{
    static const char *const solids[] = {"CHEXA", "CPENTA", "CPYRAM", "CPYRA"};
    for (size_t i = 0; i < sizeof solids / sizeof *solids; i++) {
        if (!strcmp(from->name, solids[i])) {
            return ew_fail_at(EW_BAD_INPUT, (int32_t)from->line,
                              "%s; only tets (CTETRA) are read: mesh the part with tets",
                              from->name);
        }
    }
    return strcmp(from->name, "INCLUDE")
               ? EW_OK
               : ew_fail_at(EW_BAD_INPUT, (int32_t)from->line,
                            "INCLUDE is not followed; export the mesh as one file");
}

static ew_status read_all(bdf *b, ew_mesh *mesh, ew_mesh_repair *repair, ew_groups *groups)
{
    card now;
    int64_t twice;
    find_bulk_data(b);
    while (next_card(&b->r.scan, &now)) {
        EW_TRY(strcmp(now.name, "GRID") ? refuse_card(&now) : read_grid(b, &now));
    }
    if (!ew_numbers_sort(&b->r.node, &twice)) {
        return ew_scan_fail(&b->r.scan, "two GRID have the number %lld", (long long)twice);
    }
    find_bulk_data(b);
    while (next_card(&b->r.scan, &now)) {
        const ew_scan behind = b->r.scan;
        const bool is_tet = !strcmp(now.name, "CTETRA");
        if (is_tet || !strcmp(now.name, "CTRIA3") || !strcmp(now.name, "CTRIA6")) {
            EW_TRY(read_element(b, &now, is_tet));
        }
        b->r.scan = behind;
    }
    if (!b->r.n_tet) {
        return ew_scan_fail(&b->r.scan, "the file has no tets (CTETRA); mesh the volume before it "
                                        "is exported");
    }
    return ew_gmsh_finish(&b->r, mesh, repair, groups);
}

static ew_status read_mesh(const ew_mesh_input *input, ew_mesh *mesh, ew_mesh_repair *repair,
                           ew_groups *groups)
{
    bdf b = {.r.scan = ew_scan_begin(input->file->data, input->file->size, "")};
    b.r.begin = b.r.scan.at;
    const ew_status status = read_all(&b, mesh, repair, groups);
    ew_gmsh_free(&b.r);
    return status;
}

const ew_format ew_format_bdf = {
    .name = "Nastran",
    .holds = "GRID, CTETRA (of ten nodes, too), CTRIA3, CTRIA6, properties",
    .endings = ".bdf .nas",
    .n_file = 1,
    .n_needed = 1,
    .read_mesh = read_mesh,
};
