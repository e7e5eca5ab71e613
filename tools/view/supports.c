/* What holds and loads a body that is played with: what its file says, a spring that pulls, what
 * was fixed, loads that were added. In: sets of the model. Out: its lists. */
#include "play.h"

#include <math.h>
#include <string.h>

ew_status view_supports_take(view_play *play)
{
    view_supports *to = &play->supports;
    const ew_model *model = play->body.model;
    const int32_t n_constraint = ew_model_n_constraint(model), n_spring = ew_model_n_spring(model),
                  n_load = ew_model_n_load(model);
    EW_TRY(ew_grow(&to->constraint, &to->constraint_capacity, n_constraint + 1,
                   sizeof *to->constraint));
    EW_TRY(ew_grow(&to->spring, &to->spring_capacity, n_spring + 1, sizeof *to->spring));
    EW_TRY(ew_grow(&to->load, &to->load_capacity, n_load + 1, sizeof *to->load));
    EW_TRY(ew_grow(&to->constraint_of_file, &to->of_file_capacity[0], n_constraint + 1,
                   sizeof *to->constraint_of_file));
    EW_TRY(
        ew_grow(&to->load_of_file, &to->of_file_capacity[1], n_load + 1, sizeof *to->load_of_file));
    EW_TRY(ew_grow(&to->spring_of_file, &to->of_file_capacity[2], n_spring + 1,
                   sizeof *to->spring_of_file));
    for (int32_t i = 0; i < n_constraint; i++) {
        EW_TRY(ew_model_view_constraint(model, i, &to->constraint[i]));
        to->constraint_of_file[i] = i;
    }
    for (int32_t i = 0; i < n_spring; i++) {
        EW_TRY(ew_model_view_spring(model, i, &to->spring[i]));
        to->spring_of_file[i] = i;
    }
    for (int32_t i = 0; i < n_load; i++) {
        EW_TRY(ew_model_view_load(model, i, &to->load[i]));
        to->load_of_file[i] = i;
    }
    to->n_constraint = n_constraint;
    to->n_spring = n_spring;
    to->n_load = n_load;
    to->n_of_file[0] = n_constraint;
    to->n_of_file[1] = n_load;
    to->n_of_file[2] = n_spring;
    play->pull_set = play->fix_set = -1;
    play->is_pulled = false;
    return EW_OK;
}

/* The pull is behind what else there is: its spring, and the force that draws it. */
ew_status view_supports_give(view_play *play)
{
    const view_supports *of = &play->supports;
    const int32_t pull = play->is_pulled;
    play->is_changed = true;
    EW_TRY(ew_model_set_constraints(play->body.model, of->n_constraint, of->constraint));
    EW_TRY(ew_model_set_springs(play->body.model, of->n_spring + pull, of->spring));
    return ew_model_set_loads(play->body.model, of->n_load + pull, of->load);
}

void view_supports_free(view_supports *supports)
{
    ew_release(supports->constraint);
    ew_release(supports->spring);
    ew_release(supports->load);
    ew_release(supports->constraint_of_file);
    ew_release(supports->load_of_file);
    ew_release(supports->spring_of_file);
    *supports = (view_supports){0};
}

/* A set of vertices of the page's, made when it is first needed. */
static ew_status put_set(ew_model *model, const char *name, const ew_list *vertex, int32_t *set)
{
    const ew_model_set_def def = {.name = name, .kind = EW_SET_OF_VERTICES, .allow_empty = true};
    if (*set >= 0) {
        return ew_model_redefine_set(model, *set, vertex);
    }
    EW_TRY(ew_model_add_set(model, &def, vertex, set));
    ew_model_release_set_boundary(model, *set);
    return EW_OK;
}

/* Some share of what a tet at the vertex resists with: shear modulus times the edge of a cube of
 * its size. */
static ew_status choose_stiffness(ew_model *model, int32_t vertex, double *stiffness)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const ew_materials *materials = ew_model_materials(model);
    const ew_rows *rows = &ew_model_topology(model)->vertex_to_tet;
    const int32_t tet = rows->item[rows->begin[vertex]];
    if (!materials) {
        return ew_last_failure()->status;
    }
    const double shear = materials->lame[2 * (size_t)mesh->region[tet] + 1],
                 volume = ew_mesh_tet_volume(mesh, tet);
    if (!(shear > 0.0)) {
        return ew_fail(EW_BAD_INPUT, "pull: the material at the vertex is not isotropic; give the "
                                     "spring's 'stiffness'");
    }
    *stiffness = shear * cbrt(6.0 * volume);
    return EW_OK;
}

ew_status view_pull(view_play *play, int32_t vertex, const double to[3], double stiffness)
{
    ew_model *model = play->body.model;
    view_supports *with = &play->supports;
    const double *x = ew_model_mesh(model)->xyz + 3 * (size_t)vertex;
    const ew_list one = {.n = 1, .id = &vertex};
    double force[3];
    if (stiffness <= 0.0) {
        EW_TRY(choose_stiffness(model, vertex, &stiffness));
    }
    for (int c = 0; c < 3; c++) {
        force[c] = stiffness * (to[c] - x[c]);
    }
    EW_TRY(put_set(model, " pull", &one, &play->pull_set));
    EW_TRY(
        ew_grow(&with->spring, &with->spring_capacity, with->n_spring + 1, sizeof *with->spring));
    EW_TRY(ew_grow(&with->load, &with->load_capacity, with->n_load + 1, sizeof *with->load));
    with->spring[with->n_spring] =
        (ew_model_spring){.kind = EW_SPRING_EACH,
                          .set = play->pull_set,
                          .stiffness = {stiffness, stiffness, stiffness}};
    with->load[with->n_load] = ew_load_force(play->pull_set, force);
    play->is_pulled = true;
    return view_supports_give(play);
}

ew_status view_release(view_play *play)
{
    play->is_pulled = false;
    return view_supports_give(play);
}

ew_status view_fix(view_play *play, const ew_list *vertex)
{
    const ew_list none = {0};
    ew_model *model = play->body.model;
    ew_list all = {0};
    ew_status status = EW_OK;
    if (!vertex && play->fix_set < 0) {
        return EW_OK;
    }
    const bool is_new = play->fix_set < 0;
    const ew_set *old = is_new ? NULL : ew_model_view_set(model, play->fix_set).member;
    for (int32_t i = 0; vertex && old && i < old->list.n && !status; i++) {
        status = ew_list_push(&all, old->list.id[i]);
    }
    for (int32_t i = 0; vertex && i < vertex->n && !status; i++) {
        status = old && ew_set_has(old, vertex->id[i]) ? EW_OK : ew_list_push(&all, vertex->id[i]);
    }
    status = status ? status : put_set(model, "fixed", vertex ? &all : &none, &play->fix_set);
    ew_list_free(&all);
    EW_TRY(status);
    const ew_model_constraint made = {.set = play->fix_set, .fixed = 7};
    return is_new ? view_add_support(play, &made) : view_supports_give(play);
}

ew_status view_add_support(view_play *play, const ew_model_constraint *constraint)
{
    view_supports *with = &play->supports;
    EW_TRY(ew_grow(&with->constraint, &with->constraint_capacity, with->n_constraint + 1,
                   sizeof *with->constraint));
    EW_TRY(ew_grow(&with->constraint_of_file, &with->of_file_capacity[0], with->n_constraint + 1,
                   sizeof *with->constraint_of_file));
    with->constraint_of_file[with->n_constraint] = -1;
    with->constraint[with->n_constraint++] = *constraint;
    return view_supports_give(play);
}

/* The spring of the pull stays the last. */
ew_status view_add_spring(view_play *play, const ew_model_spring *spring)
{
    view_supports *with = &play->supports;
    EW_TRY(
        ew_grow(&with->spring, &with->spring_capacity, with->n_spring + 2, sizeof *with->spring));
    EW_TRY(ew_grow(&with->spring_of_file, &with->of_file_capacity[2], with->n_spring + 1,
                   sizeof *with->spring_of_file));
    with->spring[with->n_spring + 1] = with->spring[with->n_spring];
    with->spring_of_file[with->n_spring] = -1;
    with->spring[with->n_spring++] = *spring;
    return view_supports_give(play);
}

/* The load of the pull stays the last. */
ew_status view_add_load(view_play *play, const ew_model_load *load)
{
    view_supports *with = &play->supports;
    EW_TRY(ew_grow(&with->load, &with->load_capacity, with->n_load + 2, sizeof *with->load));
    EW_TRY(ew_grow(&with->load_of_file, &with->of_file_capacity[1], with->n_load + 1,
                   sizeof *with->load_of_file));
    with->load[with->n_load + 1] = with->load[with->n_load];
    with->load_of_file[with->n_load] = -1;
    with->load[with->n_load++] = *load;
    return view_supports_give(play);
}

ew_status view_change_load(view_play *play, int32_t index, const cJSON *command)
{
    view_supports *with = &play->supports;
    const bool has_value = cJSON_GetObjectItemCaseSensitive(command, "value");
    double force[3];
    if (index < 0 || index >= with->n_load) {
        return ew_fail(EW_BAD_INPUT, "load: there is no load %d; there are %d, from 0", (int)index,
                       (int)with->n_load);
    }
    ew_model_load *load = &with->load[index];
    if (load->kind == EW_LOAD_PRESSURE) {
        const cJSON *value = cJSON_GetObjectItemCaseSensitive(command, "value");
        const cJSON *number = cJSON_GetArrayItem(value, 0);
        if (cJSON_GetArraySize(value) != 1 || !cJSON_IsNumber(number) ||
            !(fabs(number->valuedouble) <= 1e90)) {
            return ew_fail(EW_BAD_INPUT, "load: 'value' of a pressure must be a list of one finite "
                                         "number");
        }
        load->pressure = number->valuedouble;
    } else if (!view_load_name(load)) {
        return ew_fail(EW_BAD_INPUT, "load: load %d is of a kind that the window cannot change",
                       (int)index);
    } else {
        EW_TRY(view_read_vector(command, has_value ? "value" : "force", force));
        memcpy(load->vector, force, sizeof force);
    }
    return view_supports_give(play);
}
