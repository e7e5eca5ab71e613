/* Springs to the ground. In: what they come to at each vertex, and where faces have functions of
 * edges, the blocks of the nodes of each face; gathered by analysis. Out: what they add to the
 * diagonal blocks of vertices, in a stiffness or a tangent, and of edges, and the products of the
 * faces. Faces ascend, and every sum takes them in this order, whatever the number of threads. */
#include "assembly/host/blocks.h"

#include <string.h>

/* ---- vertices --------------------------------------------------------------- */

static void add_to_diagonal(const double *ground, ew_matrix *matrix, int32_t row)
{
    const double *k = ground + 6 * (size_t)row;
    double *block = matrix->diagonal + 9 * (size_t)row;
    static const int entry[9] = {0, 3, 5, 3, 1, 4, 5, 4, 2};
    for (int i = 0; i < 9; i++) {
        block[i] += k[entry[i]];
    }
}

void ew_assembly_add_ground(const double *ground, const ew_topology *topology, ew_matrix *matrix,
                            const ew_list *row)
{
    const int32_t n = row ? row->n : topology->pattern.n_row;
    for (int32_t i = 0; i < n && ground; i++) {
        const int32_t at = row ? row->id[i] : i;
        if (topology->vertex_to_tet.count[at]) {
            add_to_diagonal(ground, matrix, at);
        }
    }
}

ew_status ew_assembly_check_ground(const ew_source *source, const ew_mesh *mesh,
                                   const double *ground, uint64_t revision)
{
    if (ground && revision != mesh->revision) {
        return ew_fail(EW_STALE,
                       "%s: the ground is of revision %llu, the mesh at %llu; gather it again and "
                       "say so in ground_revision",
                       source->name, (unsigned long long)revision,
                       (unsigned long long)mesh->revision);
    }
    return EW_OK;
}

/* ---- nodes of faces --------------------------------------------------------- */

int ew_face_edge(int face, int corner)
{
    const int8_t *vertex = ew_face_vertex[face];
    const int a = vertex[(corner + 1) % 3], b = vertex[(corner + 2) % 3];
    const int low = a < b ? a : b;
    return low ? a + b : a + b - 1;
}

void ew_face_nodes(const ew_mesh *mesh, const ew_topology *topology, const ew_edge_rows *rows,
                   int32_t face, int32_t node[EW_FACE_NODES])
{
    const size_t tet = (size_t)(face / 4);
    for (int k = 0; k < 3; k++) {
        const int32_t edge = topology->tet_to_edge[6 * tet + (size_t)ew_face_edge(face % 4, k)];
        const int32_t row = rows->row[edge];
        node[k] = mesh->tet[4 * tet + (size_t)ew_face_vertex[face % 4][k]];
        node[3 + k] = row < 0 ? -1 : mesh->n_vertex + row;
    }
}

/* ---- blocks ----------------------------------------------------------------- */

/* The place of a face, -1: it is none of them. */
static int32_t find_face(const ew_face_ground *ground, int32_t face)
{
    int32_t low = 0, high = ground->n;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (ground->face[middle] < face) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < ground->n && ground->face[low] == face ? low : -1;
}

static void add_face(const ew_face_ground *ground, int32_t place, int node, double k[6])
{
    const double *block =
        ground->block + 6 * (EW_FACE_BLOCKS * (size_t)place + (size_t)ew_face_block(node, node));
    for (int c = 0; c < 6; c++) {
        k[c] += block[c];
    }
}

void ew_face_ground_of_edge(const ew_face_ground *ground, const ew_topology *topology, int32_t edge,
                            double k[6])
{
    const ew_rows *tets = &topology->edge_to_tet;
    memset(k, 0, 6 * sizeof *k);
    for (int32_t i = 0; ground && ground->n && i < tets->count[edge]; i++) {
        const int32_t t = tets->item[(size_t)tets->begin[edge] + (size_t)i];
        for (int32_t face = 0; face < 4; face++) {
            const int32_t place = find_face(ground, 4 * t + face);
            for (int corner = 0; corner < 3 && place >= 0; corner++) {
                const int at = ew_face_edge(face, corner);
                if (topology->tet_to_edge[6 * (size_t)t + (size_t)at] == edge) {
                    add_face(ground, place, 3 + corner, k);
                }
            }
        }
    }
}

ew_status ew_face_ground_check(const ew_face_ground *ground, const ew_edge_rows *rows)
{
    if (!ground || !ground->n ||
        (ground->revision == rows->pattern.revision &&
         ground->mesh_revision == rows->mesh_revision)) {
        return EW_OK;
    }
    return ew_fail(
        EW_STALE,
        "springs on faces: they are for the rows of edges at revision %llu, which are at "
        "%llu; gather them again",
        (unsigned long long)ground->revision, (unsigned long long)rows->pattern.revision);
}

void ew_face_ground_free(ew_face_ground *ground)
{
    ew_release(ground->face);
    ew_release(ground->block);
    ew_release(ground->force);
    *ground = (ew_face_ground){0};
}

/* ---- the product ------------------------------------------------------------ */

/* f += k x of a symmetric block. */
static void add_product(const double *k, const double *x, double *f)
{
    f[0] += k[0] * x[0] + k[3] * x[1] + k[5] * x[2];
    f[1] += k[3] * x[0] + k[1] * x[1] + k[4] * x[2];
    f[2] += k[5] * x[0] + k[4] * x[1] + k[2] * x[2];
}

static void find_force(const ew_face_ground *ground, ew_edge_part part, int32_t place,
                       const double *x)
{
    const double *block = ground->block + 6 * EW_FACE_BLOCKS * (size_t)place;
    double *force = ground->force + 3 * EW_FACE_NODES * (size_t)place;
    int32_t node[EW_FACE_NODES];
    const int first = part == EW_EDGE_OF_EDGES ? 3 : 0, end = part == EW_EDGE_OF_CORNERS ? 3 : 6;
    ew_face_nodes(ground->mesh, ground->topology, ground->rows, ground->face[place], node);
    memset(force, 0, 3 * EW_FACE_NODES * sizeof *force);
    for (int j = first; j < end; j++) {
        for (int i = part == EW_EDGE_OF_CORNERS ? 3 : 0; i < EW_FACE_NODES && node[j] >= 0; i++) {
            add_product(block + 6 * (i < j ? ew_face_block(i, j) : ew_face_block(j, i)),
                        x + 3 * (size_t)node[j], force + 3 * i);
        }
    }
}

void ew_face_ground_add(ew_face_ground *ground, ew_edge_part part, const double *x, double *y)
{
#pragma omp for schedule(static)
    for (int32_t place = 0; place < ground->n; place++) {
        find_force(ground, part, place, x);
    }
#pragma omp single
    for (int32_t place = 0; place < ground->n; place++) {
        int32_t node[EW_FACE_NODES];
        ew_face_nodes(ground->mesh, ground->topology, ground->rows, ground->face[place], node);
        for (int i = part == EW_EDGE_OF_CORNERS ? 3 : 0; i < EW_FACE_NODES; i++) {
            const double *force = ground->force + 3 * (EW_FACE_NODES * (size_t)place + (size_t)i);
            for (size_t c = 0; c < 3 && node[i] >= 0; c++) {
                y[3 * (size_t)node[i] + c] += force[c];
            }
        }
    }
}
