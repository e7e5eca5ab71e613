/* Meshes as unstructured grids of VTK, as text: .vtu and legacy .vtk. In: a mesh and groups. Out:
 * bytes. Tets, then labeled triangles, with an array of their labels, "region", and an array of
 * zeros and ones for each group, "group:NAME", so that ParaView shows what is in it. */
#include "format/framework/print.h"
#include "format/vtk/vtk.h"

#include <stdio.h>
#include <string.h>

enum { TRIANGLE = 5, TET = 10, TRIANGLE_6 = 22, TET_10 = 24, PER_LINE = 20 };

typedef struct writing {
    const ew_mesh *mesh;
    const ew_groups *groups;
    bool xml;
    ew_plan plan;
    ew_middles middles;
    int32_t n_point, n_cell;
    uint8_t *mask; /* [the more of points and cells] owned */
    ew_text text;
    size_t capacity;
} writing;

static ew_status write_words(writing *w, const char *words)
{
    EW_TRY(ew_text_room(&w->text, &w->capacity, strlen(words)));
    ew_put_text(&w->text, words);
    return EW_OK;
}

/* A name as an attribute of XML, or as a word of the legacy format. */
static void escape(const writing *w, const char *name, char out[6 * EW_GROUP_NAME])
{
    size_t n = 0;
    for (const char *at = name; *at; at++) {
        const bool special = strchr(w->xml ? "<>&\"'" : " %\"", *at) || (unsigned char)*at > 126;
        if (special && w->xml && (unsigned char)*at < 127) {
            const char *as = *at == '<'   ? "&lt;"
                             : *at == '>' ? "&gt;"
                             : *at == '&' ? "&amp;"
                             : *at == '"' ? "&quot;"
                                          : "&apos;";
            n += (size_t)snprintf(out + n, 7, "%s", as);
        } else if (special && !w->xml) {
            n += (size_t)snprintf(out + n, 4, "%%%02X", (unsigned)(unsigned char)*at);
        } else {
            out[n++] = *at;
        }
    }
    out[n] = 0;
}

/* The head of an array; of legacy files what stands before its numbers. */
static ew_status begin_array(writing *w, const char *type, const char *name, int width)
{
    char line[7 * EW_GROUP_NAME], escaped[6 * EW_GROUP_NAME];
    escape(w, name, escaped);
    if (w->xml) {
        snprintf(line, sizeof line,
                 "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" "
                 "format=\"ascii\">\n",
                 type, escaped, width);
    } else {
        snprintf(line, sizeof line, "SCALARS %s int 1\nLOOKUP_TABLE default\n", escaped);
    }
    return write_words(w, line);
}

static ew_status end_array(writing *w)
{
    return w->xml ? write_words(w, "</DataArray>\n") : EW_OK;
}

static ew_status begin_cells(writing *w)
{
    char line[160];
    if (!w->xml) {
        return EW_OK;
    }
    snprintf(line, sizeof line,
             "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\">\n"
             "<UnstructuredGrid>\n");
    EW_TRY(write_words(w, line));
    snprintf(line, sizeof line, "<Piece NumberOfPoints=\"%d\" NumberOfCells=\"%d\">\n", w->n_point,
             w->n_cell);
    return write_words(w, line);
}

/* ---- points and cells -------------------------------------------------------------------- */

static ew_status put_points(writing *w)
{
    char line[120];
    snprintf(line, sizeof line,
             "# vtk DataFile Version 3.0\nA mesh of Edgewise\nASCII\nDATASET UNSTRUCTURED_GRID\n"
             "POINTS %d double\n",
             w->n_point);
    EW_TRY(write_words(w, w->xml ? "<Points>\n" : line));
    EW_TRY(w->xml ? begin_array(w, "Float64", "Points", 3) : EW_OK);
    EW_TRY(ew_text_room(&w->text, &w->capacity, (size_t)w->n_point * (3 * EW_MAX_DOUBLE + 2)));
    for (int32_t i = 0; i < w->n_point; i++) {
        const int32_t middle = i - w->plan.n_vertex;
        ew_put_point(&w->text, middle < 0 ? w->mesh->xyz + 3 * (size_t)w->plan.vertex[i]
                                          : w->middles.xyz + 3 * (size_t)middle);
        ew_put_text(&w->text, "\n");
    }
    EW_TRY(end_array(w));
    return w->xml ? write_words(w, "</Points>\n") : EW_OK;
}

static int32_t next_face(const writing *w, int32_t f)
{
    while (f < w->mesh->n_face && !w->plan.live[f]) {
        f++;
    }
    return f;
}

/* Numbers from 0: corners, then middles in VTK's order. */
static void put_cell(writing *w, const int32_t *slot, int n)
{
    static const int8_t side[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}};
    int32_t entry[11];
    int count = 0;
    const int n_side = !w->mesh->has_middles ? 0 : n == 4 ? 6 : 3;
    if (!w->xml) {
        entry[count++] = n + n_side;
    }
    for (int k = 0; k < n; k++) {
        entry[count++] = w->plan.number[slot[k]] - 1;
    }
    for (int k = 0; k < n_side; k++) {
        entry[count++] =
            ew_middle_number(&w->middles, &w->plan, slot[side[k][0]], slot[side[k][1]]) - 1;
    }
    ew_put_ints(&w->text, entry, count, '\n');
}

static ew_status put_cells(writing *w)
{
    char line[80];
    const bool ten = w->mesh->has_middles;
    snprintf(line, sizeof line, "CELLS %d %lld\n", w->n_cell,
             (long long)w->plan.n_tet * (ten ? 11 : 5) + (long long)w->plan.n_face * (ten ? 7 : 4));
    EW_TRY(write_words(w, w->xml ? "<Cells>\n" : line));
    EW_TRY(w->xml ? begin_array(w, "Int32", "connectivity", 1) : EW_OK);
    EW_TRY(ew_text_room(&w->text, &w->capacity, (size_t)w->n_cell * 12 * EW_MAX_INT));
    for (int32_t i = 0; i < w->plan.n_tet; i++) {
        put_cell(w, w->mesh->tet + 4 * (size_t)w->plan.tet[i], 4);
    }
    for (int32_t f = next_face(w, 0); f < w->mesh->n_face; f = next_face(w, f + 1)) {
        put_cell(w, w->mesh->face + 3 * (size_t)f, 3);
    }
    return end_array(w);
}

/* Something of each cell, twenty a line. */
static ew_status put_numbers(writing *w, int32_t n, int32_t (*of)(const writing *w, int32_t i))
{
    EW_TRY(ew_text_room(&w->text, &w->capacity, ((size_t)n + 1) * EW_MAX_INT));
    for (int32_t i = 0; i < n; i++) {
        ew_put_int(&w->text, of(w, i));
        ew_put_text(&w->text, i % PER_LINE == PER_LINE - 1 || i == n - 1 ? "\n" : " ");
    }
    return EW_OK;
}

static int32_t offset_of(const writing *w, int32_t i)
{
    const int32_t tet = w->mesh->has_middles ? 10 : 4, face = w->mesh->has_middles ? 6 : 3;
    return i < w->plan.n_tet ? (i + 1) * tet : w->plan.n_tet * tet + (i + 1 - w->plan.n_tet) * face;
}

static int32_t type_of(const writing *w, int32_t i)
{
    const bool ten = w->mesh->has_middles;
    return i < w->plan.n_tet ? (ten ? TET_10 : TET) : ten ? TRIANGLE_6 : TRIANGLE;
}

static int32_t mask_of(const writing *w, int32_t i)
{
    return w->mask[i];
}

static ew_status put_types(writing *w)
{
    char line[40];
    if (w->xml) {
        EW_TRY(begin_array(w, "Int32", "offsets", 1));
        EW_TRY(put_numbers(w, w->n_cell, offset_of));
        EW_TRY(end_array(w));
        EW_TRY(begin_array(w, "UInt8", "types", 1));
    } else {
        snprintf(line, sizeof line, "CELL_TYPES %d\n", w->n_cell);
        EW_TRY(write_words(w, line));
    }
    EW_TRY(put_numbers(w, w->n_cell, type_of));
    EW_TRY(end_array(w));
    return w->xml ? write_words(w, "</Cells>\n") : EW_OK;
}

/* ---- arrays -----------------------------------------------------------------------------------
 */

static ew_status put_labels(writing *w)
{
    const ew_mesh *mesh = w->mesh;
    EW_TRY(begin_array(w, "Int32", "region", 1));
    EW_TRY(ew_text_room(&w->text, &w->capacity, ((size_t)w->n_cell + 1) * EW_MAX_INT));
    for (int32_t i = 0; i < w->plan.n_tet; i++) {
        ew_put_ints(&w->text, &mesh->region_label[mesh->region[w->plan.tet[i]]], 1, '\n');
    }
    for (int32_t f = next_face(w, 0); f < mesh->n_face; f = next_face(w, f + 1)) {
        ew_put_ints(&w->text, &mesh->face_label[f], 1, '\n');
    }
    return end_array(w);
}

static void mark_label(writing *w, const ew_group *group)
{
    const ew_mesh *mesh = w->mesh;
    int32_t cell = w->plan.n_tet;
    for (int32_t i = 0; i < w->plan.n_tet && group->kind == EW_GROUP_TETS; i++) {
        w->mask[i] = w->mask[i] || mesh->region_label[mesh->region[w->plan.tet[i]]] == group->label;
    }
    for (int32_t f = next_face(w, 0); f < mesh->n_face && group->kind == EW_GROUP_FACES;
         f = next_face(w, f + 1), cell++) {
        w->mask[cell] = w->mask[cell] || mesh->face_label[f] == group->label;
    }
}

static ew_status mark(writing *w, const ew_group *group)
{
    ew_list number = {0};
    if (group->is_label) {
        mark_label(w, group);
        return EW_OK;
    }
    const ew_status status = ew_plan_members(w->mesh, &w->plan, group, &number);
    for (int32_t i = 0; i < number.n; i++) {
        w->mask[number.id[i] - 1] = 1;
    }
    ew_list_free(&number);
    return status;
}

/* A name of tets and faces is one array. */
static bool is_second(const writing *w, int32_t g)
{
    const ew_group *group = &w->groups->group[g];
    for (int32_t i = 0; i < g; i++) {
        const ew_group *other = &w->groups->group[i];
        if (other->kind != EW_GROUP_VERTICES && !strcmp(other->name, group->name)) {
            return true;
        }
    }
    return false;
}

static ew_status put_group(writing *w, int32_t g, bool of_cells)
{
    const ew_group *group = &w->groups->group[g];
    char name[EW_GROUP_NAME + sizeof EW_VTK_GROUP];
    if ((group->kind != EW_GROUP_VERTICES) != of_cells || (of_cells && is_second(w, g))) {
        return EW_OK;
    }
    const int32_t n = of_cells ? w->n_cell : w->n_point;
    memset(w->mask, 0, (size_t)n);
    for (int32_t i = g; i < w->groups->n; i++) {
        const ew_group *other = &w->groups->group[i];
        const bool same = i == g || (of_cells && other->kind != EW_GROUP_VERTICES &&
                                     !strcmp(other->name, group->name));
        EW_TRY(same ? mark(w, other) : EW_OK);
    }
    snprintf(name, sizeof name, "%s%s", EW_VTK_GROUP, group->name);
    EW_TRY(begin_array(w, "UInt8", name, 1));
    EW_TRY(put_numbers(w, n, mask_of));
    return end_array(w);
}

static ew_status put_arrays(writing *w, bool of_cells)
{
    char line[40];
    const char *open = of_cells ? "<CellData>\n" : "<PointData>\n";
    bool any = of_cells;
    for (int32_t g = 0; g < w->groups->n; g++) {
        any = any || w->groups->group[g].kind == EW_GROUP_VERTICES;
    }
    snprintf(line, sizeof line, "%s %d\n", of_cells ? "CELL_DATA" : "POINT_DATA",
             of_cells ? w->n_cell : w->n_point);
    EW_TRY(w->xml || any ? write_words(w, w->xml ? open : line) : EW_OK);
    EW_TRY(of_cells ? put_labels(w) : EW_OK);
    for (int32_t g = 0; g < w->groups->n; g++) {
        EW_TRY(put_group(w, g, of_cells));
    }
    return w->xml ? write_words(w, of_cells ? "</CellData>\n" : "</PointData>\n") : EW_OK;
}

/* ---- the file -----------------------------------------------------------------------------------
 */

static ew_status write_all(writing *w, bool user_order)
{
    EW_TRY(ew_plan_make(w->mesh, user_order, &w->plan));
    EW_TRY(ew_middles_make(w->mesh, &w->plan, &w->middles));
    w->n_point = w->plan.n_vertex + w->middles.n;
    w->n_cell = w->plan.n_tet + w->plan.n_face;
    const int32_t most = w->n_point > w->n_cell ? w->n_point : w->n_cell;
    EW_TRY(ew_new(&w->mask, (size_t)most, 1));
    EW_TRY(begin_cells(w));
    EW_TRY(put_points(w));
    EW_TRY(put_cells(w));
    EW_TRY(put_types(w));
    EW_TRY(put_arrays(w, false));
    EW_TRY(put_arrays(w, true));
    return w->xml ? write_words(w, "</Piece>\n</UnstructuredGrid>\n</VTKFile>\n") : EW_OK;
}

static ew_status write_grid(const ew_mesh *mesh, const ew_groups *groups, bool user_order, bool xml,
                            ew_text *file)
{
    writing w = {.mesh = mesh, .groups = groups, .xml = xml};
    const ew_status status = write_all(&w, user_order);
    if (status) {
        ew_text_free(&w.text);
    } else {
        *file = w.text;
    }
    ew_plan_free(&w.plan);
    ew_middles_free(&w.middles);
    ew_release(w.mask);
    return status;
}

ew_status ew_vtk_write(const ew_mesh *mesh, const ew_groups *groups, bool user_order, ew_text *file)
{
    return write_grid(mesh, groups, user_order, false, file);
}

ew_status ew_vtu_write(const ew_mesh *mesh, const ew_groups *groups, bool user_order, ew_text *file)
{
    return write_grid(mesh, groups, user_order, true, file);
}
