/* What a part must know, as records. In: a mesh with atoms and their parts, an edit of it. Out: for
 * each part the tets that touch its vertices, with their corners. */
#include "subdomain/internal.h"

#include <string.h>

/* ---- of what is there --------------------------------------------------------- */

static ew_vertex_record vertex_record(const ew_record_source *source, int32_t v)
{
    const double *x = source->mesh->xyz + 3 * (size_t)v;
    return (ew_vertex_record){.id = source->mesh->vertex_id[v],
                              .number = source->vertex_number ? source->vertex_number[v] : v,
                              .xyz = {x[0], x[1], x[2]},
                              .fraction = 0.5,
                              .parent = {-1, -1},
                              .atom = source->atom[v]};
}

static ew_tet_record tet_record(const ew_record_source *source, int32_t t)
{
    const ew_mesh *mesh = source->mesh;
    ew_tet_record tet = {.id = mesh->tet_id[t],
                         .number = source->tet_number ? source->tet_number[t] : t,
                         .from = -1,
                         .region = mesh->region_label[mesh->region[t]],
                         .born = mesh->born[t]};
    for (int k = 0; k < 4; k++) {
        tet.corner[k] = mesh->vertex_id[mesh->tet[4 * (size_t)t + k]];
    }
    return tet;
}

/* wanted [n_vertex]: 1: the part's own. 2 is added where a tet of the part has the vertex. */
static ew_status push_tets(const ew_record_source *source, uint8_t *wanted, ew_records *records)
{
    const ew_mesh *mesh = source->mesh;
    for (int32_t t = -1; (t = ew_mesh_next_tet(mesh, t)) >= 0;) {
        const int32_t *v = mesh->tet + 4 * (size_t)t;
        if (!((wanted[v[0]] | wanted[v[1]] | wanted[v[2]] | wanted[v[3]]) & 1)) {
            continue;
        }
        for (int k = 0; k < 4; k++) {
            wanted[v[k]] |= 2;
        }
        const ew_tet_record tet = tet_record(source, t);
        EW_TRY(ew_records_push_tet(records, &tet));
    }
    return EW_OK;
}

static ew_status push_vertices_and_faces(const ew_record_source *source, const uint8_t *wanted,
                                         ew_records *records)
{
    const ew_mesh *mesh = source->mesh;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        const ew_vertex_record vertex = vertex_record(source, v);
        if (wanted[v]) {
            EW_TRY(ew_records_push_vertex(records, &vertex));
        }
    }
    for (int32_t f = 0; f < mesh->n_face; f++) {
        const int32_t *v = mesh->face + 3 * (size_t)f;
        if (ew_mesh_face_is_kept(mesh, f) && wanted[v[0]] && wanted[v[1]] && wanted[v[2]]) {
            const ew_face_record face = {.corner = {mesh->vertex_id[v[0]], mesh->vertex_id[v[1]],
                                                    mesh->vertex_id[v[2]]},
                                         .label = mesh->face_label[f]};
            EW_TRY(ew_records_push_face(records, &face));
        }
    }
    return EW_OK;
}

/* Vertices that are of the part `from` (null: of any) and whose atoms go to `to`. */
static ew_status push_part(const ew_record_source *source, const ew_subdomain *from,
                           const int32_t *atom_part, int32_t to, ew_records *records)
{
    const ew_mesh *mesh = source->mesh;
    uint8_t *wanted = NULL;
    ew_status status;
    if (mesh->n_curve) {
        return ew_refuse(EW_RULE_DISTRIBUTED, "a mesh with curved sides");
    }
    EW_TRY(ew_new_zero(&wanted, (size_t)mesh->n_vertex, sizeof *wanted));
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        wanted[v] = mesh->valence[v] >= 0 && atom_part[source->atom[v]] == to &&
                    (!from || ew_subdomain_owns(from, v));
    }
    records->next_vertex_id = mesh->next_vertex_id;
    records->next_tet_id = mesh->next_tet_id;
    status = push_tets(source, wanted, records);
    status = status ? status : push_vertices_and_faces(source, wanted, records);
    ew_release(wanted);
    return status;
}

ew_status ew_records_of_part(const ew_record_source *source, const int32_t *atom_part, int32_t to,
                             ew_records *records)
{
    return push_part(source, NULL, atom_part, to, records);
}

ew_status ew_records_of_atoms(const ew_subdomain *subdomain, const ew_rows *vertex_to_tet,
                              const int32_t *atom_part, int32_t n_part, ew_records *records)
{
    const ew_record_source source = ew_subdomain_source(subdomain, vertex_to_tet);
    uint8_t *gets = NULL;
    ew_status status = EW_OK;
    EW_TRY(ew_new_zero(&gets, (size_t)n_part, sizeof *gets));
    for (int32_t v = 0; v < subdomain->mesh.n_vertex; v++) {
        if (subdomain->mesh.valence[v] >= 0 && ew_subdomain_owns(subdomain, v)) {
            gets[atom_part[subdomain->atom[v]]] = 1;
        }
    }
    for (int32_t p = 0; p < n_part && !status; p++) {
        records[p].next_vertex_id = subdomain->mesh.next_vertex_id;
        records[p].next_tet_id = subdomain->mesh.next_tet_id;
        status = gets[p] ? push_part(&source, subdomain, atom_part, p, &records[p]) : EW_OK;
    }
    ew_release(gets);
    return status;
}

/* ---- of an edit ----------------------------------------------------------------- */

typedef struct router {
    const ew_record_source *source;
    const ew_edit *edit;
    int64_t first_vertex, first_tet;
    const int32_t *atom_part;
    int32_t n_part;
    ew_records *records; /* [n_part] */
    int32_t *new_atom;   /* [n_add_vertex] owned: of added vertices */
    ew_map moved;        /* places in the queue of moves, by slot */
    int32_t *stamp;      /* [n_part] owned: parts that were met in this round */
    int32_t round;
    ew_list part; /* parts that one thing goes to */
} router;

static ew_status check_kinds(const ew_mesh *mesh, const ew_edit *edit)
{
    ew_status status = EW_OK;
    if (edit->n_inside || edit->n_merge) {
        return ew_refuse(EW_RULE_DISTRIBUTED, "an edit with %s",
                         edit->n_merge ? "merged vertices" : "vertices inside tets");
    }
    if (edit->n_face_origin || edit->n_curve) {
        return ew_refuse(EW_RULE_DISTRIBUTED, "an edit with %s",
                         edit->n_curve ? "curved sides" : "faces that replace others");
    }
    for (int32_t i = 0, region; i < edit->n_add_tet && !status; i++) {
        status = ew_mesh_find_region(mesh, edit->add_tet_region[i], &region);
    }
    return status ? ew_refuse(EW_RULE_DISTRIBUTED, "an edit with a region that the mesh lacks")
                  : EW_OK;
}

static bool is_new(int32_t named)
{
    return named <= EW_NEW_VERTEX(0);
}

static int32_t atom_of(const router *to, int32_t named)
{
    return is_new(named) ? to->new_atom[EW_NEW_VERTEX(named)] : to->source->atom[named];
}

static int64_t id_of(const router *to, int32_t named)
{
    return is_new(named) ? to->first_vertex + EW_NEW_VERTEX(named)
                         : to->source->mesh->vertex_id[named];
}

/* An old corner by the order of the whole mesh: the lowest one. */
static int32_t lowest_old_corner(const int32_t tet[4])
{
    int32_t lowest = -1;
    for (int k = 0; k < 4; k++) {
        if (tet[k] >= 0 && (lowest < 0 || tet[k] < lowest)) {
            lowest = tet[k];
        }
    }
    return lowest;
}

static void find_atoms(router *to)
{
    const ew_edit *edit = to->edit;
    for (int32_t k = 0; k < edit->n_add_vertex; k++) {
        const int32_t parent = edit->add_parent[2 * (size_t)k];
        to->new_atom[k] = parent == -1 ? -1 : atom_of(to, parent);
    }
    for (int pass = 0; pass < 2; pass++) { /* corners of old vertices, then of what these gave */
        for (int32_t i = 0; i < edit->n_add_tet; i++) {
            const int32_t *tet = edit->add_tet + 4 * (size_t)i;
            const int32_t old = lowest_old_corner(tet);
            int32_t atom = old >= 0 ? to->source->atom[old] : -1;
            for (int k = 0; k < 4; k++) {
                atom = atom < 0 ? atom_of(to, tet[k]) : atom;
            }
            for (int k = 0; k < 4; k++) {
                if (is_new(tet[k]) && to->new_atom[EW_NEW_VERTEX(tet[k])] < 0) {
                    to->new_atom[EW_NEW_VERTEX(tet[k])] = atom;
                }
            }
        }
    }
    for (int32_t k = 0; k < edit->n_add_vertex; k++) {
        to->new_atom[k] = to->new_atom[k] < 0 ? 0 : to->new_atom[k];
    }
}

static void begin_parts(router *to)
{
    to->part.n = 0;
    to->round++;
}

static ew_status add_part(router *to, int32_t named)
{
    const int32_t p = to->atom_part[atom_of(to, named)];
    if (to->stamp[p] == to->round) {
        return EW_OK;
    }
    to->stamp[p] = to->round;
    return ew_list_push(&to->part, p);
}

static ew_status add_parts(router *to, const int32_t *named, int n)
{
    for (int k = 0; k < n; k++) {
        EW_TRY(add_part(to, named[k]));
    }
    return EW_OK;
}

/* Parts that have the vertex: its own, and those of corners of its tets. */
static ew_status add_parts_around(router *to, int32_t v)
{
    const ew_rows *rows = to->source->vertex_to_tet;
    begin_parts(to);
    EW_TRY(add_part(to, v));
    for (int32_t i = 0; i < rows->count[v]; i++) {
        const int32_t t = rows->item[rows->begin[v] + i];
        EW_TRY(add_parts(to, to->source->mesh->tet + 4 * (size_t)t, 4));
    }
    return EW_OK;
}

/* As it is after the edit. */
static ew_vertex_record record_of(const router *to, int32_t named)
{
    const ew_edit *edit = to->edit;
    if (!is_new(named)) {
        ew_vertex_record vertex = vertex_record(to->source, named);
        const int32_t at = ew_map_find(&to->moved, named, -1, -1);
        if (at >= 0) {
            memcpy(vertex.xyz, edit->move_to + 3 * (size_t)at, sizeof vertex.xyz);
        }
        return vertex;
    }
    const int32_t k = EW_NEW_VERTEX(named);
    ew_vertex_record vertex = {.id = id_of(to, named),
                               .number = id_of(to, named),
                               .fraction = ew_edit_fraction(edit, k),
                               .atom = to->new_atom[k]};
    memcpy(vertex.xyz, edit->add_vertex + 3 * (size_t)k, sizeof vertex.xyz);
    for (int i = 0; i < 2; i++) {
        const int32_t parent = edit->add_parent[2 * (size_t)k + (size_t)i];
        vertex.parent[i] = parent == -1 ? -1 : id_of(to, parent);
    }
    return vertex;
}

static ew_status push_vertex(router *to, int32_t named)
{
    const ew_vertex_record vertex = record_of(to, named);
    for (int32_t i = 0; i < to->part.n; i++) {
        EW_TRY(ew_records_push_vertex(&to->records[to->part.id[i]], &vertex));
    }
    return EW_OK;
}

static ew_status route_vertices(router *to)
{
    const ew_edit *edit = to->edit;
    for (int32_t i = 0, old; i < edit->move_vertex.n; i++) {
        EW_TRY(ew_map_enter(&to->moved, edit->move_vertex.id[i], -1, -1, i, &old));
    }
    for (int32_t i = 0; i < edit->move_vertex.n; i++) {
        EW_TRY(add_parts_around(to, edit->move_vertex.id[i]));
        EW_TRY(push_vertex(to, edit->move_vertex.id[i]));
    }
    for (int32_t k = 0; k < edit->n_add_vertex; k++) {
        begin_parts(to);
        EW_TRY(add_part(to, EW_NEW_VERTEX(k)));
        EW_TRY(push_vertex(to, EW_NEW_VERTEX(k)));
    }
    for (int32_t i = 0; i < edit->remove_vertex.n; i++) {
        const int32_t v = edit->remove_vertex.id[i];
        EW_TRY(add_parts_around(to, v));
        for (int32_t k = 0; k < to->part.n; k++) {
            EW_TRY(ew_records_push_gone_vertex(&to->records[to->part.id[k]],
                                               to->source->mesh->vertex_id[v]));
        }
    }
    return EW_OK;
}

static ew_status route_removed_tets(router *to)
{
    const ew_mesh *mesh = to->source->mesh;
    for (int32_t i = 0; i < to->edit->remove_tet.n; i++) {
        const int32_t t = to->edit->remove_tet.id[i];
        begin_parts(to);
        EW_TRY(add_parts(to, mesh->tet + 4 * (size_t)t, 4));
        for (int32_t k = 0; k < to->part.n; k++) {
            EW_TRY(ew_records_push_gone_tet(&to->records[to->part.id[k]], mesh->tet_id[t]));
        }
    }
    return EW_OK;
}

static ew_status route_added_tets(router *to)
{
    const ew_edit *edit = to->edit;
    for (int32_t i = 0; i < edit->n_add_tet; i++) {
        const int32_t *v = edit->add_tet + 4 * (size_t)i, from = edit->add_tet_from[i];
        ew_tet_record tet = {.id = to->first_tet + i,
                             .number = to->first_tet + i,
                             .from = from < 0 ? -1 : to->source->mesh->tet_id[from],
                             .region = edit->add_tet_region[i],
                             .born = to->source->mesh->frame};
        begin_parts(to);
        EW_TRY(add_parts(to, v, 4));
        for (int k = 0; k < 4; k++) {
            tet.corner[k] = id_of(to, v[k]);
            EW_TRY(push_vertex(to, v[k]));
        }
        for (int32_t k = 0; k < to->part.n; k++) {
            EW_TRY(ew_records_push_tet(&to->records[to->part.id[k]], &tet));
        }
    }
    return EW_OK;
}

static ew_status route_faces(router *to)
{
    const ew_edit *edit = to->edit;
    for (int32_t i = 0; i < edit->n_add_face; i++) {
        const int32_t *v = edit->add_face + 3 * (size_t)i;
        const ew_face_record face = {.corner = {id_of(to, v[0]), id_of(to, v[1]), id_of(to, v[2])},
                                     .label = edit->add_face_label[i]};
        begin_parts(to);
        EW_TRY(add_parts(to, v, 3));
        for (int32_t k = 0; k < to->part.n; k++) {
            EW_TRY(ew_records_push_face(&to->records[to->part.id[k]], &face));
        }
    }
    return EW_OK;
}

static ew_status route(router *to)
{
    EW_TRY(ew_new(&to->new_atom, (size_t)to->edit->n_add_vertex, sizeof *to->new_atom));
    EW_TRY(ew_new_zero(&to->stamp, (size_t)to->n_part, sizeof *to->stamp));
    find_atoms(to);
    for (int32_t p = 0; p < to->n_part; p++) {
        to->records[p].next_vertex_id = to->first_vertex + to->edit->n_add_vertex;
        to->records[p].next_tet_id = to->first_tet + to->edit->n_add_tet;
    }
    EW_TRY(route_vertices(to));
    EW_TRY(route_removed_tets(to));
    EW_TRY(route_added_tets(to));
    return route_faces(to);
}

ew_status ew_records_of_edit(const ew_record_source *source, const ew_edit *edit,
                             int64_t first_vertex, int64_t first_tet, const int32_t *atom_part,
                             int32_t n_part, ew_records *records)
{
    router to = {.source = source,
                 .edit = edit,
                 .first_vertex = first_vertex,
                 .first_tet = first_tet,
                 .atom_part = atom_part,
                 .n_part = n_part,
                 .records = records};
    EW_TRY(check_kinds(source->mesh, edit));
    const ew_status status = route(&to);
    ew_release(to.new_atom);
    ew_release(to.stamp);
    ew_map_free(&to.moved);
    ew_list_free(&to.part);
    return status;
}
