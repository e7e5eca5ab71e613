/* The message of edgewise-gmsh to a mesh and its groups. In: bytes, which are checked as those of
 * any file are. Out: the mesh, with curved sides where its tets have ten nodes. */
#include "cad/internal.h"

#include <stdio.h>
#include <string.h>

/* The parts of what was sent, as exchange.h lists them; all owned. */
typedef struct parts {
    ew_cad_header head;
    double *xyz;
    int32_t *tet, *region, *middle, *face, *label, *listed;
    ew_cad_group *group;
    ew_cad_geometry *geometry;
    char *text; /* ends with a zero of its own, too */
} parts;

static void free_parts(parts *p)
{
    ew_release(p->xyz);
    ew_release(p->tet);
    ew_release(p->region);
    ew_release(p->middle);
    ew_release(p->face);
    ew_release(p->label);
    ew_release(p->listed);
    ew_release(p->group);
    ew_release(p->geometry);
    ew_release(p->text);
}

static ew_status cut_short(void)
{
    return ew_fail(EW_BAD_INPUT,
                   "Gmsh ended before it had sent everything; repair the file, or try "
                   "another size or algorithm");
}

/* The next n items of so many bytes each, copied, as they need not be aligned. */
static ew_status read_items(const ew_text *sent, size_t *at, void *array, int64_t n, size_t size)
{
    void *made;
    if (n < 0 || (uint64_t)n > (sent->size - *at) / size) {
        return cut_short();
    }
    EW_TRY(ew_new(&made, (size_t)n + 1, size));
    memset((char *)made + (size_t)n * size, 0, size); /* behind a text */
    if (n) {
        memcpy(made, sent->data + *at, (size_t)n * size);
    }
    memcpy(array, &made, sizeof made);
    *at += (size_t)n * size;
    return EW_OK;
}

static ew_status take_parts(const ew_text *sent, parts *p)
{
    size_t at = sizeof p->head;
    int32_t magic = EW_CAD_MAGIC; /* heads of other versions may be shorter */
    if (sent->size >= sizeof magic) {
        memcpy(&magic, sent->data, sizeof magic);
    }
    if (magic == EW_CAD_MAGIC && sent->size < at) {
        return cut_short();
    }
    if (magic != EW_CAD_MAGIC) {
        return ew_refuse(EW_RULE_CAD, "a CAD file (edgewise-gmsh is of another version)");
    }
    memcpy(&p->head, sent->data, at);
    const ew_cad_header *head = &p->head;
    if (head->order != 2 && head->order != 1 && head->n_tet) {
        return ew_refuse(EW_RULE_CAD, "a CAD file (edgewise-gmsh is of another version)");
    }
    const int64_t n_tet = head->n_tet, n_side = head->order == 2 ? 6 * n_tet : 0;
    EW_TRY(read_items(sent, &at, &p->xyz, 3 * (int64_t)head->n_node, sizeof(double)));
    EW_TRY(read_items(sent, &at, &p->tet, 4 * n_tet, sizeof(int32_t)));
    EW_TRY(read_items(sent, &at, &p->region, n_tet, sizeof(int32_t)));
    EW_TRY(read_items(sent, &at, &p->middle, n_side, sizeof(int32_t)));
    EW_TRY(read_items(sent, &at, &p->face, 3 * (int64_t)head->n_face, sizeof(int32_t)));
    EW_TRY(read_items(sent, &at, &p->label, head->n_face, sizeof(int32_t)));
    EW_TRY(read_items(sent, &at, &p->group, head->n_group, sizeof(ew_cad_group)));
    EW_TRY(read_items(sent, &at, &p->geometry, head->n_geometry, sizeof(ew_cad_geometry)));
    EW_TRY(read_items(sent, &at, &p->listed, head->n_listed, sizeof(int32_t)));
    EW_TRY(read_items(sent, &at, &p->text, head->n_text, 1));
    return head->n_vertex >= 0 && head->n_vertex <= head->n_node ? EW_OK : cut_short();
}

/* The failure that was sent. */
static ew_status fail_as(const parts *p, const ew_cad_def *def)
{
    for (char *c = p->text; *c; c++) {
        *c = (unsigned char)*c < ' ' ? ' ' : *c;
    }
    if (p->head.code == EW_CAD_MEMORY) {
        return ew_fail(EW_NO_MEMORY,
                       "Gmsh needs more than %g GiB; try a larger size, or give it more "
                       "(max_memory)",
                       def->max_memory);
    }
    return ew_fail(p->head.code == EW_CAD_TOO_LARGE ? EW_LIMIT : EW_BAD_INPUT, "%s", p->text);
}

static ew_status add_middles(const parts *p, ew_mesh *mesh)
{
    ew_side_middle *list;
    int32_t n = 0;
    EW_TRY(ew_new(&list, 6 * (size_t)p->head.n_tet, sizeof *list));
    ew_status status = EW_OK;
    for (int32_t t = 0; t < p->head.n_tet && !status; t++) {
        for (int k = 0; k < 6 && !status; k++) {
            const int32_t node = p->middle[6 * (size_t)t + k];
            const int32_t *tet = p->tet + 4 * (size_t)t;
            const int8_t *end = ew_edge_vertex[k];
            if (node >= p->head.n_node) {
                status = cut_short();
            } else if (node >= 0) {
                list[n++] = (ew_side_middle){{tet[end[0]], tet[end[1]]}, node, t};
            }
        }
    }
    if (!status && n && (status = ew_mesh_set_middles(mesh, n, list, p->xyz)) == EW_MESH_VOLUME) {
        status =
            ew_fail(status,
                    "mesh made by Gmsh: curved sides fold its tet %lld: the tets are too coarse "
                    "for the faces; give a smaller size, more edges around a circle "
                    "(curvature: 24), or order: 1",
                    (long long)ew_last_failure()->id[0]);
    }
    ew_release(list);
    return status;
}

static ew_status add_groups(const parts *p, const ew_mesh *mesh, ew_groups *groups)
{
    const int32_t *at = p->listed, *end = at + p->head.n_listed;
    for (int32_t g = 0; g < p->head.n_group; g++) {
        const ew_cad_group *from = &p->group[g];
        const bool is_vertices = from->kind == EW_GROUP_VERTICES;
        if (from->name < 0 || from->name > p->head.n_text || from->n_listed < 0 ||
            from->n_listed > end - at || from->kind < EW_GROUP_VERTICES ||
            from->kind > EW_GROUP_TETS) {
            return cut_short();
        }
        const char *name = p->text + from->name;
        if (from->is_label && !is_vertices) {
            EW_TRY(ew_groups_name_label(groups, (ew_group_kind)from->kind, from->label, name));
            continue;
        }
        ew_group *group;
        EW_TRY(ew_groups_add_list(groups, (ew_group_kind)from->kind, name, &group));
        for (int32_t i = 0; i < from->n_listed; i++) {
            const int32_t row = at[i];
            if (row < 0 || row >= (is_vertices ? mesh->n_vertex : mesh->n_tet)) {
                return cut_short();
            }
            EW_TRY(ew_group_push(group, row));
        }
        at += from->n_listed;
    }
    return ew_groups_finish(groups, mesh);
}

static ew_status add_geometry(const parts *p, ew_geometry_list *to)
{
    const int32_t n = p->head.n_geometry;
    to->n_unsure = p->head.n_unsure;
    memcpy(to->unsure, p->head.unsure, sizeof to->unsure);
    EW_TRY(ew_grow(&to->of, &to->capacity, n, sizeof *to->of));
    for (int32_t i = 0; i < n; i++) {
        const ew_cad_geometry *from = &p->geometry[i];
        if (from->kind < 0 || from->kind > EW_GEOMETRY_SOLID || from->n_region < 0 ||
            from->n_region > 2) {
            return cut_short();
        }
        const bool is_solid = from->kind == EW_GEOMETRY_SOLID;
        ew_geometry *made = &to->of[to->n++];
        *made = (ew_geometry){.kind = (ew_geometry_kind)from->kind,
                              .number = i + 1 - (is_solid ? p->head.n_cad_face : 0),
                              .label = from->label,
                              .size = from->size,
                              .radius = from->radius,
                              .n_region = from->n_region};
        memcpy(made->centroid, from->centroid, sizeof made->centroid);
        memcpy(made->direction, from->direction, sizeof made->direction);
        memcpy(made->region, from->region, sizeof made->region);
    }
    to->diagonal = p->head.diagonal;
    return EW_OK;
}

static ew_status make(parts *p, ew_mesh *mesh, ew_groups *groups, ew_mesh_repair *repair)
{
    const ew_mesh_def def = {.n_vertex = p->head.n_vertex,
                             .xyz = p->xyz,
                             .n_tet = p->head.n_tet,
                             .tet = p->tet,
                             .region = p->region,
                             .n_face = p->head.n_face,
                             .face = p->face,
                             .face_label = p->label};
    const ew_status status = ew_mesh_init(mesh, &def, repair);
    if (status) {
        return ew_fail_prefix(status, "mesh made by Gmsh");
    }
    if (p->head.order == 2) {
        EW_TRY(add_middles(p, mesh));
    }
    if (!groups) {
        return EW_OK;
    }
    EW_TRY(add_groups(p, mesh, groups));
    return add_geometry(p, &groups->geometry);
}

ew_status ew_cad_decode(const ew_text *sent, const ew_cad_def *def, ew_mesh *mesh,
                        ew_groups *groups, ew_mesh_repair *repair, ew_cad_report *report)
{
    parts p = {.xyz = NULL};
    ew_groups named = {0};
    memset(mesh, 0, sizeof *mesh);
    ew_status status = take_parts(sent, &p);
    if (!status && p.head.code != EW_CAD_DONE) {
        status = fail_as(&p, def);
    }
    if (!status) {
        status = make(&p, mesh, groups ? &named : NULL, repair);
    }
    if (status) {
        ew_mesh_free(mesh);
        ew_groups_free(&named);
    } else {
        *report = (ew_cad_report){.n_solid = p.head.n_solid,
                                  .n_face = p.head.n_cad_face,
                                  .n_named = p.head.n_named,
                                  .n_unsure = p.head.n_unsure,
                                  .unsure = {p.head.unsure[0], p.head.unsure[1]}};
        if (p.head.unit >= 0 && p.head.unit < p.head.n_text) {
            snprintf(report->unit, sizeof report->unit, "%s", p.text + p.head.unit);
        }
        if (groups) {
            *groups = named;
        }
    }
    free_parts(&p);
    return status;
}
