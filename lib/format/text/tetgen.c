/* TetGen's .node, .ele and .face (Si 2015, TetGen, a Delaunay-based quality tetrahedral mesh
 * generator; file formats of its manual). An entry is a line; # begins a comment; empty lines
 * do not count. In: two or three texts. Out: a mesh; and
 * a mesh written, numbered from 1. */
#include "format/framework/draft.h"
#include "format/framework/print.h"

#include <math.h>

/* ---- reading ----------------------------------------------------------- */

/* The next line's entry number, which must be first + index. */
static ew_status begin_entry(ew_scan *scan, int64_t number)
{
    int64_t found;
    if (!ew_scan_anywhere(scan)) {
        return ew_scan_fail(scan, "the file ends before entry %lld", (long long)number);
    }
    ew_scan here = *scan;
    EW_TRY(ew_scan_int(scan, "the entry's number", INT32_MIN, INT32_MAX, &found));
    if (found != number) {
        return ew_scan_fail(&here,
                            "entry %lld where %lld should be; entries are numbered one by "
                            "one from 0 or 1",
                            (long long)found, (long long)number);
    }
    return EW_OK;
}

static ew_status end_text(ew_scan *scan)
{
    if (ew_scan_anywhere(scan)) {
        return ew_scan_fail(scan, "more entries than the first line announces");
    }
    return EW_OK;
}

/* An optional number at the end of the first line. */
static ew_status read_option(ew_scan *scan, const char *what, int64_t low, int64_t high,
                             int64_t *value)
{
    return ew_scan_on_line(scan) ? ew_scan_int(scan, what, low, high, value) : EW_OK;
}

static ew_status read_nodes(ew_scan scan, ew_draft *draft)
{
    int64_t dimension = 3, n_attribute = 0, n_marker = 0, first = 0;
    int32_t n;
    ew_scan_anywhere(&scan);
    EW_TRY(ew_scan_count(&scan, "the count of points", EW_MIN_BYTES(4), &n));
    EW_TRY(read_option(&scan, "the dimension", 3, 3, &dimension));
    EW_TRY(read_option(&scan, "the count of attributes", 0, INT32_MAX, &n_attribute));
    EW_TRY(read_option(&scan, "the count of boundary markers", 0, 1, &n_marker));
    ew_scan_leave_line(&scan);
    EW_TRY(ew_new(&draft->xyz, 3 * (size_t)n, sizeof *draft->xyz));
    draft->n_vertex = n;
    if (n > 0 && ew_scan_anywhere(&scan)) {
        ew_scan peek = scan;
        EW_TRY(ew_scan_int(&peek, "the first point's number", 0, 1, &first));
    }
    draft->first = (int32_t)first;
    for (int32_t i = 0; i < n; i++) {
        EW_TRY(begin_entry(&scan, first + i));
        EW_TRY(ew_scan_point(&scan, draft->xyz + 3 * (size_t)i));
        ew_scan_leave_line(&scan); /* attributes and marker are not used */
    }
    return end_text(&scan);
}

static ew_status read_corners(ew_scan *scan, int width, int32_t *vertex)
{
    for (int k = 0; k < width; k++) {
        int64_t value;
        EW_TRY(ew_scan_int(scan, "a point's number", 0, INT32_MAX, &value));
        vertex[k] = (int32_t)value;
    }
    return EW_OK;
}

/* A region is an attribute, which TetGen prints as a real. */
static ew_status read_region(ew_scan *scan, int32_t *region)
{
    double value;
    ew_scan here = *scan;
    EW_TRY(ew_scan_real(scan, "the region attribute", &value));
    if (value != floor(value) || value < INT32_MIN || value > INT32_MAX) {
        return ew_scan_fail(&here,
                            "the region attribute is %g; a region is a whole number from "
                            "%d to %d",
                            value, INT32_MIN, INT32_MAX);
    }
    *region = (int32_t)value;
    return EW_OK;
}

static ew_status read_tets(ew_scan scan, ew_draft *draft)
{
    int64_t n_corner = 4, n_attribute = 0;
    int32_t n;
    ew_scan_anywhere(&scan);
    EW_TRY(ew_scan_count(&scan, "the count of tetrahedra", EW_MIN_BYTES(5), &n));
    EW_TRY(read_option(&scan, "the points per tetrahedron", 4, 10, &n_corner));
    if (n_corner != 4) {
        return ew_scan_fail(&scan,
                            "tetrahedra of %lld points; only 4-node tetrahedra are read "
                            "(make them without TetGen's option -o2)",
                            (long long)n_corner);
    }
    EW_TRY(read_option(&scan, "the count of attributes", 0, INT32_MAX, &n_attribute));
    ew_scan_leave_line(&scan);
    EW_TRY(ew_new(&draft->tet, 4 * (size_t)n, sizeof *draft->tet));
    EW_TRY(ew_new_zero(&draft->region, (size_t)n, sizeof *draft->region));
    draft->n_tet = n;
    draft->tet_scan = scan;
    for (int32_t i = 0; i < n; i++) {
        EW_TRY(begin_entry(&scan, (int64_t)draft->first + i));
        EW_TRY(read_corners(&scan, 4, draft->tet + 4 * (size_t)i));
        if (n_attribute > 0) {
            EW_TRY(read_region(&scan, draft->region + i));
        }
        ew_scan_leave_line(&scan);
    }
    return end_text(&scan);
}

static ew_status read_faces(ew_scan scan, ew_draft *draft)
{
    int64_t n_marker = 0, marker = 0;
    int32_t n;
    ew_scan_anywhere(&scan);
    EW_TRY(ew_scan_count(&scan, "the count of triangles", EW_MIN_BYTES(4), &n));
    EW_TRY(read_option(&scan, "the count of boundary markers", 0, 1, &n_marker));
    ew_scan_leave_line(&scan);
    EW_TRY(ew_new(&draft->face, 3 * (size_t)n, sizeof *draft->face));
    EW_TRY(ew_new(&draft->face_label, (size_t)n, sizeof *draft->face_label));
    draft->n_face = n;
    draft->face_scan = scan;
    for (int32_t i = 0; i < n; i++) {
        EW_TRY(begin_entry(&scan, (int64_t)draft->first + i));
        EW_TRY(read_corners(&scan, 3, draft->face + 3 * (size_t)i));
        if (n_marker > 0) {
            EW_TRY(ew_scan_int(&scan, "the boundary marker", INT32_MIN, INT32_MAX, &marker));
        }
        draft->face_label[i] = (int32_t)marker;
        ew_scan_leave_line(&scan);
    }
    return end_text(&scan);
}

ew_status ew_read_tetgen(const char *node, size_t node_size, const char *ele, size_t ele_size,
                         const char *face, size_t face_size, ew_mesh *mesh, ew_mesh_repair *repair)
{
    ew_status status;
    ew_draft draft = {0};
    EW_TRY_OUT(read_nodes(ew_scan_begin(node, node_size, ".node "), &draft));
    EW_TRY_OUT(read_tets(ew_scan_begin(ele, ele_size, ".ele "), &draft));
    if (face) {
        EW_TRY_OUT(read_faces(ew_scan_begin(face, face_size, ".face "), &draft));
    }
    EW_TRY_OUT(ew_draft_shift(&draft));
    EW_TRY_OUT(ew_draft_to_mesh(&draft, mesh, repair));
out:
    ew_draft_free(&draft);
    return status;
}

/* ---- writing ----------------------------------------------------------- */

static void put_nodes(ew_text *text, const ew_mesh *mesh, const ew_plan *p)
{
    ew_put_int(text, p->n_vertex);
    ew_put_text(text, " 3 0 0\n");
    for (int32_t i = 0; i < p->n_vertex; i++) {
        ew_put_int(text, i + 1);
        ew_put_point(text, mesh->xyz + 3 * (size_t)p->vertex[i]);
        ew_put_text(text, "\n");
    }
}

ew_status ew_write_tetgen(const ew_mesh *mesh, bool user_order, ew_text *node, ew_text *ele,
                          ew_text *face)
{
    ew_status status;
    ew_plan p = {0};
    ew_text made[3] = {{0}};
    EW_TRY_OUT(ew_plan_make(mesh, user_order, &p));
    EW_TRY_OUT(ew_text_make(&made[0], p.n_vertex, EW_MAX_INT + 3 * EW_MAX_DOUBLE + 1));
    EW_TRY_OUT(ew_text_make(&made[1], p.n_tet, 6 * EW_MAX_INT));
    EW_TRY_OUT(ew_text_make(&made[2], p.n_face, 5 * EW_MAX_INT));
    put_nodes(&made[0], mesh, &p);
    ew_put_int(&made[1], p.n_tet);
    ew_put_text(&made[1], " 4 1\n");
    ew_put_tets(&made[1], mesh, &p, true);
    ew_put_int(&made[2], p.n_face);
    ew_put_text(&made[2], " 1\n");
    ew_put_faces(&made[2], mesh, &p, true);
    *node = made[0];
    *ele = made[1];
    *face = made[2];
out:
    ew_plan_free(&p);
    if (status) {
        for (int i = 0; i < 3; i++) {
            ew_text_free(&made[i]);
        }
    }
    return status;
}

/* ---- its place in the table -------------------------------------------- */

static ew_status read_mesh(const ew_mesh_input *input, ew_mesh *mesh, ew_mesh_repair *repair,
                           ew_groups *groups)
{
    const ew_bytes *file = input->file;
    (void)groups;
    return ew_read_tetgen(file[0].data, file[0].size, file[1].data, file[1].size, file[2].data,
                          file[2].size, mesh, repair);
}

static ew_status write_mesh(const ew_mesh *mesh, const ew_groups *groups, bool user_order,
                            ew_text *file)
{
    (void)groups;
    return ew_write_tetgen(mesh, user_order, &file[0], &file[1], &file[2]);
}

const ew_format ew_format_tetgen = {
    .name = "TetGen",
    .holds = "points, tetrahedra, triangles, in a file each",
    .endings = ".node .ele .face",
    .n_file = 3,
    .n_needed = 2,
    .read_mesh = read_mesh,
    .write_mesh = write_mesh,
    .comment = {"", "# ", ""},
};
