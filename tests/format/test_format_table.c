/* The table of formats: names, what each descriptor promises, reading and writing through it. */
#include "format/parts/format.h"
#include "shape/parts/shape.h"
#include "testlib.h"

#include <stdio.h>
#include <string.h>

#define MEDIT  ew_format_of_name(".mesh")
#define TETGEN ew_format_of_name(".node")
#define OFF    ew_format_of_name(".off")
#define OBJ    ew_format_of_name(".obj")
#define STL    ew_format_of_name(".stl")

/* Refused as not supported, with the format's name and the reason. */
static void refuse(ew_status status, const char *name, const char *reason)
{
    CU_ASSERT_EQUAL(status, EW_UNSUPPORTED);
    CU_ASSERT(strstr(ew_message(), name) == ew_message() && strstr(ew_message(), reason));
}

static void test_names(void)
{
    CU_ASSERT_STRING_EQUAL(MEDIT->name, "MEDIT");
    CU_ASSERT_STRING_EQUAL(TETGEN->name, "TetGen");
    CU_ASSERT_EQUAL(ew_format_of_name("a/b.c/part.mesh"), MEDIT);
    CU_ASSERT_EQUAL(ew_format_of_name("PART.ELE"), TETGEN);
    CU_ASSERT_EQUAL(ew_format_of_name("x.1.node"), TETGEN);
    CU_ASSERT_EQUAL(ew_format_of_name("x.face"), TETGEN);
    CU_ASSERT_EQUAL(ew_format_of_name("x.Off"), OFF);
    CU_ASSERT_EQUAL(ew_format_of_name("x.obj"), OBJ);
    CU_ASSERT_EQUAL(ew_format_of_name("x.sTL"), STL);
    CU_ASSERT_EQUAL(ew_format_of_name("mesh"), NULL);
    CU_ASSERT_EQUAL(ew_format_of_name("x.mesh.gz"), NULL);
}

/* Every descriptor is whole, no ending is taken twice, and what the format lacks is refused. */
static void test_table(void)
{
    const ew_bytes nothing[EW_FORMAT_MAX_FILES] = {{0}};
    const ew_mesh_input input = {.file = nothing};
    ew_mesh mesh = {0};
    ew_surface surface;
    ew_text text[EW_FORMAT_MAX_FILES];
    int32_t n = 0;
    for (const ew_format *format; (format = ew_format_at(n)); n++) {
        char endings[100];
        snprintf(endings, sizeof endings, "%s", format->endings);
        int32_t n_ending = 0;
        for (char *word = strtok(endings, " "); word; word = strtok(NULL, " "), n_ending++) {
            CU_ASSERT_EQUAL(*word, '.');
            CU_ASSERT_PTR_EQUAL(ew_format_of_name(word), format);
        }
        CU_ASSERT(format->n_file <= EW_FORMAT_MAX_FILES && format->n_file <= n_ending);
        CU_ASSERT(format->n_needed >= 1 && format->n_needed <= format->n_file);
        CU_ASSERT(*format->name && *format->holds && (format->read_mesh || format->read_surface));
        if (!format->read_mesh) {
            refuse(ew_format_read_mesh(format, &input, &mesh, NULL, NULL), format->name, "no tets");
        }
        if (!format->read_surface) {
            refuse(ew_format_read_surface(format, nothing, &surface, NULL, NULL), format->name,
                   "no surface");
        }
        if (!format->write_mesh) {
            refuse(ew_format_write_mesh(format, &mesh, NULL, true, text), format->name,
                   "not written");
        }
    }
    CU_ASSERT(n >= 5);
    CU_ASSERT_PTR_NULL(ew_format_at(-1));
    CU_ASSERT_EQUAL(ew_format_read_mesh(NULL, &input, &mesh, NULL, NULL), EW_UNSUPPORTED);
}

/* Whatever is written through the table reads back as it was. */
static void test_table_round_trip(void)
{
    ew_mesh mesh, again;
    CU_ASSERT_EQUAL_FATAL(ew_shape_box(&mesh, (double[3]){1, 0.3, 3}, (int32_t[3]){3, 2, 4}),
                          EW_OK);
    for (int32_t i = 0; ew_format_at(i); i++) {
        const ew_format *format = ew_format_at(i);
        ew_text text[EW_FORMAT_MAX_FILES] = {{0}};
        ew_bytes file[EW_FORMAT_MAX_FILES] = {{0}};
        if (!format->write_mesh || !format->read_mesh) {
            continue;
        }
        CU_ASSERT_EQUAL_FATAL(ew_format_write_mesh(format, &mesh, NULL, true, text), EW_OK);
        for (int32_t k = 0; k < format->n_file; k++) {
            file[k] = (ew_bytes){text[k].data, text[k].size};
        }
        CU_ASSERT_EQUAL_FATAL(
            ew_format_read_mesh(format, &(ew_mesh_input){.file = file}, &again, NULL, NULL), EW_OK);
        CU_ASSERT(again.n_vertex == mesh.n_vertex && again.n_tet == mesh.n_tet &&
                  again.n_face == mesh.n_face);
        CU_ASSERT_EQUAL(memcmp(again.xyz, mesh.xyz, 24 * (size_t)mesh.n_vertex), 0);
        CU_ASSERT_EQUAL(memcmp(again.tet, mesh.tet, 16 * (size_t)mesh.n_tet), 0);
        ew_mesh_free(&again);
        for (int32_t k = 0; k < format->n_file; k++) {
            ew_text_free(&text[k]);
        }
    }
    ew_mesh_free(&mesh);
}

int main(int argc, char **argv)
{
    static CU_TestInfo table[] = {{"names", test_names},
                                  {"table", test_table},
                                  {"round_trip", test_table_round_trip},
                                  CU_TEST_INFO_NULL};
    static const CU_SuiteInfo suites[] = {{"table", NULL, NULL, NULL, NULL, table},
                                          CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
