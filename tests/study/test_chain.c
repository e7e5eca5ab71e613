/* A chain of commands is a study: a mesh that goes through a file between edits is bit for bit the
 * mesh that stayed in memory, in slots, ids and curved sides, whatever the edits were. EW_EDITS in
 * the environment says how many. */
#include "chain_fixture.h"
#include "curved_fixture.h"
#include "halves_fixture.h"

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

static const char *const endings[] = {".mesh", ".node", ".msh", ".vtu"};
enum { N_ENDING = sizeof endings / sizeof *endings };

/* ---- operations by words, on what is chosen by place ----------------------- */

/* vertices, tets: what the operation acts on; or null. */
static ew_status apply(ew_model *model, const char *name, const char *const *pair,
                       const ew_selector *vertices, const ew_selector *tets)
{
    const ew_operation *operation = ew_operation_named(name);
    ew_operation_values values = ew_operation_presets(operation);
    ew_list list = {0};
    int32_t at, set = 0;
    for (; *pair; pair += 2) {
        EW_TRY(ew_operation_set(operation, &values, pair[0], pair[1], EW_AS_KEYS));
    }
    if (tets) {
        at = ew_operation_parameter_of(operation, EW_PARAMETER_TETS);
        values.of[at].given = true;
        values.of[at].selector = *tets;
    }
    if (vertices) {
        const ew_model_set_def def = {.kind = EW_SET_OF_VERTICES, .allow_empty = true};
        at = ew_operation_parameter_of(operation, EW_PARAMETER_VERTICES);
        ew_status status = ew_mesh_select(ew_model_mesh(model), vertices, &list);
        status = status ? status : ew_model_add_set(model, &def, &list, &set);
        ew_list_free(&list);
        EW_TRY(status);
        values.of[at].given = true;
        values.of[at].whole = set;
    }
    ew_status status = ew_operation_check(operation, &values, EW_AS_KEYS, &at);
    status = status ? status : ew_model_queue_operation(model, operation, &values, NULL);
    status = status ? status : ew_model_commit(model);
    if (vertices) { /* of no use to the next */
        must(ew_model_redefine_set(model, set, &(ew_list){0}));
    }
    EW_TRY(status);
    if (ew_model_is_sparse(model)) {
        EW_TRY(ew_model_queue_unused(model));
        EW_TRY(ew_model_commit(model));
        EW_TRY(ew_model_compact(model, NULL, NULL));
    }
    return EW_OK;
}

static double number(uint64_t *state, double low, double high)
{
    return low + (high - low) * ew_test_random(state, 1001) / 1000.0;
}

static ew_selector ball(uint64_t *state)
{
    return (ew_selector){
        .kind = EW_SELECT_SPHERE,
        .a = {number(state, 0, 2), number(state, 0, 1), number(state, 0, 1)},
        .radius = number(state, 0.25, 0.7),
    };
}

/* A crack in a part of a plane. */
static ew_status open_at_random(ew_model *model, uint64_t *state)
{
    char shape[120], within[120];
    snprintf(shape, sizeof shape, "%g,0,0,1,%g,0", number(state, 0.5, 1.5), number(state, -1, 1));
    snprintf(within, sizeof within, "-9,-9,-9,9,%g,9", number(state, 0.3, 0.8));
    return apply(model, "cut",
                 WORDS("plane", shape, "keep", "open", "within", within, "label", "1007"), NULL,
                 NULL);
}

static ew_status cut_at_random(ew_model *model, uint64_t *state)
{
    char shape[120], word[16];
    const bool plane = ew_test_random(state, 2);
    if (!ew_test_random(state, 4)) {
        return open_at_random(model, state);
    }
    static const char *const keep[] = {"outside", "inside", "both"};
    snprintf(shape, sizeof shape, plane ? "%g,%g,%g,%g,%g,0.3" : "%g,%g,%g,%g",
             number(state, 0.5, 1.5), number(state, 0.3, 0.7), number(state, 0.3, 0.7),
             number(state, 0.2, 0.35), number(state, -1, 1));
    snprintf(word, sizeof word, "%d", (int)ew_test_random(state, 5) + 1001);
    return apply(model, "cut",
                 WORDS(plane ? "plane" : "sphere", shape, "label", word, "keep",
                       keep[plane ? ew_test_random(state, 3) : 2 * ew_test_random(state, 2)]),
                 NULL, NULL);
}

static ew_status turn_at_random(ew_model *model, uint64_t *state)
{
    char word[80];
    const ew_selector some = ball(state);
    switch (ew_test_random(state, 7)) {
    case 5:
        snprintf(word, sizeof word, "%g", number(state, -6, 6));
        return apply(model, "rotate",
                     WORDS("angle", word, "axis", "z", "center", "1,0.5,0", "radius", "0.6"), &some,
                     NULL);
    case 6:
        return apply(model, "scale",
                     WORDS("factor", "1.1", "about", "1,0.5,0.5", "radius", "0.5", "repair",
                           "true"),
                     &some, NULL);
    case 0:
        snprintf(word, sizeof word, "%g", number(state, -90, 90));
        return apply(model, "rotate", WORDS("angle", word, "axis", "1,2,3"), NULL, NULL);
    case 1:
        snprintf(word, sizeof word, "%g,%g,1", number(state, 0.8, 1.2), number(state, 0.8, 1.2));
        return apply(model, "scale", WORDS("factor", word), NULL, NULL);
    case 2:
        return apply(model, "mirror", WORDS("normal", "x", "at", "max"), NULL, NULL);
    case 3:
        snprintf(word, sizeof word, "%g,%g,0", number(state, -0.4, 0.4), number(state, -0.1, 0.1));
        return apply(model, "move", WORDS("by", word, "radius", "0.4", "repair", "true"), &some,
                     NULL);
    default:
        snprintf(word, sizeof word, "%g,0,%g", number(state, -0.05, 0.05),
                 number(state, -0.05, 0.05));
        return apply(model, "move", WORDS("by", word, "radius", "0.6"), &some, NULL);
    }
}

/* fills: with TetGen, too. */
static ew_status edit_at_random(ew_model *model, uint64_t *state, bool fills)
{
    char word[32];
    const ew_selector some = ball(state);
    const bool small = ew_model_mesh(model)->n_live_tet < 1500;
    switch (ew_test_random(state, fills ? 11 : 9)) {
    case 0:
        return apply(model, "refine", WORDS("longer_than", small ? "0.2" : "0.4"), &some, NULL);
    case 1:
        snprintf(word, sizeof word, "%g", number(state, 0.3, 0.6));
        return apply(model, "refine", WORDS("longer_than", word), small ? NULL : &some, NULL);
    case 2:
    case 3:
        return cut_at_random(model, state);
    case 4:
        return apply(model, "remove", WORDS(NULL), NULL, &some);
    case 5:
        snprintf(word, sizeof word, "%g", number(state, 0.05, 0.7));
        return apply(model, "decimate",
                     ew_test_random(state, 2) ? WORDS("fraction", word, "axis", "y")
                                              : WORDS("fraction", word, "order", "random"),
                     NULL, NULL);
    case 6:
        return apply(model, "smooth", WORDS("sweeps", "2"), NULL, NULL);
    case 9:
        return apply(model, "remesh", WORDS("size", "0.25"), NULL, &some);
    case 10:
        return apply(model, "remesh", WORDS("worse_than", "0.3", "rings", "1"), NULL, NULL);
    default:
        return turn_at_random(model, state);
    }
}

/* ---- random chains ------------------------------------------------------------ */

/* With two regions. */
static ew_model *make_box_model(void)
{
    ew_mesh mesh;
    make_halves(&mesh, (const int32_t[3]){6, 3, 3});
    return model_of(&mesh);
}

static int n_chain(int preset)
{
    const char *text = getenv("EW_EDITS");
    return text && atoi(text) > 0 ? atoi(text) : preset;
}

/* One that stays in memory, one through a file after each edit. */
static void run_chain(uint64_t seed, int n, bool fills, const char *ending, int *n_done)
{
    uint64_t state[2] = {seed, seed};
    ew_model *model[2] = {make_box_model(), make_box_model()};
    for (int i = 0; i < n; i++) {
        ew_status status[2];
        for (int k = 0; k < 2; k++) {
            status[k] = edit_at_random(model[k], &state[k], fills);
        }
        CU_ASSERT_EQUAL_FATAL(status[0], status[1]);
        CU_ASSERT(status[0] == EW_OK || status[0] == EW_BAD_EDIT || status[0] == EW_BAD_INPUT);
        const ew_mesh *mesh = ew_model_mesh(model[0]);
        *n_done += !status[0];
        const bool same = same_slots(mesh, ew_model_mesh(model[1])) &&
                          same_triangles(mesh, ew_model_mesh(model[1]));
        if (!same) {
            printf("\n  seed %d, edit %d, %s\n", (int)seed, i, ending);
        }
        CU_ASSERT_FATAL(same);
        if (!mesh->n_live_tet) {
            break;
        }
        reload(&model[1], ending);
        CU_ASSERT_FATAL(same_slots(mesh, ew_model_mesh(model[1])));
        CU_ASSERT_FATAL(same_triangles(mesh, ew_model_mesh(model[1])));
        must(ew_mesh_check(ew_model_mesh(model[1])));
    }
    ew_model_free(model[0]);
    ew_model_free(model[1]);
}

static void test_chain_is_study(void)
{
    int n_done = 0;
    const int n = n_chain(100);
    for (int i = 0; i < n; i++) {
        run_chain(1000 + (uint64_t)i, 3 + i % 3, false, endings[i % N_ENDING], &n_done);
    }
    CU_ASSERT(n_done > 2 * n);
}

static void test_chain_with_remesh(void)
{
#if EW_WITH_TETGEN
    int n_done = 0;
    const int n = n_chain(60) / 3;
    for (int i = 0; i < n; i++) {
        run_chain(5000 + (uint64_t)i, 4, true, endings[i % N_ENDING], &n_done);
    }
    CU_ASSERT(n_done > 2 * n);
#endif
}

/* ---- tets of ten nodes ----------------------------------------------------------- */

static bool same_curves(const ew_model *a, const ew_model *b)
{
    const ew_edge_rows *rows[2] = {ew_model_edge_rows(a), ew_model_edge_rows(b)};
    const ew_mesh *mesh = ew_model_mesh(a);
    const ew_pattern *pattern = &ew_model_topology(a)->pattern;
    int32_t n = 0;
    for (int32_t e = 0; e < pattern->n_pair; e++) {
        const int32_t *end = pattern->pair_row + 2 * (size_t)e;
        if (rows[0]->row[e] < 0) {
            continue;
        }
        const int32_t other =
            ew_pattern_pair_between(&ew_model_topology(b)->pattern, end[0], end[1]);
        const double *x = rows[0]->curve + 3 * (size_t)rows[0]->row[e];
        if (other < 0 ||
            memcmp(x, rows[1]->curve + 3 * (size_t)rows[1]->row[other], 3 * sizeof *x)) {
            printf("\n  the side from %d to %d\n", (int)mesh->vertex_id[end[0]],
                   (int)mesh->vertex_id[end[1]]);
            return false;
        }
        n += x[0] != 0.0;
    }
    return n > 0;
}

static ew_model *make_curved(void)
{
    ew_mesh mesh;
    must(ew_shape_box(&mesh, (double[3]){2, 1, 1}, (int32_t[3]){4, 2, 2}));
    curve_mesh(&mesh, bend, 0.0);
    return model_of(&mesh);
}

static void test_curved_sides_survive(void)
{
    static const struct {
        const char *name, *pair[5];
    } step[] = {{"refine", {"longer_than", "0.7"}},
                {"rotate", {"angle", "30", "axis", "1,2,3"}},
                {"decimate", {"fraction", "0.1", "order", "random"}},
                {"refine", {"longer_than", "0.5"}},
                {"move", {"by", "0.1,0,0"}}};
    for (size_t f = 0; f < N_ENDING; f++) {
        ew_model *model[2] = {make_curved(), make_curved()};
        for (size_t i = 0; i < sizeof step / sizeof *step; i++) {
            const ew_selector all = {.kind = EW_SELECT_ALL};
            const bool moves = !strcmp(step[i].name, "move");
            for (int k = 0; k < 2; k++) {
                must(apply(model[k], step[i].name, step[i].pair, moves ? &all : NULL, NULL));
            }
            reload(&model[1], endings[f]);
            CU_ASSERT_FATAL(same_slots(ew_model_mesh(model[0]), ew_model_mesh(model[1])));
            CU_ASSERT_FATAL(same_curves(model[0], model[1]));
        }
        ew_model_free(model[0]);
        ew_model_free(model[1]);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {{"chain_is_study", test_chain_is_study},
                           {"chain_with_remesh", test_chain_with_remesh},
                           {"curved_sides_survive", test_curved_sides_survive},
                           CU_TEST_INFO_NULL};
    CU_SuiteInfo suites[] = {{"chain", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
