/* The table of operations: what a descriptor promises, values from texts and their checks, and an
 * operation that is none of the library's. */
#include "operation_body.h"

static const ew_operation *op(const char *name)
{
    const ew_operation *operation = ew_operation_named(name);
    CU_ASSERT_PTR_NOT_NULL_FATAL(operation);
    return operation;
}

/* Journals name operations by these numbers: none may ever change. */
static void test_file_codes_are_pinned(void)
{
    static const struct {
        const char *name;
        int32_t code;
    } pinned[] = {{"decimate", 0}, {"mirror", 1}, {"scale", 2},  {"remove", 3},  {"add", 5},
                  {"move", 6},     {"refine", 7}, {"smooth", 8}, {"rotate", 16}, {"cut", 12},
                  {"remesh", 17},  {"weld", 18},  {"split", 19}};
    for (size_t i = 0; i < sizeof pinned / sizeof *pinned; i++) {
        CU_ASSERT_EQUAL(op(pinned[i].name)->file_code, pinned[i].code);
        CU_ASSERT_PTR_EQUAL(ew_operation_of_code(pinned[i].code), op(pinned[i].name));
    }
    CU_ASSERT_PTR_EQUAL(ew_operation_of_code(4), op("remove")); /* small pieces, once */
    CU_ASSERT_PTR_NULL(ew_operation_of_code(9));                /* a study's own: 9 and 10 */
    CU_ASSERT_PTR_NULL(ew_operation_of_code(10));
}

static void test_descriptors_are_whole(void)
{
    int32_t n = 0;
    for (const ew_operation *operation; (operation = ew_operation_at(n)); n++) {
        CU_ASSERT_PTR_EQUAL(op(operation->name), operation);
        CU_ASSERT(*operation->summary && *operation->example && operation->queue);
        CU_ASSERT(operation->file_code >= 0 && operation->file_code < 128);
        CU_ASSERT(operation->n_parameter > 0 && operation->n_parameter <= EW_MAX_PARAMETERS);
        int32_t of_kind[3] = {0, 0, 0};
        ew_operation_values values = {0};
        for (int32_t i = 0; i < operation->n_parameter; i++) {
            const ew_parameter *p = &operation->parameter[i];
            CU_ASSERT(*p->key && *p->argument && *p->help);
            CU_ASSERT_EQUAL(ew_operation_parameter(operation, p->key), i);
            CU_ASSERT((p->kind == EW_PARAMETER_CHOICE || p->kind == EW_PARAMETER_PLACE ||
                       p->kind == EW_PARAMETER_TETS || p->kind == EW_PARAMETER_NUMBERS) ==
                      (p->words != NULL));
            CU_ASSERT(p->with || !p->when);
            if (p->when) {
                const int32_t k = ew_operation_parameter(operation, p->with);
                CU_ASSERT(k >= 0 && operation->parameter[k].kind == EW_PARAMETER_CHOICE);
            }
            if (p->preset) {
                CU_ASSERT_EQUAL(ew_operation_set(operation, &values, p->key, p->preset, EW_AS_KEYS),
                                EW_OK);
            }
            of_kind[0] += p->kind == EW_PARAMETER_VERTICES;
            of_kind[1] += p->kind == EW_PARAMETER_TETS;
            of_kind[2] += p->kind == EW_PARAMETER_MESH;
        }
        CU_ASSERT(of_kind[0] < 2 && of_kind[1] < 2 && of_kind[2] < 2);
    }
    CU_ASSERT_EQUAL(n, 13);
    CU_ASSERT_PTR_NULL(ew_operation_at(-1));
    CU_ASSERT_PTR_NULL(ew_operation_named("decimat"));
}

/* Sets pairs of key and text, up to a null; the first failure, or what the check says. */
static ew_status set_all(const ew_operation *operation, const char *const *pair, ew_naming naming,
                         ew_operation_values *values)
{
    int32_t at;
    *values = ew_operation_presets(operation);
    for (; *pair; pair += 2) {
        EW_TRY(ew_operation_set(operation, values, pair[0], pair[1], naming));
    }
    return ew_operation_check(operation, values, naming, &at);
}

static void test_values_from_texts(void)
{
    ew_operation_values v;
    const char *const cut[] = {"fraction", "0.25", "order", "random", "seed", "9", NULL};
    CU_ASSERT_EQUAL(set_all(op("decimate"), cut, EW_AS_KEYS, &v), EW_OK);
    CU_ASSERT(v.of[0].number[0] == 0.25 && v.of[0].given && !v.of[1].given);
    CU_ASSERT(v.of[1].number[0] == 1 && v.of[1].number[1] == 0); /* x */
    CU_ASSERT(v.of[2].whole == EW_DECIMATE_RANDOM && v.of[3].whole == 9);
    const char *const turned[] = {"normal", "0,-2,1", "at", "1,2,3", NULL};
    CU_ASSERT_EQUAL(set_all(op("mirror"), turned, EW_AS_KEYS, &v), EW_OK);
    CU_ASSERT(v.of[0].number[1] == -2 && v.of[1].whole == -1 && v.of[1].number[2] == 3);
    const char *const low[] = {"at", "min", NULL};
    CU_ASSERT_EQUAL(set_all(op("mirror"), low, EW_AS_KEYS, &v), EW_OK);
    CU_ASSERT(v.of[1].whole == 0 && !v.of[2].given);
    const char *const grown[] = {"factor", "2", NULL};
    CU_ASSERT_EQUAL(set_all(op("scale"), grown, EW_AS_KEYS, &v), EW_OK);
    CU_ASSERT(v.of[1].number[0] == 2 && v.of[1].number[2] == 2);
    const char *const none[] = {NULL};
    CU_ASSERT_EQUAL(set_all(op("smooth"), none, EW_AS_KEYS, &v), EW_OK);
    CU_ASSERT(v.of[0].whole == 5 && !v.of[0].given);
}

/* Each mistake is named as the user knows the parameter. */
static void test_mistakes_are_named(void)
{
    static const struct {
        const char *name, *pair[5], *key, *option;
    } wrong[] = {
        {"decimate", {"fraction", "abc"}, "fraction takes a number, not 'abc'", "--fraction takes"},
        {"decimate",
         {"fraction", "1.5"},
         "fraction is 1.5; it must be greater than 0 and at most 1",
         "--fraction is 1.5"},
        {"decimate", {"fraction", "0"}, "greater than 0", "greater than 0"},
        {"decimate", {"fraction", "nan"}, "a number", "a number"},
        {"decimate", {"axis", "w"}, "axis takes x, y, z or a vector X,Y,Z, not 'w'", "--axis"},
        {"decimate", {"axis", "0,0,0"}, "axis has length 0", "--axis has length 0"},
        {"decimate", {"order", "axes"}, "one of: axis random region energy", "--order takes"},
        {"decimate",
         {"order", "region"},
         "order region needs region",
         "--order region needs --region"},
        {"decimate",
         {"region", "1"},
         "region goes with order region",
         "--region goes with --order region"},
        {"decimate",
         {"order", "random", "axis", "y"},
         "axis goes with order axis or region",
         "--axis goes with --order axis or region"},
        {"decimate", {"seed", "7"}, "seed goes with order random", "--seed goes with"},
        {"decimate", {"order", "random", "seed", "-1"}, "seed is -1", "--seed is -1"},
        {"mirror", {"at", "mid"}, "at takes min, max or a point X,Y,Z", "--at takes"},
        {"mirror", {"tolerance", "-1"}, "tolerance is -1; it must be at least 0", "--tolerance"},
        {"scale", {"factor", "1,0,1"}, "factor is 0; it must be greater than 0", "--factor is 0"},
        {"scale", {"factor", "1,2"}, "factor takes FX,FY,FZ", "--factor takes"},
        {"scale", {NULL}, "key 'factor' is missing", "scale needs --factor FX,FY,FZ"},
        {"scale", {"factr", "1"}, "did you mean factor", "did you mean --factor"},
        {"remove",
         {NULL},
         "one, and only one, of: box, sphere, cylinder, side, region, ids, pieces",
         "--ids, --pieces-smaller-than"},
        {"remove",
         {"pieces_smaller_than", "0"},
         "pieces_smaller_than is 0; it must be at least 1",
         "--pieces-smaller-than is 0"},
        {"add", {NULL}, "key 'mesh' is missing", "--mesh"},
        {"move", {"set", "a"}, "selection", "--set"},
        {"move",
         {NULL},
         "one, and only one, of: by, radially, along_normals, angle, table, sets",
         "--by, --radially, --along-normals, --angle"},
        {"move", {"by", "0,0,1", "radially", "1"}, "one, and only one, of", "and only one, of"},
        {"move", {"by", "0,0,1", "axis", "z"}, "axis goes with radially", "--axis goes with"},
        {"move", {"angle", "3"}, "angle needs axis", "--angle needs --axis"},
        {"move", {"table", "a.csv", "center", "0,0,0"}, "center goes with", "--center goes with"},
        {"move", {"by", "0,0,1", "blend", "distance"}, "blend goes with sets", "with --sets"},
        {"move", {"radially", "x"}, "radially takes a number", "--radially takes a number"},
        {"move", {"by", "0,0,1", "radius", "-1"}, "radius is -1", "--radius is -1"},
        {"rotate", {"angle", "3"}, "key 'axis' is missing", "rotate needs --axis"},
        {"rotate", {"axis", "z"}, "key 'angle' is missing", "rotate needs --angle"},
        {"refine", {NULL}, "at least one of: longer_than, set", "--longer-than, a selection"},
        {"refine", {"longer_than", "0"}, "greater than 0", "--longer-than is 0"},
        {"refine", {"longer_than", "-1"}, "greater than 0", "--longer-than is -1"},
        {"refine", {"longer_than", "nan"}, "takes a number", "--longer-than takes a number"},
        {"refine", {"longer_than", "1", "max_tets", "0"}, "at least 1", "--max-tets is 0"},
        {"cut",
         {NULL},
         "one, and only one, of: plane, sphere, cylinder, cone",
         "--cylinder, --cone"},
        {"cut", {"plane", "1,2,3"}, "plane takes X,Y,Z,NX,NY,NZ, not", "--plane takes"},
        {"cut", {"plane", "0,0,0,0,0,0"}, "plane: normal is 0", "--plane: normal"},
        {"cut", {"sphere", "0,0,0,-1"}, "sphere: radius is -1; it must be greater", "--sphere: r"},
        {"cut", {"cylinder", "0,0,0,0,0,0,1"}, "the axis has length 0", "the axis has length 0"},
        {"cut",
         {"sphere", "0,0,0,1", "keep", "left"},
         "one of: inside outside both open",
         "--keep"},
        {"cut",
         {"sphere", "0,0,0,1", "floor", "1"},
         "floor is 1; it must be at least 0",
         "--floor"},
        {"weld", {"tolerance", "-1"}, "tolerance is -1; it must be at least 0", "--tolerance"},
        {"smooth", {"sweeps", "1001"}, "at least 1 and at most 1000", "--sweeps is 1001"},
        {"smooth", {"sweeps", "2.5"}, "a whole number", "a whole number"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ew_operation_values v;
        for (int k = 0; k < 2; k++) {
            const char *words = k ? wrong[i].option : wrong[i].key;
            const ew_naming naming = k ? EW_AS_OPTIONS : EW_AS_KEYS;
            CU_ASSERT_EQUAL(set_all(op(wrong[i].name), wrong[i].pair, naming, &v), EW_BAD_INPUT);
            CU_ASSERT_EQUAL(strncmp(ew_message(), wrong[i].name, strlen(wrong[i].name)), 0);
            if (!strstr(ew_message(), words)) {
                printf("\n'%s' is not in: %s\n", words, ew_message());
                CU_FAIL("another message");
            }
        }
    }
    ew_operation_values v = ew_operation_presets(op("decimate"));
    int32_t at;
    v.of[2].whole = 40; /* no such order */
    v.of[2].given = true;
    CU_ASSERT_EQUAL(ew_operation_check(op("decimate"), &v, EW_AS_KEYS, &at), EW_BAD_INPUT);
    v.of[2].whole = EW_DECIMATE_RANDOM;
    v.of[1].given = true;
    CU_ASSERT_EQUAL(ew_operation_check(op("decimate"), &v, EW_AS_KEYS, &at), EW_BAD_INPUT);
    CU_ASSERT_EQUAL(at, 1);
}

static bool same(const void *a, const void *b, size_t bytes)
{
    return bytes == 0 || memcmp(a, b, bytes) == 0;
}

static bool same_edits(const ew_edit *a, const ew_edit *b)
{
    return a->n_add_vertex == b->n_add_vertex && a->n_add_tet == b->n_add_tet &&
           a->remove_tet.n == b->remove_tet.n && a->move_vertex.n == b->move_vertex.n &&
           same(a->add_vertex, b->add_vertex, 24 * (size_t)a->n_add_vertex) &&
           same(a->add_tet, b->add_tet, 16 * (size_t)a->n_add_tet) &&
           same(a->remove_tet.id, b->remove_tet.id, 4 * (size_t)a->remove_tet.n) &&
           same(a->move_to, b->move_to, 24 * (size_t)a->move_vertex.n);
}

/* Queues by descriptor and compares with what the typed function queued into b->edit. */
static void compare(body *b, const char *name, const char *const *pair, ew_operation_input in)
{
    ew_operation_values v;
    ew_edit edit = {0};
    CU_ASSERT_EQUAL_FATAL(set_all(op(name), pair, EW_AS_KEYS, &v), EW_OK);
    in.operation = op(name);
    in.mesh = &b->mesh;
    in.topology = &b->topology;
    in.values = &v;
    CU_ASSERT_EQUAL_FATAL(in.operation->queue(&in, &edit), EW_OK);
    CU_ASSERT(!is_empty(&edit) && same_edits(&edit, &b->edit));
    ew_edit_free(&edit);
    ew_edit_clear(&b->edit);
}

#define PAIRS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void test_descriptors_do_what_functions_do(void)
{
    body b;
    ew_list some = {0};
    ew_mesh other;
    make_box(&b, 3, 1, 1, 6, 3, 3);
    CU_ASSERT_EQUAL_FATAL(ew_shape_box(&other, (double[3]){1, 1, 1}, (int32_t[3]){2, 3, 3}), EW_OK);
    for (int32_t v = 0; v < other.n_vertex; v++) {
        other.xyz[3 * v] += 3;
    }
    const ew_selector ball = {.kind = EW_SELECT_SPHERE, .a = {1, 0.5, 0.5}, .radius = 0.6};
    CU_ASSERT_EQUAL_FATAL(ew_mesh_select(&b.mesh, &ball, &some), EW_OK);
    const ew_operation_input none = {0};

    ew_decimate_def cut = {.fraction = 0.3, .order = EW_DECIMATE_RANDOM, .seed = 4};
    CU_ASSERT_EQUAL(ew_operation_decimate(&b.mesh, &cut, &b.edit), EW_OK);
    compare(&b, "decimate", PAIRS("fraction", "0.3", "order", "random", "seed", "4"), none);

    ew_mirror_def low = {.normal = {0, 1, 0}, .tolerance = -1};
    ew_mirror_place(&b.mesh, -1, &low);
    CU_ASSERT_EQUAL(ew_operation_mirror(&b.mesh, &low, &b.edit), EW_OK);
    compare(&b, "mirror", PAIRS("normal", "y", "at", "min"), none);

    CU_ASSERT_EQUAL(
        ew_operation_scale(&b.mesh, (double[3]){2, 1, 3}, (double[3]){0, 1, 0}, &b.edit), EW_OK);
    compare(&b, "scale", PAIRS("factor", "2,1,3", "about", "0,1,0"), none);

    CU_ASSERT_EQUAL(ew_operation_add(&b.mesh, &other, 1e-9, &b.edit), EW_OK);
    compare(&b, "add", PAIRS("mesh", "rib.mesh", "weld", "1e-9"),
            (ew_operation_input){.other = &other});

    CU_ASSERT_EQUAL(ew_operation_move(&b.mesh, &some, (double[3]){0, 0, 0.01}, 0.5, &b.edit),
                    EW_OK);
    compare(&b, "move", PAIRS("by", "0,0,0.01", "radius", "0.5"),
            (ew_operation_input){.vertex = &some});

    CU_ASSERT_EQUAL(ew_operation_refine(&b.mesh, &b.topology, 0.5, NULL, &b.edit), EW_OK);
    compare(&b, "refine", PAIRS("longer_than", "0.5"), none);

    some.n = 0; /* everywhere */
    CU_ASSERT_EQUAL_FATAL(ew_mesh_select(&b.mesh, &(ew_selector){.kind = EW_SELECT_ALL}, &some),
                          EW_OK);
    CU_ASSERT_EQUAL(ew_operation_move(&b.mesh, &some, (double[3]){1, 0, 0}, 0, &b.edit), EW_OK);
    compare(&b, "move", PAIRS("by", "1,0,0"), none);

    ew_list_free(&some);
    ew_mesh_free(&other);
    drop(&b);
}

static void test_remove_by_descriptor(void)
{
    body b;
    int32_t at;
    make_box(&b, 3, 1, 1, 6, 3, 3);
    ew_operation_values v = ew_operation_presets(op("remove"));
    v.of[0].given = true;
    v.of[0].selector = (ew_selector){.kind = EW_SELECT_BOX, .b = {1, 1, 1}};
    CU_ASSERT_EQUAL(ew_operation_check(op("remove"), &v, EW_AS_KEYS, &at), EW_OK);
    const ew_operation_input in = {
        .operation = op("remove"), .mesh = &b.mesh, .topology = &b.topology, .values = &v};
    CU_ASSERT_EQUAL(op("remove")->queue(&in, &b.edit), EW_OK);
    CU_ASSERT_EQUAL(b.edit.remove_tet.n, 2 * 3 * 3 * 6);
    v.of[1].given = true; /* both forms at once */
    CU_ASSERT_EQUAL(ew_operation_check(op("remove"), &v, EW_AS_KEYS, &at), EW_BAD_INPUT);
    drop(&b);
}

/* ---- an operation of a program's own ----------------------------------- */

typedef struct own_state {
    int32_t *n_call;
} own_state;

/* Removes every n-th tet; with `backwards`, counted from the end. */
static ew_status thin(const ew_operation_input *in, ew_edit *edit)
{
    const int32_t step = (int32_t)in->values->of[0].whole;
    const bool backwards = in->values->of[1].whole;
    ++*((const own_state *)in->operation->user)->n_call;
    for (int32_t t = 0; t < in->mesh->n_tet; t += step) {
        EW_TRY(ew_edit_remove_tet(edit, backwards ? in->mesh->n_tet - 1 - t : t));
    }
    return EW_OK;
}

static void test_own_operation(void)
{
    static const ew_parameter parameters[] = {
        {.key = "every",
         .kind = EW_PARAMETER_COUNT,
         .need = EW_REQUIRED,
         .low = 2,
         .high = 1000,
         .argument = "N",
         .help = "one of so many"},
        {.key = "backwards", .kind = EW_PARAMETER_FLAG, .argument = "", .help = "from the end"}};
    int32_t n_call = 0;
    const own_state state = {&n_call};
    const ew_operation own = {.name = "thin",
                              .summary = "remove every n-th tet",
                              .example = "part.mesh --every 7 -o thin.mesh",
                              .file_code = 128,
                              .n_parameter = 2,
                              .parameter = parameters,
                              .queue = thin,
                              .user = &state};
    body b;
    ew_operation_values v;
    make_box(&b, 2, 1, 1, 4, 2, 2);
    CU_ASSERT_EQUAL(set_all(&own, PAIRS("backwards", "true"), EW_AS_KEYS, &v), EW_BAD_INPUT);
    CU_ASSERT_EQUAL(set_all(&own, PAIRS("every", "1"), EW_AS_KEYS, &v), EW_BAD_INPUT);
    CU_ASSERT_EQUAL_FATAL(set_all(&own, PAIRS("every", "7", "backwards", "true"), EW_AS_KEYS, &v),
                          EW_OK);
    const ew_operation_input in = {
        .operation = &own, .mesh = &b.mesh, .topology = &b.topology, .values = &v};
    CU_ASSERT_EQUAL(own.queue(&in, &b.edit), EW_OK);
    CU_ASSERT_EQUAL(n_call, 1);
    CU_ASSERT_EQUAL(b.edit.remove_tet.id[0], b.mesh.n_tet - 1);
    commit(&b);
    drop(&b);
}

int main(int argc, char **argv)
{
    static CU_TestInfo tests[] = {{"file_codes", test_file_codes_are_pinned},
                                  {"descriptors", test_descriptors_are_whole},
                                  {"texts", test_values_from_texts},
                                  {"mistakes", test_mistakes_are_named},
                                  {"same_as_functions", test_descriptors_do_what_functions_do},
                                  {"remove", test_remove_by_descriptor},
                                  {"own_operation", test_own_operation},
                                  CU_TEST_INFO_NULL};
    static const CU_SuiteInfo suites[] = {{"table", NULL, NULL, NULL, NULL, tests},
                                          CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
