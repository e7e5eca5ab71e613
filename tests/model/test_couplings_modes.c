/* Rigid couplings in modes, buckling and harmonic motion, against equations and supports that say
 * the same. */
#include "couplings_fixture.h"
#include "ew_parts.h"

#if EW_WITH_CHOLMOD
#include "solver/cholmod.h"

/* A set of one vertex of the end. */
static int32_t find_corner(ew_model *model)
{
    ew_list tip = {0}, one = {0};
    int32_t set;
    must(ew_model_list_vertices(model, TIP, &tip));
    must(ew_list_push(&one, tip.id[0]));
    must(ew_model_add_set(model, &(ew_model_set_def){.kind = EW_SET_OF_VERTICES}, &one, &set));
    ew_list_free(&tip);
    ew_list_free(&one);
    return set;
}
/* Amplitude of the first vertex of the end under forces there. */
static double respond(ew_model *model)
{
    static const double frequency = 0.3;
    ew_harmonic_def def = ew_default_harmonic_def();
    const ew_harmonic *harmonic;
    ew_list tip = {0};
    double *load, sum = 0.0;
    must(ew_new_zero(&load, 3 * (size_t)ew_model_mesh(model)->n_vertex, sizeof *load));
    must(ew_model_list_vertices(model, TIP, &tip));
    const size_t at = 3 * (size_t)tip.id[0];
    load[at] = 1.0;
    load[at + 1] = -0.5;
    def.n_frequency = 1;
    def.frequency = &frequency;
    def.load = load;
    def.direct = ew_direct_solver();
    must(ew_model_harmonic(model, &def, &harmonic));
    for (int32_t i = 0; i < harmonic->n; i++) {
        sum += harmonic->column[i] * harmonic->vector[3 * (size_t)harmonic->n_row * (size_t)i + at];
    }
    ew_list_free(&tip);
    ew_release(load);
    return sum;
}

/* A rigid end that may not turn is what equations make of it, whose factor is another one; all of
 * whose motions are prescribed, an end that is fixed. In modes, in
 * harmonic motion, and in buckling under a force. */
static void test_rigid_ends_vibrate_and_buckle(void)
{
    for (int k = 0; k < 3; k++) {
        const bool is_fixed = k == 2;
        double frequency[2][4], factor[2] = {0.0, 0.0}, answer[2] = {0.0, 0.0};
        for (int i = 0; i < 2; i++) {
            ew_model *model = make_beam(is_fixed, (int32_t[3]){6, 2, 2}, true);
            ew_modes_def def = ew_default_modes_def();
            const ew_modes *modes;
            const ew_buckling *buckling;
            const ew_model_coupling list = coupling(true, TIP, is_fixed ? 63 : k ? 56 + 2 + 4 : 56);
            const ew_model_constraint both[2] = {{.set = WALL, .fixed = 7},
                                                 {.set = TIP,
                                                  .fixed = is_fixed ? 7
                                                           : k      ? 6
                                                                    : 0}};
            const int32_t vertex = find_corner(model);
            ew_model_term term[3][2];
            ew_model_equation equal[3];
            for (int c = 0; c < 3; c++) {
                term[c][0] = (ew_model_term){.set = TIP};
                term[c][1] = (ew_model_term){.set = vertex};
                term[c][0].factor[c] = 1.0;
                term[c][1].factor[c] = -1.0;
                equal[c] = (ew_model_equation){2, term[c], 0.0};
            }
            must(i ? ew_model_set_couplings(model, 1, &list)
                   : ew_model_set_constraints(model, 2, both));
            must(i || is_fixed ? EW_OK : ew_model_set_equations(model, 3, equal));
            def.count = 4;
            def.direct = ew_direct_solver();
            def.eigen = ew_eigen_solve;
            must(ew_model_modes(model, &def, &modes));
            memcpy(frequency[i], modes->frequency, sizeof frequency[i]);
            if (!is_fixed) {
                const ew_model_load load = ew_load_total_force(TIP, (const double[]){-1, 0, 0});
                const ew_pcg_def solver = ew_default_pcg_def();
                must(ew_model_set_loads(model, 1, &load));
                must(ew_model_solve(model, &solver, NULL));
                must(ew_model_recover(model, NULL, NULL));
                must(ew_model_buckling(model, &def, &buckling));
                factor[i] = buckling->factor[0];
                answer[i] = respond(model);
            }
            ew_model_free(model);
        }
        for (int m = 0; m < 4; m++) {
            CU_ASSERT_DOUBLE_EQUAL(frequency[1][m] / frequency[0][m], 1.0, 1e-8);
        }
        CU_ASSERT(is_fixed || fabs(factor[1] / factor[0] - 1.0) < 1e-8);
        CU_ASSERT(is_fixed || fabs(answer[1] / answer[0] - 1.0) < 1e-6);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {{"rigid_ends_vibrate_and_buckle", test_rigid_ends_vibrate_and_buckle},
                           CU_TEST_INFO_NULL};
    CU_SuiteInfo suites[] = {{"couplings_modes", NULL, NULL, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
#else
int main(void)
{
    return 0;
}
#endif
