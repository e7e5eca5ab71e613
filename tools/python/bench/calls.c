/* What a call and an edit cost in C, for calls.py: the same as it does, through the library alone.
 */
#include <edgewise/edgewise.h>

#include <stdio.h>
#include <stdlib.h>

static void check(ew_status status)
{
    if (status) {
        fprintf(stderr, "calls: %s\n", ew_message());
        exit(1);
    }
}

int main(void)
{
    const ew_model_def def = ew_default_model_def();
    const ew_pcg_def solver = ew_default_pcg_def();
    const ew_material steel = {.young = 210e9, .poisson = 0.3};
    const ew_selector wall = {.kind = EW_SELECT_PLANE, .b = {1.0}, .radius = 1e-9};
    const ew_selector tip = {.kind = EW_SELECT_PLANE, .a = {2.0}, .b = {1.0}, .radius = 1e-9};
    const ew_model_set_def set = {.name = "wall", .kind = EW_SET_OF_VERTICES};
    const ew_model_set_def end = {.name = "tip", .kind = EW_SET_OF_VERTICES};
    enum { EDITS = 100, CALLS = 10000000 };
    ew_mesh mesh;
    ew_model *model;
    int32_t number, loaded;
    volatile int sink = 0;
    check(ew_shape_box(&mesh, (double[3]){2.0, 1.0, 1.0}, (int32_t[3]){20, 10, 10}));
    check(ew_model_create(&model, &mesh, &def));
    check(ew_model_set_material(model, EW_ALL_REGIONS, &steel));
    check(ew_model_select_set(model, &set, &wall, &number));
    check(ew_model_select_set(model, &end, &tip, &loaded));
    check(ew_model_set_constraints(model, 1, &(ew_model_constraint){.set = number, .fixed = 7}));
    check(ew_model_set_loads(
        model, 1,
        &(ew_model_load){.kind = EW_LOAD_FORCE, .set = loaded, .vector = {0.0, 0.0, 1.0}}));
    check(ew_model_solve(model, &solver, NULL));
    double begin = ew_seconds(), edit = 0.0, solve = 0.0;
    for (int i = 0; i < CALLS; i++) {
        sink += ew_model_n_set(model);
    }
    const double call = (ew_seconds() - begin) / CALLS;
    for (int i = 0; i < EDITS; i++) {
        begin = ew_seconds();
        ew_model_begin(model);
        check(ew_edit_remove_tet(ew_model_edit(model), 3000 + 17 * i));
        check(ew_model_commit(model));
        edit += ew_seconds() - begin;
        begin = ew_seconds();
        check(ew_model_solve(model, &solver, NULL));
        solve += ew_seconds() - begin;
    }
    printf("%.9g %.9g %.9g\n", call, edit / EDITS, solve / EDITS);
    ew_model_free(model);
    return 0;
}
