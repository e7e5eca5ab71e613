/* Forces on vertices and in the middles of edges: those that a uniform traction is consistent with
 * give its answer; what edits take from them; what is refused. */
#include "load_answers.h"

#include <string.h>

/* The consistent forces of a traction t on the end: linear tets, a third of a face on each corner;
 * quadratic ones, a third in the middle of each side (Zienkiewicz & Taylor 2000, section 8.8). */
static void list_forces(const answer *a, bool quadratic, const double t[3], ew_load_node *node,
                        int32_t *n)
{
    const ew_mesh *mesh = ew_model_mesh(a->model);
    const ew_list *face = &ew_model_view_set(a->model, a->end).member->list;
    const ew_boundary *boundary;
    must(ew_model_boundary(a->model, &boundary));
    *n = 0;
    for (int32_t i = 0; i < face->n; i++) {
        const int32_t code = boundary->code[face->id[i]];
        double area[3];
        ew_face_area_vector(mesh, code, area);
        for (int k = 0; k < 3; k++) {
            const int32_t *tet = mesh->tet + 4 * (code / 4);
            const int32_t v = tet[ew_face_vertex[code % 4][k]];
            const int32_t w = tet[ew_face_vertex[code % 4][quadratic ? (k + 1) % 3 : k]];
            ew_load_node *to = &node[(*n)++];
            *to = (ew_load_node){.end = {mesh->vertex_id[v], mesh->vertex_id[w]}};
            for (int c = 0; c < 3; c++) {
                to->force[c] = t[c] * area[0] / 3.0;
            }
        }
    }
}

enum { MAX_NODE = 1000 };
static ew_load_node list[MAX_NODE];

static void check_traction(bool quadratic)
{
    const double t[3] = {0.3, -0.2, 0.1};
    answer a = make_bar((int32_t[3]){4, 2, 2}, 0.3);
    ew_load_nodes nodes;
    int32_t n;
    must(ew_model_set_order(a.model, quadratic));
    fix(&a, a.wall, 7);
    list_forces(&a, quadratic, t, list, &n);
    must(ew_load_nodes_init(&nodes, n, list));
    CU_ASSERT_EQUAL(nodes.n, quadratic ? 2 * n : n);
    solve(&a,
          (ew_model_load){.kind = EW_LOAD_TRACTION, .set = a.end, .vector = {t[0], t[1], t[2]}});
    const int32_t n_dof = 3 * ew_model_mesh(a.model)->n_vertex;
    double *u, largest = 0.0;
    must(ew_new(&u, (size_t)n_dof, sizeof *u));
    memcpy(u, ew_model_displacement(a.model), (size_t)n_dof * sizeof *u);
    memset(ew_model_field(a.model, 0), 0, (size_t)n_dof * sizeof *u);
    solve(&a, (ew_model_load){.kind = EW_LOAD_FORCE_ON_NODES, .nodes = &nodes});
    for (int32_t i = 0; i < n_dof; i++) {
        largest = fmax(largest, fabs(u[i]));
    }
    for (int32_t i = 0; i < n_dof; i++) {
        CU_ASSERT_DOUBLE_EQUAL(ew_model_displacement(a.model)[i], u[i], 1e-8 * largest);
    }
    const double moment[3] = {0.5 * t[2] - 0.5 * t[1], 0.5 * t[0] - 4.0 * t[2],
                              4.0 * t[1] - 0.5 * t[0]};
    double force[3], about[3];
    must(ew_model_load_resultant(a.model, 0, force, about));
    for (int c = 0; c < 3; c++) {
        CU_ASSERT_DOUBLE_EQUAL(force[c], t[c], 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(about[c], moment[c], 1e-12);
    }
    expect_balance(&a);
    ew_release(u);
    ew_model_free(a.model);
    ew_load_nodes_free(&nodes);
}

static void test_linear(void)
{
    check_traction(false);
}

static void test_quadratic(void)
{
    check_traction(true);
}

static void queue_tets_of(ew_model *model, int32_t vertex)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    for (int32_t i = 0; i < 4 * mesh->n_tet; i++) {
        if (ew_mesh_tet_is_live(mesh, i / 4) && mesh->tet[i] == vertex) {
            must(ew_edit_remove_tet(ew_model_edit(model), i / 4));
        }
    }
}

/* A corner leaves the body, with its slot or without: its force and the halves of its edges' are
 * lost; the other halves stay. */
static void check_loss(bool with_slot)
{
    answer a = make_bar((int32_t[3]){2, 1, 1}, 0.3);
    const ew_mesh *mesh = ew_model_mesh(a.model);
    ew_load_nodes nodes;
    int32_t corner = 0, other = -1, place;
    while (mesh->xyz[3 * corner] != 4.0 ||
           mesh->xyz[3 * corner + 1] + mesh->xyz[3 * corner + 2] > 0) {
        corner++;
    }
    const int64_t id = mesh->vertex_id[corner];
    for (int32_t i = 0; i < 4 * mesh->n_tet; i++) { /* of an edge at it */
        const int32_t *tet = mesh->tet + 4 * (i / 4);
        for (int k = 0; k < 4 && mesh->tet[i] == corner; k++) {
            other = tet[k] != corner && mesh->xyz[3 * tet[k]] < 4.0 ? tet[k] : other;
        }
    }
    const ew_load_node node[] = {{.end = {id, id}, .force = {1.0, 0.0, 0.0}},
                                 {.end = {mesh->vertex_id[other], id}, .force = {0.0, 8.0, 0.0}}};
    must(ew_load_nodes_init(&nodes, 2, node));
    must(ew_model_set_loads(a.model, 1,
                            &(ew_model_load){.kind = EW_LOAD_FORCE_ON_NODES, .nodes = &nodes}));
    must(ew_model_update_loads(a.model, &place));
    CU_ASSERT_EQUAL(ew_model_force(a.model)[3 * corner], 1.0);
    CU_ASSERT_EQUAL(ew_model_force(a.model)[3 * corner + 1], 4.0);
    CU_ASSERT_EQUAL(ew_model_force(a.model)[3 * other + 1], 4.0);
    ew_model_clear_report(a.model);
    ew_model_begin(a.model);
    queue_tets_of(a.model, corner);
    must(with_slot ? ew_edit_remove_vertex(ew_model_edit(a.model), corner) : EW_OK);
    must(ew_model_commit(a.model));
    const double *lost = ew_model_view_report(a.model)->lost_force;

    CU_ASSERT(lost[0] == 1.0 && lost[1] == 4.0 && lost[2] == 0.0);
    must(ew_model_update_loads(a.model, &place));
    CU_ASSERT_EQUAL(ew_model_force(a.model)[3 * corner + 1], 0.0);
    CU_ASSERT_EQUAL(ew_model_force(a.model)[3 * other + 1], 4.0);
    ew_model_free(a.model);
    ew_load_nodes_free(&nodes);
}

static void test_losses(void)
{
    check_loss(false);
    check_loss(true);
}

static void test_refusals(void)
{
    answer a = make_bar((int32_t[3]){2, 1, 1}, 0.3);
    const ew_load_node none = {.end = {999999, 999999}, .force = {1.0, 0.0, 0.0}};
    ew_load_nodes nodes;
    int32_t place;
    must(ew_load_nodes_init(&nodes, 1, &none));
    const ew_model_load load = {.kind = EW_LOAD_FORCE_ON_NODES, .nodes = &nodes};
    must(ew_model_set_loads(a.model, 1, &load));
    CU_ASSERT_EQUAL(ew_model_update_loads(a.model, &place), EW_BAD_INPUT);
    CU_ASSERT_EQUAL(place, 0);
    CU_ASSERT_EQUAL(ew_model_set_loads(a.model, 1,
                                       &(ew_model_load){.kind = EW_LOAD_FORCE_ON_NODES}),
                    EW_BAD_ARGUMENT);
    ew_load_nodes_free(&nodes);
    CU_ASSERT_EQUAL(ew_load_nodes_init(&nodes, -1, &none), EW_BAD_ARGUMENT);
    ew_load_nodes_free(&nodes);
    ew_model_free(a.model);
}

int main(int argc, char **argv)
{
    static CU_TestInfo tests[] = {{"linear", test_linear},
                                  {"quadratic", test_quadratic},
                                  {"losses", test_losses},
                                  {"refusals", test_refusals},
                                  CU_TEST_INFO_NULL};
    CU_SuiteInfo suites[] = {{.pName = "load_nodes", .pTests = tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
