/* Resultants of a load. In: a load with its share. Out: force and moment about the origin, of its
 * faces, its vertices or all tets in ascending order. */
#include "analysis/load/load_type.h"

#include <string.h>

typedef struct resultant {
    const ew_load_context *in;
    const ew_load *load;
    const ew_load_share *share;
    const ew_load_type *type;
    double force[3], moment[3];
} resultant;

static void add_at(resultant *sum, int32_t vertex, const double f[3])
{
    double turned[3];
    ew_load_cross(sum->in->mesh->xyz + 3 * (size_t)vertex, f, turned);
    for (int c = 0; c < 3; c++) {
        sum->force[c] += f[c];
        sum->moment[c] += turned[c];
    }
}

/* A force on an edge: none in a motion of translation, of rotation that of the curve. */
static void add_edges(resultant *sum, int32_t tet, const double *f)
{
    double d[18], turned[3];
    (void)ew_curves_of(sum->load->curves, tet, d);
    for (int e = 0; e < 6; e++) {
        ew_load_cross(d + 3 * e, f + 3 * e, turned);
        for (int c = 0; c < 3; c++) {
            sum->moment[c] += turned[c];
        }
    }
}

static bool add_face(void *user, const ew_mesh *mesh, int32_t face)
{
    resultant *sum = user;
    const int32_t *tet = mesh->tet + 4 * (size_t)(face / 4);
    double q[9], edge[18];
    const bool curved =
        ew_load_on_curved_face(sum->type, sum->in, sum->load, sum->share, face, q, edge);
    if (curved) {
        add_edges(sum, face / 4, edge);
    }
    for (int k = 0; k < 3 && curved; k++) {
        add_at(sum, tet[ew_face_vertex[face % 4][k]], q + 3 * k);
    }
    for (int k = 0; k < 3 && !curved; k++) {
        double f[3] = {0.0, 0.0, 0.0};
        sum->type->on_face(sum->in, sum->load, sum->share, face, k, f);
        add_at(sum, tet[ew_face_vertex[face % 4][k]], f);
    }
    return true;
}

/* Middles of curved sides; straight ones have their moment from the ends. */
static void add_middles(resultant *sum)
{
    const ew_mesh *mesh = sum->in->mesh;
    const ew_load_nodes *nodes = sum->load->nodes;
    double turned[3];
    for (int32_t i = 0; nodes && sum->load->curves && i < nodes->n; i++) {
        const int64_t *end = nodes->row[i].end;
        const double *curve = end[0] < end[1] ? ew_mesh_curve(mesh, end[0], end[1]) : NULL;
        if (curve) {
            ew_load_cross(curve, nodes->row[i].force, turned);
            for (int c = 0; c < 3; c++) {
                sum->moment[c] += turned[c];
            }
        }
    }
}

static void add_vertices(resultant *sum)
{
    const ew_mesh *mesh = sum->in->mesh;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        double f[3] = {0.0, 0.0, 0.0};
        if (!ew_mesh_vertex_is_active(mesh, v) ||
            (sum->load->vertex && !ew_set_has(sum->load->vertex, v))) {
            continue;
        }
        sum->type->on_vertex(sum->in, sum->load, sum->share, v, f);
        add_at(sum, v, f);
    }
    add_middles(sum);
}

static void add_tets(resultant *sum)
{
    const ew_mesh *mesh = sum->in->mesh;
    double q[12], edge[18];
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        const bool curved = ew_mesh_tet_is_live(mesh, t) &&
                            ew_load_on_curved_tet(sum->type, sum->in, sum->load, t, q, edge);
        if (curved) {
            add_edges(sum, t, edge);
        }
        for (int k = 0; k < 4 && ew_mesh_tet_is_live(mesh, t); k++) {
            double f[3] = {0.0, 0.0, 0.0};
            if (curved) {
                memcpy(f, q + 3 * k, sizeof f);
            } else {
                sum->type->on_tet(sum->in, sum->load, sum->share, t, k, f);
            }
            add_at(sum, mesh->tet[4 * (size_t)t + (size_t)k], f);
        }
    }
}

void ew_load_resultant(const ew_mesh *mesh, const ew_topology *topology,
                       const ew_materials *materials, const ew_load *load,
                       const ew_load_share *share, double force[3], double moment[3])
{
    const ew_load_context in = {mesh, topology, materials, false, NULL};
    resultant sum = {&in, load, share, ew_load_type_of(load->kind), {0.0}, {0.0}};
    if (load->kind == EW_LOAD_TEMPERATURE) {
        /* nothing from outside */
    } else if (ew_load_is_on_faces(load, &sum.type->traits)) {
        ew_load_visit_faces(&in, load, add_face, &sum);
    } else if (sum.type->on_vertex) {
        add_vertices(&sum);
    } else {
        add_tets(&sum);
    }
    for (int c = 0; c < 3; c++) {
        force[c] = sum.force[c];
        moment[c] = sum.moment[c];
    }
}
