/* A keyword deck of Abaqus or CalculiX to a case. In: a deck. Out: the mesh of its tets with named
 * parts, a case that asks for the same, and a list of the cards that have no counterpart. */
#include "scene/deck/deck.h"

#include <string.h>

/* ---- the rest --------------------------------------------------------------------------- */

/* Read with the mesh, by name from elsewhere, or only asking for output. */
static bool is_passed_over(const char *name)
{
    static const char *const known[] = {
        "HEADING",       "NODE",        "ELEMENT",      "NSET",          "ELSET",
        "SURFACE",       "PART",        "ENDPART",      "ASSEMBLY",      "ENDASSEMBLY",
        "INSTANCE",      "ENDINSTANCE", "AMPLITUDE",    "ORIENTATION",   "NODEPRINT",
        "ELPRINT",       "NODEFILE",    "ELFILE",       "OUTPUT",        "NODEOUTPUT",
        "ELEMENTOUTPUT", "CONTACTFILE", "CONTACTPRINT", "CONTACTOUTPUT", "ENERGYOUTPUT",
        "ENERGYFILE",    "ENERGYPRINT", "FACEPRINT",    "SECTIONPRINT",  "SECTIONFILE",
        "PREPRINT",      "PRINT",       "MONITOR",      "FILEFORMAT",    "RESTART",
        "TIMEPOINTS",    "ENDSTEP",     "STEP"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (!strcmp(name, known[i])) {
            return true;
        }
    }
    return false;
}

/* What another analysis ended with is not there. */
static ew_status refuse_restart(const deck_case *d)
{
    for (int32_t i = 0; i < d->deck.n_card; i++) {
        const ew_deck_card *card = &d->deck.card[i];
        if (deck_is(d, card, "RESTART") && deck_has(d, card, "READ", NULL)) {
            return deck_fail(d, card,
                             "READ goes on from another analysis, which is not read; put its steps "
                             "before those of this deck");
        }
    }
    return EW_OK;
}

static void list_the_rest(deck_case *d)
{
    for (int32_t i = 0; i < d->deck.n_card; i++) {
        const ew_deck_card *card = &d->deck.card[i];
        if (!d->is_read[i] && !card->is_repeated && !card->is_welded &&
            !is_passed_over(ew_deck_name(&d->deck, card))) {
            deck_note(d, card, "left out");
        }
    }
    if (d->n_note > DECK_MAX_NOTES) {
        words_add(&d->notes, "and %d more\n", d->n_note - DECK_MAX_NOTES);
    }
    words_add(&d->notes, "%s", "");
}

/* ---- the case ------------------------------------------------------------------------------ */

static ew_status put_case(deck_case *d, ew_text *text)
{
    ew_case_entry *root = ew_case_draft_root(d->draft);
    EW_TRY(deck_check_parameters(d));
    EW_TRY(refuse_restart(d));
    list_the_rest(d);
    EW_TRY(d->notes.status);
    scene_put_head(d->draft, "deck", d->def->scene_name, &d->notes);
    ew_case_add_text(root, "mesh", d->def->mesh_name);
    ew_case_add_text(root, "elements", d->mesh.has_middles ? "quadratic" : "linear");
    if (d->is_nonlinear) {
        ew_case_add_text(root, "kinematics", "corotational");
    }
    const ew_status status = ew_case_draft_write(d->draft, text);
    return status ? ew_fail_line(status, 1) : EW_OK;
}

/* ---- all ------------------------------------------------------------------------------------- */

/* Whether nodes may have rotations: those that bodies or surfaces are coupled to. */
static bool takes_rotations(const deck_case *d)
{
    bool found = false;
    for (int32_t i = 0; i < d->deck.n_card && !found; i++) {
        const ew_deck_card *card = &d->deck.card[i];
        found = deck_is(d, card, "COUPLING") || deck_is(d, card, "RIGIDBODY") ||
                deck_is(d, card, "DISTRIBUTINGCOUPLING") ||
                deck_is(d, card, "EQUATION");
    }
    return found;
}

static ew_status allocate(deck_case *d)
{
    const size_t n = (size_t)d->deck.n_node;
    EW_TRY(ew_new_zero(&d->is_read, (size_t)d->deck.n_card, sizeof *d->is_read));
    EW_TRY(ew_new(&d->slot, n, sizeof *d->slot));
    EW_TRY(ew_new_zero(&d->is_middle, n, sizeof *d->is_middle));
    EW_TRY(ew_new(&d->end, n, sizeof *d->end));
    EW_TRY(ew_new(&d->number, (size_t)d->mesh.n_vertex, sizeof *d->number));
    EW_TRY(ew_mesh_file_numbers(&d->mesh, true, d->number));
    EW_TRY(ew_new(&d->axes, n, sizeof *d->axes));
    EW_TRY(ew_new_zero(&d->has_section, (size_t)d->deck.n_set, sizeof *d->has_section));
    EW_TRY(ew_new_zero(&d->fixed, 3 * n, sizeof *d->fixed));
    EW_TRY(ew_new_zero(&d->force, 3 * n, sizeof *d->force));
    EW_TRY(ew_new_zero(&d->velocity, 3 * n, sizeof *d->velocity));
    EW_TRY(ew_new_zero(&d->temperature, n, sizeof *d->temperature));
    EW_TRY(ew_new_zero(&d->is_tied, n, sizeof *d->is_tied));
    EW_TRY(takes_rotations(d) ? ew_new_zero(&d->rotation, 3 * n, sizeof *d->rotation) : EW_OK);
    EW_TRY(takes_rotations(d) ? ew_new_zero(&d->moment, 3 * n, sizeof *d->moment) : EW_OK);
    EW_TRY(ew_new_zero(&d->initial, n, sizeof *d->initial));
    EW_TRY(ew_new_zero(&d->pressure, 4 * (size_t)d->mesh.n_tet, sizeof *d->pressure));
    EW_TRY(ew_new_zero(&d->is_inner, 4 * (size_t)d->mesh.n_tet, sizeof *d->is_inner));
    for (size_t i = 0; i < n; i++) {
        d->slot[i] = d->axes[i] = d->end[i][0] = d->end[i][1] = -1;
    }
    for (int32_t v = 0; v < d->mesh.n_vertex; v++) {
        if (ew_mesh_vertex_is_active(&d->mesh, v)) {
            d->slot[d->mesh.vertex_id[v]] = v;
        }
    }
    for (int32_t t = 0; t < d->mesh.n_tet; t++) {
        for (int e = 0; e < 6 && d->deck.middle[t][e] >= 0; e++) {
            d->is_middle[d->deck.middle[t][e]] = true;
            for (int k = 0; k < 2; k++) {
                d->end[d->deck.middle[t][e]][k] = d->deck.tet[t][deck_side[e][k]];
            }
        }
    }
    return deck_find_inner(d);
}

/* Where materials and steps go. */
static ew_status begin_case(deck_case *d)
{
    EW_TRY(ew_case_draft_create(&d->draft));
    ew_case_entry *root = ew_case_draft_root(d->draft);
    d->materials = ew_case_add_list(root, "material");
    d->steps = ew_case_add_list(root, "steps");
    return ew_case_draft_status(d->draft);
}

static ew_status read_all(deck_case *d, const ew_mesh_input *input, ew_text *text)
{
    ew_mesh_repair repair;
    EW_TRY(ew_deck_read(input, &d->deck));
    d->deck.weld_ties = true;
    EW_TRY(ew_deck_mesh(&d->deck, &d->mesh, &repair, &d->groups));
    EW_TRY(allocate(d));
    EW_TRY(begin_case(d));
    deck_note_elements(d, repair.n_reoriented);
    EW_TRY(deck_begin_bolts(d));
    EW_TRY(deck_read_materials(d));
    EW_TRY(deck_read_steps(d));
    EW_TRY(deck_read_ties(d));
    EW_TRY(deck_put_bolts(d));
    return put_case(d, text);
}

static void release(deck_case *d)
{
    ew_release(d->notes.text);
    ew_case_draft_free(d->draft);
    for (int32_t i = 0; i < d->n_faces; i++) {
        ew_list_free(&d->faces[i].code);
    }
    void *const arrays[] = {d->is_middle, d->is_read,     d->slot,     d->has_section, d->axes,
                            d->fixed,     d->force,       d->pressure, d->initial,     d->body,
                            d->is_inner,  d->temperature, d->velocity, d->faces,       d->rotation,
                            d->is_tied,   d->equation,    d->term,     d->end,         d->number,
                            d->moment,    d->bolt};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        ew_release(arrays[i]);
    }
    ew_mesh_free(&d->mesh);
    ew_groups_free(&d->groups);
    deck_free_surfaces(d);
    deck_free_couplings(d);
    ew_deck_free(&d->deck);
}

static void add_notes(deck_case *d, const deck_origin *from)
{
    d->n_note = from->n_note;
    for (const char *at = from->notes; *at;) {
        const size_t n = strcspn(at, "\n");
        words_add(&d->notes, "%.*s\n", (int)n, at);
        at += n + (at[n] == '\n');
    }
}

ew_status ew_scene_read_deck(const ew_mesh_input *input, const ew_scene_def *def, ew_scene *scene)
{
    return deck_read_case(input, def, NULL, scene);
}

ew_status deck_read_case(const ew_mesh_input *input, const ew_scene_def *def,
                         const deck_origin *from, ew_scene *scene)
{
    deck_case d = {.def = def};
    ew_text text = {0};
    if (from) {
        d.deck.origin = from->line;
        d.deck.n_origin = from->n;
        add_notes(&d, from);
    }
    const ew_status status = read_all(&d, input, &text);
    if (!status) {
        *scene = (ew_scene){.mesh = d.mesh,
                            .groups = d.groups,
                            .text = text,
                            .n_note = d.n_note,
                            .notes = {(size_t)d.notes.n, d.notes.text}};
        d.notes.text = NULL;
        memset(&d.mesh, 0, sizeof d.mesh);
        memset(&d.groups, 0, sizeof d.groups);
    }
    release(&d);
    return status;
}
