/* MEDIT .mesh, ASCII (Frey 2001, MEDIT: an interactive mesh visualization software). Free
 * form: keywords and numbers separated by blanks or ends of lines, # to the end of a line is
 * a comment. In: Vertices, Tetrahedra, Triangles, or TetrahedraP2 and TrianglesP2 of second order,
 * in any order; sections of other things are passed over, but volume elements that Edgewise lacks
 * are refused: to drop them would change the body. Out: a mesh; and a mesh written. */
#include "format/framework/draft.h"
#include "format/framework/print.h"

#include <string.h>

/* ---- reading ----------------------------------------------------------- */

typedef struct reader {
    ew_scan scan;
    ew_draft draft;
    bool has_dimension, has_vertex, has_tet, has_face;
    int32_t *ten; /* [n_tet][10] owned: of TetrahedraP2, as they stand there; or null */
} reader;

static ew_status next_int(ew_scan *scan, const char *what, int64_t low, int64_t high,
                          int64_t *value)
{
    ew_scan_anywhere(scan);
    return ew_scan_int(scan, what, low, high, value);
}

static ew_status next_count(ew_scan *scan, const char *what, size_t bytes, int32_t *count)
{
    ew_scan_anywhere(scan);
    return ew_scan_count(scan, what, bytes, count);
}

static ew_status take_section(reader *r, bool *has, const char *name)
{
    if (*has) {
        return ew_scan_fail(&r->scan, "a second section %s; a mesh has one", name);
    }
    if (!r->has_dimension) {
        return ew_scan_fail(&r->scan, "section %s before Dimension; put 'Dimension 3' first", name);
    }
    *has = true;
    return EW_OK;
}

static ew_status read_vertices(reader *r)
{
    ew_draft *draft = &r->draft;
    int64_t reference;
    int32_t n;
    EW_TRY(take_section(r, &r->has_vertex, "Vertices"));
    EW_TRY(next_count(&r->scan, "the count of Vertices", EW_MIN_BYTES(4), &n));
    EW_TRY(ew_new(&draft->xyz, 3 * (size_t)n, sizeof *draft->xyz));
    draft->n_vertex = n;
    for (int32_t i = 0; i < n; i++) {
        double *x = draft->xyz + 3 * (size_t)i;
        for (int k = 0; k < 3; k++) {
            static const char *const what[3] = {"coordinate x", "coordinate y", "coordinate z"};
            ew_scan_anywhere(&r->scan);
            EW_TRY(ew_scan_real(&r->scan, what[k], x + k));
        }
        EW_TRY(next_int(&r->scan, "a vertex' reference", INT32_MIN, INT32_MAX, &reference));
    }
    return EW_OK;
}

/* n entries of `width` vertices and a reference. */
static ew_status read_entries(ew_scan *scan, int32_t n, int width, int32_t *vertex, int32_t *label)
{
    int64_t value;
    for (int32_t i = 0; i < n; i++) {
        for (int k = 0; k < width; k++) {
            EW_TRY(next_int(scan, "a vertex number", 1, INT32_MAX, &value));
            *vertex++ = (int32_t)value;
        }
        EW_TRY(next_int(scan, "a reference", INT32_MIN, INT32_MAX, &value));
        label[i] = (int32_t)value;
    }
    return EW_OK;
}

static ew_status read_tets(reader *r)
{
    ew_draft *draft = &r->draft;
    int32_t n;
    EW_TRY(take_section(r, &r->has_tet, "Tetrahedra"));
    EW_TRY(next_count(&r->scan, "the count of Tetrahedra", EW_MIN_BYTES(5), &n));
    EW_TRY(ew_new(&draft->tet, 4 * (size_t)n, sizeof *draft->tet));
    EW_TRY(ew_new(&draft->region, (size_t)n, sizeof *draft->region));
    draft->n_tet = n;
    draft->tet_scan = r->scan;
    draft->tet_numbers = 5;
    return read_entries(&r->scan, n, 4, draft->tet, draft->region);
}

static ew_status read_triangles(reader *r)
{
    ew_draft *draft = &r->draft;
    int32_t n;
    EW_TRY(take_section(r, &r->has_face, "Triangles"));
    EW_TRY(next_count(&r->scan, "the count of Triangles", EW_MIN_BYTES(4), &n));
    EW_TRY(ew_new(&draft->face, 3 * (size_t)n, sizeof *draft->face));
    EW_TRY(ew_new(&draft->face_label, (size_t)n, sizeof *draft->face_label));
    draft->n_face = n;
    draft->face_scan = r->scan;
    draft->face_numbers = 4;
    return read_entries(&r->scan, n, 3, draft->face, draft->face_label);
}

/* ---- second order ---------------------------------------------------------- */

static ew_status read_tets_p2(reader *r)
{
    ew_draft *draft = &r->draft;
    int32_t n;
    EW_TRY(take_section(r, &r->has_tet, "Tetrahedra"));
    EW_TRY(next_count(&r->scan, "the count of TetrahedraP2", EW_MIN_BYTES(11), &n));
    EW_TRY(ew_new(&r->ten, 10 * (size_t)n, sizeof *r->ten));
    EW_TRY(ew_new(&draft->tet, 4 * (size_t)n, sizeof *draft->tet));
    EW_TRY(ew_new(&draft->middle, 6 * (size_t)n, sizeof *draft->middle));
    EW_TRY(ew_new(&draft->region, (size_t)n, sizeof *draft->region));
    draft->n_tet = n;
    draft->tet_scan = r->scan;
    draft->tet_numbers = 11;
    return read_entries(&r->scan, n, 10, r->ten, draft->region);
}

/* Their corners alone. */
static ew_status read_triangles_p2(reader *r)
{
    ew_draft *draft = &r->draft;
    int32_t n, *six = NULL;
    EW_TRY(take_section(r, &r->has_face, "Triangles"));
    EW_TRY(next_count(&r->scan, "the count of TrianglesP2", EW_MIN_BYTES(7), &n));
    EW_TRY(ew_new(&draft->face, 3 * (size_t)n, sizeof *draft->face));
    EW_TRY(ew_new(&draft->face_label, (size_t)n, sizeof *draft->face_label));
    EW_TRY(ew_new(&six, 6 * (size_t)n, sizeof *six));
    draft->n_face = n;
    draft->face_scan = r->scan;
    draft->face_numbers = 7;
    const ew_status status = read_entries(&r->scan, n, 6, six, draft->face_label);
    for (int32_t i = 0; i < n && !status; i++) {
        memcpy(draft->face + 3 * (size_t)i, six + 6 * (size_t)i, 3 * sizeof *six);
    }
    ew_release(six);
    return status;
}

/* Square of the distance of a node from the middle of two others, by the file's numbers; 0 where a
 * number is none, which is refused later. */
static double off_middle(const ew_draft *draft, int32_t node, int32_t a, int32_t b)
{
    const int32_t n = draft->n_vertex;
    double square = 0.0;
    for (size_t c = 0; c < 3 && node <= n && a <= n && b <= n; c++) {
        const double *x = draft->xyz + c;
        const double d =
            x[3 * ((size_t)node - 1)] - 0.5 * (x[3 * ((size_t)a - 1)] + x[3 * ((size_t)b - 1)]);
        square += d * d;
    }
    return square;
}

/* Programs write the last two middles as 13 23 or as 23 13: what lies nearer to them in the whole
 * file. */
static void sort_middles(reader *r)
{
    static const int8_t place[6] = {4, 6, 7, 5, 8, 9}; /* 01 12 20 03 13 23, by edge */
    ew_draft *draft = &r->draft;
    double straight = 0.0, crossed = 0.0;
    for (int32_t t = 0; t < draft->n_tet; t++) {
        const int32_t *v = r->ten + 10 * (size_t)t;
        straight += off_middle(draft, v[8], v[1], v[3]) + off_middle(draft, v[9], v[2], v[3]);
        crossed += off_middle(draft, v[9], v[1], v[3]) + off_middle(draft, v[8], v[2], v[3]);
    }
    for (int32_t t = 0; t < draft->n_tet; t++) {
        const int32_t *v = r->ten + 10 * (size_t)t;
        memcpy(draft->tet + 4 * (size_t)t, v, 4 * sizeof *v);
        for (size_t k = 0; k < 6; k++) {
            const int8_t at = place[k];
            draft->middle[6 * (size_t)t + k] = v[at >= 8 && crossed < straight ? 17 - at : at];
        }
    }
}

static ew_status read_dimension(reader *r)
{
    int64_t dimension;
    EW_TRY(next_int(&r->scan, "Dimension", 2, 3, &dimension));
    if (dimension != 3) {
        return ew_scan_fail(&r->scan, "Dimension is 2; a tetrahedral mesh has 3");
    }
    r->has_dimension = true;
    return EW_OK;
}

/* Everything up to the next word. */
static void pass_numbers(ew_scan *scan)
{
    char word[EW_WORD];
    while (ew_scan_anywhere(scan)) {
        char c = *scan->at;
        if ((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')) {
            return;
        }
        ew_scan_word(scan, word);
    }
}

static ew_status pass_section(reader *r, const char *word)
{
    static const char *const refused[] = {"hexahedra",    "prisms",      "pyramids",
                                          "hexahedraq2",  "prismsp2",    "pyramidsp2",
                                          "tetrahedrap3", "tetrahedrap4"};
    int64_t n;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        if (strcmp(word, refused[i]) == 0) {
            EW_TRY(next_int(&r->scan, word, 0, INT64_MAX / 16, &n));
            if (n > 0) {
                return ew_scan_fail(&r->scan, "%lld %s; only Tetrahedra and TetrahedraP2 are read",
                                    (long long)n, word);
            }
        }
    }
    pass_numbers(&r->scan);
    return EW_OK;
}

static ew_status read_sections(reader *r)
{
    char word[EW_WORD];
    while (ew_scan_anywhere(&r->scan)) {
        ew_scan here = r->scan;
        ew_scan_word(&r->scan, word);
        if (strcmp(word, "end") == 0) {
            return EW_OK;
        } else if (strcmp(word, "dimension") == 0) {
            EW_TRY(read_dimension(r));
        } else if (strcmp(word, "vertices") == 0) {
            EW_TRY(read_vertices(r));
        } else if (strcmp(word, "tetrahedra") == 0) {
            EW_TRY(read_tets(r));
        } else if (strcmp(word, "triangles") == 0) {
            EW_TRY(read_triangles(r));
        } else if (strcmp(word, "tetrahedrap2") == 0) {
            EW_TRY(read_tets_p2(r));
        } else if (strcmp(word, "trianglesp2") == 0) {
            EW_TRY(read_triangles_p2(r));
        } else if (word[0] >= 'a' && word[0] <= 'z') {
            EW_TRY(pass_section(r, word));
        } else {
            return ew_scan_fail(&here,
                                "'%s' where a section's name should be; the section before "
                                "has more entries than its count, or the file is damaged",
                                word);
        }
    }
    return EW_OK;
}

static ew_status read_all(reader *r, ew_mesh *mesh, ew_mesh_repair *repair)
{
    char word[EW_WORD];
    int64_t version;
    ew_scan_anywhere(&r->scan);
    ew_scan_word(&r->scan, word);
    if (strcmp(word, "meshversionformatted") != 0) {
        return ew_scan_fail(&r->scan,
                            "a MEDIT mesh in text form begins with "
                            "'MeshVersionFormatted'; this one begins with '%s'",
                            word);
    }
    EW_TRY(next_int(&r->scan, "MeshVersionFormatted", 1, 4, &version));
    EW_TRY(read_sections(r));
    if (!r->has_vertex || !r->has_tet) {
        return ew_scan_fail(&r->scan,
                            "the file ends without a section %s; a mesh needs Vertices "
                            "and Tetrahedra",
                            r->has_vertex ? "Tetrahedra" : "Vertices");
    }
    if (r->ten) {
        sort_middles(r);
    }
    EW_TRY(ew_draft_shift(&r->draft));
    return ew_draft_to_mesh(&r->draft, mesh, repair);
}

ew_status ew_read_medit(const char *data, size_t size, ew_mesh *mesh, ew_mesh_repair *repair)
{
    reader r = {.scan = ew_scan_begin(data, size, ""), .draft = {.first = 1}};
    ew_status status = read_all(&r, mesh, repair);
    ew_draft_free(&r.draft);
    ew_release(r.ten);
    return status;
}

/* ---- writing ----------------------------------------------------------- */

typedef struct writer {
    const ew_mesh *mesh;
    ew_plan plan;
    ew_middles middles;
} writer;

/* A tet of ten nodes, or a triangle of six: corners, middles, label. */
static void put_p2(ew_text *text, const writer *w, const int32_t *slot, int n, int32_t label)
{
    static const int8_t side[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}};
    int32_t entry[11];
    int count = 0;
    for (int k = 0; k < n; k++) {
        entry[count++] = w->plan.number[slot[k]];
    }
    for (int k = 0; k < (n == 4 ? 6 : 3); k++) {
        entry[count++] =
            ew_middle_number(&w->middles, &w->plan, slot[side[k][0]], slot[side[k][1]]);
    }
    entry[count++] = label;
    ew_put_ints(text, entry, count, '\n');
}

static void put_faces(ew_text *text, const writer *w)
{
    const ew_mesh *mesh = w->mesh;
    for (int32_t f = 0; f < mesh->n_face && mesh->has_middles; f++) {
        if (w->plan.live[f]) {
            put_p2(text, w, mesh->face + 3 * (size_t)f, 3, mesh->face_label[f]);
        }
    }
    if (!mesh->has_middles) {
        ew_put_faces(text, mesh, &w->plan, false);
    }
}

static void put_tets(ew_text *text, const writer *w)
{
    const ew_mesh *mesh = w->mesh;
    for (int32_t i = 0; i < w->plan.n_tet && mesh->has_middles; i++) {
        const size_t t = (size_t)w->plan.tet[i];
        put_p2(text, w, mesh->tet + 4 * t, 4, mesh->region_label[mesh->region[t]]);
    }
    if (!mesh->has_middles) {
        ew_put_tets(text, mesh, &w->plan, false);
    }
}

static void put_medit(ew_text *text, const writer *w)
{
    const bool ten = w->mesh->has_middles;
    const ew_plan *p = &w->plan;
    const int32_t n_node = p->n_vertex + w->middles.n;
    ew_put_text(text, "MeshVersionFormatted 2\n\nDimension 3\n\nVertices\n");
    ew_put_ints(text, &n_node, 1, '\n');
    for (int32_t i = 0; i < n_node; i++) {
        ew_put_point(text, i < p->n_vertex ? w->mesh->xyz + 3 * (size_t)p->vertex[i]
                                           : w->middles.xyz + 3 * (size_t)(i - p->n_vertex));
        ew_put_text(text, " 0\n");
    }
    if (p->n_face > 0) {
        ew_put_text(text, ten ? "\nTrianglesP2\n" : "\nTriangles\n");
        ew_put_ints(text, &p->n_face, 1, '\n');
        put_faces(text, w);
    }
    ew_put_text(text, ten ? "\nTetrahedraP2\n" : "\nTetrahedra\n");
    ew_put_ints(text, &p->n_tet, 1, '\n');
    put_tets(text, w);
    ew_put_text(text, "\nEnd\n");
}

ew_status ew_write_medit(const ew_mesh *mesh, bool user_order, ew_text *text)
{
    ew_status status;
    writer w = {.mesh = mesh};
    const ew_plan *p = &w.plan;
    const size_t side = mesh->has_middles ? EW_MAX_INT : 0;
    ew_text made = {0};
    EW_TRY_OUT(ew_plan_make(mesh, user_order, &w.plan));
    EW_TRY_OUT(ew_middles_make(mesh, p, &w.middles));
    size_t bytes = ((size_t)p->n_vertex + (size_t)w.middles.n) * (3 * EW_MAX_DOUBLE + 3) +
                   (size_t)p->n_face * (4 * EW_MAX_INT + 3 * side) +
                   (size_t)p->n_tet * (5 * EW_MAX_INT + 6 * side);
    EW_TRY_OUT(ew_text_make(&made, 1, bytes));
    put_medit(&made, &w);
    *text = made;
out:
    ew_plan_free(&w.plan);
    ew_middles_free(&w.middles);
    return status;
}

/* ---- its place in the table -------------------------------------------- */

static ew_status read_mesh(const ew_mesh_input *input, ew_mesh *mesh, ew_mesh_repair *repair,
                           ew_groups *groups)
{
    (void)groups;
    return ew_read_medit(input->file->data, input->file->size, mesh, repair);
}

static ew_status write_mesh(const ew_mesh *mesh, const ew_groups *groups, bool user_order,
                            ew_text *file)
{
    (void)groups;
    return ew_write_medit(mesh, user_order, file);
}

const ew_format ew_format_medit = {
    .name = "MEDIT",
    .holds = "vertices, triangles, tetrahedra (of second order, too)",
    .endings = ".mesh",
    .n_file = 1,
    .n_needed = 1,
    .read_mesh = read_mesh,
    .write_mesh = write_mesh,
    .writes_middles = true,
    .comment = {"", "# ", ""},
};
