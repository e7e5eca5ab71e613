/* Meshes and surfaces from files by the ending of their names: ew_file_read, ew_mesh_read,
 * ew_surface_read, ew_mesh_read_any. */
#define _XOPEN_SOURCE 700
#include "format_fixture.h"
#include "results/results.h"

#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/edgewise-read-XXXXXX";
static char path[256];

/* The path of a file of the test's folder. */
static const char *name_file(const char *name)
{
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_bytes(const char *name, const char *bytes, size_t size)
{
    FILE *file = fopen(name_file(name), "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT_EQUAL(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static void write_file(const char *name, const char *text)
{
    write_bytes(name, text, strlen(text));
}

static void remove_file(const char *name)
{
    CU_ASSERT_EQUAL(remove(name_file(name)), 0);
}

/* ---- one file ---------------------------------------------------------------------------- */

static void test_bytes_of_a_file(void)
{
    ew_text text;
    write_bytes("all", "a\0b\n", 4);
    must(ew_file_read(name_file("all"), &text));
    CU_ASSERT(text.size == 4 && !memcmp(text.data, "a\0b\n", 4));
    ew_text_free(&text);
    write_bytes("all", "", 0);
    must(ew_file_read(name_file("all"), &text));
    CU_ASSERT_EQUAL(text.size, 0);
    ew_text_free(&text);
    remove_file("all");
    must(ew_file_read("/proc/self/maps", &text)); /* its size is 0 before it is read */
    CU_ASSERT(text.size > 0);
    ew_text_free(&text);
}

static void test_a_large_file_is_read_whole(void)
{
    enum { N = 300001 };
    char *bytes = malloc(N);
    ew_text text;
    for (int i = 0; i < N; i++) {
        bytes[i] = (char)(i * 7);
    }
    write_bytes("large", bytes, N);
    must(ew_file_read(name_file("large"), &text));
    CU_ASSERT(text.size == N && !memcmp(text.data, bytes, N));
    ew_text_free(&text);
    free(bytes);
    remove_file("large");
}

static void check_failure(ew_status status, ew_status wanted, const char *part)
{
    check_refusal(status, wanted, path, part);
    CU_ASSERT_EQUAL(ew_last_failure()->line, 0);
}

static void test_what_is_no_file(void)
{
    ew_text text = {7, NULL};
    check_failure(ew_file_read(name_file("nothing"), &text), EW_IO, "cannot be opened: No such");
    check_failure(ew_file_read(name_file(""), &text), EW_IO, "is a folder");
    check_failure(ew_file_read(name_file("nothing/more"), &text), EW_IO, "cannot be opened");
    strcpy(path, "/dev/zero");
    check_failure(ew_file_read(path, &text), EW_IO, "is a device");
    CU_ASSERT(text.size == 7 && !text.data); /* untouched */
}

static void test_a_file_beyond_the_limit(void)
{
    ew_text text;
    write_file("sparse", "");
    if (truncate(name_file("sparse"), (off_t)3 << 30)) {
        ew_test_skip("the file system has no room for a name of 3 GiB");
    } else {
        ew_test_allocations_begin(0);
        check_failure(ew_file_read(path, &text), EW_NO_MEMORY, "out of memory");
        ew_test_allocations_end();
    }
    remove_file("sparse");
}

/* ---- meshes ------------------------------------------------------------------------------ */

static const char medit[] = "MeshVersionFormatted 2\nDimension 3\nVertices\n4\n0 0 0 0\n1 0 0 0\n"
                            "0 1 0 0\n0 0 1 0\nTetrahedra\n1\n1 2 3 4 5\nEnd\n";

static void test_a_mesh_by_its_ending(void)
{
    ew_mesh mesh;
    ew_mesh_repair repair;
    ew_groups groups;
    write_file("One.MESH", medit);
    must(ew_mesh_read(name_file("One.MESH"), NULL, &mesh, &repair, &groups));
    CU_ASSERT(mesh.n_live_tet == 1 && repair.n_reoriented == 0 && groups.n == 0);
    ew_mesh_free(&mesh);
    must(ew_mesh_read_any(name_file("One.MESH"), NULL, &mesh, NULL, NULL));
    CU_ASSERT_EQUAL(mesh.n_live_tet, 1);
    ew_mesh_free(&mesh);
    remove_file("One.MESH");
}

static void test_files_that_belong_together(void)
{
    ew_mesh mesh;
    write_file("a.b.node", "4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n");
    CU_ASSERT_EQUAL(ew_mesh_read(name_file("a.b.node"), NULL, &mesh, NULL, NULL), EW_IO);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "a.b.ele: cannot be opened"));
    write_file("a.b.ele", "1 4 0\n0 0 1 2 3\n");
    must(ew_mesh_read(name_file("a.b.ele"), NULL, &mesh, NULL, NULL)); /* without .face */
    CU_ASSERT_EQUAL(mesh.n_live_tet, 1);
    ew_mesh_free(&mesh);
    remove_file("a.b.node");
    remove_file("a.b.ele");
}

static void test_included_files(void)
{
    ew_mesh mesh;
    write_file("deck.inp", "*INCLUDE, INPUT=nodes.txt\n*ELEMENT, TYPE=C3D4\n1, 1, 2, 3, 4\n");
    CU_ASSERT_EQUAL(ew_mesh_read(name_file("deck.inp"), NULL, &mesh, NULL, NULL), EW_IO);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "nodes.txt: cannot be opened"));
    write_file("nodes.txt", "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n4, 0, 0, 1\n");
    must(ew_mesh_read(name_file("deck.inp"), NULL, &mesh, NULL, NULL));
    CU_ASSERT_EQUAL(mesh.n_live_tet, 1);
    ew_mesh_free(&mesh);
    remove_file("nodes.txt");
    remove_file("deck.inp");
}

/* A program's own storage: one mesh, whatever the name. */
static ew_status read_stored(void *user, const char *name, ew_text *text)
{
    int *n = user;
    (void)name;
    (*n)++;
    EW_TRY(ew_new(&text->data, sizeof medit, 1));
    memcpy(text->data, medit, sizeof medit - 1);
    text->size = sizeof medit - 1;
    return EW_OK;
}

static void test_a_reader_of_the_program(void)
{
    int n = 0;
    const ew_file_reader reader = {&n, read_stored};
    ew_mesh mesh;
    must(ew_mesh_read("archive:part.mesh", &reader, &mesh, NULL, NULL));
    CU_ASSERT(n == 1 && mesh.n_live_tet == 1);
    ew_mesh_free(&mesh);
}

static void test_refused_meshes(void)
{
    ew_mesh mesh = {.n_vertex = 77};
    ew_groups groups = {.n = 77};
    write_file("bad.mesh", "MeshVersionFormatted 2\nDimension 3\nVertices\n1\n0 0 zero 0\nEnd\n");
    check_failure(ew_mesh_read(name_file("bad.mesh"), NULL, &mesh, NULL, &groups), EW_BAD_INPUT,
                  "bad.mesh:5: ");
    CU_ASSERT_EQUAL(ew_last_failure()->file_line, 5);
    check_failure(ew_mesh_read(name_file("no.mesh"), NULL, &mesh, NULL, &groups), EW_IO, "");
    CU_ASSERT_EQUAL(ew_last_failure()->file_line, 0);
    check_failure(ew_mesh_read(name_file("part.xyz"), NULL, &mesh, NULL, &groups), EW_BAD_INPUT,
                  "not a known mesh ending; known are .mesh (MEDIT)");
    check_failure(ew_mesh_read(name_file("part.stl"), NULL, &mesh, NULL, &groups), EW_BAD_INPUT,
                  "is a surface (STL)");
    check_failure(ew_mesh_read_any(name_file("part"), NULL, &mesh, NULL, &groups), EW_BAD_INPUT,
                  ".med (MED), .step");
    check_failure(ew_mesh_read_any(name_file("no.med"), NULL, &mesh, NULL, &groups), EW_IO, "");
    check_failure(ew_mesh_read_any(name_file("no.step"), NULL, &mesh, NULL, NULL), EW_IO, "");
    write_file("bad.med", "no HDF5 at all");
    check_failure(ew_mesh_read_any(name_file("bad.med"), NULL, &mesh, NULL, &groups), EW_BAD_INPUT,
                  "");
    CU_ASSERT(mesh.n_vertex == 77 && groups.n == 77); /* untouched */
    remove_file("bad.med");
    remove_file("bad.mesh");
}

/* Numbers of an XDMF file in HDF5: read by the study library alone. */
static void test_numbers_in_hdf5(void)
{
    ew_mesh mesh;
    write_file("part.xdmf",
               "<Xdmf><Domain><Grid><Topology TopologyType=\"Tetrahedron\" NumberOfElements=\"1\">"
               "<DataItem Format=\"HDF\" Dimensions=\"1 4\">part.h5:/tets</DataItem></Topology>"
               "<Geometry GeometryType=\"XYZ\"><DataItem Format=\"HDF\" Dimensions=\"4 3\">"
               "part.h5:/points</DataItem></Geometry></Grid></Domain></Xdmf>");
    CU_ASSERT_EQUAL(ew_mesh_read(name_file("part.xdmf"), NULL, &mesh, NULL, NULL), EW_UNSUPPORTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "ew_mesh_read_any"));
    CU_ASSERT_EQUAL(ew_mesh_read_any(path, NULL, &mesh, NULL, NULL), EW_IO);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "part.h5: "));
    remove_file("part.xdmf");
}

/* Bytes cut off anywhere, and every allocation that fails, leave a message and no memory. */
static void test_truncated_files_and_failing_memory(void)
{
    ew_mesh mesh;
    int n_failed = 0;
    for (size_t size = 0; size < sizeof medit - 1; size += 3) {
        write_bytes("cut.mesh", medit, size);
        const ew_status status = ew_mesh_read(name_file("cut.mesh"), NULL, &mesh, NULL, NULL);
        if (status) {
            CU_ASSERT(!strncmp(ew_message(), path, strlen(path)));
        } else {
            ew_mesh_free(&mesh);
        }
    }
    write_file("cut.mesh", medit);
    for (int k = 0;; k++, n_failed++) {
        ew_test_allocations_begin(k);
        const ew_status status = ew_mesh_read(name_file("cut.mesh"), NULL, &mesh, NULL, NULL);
        const int64_t n_left = ew_test_unreleased();
        ew_test_allocations_end();
        if (!status) {
            break;
        }
        CU_ASSERT(status == EW_NO_MEMORY && n_left == 0);
    }
    CU_ASSERT(n_failed > 3);
    ew_mesh_free(&mesh);
    remove_file("cut.mesh");
}

/* ---- surfaces ---------------------------------------------------------------------------- */

static void test_a_surface_by_its_ending(void)
{
    ew_surface surface;
    ew_polygons polygons;
    int32_t n_welded = -1;
    write_file("t.off", "OFF\n4 2 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n");
    must(ew_surface_read(name_file("t.off"), &surface, &n_welded, NULL));
    CU_ASSERT(surface.n_triangle == 2 && n_welded == 0);
    ew_surface_free(&surface);
    must(ew_polygons_read(path, &polygons));
    CU_ASSERT_EQUAL(polygons.n_face, 2);
    ew_polygons_free(&polygons);
    write_file("t.off", "OFF\n4 2 0\n0 0\n");
    check_failure(ew_surface_read(name_file("t.off"), &surface, NULL, NULL), EW_BAD_INPUT, "");
    CU_ASSERT(ew_last_failure()->file_line > 0);
    check_failure(ew_surface_read(name_file("t.mesh.gz"), &surface, NULL, NULL), EW_BAD_INPUT,
                  "not a known surface ending; known are .off");
    check_failure(ew_polygons_read(name_file("no.stl"), &polygons), EW_IO, "cannot be opened");
    remove_file("t.off");
}

int main(int argc, char **argv)
{
    static CU_TestInfo table[] = {
        {"bytes_of_a_file", test_bytes_of_a_file},
        {"a_large_file_is_read_whole", test_a_large_file_is_read_whole},
        {"what_is_no_file", test_what_is_no_file},
        {"a_file_beyond_the_limit", test_a_file_beyond_the_limit},
        {"a_mesh_by_its_ending", test_a_mesh_by_its_ending},
        {"files_that_belong_together", test_files_that_belong_together},
        {"included_files", test_included_files},
        {"a_reader_of_the_program", test_a_reader_of_the_program},
        {"refused_meshes", test_refused_meshes},
        {"numbers_in_hdf5", test_numbers_in_hdf5},
        {"truncated_files_and_failing_memory", test_truncated_files_and_failing_memory},
        {"a_surface_by_its_ending", test_a_surface_by_its_ending},
        CU_TEST_INFO_NULL,
    };
    static const CU_SuiteInfo suites[] = {{"read", NULL, NULL, NULL, NULL, table},
                                          CU_SUITE_INFO_NULL};
    const int result = mkdtemp(folder) ? ew_test_main(argc, argv, suites) : 1;
    rmdir(folder);
    return result;
}
