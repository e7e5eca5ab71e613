/* Commands that say what a body is made of: constants, a material of the library, and the units
 * that its numbers are converted to. In: commands. Out: materials of the model, and their names. */
#include "case/case.h"
#include "play.h"

#include <stdio.h>
#include <string.h>

void view_units_of(const view_play *play, const char **length, const char **force)
{
    const ew_case *input = play->body.input;
    *length = input ? input->length_unit : play->length_unit;
    *force = input ? input->force_unit : play->force_unit;
}

/* A material of the library in the units of the body. */
static ew_status convert(const view_play *play, const ew_library_material *of, ew_material *to)
{
    const char *length, *force, *time = play->body.input ? play->body.input->time_unit : "";
    double value[3];
    view_units_of(play, &length, &force);
    if (!ew_case_units(length, force, time, value)) {
        return ew_fail(
            EW_BAD_INPUT,
            "material: '%s' is converted to the units of the case, which must name them: "
            "units: {length: mm, force: N}",
            of->name);
    }
    *to = ew_material_in_units(&of->material, value[0], value[1], value[2]);
    return EW_OK;
}

static ew_status choose(view_play *play, bool is_all, int32_t label, const ew_library_material *of)
{
    EW_TRY(
        ew_grow(&play->choice, &play->choice_capacity, play->n_choice + 1, sizeof *play->choice));
    play->choice[play->n_choice++] = (view_choice){is_all, label, of};
    return EW_OK;
}

ew_status view_take_materials(view_play *play)
{
    const view_source *source = play->source;
    play->n_choice = 0;
    snprintf(play->length_unit, sizeof play->length_unit, "%s",
             source->length_unit ? source->length_unit : "");
    snprintf(play->force_unit, sizeof play->force_unit, "%s",
             source->force_unit ? source->force_unit : "");
    return source->library ? choose(play, true, 0, source->library) : EW_OK;
}

/* The last choice counts that names the region, else the last for all. */
const ew_library_material *view_library_of(const view_play *play, int32_t label)
{
    const ew_library_material *all = NULL, *own = NULL;
    bool has_own = false;
    for (int32_t i = 0; i < play->n_choice; i++) {
        const view_choice *one = &play->choice[i];
        if (one->is_all) {
            all = one->of;
        } else if (one->label == label) {
            own = one->of;
            has_own = true;
        }
    }
    return has_own ? own : all;
}

ew_status view_do_material(view_play *play, const cJSON *command)
{
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(command, "library");
    const ew_library_material *of = NULL;
    const bool is_all = !cJSON_GetObjectItemCaseSensitive(command, "region");
    double region;
    ew_material material = {0};
    EW_TRY(view_read_number(command, "region", INT32_MIN + 1.0, INT32_MAX, 0, &region));
    if (name) {
        of = cJSON_IsString(name) ? ew_library_material_named(name->valuestring) : NULL;
        EW_TRY(of ? convert(play, of, &material)
                  : ew_fail(EW_BAD_INPUT, "material: there is no such material in the library; "
                                          "'edgewise help materials' lists them"));
    } else {
        EW_TRY(view_read_number(command, "young", 1e-90, 1e90, 0, &material.young));
        EW_TRY(
            view_read_number(command, "poisson", -0.999, EW_MAX_POISSON, 0.3, &material.poisson));
        EW_TRY(view_read_number(command, "density", 0, 1e90, 0, &material.density));
    }
    material.law = NULL; /* the window's answers are of elastic bodies */
    EW_TRY(ew_model_set_material(play->body.model, is_all ? EW_ALL_REGIONS : (int32_t)region,
                                 &material));
    play->is_changed = true;
    return choose(play, is_all, (int32_t)region, of);
}

/* Materials of the library in other units; all other numbers stay as they are. */
ew_status view_do_units(view_play *play, const cJSON *command)
{
    const cJSON *length = cJSON_GetObjectItemCaseSensitive(command, "length"),
                *force = cJSON_GetObjectItemCaseSensitive(command, "force");
    const ew_mesh *mesh = ew_model_mesh(play->body.model);
    double value[3];
    if (play->body.input) {
        return ew_fail(EW_BAD_INPUT, "units: those of a case are in its file");
    }
    if (!cJSON_IsString(length) || !cJSON_IsString(force) ||
        !ew_case_units(length->valuestring, force->valuestring, "", value)) {
        return ew_fail(EW_BAD_INPUT,
                       "units: 'length' must be m, mm, cm, km, um, in or ft, 'force' N, "
                       "mN, kN, MN or lbf");
    }
    snprintf(play->length_unit, sizeof play->length_unit, "%s", length->valuestring);
    snprintf(play->force_unit, sizeof play->force_unit, "%s", force->valuestring);
    for (int32_t r = 0; r < mesh->n_region; r++) {
        const ew_library_material *of = view_library_of(play, mesh->region_label[r]);
        ew_material material = {0};
        if (of) {
            EW_TRY(convert(play, of, &material));
            material.law = NULL;
            EW_TRY(ew_model_set_material(play->body.model, mesh->region_label[r], &material));
        }
    }
    play->is_changed = true;
    return EW_OK;
}

/* ---- of the state -----------------------------------------------------------------------------
 */

void view_add_materials(view_play *play, cJSON *all)
{
    const ew_mesh *mesh = ew_model_mesh(play->body.model);
    const ew_materials *have = ew_model_materials(play->body.model);
    const ew_library_material *of;
    const char *length, *force;
    cJSON *list = cJSON_AddArrayToObject(all, "materials"),
          *library = cJSON_AddArrayToObject(all, "library"),
          *units = cJSON_AddObjectToObject(all, "units");
    view_units_of(play, &length, &force);
    (void)cJSON_AddStringToObject(units, "length", length);
    (void)cJSON_AddStringToObject(units, "force", force);
    for (int32_t r = 0; have && r < mesh->n_region; r++) {
        const ew_material *is = &have->material[r];
        cJSON *one = cJSON_CreateObject();
        (void)cJSON_AddNumberToObject(one, "region", mesh->region_label[r]);
        if (is->kind == EW_ISOTROPIC) {
            (void)cJSON_AddNumberToObject(one, "young", is->young);
            (void)cJSON_AddNumberToObject(one, "poisson", is->poisson);
        }
        (void)cJSON_AddNumberToObject(one, "density", is->density);
        if ((of = view_library_of(play, mesh->region_label[r]))) {
            (void)cJSON_AddStringToObject(one, "library", of->name);
        }
        (void)cJSON_AddItemToArray(list, one);
    }
    for (int32_t i = 0; (of = ew_library_material_at(i)); i++) {
        cJSON *one = cJSON_CreateObject();
        (void)cJSON_AddStringToObject(one, "name", of->name);
        (void)cJSON_AddStringToObject(one, "help", of->help);
        (void)cJSON_AddStringToObject(one, "source", of->source);
        (void)cJSON_AddNumberToObject(one, "yield", of->yield_stress);
        (void)cJSON_AddItemToArray(library, one);
    }
}
