/* A part. In: records of what it has. Out: its mesh under the whole's ids, slots in the whole's
 * order. */
#include "subdomain/internal.h"

#include <string.h>

extern inline int32_t ew_subdomain_part_of(const ew_subdomain *subdomain, int32_t v);
extern inline bool ew_subdomain_owns(const ew_subdomain *subdomain, int32_t v);

void ew_subdomain_free(ew_subdomain *subdomain)
{
    ew_release(subdomain->atom_part);
    ew_mesh_free(&subdomain->mesh);
    ew_release(subdomain->vertex_number);
    ew_release(subdomain->atom);
    ew_release(subdomain->tet_number);
    ew_id_index_free(&subdomain->vertex_at);
    ew_id_index_free(&subdomain->tet_at);
    ew_rows_free(&subdomain->send);
    ew_rows_free(&subdomain->receive);
    ew_edit_free(&subdomain->queue.edit);
    ew_records_free(&subdomain->queue.all);
    ew_list_free(&subdomain->queue.added);
    ew_map_free(&subdomain->queue.place);
    ew_release(subdomain->queue.id);
    memset(subdomain, 0, sizeof *subdomain);
}

ew_record_source ew_subdomain_source(const ew_subdomain *subdomain, const ew_rows *vertex_to_tet)
{
    return (ew_record_source){&subdomain->mesh, vertex_to_tet, subdomain->atom,
                              subdomain->vertex_number, subdomain->tet_number};
}

/* Arrays of one capacity grow from copies of it: where a later one fails, the earlier ones merely
 * have more room. */
ew_status ew_subdomain_reserve(ew_subdomain *subdomain, int64_t n_vertex, int64_t n_tet)
{
    int32_t room = subdomain->vertex_capacity;
    EW_TRY(ew_grow(&subdomain->vertex_number, &room, n_vertex, sizeof *subdomain->vertex_number));
    room = subdomain->vertex_capacity;
    EW_TRY(ew_grow(&subdomain->atom, &room, n_vertex, sizeof *subdomain->atom));
    subdomain->vertex_capacity = room;
    return ew_grow(&subdomain->tet_number, &subdomain->tet_capacity, n_tet,
                   sizeof *subdomain->tet_number);
}

/* ---- construction -------------------------------------------------------------- */

static ew_status check_def(const ew_subdomain_def *def)
{
    if (def->n_part < 1 || def->part < 0 || def->part >= def->n_part || def->n_atom < 1 ||
        def->n_region < 1) {
        return ew_fail(
            EW_BAD_ARGUMENT,
            "part %d of %d, %d atoms, %d regions: give a part from 0 to %d, at least one "
            "atom and one region",
            def->part, def->n_part, def->n_atom, def->n_region, def->n_part - 1);
    }
    for (int32_t a = 0; a < def->n_atom; a++) {
        if (def->atom_part[a] < 0 || def->atom_part[a] >= def->n_part) {
            return ew_fail(EW_BAD_ARGUMENT, "atom %d: part %d of %d does not exist", a,
                           def->atom_part[a], def->n_part);
        }
    }
    return EW_OK;
}

/* Arrays of ew_mesh_init, by the order of the records. */
typedef struct draft {
    ew_map place; /* of vertices, by id */
    double *xyz;
    int32_t *tet, *region, *face, *face_label, *born;
    int64_t *vertex_id, *tet_id;
} draft;

static void free_draft(draft *made)
{
    ew_map_free(&made->place);
    ew_release(made->xyz);
    ew_release(made->tet);
    ew_release(made->region);
    ew_release(made->face);
    ew_release(made->face_label);
    ew_release(made->born);
    ew_release(made->vertex_id);
    ew_release(made->tet_id);
}

static ew_status reserve_draft(draft *made, const ew_records *all)
{
    const size_t n_vertex = (size_t)all->n_vertex, n_tet = (size_t)all->n_tet;
    EW_TRY(ew_new(&made->xyz, 3 * n_vertex, sizeof *made->xyz));
    EW_TRY(ew_new(&made->vertex_id, n_vertex, sizeof *made->vertex_id));
    EW_TRY(ew_new(&made->tet, 4 * n_tet, sizeof *made->tet));
    EW_TRY(ew_new(&made->region, n_tet, sizeof *made->region));
    EW_TRY(ew_new(&made->born, n_tet, sizeof *made->born));
    EW_TRY(ew_new(&made->tet_id, n_tet, sizeof *made->tet_id));
    EW_TRY(ew_new(&made->face, 3 * (size_t)all->n_face, sizeof *made->face));
    return ew_new(&made->face_label, (size_t)all->n_face, sizeof *made->face_label);
}

static ew_status place_corners(const draft *made, const char *kind, int64_t id, int n,
                               const int64_t *corner, int32_t *vertex)
{
    for (int k = 0; k < n; k++) {
        vertex[k] = ew_find_id(&made->place, corner[k]);
        if (vertex[k] < 0) {
            return ew_fail(EW_BAD_INPUT,
                           "records: %s %lld has a corner, vertex id %lld, that no "
                           "record brings",
                           kind, (long long)id, (long long)corner[k]);
        }
    }
    return EW_OK;
}

static ew_status fill_draft(draft *made, const ew_records *all)
{
    for (int32_t i = 0; i < all->n_vertex; i++) {
        memcpy(made->xyz + 3 * (size_t)i, all->vertex[i].xyz, sizeof all->vertex[i].xyz);
        made->vertex_id[i] = all->vertex[i].id;
        EW_TRY(ew_enter_id(&made->place, all->vertex[i].id, i));
    }
    for (int32_t i = 0; i < all->n_tet; i++) {
        const ew_tet_record *tet = &all->tet[i];
        EW_TRY(place_corners(made, "tet id", tet->id, 4, tet->corner, made->tet + 4 * (size_t)i));
        made->region[i] = tet->region;
        made->born[i] = tet->born;
        made->tet_id[i] = tet->id;
    }
    for (int32_t i = 0; i < all->n_face; i++) {
        EW_TRY(
            place_corners(made, "triangle", i, 3, all->face[i].corner, made->face + 3 * (size_t)i));
        made->face_label[i] = all->face[i].label;
    }
    return EW_OK;
}

static ew_status make_mesh(ew_mesh *mesh, const draft *made, const ew_records *all,
                           const ew_subdomain_def *def)
{
    const ew_mesh_def arrays = {all->n_vertex, made->xyz,   all->n_tet, made->tet,
                                made->region,  all->n_face, made->face, made->face_label};
    const ew_given_ids ids = {.n_vertex = all->n_vertex,
                              .n_tet = all->n_tet,
                              .vertex_id = made->vertex_id,
                              .tet_id = made->tet_id,
                              .born = made->born,
                              .next_vertex_id = all->next_vertex_id,
                              .next_tet_id = all->next_tet_id};
    EW_TRY(ew_mesh_init(mesh, &arrays, NULL));
    EW_TRY(ew_mesh_give_regions(mesh, def->n_region, def->region_label));
    EW_TRY(ew_mesh_give_ids(mesh, &ids));
    mesh->appends = true;
    return EW_OK;
}

/* What the part knows of each slot. */
static ew_status take_names(ew_subdomain *subdomain, const ew_records *all)
{
    const ew_mesh *mesh = &subdomain->mesh;
    EW_TRY(ew_subdomain_reserve(subdomain, all->n_vertex, all->n_tet));
    for (int32_t v = 0; v < all->n_vertex; v++) {
        if (all->vertex[v].atom >= subdomain->n_atom) {
            return ew_fail(EW_BAD_INPUT, "records: vertex id %lld is in atom %d of %d",
                           (long long)all->vertex[v].id, all->vertex[v].atom, subdomain->n_atom);
        }
        subdomain->vertex_number[v] = all->vertex[v].number;
        subdomain->atom[v] = all->vertex[v].atom;
    }
    for (int32_t t = 0; t < all->n_tet; t++) {
        const int32_t *v = mesh->tet + 4 * (size_t)t;
        subdomain->tet_number[t] = all->tet[t].number;
        if (!ew_subdomain_owns(subdomain, v[0]) && !ew_subdomain_owns(subdomain, v[1]) &&
            !ew_subdomain_owns(subdomain, v[2]) && !ew_subdomain_owns(subdomain, v[3])) {
            return ew_fail(EW_BAD_INPUT, "records: no corner of tet id %lld is of part %d",
                           (long long)all->tet[t].id, subdomain->part);
        }
    }
    EW_TRY(ew_id_index_prepare(&subdomain->vertex_at, EW_VERTEX_IDS, mesh));
    return ew_id_index_prepare(&subdomain->tet_at, EW_TET_IDS, mesh);
}

ew_status ew_subdomain_init(ew_subdomain *subdomain, const ew_subdomain_def *def, int32_t n,
                            const ew_records *records)
{
    ew_records all = {0};
    draft made = {0};
    ew_status status;
    memset(subdomain, 0, sizeof *subdomain);
    EW_TRY_OUT(check_def(def));
    subdomain->part = def->part;
    subdomain->n_part = def->n_part;
    EW_TRY_OUT(ew_grow_copy(&subdomain->atom_part, &subdomain->n_atom_room, def->atom_part,
                            def->n_atom, sizeof *def->atom_part));
    subdomain->n_atom = def->n_atom;
    EW_TRY_OUT(ew_records_merge(&all, n, records));
    EW_TRY_OUT(reserve_draft(&made, &all));
    EW_TRY_OUT(fill_draft(&made, &all));
    EW_TRY_OUT(make_mesh(&subdomain->mesh, &made, &all, def));
    EW_TRY_OUT(take_names(subdomain, &all));
out:
    free_draft(&made);
    ew_records_free(&all);
    if (status) {
        ew_subdomain_free(subdomain);
    }
    return status;
}

/* ---- checking ------------------------------------------------------------------- */

static ew_status check_names(const ew_subdomain *subdomain)
{
    const ew_mesh *mesh = &subdomain->mesh;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        if (subdomain->atom[v] < 0 || subdomain->atom[v] >= subdomain->n_atom ||
            (v && subdomain->vertex_number[v] <= subdomain->vertex_number[v - 1])) {
            return ew_fail(EW_MESH_IDS, "part %d: vertex slot %d: number %lld, atom %d",
                           subdomain->part, v, (long long)subdomain->vertex_number[v],
                           subdomain->atom[v]);
        }
        if (mesh->valence[v] >= 0 &&
            ew_id_index_find(&subdomain->vertex_at, mesh->vertex_id[v]) != v) {
            return ew_fail(EW_MESH_IDS, "part %d: vertex slot %d is not found by its id",
                           subdomain->part, v);
        }
    }
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if ((t && subdomain->tet_number[t] <= subdomain->tet_number[t - 1]) ||
            (ew_mesh_tet_is_live(mesh, t) &&
             ew_id_index_find(&subdomain->tet_at, mesh->tet_id[t]) != t)) {
            return ew_fail(EW_MESH_IDS, "part %d: tet slot %d: number %lld", subdomain->part, t,
                           (long long)subdomain->tet_number[t]);
        }
    }
    return EW_OK;
}

ew_status ew_subdomain_validate(const ew_subdomain *subdomain)
{
    const ew_mesh *mesh = &subdomain->mesh;
    EW_TRY(ew_mesh_check(mesh));
    EW_TRY(check_names(subdomain));
    for (int32_t t = -1; (t = ew_mesh_next_tet(mesh, t)) >= 0;) {
        const int32_t *v = mesh->tet + 4 * (size_t)t;
        bool touches = false;
        for (int k = 0; k < 4; k++) {
            touches = touches || ew_subdomain_owns(subdomain, v[k]);
        }
        if (!touches) {
            return ew_fail(EW_MESH_RANGE, "part %d: tet slot %d touches none of its vertices",
                           subdomain->part, t);
        }
    }
    return EW_OK;
}
