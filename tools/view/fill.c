/* The command `fill`: a body that its surface or CAD file is filled with again, by edges of another
 * length. In: a played body and the length. Out: the body as it begins with that mesh, and on it
 * the sets, supports, loads, materials and steps that the body before had. A set of faces is
 * carried over by its rule where it has one, else by labels where it is all faces of some, else a
 * face is in it where the nearest face of the surface before was. */
#include "play.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- two surfaces ------------------------------------------------------------------------------
 */

/* The boundary of a mesh; rows in the order of its slots. */
typedef struct side {
    ew_model *model; /* borrowed */
    const ew_mesh *mesh;
    const ew_boundary *boundary; /* borrowed */
    ew_surface surface;          /* owned; xyz borrowed from the mesh */
    int32_t *slot;               /* [n_triangle] owned: of the boundary */
    double *middle;              /* [n_triangle][3] owned */
} side;

static void free_side(side *own)
{
    ew_release(own->surface.triangle);
    ew_release(own->surface.label);
    ew_release(own->slot);
    ew_release(own->middle);
}

static ew_status take_side(ew_model *model, side *own)
{
    *own = (side){.model = model, .mesh = ew_model_mesh(model)};
    EW_TRY(ew_model_boundary(model, &own->boundary));
    const size_t n = (size_t)own->boundary->n_live;
    EW_TRY(ew_new(&own->surface.triangle, 3 * n, sizeof *own->surface.triangle));
    EW_TRY(ew_new(&own->surface.label, n, sizeof *own->surface.label));
    EW_TRY(ew_new(&own->slot, n, sizeof *own->slot));
    EW_TRY(ew_new(&own->middle, 3 * n, sizeof *own->middle));
    own->surface.n_vertex = own->mesh->n_vertex;
    own->surface.xyz = own->mesh->xyz;
    for (int32_t s = 0; s < own->boundary->n_slot; s++) {
        const int32_t code = own->boundary->code[s], m = own->surface.n_triangle;
        if (code < 0) {
            continue;
        }
        double *middle = own->middle + 3 * (size_t)m;
        memset(middle, 0, 3 * sizeof *middle);
        for (int k = 0; k < 3; k++) {
            const int32_t v = own->mesh->tet[4 * (size_t)(code / 4) + ew_face_vertex[code % 4][k]];
            own->surface.triangle[3 * (size_t)m + (size_t)k] = v;
            for (int c = 0; c < 3; c++) {
                middle[c] += own->mesh->xyz[3 * (size_t)v + (size_t)c] / 3.0;
            }
        }
        own->slot[m] = s;
        own->surface.n_triangle++;
    }
    return view_list_labels(own->mesh, own->boundary, own->surface.label);
}

/* ---- sets --------------------------------------------------------------------------------------
 */

typedef struct carrier {
    view_play *play;
    side from, to;
    int32_t *nearest; /* [triangles of `to`] owned: that of `from` */
    int32_t *set;     /* [sets of the body before] owned: that of the body now, -1: none */
    cJSON *rules;     /* borrowed: of the body before */
    const ew_set *named_sets;
    const ew_list *removed_sets;
    cJSON *lines; /* borrowed: what came of the sets */
    bool is_doubtful;
} carrier;

/* Whether all faces of each label that the set has are in it: the labels. */
static ew_status list_whole_labels(const side *from, const ew_set *member, ew_set *labels,
                                   bool *is_whole)
{
    *is_whole = member->list.n > 0;
    for (int32_t m = 0; m < from->surface.n_triangle && *is_whole; m++) {
        const int32_t label = from->surface.label[m];
        if (ew_set_has(member, from->slot[m])) {
            *is_whole = label >= 0;
            EW_TRY(label >= 0 ? ew_set_add(labels, label) : EW_OK);
        }
    }
    for (int32_t m = 0; m < from->surface.n_triangle && *is_whole; m++) {
        const int32_t label = from->surface.label[m];
        *is_whole = label < 0 || !ew_set_has(labels, label) || ew_set_has(member, from->slot[m]);
    }
    return EW_OK;
}

static ew_status carry_faces(const carrier *c, const ew_set *member, ew_list *face)
{
    ew_set labels = {0};
    bool by_label = false;
    ew_status status = list_whole_labels(&c->from, member, &labels, &by_label);
    for (int32_t m = 0; m < c->to.surface.n_triangle && !status; m++) {
        const int32_t label = c->to.surface.label[m];
        const bool is_in = by_label ? label >= 0 && ew_set_has(&labels, label)
                                    : ew_set_has(member, c->from.slot[c->nearest[m]]);
        status = is_in ? ew_list_push(face, c->to.boundary->code[c->to.slot[m]]) : EW_OK;
    }
    ew_set_free(&labels);
    return status;
}

static double square_distance(const double a[3], const double b[3])
{
    return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
           (a[2] - b[2]) * (a[2] - b[2]);
}

/* The corner nearest to each member of the face nearest to it. */
static ew_status carry_places(const carrier *c, const ew_list *member, ew_set *vertex)
{
    const double *xyz = c->to.mesh->xyz;
    for (int32_t i = 0; i < member->n; i++) {
        const double *x = c->from.mesh->xyz + 3 * (size_t)member->id[i];
        int32_t found, best = 0;
        EW_TRY(ew_surface_find_nearest(&c->to.surface, 1, x, &found));
        const int32_t *corner = c->to.surface.triangle + 3 * (size_t)found;
        for (int k = 1; k < 3; k++) {
            const bool is_nearer = square_distance(xyz + 3 * (size_t)corner[k], x) <
                                   square_distance(xyz + 3 * (size_t)corner[best], x);
            best = is_nearer ? k : best;
        }
        EW_TRY(ew_set_add(vertex, corner[best]));
    }
    return EW_OK;
}

/* Vertices of the faces whose nearest face before has all its vertices in the set; where there are
 * none, a vertex for each. */
static ew_status carry_vertices(const carrier *c, const ew_set *member, ew_set *vertex)
{
    for (int32_t m = 0; m < c->to.surface.n_triangle; m++) {
        const int32_t *old = c->from.surface.triangle + 3 * (size_t)c->nearest[m];
        bool is_in = true;
        for (int k = 0; k < 3; k++) {
            is_in = is_in && ew_set_has(member, old[k]);
        }
        for (int k = 0; k < 3 && is_in; k++) {
            EW_TRY(ew_set_add(vertex, c->to.surface.triangle[3 * (size_t)m + (size_t)k]));
        }
    }
    return vertex->list.n ? EW_OK : carry_places(c, &member->list, vertex);
}

static ew_status put_members(carrier *c, const ew_model_set *from, const ew_list *member,
                             int32_t *set)
{
    ew_model *model = c->to.model;
    const ew_model_set_def def = {.name = from->name && from->name[0] ? from->name : NULL,
                                  .kind = from->kind,
                                  .allow_empty = true};
    if (*set >= 0) {
        return ew_model_redefine_set(model, *set, member);
    }
    EW_TRY(ew_model_add_set(model, &def, member, set));
    if (from->kind == EW_SET_OF_VERTICES) {
        ew_model_release_set_boundary(model, *set);
    }
    return EW_OK;
}

/* *set: the set of the new body with this name, or -1. */
static ew_status carry_members(carrier *c, const ew_model_set *from, int32_t *set)
{
    const cJSON *rule = cJSON_GetObjectItemCaseSensitive(c->rules, from->name);
    ew_list face = {0};
    ew_set vertex = {0};
    ew_status status;
    if (from->kind == EW_SET_OF_FACES) {
        status =
            rule ? view_select_by_rule(c->play, rule, &face) : carry_faces(c, from->member, &face);
        status = status ? status : put_members(c, from, &face, set);
    } else {
        status = carry_vertices(c, from->member, &vertex);
        status = status ? status : put_members(c, from, &vertex.list, set);
    }
    ew_list_free(&face);
    ew_set_free(&vertex);
    return status;
}

/* A line of the set, and whether what it is now is doubtful. */
static void tell_set(carrier *c, const char *name, const ew_set_measure *before,
                     const ew_set_measure *now)
{
    char line[256];
    const double change = before->area > 0.0 ? now->area / before->area - 1.0 : 0.0;
    const bool is_lost = before->n_member > 0 && now->n_member == 0;
    const bool is_other = fabs(change) > 0.01;
    if (is_lost) {
        snprintf(line, sizeof line, "'%.60s' is empty on the new mesh: choose its faces again",
                 name);
    } else if (is_other) {
        snprintf(line, sizeof line, "'%.60s' %d → %d, its area is %.3g and was %.3g", name,
                 (int)before->n_member, (int)now->n_member, now->area, before->area);
    } else {
        snprintf(line, sizeof line, "'%.60s' %d → %d", name, (int)before->n_member,
                 (int)now->n_member);
    }
    c->is_doubtful = c->is_doubtful || is_lost || is_other;
    (void)cJSON_AddItemToArray(c->lines, cJSON_CreateString(line));
}

static bool is_removed(const carrier *c, int32_t set)
{
    bool is = false;
    for (int32_t i = 0; i < c->removed_sets->n; i++) {
        is = is || c->removed_sets->id[i] == set;
    }
    return is;
}

/* The set of the file, unless a command gave another one of its name. */
static ew_status carry_set(carrier *c, int32_t s)
{
    const ew_model_set from = ew_model_view_set(c->from.model, s);
    const bool is_named = from.name && from.name[0] && from.name[0] != ' ';
    ew_set_measure before, now;
    int32_t set = is_named ? ew_model_find_set(c->to.model, from.name) : -1;
    c->set[s] = set;
    if ((from.name && !strcmp(from.name, " pull")) || is_removed(c, s)) {
        return EW_OK;
    }
    if (set < 0 || ew_set_has(c->named_sets, s)) {
        EW_TRY(from.kind == EW_SET_OF_TETS ? EW_OK : carry_members(c, &from, &set));
        c->set[s] = set;
        EW_TRY(is_named && set >= 0 ? ew_set_add(&c->play->named_sets, set) : EW_OK);
    }
    if (is_named && set >= 0) {
        EW_TRY(ew_model_measure_set(c->from.model, s, &before));
        EW_TRY(ew_model_measure_set(c->to.model, set, &now));
        tell_set(c, from.name, &before, &now);
    }
    return EW_OK;
}

/* ---- supports, loads, materials ----------------------------------------------------------------
 */

static void number_again(const carrier *c, int32_t *set)
{
    *set = *set >= 0 ? c->set[*set] : *set;
}

/* What was kept of the body before, with its sets as they are numbered now. What acted on a set
 * that is no more goes. */
static ew_status carry_supports(const carrier *c, view_supports *kept, int32_t fix_set)
{
    view_play *play = c->play;
    for (int32_t i = 0; i < kept->n_constraint; i++) {
        number_again(c, &kept->constraint[i].set);
    }
    for (int32_t i = 0; i < kept->n_spring; i++) {
        number_again(c, &kept->spring[i].set);
    }
    for (int32_t i = 0; i < kept->n_load; i++) {
        number_again(c, &kept->load[i].set);
    }
    view_supports_free(&play->supports);
    play->supports = *kept;
    *kept = (view_supports){0};
    play->fix_set = fix_set >= 0 ? c->set[fix_set] : -1;
    return view_supports_give(play);
}

static bool is_chosen(const view_play *play, int32_t label)
{
    bool is = false;
    for (int32_t i = play->source->library ? 1 : 0; i < play->n_choice; i++) {
        is = is || play->choice[i].is_all || play->choice[i].label == label;
    }
    return is;
}

/* Materials that commands gave, by the labels of regions. */
static ew_status carry_materials(const carrier *c)
{
    const ew_materials *had = ew_model_materials(c->from.model);
    for (int32_t r = 0; had && r < c->from.mesh->n_region; r++) {
        const int32_t label = c->from.mesh->region_label[r];
        EW_TRY(is_chosen(c->play, label)
                   ? ew_model_set_material(c->to.model, label, &had->material[r])
                   : EW_OK);
    }
    return EW_OK;
}

/* ---- the command -------------------------------------------------------------------------------
 */

/* What a body that begins does not have, of the body before. */
typedef struct kept {
    view_supports supports;
    ew_set named_sets;
    ew_list removed_sets;
    view_choice *choice;
    view_study_step *step;
    cJSON *rules, *renamed;
    int32_t n_choice, choice_capacity, n_step, step_capacity, fix_set;
    char length_unit[8], force_unit[8];
} kept;

static void keep(view_play *play, kept *own)
{
    *own = (kept){.supports = play->supports,
                  .named_sets = play->named_sets,
                  .removed_sets = play->removed_sets,
                  .choice = play->choice,
                  .step = play->step,
                  .rules = play->rules,
                  .renamed = play->renamed,
                  .n_choice = play->n_choice,
                  .choice_capacity = play->choice_capacity,
                  .n_step = play->n_step,
                  .step_capacity = play->step_capacity,
                  .fix_set = play->fix_set};
    memcpy(own->length_unit, play->length_unit, sizeof own->length_unit);
    memcpy(own->force_unit, play->force_unit, sizeof own->force_unit);
    play->supports = (view_supports){0};
    play->named_sets = (ew_set){0};
    play->removed_sets = (ew_list){0};
    play->choice = NULL;
    play->step = NULL;
    play->rules = play->renamed = NULL;
    play->n_choice = play->choice_capacity = play->n_step = play->step_capacity = 0;
}

static void give_back(view_play *play, kept *own)
{
    ew_release(play->choice);
    ew_release(play->step);
    cJSON_Delete(play->rules);
    cJSON_Delete(play->renamed);
    play->choice = own->choice;
    play->n_choice = own->n_choice;
    play->choice_capacity = own->choice_capacity;
    play->step = own->step;
    play->n_step = own->n_step;
    play->step_capacity = own->step_capacity;
    play->rules = own->rules;
    play->renamed = own->renamed;
    memcpy(play->length_unit, own->length_unit, sizeof own->length_unit);
    memcpy(play->force_unit, own->force_unit, sizeof own->force_unit);
    view_supports_free(&own->supports);
    ew_set_free(&own->named_sets);
    ew_list_free(&own->removed_sets);
    *own = (kept){0};
}

static ew_status match(carrier *c)
{
    const int32_t n = c->to.surface.n_triangle;
    EW_TRY(ew_new(&c->nearest, (size_t)n, sizeof *c->nearest));
    EW_TRY(ew_surface_find_nearest(&c->from.surface, n, c->to.middle, c->nearest));
    return ew_new(&c->set, (size_t)ew_model_n_set(c->from.model) + 1, sizeof *c->set);
}

static ew_status carry(carrier *c, ew_model *before, kept *own)
{
    EW_TRY(take_side(before, &c->from));
    EW_TRY(take_side(c->play->body.model, &c->to));
    EW_TRY(match(c));
    for (int32_t s = 0; s < ew_model_n_set(before); s++) {
        EW_TRY(carry_set(c, s));
    }
    EW_TRY(carry_supports(c, &own->supports, own->fix_set));
    give_back(c->play, own);
    return carry_materials(c);
}

/* The body with the new mesh in place of that before; what the lines say of it. */
static ew_status replace_body(view_play *play, view_body *next, cJSON *answer)
{
    view_body before = play->body;
    kept own;
    carrier c = {.play = play, .lines = cJSON_AddArrayToObject(answer, "lines")};
    char line[160];
    const bool was_edited = ew_model_mesh(before.model)->revision != play->opened_revision;
    keep(play, &own);
    c.rules = own.rules;
    c.named_sets = &own.named_sets;
    c.removed_sets = &own.removed_sets;
    play->body = *next;
    snprintf(line, sizeof line, "%d tets", (int)ew_model_mesh(next->model)->n_live_tet);
    (void)cJSON_AddItemToArray(c.lines, cJSON_CreateString(line));
    ew_status status = view_take_body(play);
    status = status ? status : carry(&c, before.model, &own);
    if (status) {
        give_back(play, &own);
    }
    if (was_edited) {
        (void)cJSON_AddItemToArray(c.lines, cJSON_CreateString("what was cut, removed or refined "
                                                               "is there again"));
    }
    (void)cJSON_AddBoolToObject(answer, "warning", c.is_doubtful || was_edited);
    free_side(&c.from);
    free_side(&c.to);
    ew_release(c.nearest);
    ew_release(c.set);
    play->source->close(play->source->user, &before);
    return status;
}

ew_status view_do_fill(view_play *play, const cJSON *command)
{
    const view_source *source = play->source;
    view_body next = {0};
    double size;
    EW_TRY(view_read_number(command, "size", 0, 1e90, 0, &size));
    if (!source->fill) {
        return ew_fail(EW_BAD_INPUT, "fill: the file has tets of its own; open a CAD file or a "
                                     "closed surface, or refine tets with the brush");
    }
    EW_TRY(source->fill(source->user, size));
    ew_status status = source->open(source->user, play->value, &next);
    if (status) {
        const ew_failure failure = *ew_last_failure();
        (void)source->fill(source->user, play->mesh_size); /* which it has */
        return ew_fail(failure.status, "%s", failure.text);
    }
    play->mesh_size = size;
    cJSON *answer = cJSON_CreateObject();
    status = replace_body(play, &next, answer);
    play->is_broken = status != EW_OK;
    cJSON_Delete(play->told);
    play->told = answer;
    return status;
}

ew_status view_reset_fill(view_play *play)
{
    play->mesh_size = 0.0;
    return play->source->fill ? play->source->fill(play->source->user, 0.0) : EW_OK;
}
