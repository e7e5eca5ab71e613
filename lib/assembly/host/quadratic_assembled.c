/* Quadratic tets with all their blocks stored, for what products do not serve: a factor. In: mesh,
 * tables, rows of edges. Out: the pattern of vertices and edges together, and on it stiffness, mass
 * and geometric stiffness in the hierarchical functions l_a and 4 l_a l_b (kernels/quadratic.h).
 *
 * Integrals over a tet of volume V: l_a^2 V/10, l_a l_b V/20; l_a 4 l_a l_b V/15, l_a 4 l_b l_c
 * V/30; 16 (l_a l_b)^2 8V/105, of edges that meet 4V/105, of opposite ones 2V/105; all by
 * a! b! c! d! 6V / (a + b + c + d + 3)! (Zienkiewicz & Taylor 2000, volume 1, section 8.11). Of
 * tets with curved sides by points: four for stiffness, 14 for mass (kernels/curved_blocks.h). */
#include "assembly/host/blocks.h"
#include "curved_blocks.h"

#include <string.h>

/* Functions of one tet: those of its corners, then those of its edges with rows. */
typedef struct functions {
    int n;
    int32_t row[10];
    int8_t end[10][2]; /* corners; of a corner's function it twice */
} functions;

static void list_functions(const ew_mesh *mesh, const ew_topology *topology,
                           const ew_edge_rows *rows, int32_t tet, functions *of)
{
    of->n = 4;
    for (int k = 0; k < 4; k++) {
        of->row[k] = mesh->tet[4 * (size_t)tet + (size_t)k];
        of->end[k][0] = of->end[k][1] = (int8_t)k;
    }
    for (int k = 0; k < 6; k++) {
        const int32_t row = rows->row[topology->tet_to_edge[6 * (size_t)tet + (size_t)k]];
        if (row >= 0) {
            of->row[of->n] = mesh->n_vertex + row;
            memcpy(of->end[of->n++], ew_edge_vertex[k], 2);
        }
    }
}

/* ---- the pattern ------------------------------------------------------------ */

/* Rows behind `row` in one of these tets. */
static ew_status list_others(const ew_mesh *mesh, const ew_topology *topology,
                             const ew_edge_rows *rows, const ew_rows *tets, int32_t slot,
                             int32_t row, ew_list *other)
{
    other->n = 0;
    for (int32_t i = 0; i < tets->count[slot]; i++) {
        functions of;
        list_functions(mesh, topology, rows, tets->item[tets->begin[slot] + i], &of);
        for (int k = 0; k < of.n; k++) {
            EW_TRY(of.row[k] > row ? ew_list_push(other, of.row[k]) : EW_OK);
        }
    }
    ew_list_sort_unique(other);
    return EW_OK;
}

static ew_status list_pairs(ew_pattern *pattern, const ew_mesh *mesh, const ew_topology *topology,
                            const ew_edge_rows *rows, ew_list *other)
{
    for (int32_t row = 0; row < pattern->n_row; row++) {
        const bool is_vertex = row < mesh->n_vertex;
        const int32_t slot = is_vertex ? row : rows->edge[row - mesh->n_vertex];
        const ew_rows *tets = is_vertex ? &topology->vertex_to_tet : &topology->edge_to_tet;
        if (slot < 0) {
            continue;
        }
        EW_TRY(list_others(mesh, topology, rows, tets, slot, row, other));
        EW_TRY(ew_grow(&pattern->pair_row, &pattern->pair_capacity,
                       (int64_t)pattern->n_pair + other->n, 2 * sizeof *pattern->pair_row));
        for (int32_t i = 0; i < other->n; i++) {
            int32_t *pair = pattern->pair_row + 2 * (size_t)pattern->n_pair++;
            pair[0] = row;
            pair[1] = other->id[i];
        }
    }
    pattern->n_live_pair = pattern->n_pair;
    return EW_OK;
}

ew_status ew_assembled_pattern_build(ew_pattern *pattern, const ew_mesh *mesh,
                                     const ew_topology *topology, const ew_edge_rows *rows)
{
    ew_list other = {0};
    ew_pattern_free(pattern);
    pattern->n_row = mesh->n_vertex + rows->pattern.n_row;
    ew_status status = list_pairs(pattern, mesh, topology, rows, &other);
    status = status ? status : ew_pattern_index(pattern);
    pattern->revision = status ? 0 : rows->pattern.revision;
    ew_list_free(&other);
    return status;
}

/* ---- blocks ------------------------------------------------------------------- */

/* Contribution of one tet to a block. */
typedef struct tet_terms {
    double volume, g[4][3]; /* of the straight tet */
    bool is_curved;
    double part[4], gradient[4][4][3]; /* at its Gauss points: their volumes, and those gradients */
    double x[12], d[18];
    double lame[2], density;
    const double *moduli; /* [21] of laws that are not isotropic, else null */
    double (*stress)[6];  /* at the corners */
    bool has_edge[4][4];  /* whether there is a function between two corners */
} tet_terms;

static void take_points(tet_terms *in)
{
    for (int p = 0; p < 4; p++) {
        double y[12];
        memcpy(y, in->x, sizeof y);
        if (in->is_curved) {
            ew_curved_point(p, in->x, in->d, y);
        }
        in->part[p] = 0.25 * ew_element_gradients(y, in->gradient[p]);
    }
}

/* The gradient of a function at a Gauss point. */
static void gradient_at(const tet_terms *in, const int8_t *of, int point, double out[3])
{
    const double of_first = of[0] == point ? EW_GAUSS_OWN : EW_GAUSS_OTHER;
    const double of_second = of[1] == point ? EW_GAUSS_OWN : EW_GAUSS_OTHER;
    for (int c = 0; c < 3; c++) {
        const double first = in->gradient[point][of[0]][c], second = in->gradient[point][of[1]][c];
        out[c] = of[0] == of[1] ? first : 4.0 * (of_first * second + of_second * first);
    }
}

/* The same of any law: D_icjd times the gradients' entry c, d. */
static void add_any_stiffness(const double *moduli, const double gradients[9], double *block)
{
    for (int k = 0; k < 81; k++) {
        const int i = k / 27, j = k / 9 % 3, c = k / 3 % 3, d = k % 3;
        block[3 * i + j] +=
            moduli[EW_MODULUS(EW_VOIGT(i, c), EW_VOIGT(j, d))] * gradients[3 * c + d];
    }
}

/* block [3][3] += the stiffness of grad N_i grad N_j^T. */
static void add_stiffness(const tet_terms *in, const double gradients[9], double *block)
{
    const double trace = gradients[0] + gradients[4] + gradients[8];
    if (in->moduli) {
        add_any_stiffness(in->moduli, gradients, block);
        return;
    }
    for (int c = 0; c < 3; c++) {
        for (int d = 0; d < 3; d++) {
            block[3 * c + d] +=
                in->lame[0] * gradients[3 * c + d] + in->lame[1] * gradients[3 * d + c];
        }
        block[4 * c] += in->lame[1] * trace;
    }
}

/* Integrals of grad N_i grad N_j^T, where one of them is an edge's. */
static void integrate_gradients(const tet_terms *in, const int8_t *i, const int8_t *j,
                                double gradients[9])
{
    const bool corners[2] = {i[0] == i[1], j[0] == j[1]};
    for (int k = 0; k < 9; k++) {
        const int c = k / 3, d = k % 3;
        double sum = 0.0;
        if (corners[0] || corners[1]) {
            const double p = corners[0] ? in->g[i[0]][c] : in->g[i[0]][c] + in->g[i[1]][c];
            const double q = corners[1] ? in->g[j[0]][d] : in->g[j[0]][d] + in->g[j[1]][d];
            sum = p * q;
        } else {
            for (int m = 0; m < 4; m++) { /* 16 l_a l_b, times the gradients of the other ends */
                const int a = m / 2, b = m % 2;
                sum += (i[a] == j[b] ? 1.6 : 0.8) * in->g[i[1 - a]][c] * in->g[j[1 - b]][d];
            }
        }
        gradients[k] = in->volume * sum;
    }
}

/* The same with curved sides; of two corners less what the straight tet has. */
static void integrate_curved(const tet_terms *in, const int8_t *i, const int8_t *j,
                             double gradients[9])
{
    const bool corners = i[0] == i[1] && j[0] == j[1];
    for (int k = 0; k < 9; k++) {
        gradients[k] = corners ? -in->volume * in->g[i[0]][k / 3] * in->g[j[0]][k % 3] : 0.0;
    }
    for (int point = 0; point < 4; point++) {
        double p[3], q[3];
        gradient_at(in, i, point, p);
        gradient_at(in, j, point, q);
        for (int k = 0; k < 9; k++) {
            gradients[k] += in->part[point] * p[k / 3] * q[k % 3];
        }
    }
}

static void stiffness_of_pair(const tet_terms *in, const int8_t *i, const int8_t *j, double *block)
{
    double gradients[9];
    if (in->is_curved) {
        integrate_curved(in, i, j, gradients);
    } else if (i[0] == i[1] && j[0] == j[1]) {
        return; /* the linear stiffness, which is there */
    } else {
        integrate_gradients(in, i, j, gradients);
    }
    add_stiffness(in, gradients, block);
}

static double value_at(const int8_t *of, const double l[4])
{
    return of[0] == of[1] ? l[of[0]] : 4.0 * l[of[0]] * l[of[1]];
}

static double curved_mass_of_pair(const tet_terms *in, const int8_t *i, const int8_t *j)
{
    double sum = 0.0, l[4];
    for (int k = 0; k < EW_MASS_POINTS; k++) {
        const double weight = ew_mass_point(k, l);
        const double volume = ew_mass_point_volume(weight, l, in->x, in->d);
        sum += volume * value_at(i, l) * value_at(j, l);
    }
    return in->density * sum;
}

static void mass_of_pair(const tet_terms *in, const int8_t *i, const int8_t *j, double *block)
{
    const double mass = in->density * in->volume;
    const int alike = (i[0] == j[0] || i[0] == j[1]) + (i[1] == j[0] || i[1] == j[1]);
    const bool corner_i = i[0] == i[1], corner_j = j[0] == j[1];
    if (in->is_curved) {
        block[0] += curved_mass_of_pair(in, i, j);
    } else if (corner_i && corner_j) {
        block[0] += alike ? mass / 10.0 : mass / 20.0;
    } else if (corner_i || corner_j) {
        block[0] += alike ? mass / 15.0 : mass / 30.0;
    } else {
        static const double share[3] = {2.0, 4.0, 8.0};
        block[0] += mass * share[alike] / 105.0;
    }
}

/* As edge_mass.c: a fourth at each corner, of which each edge with a function takes a 27th to its
 * middle, as much as the other end; the middle moves by the mean of the ends and what its own
 * function has beyond that. */
static void lumped_of_pair(const tet_terms *in, const int8_t *i, const int8_t *j, double *block)
{
    const double mass = in->density * (in->is_curved ? ew_curved_volume(in->x, in->d) : in->volume);
    const bool corner_i = i[0] == i[1], corner_j = j[0] == j[1];
    const bool shares = i[0] == j[0] || i[0] == j[1] || i[1] == j[0] || i[1] == j[1];
    if (corner_i && corner_j) {
        const bool *has = in->has_edge[i[0]];
        block[0] += i[0] != j[0] ? (has[j[0]] ? mass / 27.0 : 0.0)
                                 : mass * (0.25 - (has[0] + has[1] + has[2] + has[3]) / 27.0);
    } else if (corner_i || corner_j) {
        block[0] += shares ? mass * 2.0 / 27.0 : 0.0;
    } else {
        block[0] += i[0] == j[0] && i[1] == j[1] ? mass * 4.0 / 27.0 : 0.0;
    }
}

/* Of grad N_i . sigma grad N_j by four points, as in other programs: the product is of the third
 * degree where stress and functions are not constant, the rule exact to the second. */
static void geometric_of_pair(const tet_terms *in, const int8_t *i, const int8_t *j, double *block)
{
    for (int point = 0; point < 4; point++) {
        double p[3], q[3], s[6] = {0.0};
        for (int a = 0; a < 4; a++) {
            for (int c = 0; c < 6; c++) {
                s[c] += (a == point ? EW_GAUSS_OWN : EW_GAUSS_OTHER) * in->stress[a][c];
            }
        }
        gradient_at(in, i, point, p);
        gradient_at(in, j, point, q);
        block[0] += in->part[point] * (p[0] * (s[0] * q[0] + s[3] * q[1] + s[5] * q[2]) +
                                       p[1] * (s[3] * q[0] + s[1] * q[1] + s[4] * q[2]) +
                                       p[2] * (s[5] * q[0] + s[4] * q[1] + s[2] * q[2]));
    }
}

/* ---- all of them ------------------------------------------------------------------ */

static void (*const of_pair[])(const tet_terms *in, const int8_t *i, const int8_t *j,
                               double *block) = {[EW_ASSEMBLED_STIFFNESS] = stiffness_of_pair,
                                                 [EW_ASSEMBLED_MASS] = mass_of_pair,
                                                 [EW_ASSEMBLED_MASS_LUMPED] = lumped_of_pair,
                                                 [EW_ASSEMBLED_GEOMETRIC] = geometric_of_pair};

/* The block of two rows of the tet, rows of the lower one first. */
static double *block_of(ew_matrix *matrix, const ew_pattern *pattern, int32_t a, int32_t b)
{
    const size_t size = (size_t)matrix->block * (size_t)matrix->block;
    return a == b ? matrix->diagonal + size * (size_t)a
                  : matrix->pair + size * (size_t)ew_pattern_pair_between(pattern, a, b);
}

/* The tangent, without what two corners have, which is there. */
static void add_tangent(const ew_assembled *from, ew_matrix *matrix, int32_t tet)
{
    functions of;
    list_functions(from->mesh, from->topology, from->rows, tet, &of);
    for (int i = 0; i < of.n; i++) {
        for (int j = 0; j < of.n; j++) {
            if (of.row[i] <= of.row[j] && (i >= 4 || j >= 4)) {
                ew_tangent_add_functions(from->internal_force, tet, of.end[i], of.end[j],
                                         block_of(matrix, from->source.pattern, of.row[i],
                                                  of.row[j]));
            }
        }
    }
}

static void add_tet(const ew_assembled *from, ew_matrix *matrix, int32_t tet)
{
    functions of;
    ew_elastic law;
    const int32_t region = from->mesh->region[tet];
    tet_terms in = {.density = from->materials->material[region].density};
    memcpy(in.lame, from->materials->lame + 2 * (size_t)region, sizeof in.lame);
    double stress[4][6];
    if (from->stress) {
        memcpy(stress, from->stress + 24 * (size_t)tet, sizeof stress);
        in.stress = stress;
    }
    ew_mesh_tet_values(from->mesh, tet, from->mesh->xyz, in.x);
    ew_elastic_of(&law, from->materials, region, tet, in.x);
    in.moduli = law.lame ? NULL : law.moduli;
    in.volume = ew_element_gradients(in.x, in.g);
    in.is_curved = ew_tet_curves(from->rows, from->topology, tet, in.d);
    take_points(&in);
    list_functions(from->mesh, from->topology, from->rows, tet, &of);
    for (int i = 4; i < of.n; i++) {
        in.has_edge[of.end[i][0]][of.end[i][1]] = in.has_edge[of.end[i][1]][of.end[i][0]] = true;
    }
    for (int i = 0; i < of.n; i++) {
        for (int j = 0; j < of.n; j++) {
            if (of.row[i] <= of.row[j]) {
                of_pair[from->kind](&in, of.end[i], of.end[j],
                                    block_of(matrix, from->source.pattern, of.row[i], of.row[j]));
            }
        }
    }
}

/* Rows without tets have the identity. */
static void start_blocks(const ew_assembled *from, ew_matrix *matrix)
{
    const ew_pattern *pattern = from->source.pattern;
    const size_t b = (size_t)matrix->block, size = b * b * sizeof(double);
    memset(matrix->diagonal, 0, size * (size_t)pattern->n_row);
    if (pattern->n_pair) {
        memset(matrix->pair, 0, size * (size_t)pattern->n_pair);
    }
    for (int32_t row = 0; row < pattern->n_row; row++) {
        for (size_t i = 0; i < b && !pattern->row_to_pair.count[row]; i++) {
            matrix->diagonal[b * b * (size_t)row + (b + 1) * i] = 1.0;
        }
    }
}

static void copy_linear_blocks(const ew_assembled *from, ew_matrix *matrix)
{
    const ew_pattern *of_vertices = &from->topology->pattern;
    const ew_matrix *linear = from->linear;
    memcpy(matrix->diagonal, linear->diagonal, 9 * sizeof(double) * (size_t)from->mesh->n_vertex);
    for (int32_t pair = 0; pair < of_vertices->n_pair; pair++) {
        const int32_t *row = of_vertices->pair_row + 2 * (size_t)pair;
        if (row[0] >= 0) {
            memcpy(block_of(matrix, from->source.pattern, row[0], row[1]),
                   linear->pair + 9 * (size_t)pair, 9 * sizeof(double));
        }
    }
}

/* Springs on faces: blocks of their nodes, rows of the lower one first; all are symmetric. */
static void add_ground(const ew_assembled *from, ew_matrix *matrix)
{
    static const int entry[9] = {0, 3, 5, 3, 1, 4, 5, 4, 2};
    const ew_face_ground *ground = from->ground;
    for (int32_t place = 0; ground && place < ground->n; place++) {
        int32_t node[EW_FACE_NODES];
        ew_face_nodes(from->mesh, from->topology, from->rows, ground->face[place], node);
        for (int i = 0; i < EW_FACE_NODES; i++) {
            for (int j = i; j < EW_FACE_NODES && node[i] >= 0; j++) {
                const double *k = ground->block + 6 * (EW_FACE_BLOCKS * (size_t)place +
                                                       (size_t)ew_face_block(i, j));
                const int32_t low = node[i] < node[j] ? node[i] : node[j];
                const int32_t high = node[i] < node[j] ? node[j] : node[i];
                for (int c = 0; c < 9 && low >= 0; c++) {
                    block_of(matrix, from->source.pattern, low, high)[c] += k[entry[c]];
                }
            }
        }
    }
}

/* Pressure that turns with faces, without what two corners have of it, which is there. */
static void add_follower(const ew_assembled *from, ew_matrix *matrix)
{
    const ew_follower *of = from->follower;
    for (int32_t face = 0; of && of->n_node == EW_FOLLOWER_NODES && face < of->n; face++) {
        const int32_t *node = of->node + of->n_node * (size_t)face;
        const double *turn = of->turn + 3 * EW_FOLLOWER_TURNS * (size_t)face;
        for (int j = 3; j < of->n_node; j++) {
            for (int i = 0; i < j && node[j] >= 0; i++) {
                const int32_t low = node[i] < node[j] ? node[i] : node[j];
                const int32_t high = node[i] < node[j] ? node[j] : node[i];
                if (low >= 0) {
                    ew_follower_add_turn(turn + 3 * ew_follower_place(of->n_node, i, j),
                                         low == node[i] ? 1.0 : -1.0,
                                         block_of(matrix, from->source.pattern, low, high));
                }
            }
        }
    }
}

static ew_status compute(const ew_source *source, ew_matrix *matrix,
                         const ew_pattern_change *change)
{
    const ew_assembled *from = (const ew_assembled *)source;
    (void)change;
    start_blocks(from, matrix);
    if (from->kind == EW_ASSEMBLED_STIFFNESS) {
        copy_linear_blocks(from, matrix);
    }
    for (int32_t t = 0; t < from->mesh->n_tet; t++) {
        if (ew_mesh_tet_is_live(from->mesh, t)) {
            (from->internal_force ? add_tangent : add_tet)(from, matrix, t);
        }
    }
    add_ground(from, matrix);
    add_follower(from, matrix);
    return EW_OK;
}

static ew_status check(const ew_source *source)
{
    const ew_assembled *from = (const ew_assembled *)source;
    const uint64_t revision = from->mesh->revision;
    if (from->rows->mesh_revision != revision || from->topology->pattern.revision != revision ||
        source->pattern->revision != from->rows->pattern.revision) {
        return ew_fail(EW_STALE,
                       "%s: pattern and rows of edges are not those of the mesh at revision %llu; "
                       "build them first",
                       source->name, (unsigned long long)revision);
    }
    if (from->materials->n < from->mesh->n_region) {
        return ew_fail(EW_BAD_ARGUMENT, "%s: %d materials for %d regions", source->name,
                       from->materials->n, from->mesh->n_region);
    }
    EW_TRY(ew_face_ground_check(from->ground, from->rows));
    EW_TRY(ew_assembly_check_records(source, from->mesh, from->internal_force));
    return from->linear ? ew_matrix_need_current(from->linear, &from->topology->pattern) : EW_OK;
}

/* With what stands on the diagonal of the vertices: springs come and go without a revision. */
static uint64_t constants(const ew_source *source, int32_t *n)
{
    const ew_assembled *from = (const ew_assembled *)source;
    *n = ew_assembly_n_kind(*n, from->mesh, from->materials);
    uint64_t hash = ew_materials_revision(from->materials, *n);
    if (from->ground && from->ground->n) {
        hash = ew_hash(hash, &from->ground->version, sizeof from->ground->version);
    }
    if (from->internal_force) {
        hash = ew_hash(hash, &from->internal_force->version, sizeof from->internal_force->version);
    }
    if (from->follower && from->follower->n) {
        hash = ew_hash(hash, &from->follower->version, sizeof from->follower->version);
    }
    return from->linear ? ew_hash(hash, from->linear->diagonal,
                                  9 * sizeof(double) * (size_t)from->mesh->n_vertex)
                        : hash;
}

ew_assembled ew_assembled_of(ew_assembled_kind kind, const ew_pattern *pattern, const ew_mesh *mesh,
                             const ew_topology *topology, const ew_materials *materials,
                             const ew_edge_rows *rows)
{
    static const char *const name[] = {[EW_ASSEMBLED_STIFFNESS] = "assembled stiffness",
                                       [EW_ASSEMBLED_MASS] = "assembled mass",
                                       [EW_ASSEMBLED_MASS_LUMPED] = "assembled lumped mass",
                                       [EW_ASSEMBLED_GEOMETRIC] = "assembled geometric stiffness"};
    return (ew_assembled){.source = {.name = name[kind],
                                     .block = kind == EW_ASSEMBLED_STIFFNESS ? 3 : 1,
                                     .pattern = pattern,
                                     .check = check,
                                     .constants = constants,
                                     .compute = compute},
                          .kind = kind,
                          .mesh = mesh,
                          .topology = topology,
                          .materials = materials,
                          .rows = rows};
}
