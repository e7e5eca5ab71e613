/* Contact of a case: `contact:`, the word `all` or a list of two sides each. */
#include "case/reader.h"

#include <string.h>

static ew_status read_contact(ew_case_reader *reader, const yaml_node_t *node, ew_case_contact *out)
{
    ew_yaml *yaml = &reader->yaml;
    EW_TRY(ew_case_read_keys(yaml, node, &ew_section_contact, out));
    const yaml_node_t *slave = ew_yaml_find(yaml, node, "slave");
    const yaml_node_t *master = ew_yaml_find(yaml, node, "master");
    const yaml_node_t *among = ew_yaml_find(yaml, node, "among");
    const yaml_node_t *rigid = ew_yaml_find(yaml, node, "rigid");
    out->line = ew_yaml_line(node);
    out->has_interference = ew_yaml_find(yaml, node, "interference") != NULL;
    out->slave = out->master = -1;
    if (rigid && (!slave || master || among)) {
        return ew_yaml_fail(node, "a rigid body meets a slave; give one, and no master");
    }
    if (rigid) {
        EW_TRY(ew_case_read_rigid(reader, rigid, &out->rigid));
        return ew_case_read_set_use(reader, slave, "slave", &out->slave);
    }
    if (!slave != !master || (slave && among)) {
        return ew_yaml_fail(node,
                            "a contact has two sides; give both a slave and a master, or 'among' "
                            "alone for faces of one set, or none of them for all parts");
    }
    if (among) {
        EW_TRY(ew_case_read_set_use(reader, among, "among", &out->slave));
        out->master = out->slave;
        return EW_OK;
    }
    if (slave) {
        EW_TRY(ew_case_read_set_use(reader, slave, "slave", &out->slave));
        EW_TRY(ew_case_read_set_use(reader, master, "master", &out->master));
    }
    return slave && out->slave == out->master
               ? ew_yaml_fail(node,
                              "slave and master are the same set; give each side faces of its "
                              "own, or 'among' in place of both")
               : EW_OK;
}

/* Of the rigid body of contact i. */
static ew_status check_name(const ew_case *input, const yaml_node_t *node, int32_t i)
{
    const char *name = input->contact[i].rigid.name;
    for (int32_t k = 0; k < i && name; k++) {
        if (input->contact[k].rigid.name && !strcmp(input->contact[k].rigid.name, name)) {
            return ew_yaml_fail(node,
                                "rigid body '%.60s' stands already in line %d; give each its own "
                                "name",
                                name, (int)input->contact[k].line);
        }
    }
    return EW_OK;
}

static ew_status read_word(ew_case_reader *reader, const yaml_node_t *node)
{
    ew_case *input = reader->out;
    int32_t choice;
    EW_TRY(ew_yaml_choice(node, "contact", "all", &choice));
    EW_TRY(ew_arena_take(&reader->arena, sizeof *input->contact, &input->contact));
    *input->contact = (ew_case_contact){.line = ew_yaml_line(node), .slave = -1, .master = -1};
    input->n_contact = 1;
    return EW_OK;
}

ew_status ew_case_read_contacts(ew_case_reader *reader, const yaml_node_t *node)
{
    ew_case *input = reader->out;
    int32_t n = 0;
    if (node && node->type == YAML_SCALAR_NODE) {
        return read_word(reader, node);
    }
    EW_TRY(node ? ew_yaml_expect_list(node, "contact", &n) : EW_OK);
    EW_TRY(ew_arena_take(&reader->arena, sizeof *input->contact * (size_t)n, &input->contact));
    for (int32_t i = 0; i < n; i++) {
        const yaml_node_t *item = ew_yaml_item(&reader->yaml, node, i);
        EW_TRY(read_contact(reader, item, &input->contact[i]));
        EW_TRY(check_name(input, item, i));
    }
    input->n_contact = n;
    return EW_OK;
}

bool ew_case_has_friction(const ew_case *input)
{
    bool found = false;
    for (int32_t i = 0; i < input->n_contact; i++) {
        found = found || input->contact[i].friction > 0.0;
    }
    return found;
}

const char *ew_case_solves_between(const ew_case_step *step)
{
    const char *found = step->converge ? "converge" : step->remove ? "optimise" : NULL;
    for (int32_t e = 0; e < step->n_edit && !found; e++) {
        ew_refine_goal goal;
        const ew_case_edit *edit = &step->edit[e];
        found = edit->operation == &ew_enrich_edit && edit->enrich.by_error ? "enrich: {by: error}"
                : ew_refine_goal_of(edit->operation, &edit->values, &goal)  ? "refine: {by: error}"
                                                                            : NULL;
    }
    return found;
}

ew_status ew_case_check_contacts(const ew_case *input)
{
    for (int32_t s = 0; s < input->n_step && input->n_contact; s++) {
        const ew_case_step *step = &input->step[s];
        const char *between = ew_case_solves_between(step);
        if (between && ew_case_has_friction(input) && ew_case_is_inelastic(input)) {
            return ew_fail_at(EW_BAD_INPUT, step->line,
                              "step '%.60s': solves for its edits begin with friction as the step "
                              "does, which laws of materials have left by then; leave 'friction' "
                              "out, or '%s'",
                              step->name, between);
        }
        if (step->n_rigid && (step->n_mode || step->response)) {
            return ew_fail_at(EW_BAD_INPUT, step->line,
                              "step '%.60s': modes, buckling and responses are about the body as "
                              "the step before left it; leave 'rigid' out",
                              step->name);
        }
        if (step->n_part) {
            return ew_fail_at(EW_BAD_INPUT, step->line,
                              "combination '%.60s': answers with contact do not add up; write a "
                              "step with the loads",
                              step->name);
        }
    }
    return EW_OK;
}
