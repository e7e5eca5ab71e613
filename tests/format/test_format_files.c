/* Formats together: study meshes and their surfaces, and every allocation that fails. */
#include "format_fixture.h"

/* ---- study meshes, memory ---------------------------------------------- */

static void test_study_meshes(void)
{
    static const struct {
        const char *name;
        int32_t n_vertex, n_tet;
    } known[] = {{"bunny", 1933, 10013},
                 {"gargoyle", 12471, 50060},
                 {"hand", 25381, 99869},
                 {"dragon", 25241, 100003}};
    for (size_t i = 0; i < LENGTH(known); i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/thesis/%s.mesh", EW_STUDY_MESHES, known[i].name);
        if (!ew_test_has_file(path)) {
            continue;
        }
        ew_mesh mesh, again;
        ew_mesh_repair repair;
        ew_text text;
        double begin = ew_seconds();
        CU_ASSERT_EQUAL_FATAL(ew_mesh_read(path, NULL, &mesh, &repair, NULL), EW_OK);
        double read = ew_seconds();
        CU_ASSERT_EQUAL(mesh.n_vertex, known[i].n_vertex);
        CU_ASSERT_EQUAL(mesh.n_tet, known[i].n_tet);
        CU_ASSERT_EQUAL(repair.n_reoriented, 0);
        CU_ASSERT_EQUAL(ew_mesh_check(&mesh), EW_OK);
        double checked = ew_seconds();
        CU_ASSERT_EQUAL_FATAL(ew_write_medit(&mesh, true, &text), EW_OK);
        printf("\n  %s: read %.3f s, written %.3f s", known[i].name, read - begin,
               ew_seconds() - checked);
        CU_ASSERT_EQUAL_FATAL(ew_read_medit(text.data, text.size, &again, NULL), EW_OK);
        CU_ASSERT(same_mesh(&mesh, &again));
        ew_text_free(&text);
        ew_mesh_free(&again);
        ew_mesh_free(&mesh);
    }
    printf("\n");
}

static void test_study_surfaces(void)
{
    static const char *const name[] = {"bunny", "gargoyle", "hand", "dragon"};
    for (size_t i = 0; i < LENGTH(name); i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/thesis/%s-surface.off", EW_STUDY_MESHES, name[i]);
        if (!ew_test_has_file(path)) {
            continue;
        }
        ew_surface surface;
        CU_ASSERT_EQUAL_FATAL(ew_surface_read(path, &surface, NULL, NULL), EW_OK);
        CU_ASSERT_EQUAL(ew_surface_check(&surface), EW_OK);
        ew_surface_free(&surface);
    }
}

static ew_status do_medit(void)
{
    ew_mesh mesh;
    ew_text text;
    EW_TRY(read_medit(HEAD VERTICES "Triangles 1\n1 2 3 4\n" ONE_TET, &mesh, NULL));
    ew_status status = ew_write_medit(&mesh, true, &text);
    ew_mesh_free(&mesh);
    if (status == EW_OK) {
        ew_text_free(&text);
    }
    return status;
}

static ew_status do_tetgen(void)
{
    ew_mesh mesh;
    ew_text text[3];
    EW_TRY(read_tetgen(NODE0, "1 4 0\n0 0 1 2 3\n", "1 0\n0 0 1 2\n", &mesh));
    ew_status status = ew_write_tetgen(&mesh, true, &text[0], &text[1], &text[2]);
    ew_mesh_free(&mesh);
    for (int i = 0; i < 3 && status == EW_OK; i++) {
        ew_text_free(&text[i]);
    }
    return status;
}

static ew_status do_off(void)
{
    ew_surface surface;
    EW_TRY(read_surface(OFF, "OFF 4 4 0\n" POINTS FACES, &surface));
    ew_status status = ew_surface_check(&surface);
    ew_surface_free(&surface);
    return status;
}

static ew_status do_obj(void)
{
    ew_surface surface;
    EW_TRY(read_surface(OBJ, "v 0 0 0\nf 1 1 1\n", &surface));
    ew_surface_free(&surface);
    return EW_OK;
}

static ew_status do_stl(void)
{
    char data[300];
    size_t size = make_binary(data, "");
    ew_surface surface;
    EW_TRY(ew_format_read_surface(STL, &(ew_bytes){data, size}, &surface, NULL, NULL));
    ew_surface_free(&surface);
    return EW_OK;
}

static void test_allocation_failures(void)
{
    ew_status (*job[])(void) = {do_medit, do_tetgen, do_off, do_obj, do_stl};
    for (size_t i = 0; i < LENGTH(job); i++) {
        bool refused = true;
        for (int64_t k = 0; refused; k++) {
            ew_test_allocations_begin(k);
            ew_status status = job[i]();
            CU_ASSERT_EQUAL(ew_test_unreleased(), 0);
            refused = ew_test_allocations_end();
            CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_OK);
            CU_ASSERT_FATAL(k < 1000);
        }
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"study_meshes", test_study_meshes},
        {"study_surfaces", test_study_surfaces},
        {"allocation_failures", test_allocation_failures},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"files and memory", NULL, NULL, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
