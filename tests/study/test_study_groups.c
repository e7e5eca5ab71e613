/* Names of a case's mesh: as sets, as regions and surfaces; when they are asked for; what is
 * refused.
 */
#include "study_fixture.h"

typedef struct names {
    ew_groups groups;
    int32_t n_call;
    bool fails;
} names;

static ew_status read_groups(void *user, const ew_case *input, const ew_groups **groups)
{
    names *all = user;
    all->n_call++;
    CU_ASSERT_STRING_EQUAL(input->mesh_file, "part.mesh");
    *groups = &all->groups;
    return all->fails ? ew_fail(EW_IO, "part.mesh: cannot be opened") : EW_OK;
}

/* Faces and vertices called 'wall', region 2 'steel', two tets 'few'. */
static void make_names(names *all)
{
    ew_group *group;
    *all = (names){.n_call = 0};
    must(ew_groups_name_label(&all->groups, EW_GROUP_FACES, 3, "wall"));
    must(ew_groups_name_label(&all->groups, EW_GROUP_FACES, 4, "outer face"));
    must(ew_groups_name_label(&all->groups, EW_GROUP_TETS, 2, "steel"));
    must(ew_groups_add_list(&all->groups, EW_GROUP_VERTICES, "wall", &group));
    must(ew_group_push(group, 5));
    must(ew_groups_add_list(&all->groups, EW_GROUP_TETS, "few", &group));
    must(ew_group_push(group, 1));
    must(ew_group_push(group, 8));
}

static ew_status read_case(const char *text, names *all, ew_case *input)
{
    const ew_case_def def = {.user = all, .read_groups = read_groups};
    memset(input, 0, sizeof *input);
    return ew_case_read_with(text, strlen(text), &def, input);
}

static int32_t find(const ew_case *input, const char *name)
{
    for (int32_t i = 0; i < input->n_set; i++) {
        if (!strcmp(input->set[i].name, name)) {
            return i;
        }
    }
    return -1;
}

#define MESH "mesh: part.mesh\n"

static void test_uses(void)
{
    names all;
    ew_case input;
    make_names(&all);
    must(read_case(MESH
                   "material: [{region: steel, young: 1, poisson: 0.3}]\n"
                   "sets: {few: {box: [[0, 0, 0], [1, 1, 1]]}, s: {union: [{group: few}, "
                   "{region: steel, of: tets}]}, t: {surface: outer face}}\n"
                   "constraints: [{set: {group: wall, of: vertices}, displacement: [0, 0, 0]}]\n"
                   "loads: [{set: outer face, pressure: 1}, {set: few, force: [0, 0, 1]}]\n",
                   &all, &input));
    CU_ASSERT_EQUAL(all.n_call, 1);
    CU_ASSERT_EQUAL(input.material[0].region, 2);
    CU_ASSERT_EQUAL(input.n_set, 6);
    const int32_t few = find(&input, "few (tets)"), wall = find(&input, "wall (vertices)");
    const int32_t outer = find(&input, "outer face"), t = find(&input, "t");
    CU_ASSERT_FATAL(few >= 0 && wall >= 0 && outer >= 0 && t >= 0);
    const ew_selector *of = &input.node[input.set[few].node].selector;
    CU_ASSERT(of->kind == EW_SELECT_IDS && of->n_id == 2 && of->id[1] == 8);
    CU_ASSERT(input.set[few].kind == EW_SET_OF_TETS && input.set[wall].kind == EW_SET_OF_VERTICES);
    of = &input.node[input.set[outer].node].selector;
    CU_ASSERT(of->kind == EW_SELECT_SURFACE && of->label == 4);
    CU_ASSERT_EQUAL(input.node[input.set[t].node].selector.label, 4);
    CU_ASSERT_EQUAL(input.constraint[0].set, wall);
    CU_ASSERT_EQUAL(input.load[0].as.set, outer);
    CU_ASSERT_EQUAL(input.load[1].as.set, find(&input, "few"));
    ew_case_free(&input);
    ew_groups_free(&all.groups);
}

/* A mesh is not read for a case that names nothing of it. */
static void test_not_asked(void)
{
    names all;
    ew_case input;
    make_names(&all);
    must(read_case(MESH "material: {young: 1, poisson: 0.3}\nsets: {a: {region: 2}}\n", &all,
                   &input));
    CU_ASSERT_EQUAL(all.n_call, 0);
    ew_case_free(&input);
    ew_groups_free(&all.groups);
}

/* A group that a step uses first is there from the start; one that a step defines goes on from the
 * mesh's. */
static void test_steps(void)
{
    names all;
    ew_case input;
    make_names(&all);
    must(read_case(HEAD
                   "constraints: [{set: {all: true}, displacement: [0, 0, 0]}]\n"
                   "steps:\n"
                   "  - {static: {}, loads: [{set: outer face, pressure: 1}]}\n"
                   "  - {static: {}, sets: {outer face: {union: [outer face, {surface: 9}]}}}\n"
                   "  - {static: {}, sets: {few: {subtract: [few, {nearest: [0, 0, 0], of: "
                   "tets}]}}}\n",
                   &all, &input));
    const int32_t outer = find(&input, "outer face"), few = find(&input, "few");
    CU_ASSERT_FATAL(outer >= 0 && few >= 0);
    CU_ASSERT(input.set[outer].step == -1 && input.set[few].step == -1);
    CU_ASSERT_EQUAL(input.step[1].definition[0].set, outer);
    CU_ASSERT_EQUAL(input.step[2].definition[0].set, few);
    ew_case_free(&input);
    ew_groups_free(&all.groups);
}

static void refuse(const char *text, const char *message)
{
    names all;
    ew_case input;
    make_names(&all);
    CU_ASSERT_EQUAL(read_case(text, &all, &input), EW_BAD_INPUT);
    CU_ASSERT(strstr(ew_message(), "line ") == ew_message());
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), message));
    ew_groups_free(&all.groups);
}

#define LOAD(set) HEAD "loads: [{set: " set ", total_force: [0, 0, 1]}]\n"

static void test_refusals(void)
{
    names all;
    ew_case input;
    refuse(LOAD("wall"), "several parts");
    refuse(LOAD("{group: wall, of: tets}"), "several parts");
    refuse(LOAD("{group: steel, of: faces}"), "no faces with the name 'steel', but others");
    refuse(LOAD("{group: rubber}"), "no part with the name");
    refuse(LOAD("{group: few, normal: x}"), "normal");
    refuse(LOAD("{group: [few]}"), "group must be a word");
    refuse(LOAD("outre face"), "there is no set 'outre face'");
    refuse(LOAD("stel"), "did you mean 'steel'");
    refuse(MESH "material: [{region: few, young: 1, poisson: 0.3}]\n", "is no region");
    refuse(MESH "material: [{region: rubber, young: 1, poisson: 0.3}]\n", "no region with");
    refuse(MESH "material: [{region: 2x, young: 1, poisson: 0.3}]\n", "no region with");
    refuse(MESH "material: [{region: ~, young: 1, poisson: 0.3}]\n", "whole number");
    refuse(HEAD "sets: {a: {surface: steel}}\n", "no surface with");
    CU_ASSERT_EQUAL(read_text(LOAD("few"), &input), EW_BAD_INPUT);
    CU_ASSERT_EQUAL(read_text(HEAD "sets: {a: {surface: steel}}\n", &input), EW_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "whole number"));
    make_names(&all);
    all.fails = true;
    CU_ASSERT_EQUAL(read_case(LOAD("few"), &all, &input), EW_IO);
    CU_ASSERT_STRING_EQUAL(ew_message(), "part.mesh: cannot be opened");
    ew_groups_free(&all.groups);
}

int main(int argc, char **argv)
{
    static CU_TestInfo groups[] = {{"uses", test_uses},
                                   {"not_asked", test_not_asked},
                                   {"steps", test_steps},
                                   {"refusals", test_refusals},
                                   CU_TEST_INFO_NULL};
    static const CU_SuiteInfo suites[] = {{"groups", NULL, NULL, NULL, NULL, groups},
                                          CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
