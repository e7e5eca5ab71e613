/* What edgewise-gmsh sends, to meshes and groups: tets of four and ten nodes, labels, lists,
 * failures, bytes that are cut off; and which definitions are refused. */
#include "cad/internal.h"
#include "testlib.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMES "steel\0left\0tip"

/* One tet of ten nodes, a side of it curved; a region, a face, a list of vertices and one of tets.
 */
typedef struct sent_tet {
    ew_cad_header head;
    double xyz[10][3];
    int32_t tet[4], region, middle[6], face[3], label;
    ew_cad_group group[4];
    ew_cad_geometry geometry[5];
    int32_t listed[3];
    char text[sizeof NAMES];
} sent_tet;

static sent_tet make_tet(void)
{
    return (sent_tet){
        .head = {EW_CAD_MAGIC,
                 EW_CAD_DONE,
                 10,
                 4,
                 1,
                 2,
                 1,
                 4,
                 3,
                 sizeof NAMES,
                 1,
                 4,
                 1,
                 5,
                 11,
                 3,
                 {2, 5},
                 2},
        .xyz = {{0, 0, 0},
                {1, 0, 0},
                {0, 1, 0},
                {0, 0, 1},
                {.5, 0, 0},
                {0, .5, 0},
                {0, 0, .5},
                {.6, .7, 0},
                {.5, 0, .5},
                {0, .5, .5}},
        .tet = {0, 1, 2, 3},
        .region = 7,
        .middle = {4, 5, 6, 7, 8, 9},
        .face = {0, 2, 1},
        .label = 3,
        .group = {{EW_GROUP_TETS, 1, 7, 0, 0},
                  {EW_GROUP_FACES, 1, 3, 0, 6},
                  {EW_GROUP_VERTICES, 0, 0, 2, 11},
                  {EW_GROUP_TETS, 0, 0, 1, 11}},
        .geometry = {{EW_GEOMETRY_PLANE, 1, 1, {7, 0}, 0, 0.5, {0, .3, .3}, {-1, 0, 0}, 0},
                     {EW_GEOMETRY_CYLINDER, 2, 1, {7, 0}, 0, 0.5, {.3, 0, .3}, {0, 1, 0}, 2},
                     {EW_GEOMETRY_PLANE, 3, 1, {7, 0}, 0, 0.5, {.3, .3, 0}, {0, 0, -1}, 0},
                     {EW_GEOMETRY_CURVED, 4, 1, {7, 0}, 0, 0.9, {.3, .3, .3}, {0, 0, 0}, 0},
                     {EW_GEOMETRY_SOLID, 7, 0, {0, 0}, 0, 0.2, {.25, .25, .25}, {0, 0, 0}, 0}},
        .listed = {3, 1, 0},
        .text = NAMES,
    };
}

/* The bytes without gaps, as they come; *size of them. */
static char *pack(const sent_tet *tet, size_t *size)
{
    const struct {
        const void *data;
        size_t size;
    } part[] = {{&tet->head, sizeof tet->head},        {tet->xyz, sizeof tet->xyz},
                {tet->tet, sizeof tet->tet},           {&tet->region, sizeof tet->region},
                {tet->middle, sizeof tet->middle},     {tet->face, sizeof tet->face},
                {&tet->label, sizeof tet->label},      {tet->group, sizeof tet->group},
                {tet->geometry, sizeof tet->geometry}, {tet->listed, sizeof tet->listed},
                {tet->text, sizeof tet->text}};
    char *data = malloc(sizeof *tet);
    *size = 0;
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
        memcpy(data + *size, part[i].data, part[i].size);
        *size += part[i].size;
    }
    return data;
}

static ew_status decode(const sent_tet *tet, size_t cut, ew_mesh *mesh, ew_groups *groups)
{
    const ew_cad_def def = ew_default_cad_def();
    ew_cad_report report;
    ew_text sent;
    sent.data = pack(tet, &sent.size);
    sent.size = cut && cut < sent.size ? cut : sent.size;
    const ew_status status = ew_cad_decode(&sent, &def, mesh, groups, NULL, &report);
    CU_ASSERT(status || (report.n_unsure == 3 && report.unsure[0] == 2 && report.unsure[1] == 5));
    CU_ASSERT(status || (report.n_solid == 1 && report.n_face == 4 && report.n_named == 1 &&
                         !strcmp(report.unit, "tip")));
    free(sent.data);
    return status;
}

static void test_decode(void)
{
    const sent_tet tet = make_tet();
    ew_mesh mesh;
    ew_groups groups = {0};
    must(decode(&tet, 0, &mesh, &groups));
    CU_ASSERT(mesh.n_vertex == 4 && mesh.n_tet == 1 && mesh.n_curve == 1 && mesh.has_middles);
    CU_ASSERT_STRING_EQUAL(ew_groups_label_name(&groups, EW_GROUP_TETS, 7), "steel");
    CU_ASSERT_STRING_EQUAL(ew_groups_label_name(&groups, EW_GROUP_FACES, 3), "left");
    const ew_group *tip = ew_groups_find(&groups, EW_GROUP_VERTICES, "tip");
    CU_ASSERT(tip && tip->n_id == 2 && tip->id[0] == 1 && tip->id[1] == 3);
    const ew_group *tets = ew_groups_find(&groups, EW_GROUP_TETS, "tip");
    CU_ASSERT(tets && tets->n_id == 1 && tets->id[0] == 0);
    const ew_geometry *of = groups.geometry.of;
    CU_ASSERT(groups.geometry.n_unsure == 3 && groups.geometry.unsure[1] == 5);
    CU_ASSERT(groups.geometry.n == 5 && groups.geometry.diagonal == 2);
    CU_ASSERT(of[1].kind == EW_GEOMETRY_CYLINDER && of[1].number == 2 && of[1].radius == 2 &&
              of[1].direction[1] == 1 && of[1].n_region == 1 && of[1].region[0] == 7);
    CU_ASSERT(of[4].kind == EW_GEOMETRY_SOLID && of[4].number == 1 && of[4].label == 7 &&
              of[4].size == 0.2 && of[4].centroid[2] == .25);
    ew_mesh_free(&mesh);
    ew_groups_free(&groups);
    must(decode(&tet, 0, &mesh, NULL));
    ew_mesh_free(&mesh);
}

static void expect_bad(const sent_tet *tet, const char *part)
{
    ew_mesh mesh;
    ew_groups groups = {0};
    const ew_status status = decode(tet, 0, &mesh, &groups);
    CU_ASSERT_NOT_EQUAL(status, EW_OK);
    const bool right = status && strstr(ew_message(), part);
    if (!right) {
        printf("\n  '%s', wanted '%s'\n", ew_message(), part);
    }
    CU_ASSERT(right && !groups.n && !mesh.n_tet);
}

static void test_bad(void)
{
    const sent_tet good = make_tet();
    sent_tet tet = good;
    tet.head.magic++;
    expect_bad(&tet, "another version");
    tet = good;
    tet.head.n_tet = -1;
    expect_bad(&tet, "before it had sent everything");
    tet = good;
    tet.head.n_node = INT32_MAX;
    expect_bad(&tet, "before it had sent everything");
    tet = good;
    tet.head.n_vertex = 11;
    expect_bad(&tet, "before it had sent everything");
    tet = good;
    tet.tet[0] = 4;
    expect_bad(&tet, "made by Gmsh");
    tet = good;
    tet.middle[5] = 10;
    expect_bad(&tet, "before it had sent everything");
    tet = good;
    tet.listed[0] = 4;
    expect_bad(&tet, "before it had sent everything");
    tet = good;
    tet.group[0].name = (int32_t)sizeof NAMES + 1;
    expect_bad(&tet, "before it had sent everything");
    tet = good;
    tet.group[2].n_listed = 4;
    expect_bad(&tet, "before it had sent everything");
    tet = good;
    tet.group[1].kind = 3;
    expect_bad(&tet, "before it had sent everything");
    tet = good;
    tet.geometry[0].kind = 7;
    expect_bad(&tet, "before it had sent everything");
    tet = good;
    tet.geometry[0].n_region = 3;
    expect_bad(&tet, "before it had sent everything");
    tet = good;
    tet.head.n_geometry = -1;
    expect_bad(&tet, "before it had sent everything");
    tet = good;
    tet.head.code = EW_CAD_BAD;
    memcpy(tet.text, "no\nway", 7);
    expect_bad(&tet, "no way");
    tet.head.code = EW_CAD_MEMORY;
    expect_bad(&tet, "16 GiB");
    tet.head.code = EW_CAD_BAD;
    memset(tet.text, 'x', sizeof tet.text); /* no zero at its end */
    expect_bad(&tet, "xxx");
}

/* What is cut off anywhere is refused. */
static void test_cut_off(void)
{
    sent_tet tet = make_tet();
    size_t size;
    free(pack(&tet, &size));
    ew_mesh none;
    tet.head.magic--; /* of an older version, whose refusal is shorter than this head */
    CU_ASSERT_EQUAL(decode(&tet, size - sizeof tet.head / 2, &none, NULL), EW_UNSUPPORTED);
    CU_ASSERT(strstr(ew_last_failure()->text, "another version") != NULL);
    tet.head.magic++;
    for (size_t cut = 1; cut < size; cut++) {
        ew_mesh mesh;
        ew_groups groups = {0};
        CU_ASSERT_EQUAL(decode(&tet, cut, &mesh, &groups), EW_BAD_INPUT);
    }
}

static void test_allocations(void)
{
    const sent_tet tet = make_tet();
    bool refused = true;
    for (int64_t k = 0; refused; k++) {
        ew_mesh mesh;
        ew_groups groups = {0};
        ew_test_allocations_begin(k);
        const ew_status status = decode(&tet, 0, &mesh, &groups);
        if (!status) {
            ew_mesh_free(&mesh);
            ew_groups_free(&groups);
        }
        const int64_t unreleased = ew_test_unreleased();
        refused = ew_test_allocations_end();
        CU_ASSERT(status == (refused ? EW_NO_MEMORY : EW_OK));
        CU_ASSERT_EQUAL(unreleased, 0);
    }
}

static void test_definitions(void)
{
    const ew_cad_size size[] = {{"hole", 1}, {"", 1}, {"hole", 0}};
    const ew_cad_def good = ew_default_cad_def();
    ew_cad_def bad[12];
    for (size_t i = 0; i < 12; i++) {
        bad[i] = good;
    }
    CU_ASSERT_EQUAL(ew_cad_def_check(&good), EW_OK);
    bad[0].size = -1;
    bad[1].size = 1e301;
    bad[2].min_size = 0.0 / 0.0;
    bad[3].curvature = 1001;
    bad[4].growth = 0;
    bad[5].quality = 1;
    bad[6].order = 3;
    bad[7].unit = "yard";
    bad[8].max_seconds = -1;
    bad[9].sew = -1;
    bad[10].sizes = size + 1;
    bad[10].n_size = 1;
    bad[11].sizes = size + 2;
    bad[11].n_size = 1;
    for (size_t i = 0; i < 12; i++) {
        CU_ASSERT_EQUAL(ew_cad_def_check(&bad[i]), EW_BAD_ARGUMENT);
    }
    ew_cad_def right = good;
    right.sizes = size;
    right.n_size = 1;
    right.unit = "in";
    CU_ASSERT_EQUAL(ew_cad_def_check(&right), EW_OK);
}

static void test_endings(void)
{
    CU_ASSERT(ew_cad_reads("a.step") && ew_cad_reads("b/c.STP") && ew_cad_reads("x.iges"));
    CU_ASSERT(!ew_cad_reads("a.bdf") && !ew_cad_reads("a.unv"));
    CU_ASSERT(!ew_cad_reads("step") && !ew_cad_reads("a.ste") && !ew_cad_reads("a.mesh"));
    CU_ASSERT(!ew_cad_reads("a.step.mesh") && !ew_cad_reads("a.") && !ew_cad_reads(""));
}

/* Programs that are not there, say nothing, or never end. */
static void test_programs(void)
{
    ew_cad_def def = ew_default_cad_def();
    ew_mesh mesh;
    const char *here = "/bin/true"; /* some file that is there */
    def.program = "/nowhere/edgewise-gmsh";
    CU_ASSERT_EQUAL(ew_cad_read(&mesh, NULL, here, &def, NULL, NULL), EW_UNSUPPORTED);
    def.program = "/bin/true";
    CU_ASSERT_EQUAL(ew_cad_read(&mesh, NULL, here, &def, NULL, NULL), EW_BAD_INPUT);
    def.program = "/bin/false";
    CU_ASSERT_EQUAL(ew_cad_read(&mesh, NULL, here, &def, NULL, NULL), EW_NO_MEMORY);
    def.program = "/usr/bin/yes";
    def.max_seconds = 0.05;
    CU_ASSERT_EQUAL(ew_cad_read(&mesh, NULL, here, &def, NULL, NULL), EW_LIMIT);
    CU_ASSERT_EQUAL(ew_cad_read(&mesh, NULL, "/nowhere/part.step", &def, NULL, NULL), EW_IO);
    CU_ASSERT_EQUAL(ew_cad_read(&mesh, NULL, "/tmp", &def, NULL, NULL), EW_IO);
    def.size = -1;
    CU_ASSERT_EQUAL(ew_cad_read(&mesh, NULL, here, &def, NULL, NULL), EW_BAD_ARGUMENT);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {{"decode", test_decode},           {"bad", test_bad},
                           {"cut_off", test_cut_off},         {"allocations", test_allocations},
                           {"definitions", test_definitions}, {"endings", test_endings},
                           {"programs", test_programs},       CU_TEST_INFO_NULL};
    CU_SuiteInfo suites[] = {{"CAD", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
