/* Masses of quadratic tets. In: mesh, tables, densities, rows of edges. Out: the lumped masses of
 * vertices and edges and the mass of each tet, from which edge_mass_product.c makes products;
 * weighed again around what an edit touched. In nodal values, by Hinton, Rock & Zienkiewicz (1976):
 *
 * m/36 at each corner and 4 m/27 in the middle of each edge. Where an edge has no function its
 * middle is the mean of its ends, and each end gets half of its share; so a tet without such edges
 * has m/4 at each corner, as linear ones have. With m_e on edge e, the sum over its tets, and m_a
 * the lumped mass of linear tets, vertices have m_a - sum m_e / 2. A tet with curved sides has the
 * mass of its curved body. */
#include "assembly/host/edge_mass.h"

/* Fewer rows than this are not worth a team of threads. */
#define MIN_PARALLEL 4000

static ew_status make_room(ew_edge_mass *mass, const ew_mesh *mesh, const ew_edge_rows *rows)
{
    const int32_t n_row = rows->pattern.n_row, n_tet = rows->curve ? mesh->n_tet : 0;
    EW_TRY(ew_grow(&mass->vertex, &mass->vertex_capacity, mesh->n_vertex, sizeof *mass->vertex));
    EW_TRY(ew_grow(&mass->edge, &mass->edge_capacity, n_row, sizeof *mass->edge));
    EW_TRY(ew_grow(&mass->of_tet, &mass->tet_capacity, mesh->n_tet, sizeof *mass->of_tet));
    EW_TRY(ew_grow(&mass->place, &mass->place_capacity, n_tet, sizeof *mass->place));
    for (; mass->n_place < n_tet; mass->n_place++) {
        mass->place[mass->n_place] = -1;
    }
    return EW_OK;
}

/* Of a vertex: half of what its edges with functions have. */
static double half_of_edges(const ew_edge_mass *mass, int32_t v)
{
    int32_t n;
    double sum = 0.0;
    const int32_t *item = ew_pattern_items(&mass->of.topology->pattern, v, &n);
    for (int32_t i = 0; i < n; i++) {
        const int32_t row = mass->rows->row[item[2 * i + 1]];
        sum += row < 0 ? 0.0 : 0.5 * mass->edge[row];
    }
    return sum;
}

/* After find_place. */
static void weigh_tet(ew_edge_mass *mass, int32_t t)
{
    double x[12], d[18];
    if (!ew_mesh_tet_is_live(mass->of.mesh, t)) {
        return;
    }
    mass->of_tet[t] = ew_mass_of_tet(&mass->of, t);
    if (ew_tet_curves(mass->rows, mass->of.topology, t, d)) {
        double *volume = mass->curved + EW_CURVED_ROOM * (size_t)mass->place[t] + EW_MASS_OF_CURVED;
        double l[4], sum = 0.0;
        ew_mesh_tet_values(mass->of.mesh, t, mass->of.mesh->xyz, x);
        for (int k = 0; k < EW_CURVED_POINTS; k++) {
            volume[k] = ew_curved_share(k, x, d, l);
            sum += volume[k];
        }
        mass->of_tet[t] = sum * ew_edge_mass_density(mass, t);
    }
}

/* Room for the product of a tet with curved sides: what it has, or what is free. */
static ew_status find_place(ew_edge_mass *mass, int32_t t)
{
    double d[18];
    const bool is_curved = mass->rows->curve && ew_mesh_tet_is_live(mass->of.mesh, t) &&
                           ew_tet_curves(mass->rows, mass->of.topology, t, d);
    const int32_t before = mass->rows->curve ? mass->place[t] : -1;
    if (is_curved == (before >= 0)) {
        return EW_OK;
    }
    if (before >= 0) {
        mass->place[t] = -1;
        return ew_list_push(&mass->free_place, before);
    }
    mass->place[t] =
        mass->free_place.n ? mass->free_place.id[--mass->free_place.n] : mass->n_curved++;
    return ew_grow(&mass->curved, &mass->curved_capacity, mass->n_curved,
                   EW_CURVED_ROOM * sizeof *mass->curved);
}

/* Rows without tets have 1. */
static void weigh_edge(ew_edge_mass *mass, int32_t row)
{
    const int32_t edge = mass->rows->edge[row];
    mass->edge[row] =
        edge < 0 ? 1.0
                 : EW_MASS_OF_EDGE * ew_mass_of_tets(&mass->of, mass->of_tet,
                                                     &mass->of.topology->edge_to_tet, edge);
}

static void weigh_vertex(ew_edge_mass *mass, int32_t v)
{
    const ew_rows *tets = &mass->of.topology->vertex_to_tet;
    const double sum = 0.25 * ew_mass_of_tets(&mass->of, mass->of_tet, tets, v);
    mass->vertex[v] = tets->count[v] ? sum - half_of_edges(mass, v) : 1.0;
}

/* ---- all of it, and after edits ------------------------------------------------- */

static ew_status weigh_all(ew_edge_mass *mass)
{
    const int32_t n_tet = mass->of.mesh->n_tet, n_vertex = mass->of.mesh->n_vertex;
    const int32_t n_row = mass->rows->pattern.n_row;
    for (int32_t t = 0; t < n_tet && mass->rows->curve; t++) {
        EW_TRY(find_place(mass, t));
    }
#pragma omp parallel for schedule(static) if (n_tet > MIN_PARALLEL)
    for (int32_t t = 0; t < n_tet; t++) {
        weigh_tet(mass, t);
    }
#pragma omp parallel for schedule(static) if (n_row > MIN_PARALLEL)
    for (int32_t row = 0; row < n_row; row++) {
        weigh_edge(mass, row);
    }
#pragma omp parallel for schedule(static) if (n_vertex > MIN_PARALLEL)
    for (int32_t v = 0; v < n_vertex; v++) {
        weigh_vertex(mass, v);
    }
    return EW_OK;
}

static ew_status check_rows(const ew_mesh *mesh, const ew_topology *topology,
                            const ew_edge_rows *rows)
{
    return rows->mesh_revision == mesh->revision && topology->pattern.revision == mesh->revision
               ? EW_OK
               : ew_fail(EW_STALE,
                         "edge mass: the rows of edges are at revision %llu, the mesh at %llu",
                         (unsigned long long)rows->mesh_revision,
                         (unsigned long long)mesh->revision);
}

ew_status ew_edge_mass_build(ew_edge_mass *mass, const ew_mass *of, const ew_edge_rows *rows)
{
    EW_TRY(check_rows(of->mesh, of->topology, rows));
    mass->of = *of;
    mass->rows = rows;
    mass->n_place = mass->n_curved = mass->free_place.n = 0;
    EW_TRY(make_room(mass, of->mesh, rows));
    return weigh_all(mass);
}

static ew_status mark_tets(ew_edge_mass *mass, const ew_rows *tets, int32_t slot)
{
    for (int32_t i = 0; i < tets->count[slot]; i++) {
        EW_TRY(ew_set_add(&mass->tet, tets->item[(size_t)tets->begin[slot] + (size_t)i]));
    }
    return EW_OK;
}

/* All whose mass, or that of one of whose edges, may be another. */
static ew_status mark_touched(ew_edge_mass *mass, const ew_list *vertex, const ew_list *row)
{
    ew_set_clear(&mass->tet);
    ew_set_clear(&mass->touched_vertex);
    ew_set_clear(&mass->touched_row);
    for (int32_t i = 0; i < vertex->n; i++) {
        EW_TRY(ew_set_add(&mass->touched_vertex, vertex->id[i]));
        EW_TRY(mark_tets(mass, &mass->of.topology->vertex_to_tet, vertex->id[i]));
    }
    for (int32_t i = 0; i < row->n; i++) {
        const int32_t edge = mass->rows->edge[row->id[i]];
        EW_TRY(ew_set_add(&mass->touched_row, row->id[i]));
        EW_TRY(edge >= 0 ? mark_tets(mass, &mass->of.topology->edge_to_tet, edge) : EW_OK);
    }
    for (int32_t i = 0; i < mass->tet.list.n; i++) {
        const size_t t = (size_t)mass->tet.list.id[i];
        for (size_t k = 0; k < 4; k++) {
            EW_TRY(ew_set_add(&mass->touched_vertex, mass->of.mesh->tet[4 * t + k]));
        }
        for (size_t k = 0; k < 6; k++) {
            const int32_t of_edge = mass->rows->row[mass->of.topology->tet_to_edge[6 * t + k]];
            EW_TRY(of_edge >= 0 ? ew_set_add(&mass->touched_row, of_edge) : EW_OK);
        }
    }
    return EW_OK;
}

ew_status ew_edge_mass_update(ew_edge_mass *mass, const ew_list *vertex, const ew_list *row)
{
    EW_TRY(check_rows(mass->of.mesh, mass->of.topology, mass->rows));
    EW_TRY(make_room(mass, mass->of.mesh, mass->rows));
    EW_TRY(mark_touched(mass, vertex, row));
    for (int32_t i = 0; i < mass->tet.list.n; i++) {
        EW_TRY(find_place(mass, mass->tet.list.id[i]));
        weigh_tet(mass, mass->tet.list.id[i]);
    }
    for (int32_t i = 0; i < mass->touched_row.list.n; i++) {
        weigh_edge(mass, mass->touched_row.list.id[i]);
    }
    for (int32_t i = 0; i < mass->touched_vertex.list.n; i++) {
        weigh_vertex(mass, mass->touched_vertex.list.id[i]);
    }
    return EW_OK;
}

void ew_edge_mass_free(ew_edge_mass *mass)
{
    ew_release(mass->vertex);
    ew_release(mass->edge);
    ew_release(mass->of_tet);
    ew_release(mass->place);
    ew_release(mass->curved);
    ew_list_free(&mass->free_place);
    ew_set_free(&mass->tet);
    ew_set_free(&mass->touched_vertex);
    ew_set_free(&mass->touched_row);
    *mass = (ew_edge_mass){0};
}
