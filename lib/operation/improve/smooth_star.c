/* The stars that smoothing visits. In: mesh and tables. Out: for each vertex that may move its
 * neighbors and the faces across from it, by small numbers and one after the other.
 *
 * Stars are written independently of each other, so threads share them. Whether a vertex is on the
 * boundary follows from its star: there, a face of one tet is an edge between two neighbors that
 * one face has. */
#include "operation/improve/smooth_star.h"

#include <string.h>

/* ---- order ------------------------------------------------------------- */

static void put_in_order(ew_stars *stars, const ew_mesh *mesh)
{
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        stars->order[v] = (ew_keyed){0.0, mesh->vertex_id[v], v};
    }
    ew_sort_by_name(stars->order, mesh->n_vertex);
    for (int32_t i = 0; i < mesh->n_vertex; i++) {
        stars->place[stars->order[i].slot] = i;
    }
}

/* ---- one star ---------------------------------------------------------- */

typedef struct builder {
    ew_stars *stars;
    const ew_mesh *mesh;
    const ew_topology *topology;
    bool *fixed; /* [n_vertex] owned: of labeled triangles */
} builder;

/* Whether a face at the vertex has one tet alone, asked of the tables. */
static bool is_on_boundary(const builder *b, int32_t v)
{
    const ew_rows *rows = &b->topology->vertex_to_tet;
    for (int32_t i = 0; i < rows->count[v]; i++) {
        const int32_t t = rows->item[rows->begin[v] + i];
        for (int32_t f = 0; f < 4; f++) {
            if (b->mesh->tet[4 * (size_t)t + (size_t)f] != v &&
                ew_topology_face_neighbor(b->topology, b->mesh, 4 * t + f) < 0) {
                return true;
            }
        }
    }
    return false;
}

static bool is_between_regions(const builder *b, int32_t v)
{
    const ew_rows *rows = &b->topology->vertex_to_tet;
    const int32_t *tet = rows->item + rows->begin[v];
    for (int32_t i = 1; b->mesh->n_region > 1 && i < rows->count[v]; i++) {
        if (b->mesh->region[tet[i]] != b->mesh->region[tet[0]]) {
            return true;
        }
    }
    return false;
}

/* Neighbors in ascending vertex_id; number[] tells their places. */
static void write_neighbors(const builder *b, const ew_star *star, uint8_t *number)
{
    const ew_rows *rows = &b->topology->pattern.row_to_pair;
    const int32_t *item = rows->item + 2 * (size_t)rows->begin[star->vertex];
    const int32_t *place = b->stars->place;
    int32_t *near = b->stars->near + star->near;
    for (int32_t i = 0; i < star->n_near; i++) {
        const int32_t other = item[2 * (size_t)i];
        int32_t k = i;
        for (; k > 0 && place[near[k - 1]] > place[other]; k--) {
            near[k] = near[k - 1];
        }
        near[k] = other;
    }
    for (int32_t i = 0; i < star->n_near; i++) {
        number[near[i]] = (uint8_t)i;
    }
}

/* Faces across from the vertex, and whether each edge between two neighbors has more than one. */
static bool write_faces(const builder *b, const ew_star *star, const uint8_t *number)
{
    const ew_rows *rows = &b->topology->vertex_to_tet;
    const int32_t *tet = rows->item + rows->begin[star->vertex];
    uint64_t once[EW_STAR_NEAR], more[EW_STAR_NEAR], open = 0; /* by lower, bits by higher place */
    memset(once, 0, star->n_near * sizeof *once);
    memset(more, 0, star->n_near * sizeof *more);
    for (int32_t i = 0; i < star->n_face; i++) {
        const int32_t *v = b->mesh->tet + 4 * (size_t)tet[i];
        const int own =
            (v[1] == star->vertex) + 2 * (v[2] == star->vertex) + 3 * (v[3] == star->vertex);
        uint8_t *corner = b->stars->face[star->face + i].corner;
        for (int k = 0; k < 3; k++) {
            corner[k] = number[v[ew_face_vertex[own][k]]];
        }
        corner[3] = 0;
        for (int k = 0; k < 3; k++) {
            const uint8_t p = corner[k], q = corner[(k + 1) % 3];
            const uint8_t low = p < q ? p : q, high = p < q ? q : p;
            more[low] |= once[low] & UINT64_C(1) << high;
            once[low] |= UINT64_C(1) << high;
        }
    }
    for (int32_t i = 0; i < star->n_near; i++) {
        open |= once[i] ^ more[i];
    }
    return open == 0;
}

/* Whether the vertex may move. */
static bool write_star(const builder *b, const ew_star *star, uint8_t *number)
{
    if (is_between_regions(b, star->vertex)) {
        return false;
    }
    if (star->n_near == 0) {
        return !is_on_boundary(b, star->vertex);
    }
    write_neighbors(b, star, number);
    return write_faces(b, star, number);
}

/* ---- all stars --------------------------------------------------------- */

/* Places for the stars of vertices that have tets and no label. */
static ew_status lay_out(const builder *b)
{
    ew_stars *stars = b->stars;
    const ew_mesh *mesh = b->mesh;
    const ew_rows *edges = &b->topology->pattern.row_to_pair;
    int32_t n_near = 0, n_face = 0;
    for (int32_t i = 0; i < mesh->n_vertex; i++) {
        const int32_t v = stars->order[i].slot;
        if (b->fixed[v] || !ew_mesh_vertex_is_active(mesh, v)) {
            continue;
        }
        ew_star star = {.vertex = v, .near = n_near, .face = n_face};
        if (edges->count[v] <= EW_STAR_NEAR && mesh->valence[v] <= EW_STAR_TET) {
            star.n_near = (uint8_t)edges->count[v];
            star.n_face = (uint8_t)mesh->valence[v];
        }
        n_near += star.n_near;
        n_face += star.n_face;
        stars->star[stars->n++] = star;
    }
    EW_TRY(ew_new(&stars->near, (size_t)n_near, sizeof *stars->near));
    return ew_new(&stars->face, (size_t)n_face, sizeof *stars->face);
}

static ew_status write_stars(const builder *b)
{
    ew_stars *stars = b->stars;
    const int32_t n_thread = ew_threads();
    const size_t n_vertex = (size_t)b->mesh->n_vertex;
    uint8_t *number;
    EW_TRY(ew_new(&number, (size_t)n_thread * n_vertex, sizeof *number));
#pragma omp parallel for schedule(static) num_threads(n_thread)
    for (int32_t part = 0; part < n_thread; part++) {
        const int32_t begin = (int32_t)((int64_t)stars->n * part / n_thread);
        const int32_t end = (int32_t)((int64_t)stars->n * (part + 1) / n_thread);
        for (int32_t i = begin; i < end; i++) {
            if (!write_star(b, &stars->star[i], number + (size_t)part * n_vertex)) {
                stars->star[i].vertex = -1;
            }
        }
    }
    ew_release(number);
    int32_t kept = 0;
    for (int32_t i = 0; i < stars->n; i++) {
        stars->star[kept] = stars->star[i];
        kept += stars->star[i].vertex >= 0;
    }
    stars->n = kept;
    return EW_OK;
}

static void fix_labeled(const ew_mesh *mesh, bool *fixed)
{
    for (int32_t f = 0; f < mesh->n_face; f++) {
        for (size_t k = 0; k < 3 && ew_mesh_face_is_kept(mesh, f); k++) {
            fixed[mesh->face[3 * (size_t)f + k]] = true;
        }
    }
}

ew_status ew_stars_init(ew_stars *stars, const ew_mesh *mesh, const ew_topology *topology)
{
    ew_status status;
    const size_t n = (size_t)mesh->n_vertex;
    builder b = {.stars = stars, .mesh = mesh, .topology = topology};
    EW_TRY_OUT(ew_new_zero(&b.fixed, n, sizeof *b.fixed));
    EW_TRY_OUT(ew_new(&stars->order, n, sizeof *stars->order));
    EW_TRY_OUT(ew_new(&stars->place, n, sizeof *stars->place));
    EW_TRY_OUT(ew_new(&stars->star, n, sizeof *stars->star));
    put_in_order(stars, mesh);
    fix_labeled(mesh, b.fixed);
    EW_TRY_OUT(lay_out(&b));
    EW_TRY_OUT(write_stars(&b));
out:
    ew_release(b.fixed);
    return status;
}

void ew_stars_free(ew_stars *stars)
{
    ew_release(stars->star);
    ew_release(stars->near);
    ew_release(stars->face);
    ew_release(stars->order);
    ew_release(stars->place);
    memset(stars, 0, sizeof *stars);
}
