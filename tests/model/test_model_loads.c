/* Loads of one resultant on the wall of a hole, by faces and by vertices, while the hole is edited:
 * after each edit the forces have the bits of an assembly from the model's sets and boundary, and
 * the resultant is whole. What edits take away is counted. */
#include "loads_fixture.h"

#include "model/parts/model.h"
#include "operation/parts/operation.h"

enum { WALL_FACES, WALL_VERTICES, N_SET };

static const ew_model_load loads[] = {
    {.kind = EW_LOAD_BEARING, .set = WALL_FACES, .vector = {30.0, 20.0, 0.0}},
    {.kind = EW_LOAD_BEARING, .set = WALL_VERTICES, .vector = {-9.0, 4.0, 0.0}, .axis = {0, 0, 1}},
    {.kind = EW_LOAD_MOMENT, .set = WALL_FACES, .vector = {1.0, 2.0, 3.0}},
    {.kind = EW_LOAD_MOMENT, .set = WALL_VERTICES, .vector = {3.0, 2.0, 1.0}},
    {.kind = EW_LOAD_REMOTE_FORCE,
     .set = WALL_VERTICES,
     .vector = {1.0, 5.0, 2.0},
     .point = {0.0, 0.0, 3.0}},
    {.kind = EW_LOAD_TOTAL_FORCE, .set = WALL_FACES, .vector = {3.0, 1.0, 7.0}},
};
enum { N_LOAD = sizeof loads / sizeof *loads };

/* The hole, with its wall as faces and as vertices. */
static ew_model *make_model(void)
{
    loaded l = make_hole();
    ew_model *model = NULL;
    const ew_model_def def = {.reorder = false};
    const ew_model_set_def faces = {"faces", EW_SET_OF_FACES, true};
    const ew_model_set_def vertices = {"vertices", EW_SET_OF_VERTICES, true};
    const ew_material material = {.young = 200.0, .poisson = 0.3};
    ew_list code = {0};
    int32_t set;
    for (int32_t s = 0; s < l.boundary.n_slot; s++) {
        const int32_t face = l.boundary.code[s];
        bool in = true;
        for (int k = 0; k < 3; k++) {
            in =
                in && ew_set_has(&l.part, l.mesh.tet[4 * (face / 4) + ew_face_vertex[face % 4][k]]);
        }
        must(in ? ew_list_push(&code, face) : EW_OK);
    }
    must(ew_model_create(&model, &l.mesh, &def));
    must(ew_model_set_material(model, EW_ALL_REGIONS, &material));
    must(ew_model_add_set(model, &faces, &code, &set));
    must(ew_model_add_set(model, &vertices, &l.part.list, &set));
    must(ew_model_set_loads(model, N_LOAD, loads));
    ew_list_free(&code);
    free_loaded(&l);
    return model;
}

/* ---- edits ------------------------------------------------------------------------ */

static int32_t some_tet(const ew_mesh *mesh, uint64_t *state)
{
    int32_t t = (int32_t)ew_test_random(state, (uint32_t)mesh->n_tet);
    while (!ew_mesh_tet_is_live(mesh, t)) {
        t = (t + 1) % mesh->n_tet;
    }
    return t;
}

/* The same tet with its vertices in another order: its faces are kept, with other codes. */
static ew_status queue_turned(const ew_mesh *mesh, int32_t t, ew_edit *edit)
{
    const int32_t *v = mesh->tet + 4 * (size_t)t;
    EW_TRY(ew_edit_remove_tet(edit, t));
    return ew_edit_add_tet_from(edit, (int32_t[4]){v[1], v[2], v[0], v[3]}, 0, t);
}

static ew_status queue_some(void *user, const ew_model *model, ew_edit *edit)
{
    uint64_t *state = user;
    const ew_mesh *mesh = ew_model_mesh(model);
    const uint32_t kind = ew_test_random(state, 10);
    const int32_t t = some_tet(mesh, state), v = mesh->tet[4 * (size_t)t + kind % 4];
    const double *x = mesh->xyz + 3 * (size_t)v;
    if (kind < 4) {
        return queue_turned(mesh, t, edit);
    }
    if (kind < 6) {
        const double by = 1e-3 * ((double)ew_test_random(state, 2001) / 1000.0 - 1.0);
        return ew_edit_move_vertex(edit, v, (double[3]){x[0] + by, x[1] - 0.3 * by, x[2]});
    }
    if (kind < 7) {
        return ew_edit_remove_tet(edit, t);
    }
    ew_list near = {0};
    for (size_t k = 0; k < 4; k++) {
        EW_TRY(ew_list_push(&near, mesh->tet[4 * (size_t)t + k]));
    }
    ew_list_sort(&near);
    const ew_status status = ew_operation_refine(mesh, ew_model_topology(model), 0.0, &near, edit);
    ew_list_free(&near);
    return status;
}

/* ---- comparison ------------------------------------------------------------------------ */

/* EW_BAD_INPUT where the wall is too far gone for a bearing. */
static ew_status expect_assembled(ew_model *model, int32_t n_load, const ew_model_load *load)
{
    ew_load line[N_LOAD];
    const ew_boundary *boundary;
    const ew_mesh *mesh = ew_model_mesh(model);
    double *f = NULL, sum[3] = {0.0, 0.0, 0.0}, size = 0.0;
    int32_t place, n = 0;
    must(ew_model_boundary(model, &boundary));
    for (int32_t i = 0; i < n_load; i++) {
        const ew_model_set set = ew_model_view_set(model, load[i].set);
        line[n] = (ew_load){.kind = load[i].kind};
        memcpy(line[n].vector, load[i].vector, sizeof line[n].vector);
        memcpy(line[n].point, load[i].point, sizeof line[n].point);
        memcpy(line[n].axis, load[i].axis, sizeof line[n].axis);
        line[n].face = load[i].set == WALL_FACES ? set.member : NULL;
        line[n].boundary = line[n].face ? boundary : NULL;
        line[n].vertex = line[n].face ? NULL : set.member;
        n += set.n_active > 0;
    }
    const ew_status status = ew_model_update_loads(model, &place);
    must(ew_new_zero(&f, 3 * (size_t)mesh->n_vertex, sizeof *f));
    CU_ASSERT_EQUAL(ew_loads_assemble(mesh, ew_model_topology(model), ew_model_materials(model), n,
                                      line, NULL, f),
                    status);
    CU_ASSERT(status == EW_OK || (status == EW_BAD_INPUT && place >= 0));
    CU_ASSERT(status || !memcmp(f, ew_model_force(model), 3 * sizeof *f * (size_t)mesh->n_vertex));
    for (int32_t i = 0; i < 3 * mesh->n_vertex && !status; i++) {
        sum[i % 3] += f[i];
        size += fabs(f[i]);
    }
    for (int32_t i = 0; i < n_load && !status && n == n_load; i++) {
        double force[3], moment[3];
        must(ew_model_load_resultant(model, i, force, moment));
        for (int c = 0; c < 3; c++) {
            const double *expected = load[i].kind == EW_LOAD_MOMENT ? NULL : load[i].vector;
            CU_ASSERT_DOUBLE_EQUAL(force[c], expected ? expected[c] : 0.0, 1e-12 * size);
        }
    }
    CU_ASSERT(status || n < N_LOAD ||
              fabs(sum[0] - 25.0) + fabs(sum[1] - 30.0) + fabs(sum[2] - 9.0) < 1e-12 * size);
    ew_release(f);
    return status;
}

static void test_whole_loads_follow_edits(void)
{
    int32_t n_whole = 0, n_refused = 0;
    for (uint64_t seed = 1; seed <= 10 && !CU_get_number_of_failures(); seed++) {
        ew_model *model = make_model();
        uint64_t state = seed;
        must(expect_assembled(model, N_LOAD, loads));
        for (int i = 0; i < 30; i++) {
            const ew_status status = ew_model_apply(model, queue_some, &state);
            CU_ASSERT(status == EW_OK || status == EW_BAD_EDIT);
            if (ew_test_random(&state, 3)) { /* else changes add up */
                const ew_status found = expect_assembled(model, N_LOAD, loads);
                n_whole += found == EW_OK;
                n_refused += found != EW_OK;
            }
        }
        ew_model_free(model);
    }
    printf("%d whole, %d refused ", (int)n_whole, (int)n_refused);
    CU_ASSERT(n_whole > 100);
}

/* A face that is kept may have its vertices in another order, and so its area other last bits. */
static void test_kept_faces_have_other_bits(void)
{
    uint64_t state = 11;
    for (int i = 0; i < 50; i++) {
        loaded l = make_loaded(1, 1, 1);
        for (int32_t k = 0; k < 3 * l.mesh.n_vertex; k++) {
            l.mesh.xyz[k] += 1e-4 * ew_test_random(&state, 2001);
        }
        const int32_t face = l.boundary.code[i % l.boundary.n_slot];
        ew_model *model = NULL;
        const ew_model_def def = {.reorder = false};
        const ew_material material = {.young = 200.0, .poisson = 0.3};
        const ew_model_set_def faces = {"faces", EW_SET_OF_FACES, true};
        const ew_model_set_def vertices = {"vertices", EW_SET_OF_VERTICES, true};
        ew_list code = {0};
        int32_t set;
        must(ew_list_push(&code, face));
        must(ew_model_create(&model, &l.mesh, &def));
        must(ew_model_set_material(model, EW_ALL_REGIONS, &material));
        must(ew_model_add_set(model, &faces, &code, &set));
        must(ew_model_add_set(model, &vertices, &l.all.list, &set));
        must(ew_model_set_loads(model, 1, &loads[N_LOAD - 1]));
        must(expect_assembled(model, 1, &loads[N_LOAD - 1]));
        must(queue_turned(ew_model_mesh(model), face / 4, ew_model_edit(model)));
        must(ew_model_commit(model));
        double sum[3];
        CU_ASSERT_EQUAL(ew_model_load_resultant(model, 0, sum, sum), EW_STALE);
        CU_ASSERT_EQUAL(ew_model_load_resultant(model, 1, sum, sum), EW_BAD_ARGUMENT);
        must(expect_assembled(model, 1, &loads[N_LOAD - 1]));
        ew_list_free(&code);
        ew_model_free(model);
        free_loaded(&l);
    }
}

/* Only the last face takes a resultant along; a moment is no force. */
static void test_lost_with_the_last_face(void)
{
    ew_model *model = make_model();
    const ew_model_load one[] = {
        {.kind = EW_LOAD_REMOTE_FORCE, .set = WALL_FACES, .vector = {1.0, 2.0, 3.0}},
        {.kind = EW_LOAD_MOMENT, .set = WALL_FACES, .vector = {5.0, 5.0, 5.0}}};
    must(ew_model_set_loads(model, 2, one));
    for (int last = 0; last < 2; last++) {
        const ew_model_set set = ew_model_view_set(model, WALL_FACES);
        const ew_boundary *boundary;
        must(ew_model_boundary(model, &boundary));
        ew_model_begin(model);
        for (int32_t i = 0; i < set.member->list.n - (last ? 0 : 1); i++) {
            must(ew_edit_remove_tet(ew_model_edit(model),
                                    boundary->code[set.member->list.id[i]] / 4));
        }
        must(ew_model_commit(model));
        const double *lost = ew_model_view_report(model)->lost_force;
        CU_ASSERT_EQUAL(lost[0], last ? 1.0 : 0.0);
        CU_ASSERT_EQUAL(lost[2], last ? 3.0 : 0.0);
    }
    ew_model_free(model);
}

/* A tet that comes in a region without a constant that a load needs is found when loads are next
 * brought up to date, and no sooner than it matters. */
static void test_regions_that_lack_a_constant(void)
{
    ew_model *model = make_model();
    const ew_mesh *mesh = ew_model_mesh(model);
    const ew_material plain = {.young = 200.0, .poisson = 0.3};
    ew_material whole = plain;
    ew_list some = {0};
    int32_t tets, place;
    whole.density = whole.expansion = 1.0;
    const ew_model_set_def def = {"tets", EW_SET_OF_TETS, false};
    must(ew_list_push(&some, 0));
    must(ew_model_add_set(model, &def, &some, &tets));
    must(ew_model_set_material(model, 0, &whole));
    must(ew_model_set_material(model, 7, &plain));
    const ew_model_load load[] = {
        {.kind = EW_LOAD_TEMPERATURE, .set = tets, .change = 1.0},
        {.kind = EW_LOAD_TEMPERATURE, .set = -1, .change = 1.0},
        {.kind = EW_LOAD_CENTRIFUGAL, .vector = {0.0, 0.0, 1.0}},
    };
    const char *const words[] = {NULL, "region 7 has no expansion", "region 7 has no density"};
    for (int i = 0; i < 3; i++) {
        must(ew_model_set_loads(model, 1, &load[i]));
        must(ew_model_update_loads(model, &place));
        const int32_t last = mesh->n_tet - 1, *v = mesh->tet + 4 * (size_t)last;
        const int32_t again[4] = {v[0], v[1], v[2], v[3]};
        for (int label = 7; label >= 0; label -= 7) { /* there and back */
            ew_model_begin(model);
            must(ew_edit_remove_tet(ew_model_edit(model), last));
            must(ew_edit_add_tet(ew_model_edit(model), again, label));
            must(ew_model_commit(model));
            const ew_status status = ew_model_update_loads(model, &place);
            const bool lacks = label && words[i];
            CU_ASSERT_EQUAL(status, lacks ? EW_BAD_INPUT : EW_OK);
            CU_ASSERT(!lacks || (place == 0 && strstr(ew_message(), words[i])));
        }
    }
    ew_list_free(&some);
    ew_model_free(model);
}

/* Sets of a kind that a load does not act on are refused at once, and the loads before stay. */
static void test_sets_that_loads_do_not_act_on(void)
{
    ew_model *model = make_model();
    const struct {
        ew_model_load load;
        const char *words;
    } wrong[] = {
        {{.kind = EW_LOAD_COUNT}, "unknown kind"},
        {{.kind = EW_LOAD_MOMENT, .set = 7}, "there is no set 7"},
        {{.kind = EW_LOAD_FORCE, .set = WALL_FACES}, "does not act on a set of faces"},
        {{.kind = EW_LOAD_TEMPERATURE, .set = WALL_FACES}, "does not act on a set of faces"},
        {{.kind = EW_LOAD_TEMPERATURE, .set = -1, .field = 9}, "field 9 is not one on vertices"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        CU_ASSERT_EQUAL(ew_model_set_loads(model, 1, &wrong[i].load), EW_BAD_ARGUMENT);
        CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), wrong[i].words));
    }
    must(expect_assembled(model, N_LOAD, loads));
    ew_model_free(model);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"whole_loads_follow_edits", test_whole_loads_follow_edits},
        {"kept_faces_have_other_bits", test_kept_faces_have_other_bits},
        {"lost_with_the_last_face", test_lost_with_the_last_face},
        {"regions_that_lack_a_constant", test_regions_that_lack_a_constant},
        {"sets_that_loads_do_not_act_on", test_sets_that_loads_do_not_act_on},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"loads of a model", NULL, NULL, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
