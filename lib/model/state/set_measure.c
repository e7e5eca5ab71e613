/* What a set is and what the last solve says of it. In: a set's members. Out: size, place, and sums
 * and extremes of the recovered fields. Members are taken in the order of slots, so that the bits
 * do not depend on how the set came to have them. */
#include "model/state/set_parts.h"

#include <math.h>
#include <string.h>

/* The members as lists, whatever the kind. */
typedef struct set_lists {
    ew_list vertex, face, tet; /* owned; faces: codes, of a set of vertices those they enclose */
} set_lists;

static ew_status list_all(const ew_model *model, int32_t set, set_lists *of)
{
    EW_TRY(ew_model_list_vertices(model, set, &of->vertex));
    EW_TRY(ew_model_list_faces(model, set, &of->face));
    return model->set[set].kind == EW_SET_OF_TETS ? ew_model_list_tets(model, set, &of->tet)
                                                  : EW_OK;
}

static void free_lists(set_lists *of)
{
    ew_list_free(&of->vertex);
    ew_list_free(&of->face);
    ew_list_free(&of->tet);
}

/* The three vertices of a face, or the four of a tet. */
static int32_t corner_of(const ew_mesh *mesh, bool is_face, int32_t id, int k)
{
    return is_face ? mesh->tet[4 * (size_t)(id / 4) + (size_t)ew_face_vertex[id % 4][k]]
                   : mesh->tet[4 * (size_t)id + (size_t)k];
}

/* ---- size and place ---------------------------------------------------------- */

static void take_box(const ew_mesh *mesh, const ew_list *vertex, ew_set_measure *out)
{
    for (int32_t i = 0; i < vertex->n; i++) {
        const double *x = mesh->xyz + 3 * (size_t)vertex->id[i];
        for (int c = 0; c < 3; c++) {
            out->low[c] = i && out->low[c] <= x[c] ? out->low[c] : x[c];
            out->high[c] = i && out->high[c] >= x[c] ? out->high[c] : x[c];
            out->centroid[c] += x[c] / vertex->n;
        }
    }
}

static void take_face(const ew_mesh *mesh, const ew_curves *curves, int32_t code,
                      model_set_part *of)
{
    const ew_face_integrals face = ew_face_integrate(mesh, curves, code);
    of->n_corner = of->n_edge = 3;
    of->size = face.area;
    for (int k = 0; k < 3; k++) {
        of->row[k] = face.edge[k];
        of->of_corner[k] = face.of_corner[k];
        of->of_edge[k] = face.of_edge[k];
    }
}

static void take_tet(const ew_mesh *mesh, const ew_curves *curves, int32_t tet, model_set_part *of)
{
    double x[12], d[18];
    const bool is_curved = ew_curves_of(curves, tet, d);
    of->n_corner = 4;
    of->n_edge = 6;
    of->size = is_curved ? 0.0 : ew_mesh_tet_volume(mesh, tet);
    for (int k = 0; k < 6; k++) {
        of->row[k] = k;
        of->of_corner[k % 4] = of->size / 4.0;
        of->of_edge[k] = of->size / 5.0;
    }
    ew_mesh_tet_values(mesh, tet, mesh->xyz, x);
    for (int p = 0; p < EW_CURVED_POINTS && is_curved; p++) {
        double l[4];
        const double share = ew_curved_share(p, x, d, l);
        of->size += share;
        for (int k = 0; k < 6; k++) {
            of->of_corner[k % 4] += k < 4 ? share * l[k % 4] : 0.0;
            of->of_edge[k] += share * 4.0 * l[ew_edge_vertex[k][0]] * l[ew_edge_vertex[k][1]];
        }
    }
}

/* A side from a to b whose middle is d beyond the straight one adds 2/3 d x (b - a) to the area
 * vector of its straight face, half the integral of x x dx round it. */
static void add_facing(const ew_model *model, int32_t code, double facing[3])
{
    const ew_mesh *mesh = &model->mesh;
    const ew_edge_rows *rows = &model->quadratic.rows;
    double area[3];
    ew_face_area_vector(mesh, code, area);
    for (int k = 0; k < 6; k++) {
        const int i = ew_edge_vertex[k][0], j = ew_edge_vertex[k][1], out = code % 4;
        const int32_t row =
            model_has_edges(model)
                ? ew_edge_row(rows, model->topology.tet_to_edge[6 * (size_t)(code / 4) + (size_t)k])
                : -1;
        if (i == out || j == out || row < 0 || !rows->curve) {
            continue;
        }
        const int8_t *round = ew_face_vertex[out];
        const bool forward = (round[0] == i && round[1] == j) || (round[1] == i && round[2] == j) ||
                             (round[2] == i && round[0] == j);
        const double *a = mesh->xyz + 3 * (size_t)corner_of(mesh, false, code / 4, forward ? i : j),
                     *b = mesh->xyz + 3 * (size_t)corner_of(mesh, false, code / 4, forward ? j : i),
                     *d = rows->curve + 3 * (size_t)row;
        for (int c = 0; c < 3; c++) {
            const int e = (c + 1) % 3, f = (c + 2) % 3;
            area[c] += 2.0 / 3.0 * (d[e] * (b[f] - a[f]) - d[f] * (b[e] - a[e]));
        }
    }
    for (int c = 0; c < 3; c++) {
        facing[c] += area[c];
    }
}

model_set_part model_part_of_set(const ew_model *model, bool is_face, int32_t id)
{
    const model_quadratic *q = &model->quadratic;
    const ew_curves curves = {&q->rows, &model->topology};
    model_set_part of = {0};
    (is_face ? take_face : take_tet)(&model->mesh, &curves, id, &of);
    for (int k = 0; k < of.n_corner; k++) {
        of.corner[k] = corner_of(&model->mesh, is_face, id, k);
    }
    const size_t tet = (size_t)(is_face ? id / 4 : id);
    for (int k = 0; k < of.n_edge; k++) {
        of.row[k] = ew_edge_row(&q->rows, model->topology.tet_to_edge[6 * tet + (size_t)of.row[k]]);
    }
    return of;
}

/* Mean of a field [n_vertex][width] over faces or tets, by area or volume; their sum in *size.
 * on_edge [n_row][width]: its coefficients on edges, or null. */
static void take_mean(const ew_model *model, bool is_face, const ew_list *list, const double *field,
                      const double *on_edge, int width, double *size, double *mean)
{
    *size = 0.0;
    memset(mean, 0, (size_t)width * sizeof *mean);
    for (int32_t i = 0; i < list->n; i++) {
        const model_set_part of = model_part_of_set(model, is_face, list->id[i]);
        *size += of.size;
        for (int c = 0; c < width; c++) {
            for (int k = 0; k < of.n_corner; k++) {
                mean[c] += of.of_corner[k] * field[width * (size_t)of.corner[k] + (size_t)c];
            }
            for (int k = 0; k < of.n_edge && on_edge; k++) {
                mean[c] += of.row[k] < 0
                               ? 0.0
                               : of.of_edge[k] * on_edge[width * (size_t)of.row[k] + (size_t)c];
            }
        }
    }
    for (int c = 0; c<width && * size> 0.0; c++) {
        mean[c] /= *size;
    }
}

ew_status ew_model_measure_set(const ew_model *model, int32_t set, ew_set_measure *measure)
{
    const ew_mesh *mesh = &model->mesh;
    set_lists of = {0};
    ew_set_measure out = {0};
    double place[3];
    const ew_status status = list_all(model, set, &of);
    if (!status) {
        const ew_set_kind kind = model->set[set].kind;
        out.n_vertex = of.vertex.n;
        out.n_face = of.face.n;
        out.n_member = kind == EW_SET_OF_VERTICES ? of.vertex.n
                       : kind == EW_SET_OF_FACES  ? of.face.n
                                                  : of.tet.n;
        take_box(mesh, &of.vertex, &out);
        const ew_edge_rows *rows = ew_model_edge_rows(model);
        const double *curve = rows ? rows->curve : NULL;
        take_mean(model, true, &of.face, mesh->xyz, curve, 3, &out.area, place);
        for (int32_t i = 0; i < of.face.n; i++) {
            add_facing(model, of.face.id[i], out.facing);
        }
        if (kind == EW_SET_OF_FACES && out.n_face) {
            memcpy(out.centroid, place, sizeof place);
        }
        take_mean(model, false, &of.tet, mesh->xyz, curve, 3, &out.volume, place);
        if (kind == EW_SET_OF_TETS && of.tet.n) {
            memcpy(out.centroid, place, sizeof place);
        }
        *measure = out;
    }
    free_lists(&of);
    return status;
}

/* ---- what the solve says ------------------------------------------------------- */

/* The part of a reaction that counts, at a vertex or the row of an edge behind these. */
static void find_counted_reaction(const ew_model *model, const double *reaction, int32_t v,
                                  uint8_t components, double f[3])
{
    double drawn[3];
    model_spring_force(model, v, model->field[0].value + 3 * (size_t)v, drawn);
    for (int c = 0; c < 3; c++) {
        f[c] = (components >> c & 1 ? reaction[c] - drawn[c] : 0.0) +
               (components & EW_SPRING_FORCES ? drawn[c] : 0.0);
    }
}

static bool has_id(const ew_list *list, int32_t id)
{
    const int32_t at = model_place_in(list, id);
    return at < list->n && list->id[at] == id;
}

static bool has_all(const ew_list *list, const int32_t *id, int n)
{
    bool all = true;
    for (int k = 0; k < n; k++) {
        all = all && has_id(list, id[k]);
    }
    return all;
}

/* Whether a face of the tet at its corner is one of the boundary with all vertices in the list. */
static bool has_face(const ew_model *model, const ew_list *vertex, int32_t tet, int corner)
{
    bool found = false;
    for (int f = 0; f < 4; f++) {
        const int32_t code = 4 * tet + f;
        int32_t of[3];
        for (int k = 0; k < 3; k++) {
            of[k] = corner_of(&model->mesh, true, code, k);
        }
        found = found || (f != corner && has_all(vertex, of, 3) &&
                          ew_topology_face_neighbor(&model->topology, &model->mesh, code) < 0);
    }
    return found;
}

/* Von Mises stress at a vertex of the list, ascending. Where materials meet there it is the largest
 * of those that have a tet with all vertices in the list, else a face of the boundary, else of all.
 */
static double stress_at(const ew_model *model, const ew_list *vertex, int32_t v)
{
    const ew_rows *rows = &model->topology.vertex_to_tet;
    double most[2] = {-1.0, -1.0}; /* of tets, of faces */
    const bool meet = ew_fields_vertex_region(&model->fields, v) >= 0;
    for (int32_t i = 0; i < rows->count[v] && meet; i++) {
        const int32_t t = rows->item[(size_t)rows->begin[v] + (size_t)i];
        const int32_t *of = model->mesh.tet + 4 * (size_t)t;
        const int corner = (of[1] == v) + 2 * (of[2] == v) + 3 * (of[3] == v);
        const double mises = ew_fields_corner_von_mises(&model->fields, &model->mesh, t, corner);
        if (has_all(vertex, of, 4)) {
            most[0] = fmax(most[0], mises);
        } else if (most[0] < 0.0 && has_face(model, vertex, t, corner)) {
            most[1] = fmax(most[1], mises);
        }
    }
    return most[0] >= 0.0 ? most[0] : most[1] >= 0.0 ? most[1] : model->fields.vertex_von_mises[v];
}

static void take_vertices(const ew_model *model, const ew_list *vertex, uint8_t components,
                          const double about[3], ew_set_results *out)
{
    const double *u = model->field[0].value;
    for (int32_t i = 0; i < vertex->n; i++) {
        const size_t v = (size_t)vertex->id[i];
        const double *x = model->mesh.xyz + 3 * v, *at = u + 3 * v;
        const double mises = stress_at(model, vertex, vertex->id[i]);
        const double moved = sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);
        double f[3];
        find_counted_reaction(model, model->fields.reaction + 3 * v, vertex->id[i], components, f);
        for (int c = 0; c < 3; c++) {
            out->reaction_force[c] += f[c];
            out->mean_displacement[c] += at[c] / vertex->n;
        }
        for (int c = 0; c < 3; c++) {
            const int d = (c + 1) % 3, e = (c + 2) % 3;
            out->reaction_moment[c] += (x[d] - about[d]) * f[e] - (x[e] - about[e]) * f[d];
        }
        out->mean_von_mises += mises / vertex->n;
        if (!i || moved > out->max_displacement) {
            out->max_displacement = moved;
            out->max_displacement_vertex = vertex->id[i];
        }
        out->max_von_mises = i && out->max_von_mises >= mises ? out->max_von_mises : mises;
    }
}

/* What supports give to the middles of curved sides with both ends in the list, ascending. */
static void take_middles(const ew_model *model, const ew_list *vertex, uint8_t components,
                         ew_set_results *out)
{
    const ew_edge_rows *rows = ew_model_edge_rows(model);
    const ew_rows *pairs = &model->topology.pattern.row_to_pair;
    for (int32_t i = 0; i < vertex->n && rows && rows->curve; i++) {
        const int32_t v = vertex->id[i];
        for (int32_t k = 0; k < pairs->count[v]; k++) {
            const int32_t *item = pairs->item + 2 * ((size_t)pairs->begin[v] + (size_t)k);
            const int32_t row = rows->row[item[1]];
            double f[3];
            if (item[0] < v || row < 0 || !has_id(vertex, item[0])) {
                continue;
            }
            const double *x = rows->curve + 3 * (size_t)row;
            find_counted_reaction(model, model->fields.edge_reaction + 3 * (size_t)row,
                                  model->mesh.n_vertex + row, components, f);
            for (int c = 0; c < 3; c++) {
                const int d = (c + 1) % 3, e = (c + 2) % 3;
                out->reaction_moment[c] += x[d] * f[e] - x[e] * f[d];
            }
        }
    }
}

/* Of faces the stress averaged at their vertices, on the side of the tets behind them where
 * materials meet; of tets the mean of their own stress, and the largest of that and of the averaged
 * one at their corners. */
static ew_status take_stress(const ew_model *model, bool is_face, const ew_list *list,
                             ew_set_results *out)
{
    double sum = 0.0, size = 0.0, *of_tet = NULL;
    out->max_von_mises = 0.0;
    EW_TRY(ew_new(&of_tet, is_face ? 0 : (size_t)list->n, sizeof *of_tet));
    ew_status status = is_face ? EW_OK : ew_fields_tets_von_mises(&model->fields, list, of_tet);
    for (int32_t i = 0; i < list->n; i++) {
        const int32_t id = list->id[i], tet = is_face ? id / 4 : id;
        const model_set_part of = model_part_of_set(model, is_face, id);
        size += of.size;
        for (int k = 0; k < of.n_corner; k++) {
            const int corner = is_face ? ew_face_vertex[id % 4][k] : k;
            const double mises =
                ew_fields_corner_von_mises(&model->fields, &model->mesh, tet, corner);
            sum += is_face ? of.of_corner[k] * mises : 0.0;
            out->max_von_mises = fmax(out->max_von_mises, mises);
        }
        if (!is_face) {
            sum += of.size * of_tet[i];
            out->max_von_mises = fmax(out->max_von_mises, of_tet[i]);
        }
    }
    out->mean_von_mises = size > 0.0 ? sum / size : 0.0;
    ew_release(of_tet);
    return status;
}

ew_status ew_model_recover_set(const ew_model *model, int32_t set, uint8_t components,
                               const double about[3], ew_set_results *results)
{
    const double *u = model->field[0].value;
    const double *edge = model_has_edges(model) ? model_edge_values_of(model, 0) : NULL;
    set_lists of = {0};
    ew_set_results out = {.max_displacement_vertex = -1};
    double size;
    if (!ew_model_recovered(model)) {
        return ew_fail(EW_STALE, "model: results of a set need a solve and a recovery before");
    }
    ew_status status = list_all(model, set, &of);
    if (!status) {
        const ew_set_kind kind = model->set[set].kind;
        take_vertices(model, &of.vertex, components, about, &out);
        take_middles(model, &of.vertex, components, &out);
        if (kind == EW_SET_OF_FACES) {
            take_mean(model, true, &of.face, u, edge, 3, &size, out.mean_displacement);
            status = take_stress(model, true, &of.face, &out);
        } else if (kind == EW_SET_OF_TETS) {
            take_mean(model, false, &of.tet, u, edge, 3, &size, out.mean_displacement);
            status = take_stress(model, false, &of.tet, &out);
        }
    }
    if (!status) {
        *results = out;
    }
    free_lists(&of);
    return status;
}
