/* Edits that turn or reflect a body: axes of its material by tet go along, with the law of every
 * tet, and so does what it moves by; blocks are those of a rebuild. */
#include "axes_fixture.h"

/* Twice the energy of a strain as a tensor e [3][3] in a law. */
static double energy_of(const ew_elastic *law, const double *e)
{
    const double strain[6] = {e[0], e[4], e[8], 2.0 * e[1], 2.0 * e[5], 2.0 * e[2]};
    double stress[6], sum = 0.0;
    ew_elastic_stress(law, strain, stress);
    for (int c = 0; c < 6; c++) {
        sum += strain[c] * stress[c];
    }
    return sum;
}

/* Strains, and the thermal strain, that are turned by r with their tet cost in it what they cost
 * before. */
static void check_law(const ew_elastic *before, const ew_elastic *now, const double r[9],
                      uint64_t *random)
{
    for (int k = 0; k < 4; k++) {
        double e[9], turned[9] = {0.0};
        for (int i = 0; i < 9; i++) {
            const int v[9] = {0, 3, 5, 3, 1, 4, 5, 4, 2};
            const double thermal = before->expansion[v[i]] * (v[i] < 3 ? 1.0 : 0.5);
            e[i] = k == 0          ? thermal
                   : i / 3 > i % 3 ? e[3 * (i % 3) + i / 3]
                                   : (double)ew_test_random(random, 2001) / 1000.0 - 1.0;
        }
        for (int i = 0; i < 81; i++) {
            const int to = i / 9, from = i % 9;
            turned[to] += r[3 * (to / 3) + from / 3] * r[3 * (to % 3) + from % 3] * e[from];
        }
        const double cost = energy_of(before, e);
        CU_ASSERT_DOUBLE_EQUAL(energy_of(now, turned), cost, 1e-9 * cost);
        for (int c = 0; c < 3 && k == 0; c++) {
            CU_ASSERT_DOUBLE_EQUAL(now->expansion[c], turned[4 * c], 1e-12);
        }
    }
}

typedef struct turning_edit {
    const char *operation, *key[3], *value[3];
    double r[9];
    bool keeps; /* bits of axes */
} turning_edit;

/* Laws of tets before an edit and the ids that these have; after it, of those that it moved, and of
 * those that it added as images of the others. */
static void check_turning_edit(const turning_edit *edit, ew_model *model)
{
    const ew_operation *operation = ew_operation_named(edit->operation);
    ew_operation_values values = ew_operation_presets(operation);
    const ew_mesh *mesh = ew_model_mesh(model);
    const int32_t n = mesh->n_tet;
    ew_elastic *law = calloc((size_t)n, sizeof *law);
    double *axes = calloc((size_t)n, 6 * sizeof *axes);
    const ew_matrix *matrix;
    ew_model_verification result;
    uint64_t random = 3;
    must(ew_model_matrix(model, &matrix));
    for (int32_t t = 0; t < n; t++) {
        law[t] = ew_elastic_of_tet(ew_model_materials(model), mesh, t);
    }
    memcpy(axes, ew_model_material_axes(model), 6 * sizeof *axes * (size_t)n);
    for (int k = 0; k < 3 && edit->key[k]; k++) {
        must(ew_operation_set(operation, &values, edit->key[k], edit->value[k], EW_AS_KEYS));
    }
    must(ew_model_queue_operation(model, operation, &values, NULL));
    CU_ASSERT_STRING_EQUAL(ew_model_remark(model), "");
    must(ew_model_commit(model));
    must(ew_model_matrix(model, &matrix));
    must(ew_model_verify(model, &result));
    CU_ASSERT_EQUAL(result.n_different, 0);
    const ew_change *change = ew_model_change(model);
    const bool adds = change->added_tet.n > 0;
    for (int32_t i = 0; i < n; i++) {
        const int32_t t = adds ? change->added_tet.id[i] : i;
        const int32_t from = adds ? change->added_tet_from[i] : i;
        const ew_elastic now = ew_elastic_of_tet(ew_model_materials(model), mesh, t);
        check_law(&law[from], &now, edit->r, &random);
        CU_ASSERT(!edit->keeps || !memcmp(ew_model_material_axes(model) + 6 * (size_t)t,
                                          axes + 6 * (size_t)from, 6 * sizeof *axes));
    }
    free(law);
    free(axes);
}

/* 21 constants, so that a mirrored law is one of no other rotation. */
static ew_material crystal_along(ew_material_axes_kind kind)
{
    ew_material crystal = {.kind = EW_ANISOTROPIC,
                           .density = 1.0,
                           .expansions = {1e-3, 3e-3, 5e-3, 1e-3, -2e-3, 4e-3},
                           .axes = {.kind = kind, .first = {1, 0, 0}, .second = {0, 1, 0}}};
    for (int i = 0; i < 6; i++) {
        for (int j = i; j < 6; j++) {
            crystal.stiffness[ew_modulus_at(i, j)] =
                i == j ? 200.0 + 30.0 * i : 4.0 * i - 7.0 * j + 25.0 / (1.0 + i);
        }
    }
    return crystal;
}

static const turning_edit turning_edits[] = {
    {"mirror", {"normal"}, {"x"}, {-1, 0, 0, 0, 1, 0, 0, 0, 1}, false},
    {"mirror", {"normal", "at"}, {"y", "min"}, {1, 0, 0, 0, -1, 0, 0, 0, 1}, false},
    {"rotate", {"angle", "axis"}, {"90", "z"}, {0, -1, 0, 1, 0, 0, 0, 0, 1}, false},
    {"move",
     {"angle", "axis", "center"},
     {"-90", "x", "3,1,2"},
     {1, 0, 0, 0, 0, 1, 0, -1, 0},
     false},
    {"move", {"by"}, {"1,2,3"}, {1, 0, 0, 0, 1, 0, 0, 0, 1}, true},
    {"scale", {"factor"}, {"2,1,0.5"}, {1, 0, 0, 0, 1, 0, 0, 0, 1}, true},
    {"scale", {"factor"}, {"2"}, {1, 0, 0, 0, 1, 0, 0, 0, 1}, true},
};

/* One after another, on linear, quadratic and curved tets. */
static void check_turned_bodies(ew_device *on)
{
    const ew_material crystal = crystal_along(EW_MATERIAL_AXES_FIELD);
    for (int order = 0; order < 3; order++) {
        ew_model *model = make_body_on(order, EW_MATERIAL_AXES_FIELD, on);
        double *axes = make_axes(ew_model_mesh(model));
        must(ew_model_set_material(model, EW_ALL_REGIONS, &crystal));
        must(ew_model_set_material_axes(model, axes));
        free(axes);
        for (size_t k = order > 0; k < sizeof turning_edits / sizeof *turning_edits; k++) {
            check_turning_edit(&turning_edits[k], model);
        }
        ew_model_free(model);
    }
}

static void test_turned_bodies(void)
{
    check_turned_bodies(NULL);
    if (device) {
        check_turned_bodies(device);
    }
}

/* The end of the body by 0.1 rad about x. */
static ew_status queue_turn_of_end(void *user, const ew_model *model, ew_edit *edit)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    (void)user;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        const double *x = mesh->xyz + 3 * (size_t)v, c = cos(0.1), s = sin(0.1);
        const double to[3] = {x[0], c * x[1] - s * x[2], s * x[1] + c * x[2]};
        EW_TRY(x[0] > 0.5 ? ew_edit_move_vertex(edit, v, to) : EW_OK);
    }
    return EW_OK;
}

/* Tets that are moved in part keep their axes, to the bit. */
static void check_turned_part(ew_device *on)
{
    ew_model *model = make_body_on(0, EW_MATERIAL_AXES_FIELD, on);
    const ew_mesh *mesh = ew_model_mesh(model);
    double *axes = make_axes(mesh);
    const ew_matrix *matrix;
    ew_model_verification result;
    int32_t n_turned = 0;
    must(ew_model_set_material_axes(model, axes));
    memcpy(axes, ew_model_material_axes(model), 6 * sizeof *axes * (size_t)mesh->n_tet);
    must(ew_model_matrix(model, &matrix));
    must(ew_model_apply(model, queue_turn_of_end, NULL));
    must(ew_model_matrix(model, &matrix));
    must(ew_model_verify(model, &result));
    CU_ASSERT_EQUAL(result.n_different, 0);
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        const double *before = axes + 6 * (size_t)t;
        const double *now = ew_model_material_axes(model) + 6 * (size_t)t, c = cos(0.1);
        bool whole = true;
        for (int k = 0; k < 4; k++) {
            whole = whole && mesh->xyz[3 * (size_t)mesh->tet[4 * (size_t)t + (size_t)k]] > 0.5;
        }
        n_turned += whole;
        CU_ASSERT(whole || !memcmp(now, before, 6 * sizeof *now));
        for (int k = 0; k < 6 && whole; k += 3) {
            CU_ASSERT_DOUBLE_EQUAL(now[k], before[k], 1e-14);
            CU_ASSERT_DOUBLE_EQUAL(now[k + 1], c * before[k + 1] - sin(0.1) * before[k + 2], 1e-14);
        }
    }
    CU_ASSERT(n_turned > 0 && n_turned < mesh->n_tet);
    free(axes);
    ew_model_free(model);
}

static void test_turned_part(void)
{
    check_turned_part(NULL);
    if (device) {
        check_turned_part(device);
    }
}

/* Axes that are given for the region stay where they are, which is said wherever it makes another
 * body; not of one that is its own image. */
static void test_axes_by_region(void)
{
    ew_material isotropic = {.young = 100.0, .poisson = 0.3}, fixed, cylinder;
    fixed = wood_along(EW_MATERIAL_AXES_FIXED);
    memcpy(fixed.axes.first, (double[]){1, 1, 0}, sizeof fixed.axes.first);
    memcpy(fixed.axes.second, (double[]){-1, 1, 0}, sizeof fixed.axes.second);
    cylinder = wood_along(EW_MATERIAL_AXES_CYLINDER);
    memcpy(cylinder.axes.third, (double[]){0, 0, 1}, sizeof cylinder.axes.third);
    const struct {
        ew_material material;
        const char *operation, *key[3], *value[3];
        bool says;
    } trials[] = {
        {isotropic, "mirror", {"normal"}, {"x"}, false},
        {isotropic, "rotate", {"angle", "axis"}, {"30", "z"}, false},
        {wood_along(EW_MATERIAL_AXES_GLOBAL), "mirror", {"normal"}, {"x"}, false},
        {wood_along(EW_MATERIAL_AXES_GLOBAL), "rotate", {"angle", "axis"}, {"30", "z"}, true},
        {crystal_along(EW_MATERIAL_AXES_GLOBAL), "mirror", {"normal"}, {"x"}, true},
        {fixed, "mirror", {"normal"}, {"x"}, true},
        {fixed, "mirror", {"normal"}, {"z"}, false},
        {fixed, "rotate", {"angle", "axis"}, {"180", "z"}, false},
        {fixed, "move", {"angle", "axis"}, {"20", "z"}, true},
        {fixed, "move", {"by"}, {"1,2,3"}, false},
        {fixed, "scale", {"factor"}, {"1,2,3"}, false},
        {cylinder, "rotate", {"angle", "axis"}, {"20", "x"}, true},
        {cylinder, "rotate", {"angle", "axis", "center"}, {"20", "z", "-0.4,0.3,7"}, false},
        {cylinder, "mirror", {"normal"}, {"x"}, true},
        {cylinder, "mirror", {"normal"}, {"z"}, false},
    };
    for (size_t k = 0; k < sizeof trials / sizeof *trials; k++) {
        const ew_operation *operation = ew_operation_named(trials[k].operation);
        ew_operation_values values = ew_operation_presets(operation);
        ew_model *model = make_body(0, EW_MATERIAL_AXES_CYLINDER);
        must(ew_model_set_material(model, EW_ALL_REGIONS, &trials[k].material));
        for (int i = 0; i < 3 && trials[k].key[i]; i++) {
            must(ew_operation_set(operation, &values, trials[k].key[i], trials[k].value[i],
                                  EW_AS_KEYS));
        }
        must(ew_model_queue_operation(model, operation, &values, NULL));
        const char *remark = ew_model_remark(model);
        CU_ASSERT_EQUAL(strstr(remark, "those of region ") != NULL, trials[k].says);
        CU_ASSERT_EQUAL(strncmp(remark, operation->name, strlen(operation->name)) == 0,
                        trials[k].says);
        CU_ASSERT(strlen(remark) < EW_REMARK_TEXT - 1); /* not cut */
        must(ew_model_commit(model));
        ew_model_free(model);
    }
}

/* ---- motion ----------------------------------------------------------------------------- */

/* Place of the vertex at a place, or -1. */
static int32_t vertex_at(const double *xyz, int32_t n, const double *at)
{
    for (int32_t v = 0; v < n; v++) {
        const double *x = xyz + 3 * (size_t)v;
        if (fabs(x[0] - at[0]) + fabs(x[1] - at[1]) + fabs(x[2] - at[2]) < 1e-9) {
            return v;
        }
    }
    return -1;
}

static void apply(ew_model *model, const turning_edit *edit)
{
    const ew_operation *operation = ew_operation_named(edit->operation);
    ew_operation_values values = ew_operation_presets(operation);
    for (int k = 0; k < 3 && edit->key[k]; k++) {
        must(ew_operation_set(operation, &values, edit->key[k], edit->value[k], EW_AS_KEYS));
    }
    must(ew_model_queue_operation(model, operation, &values, NULL));
    must(ew_model_commit(model));
}

static void expect_turned(const double r[9], const double *from, const double *to)
{
    for (int c = 0; c < 3; c++) {
        const double turned = r[3 * c] * from[0] + r[3 * c + 1] * from[1] + r[3 * c + 2] * from[2];
        CU_ASSERT_DOUBLE_EQUAL(to[c], turned, 1e-12);
    }
}

/* An affine motion, and one of edges that is as their places are, so that images tell theirs:
 * u = (x, 2 y, -z), v = 3 u, edges 5 u of their middles. about: the place that r leaves. */
static void check_turned_motion(const turning_edit *edit, const double about[3], bool quadratic)
{
    ew_model *model = make_body(quadratic, EW_MATERIAL_AXES_GLOBAL);
    const ew_mesh *mesh = ew_model_mesh(model);
    const ew_topology *topology = ew_model_topology(model);
    const int32_t n = mesh->n_vertex;
    double *before = malloc(3 * sizeof *before * (size_t)n), along[3] = {1.0, 2.0, -1.0};
    int32_t n_image = 0, n_edge = 0;
    memcpy(before, mesh->xyz, 3 * sizeof *before * (size_t)n);
    for (int32_t i = 0; i < 3 * n; i++) {
        ew_model_field(model, 0)[i] = along[i % 3] * before[i];
        ew_model_velocity(model)[i] = 3.0 * along[i % 3] * before[i];
    }
    if (quadratic) {
        const ew_edge_rows *rows = ew_model_edge_rows(model);
        double *u = calloc((size_t)rows->pattern.n_row, 3 * sizeof *u);
        for (int32_t e = 0; e < topology->pattern.n_pair; e++) {
            const int32_t *end = topology->pattern.pair_row + 2 * (size_t)e;
            for (int c = 0; c < 3 && rows->row[e] >= 0; c++) {
                u[3 * rows->row[e] + c] =
                    2.5 * along[c] * (before[3 * end[0] + c] + before[3 * end[1] + c]);
            }
        }
        must(ew_model_put_edge_displacement(model, rows->pattern.n_row, u));
        free(u);
    }
    apply(model, edit);
    topology = ew_model_topology(model);
    int32_t *from = malloc(sizeof *from * (size_t)mesh->n_vertex);
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        double place[3]; /* r^T (x - about) + about */
        for (int c = 0; c < 3; c++) {
            place[c] = about[c];
            for (int k = 0; k < 3; k++) {
                place[c] += edit->r[3 * k + c] * (mesh->xyz[3 * v + k] - about[k]);
            }
        }
        from[v] = mesh->n_vertex > n && v < n ? -1 : vertex_at(before, n, place);
        if (from[v] >= 0) {
            double u[3], w[3];
            for (int c = 0; c < 3; c++) {
                u[c] = along[c] * before[3 * from[v] + c];
                w[c] = 3.0 * u[c];
            }
            n_image++;
            expect_turned(edit->r, u, ew_model_field(model, 0) + 3 * (size_t)v);
            expect_turned(edit->r, w, ew_model_velocity(model) + 3 * (size_t)v);
        }
    }
    CU_ASSERT(n_image >= n - 16); /* but for those in the plane */
    for (int32_t e = 0; quadratic && e < topology->pattern.n_pair; e++) {
        const int32_t *end = topology->pattern.pair_row + 2 * (size_t)e;
        const int32_t row = ew_model_edge_rows(model)->row[e];
        if (row >= 0 && from[end[0]] >= 0 && from[end[1]] >= 0) {
            double u[3];
            for (int c = 0; c < 3; c++) {
                u[c] =
                    2.5 * along[c] * (before[3 * from[end[0]] + c] + before[3 * from[end[1]] + c]);
            }
            n_edge++;
            expect_turned(edit->r, u, ew_model_edge_displacement(model) + 3 * (size_t)row);
        }
    }
    CU_ASSERT(!quadratic || n_edge > n);
    free(from);
    free(before);
    ew_model_free(model);
}

static void test_turned_motion(void)
{
    static const turning_edit edits[] = {
        {"mirror", {"normal"}, {"x"}, {-1, 0, 0, 0, 1, 0, 0, 0, 1}, false},
        {"rotate",
         {"angle", "axis", "center"},
         {"90", "z", "0.1,0.2,0"},
         {0, -1, 0, 1, 0, 0, 0, 0, 1},
         false},
        {"move",
         {"angle", "axis", "center"},
         {"-90", "x", "0,1,2"},
         {1, 0, 0, 0, 0, 1, 0, -1, 0},
         false},
    };
    static const double about[][3] = {{1, 0, 0}, {0.1, 0.2, 0}, {0, 1, 2}};
    for (size_t k = 0; k < sizeof edits / sizeof *edits; k++) {
        check_turned_motion(&edits[k], about[k], false);
        check_turned_motion(&edits[k], about[k], true);
    }
}

/* A mirror through a plane that vertices have left joins what does not fit; one through a plane
 * that they stay in does not, nor a turn; new vertices of a refine are between others. */
static void test_drift(void)
{
    static const turning_edit edits[] = {
        {"mirror", {"normal"}, {"x"}, {0}, false},
        {"mirror", {"normal"}, {"y"}, {0}, false},
        {"rotate", {"angle", "axis"}, {"90", "z"}, {0}, false},
        {"refine", {"longer_than"}, {"0.3"}, {0}, false},
    };
    static const bool drifts[] = {true, false, false, false};
    for (size_t k = 0; k < sizeof edits / sizeof *edits; k++) {
        ew_model *model = make_body(0, EW_MATERIAL_AXES_GLOBAL);
        const ew_mesh *mesh = ew_model_mesh(model);
        for (int32_t v = 0; v < mesh->n_vertex; v++) { /* along x, which a mirror in y leaves */
            ew_model_field(model, 0)[3 * (size_t)v] = 1.0 + mesh->xyz[3 * (size_t)v];
        }
        CU_ASSERT(!ew_model_has_interpolated_state(model));
        apply(model, &edits[k]);
        CU_ASSERT_EQUAL(ew_model_has_interpolated_state(model), drifts[k]);
        ew_model_free(model);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"turned_bodies", test_turned_bodies},
        {"turned_part", test_turned_part},
        {"axes_by_region", test_axes_by_region},
        {"turned_motion", test_turned_motion},
        {"drift", test_drift},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"turned_axes", open_device, close_device, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
