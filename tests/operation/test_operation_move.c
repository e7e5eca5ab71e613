/* Motions of vertices: along a radius, along normals, about an axis, by a table, of several sets at
 * once; scale and rotate of a set. */
#include "operation/basic/motion.h"
#include "operation_body.h"

#define PI 3.14159265358979323846

static void pick(const body *b, ew_selector where, ew_list *list)
{
    list->n = 0;
    CU_ASSERT_EQUAL_FATAL(ew_mesh_select(&b->mesh, &where, list), EW_OK);
}

static ew_selector beyond(double x, double y, double z, double nx, double ny, double nz)
{
    return (ew_selector){.kind = EW_SELECT_SIDE, .a = {x, y, z}, .b = {nx, ny, nz}};
}

/* Where a vertex is to go, or where it is. */
static const double *place_after(const body *b, int32_t v)
{
    for (int32_t i = 0; i < b->edit.move_vertex.n; i++) {
        if (b->edit.move_vertex.id[i] == v) {
            return b->edit.move_to + 3 * (size_t)i;
        }
    }
    return b->mesh.xyz + 3 * (size_t)v;
}

static ew_status run(body *b, const ew_list *list, ew_motion motion, double radius)
{
    const ew_move_def def = {.motion = motion, .radius = radius};
    return ew_operation_move_as(&b->mesh, &b->topology, list, &def, &b->edit);
}

static void test_away_from_an_axis(void)
{
    body b;
    ew_list top = {0};
    make_box(&b, 2, 1, 1, 4, 2, 2);
    pick(&b, beyond(2, 0, 0, 1, 0, 0), &top);
    const ew_motion line = {.kind = EW_MOTION_RADIAL,
                            .size = 0.1,
                            .has_axis = true,
                            .axis = {0, 0, 7},
                            .center = {-1, 0.3, 5}};
    CU_ASSERT_EQUAL_FATAL(run(&b, &top, line, 0.8), EW_OK);
    for (int32_t v = 0; v < b.mesh.n_vertex; v++) {
        const double *x = b.mesh.xyz + 3 * v, *y = place_after(&b, v);
        const double before = hypot(x[0] + 1, x[1] - 0.3), after = hypot(y[0] + 1, y[1] - 0.3);
        const double d = (2 - x[0]) / 0.8, w = d < 1 ? (1 - d * d) * (1 - d * d) : 0;
        CU_ASSERT_DOUBLE_EQUAL(after, before + 0.1 * w, 1e-13);
        CU_ASSERT_EQUAL(x[2], y[2]);
    }
    commit(&b);
    const ew_motion point = {.kind = EW_MOTION_RADIAL, .size = -0.2, .center = {-1, 0.5, 0.5}};
    pick(&b, (ew_selector){.kind = EW_SELECT_ALL}, &top);
    CU_ASSERT_EQUAL_FATAL(run(&b, &top, point, 0), EW_OK);
    for (int32_t v = 0; v < b.mesh.n_vertex; v++) {
        const double *x = b.mesh.xyz + 3 * v, *y = place_after(&b, v);
        CU_ASSERT_DOUBLE_EQUAL(hypot(hypot(y[0] + 1, y[1] - 0.5), y[2] - 0.5),
                               hypot(hypot(x[0] + 1, x[1] - 0.5), x[2] - 0.5) - 0.2, 1e-13);
    }
    ew_edit_clear(&b.edit);
    ew_motion through = line;
    memcpy(through.center, b.mesh.xyz + 3 * top.id[3], sizeof through.center);
    REFUSED(run(&b, &top, through, 0), EW_BAD_EDIT, "lies on the axis");
    through.has_axis = false;
    REFUSED(run(&b, &top, through, 0), EW_BAD_EDIT, "lies at the center");
    through.has_axis = true;
    through.axis[2] = 0;
    REFUSED(run(&b, &top, through, 0), EW_BAD_ARGUMENT, "the axis has length 0");
    through.size = NAN;
    REFUSED(run(&b, &top, through, 0), EW_BAD_ARGUMENT, "size of the motion");
    ew_list_free(&top);
    drop(&b);
}

/* A face of a box moves as a whole, its rim included; an octant of a sphere grows. */
static void test_along_normals(void)
{
    body b;
    ew_list list = {0};
    make_box(&b, 2, 1, 1, 4, 2, 2);
    pick(&b, beyond(0, 0, 1, 0, 0, 1), &list);
    const ew_motion out = {.kind = EW_MOTION_NORMAL, .size = 0.25};
    CU_ASSERT_EQUAL_FATAL(run(&b, &list, out, 0), EW_OK);
    CU_ASSERT_EQUAL(b.edit.move_vertex.n, list.n);
    for (int32_t i = 0; i < list.n; i++) {
        const double *x = b.mesh.xyz + 3 * list.id[i], *y = place_after(&b, list.id[i]);
        CU_ASSERT(y[0] == x[0] && y[1] == x[1] && y[2] == 1.25);
    }
    commit(&b);
    CLOSE(measure(&b).volume, 2.5, 1e-14);
    pick(&b, (ew_selector){.kind = EW_SELECT_ALL}, &list);
    REFUSED(run(&b, &list, out, 0), EW_BAD_EDIT, "has no normal: it lies inside the body");
    drop(&b);

    b = (body){0};
    CU_ASSERT_EQUAL_FATAL(ew_shape_sphere_octant(&b.mesh, 1, 2, (int32_t[2]){6, 4}), EW_OK);
    follow(&b);
    list.n = 0;
    for (int32_t v = 0; v < b.mesh.n_vertex; v++) {
        const double *x = b.mesh.xyz + 3 * v;
        if (hypot(hypot(x[0], x[1]), x[2]) > 1.999) {
            CU_ASSERT_EQUAL(ew_list_push(&list, v), EW_OK);
        }
    }
    CU_ASSERT_EQUAL_FATAL(run(&b, &list, out, 0), EW_OK);
    for (int32_t i = 0; i < list.n; i++) { /* at the rim, faces on one side alone speak */
        const double *y = place_after(&b, list.id[i]);
        CU_ASSERT_DOUBLE_EQUAL(hypot(hypot(y[0], y[1]), y[2]), 2.25, 0.01);
    }
    ew_list_free(&list);
    drop(&b);
}

static void test_about_an_axis(void)
{
    body b;
    ew_list list = {0};
    make_box(&b, 2, 1, 1, 4, 2, 2);
    pick(&b, (ew_selector){.kind = EW_SELECT_ALL}, &list);
    const ew_motion quarter = {
        .kind = EW_MOTION_TURN, .size = PI / 2, .axis = {0, 3, 0}, .center = {1, 9, 0.5}};
    const double volume = measure(&b).volume;
    for (int i = 0; i < 4; i++) {
        CU_ASSERT_EQUAL_FATAL(run(&b, &list, quarter, 0), EW_OK);
        const double *x = b.mesh.xyz, *y = place_after(&b, 0);
        CU_ASSERT_DOUBLE_EQUAL(y[0] - 1, x[2] - 0.5, 1e-14); /* z turns to x */
        CU_ASSERT_DOUBLE_EQUAL(y[2] - 0.5, 1 - x[0], 1e-14);
        CU_ASSERT_DOUBLE_EQUAL(y[1], x[1], 1e-14);
        commit(&b);
        CLOSE(measure(&b).volume, volume, 1e-13);
    }
    /* Half of it turns, the rest follows less and less, and keeps its distance from the axis. */
    const ew_motion twist = {
        .kind = EW_MOTION_TURN, .size = 0.3, .axis = {1, 0, 0}, .center = {0, 0.5, 0.5}};
    pick(&b, beyond(1.5, 0, 0, 1, 0, 0), &list);
    CU_ASSERT_EQUAL_FATAL(run(&b, &list, twist, 1.2), EW_OK);
    CU_ASSERT(b.edit.move_vertex.n > list.n);
    for (int32_t v = 0; v < b.mesh.n_vertex; v++) {
        const double *x = b.mesh.xyz + 3 * v, *y = place_after(&b, v);
        CU_ASSERT_DOUBLE_EQUAL(hypot(x[1] - 0.5, x[2] - 0.5), hypot(y[1] - 0.5, y[2] - 0.5), 1e-13);
    }
    commit(&b);
    ew_list_free(&list);
    drop(&b);
}

/* ---- tables --------------------------------------------------------------- */

static ew_status read(const char *text, ew_move_table *table)
{
    ew_move_table_free(table);
    return ew_move_table_read("moves.csv", text, strlen(text), table);
}

static void test_table_is_read(void)
{
    ew_move_table t = {0};
    CU_ASSERT_EQUAL_FATAL(read("vertex_id,dx,dy,dz\n7,1,2,3\r\n# no row\n\n 2 ; 0.5; -1e-3 ;4", &t),
                          EW_OK);
    CU_ASSERT_EQUAL_FATAL(t.n, 2);
    CU_ASSERT(t.id[0] == 7 && t.id[1] == 2 && t.by[2] == 3 && t.by[3] == 0.5 && t.by[4] == -1e-3);
    CU_ASSERT_EQUAL_FATAL(read("0 1 2 3\n", &t), EW_OK);
    CU_ASSERT(t.n == 1 && t.by[2] == 3);
    CU_ASSERT_EQUAL_FATAL(read("\xEF\xBB\xBF"
                               "5,0,0,1\n6,0,0,2",
                               &t),
                          EW_OK); /* no head */
    CU_ASSERT(t.n == 2 && t.id[0] == 5);
    static const char *const wrong[][2] = {
        {"", "has no rows"},
        {"id,x,y,z\n", "has no rows"},
        {"1,2,3\n", "moves.csv:1: a row has four numbers"},
        {"1,2,3,4,5\n", "moves.csv:1: a row has four"},
        {"1,2,3,nan\n", "moves.csv:1: a row has four"},
        {"a,b,c,d\n1,2,,4\n", "moves.csv:2: a row"},
        {"a\nb\n", "moves.csv:2: a row"},
        {"1,0,0,0\nx,y,z,w\n", "moves.csv:2: a row"},
        {"1.5,0,0,0\n", "a whole number from 0, not 1.5"},
        {"-1,0,0,0\n", "a whole number from 0, not -1"},
        {"1e300,0,0,0\n", "a whole number from 0"},
        {"1,0,0,1e999\n", "a row has four"},
        {"3,0,0,0\n2,0,0,0\n3,1,1,1\n", "vertex 3 has more than one row"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        CU_ASSERT_EQUAL(read(wrong[i][0], &t), EW_BAD_INPUT);
        if (!strstr(ew_message(), wrong[i][1])) {
            printf("\n'%s' is not in: %s\n", wrong[i][1], ew_message());
            CU_FAIL("another message");
        }
    }
    ew_move_table_free(&t);
}

static void test_by_a_table(void)
{
    body b;
    make_box(&b, 2, 1, 1, 4, 2, 2);
    const ew_operation *move = ew_operation_named("move");
    ew_operation_values values = ew_operation_presets(move);
    const char *text = "id,dx,dy,dz\n44,0,0.01,0\n0,-0.1,0,0\n";
    CU_ASSERT_EQUAL(ew_operation_set(move, &values, "table", "a.csv", EW_AS_KEYS), EW_OK);
    ew_parameter_value *table = &values.of[ew_operation_parameter(move, "table")];
    const ew_operation_input in = {
        .operation = move, .mesh = &b.mesh, .topology = &b.topology, .values = &values};
    REFUSED(move->queue(&in, &b.edit), EW_UNSUPPORTED, "'a.csv' cannot be read");
    table->content = text;
    table->content_size = strlen(text);
    CU_ASSERT_EQUAL_FATAL(move->queue(&in, &b.edit), EW_OK);
    CU_ASSERT_EQUAL(b.edit.move_vertex.n, 2);
    CU_ASSERT_EQUAL(place_after(&b, 0)[0], b.mesh.xyz[0] - 0.1);
    CU_ASSERT_EQUAL(place_after(&b, 44)[1], b.mesh.xyz[3 * 44 + 1] + 0.01);
    commit(&b);
    table->content = "4000,0,0,0";
    table->content_size = 10;
    REFUSED(move->queue(&in, &b.edit), EW_BAD_INPUT, "4000");
    drop(&b);
}

/* ---- several sets ----------------------------------------------------------- */

static bool is_outside(const double *x)
{
    return x[0] == 0 || x[1] == 0 || x[2] == 0 || x[0] == 2 || x[1] == 1 || x[2] == 1;
}

static void fill_linear(const body *b, const ew_list *list, double *by)
{
    for (int32_t i = 0; i < list->n; i++) {
        const double *x = b->mesh.xyz + 3 * list->id[i];
        by[3 * i] = 0.1 * x[0] + 0.05 * x[1];
        by[3 * i + 1] = 0.02 * x[2] - 0.01;
        by[3 * i + 2] = -0.1 * x[2] + 0.03 * x[0];
    }
}

/* Linear tets have linear fields exactly. */
static void test_harmonic_is_exact_for_linear_fields(void)
{
    body b;
    ew_list list = {0};
    double by[3 * 700], all[3 * 700];
    make_box(&b, 2, 1, 1, 12, 5, 5);
    CU_ASSERT_FATAL(b.mesh.n_vertex <= 700);
    CU_ASSERT_EQUAL_FATAL(ew_operation_smooth(&b.mesh, &b.topology, 2, &b.edit), EW_OK);
    commit(&b);
    for (int32_t v = 0; v < b.mesh.n_vertex; v++) {
        CU_ASSERT_EQUAL(is_outside(b.mesh.xyz + 3 * v) ? ew_list_push(&list, v) : EW_OK, EW_OK);
    }
    fill_linear(&b, &list, by);
    const ew_moved_set set = {&list, {.kind = EW_MOTION_TABLE, .each = by}};
    CU_ASSERT_EQUAL_FATAL(ew_operation_move_sets(&b.mesh, &b.topology, 1, &set, EW_BLEND_HARMONIC,
                                                 false, &b.edit),
                          EW_OK);
    pick(&b, (ew_selector){.kind = EW_SELECT_ALL}, &list);
    fill_linear(&b, &list, all);
    for (int32_t v = 0; v < b.mesh.n_vertex; v++) {
        for (int c = 0; c < 3; c++) {
            CU_ASSERT_DOUBLE_EQUAL(place_after(&b, v)[c], b.mesh.xyz[3 * v + c] + all[3 * v + c],
                                   1e-10);
        }
    }
    commit(&b);
    ew_list_free(&list);
    drop(&b);
}

/* Two ends that turn against each other: exact at both, in between the mean; the first set counts.
 */
static void test_sets_blend(void)
{
    for (int blend = 0; blend < 2; blend++) {
        body b;
        ew_list end[3] = {{0}, {0}, {0}};
        make_box(&b, 4, 1, 1, 16, 4, 4);
        pick(&b, beyond(4, 0, 0, 1, 0, 0), &end[0]);
        pick(&b, beyond(0, 0, 0, -1, 0, 0), &end[1]);
        pick(&b, beyond(3.9, 0, 0.5, 1, 0, 1), &end[2]);
        const ew_moved_set set[3] = {{&end[0], {.kind = EW_MOTION_SHIFT, .by = {0.4, 0, 0.2}}},
                                     {&end[1], {.kind = EW_MOTION_SHIFT}},
                                     {&end[0], {.kind = EW_MOTION_SHIFT, .by = {9, 9, 9}}}};
        CU_ASSERT_EQUAL_FATAL(ew_operation_move_sets(&b.mesh, &b.topology, 3, set, (ew_blend)blend,
                                                     false, &b.edit),
                              EW_OK);
        for (int32_t v = 0; v < b.mesh.n_vertex; v++) {
            const double *x = b.mesh.xyz + 3 * v, *y = place_after(&b, v), s = x[0] / 4;
            if (s == 0 || s == 1) {
                CU_ASSERT_EQUAL(y[0], x[0] + 0.4 * s);
                CU_ASSERT_EQUAL(y[2], x[2] + 0.2 * s);
            }
            CU_ASSERT(blend || fabs(y[0] - x[0] - 0.4 * s) < 1e-9); /* linear again */
            CU_ASSERT(y[0] - x[0] > -1e-9 && y[0] - x[0] < 9);
        }
        if (blend == 0) {
            commit(&b);
        }
        for (int i = 0; i < 3; i++) {
            ew_list_free(&end[i]);
        }
        drop(&b);
    }
}

/* The same body with its slots in another order moves to the same bits, by vertex_id. */
static void test_slots_do_not_show(void)
{
    body b, other = {0};
    make_box(&b, 2, 1, 1, 8, 4, 4);
    const int32_t n = b.mesh.n_vertex;
    int32_t order[800];
    for (int32_t v = 0; v < n; v++) {
        order[v] = (v * 7 + 3) % n;
    }
    CU_ASSERT_FATAL(n % 7 != 0 && n <= 800);
    CU_ASSERT_EQUAL_FATAL(ew_mesh_compact_copy(&other.mesh, &b.mesh, order, true, NULL, NULL),
                          EW_OK);
    follow(&other);
    for (int blend = 0; blend < 2; blend++) {
        body *of[2] = {&b, &other};
        for (int i = 0; i < 2; i++) {
            ew_list list[2] = {{0}, {0}};
            pick(of[i], beyond(2, 0, 0, 1, 0, 0), &list[0]);
            pick(of[i], beyond(0, 0, 0, -1, 0, 0), &list[1]);
            const ew_moved_set set[2] = {
                {&list[0], {.kind = EW_MOTION_NORMAL, .size = 0.1}},
                {&list[1], {.kind = EW_MOTION_TURN, .size = 0.2, .axis = {1, 0, 0.1}}}};
            CU_ASSERT_EQUAL_FATAL(ew_operation_move_sets(&of[i]->mesh, &of[i]->topology, 2, set,
                                                         (ew_blend)blend, false, &of[i]->edit),
                                  EW_OK);
            commit(of[i]);
            ew_list_free(&list[0]);
            ew_list_free(&list[1]);
        }
        for (int32_t v = 0; v < n; v++) {
            CU_ASSERT_EQUAL(b.mesh.vertex_id[v], other.mesh.vertex_id[order[v]]);
            CU_ASSERT_EQUAL(
                memcmp(b.mesh.xyz + 3 * v, other.mesh.xyz + 3 * order[v], 3 * sizeof(double)), 0);
        }
    }
    drop(&b);
    drop(&other);
}

/* ---- scale and rotate of a set -------------------------------------------------- */

static void queue_named(body *b, const char *name, const char *const *pair, const ew_list *list)
{
    const ew_operation *operation = ew_operation_named(name);
    ew_operation_values values = ew_operation_presets(operation);
    int32_t at;
    for (; *pair; pair += 2) {
        CU_ASSERT_EQUAL(ew_operation_set(operation, &values, pair[0], pair[1], EW_AS_KEYS), EW_OK);
    }
    CU_ASSERT_EQUAL(ew_operation_check(operation, &values, EW_AS_KEYS, &at), EW_OK);
    const ew_operation_input in = {.operation = operation,
                                   .mesh = &b->mesh,
                                   .topology = &b->topology,
                                   .values = &values,
                                   .vertex = list};
    CU_ASSERT_EQUAL_FATAL(operation->queue(&in, &b->edit), EW_OK);
}

#define PAIRS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void test_scale_and_rotate_a_set(void)
{
    body b;
    ew_list end = {0};
    make_box(&b, 4, 1, 1, 16, 4, 4);
    pick(&b, beyond(4, 0, 0, 1, 0, 0), &end);
    queue_named(&b, "scale", PAIRS("factor", "1,2,0.5", "about", "4,0.5,0.5", "radius", "1"), &end);
    for (int32_t i = 0; i < end.n; i++) {
        const double *x = b.mesh.xyz + 3 * end.id[i], *y = place_after(&b, end.id[i]);
        CU_ASSERT(y[0] == x[0] && y[1] == 0.5 + 2 * (x[1] - 0.5) && y[2] == 0.5 + (x[2] - 0.5) / 2);
    }
    commit(&b);
    queue_named(&b, "rotate",
                PAIRS("angle", "90", "axis", "x", "center", "0,0.5,0.5", "radius", "3"), &end);
    for (int32_t i = 0; i < end.n; i++) {
        const double *x = b.mesh.xyz + 3 * end.id[i], *y = place_after(&b, end.id[i]);
        CU_ASSERT_DOUBLE_EQUAL(y[1] - 0.5, 0.5 - x[2], 1e-14);
        CU_ASSERT_DOUBLE_EQUAL(y[2] - 0.5, x[1] - 0.5, 1e-14);
    }
    commit(&b);
    const double volume = measure(&b).volume;
    queue_named(&b, "rotate", PAIRS("angle", "-37", "axis", "1,2,3"), NULL);
    CU_ASSERT_EQUAL(b.edit.move_vertex.n, b.mesh.n_vertex);
    commit(&b);
    CLOSE(measure(&b).volume, volume, 1e-13);
    ew_list_free(&end);
    drop(&b);
}

/* An end pushed through three layers of tets and beyond: refused, or repaired. */
static void test_repair(void)
{
    for (int i = 0; i < 3; i++) {
        body b;
        ew_list end = {0};
        make_box(&b, 2, 1, 1, 8, 4, 4);
        pick(&b, beyond(2, 0, 0, 1, 0, 0), &end);
        ew_move_def def = {.motion = {.kind = EW_MOTION_SHIFT, .by = {i == 1 ? 1.0 : -0.8}},
                           .radius = i == 2 ? 0.6 : 0.0};
        if (i != 1) {
            REFUSED(ew_operation_move_as(&b.mesh, &b.topology, &end, &def, &b.edit), EW_BAD_EDIT,
                    "would be inverted or flat");
        }
        def.repair = true;
        CU_ASSERT_EQUAL_FATAL(ew_operation_move_as(&b.mesh, &b.topology, &end, &def, &b.edit),
                              EW_OK);
        commit(&b);
        for (int32_t k = 0; k < end.n; k++) {
            const double x = b.mesh.xyz[3 * end.id[k]];
            CU_ASSERT(b.mesh.valence[end.id[k]] == 0 || x == 2.0 + def.motion.by[0]);
        }
        CLOSE(measure(&b).volume, 2.0 + def.motion.by[0], 1e-9);
        CU_ASSERT(measure(&b).min_quality > 0.15);
        int32_t n_boundary, n_labeled = labeled_boundary(&b, &n_boundary);
        CU_ASSERT_EQUAL(n_labeled, n_boundary);
        ew_list_free(&end);
        drop(&b);
    }
}

int main(int argc, char **argv)
{
    static CU_TestInfo tests[] = {{"radially", test_away_from_an_axis},
                                  {"along_normals", test_along_normals},
                                  {"about_an_axis", test_about_an_axis},
                                  {"table_is_read", test_table_is_read},
                                  {"by_a_table", test_by_a_table},
                                  {"harmonic", test_harmonic_is_exact_for_linear_fields},
                                  {"blend", test_sets_blend},
                                  {"slots", test_slots_do_not_show},
                                  {"scale_and_rotate", test_scale_and_rotate_a_set},
                                  {"repair", test_repair},
                                  CU_TEST_INFO_NULL};
    static const CU_SuiteInfo suites[] = {{"operation_move", NULL, NULL, NULL, NULL, tests},
                                          CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
