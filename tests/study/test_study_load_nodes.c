/* Loads on nodes: what a case names by numbers is what it names by places, bit for bit, whether on
 * a vertex or in the middle of a side, along axes, as forces or as temperatures. */
#include "study_fixture.h"

/* Vertices of an edge at the far end of the box, and their places. */
static void find_side(int64_t id[2], double place[3][3])
{
    ew_mesh mesh;
    int32_t side[2] = {0, 0};
    must(ew_shape_box(&mesh, (const double[3]){4, 1, 1}, (const int32_t[3]){8, 2, 2}));
    for (int32_t t = 0; t < mesh.n_tet; t++) {
        for (int k = 0; k < 3; k++) {
            const int32_t a = mesh.tet[4 * t + k], b = mesh.tet[4 * t + k + 1];
            if (mesh.xyz[3 * a] > 3.9 && mesh.xyz[3 * b] > 3.9) {
                side[0] = a;
                side[1] = b;
            }
        }
    }
    for (int k = 0; k < 2; k++) {
        id[k] = mesh.vertex_id[side[k]];
        memcpy(place[k], mesh.xyz + 3 * (size_t)side[k], sizeof place[k]);
    }
    for (int c = 0; c < 3; c++) {
        place[2][c] = 0.5 * place[0][c] + 0.5 * place[1][c];
    }
    ew_mesh_free(&mesh);
}

static void run_with(const char *load, const char *nodes, const char *elements, seen *all)
{
    char text[2048], at[512];
    snprintf(at, sizeof at, load, nodes);
    snprintf(text, sizeof text,
             "mesh: part.mesh\nmaterial: {young: 1000, poisson: 0.3, density: 2, expansion: 1e-3}\n"
             "elements: %s\nsets: {wall: {surface: 1}}\n"
             "constraints: [{set: wall, displacement: [0, 0, 0]}]\nloads: [%s]\n",
             elements, at);
    must(run_text(text, all, NULL, false, NULL));
}

static void compare(const char *load, const char *elements)
{
    int64_t id[2];
    double x[3][3];
    char numbers[128], places[512];
    seen by_number, by_place;
    find_side(id, x);
    snprintf(numbers, sizeof numbers, "nodes: [%d, [%d, %d]]", (int)id[0], (int)id[1], (int)id[0]);
    snprintf(places, sizeof places, "at: [[%.17g, %.17g, %.17g], [%.17g, %.17g, %.17g]]", x[0][0],
             x[0][1], x[0][2], x[2][0], x[2][1], x[2][2]);
    run_with(load, numbers, elements, &by_number);
    run_with(load, places, elements, &by_place);
    CU_ASSERT(by_place.displacement[0] > 0.0);
    CU_ASSERT_EQUAL(by_number.displacement[0], by_place.displacement[0]);
    CU_ASSERT_EQUAL(by_number.energy[0], by_place.energy[0]);
    CU_ASSERT(!memcmp(by_number.force[0], by_place.force[0], sizeof by_place.force[0]));
}

static void test_forces(void)
{
    static const char *const elements[] = {"linear", "quadratic"};
    for (int k = 0; k < 2; k++) {
        compare("{force: [[0, 0, -1], [0.5, 2, 0]], %s}", elements[k]);
        compare("{force: [1, 2, 3], axes: {cylinder: {point: [0, 3, 0], axis: z}}, %s}",
                elements[k]);
        compare("{temperature: [20, 50], %s}", elements[k]);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {{"forces", test_forces}, CU_TEST_INFO_NULL};
    CU_SuiteInfo suites[] = {{"loads on nodes of a study", NULL, NULL, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
