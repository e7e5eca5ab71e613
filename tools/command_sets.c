/* Sets of an editing command. In: the groups of a mesh file, selections of options. Out: sets of
 * the model that makes the edit, and the groups as the edit left them. */
#include "command_sets.h"

#include <stdlib.h>

static const ew_set_kind set_kind[] = {EW_SET_OF_VERTICES, EW_SET_OF_FACES, EW_SET_OF_TETS};

/* ---- sets of groups ----------------------------------------------------- */

static ew_selector selector_of(const ew_group *group)
{
    return (ew_selector){.kind = group->kind == EW_GROUP_FACES ? EW_SELECT_SURFACE
                                 : group->is_label             ? EW_SELECT_REGION
                                                               : EW_SELECT_IDS,
                         .label = group->label,
                         .n_id = group->n_id,
                         .id = group->id};
}

/* Vertices, codes of boundary faces, or tets. */
static ew_status list_members(const command_sets *sets, ew_set_kind kind,
                              const ew_selector *selector, ew_list *member)
{
    const ew_mesh *mesh = ew_model_mesh(sets->model);
    const ew_boundary *boundary;
    if (kind == EW_SET_OF_VERTICES) {
        return ew_mesh_select(mesh, selector, member);
    }
    if (kind == EW_SET_OF_TETS) {
        return ew_mesh_select_tets(mesh, selector, member);
    }
    EW_TRY(ew_model_boundary(sets->model, &boundary));
    return ew_boundary_select(boundary, mesh, selector, NULL, member);
}

static ew_status add_set(const command_sets *sets, ew_set_kind kind, const ew_selector *selector,
                         int32_t *set)
{
    const ew_model_set_def def = {NULL, kind, true};
    ew_list member = {0};
    ew_status status = list_members(sets, kind, selector, &member);
    status = status ? status : ew_model_add_set(sets->model, &def, &member, set);
    ew_list_free(&member);
    return status;
}

static ew_status add_group(command_sets *sets, int32_t g)
{
    const ew_group *group = &sets->groups->group[g];
    const ew_selector selector = selector_of(group);
    return add_set(sets, set_kind[group->kind], &selector, &sets->of_group[g]);
}

ew_status command_sets_begin(command_sets *sets, ew_model *model, ew_groups *groups)
{
    *sets = (command_sets){.model = model, .groups = groups};
    EW_TRY(ew_new(&sets->of_group, (size_t)groups->n, sizeof *sets->of_group));
    for (int32_t g = 0; g < groups->n; g++) {
        sets->of_group[g] = -1;
        EW_TRY(groups->group[g].is_label ? EW_OK : add_group(sets, g));
    }
    return EW_OK;
}

/* ---- what options choose -------------------------------------------------- */

/* kind: of those of the name; -1: whichever there is, if there is one. */
static ew_status find_group(const command_sets *sets, const char *name, int32_t kind, int32_t *g)
{
    int32_t n = 0;
    for (int32_t k = 0; k < 3; k++) {
        const ew_group *group = ew_groups_find(sets->groups, (ew_group_kind)k, name);
        if (group && (kind < 0 || k == kind)) {
            *g = (int32_t)(group - sets->groups->group);
            n++;
        }
    }
    if (n > 1) {
        return ew_fail(EW_BAD_INPUT, "the mesh has several groups with the name '%.60s'", name);
    }
    return n ? EW_OK
             : ew_fail(EW_BAD_INPUT,
                       "the mesh has no group%s with the name '%.60s'; 'edgewise info' lists them",
                       kind == EW_GROUP_TETS ? " of tets" : "", name);
}

/* As in a case, a surface is a set of faces and all else one of vertices. */
ew_status command_sets_choose(command_sets *sets, selection *where, const char *option,
                              int32_t *set)
{
    int32_t n, g = 0;
    if (where->has_group) {
        EW_TRY(find_group(sets, where->group, -1, &g));
        EW_TRY(sets->of_group[g] < 0 ? add_group(sets, g) : EW_OK);
        *set = sets->of_group[g];
    } else {
        ew_selector selector;
        EW_TRY(selection_make(where, &selector, &n));
        EW_TRY(add_set(sets, where->has_surface ? EW_SET_OF_FACES : EW_SET_OF_VERTICES, &selector,
                       set));
    }
    return ew_model_view_set(sets->model, *set).n_active
               ? EW_OK
               : selection_refuse_empty(where, option,
                                        where->has_surface ? "boundary faces" : "vertices");
}

ew_status command_sets_tets(const command_sets *sets, const selection *where, ew_selector *selector)
{
    int32_t g = 0;
    if (where->has_group) {
        EW_TRY(find_group(sets, where->group, EW_GROUP_TETS, &g));
        *selector = selector_of(&sets->groups->group[g]);
    }
    return EW_OK;
}

/* ---- after the edit --------------------------------------------------------- */

static int by_id(const void *a, const void *b)
{
    const int64_t first = *(const int64_t *)a, second = *(const int64_t *)b;
    return (first > second) - (first < second);
}

static ew_status list_ids(const command_sets *sets, int32_t set, ew_group *group)
{
    const bool tets = group->kind == EW_GROUP_TETS;
    const ew_mesh *mesh = ew_model_mesh(sets->model);
    ew_list member = {0};
    ew_status status = tets ? ew_model_list_tets(sets->model, set, &member)
                            : ew_model_list_vertices(sets->model, set, &member);
    group->n_id = 0;
    for (int32_t i = 0; i < member.n && !status; i++) {
        const int32_t slot = member.id[i];
        status = ew_group_push(group, tets ? mesh->tet_id[slot] : mesh->vertex_id[slot]);
    }
    if (group->n_id) {
        qsort(group->id, (size_t)group->n_id, sizeof *group->id, by_id);
    }
    ew_list_free(&member);
    return status;
}

ew_status command_sets_end(command_sets *sets)
{
    for (int32_t g = 0; g < sets->groups->n; g++) {
        ew_group *group = &sets->groups->group[g];
        EW_TRY(group->is_label ? EW_OK : list_ids(sets, sets->of_group[g], group));
    }
    return EW_OK;
}

void command_sets_free(command_sets *sets)
{
    ew_release(sets->of_group);
    *sets = (command_sets){0};
}
