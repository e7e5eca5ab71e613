/* Meshes of Abaqus and CalculiX (.inp). In: a deck. Out: a mesh of its tets with four or ten nodes,
 * with all its sets and surfaces by name. Cards that say nothing of the mesh are passed over. */
#include "format/abaqus/inp.h"
#include "format/formats.h"

/* ---- a mesh -------------------------------------------------------------------------------- */

/* Of two tets the second is the one to look at. */
static ew_status name_place(const ew_deck *deck, const ew_inp_tets *tets, ew_status status)
{
    const ew_failure *failure = ew_last_failure();
    const int64_t tet = failure->id[1] >= 0 ? failure->id[1] : failure->id[0];
    if (tet < 0 || tet >= tets->n) {
        return status;
    }
    const ew_deck_element *at = &deck->element[tets->element[tet]];
    if (at->file) {
        return ew_fail_prefix(status, "'%.200s' line %d: element %lld, counted from 0",
                              deck->file[at->file].name, at->line,
                              ew_deck_plain_number(at->number));
    }
    ew_fail_line(status, at->line);
    return ew_fail_prefix(status, "element %lld, counted from 0", ew_deck_plain_number(at->number));
}

static ew_status make_mesh(const ew_deck *deck, const ew_inp_tets *tets, const int32_t *region,
                           const ew_inp_faces *faces, ew_mesh *mesh, ew_mesh_repair *repair)
{
    const ew_mesh_def def = {.n_vertex = deck->n_node,
                             .xyz = deck->xyz,
                             .n_tet = tets->n,
                             .tet = tets->tet,
                             .region = region,
                             .n_face = faces->n,
                             .face = faces->face,
                             .face_label = faces->label};
    ew_status status = ew_mesh_init(mesh, &def, repair);
    if (!status && tets->has_middles) {
        status = ew_take_middles(mesh, repair, tets->tet, tets->middle, deck->xyz);
    }
    return status ? name_place(deck, tets, status) : EW_OK;
}

static ew_status read_deck(ew_deck *deck, ew_inp_tets *tets, ew_mesh *mesh, ew_mesh_repair *repair,
                           ew_groups *groups)
{
    ew_inp_faces faces = {0};
    int32_t *region = NULL;
    EW_TRY(ew_inp_place_parts(deck));
    EW_TRY(ew_inp_check_parameters(deck));
    EW_TRY(ew_inp_read_nodes(deck));
    EW_TRY(ew_inp_read_elements(deck, tets));
    if (!tets->n) {
        return ew_deck_fail(deck, 0, deck->n_card ? deck->card[0].line : 1,
                            "the deck has no tets, C3D4 or C3D10; mesh the volume with tets");
    }
    EW_TRY(ew_inp_read_sets(deck, tets));
    EW_TRY(deck->weld_ties ? ew_inp_weld_ties(deck, tets) : EW_OK);
    EW_TRY(deck->weld_ties ? ew_inp_split_sections(deck, tets) : EW_OK);
    ew_status status = ew_new_zero(&region, (size_t)tets->n, sizeof *region);
    status = status ? status : ew_inp_name_groups(deck, tets, region, &faces, groups);
    status = status ? status : make_mesh(deck, tets, region, &faces, mesh, repair);
    ew_release(region);
    ew_release(faces.face);
    ew_release(faces.label);
    return status;
}

ew_status ew_deck_mesh(ew_deck *deck, ew_mesh *mesh, ew_mesh_repair *repair, ew_groups *groups)
{
    ew_inp_tets tets = {0};
    ew_groups named = {0};
    ew_mesh made;
    ew_mesh_repair repaired = {0};
    ew_status status = read_deck(deck, &tets, &made, &repaired, &named);
    deck->tet = (int32_t(*)[4])(void *)tets.tet;
    deck->middle = (int32_t(*)[6])(void *)tets.middle;
    tets.tet = tets.middle = NULL;
    ew_inp_tets_free(&tets);
    if (!status) {
        status = ew_groups_finish(&named, &made);
        if (status) {
            ew_mesh_free(&made);
        }
    }
    if (status) {
        ew_groups_free(&named);
        return status;
    }
    *mesh = made;
    *repair = repaired;
    *groups = named;
    return EW_OK;
}

static ew_status read_mesh(const ew_mesh_input *input, ew_mesh *mesh, ew_mesh_repair *repair,
                           ew_groups *groups)
{
    ew_deck deck = {.n_file = 0};
    EW_TRY(ew_deck_read(input, &deck));
    const ew_status status = ew_deck_mesh(&deck, mesh, repair, groups);
    ew_deck_free(&deck);
    return status;
}

const ew_format ew_format_inp = {
    .name = "Abaqus, CalculiX",
    .holds = "nodes, tets (of ten nodes, too), shells as faces, sets and surfaces",
    .endings = ".inp",
    .n_file = 1,
    .n_needed = 1,
    .read_mesh = read_mesh,
    .write_mesh = ew_inp_write,
    .writes_groups = true,
    .writes_middles = true,
};
