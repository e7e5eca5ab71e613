/* Random moves and parts that are meshed again, through a model: after each, sets and fields have
 * followed, and all else is what a model made fresh from the same mesh has. EW_EDITS in the
 * environment says how many. */
#include "ew_parts.h"
#include "meshing/tetgen.h"
#include "model_edits.h"
#include "model_snapshot.h"

#if EW_WITH_TETGEN

static ew_status queue_words(ew_model *model, const char *name, const char *const *pair,
                             const ew_selector *tets, int32_t set)
{
    const ew_operation *operation = ew_operation_named(name);
    ew_operation_values values = ew_operation_presets(operation);
    int32_t at;
    for (; *pair; pair += 2) {
        EW_TRY(ew_operation_set(operation, &values, pair[0], pair[1], EW_AS_KEYS));
    }
    if (tets) {
        ew_parameter_value *value =
            &values.of[ew_operation_parameter_of(operation, EW_PARAMETER_TETS)];
        value->given = true;
        value->selector = *tets;
    }
    if (set >= 0) {
        ew_parameter_value *value =
            &values.of[ew_operation_parameter_of(operation, EW_PARAMETER_VERTICES)];
        value->given = true;
        value->whole = set;
    }
    EW_TRY(ew_operation_check(operation, &values, EW_AS_KEYS, &at));
    return ew_model_queue_operation(model, operation, &values, NULL);
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* By a random vector, radius, angle or length, of a set or of everything. */
static ew_status queue_motion(ew_model *model, uint64_t *state)
{
    static const int sets[] = {WALL, TOP, SIDE, TIP, FLOOR_FACES, TOP_FACES, END_FACES, HALF, -1};
    const int set = sets[ew_test_random(state, 9)];
    const double size = ew_test_random(state, 6) ? 0.03 : 0.5;
    char by[80], length[32], radius[32], angle[32];
    snprintf(by, sizeof by, "%.17g,%.17g,%.17g", jitter(state, size), jitter(state, size),
             jitter(state, size));
    snprintf(length, sizeof length, "%.17g", jitter(state, size));
    snprintf(radius, sizeof radius, "%.17g", fabs(jitter(state, 1.5)));
    snprintf(angle, sizeof angle, "%.17g", jitter(state, 100 * size));
    switch (ew_test_random(state, 8)) {
    case 0:
        return queue_words(model, "move",
                           WORDS("radially", length, "axis", "z", "center", "-0.1,0.3,0", "radius",
                                 radius),
                           NULL, set);
    case 1:
        return queue_words(model, "move",
                           WORDS("radially", length, "center", "0.45,0.55,-1", "radius", radius),
                           NULL, set);
    case 2:
        return queue_words(model, "move", WORDS("along_normals", length, "radius", radius), NULL,
                           set < 0 ? TOP : set);
    case 3:
        return queue_words(model, "move",
                           WORDS("angle", angle, "axis", "1,2,3", "center", "0.5,0.5,0.5", "radius",
                                 radius),
                           NULL, set);
    case 4:
        return queue_words(model, "rotate", WORDS("angle", angle, "axis", "y", "radius", radius),
                           NULL, set);
    case 5:
        return queue_words(model, "scale",
                           WORDS("factor", set < 0 ? "1.02,0.99,1" : "0.95", "about", "0.5,0.5,0.5",
                                 "radius", radius),
                           NULL, set);
    case 6:
        return queue_words(model, "move", WORDS("by", by, "radius", radius, "repair", "true"), NULL,
                           set);
    default:
        return queue_words(model, "move", WORDS("by", by, "radius", radius), NULL, set);
    }
}

/* Of tets by id, in a ball, of the whole, or where quality or size asks. */
static ew_status queue_remesh(ew_model *model, uint64_t *state)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const int32_t t = random_live_tet(mesh, state);
    int64_t id[2] = {mesh->tet_id[t], mesh->tet_id[random_live_tet(mesh, state)]};
    ew_selector chosen = {.kind = EW_SELECT_IDS, .n_id = 1 + (id[0] != id[1]), .id = id};
    ew_selector ball = {.kind = EW_SELECT_SPHERE, .radius = 0.2 + fabs(jitter(state, 0.5))};
    ew_mesh_tet_centroid(mesh, t, ball.a);
    const ew_selector all = {.kind = EW_SELECT_REGION,
                             .label = mesh->region_label[mesh->region[t]]};
    const bool few = mesh->n_live_tet < 300;
    switch (ew_test_random(state, 10)) {
    case 0:
        return queue_words(model, "remesh", WORDS("size", few ? "0.3" : "0.9"), &all, -1);
    case 1:
        return queue_words(model, "remesh", WORDS("longer_than", "0.9"), NULL, -1);
    case 2:
        return queue_words(model, "remesh", WORDS("shorter_than", "0.4", "rings", "1"), NULL, -1);
    case 3:
    case 4:
        return queue_words(model, "remesh", WORDS("worse_than", "0.25"), NULL, -1);
    case 5:
        return queue_words(model, "remesh", WORDS("ratio", "2"), &chosen, -1);
    default:
        return queue_words(model, "remesh", WORDS("size", few ? "0.3" : "1"), &ball, -1);
    }
}

/* *meshes: whether it is a part to be meshed again. */
static ew_status queue_next(ew_model *model, editor *e, bool *meshes)
{
    const uint32_t kind = ew_test_random(&e->state, 20);
    *meshes = false;
    if (ew_model_mesh(model)->n_live_tet > 1500 || kind == 0) {
        return ew_model_queue(model, queue_any, e);
    }
    if (kind == 1) {
        return queue_words(model, "smooth", WORDS("sweeps", "3"), NULL, -1);
    }
    *meshes = kind >= 11;
    return *meshes ? queue_remesh(model, &e->state) : queue_motion(model, &e->state);
}

typedef struct tally {
    int moved, meshed, refused;
} tally;

/* What the edit does to the body as a whole: parts that are meshed again keep it. */
static void run_one(ew_model *model, editor *e, tally *counts)
{
    snapshot s = take_snapshot(model);
    ew_mesh_measure before, after;
    ew_mesh_take_measure(ew_model_mesh(model), &before);
    bool meshes;
    ew_status status = queue_next(model, e, &meshes);
    const ew_edit *edit = ew_model_edit(model);
    const bool meshed = !status && meshes && edit->n_add_tet;
    const bool moved = !status && edit->move_vertex.n;
    status = status ? status : ew_model_commit(model);
    CU_ASSERT(status == EW_OK || status == EW_BAD_EDIT || status == EW_BAD_INPUT);
    counts->meshed += meshed && !status;
    counts->moved += moved && !status;
    counts->refused += status != EW_OK;
    if (meshed && !status) {
        ew_mesh_take_measure(ew_model_mesh(model), &after);
        CU_ASSERT_DOUBLE_EQUAL(after.volume, before.volume, 1e-9 * before.volume);
    }
    CU_ASSERT(!status || ew_model_mesh(model)->revision == s.mesh.revision);
    if (!status) { /* else the change is of the commit before */
        expect_sets_followed(model, &s);
        expect_fields_followed(model, &s);
    }
    drop_snapshot(&s);
}

static void run_sequence(uint64_t seed, int n, tally *counts)
{
    ew_model *model = make_model(2, NULL);
    editor e = {.state = seed};
    ew_model_set_fill(model, ew_tetgen_fill);
    for (int i = 0; i < n && !CU_get_number_of_failures(); i++) {
        run_one(model, &e, counts);
        if (ew_model_is_sparse(model)) {
            ew_model_begin(model);
            must(ew_model_queue_unused(model));
            must(ew_model_commit(model));
            must(ew_model_compact(model, NULL, NULL));
            e.n_gone = 0;
        }
        if (ew_test_random(&e.state, 3)) { /* else changes add up */
            expect_as_fresh(model);
        }
        if (ew_test_random(&e.state, 8) == 0) {
            solve_a_little(model, 2);
        }
        if (CU_get_number_of_failures()) {
            printf("seed %d, edit %d: %s\n", (int)seed, i, ew_message());
        }
        if (ew_model_mesh(model)->n_live_tet < 20) {
            break;
        }
    }
    ew_model_free(model);
}

static void test_moves_and_remeshes(void)
{
    const char *asked = getenv("EW_EDITS");
    const int wanted = asked ? atoi(asked) : 600;
    tally counts = {0, 0, 0};
    for (uint64_t seed = 1;
         counts.moved + counts.meshed < wanted && seed < 100000 && !CU_get_number_of_failures();
         seed++) {
        run_sequence(seed, 60, &counts);
    }
    printf("%d moves, %d remeshes, %d refused ", counts.moved, counts.meshed, counts.refused);
    CU_ASSERT(counts.moved > wanted / 4);
    CU_ASSERT(counts.meshed > wanted / 8);
    CU_ASSERT(counts.refused > 0);
}

#endif

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
#if EW_WITH_TETGEN
        {"moves_and_remeshes", test_moves_and_remeshes},
#endif
        CU_TEST_INFO_NULL
    };
    CU_SuiteInfo suites[] = {{"model remesh", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return EW_WITH_TETGEN ? ew_test_main(argc, argv, suites) : 0;
}
