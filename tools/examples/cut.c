/* Saws a cantilever beam tet by tet from above and solves after each cut. The tip sags the more,
 * the deeper the cut; every answer starts from the one before. Build and run:
 *     cc cut.c $(pkg-config --cflags --libs edgewise) -o cut && ./cut */
#include <edgewise/edgewise.h>

#include <stdio.h>
#include <stdlib.h>

static void check(ew_status status)
{
    if (status) {
        fprintf(stderr, "cut: %s\n", ew_message());
        exit(1);
    }
}

/* A named set of the vertices at this x. */
static int32_t add_end(ew_model *model, const char *name, double x)
{
    const double point[3] = {x, 0.0, 0.0}, normal[3] = {1.0, 0.0, 0.0};
    const ew_selector at = ew_select_plane(point, normal, 1e-9);
    const ew_model_set_def def = {.name = name, .kind = EW_SET_OF_VERTICES};
    int32_t set;
    check(ew_model_select_set(model, &def, &at, &set));
    return set;
}

int main(void)
{
    const double size[3] = {1.0, 0.1, 0.1}; /* m */
    const int32_t cells[3] = {40, 4, 4};
    const ew_material steel = {.young = 210e9, .poisson = 0.3, .density = 7850.0};
    const ew_model_def def = ew_default_model_def();
    const ew_pcg_def solver = ew_default_pcg_def();
    ew_mesh mesh;
    ew_model *model;
    check(ew_shape_box(&mesh, size, cells)); /* or ew_mesh_read, from a file */
    check(ew_model_create(&model, &mesh, &def));
    check(ew_model_set_material(model, EW_ALL_REGIONS, &steel));

    const int32_t wall = add_end(model, "wall", 0.0), tip = add_end(model, "tip", 1.0);
    const ew_model_constraint fixed = {.set = wall, .fixed = 7}; /* x, y and z */
    const double down[3] = {0.0, 0.0, -1000.0};                  /* N */
    const ew_model_load pull = ew_load_total_force(tip, down);
    check(ew_model_set_constraints(model, 1, &fixed));
    check(ew_model_set_loads(model, 1, &pull));

    puts("cuts    tets  blocks recomputed  iterations  tip sags by, mm");
    for (int cut = 0; cut <= 48; cut++) {
        const ew_pcg_info *info;
        ew_model_clear_report(model);
        if (cut) { /* the saw goes to and fro, and down; it takes the nearest tet */
            const double at[3] = {0.5125, 0.1 * (cut % 8 + 0.5) / 8, 0.1 - 0.05 * cut / 48};
            const ew_selector saw = ew_select_nearest(at);
            check(ew_operation_remove(ew_model_mesh(model), &saw, ew_model_edit(model)));
            check(ew_model_commit(model));
        }
        check(ew_model_solve(model, &solver, &info));
        const int32_t v = ew_model_view_set(model, tip).member->list.id[0];
        const long long blocks = ew_model_view_report(model)->touched_blocks;
        if (cut % 6 == 0) {
            printf("%4d  %6d  %17lld  %10d  %15.5f\n", cut, ew_model_mesh(model)->n_live_tet,
                   blocks, info->iterations, -1e3 * ew_model_displacement(model)[3 * v + 2]);
        }
    }
    ew_model_free(model);
    return 0;
}
