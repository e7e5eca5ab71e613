/* SOFA scenes to cases: what each component becomes, what is listed, what is refused; the case is
 * one that is read. */
#include "ew_parts.h"
#include "scene/scene.h"
#include "study/study.h"
#include "testlib.h"

#include "shape/parts/shape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if EW_WITH_EXPAT

#define GRID          "<RegularGridTopology nx='3' ny='2' nz='2' min='0 0 0' max='2 1 1'/>"
#define FEM           "<TetrahedronFEMForceField youngModulus='1000' poissonRatio='0.3' method='small'/>"
#define MASS          "<DiagonalMass totalMass='4'/>"
#define IMPLI         "<EulerImplicitSolver rayleighMass='0.5' rayleighStiffness='0.25'/>"
#define BODY          GRID "<MechanicalObject/>" MASS IMPLI "\n"
#define SCENE(inside) "<Node gravity='0 0 0' dt='0.5'><Node>" BODY FEM inside "</Node></Node>"

static ew_status read_mesh(void *user, const char *file, ew_mesh *mesh)
{
    *(const char **)user = file;
    if (strcmp(file, "box.msh") != 0) {
        return ew_fail(EW_IO, "%s: not there", file);
    }
    return ew_shape_box(mesh, (const double[3]){2, 1, 1}, (const int32_t[3]){2, 1, 1});
}

static ew_status read_scene(const char *text, ew_scene *scene)
{
    static const char *file;
    ew_scene_def def = ew_default_scene_def();
    def.user = &file;
    def.read_mesh = read_mesh;
    return ew_scene_read(text, strlen(text), &def, scene);
}

/* Has all the words, separated by '|', in the case or in the notes, and only so many notes. */
static void expect(const char *text, const char *words, int32_t n_note)
{
    ew_scene scene;
    ew_case input;
    memset(&scene, 0, sizeof scene);
    const ew_status status = read_scene(text, &scene);
    if (status) {
        printf("\n  %s\n", ew_message());
        CU_ASSERT_EQUAL(status, EW_OK);
        return;
    }
    bool right = scene.n_note == n_note;
    for (const char *at = words; *at;) {
        char word[256];
        const size_t n = strcspn(at, "|");
        snprintf(word, sizeof word, "%.*s", (int)n, at);
        right = right && (strstr(scene.text.data, word) || strstr(scene.notes.data, word));
        at += n + (at[n] == '|');
    }
    if (!right) {
        printf("\n  wanted '%s', %d notes, in\n%s\n%d notes\n%s\n", words, n_note, scene.text.data,
               scene.n_note, scene.notes.data);
    }
    CU_ASSERT(right);
    CU_ASSERT_EQUAL(ew_mesh_check(&scene.mesh), EW_OK);
    must(ew_case_read(scene.text.data, scene.text.size, &input));
    ew_case_free(&input);
    ew_scene_free(&scene);
}

static void refuse(const char *text, int32_t line, const char *part)
{
    ew_scene scene;
    memset(&scene, 0x5a, sizeof scene);
    const ew_scene untouched = scene;
    CU_ASSERT_EQUAL(read_scene(text, &scene), EW_BAD_INPUT);
    if (!strstr(ew_message(), part) || ew_last_failure()->line != line) {
        printf("\n  %s (wanted line %d, '%s')\n", ew_message(), line, part);
        CU_FAIL("message");
    }
    CU_ASSERT(!memcmp(&scene, &untouched, sizeof scene));
}

/* ---- what becomes what -------------------------------------------------------------- */

static void test_body_and_time(void)
{
    expect(SCENE(""),
           "young: 1000, poisson: 0.3, density: 2}|step: 0.5\n|scheme: implicit-euler|"
           "damping: {mass: 0.5, stiffness: 0.25}|mass: lumped|six tets",
           1);
    expect("<Node><Node>" GRID "<MeshMatrixMass massDensity='7'/>" FEM "</Node></Node>",
           "gravity: [0, -9.81, 0]|step: 0.01|density: 7}|mass: consistent|no time integration", 2);
    expect(
        "<Node dt='1'><EulerExplicitSolver symplectic='false'/><CGLinearSolver tolerance='1e-9' "
        "iterations='25'/><Node>" GRID "<UniformMass vertexMass='0.5'/>" FEM "</Node></Node>",
        "scheme: explicit-euler|tolerance: 1.0e-09|density: 3}|line 1: CGLinearSolver: iterations",
        3);
    expect("<Node><Node><StaticSolver/>" GRID MASS FEM "</Node></Node>",
           "static: {tolerance: 1.0e-08}", 1);
    expect("<Node><Node><NewmarkImplicitSolver beta='0.3' gamma='0.6'/>" GRID MASS FEM
           "</Node></Node>",
           "scheme: newmark\n      beta: 0.3\n      gamma: 0.6", 1);
}

static void test_constraints(void)
{
    expect(SCENE("<FixedConstraint indices='0 3,6'/>"),
           "fixed_1: {ids: [0, 3, 6]}|- {set: fixed_1, displacement: [0, 0, 0]}", 1);
    expect(SCENE("<BoxROI name='left' box='1 2 3 -1 -2 -3  5 5 5 6 6 6'/>"
                 "<PartialFixedConstraint indices='@left.indices' fixedDirections='1 0 1'/>"),
           "{union: [{box: [[-1, -2, -3], [1, 2, 3]]}, {box: [[5, 5, 5], [6, 6, 6]]}]}|[0, ~, 0]",
           1);
    expect(SCENE("<BoxConstraint box='0 0 0 1 1 1'/>"), "fixed_1: {box: [[0, 0, 0], [1, 1, 1]]}",
           1);
    expect(SCENE("<SphereROI name='s' centers='0 0 0' radii='2'/>"
                 "<FixedProjectiveConstraint indices='@../x/s.indices'/>"),
           "{sphere: {center: [0, 0, 0], radius: 2}}", 1);
    expect(SCENE("<FixedConstraint fixAll='true'/>"), "fixed_1: {all: true, of: vertices}", 1);
}

static void test_forces(void)
{
    expect(SCENE("<ConstantForceField indices='1 2' totalForce='0 1 0'/>"),
           "loaded_1: {ids: [1, 2]}|{total_force: [0, 1, 0], set: loaded_1}", 1);
    expect(SCENE("<ConstantForceField points='1 2' forces='0 1 0  0 2 0'/>"),
           "loaded_1: {ids: [1]}|loaded_2: {ids: [2]}|{force: [0, 2, 0], set: loaded_2}", 1);
    expect(SCENE("<ConstantForceField forces='0 0.1 0'/>"), "all: true|force: [0, 0.1, 0],", 1);
}

static void test_meshes(void)
{
    static const char file[] =
        "<Node gravity='0 0 0'><MeshGmshLoader name='l' filename='box.msh' scale='2'/><Node "
        "name='b'><TetrahedronSetTopologyContainer src='@../l'/><MechanicalObject src='@../l' "
        "translation='10 0 0' rotation='0 0 90'/>" MASS IMPLI FEM "</Node></Node>";
    static const char lines[] =
        "<Node><Node><MeshTopology position='0 0 0 1 0 0 0 1 0 0 0 1 9 9 9' tetrahedra='0 1 2 3'/>"
        "<MechanicalObject/>" MASS IMPLI FEM "<FixedConstraint indices='3'/></Node></Node>";
    ew_scene scene;
    expect(file, "density: 0.25}", 0);
    must(read_scene(file, &scene));
    const double *x = scene.mesh.xyz + 3; /* (1, 0, 0), twice as far, turned, moved */
    CU_ASSERT_DOUBLE_EQUAL(x[0], 10.0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(x[1], 2.0, 1e-12);
    ew_scene_free(&scene);
    expect(lines, "fixed_1: {ids: [3]}|1 points of no tet are left out", 1);
}

static void test_surfaces(void)
{
    expect(SCENE("<Node><MeshOBJLoader name='m' filename='a/skin.obj'/><OglModel name='it' "
                 "src='@m'/><BarycentricMapping/></Node>"),
           "it_1: {file: a/skin.obj}|output: {surfaces: obj}", 1);
    expect(SCENE("<Node><Object type='OglModel' fileMesh=\"it's.obj\" scale='3'/>"
                 "<Object type='BarycentricMapping'/></Node>"),
           "surface_1: {file: 'it''s.obj'}|are not applied", 2);
    expect(SCENE("<Node><OglModel fileMesh='a.3ds'/><BarycentricMapping/></Node>"),
           "OglModel: is left out: no file of a surface", 2);
}

static void test_the_rest_is_listed(void)
{
    expect(
        SCENE("\n<RequiredPlugin name='x'/><PlaneForceField/>\n<Node>" FEM "</Node>"),
        "line 3: PlaneForceField: left out|line 4: TetrahedronFEMForceField: left out: a case has "
        "one body",
        3);
    expect("<Node><Node>" BODY "<TetrahedronFEMForceField youngModulus='1 2' poissonRatio='0'/>"
           "</Node></Node>",
           "line 2: TetrahedronFEMForceField: method 'large'|varies from tet to tet", 3);
    /* nothing of a scene leaves its comment */
    expect(SCENE("<Node><OglModel fileMesh='x&#10;y: z.3ds'/><BarycentricMapping/></Node>"),
           "x y: z.3ds\n", 2);
}

/* ---- refusals ------------------------------------------------------------------------- */

static void test_hostile_xml(void)
{
    refuse("", 1, "no element found");
    refuse("<Node>", 1, "well-formed");
    refuse("<Node>\n<a></b></Node>", 2, "mismatched");
    refuse("<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]>\n<a>&b;</a>", 1,
           "document type");
    refuse("<!DOCTYPE a [<!ENTITY b 'cc'><!ENTITY d '&b;&b;'>]><a>&d;</a>", 1, "document type");
    refuse("<Node a='&b;'/>", 1, "undefined entity");
    refuse("<?xml version='1.0' encoding='klingon'?><Node/>", 1, "encoding");
    char *deep = calloc(1, 20001);
    for (int i = 0; i < 5000; i++) {
        memcpy(deep + 3 * i, "<a>", 3);
    }
    refuse(deep, 1, "within one another");
    free(deep);
}

static void test_what_a_scene_needs(void)
{
    refuse("<Node><Node/></Node>", 1, "no body of tets");
    refuse("<TetrahedronFEMForceField/>", 1, "no body of tets");
    refuse("<Node>\n" FEM "</Node>", 2, "no mesh");
    refuse("<Node>" GRID FEM "</Node>", 1, "no mass");
    refuse("<Node>" GRID "<UniformMass totalMass='-1'/>" FEM "</Node>", 1, "greater than 0");
    refuse("<Node><SparseGridTopology n='3 3 3'/>" FEM "</Node>", 1, "fitted to a surface");
    refuse("<Node><RegularGrid n='1 2 2' min='0 0 0' max='1 1 1'/>" FEM "</Node>", 1, "2 to 1000");
    refuse("<Node><RegularGrid n='1e9 2 2' min='0 0 0' max='1 1 1'/>" FEM "</Node>", 1,
           "2 to 1000");
    refuse("<Node><RegularGrid n='3 3 3'/>" FEM "</Node>", 1, "min and max");
    refuse("<Node dt='0'>" BODY FEM "</Node>", 1, "dt is 0");
    refuse("<Node gravity='0 1'>" BODY FEM "</Node>", 1, "gravity has 2 numbers");
    refuse("<Node dt='nan'>" BODY FEM "</Node>", 1, "not a finite number");
    refuse("<Node>" BODY "<TetrahedronFEMForceField youngModulus='1'/></Node>", 2, "poissonRatio");
    refuse("<Node><MeshTopology position='0 0 0' tetrahedra='0 1 2 3'/>" FEM "</Node>", 1, "tet");
    refuse("<Node><MeshTopology position='0 0' tetrahedra='0'/>" FEM "</Node>", 1, "three numbers");
    refuse(SCENE("<FixedConstraint indices='99'/>"), 2, "points 0 to 11");
    refuse(SCENE("<FixedConstraint indices='1.5'/>"), 2, "index 1.5");
    refuse(SCENE("<FixedConstraint indices='@nobody.indices'/>"), 2, "no component");
    refuse(SCENE("<PlaneROI name='p'/><FixedConstraint indices='@p.indices'/>"), 2, "PlaneROI");
    refuse(SCENE("<BoxConstraint box='1 2 3'/>"), 2, "six numbers");
    refuse(SCENE("<ConstantForceField indices='1 2' forces='1 1 1 2 2 2 3 3 3'/>"), 2, "3 forces");
    refuse(SCENE("<LinearForceField times='0 0' forces='1 1 1 2 2 2'/>"), 2, "ascend");
    refuse(SCENE("<LinearForceField times='0' forces='1 1'/>"), 2, "as many forces");
}

static void test_memory_may_end_at_any_time(void)
{
    static const char text[] =
        SCENE("<FixedConstraint indices='0 3'/><ConstantForceField forces='0 1 0'/>"
              "<Node><OglModel fileMesh='a.obj'/><BarycentricMapping/></Node>");
    for (int64_t k = 0;; k++) {
        ew_scene scene;
        memset(&scene, 0, sizeof scene);
        ew_test_allocations_begin(k);
        const ew_status status = read_scene(text, &scene);
        CU_ASSERT(status == EW_OK || status == EW_NO_MEMORY);
        ew_scene_free(&scene);
        CU_ASSERT_EQUAL(ew_test_unreleased(), 0);
        if (!ew_test_allocations_end()) {
            break;
        }
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"body_and_time", test_body_and_time},
        {"constraints", test_constraints},
        {"forces", test_forces},
        {"meshes", test_meshes},
        {"surfaces", test_surfaces},
        {"the_rest_is_listed", test_the_rest_is_listed},
        {"hostile_xml", test_hostile_xml},
        {"what_a_scene_needs", test_what_a_scene_needs},
        {"memory_may_end_at_any_time", test_memory_may_end_at_any_time},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"scene", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}

#else

int main(void)
{
    puts("skipped: built without expat");
    return EW_TEST_SKIPPED;
}

#endif
