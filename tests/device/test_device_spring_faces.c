/* Springs spread over faces of quadratic tets: integrals of polynomials, symmetry and blocks, a
 * block that sinks and turns on a foundation by closed forms, curved faces, edits, motion; on the
 * host and on a device. */
#include "curved_fixture.h"
#include "model/parts/model.h"
#include "one_device.h"
#include "quadratic_fixture.h"

static const double size[3] = {1.0, 0.9, 0.8};

/* ---- on a body alone ------------------------------------------------------------- */

typedef struct bed {
    body p;
    ew_set vertex;
    ew_spring spring;
    double share, *stiffness; /* of vertices */
    ew_face_ground ground;
} bed;

/* A foundation under z = 0. */
static void make_bed(bed *b, const int32_t cells[3], const double *other)
{
    *b = (bed){0};
    must(ew_shape_box(&b->p.mesh, size, cells));
    build_body(&b->p, 0.3, other);
    for (int32_t v = 0; v < b->p.mesh.n_vertex; v++) {
        must(b->p.mesh.xyz[3 * v + 2] == 0.0 ? ew_set_add(&b->vertex, v) : EW_OK);
    }
    b->spring = (ew_spring){
        .kind = EW_SPRING_FOUNDATION, .stiffness = {700.0, 90.0, 0.0}, .vertex = &b->vertex};
    b->stiffness = calloc((size_t)b->p.mesh.n_vertex, 6 * sizeof *b->stiffness);
    must(ew_spring_share(&b->p.mesh, &b->p.topology, &b->spring, 0, &b->share));
    must(ew_springs_gather(&b->p.mesh, &b->p.topology, 1, &b->spring, &b->share, NULL,
                           b->stiffness));
    must(ew_springs_gather_faces(&b->p.mesh, &b->p.topology, &b->p.rows, 1, &b->spring, &b->share,
                                 &b->ground));
}

static void free_bed(bed *b)
{
    ew_face_ground_free(&b->ground);
    ew_set_free(&b->vertex);
    free(b->stiffness);
    free_body(&b->p);
}

/* x . S y of all springs. */
static double energy_of(const bed *b, const double *x, const double *y)
{
    double *f = calloc((size_t)b->p.n, 3 * sizeof *f), sum = 0.0;
    ew_face_ground_add((ew_face_ground *)&b->ground, EW_EDGE_ALL, y, f);
    for (int32_t v = 0; v < b->p.mesh.n_vertex; v++) {
        double force[3];
        ew_spring_force(b->stiffness + 6 * v, y + 3 * v, force);
        for (int c = 0; c < 3; c++) {
            f[3 * v + c] -= force[c];
        }
    }
    for (int32_t i = 0; i < 3 * b->p.n; i++) {
        sum += x[i] * f[i];
    }
    free(f);
    return sum;
}

static void bowl(const double x[3], double u[3])
{
    u[0] = x[0] * x[1];
    u[1] = x[1] * x[1];
    u[2] = x[0] * x[0] + 0.5 * x[1];
}

static void test_polynomials(void)
{
    const double a = size[0], b = size[1];
    const double across = pow(a * b, 3) / 9.0 + a * pow(b, 5) / 5.0;
    const double normal = b * pow(a, 5) / 5.0 + a * a * a / 3.0 * b * b / 2.0 +
                          0.25 * a * b * b * b / 3.0; /* of (x^2 + y / 2)^2 */
    bed all;
    make_bed(&all, (int32_t[]){3, 2, 2}, NULL);
    CU_ASSERT_EQUAL(all.ground.n, 12);
    put_field(&all.p, bowl, all.p.x);
    CU_ASSERT_DOUBLE_EQUAL(energy_of(&all, all.p.x, all.p.x), 700.0 * normal + 90.0 * across,
                           1e-11 * 700.0);
    free_bed(&all);
}

/* Linear tets keep springs at vertices; of mixed ones the faces with functions alone are others. */
static void test_order(void)
{
    double other[72] = {0.0};
    bed b;
    for (int t = 0; t < 72; t++) {
        other[t] = t != 5;
    }
    make_bed(&b, (int32_t[]){3, 2, 2}, other);
    CU_ASSERT(b.p.mesh.n_tet == 72 && b.ground.n < 12);
    for (int32_t i = 1; i < b.ground.n; i++) {
        CU_ASSERT(b.ground.face[i] > b.ground.face[i - 1]);
    }
    double sum[3] = {0.0};
    for (int32_t v = 0; v < b.p.mesh.n_vertex; v++) { /* a translation meets the same */
        b.p.x[3 * v + 2] = 1.0;
    }
    sum[0] = energy_of(&b, b.p.x, b.p.x);
    CU_ASSERT_DOUBLE_EQUAL(sum[0], 700.0 * size[0] * size[1], 1e-10);
    free_bed(&b);
}

static void test_symmetry_parts_and_blocks(void)
{
    bed b;
    make_bed(&b, (int32_t[]){2, 2, 2}, NULL);
    const size_t n = 3 * (size_t)b.p.n, first = 3 * (size_t)b.p.mesh.n_vertex;
    double *x = calloc(n, sizeof *x), *y = calloc(n, sizeof *y), *z = calloc(n, sizeof *z);
    random_vector(x, b.p.n, 1);
    random_vector(y, b.p.n, 2);
    CU_ASSERT_DOUBLE_EQUAL(energy_of(&b, x, y), energy_of(&b, y, x), 1e-10);
    CU_ASSERT(energy_of(&b, x, x) > 0.0);
    memset(y, 0, n * sizeof *y);
    ew_face_ground_add(&b.ground, EW_EDGE_ALL, x, y);
    ew_face_ground_add(&b.ground, EW_EDGE_OF_EDGES, x, z);
    ew_face_ground_add(&b.ground, EW_EDGE_OF_CORNERS, x, z);
    for (size_t i = first; i < n; i++) {
        CU_ASSERT_DOUBLE_EQUAL(y[i], z[i], 1e-12);
    }
    ew_edge_blocks from = ew_edge_blocks_of(&b.p.mesh, &b.p.topology, &b.p.materials, &b.p.rows);
    ew_matrix blocks = {0};
    from.ground = &b.ground;
    must(ew_matrix_build(&blocks, &from.source));
    b.p.quadratic.ground = &b.ground;
    b.p.quadratic.diagonal = &blocks;
    must(b.p.op.type->prepare(&b.p.op, EW_DOUBLE));
    for (int32_t i = 0; i < 3 * b.p.rows.pattern.n_row; i++) {
        memset(x, 0, n * sizeof *x);
        x[first + (size_t)i] = 1.0;
        b.p.op.type->product(&b.p.op, false, x, y);
        for (int c = 0; c < 3; c++) {
            CU_ASSERT_DOUBLE_EQUAL(y[first + (size_t)(i / 3 * 3 + c)],
                                   blocks.diagonal[9 * (i / 3) + 3 * c + i % 3], 1e-10);
        }
    }
    b.ground.revision++;
    CU_ASSERT_EQUAL(ew_matrix_build(&blocks, &from.source), EW_STALE);
    CU_ASSERT_EQUAL(b.p.op.type->prepare(&b.p.op, EW_DOUBLE), EW_STALE);
    ew_matrix_free(&blocks);
    free(x);
    free(y);
    free(z);
    free_bed(&b);
}

/* ---- models -------------------------------------------------------------------------- */

/* Faces in the plane z = 0 of the box, which may have been bent since. */
static int32_t add_bottom(ew_model *model, const bool *bottom, ew_set_kind kind)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const ew_model_set_def def = {.kind = kind};
    ew_list face = {0}, list = {0};
    int32_t set;
    must(ew_topology_boundary(ew_model_topology(model), mesh, &face));
    for (int32_t i = 0; i < face.n && kind == EW_SET_OF_FACES; i++) {
        bool in = true;
        for (int k = 0; k < 3; k++) {
            in = in && bottom[mesh->tet[4 * (face.id[i] / 4) + ew_face_vertex[face.id[i] % 4][k]]];
        }
        must(in ? ew_list_push(&list, face.id[i]) : EW_OK);
    }
    for (int32_t v = 0; v < mesh->n_vertex && kind == EW_SET_OF_VERTICES; v++) {
        must(bottom[v] ? ew_list_push(&list, v) : EW_OK);
    }
    must(ew_model_add_set(model, &def, &list, &set));
    ew_list_free(&face);
    ew_list_free(&list);
    return set;
}

/* Quadratic, on the device or the host; its bottom is in the set 0. */
static ew_model *make_block(ew_device *on, double young, bool is_bent, ew_set_kind kind)
{
    const ew_material material = {.young = young, .poisson = 0.3, .density = 2.0};
    ew_model_def def = ew_default_model_def();
    ew_model *model;
    ew_mesh mesh;
    def.device = on;
    def.reorder = false;
    must(ew_shape_box(&mesh, size, (int32_t[]){3, 2, 2}));
    bool *bottom = calloc((size_t)mesh.n_vertex, sizeof *bottom);
    for (int32_t v = 0; v < mesh.n_vertex; v++) {
        bottom[v] = mesh.xyz[3 * v + 2] == 0.0;
    }
    if (is_bent) {
        bend_mesh(&mesh, 0.0);
    }
    must(ew_model_create(&model, &mesh, &def));
    must(ew_model_set_material(model, EW_ALL_REGIONS, &material));
    must(ew_model_set_order(model, true));
    CU_ASSERT_EQUAL(add_bottom(model, bottom, kind), 0);
    free(bottom);
    return model;
}

static void solve(ew_model *model, double tolerance)
{
    ew_pcg_def def = ew_default_pcg_def();
    def.tolerance = tolerance;
    must(ew_model_solve(model, &def, NULL));
}

/* A block 1e7 times as stiff as its foundation sinks and turns as a rigid one: by F / k A, and by
 * M / k I about the middle of the foundation, which springs at vertices alone would make too stiff.
 */
static void sink_and_turn(ew_device *on)
{
    const double k = 1e3, area = size[0] * size[1], force = 2.0, moment = 0.3;
    const double second = size[1] * pow(size[0], 3) / 12.0;
    ew_model *model = make_block(on, 1e10, false, EW_SET_OF_FACES);
    const ew_model_spring soil = {.kind = EW_SPRING_FOUNDATION, .stiffness = {k, k, 0.0}};
    const ew_model_load load[] = {{.kind = EW_LOAD_TOTAL_FORCE, .vector = {0.0, 0.0, -force}},
                                  {.kind = EW_LOAD_MOMENT, .vector = {0.0, moment, 0.0}}};
    const ew_sums *sums;
    must(ew_model_set_springs(model, 1, &soil));
    must(ew_model_set_loads(model, 2, load));
    solve(model, 1e-11);
    const ew_mesh *mesh = ew_model_mesh(model);
    const double *u = ew_model_displacement(model);
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        const double *x = mesh->xyz + 3 * v;
        const double turned = -moment / (k * second) * (x[0] - 0.5 * size[0]);
        CU_ASSERT_DOUBLE_EQUAL(u[3 * v + 2], -force / (k * area) + turned, 1e-8);
    }
    must(ew_model_recover(model, NULL, &sums));
    const double work = force * force / (k * area) + moment * moment / (k * second);
    CU_ASSERT_DOUBLE_EQUAL(sums->spring_energy, 0.5 * work, 1e-6 * work);
    CU_ASSERT_DOUBLE_EQUAL(sums->reaction_force[2], force, 1e-6);
    CU_ASSERT(fabs(sums->external_work - 2.0 * sums->strain_energy) < 1e-6 * work);
    ew_model_verification result;
    must(ew_model_verify(model, &result));
    CU_ASSERT_EQUAL(result.n_different, 0);
    ew_model_free(model);
}

static void test_block_sinks_and_turns(void)
{
    sink_and_turn(NULL);
    if (device) {
        sink_and_turn(device);
    }
}

/* Where the body is soft, too, all that stands on edges counts. */
static void test_device_gives_the_same(void)
{
    ew_model *model[2];
    for (int is_bent = 0; is_bent < 2 && device; is_bent++) {
        for (int i = 0; i < 2; i++) {
            const ew_model_spring soil[] = {
                {.kind = EW_SPRING_FOUNDATION, .stiffness = {900.0, 40.0, 0.0}},
                {.kind = EW_SPRING_TOTAL, .stiffness = {30.0, 20.0, 10.0}}};
            const ew_model_load load = {.kind = EW_LOAD_GRAVITY, .vector = {1.0, 2.0, -9.0}};
            model[i] = make_block(i ? device : NULL, 200.0, is_bent, EW_SET_OF_FACES);
            must(ew_model_set_springs(model[i], 2, soil));
            must(ew_model_set_loads(model[i], 1, &load));
            solve(model[i], 1e-12);
            ew_model_verification result;
            must(ew_model_verify(model[i], &result));
            CU_ASSERT_EQUAL(result.n_different, 0);
        }
        const int32_t n = 3 * ew_model_mesh(model[0])->n_vertex;
        const double *a = ew_model_displacement(model[0]), *b = ew_model_displacement(model[1]);
        double largest = 0.0, error = 0.0;
        for (int32_t k = 0; k < n; k++) {
            largest = fmax(largest, fabs(a[k]));
            error = fmax(error, fabs(a[k] - b[k]));
        }
        CU_ASSERT(largest > 1e-3 && error < 1e-9 * largest);
        ew_model_free(model[0]);
        ew_model_free(model[1]);
    }
}

/* On curved faces: a total is what it says, and the answer that of the same springs as moments and
 * forces have it: a stiff block moves as if it were rigid. */
static void test_total_on_curved_faces(void)
{
    ew_model *model = make_block(NULL, 1e9, true, EW_SET_OF_FACES);
    const double total[3] = {50.0, 40.0, 20.0}, force[3] = {1.0, -2.0, 3.0};
    const ew_model_spring soil = {.kind = EW_SPRING_TOTAL, .stiffness = {50.0, 40.0, 20.0}};
    ew_model_load load = {.kind = EW_LOAD_TOTAL_FORCE, .set = 0};
    const ew_sums *sums;
    memcpy(load.vector, force, sizeof force);
    must(ew_model_set_springs(model, 1, &soil));
    must(ew_model_set_loads(model, 1, &load));
    solve(model, 1e-11);
    const double *u = ew_model_displacement(model);
    for (int32_t v = 0; v < ew_model_mesh(model)->n_vertex; v++) {
        for (int c = 0; c < 3; c++) {
            CU_ASSERT_DOUBLE_EQUAL(u[3 * v + c], force[c] / total[c], 2e-3);
        }
    }
    must(ew_model_recover(model, NULL, &sums));
    for (int c = 0; c < 3; c++) {
        CU_ASSERT_DOUBLE_EQUAL(sums->reaction_force[c], -force[c], 1e-6);
    }
    ew_model_free(model);
}

/* ---- in motion ------------------------------------------------------------------------ */

static double energy_drift(ew_model *model, ew_scheme_kind scheme, ew_mass_kind mass, int n)
{
    ew_dynamics_def def = ew_default_dynamics_def();
    ew_energy_account first, now;
    double dt;
    def.scheme = scheme;
    def.mass = mass;
    def.account = true;
    def.solver.tolerance = 1e-12;
    for (int32_t v = 0; v < ew_model_mesh(model)->n_vertex; v++) {
        ew_model_velocity(model)[3 * v + 2] = ew_model_mesh(model)->xyz[3 * v];
    }
    must(ew_model_start_dynamics(model, &def, 0.0));
    must(ew_model_stable_step(model, &dt));
    must(ew_model_account(model, &first));
    for (int k = 0; k < n; k++) {
        must(ew_model_advance(model, fmin(0.99 * dt, 2e-3), NULL));
    }
    must(ew_model_account(model, &now));
    CU_ASSERT(now.spring > 0.0 && now.strain > 0.0);
    return fabs(now.kinetic + now.strain + now.spring - first.kinetic) / first.kinetic;
}

/* Energy stays, springs and all; an explicit scheme is stable up to its stable step, where soft
 * bodies on stiff foundations take their steps from the springs. Steps of 2e-3 are 0.90 of 2 / w at
 * the largest frequency w, so that the energy of each mode swings, by v^2 + (1 - 0.90^2) w^2 u^2 =
 * constant up to 5.3 times that at the start. */
static void test_motion(void)
{
    for (int i = 0; i < (device ? 2 : 1); i++) {
        const ew_model_spring soil = {.kind = EW_SPRING_FOUNDATION, .stiffness = {1e5, 1e4, 0.0}};
        ew_model *model = make_block(i ? device : NULL, 200.0, i == 1, EW_SET_OF_FACES);
        must(ew_model_set_springs(model, 1, &soil));
        CU_ASSERT(energy_drift(model, EW_NEWMARK, EW_MASS_CONSISTENT, 30) < 1e-8);
        ew_model_free(model);
        model = make_block(i ? device : NULL, 2.0, i == 1, EW_SET_OF_FACES);
        must(ew_model_set_springs(model, 1, &soil));
        CU_ASSERT(energy_drift(model, EW_CENTRAL_DIFFERENCE, EW_MASS_LUMPED, 3000) < 4.3);
        ew_model_free(model);
    }
}

/* ---- edits ------------------------------------------------------------------------------ */

/* Springs come, go and change, tets become linear and quadratic, and blocks follow. */
static void test_changes(void)
{
    for (int i = 0; i < (device ? 2 : 1); i++) {
        ew_model *model = make_block(i ? device : NULL, 200.0, false, EW_SET_OF_VERTICES);
        ew_model_spring soil = {.kind = EW_SPRING_FOUNDATION, .stiffness = {50.0, 30.0, 0.0}};
        const ew_model_load load = {.kind = EW_LOAD_GRAVITY, .vector = {0.0, 0.0, -9.0}};
        const ew_model_constraint some = {.set = 0, .fixed = 7};
        must(ew_model_set_loads(model, 1, &load));
        for (int k = 0; k < 6; k++) {
            ew_list tet = {0};
            ew_model_verification result;
            soil.stiffness[0] = k == 3 ? 5e4 : 50.0;
            must(ew_model_set_constraints(model, k == 4, &some));
            must(ew_model_set_springs(model, k != 4, &soil));
            for (int32_t t = 0; t < 30; t++) {
                must(k % 3 == 2 ? ew_list_push(&tet, t) : EW_OK);
            }
            must(ew_model_enrich(model, &tet, k == 5));
            solve(model, 1e-9);
            must(ew_model_recover(model, NULL, NULL));
            must(ew_model_verify(model, &result));
            CU_ASSERT_EQUAL(result.n_different, 0);
            ew_list_free(&tet);
        }
        must(ew_model_set_order(model, false));
        solve(model, 1e-9);
        ew_model_free(model);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"polynomials", test_polynomials},
        {"order", test_order},
        {"symmetry_parts_and_blocks", test_symmetry_parts_and_blocks},
        {"block_sinks_and_turns", test_block_sinks_and_turns},
        {"device_gives_the_same", test_device_gives_the_same},
        {"total_on_curved_faces", test_total_on_curved_faces},
        {"motion", test_motion},
        {"changes", test_changes},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"spring faces", open_device, close_device, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
