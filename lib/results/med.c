/* Meshes of MED files (Salome, code_aster; MED file format, versions 3 and 4) in, the bytes of a
 * Gmsh file out, which the core reads: a family of MED, with the groups that it is in, is an entity
 * of Gmsh. Tets, triangles, lines and points, of first and second order; other volume elements are
 * refused, other faces passed over. */
#include "results/foreign.h"

#include <stdio.h>
#include <string.h>

enum { GROUP_NAME = 80, MAX_FAMILIES = 100000, MAX_GROUPS = 10000 };

typedef struct family {
    int64_t number;
    bool of_nodes, used[4]; /* by dimension */
    int32_t n_group, first; /* rows of med.group */
} family;

typedef struct med {
    ew_foreign from;
    int32_t n_family, family_capacity, n_group, group_capacity, n_name, name_capacity;
    family *family;
    int32_t *group; /* [n_group] of each family: numbers of names, from 0 */
    char (*name)[GROUP_NAME + 1];
    int64_t n_node;
} med;

static ew_status put_text(med *m, const char *text)
{
    return ew_foreign_put(&m->from, text, strlen(text));
}

static ew_status put_int(med *m, int32_t value)
{
    return ew_foreign_put(&m->from, &value, sizeof value);
}

static ew_status put_size(med *m, int64_t value)
{
    return ew_foreign_put(&m->from, &value, sizeof value);
}

/* ---- families ---------------------------------------------------------------------------------
 */

/* Blanks and zeros end a name; what would end it in the text of a Gmsh file goes. */
static ew_status add_group(med *m, const char *bytes)
{
    char name[GROUP_NAME + 1] = "";
    int32_t k = 0;
    memcpy(name, bytes, GROUP_NAME);
    for (size_t n = strlen(name); n && name[n - 1] == ' '; n--) {
        name[n - 1] = 0;
    }
    for (char *c = name; *c; c++) {
        *c = *c == '"' ? '\'' : (unsigned char)*c < ' ' ? '_' : *c;
    }
    while (k < m->n_name && strcmp(m->name[k], name) != 0) {
        k++;
    }
    if (k == m->n_name) {
        if (m->n_name == MAX_GROUPS) {
            return ew_fail(EW_BAD_INPUT, "%s: more than %d groups", m->from.path, MAX_GROUPS);
        }
        EW_TRY(ew_grow(&m->name, &m->name_capacity, (int64_t)m->n_name + 1, sizeof *m->name));
        memcpy(m->name[m->n_name++], name, sizeof name);
    }
    EW_TRY(ew_grow(&m->group, &m->group_capacity, (int64_t)m->n_group + 1, sizeof *m->group));
    m->group[m->n_group++] = k;
    return EW_OK;
}

/* GRO/NOM: of each group 80 bytes. */
static ew_status read_groups(med *m, hid_t from, family *to)
{
    hid_t group, names;
    EW_TRY(ew_foreign_child(&m->from, from, "GRO", false, &group));
    if (group < 0) {
        return EW_OK;
    }
    EW_TRY(ew_foreign_child(&m->from, group, "NOM", true, &names));
    hid_t type = H5Dget_type(names), space = H5Dget_space(names);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    const uint64_t bytes = type < 0 || count < 0 ? 0 : H5Tget_size(type) * (uint64_t)count;
    const bool is_variable = H5Tdetect_class(type, H5T_VLEN) != 0 || H5Tis_variable_str(type) > 0;
    char *text = NULL;
    if (is_variable || bytes % GROUP_NAME || bytes > m->from.size + GROUP_NAME) {
        return ew_fail(EW_BAD_INPUT, "%s: names of groups are not of %d bytes each", m->from.path,
                       GROUP_NAME);
    }
    EW_TRY(ew_new_zero(&text, (size_t)bytes + 1, 1));
    if (H5Dread(names, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) < 0) {
        return ew_h5_fail(EW_BAD_INPUT, m->from.path, "read the names of groups");
    }
    to->first = m->n_group;
    for (uint64_t at = 0; at < bytes; at += GROUP_NAME) {
        EW_TRY(add_group(m, text + at));
    }
    to->n_group = m->n_group - to->first;
    ew_release(text);
    return EW_OK;
}

static ew_status read_families(med *m, hid_t all, const char *kind)
{
    char name[EW_GROUP_NAME];
    hid_t list;
    EW_TRY(ew_foreign_child(&m->from, all, kind, false, &list));
    for (int64_t i = 0; list >= 0 && ew_foreign_name(list, i, name); i++) {
        hid_t one;
        family made = {.of_nodes = !strcmp(kind, "NOEUD")};
        if (m->n_family == MAX_FAMILIES) {
            return ew_fail(EW_BAD_INPUT, "%s: more than %d families", m->from.path, MAX_FAMILIES);
        }
        EW_TRY(ew_foreign_child(&m->from, list, name, true, &one));
        EW_TRY(ew_foreign_attribute(&m->from, one, "NUM", &made.number));
        EW_TRY(read_groups(m, one, &made));
        EW_TRY(
            ew_grow(&m->family, &m->family_capacity, (int64_t)m->n_family + 1, sizeof *m->family));
        m->family[m->n_family++] = made;
        ew_h5_close(&one);
    }
    return EW_OK;
}

/* The family of a number, its row from 0; -1: it has no groups. */
static int32_t find_family(const med *m, int64_t number, bool of_nodes)
{
    for (int32_t i = 0; i < m->n_family && number; i++) {
        if (m->family[i].number == number && m->family[i].of_nodes == of_nodes) {
            return m->family[i].n_group ? i : -1;
        }
    }
    return -1;
}

/* Each family once for each dimension. */
static ew_status put_entities(med *m)
{
    static const double box[6] = {0};
    EW_TRY(put_text(m, "$Entities\n"));
    for (int d = 0; d < 4; d++) {
        EW_TRY(put_size(m, m->n_family));
    }
    for (int d = 0; d < 4; d++) {
        for (int32_t i = 0; i < m->n_family; i++) {
            const family *f = &m->family[i];
            EW_TRY(put_int(m, i + 1));
            EW_TRY(ew_foreign_put(&m->from, box, (d ? 6 : 3) * sizeof *box));
            EW_TRY(put_size(m, f->n_group));
            for (int32_t k = 0; k < f->n_group; k++) {
                EW_TRY(put_int(m, m->group[f->first + k] + 1));
            }
            EW_TRY(d ? put_size(m, 0) : EW_OK);
        }
    }
    return put_text(m, "\n$EndEntities\n");
}

/* Those that elements of a dimension are in. */
static ew_status put_names(med *m)
{
    char line[GROUP_NAME + 64];
    bool *used;
    int32_t n = 0;
    EW_TRY(ew_new_zero(&used, 4 * (size_t)m->n_name + 1, 1));
    for (int32_t i = 0; i < m->n_family; i++) {
        for (int d = 0; d < 4; d++) {
            for (int32_t k = 0; k < m->family[i].n_group && m->family[i].used[d]; k++) {
                used[4 * m->group[m->family[i].first + k] + d] = true;
            }
        }
    }
    for (int32_t i = 0; i < 4 * m->n_name; i++) {
        n += used[i];
    }
    snprintf(line, sizeof line, "$PhysicalNames\n%d\n", n);
    EW_TRY(put_text(m, line));
    for (int32_t i = 0; i < 4 * m->n_name; i++) {
        snprintf(line, sizeof line, "%d %d \"%s\"\n", i % 4, i / 4 + 1, m->name[i / 4]);
        EW_TRY(used[i] ? put_text(m, line) : EW_OK);
    }
    ew_release(used);
    return put_text(m, "$EndPhysicalNames\n");
}

/* ---- nodes ------------------------------------------------------------------------------------
 */

/* COO: all x, all y, all z. */
static ew_status put_nodes(med *m, hid_t nodes)
{
    hid_t set;
    void *data;
    int64_t n;
    EW_TRY(ew_foreign_child(&m->from, nodes, "COO", true, &set));
    EW_TRY(ew_foreign_numbers(&m->from, set, "COO", H5T_NATIVE_DOUBLE, &data, &n));
    const double *x = data;
    m->n_node = n / 3;
    if (n % 3 || n > INT32_MAX) {
        return ew_fail(EW_BAD_INPUT, "%s: %lld coordinates are not three for each node",
                       m->from.path, (long long)n);
    }
    const int64_t head[4] = {1, m->n_node, 1, m->n_node};
    EW_TRY(put_text(m, "$Nodes\n"));
    EW_TRY(ew_foreign_put(&m->from, head, sizeof head));
    EW_TRY(ew_foreign_put(&m->from, (int32_t[]){3, 0, 0}, 3 * sizeof(int32_t)));
    EW_TRY(put_size(m, m->n_node));
    for (int64_t i = 1; i <= m->n_node; i++) {
        EW_TRY(put_size(m, i));
    }
    for (int64_t i = 0; i < m->n_node; i++) {
        const double point[3] = {x[i], x[i + m->n_node], x[i + 2 * m->n_node]};
        EW_TRY(ew_foreign_put(&m->from, point, sizeof point));
    }
    ew_release(data);
    return put_text(m, "\n$EndNodes\n");
}

/* ---- elements ---------------------------------------------------------------------------------
 */

typedef struct med_type {
    const char *name;
    int dimension, gmsh, n_node; /* gmsh: its type; 0: passed over */
    int8_t order[10];            /* of Gmsh's nodes their places here */
} med_type;
static const med_type types[] = {
    {"PO1", 0, 15, 1, {0}},
    {"SE2", 1, 1, 2, {0, 1}},
    {"SE3", 1, 8, 3, {0, 1, 2}},
    {"TR3", 2, 2, 3, {0, 1, 2}},
    {"TR6", 2, 9, 6, {0, 1, 2, 3, 4, 5}},
    {"QU4", 2, 0, 4, {0}},
    {"QU8", 2, 0, 8, {0}},
    {"TE4", 3, 4, 4, {0, 2, 1, 3}}, /* seen from the fourth node the first three turn otherwise */
    {"T10", 3, 11, 10, {0, 2, 1, 3, 6, 5, 4, 7, 8, 9}},
};
enum { N_TYPE = sizeof types / sizeof *types };

/* n elements of one family, whose nodes are `stride` apart. */
static ew_status put_block(med *m, const med_type *type, int32_t row, const int64_t *node,
                           int64_t stride, int64_t n)
{
    const int32_t head[3] = {type->dimension, row + 1, type->gmsh};
    EW_TRY(ew_foreign_put(&m->from, head, sizeof head));
    EW_TRY(put_size(m, n));
    for (int64_t i = 0; i < n; i++) {
        int64_t entry[11] = {0};
        for (int k = 0; k < type->n_node; k++) {
            entry[1 + k] = node[i + stride * type->order[k]];
        }
        EW_TRY(ew_foreign_put(&m->from, entry, (size_t)(1 + type->n_node) * sizeof *entry));
    }
    if (row >= 0) {
        m->family[row].used[type->dimension] = true;
    }
    return EW_OK;
}

/* Runs of elements of one family. family: their numbers, null: none has groups. */
static ew_status put_runs(med *m, const med_type *type, const int64_t *number, bool of_nodes,
                          const int64_t *node, int64_t n, int64_t *n_block)
{
    for (int64_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && (!number || number[end] == number[i]); end++) {
        }
        const int32_t row = number ? find_family(m, number[i], of_nodes) : -1;
        if (row >= 0 || type->dimension > 1) {
            EW_TRY(put_block(m, type, row, node + i, n, end - i));
            ++*n_block;
        }
    }
    return EW_OK;
}

/* NOD: the first nodes of all elements, then the second ones. */
static ew_status put_type(med *m, hid_t elements, const med_type *type, int64_t *n_block)
{
    hid_t of, set, families;
    void *node, *number = NULL;
    int64_t n, n_number;
    EW_TRY(ew_foreign_child(&m->from, elements, type->name, true, &of));
    EW_TRY(ew_foreign_child(&m->from, of, "NOD", true, &set));
    EW_TRY(ew_foreign_numbers(&m->from, set, "NOD", H5T_NATIVE_INT64, &node, &n));
    EW_TRY(ew_foreign_child(&m->from, of, "FAM", false, &families));
    if (families >= 0) {
        EW_TRY(ew_foreign_numbers(&m->from, families, "FAM", H5T_NATIVE_INT64, &number, &n_number));
    }
    if (n % type->n_node || (number && n_number != n / type->n_node)) {
        return ew_fail(EW_BAD_INPUT, "%s: '%s' has not the nodes, or families, of its elements",
                       m->from.path, type->name);
    }
    EW_TRY(put_runs(m, type, number, false, node, n / type->n_node, n_block));
    ew_release(number);
    ew_release(node);
    return EW_OK;
}

/* Nodes that are in groups, as points. */
static ew_status put_node_groups(med *m, hid_t nodes, int64_t *n_block)
{
    hid_t set;
    void *number;
    int64_t n, *node;
    EW_TRY(ew_foreign_child(&m->from, nodes, "FAM", false, &set));
    if (set < 0) {
        return EW_OK;
    }
    EW_TRY(ew_foreign_numbers(&m->from, set, "FAM", H5T_NATIVE_INT64, &number, &n));
    if (n != m->n_node) {
        return ew_fail(EW_BAD_INPUT, "%s: %lld families for %lld nodes", m->from.path, (long long)n,
                       (long long)m->n_node);
    }
    EW_TRY(ew_new(&node, (size_t)n + 1, sizeof *node));
    for (int64_t i = 0; i < n; i++) {
        node[i] = i + 1;
    }
    EW_TRY(put_runs(m, &types[0], number, true, node, n, n_block));
    ew_release(node);
    ew_release(number);
    return EW_OK;
}

static ew_status put_elements(med *m, hid_t nodes, hid_t elements)
{
    char name[EW_GROUP_NAME];
    int64_t n_block = 0;
    EW_TRY(put_text(m, "$Elements\n"));
    const size_t head = m->from.made.size;
    for (int k = 0; k < 4; k++) {
        EW_TRY(put_size(m, 0));
    }
    EW_TRY(put_node_groups(m, nodes, &n_block));
    for (int64_t i = 0; ew_foreign_name(elements, i, name); i++) {
        const med_type *type = NULL;
        for (int k = 0; k < N_TYPE; k++) {
            type = strcmp(name, types[k].name) ? type : &types[k];
        }
        if (!type) {
            return ew_fail(EW_BAD_INPUT,
                           "%s: elements of type '%.20s'; tets (TE4, T10) are read, and triangles, "
                           "lines and points: mesh the solid with tetrahedra",
                           m->from.path, name);
        }
        EW_TRY(type->gmsh ? put_type(m, elements, type, &n_block) : EW_OK);
    }
    memcpy(m->from.made.data + head, &n_block, sizeof n_block);
    return put_text(m, "\n$EndElements\n");
}

/* ---- the file ---------------------------------------------------------------------------------
 */

/* The only child of a group. */
static ew_status open_only(const med *m, hid_t group, const char *what, char name[EW_GROUP_NAME],
                           hid_t *child)
{
    char other[EW_GROUP_NAME];
    if (!ew_foreign_name(group, 0, name) || ew_foreign_name(group, 1, other)) {
        return ew_fail(EW_BAD_INPUT, "%s: the file holds %s %s; save one mesh, at one time",
                       m->from.path, *name ? "several" : "no", what);
    }
    return ew_foreign_child(&m->from, group, name, true, child);
}

static ew_status read_med(void *user)
{
    static const int32_t one = 1;
    med *m = user;
    char name[EW_GROUP_NAME] = "", time[EW_GROUP_NAME] = "";
    hid_t meshes, mesh, nodes, elements, families, of_mesh = -1;
    int64_t width;
    EW_TRY(ew_foreign_child(&m->from, m->from.file, "ENS_MAA", false, &meshes));
    if (meshes < 0) {
        return ew_fail(EW_BAD_INPUT, "%s: an HDF5 file, but without a mesh of MED", m->from.path);
    }
    EW_TRY(open_only(m, meshes, "meshes", name, &mesh));
    EW_TRY(ew_foreign_attribute(&m->from, mesh, "ESP", &width));
    if (width != 3) {
        return ew_fail(EW_BAD_INPUT, "%s: the mesh lies in %lld dimensions; solids have 3",
                       m->from.path, (long long)width);
    }
    if (!ew_guard_has(mesh, "NOE")) {
        EW_TRY(open_only(m, mesh, "time steps", time, &mesh));
    }
    EW_TRY(ew_foreign_child(&m->from, mesh, "NOE", true, &nodes));
    EW_TRY(ew_foreign_child(&m->from, mesh, "MAI", true, &elements));
    EW_TRY(ew_foreign_child(&m->from, m->from.file, "FAS", false, &families));
    if (families >= 0) {
        EW_TRY(ew_foreign_child(&m->from, families, name, false, &of_mesh));
    }
    if (of_mesh >= 0) {
        EW_TRY(read_families(m, of_mesh, "NOEUD"));
        EW_TRY(read_families(m, of_mesh, "ELEME"));
    }
    EW_TRY(put_text(m, "$MeshFormat\n4.1 1 8\n"));
    EW_TRY(ew_foreign_put(&m->from, &one, sizeof one));
    EW_TRY(put_text(m, "\n$EndMeshFormat\n"));
    EW_TRY(put_entities(m));
    EW_TRY(put_nodes(m, nodes));
    EW_TRY(put_elements(m, nodes, elements));
    return put_names(m);
}

ew_status ew_med_to_gmsh(const char *path, ew_text *gmsh)
{
    med m = {.n_node = 0};
    EW_TRY(ew_foreign_read(path, &m.from, read_med, &m));
    *gmsh = m.from.made;
    return EW_OK;
}
