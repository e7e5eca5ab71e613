/* Rigid surfaces of contacts of a case: `rigid:` of a contact, and of a step the motions that stand
 * in place of theirs, by name. */
#include "case/reader.h"

#include <string.h>

static ew_status read_plane(ew_case_reader *reader, const yaml_node_t *node, ew_rigid_def *to)
{
    ew_selector as = {.kind = EW_SELECT_SIDE};
    EW_TRY(ew_case_read_keys(&reader->yaml, node, &ew_section_rigid_plane, &as));
    memcpy(to->point, as.a, sizeof to->point);
    return ew_case_read_axis(reader, ew_yaml_find(&reader->yaml, node, "normal"), "normal",
                             to->direction);
}

static ew_status read_sphere(ew_case_reader *reader, const yaml_node_t *node, ew_rigid_def *to)
{
    ew_selector as = {.kind = EW_SELECT_SPHERE};
    EW_TRY(ew_case_read_keys(&reader->yaml, node, &ew_section_sphere, &as));
    memcpy(to->point, as.a, sizeof to->point);
    to->radius = as.radius;
    return EW_OK;
}

static ew_status read_cylinder(ew_case_reader *reader, const yaml_node_t *node, ew_rigid_def *to)
{
    ew_selector as = {.kind = EW_SELECT_CYLINDER};
    bool is_point = true;
    EW_TRY(ew_case_read_keys(&reader->yaml, node, &ew_section_cylinder, &as));
    for (int c = 0; c < 3; c++) {
        to->point[c] = as.a[c];
        to->direction[c] = as.b[c] - as.a[c];
        is_point = is_point && to->direction[c] == 0.0;
    }
    to->radius = as.radius;
    return is_point
               ? ew_yaml_fail(node, "cylinder: 'from' and 'to' are the same point; give two of "
                                    "its axis")
               : EW_OK;
}

static ew_status read_shape(ew_case_reader *reader, const yaml_node_t *node, ew_case_rigid *out)
{
    static const struct {
        const char *key;
        ew_rigid_kind kind;
        ew_status (*read)(ew_case_reader *reader, const yaml_node_t *node, ew_rigid_def *to);
    } shapes[] = {{"plane", EW_RIGID_PLANE, read_plane},
                  {"sphere", EW_RIGID_SPHERE, read_sphere},
                  {"cylinder", EW_RIGID_CYLINDER, read_cylinder},
                  {"surface", EW_RIGID_SURFACE, NULL}};
    int n = 0;
    for (int k = 0; k < 4; k++) {
        const yaml_node_t *value = ew_yaml_find(&reader->yaml, node, shapes[k].key);
        if (value) {
            n++;
            out->as.kind = shapes[k].kind;
            EW_TRY(shapes[k].read ? shapes[k].read(reader, value, &out->as) : EW_OK);
        }
    }
    return n == 1
               ? EW_OK
               : ew_yaml_fail(node, "a rigid body has one of plane, sphere, cylinder and surface");
}

ew_status ew_case_read_rigid(ew_case_reader *reader, const yaml_node_t *node, ew_case_rigid *out)
{
    EW_TRY(ew_case_read_keys(&reader->yaml, node, &ew_section_rigid, out));
    EW_TRY(ew_case_read_amplitude_use(reader, node, &out->amplitude));
    EW_TRY(read_shape(reader, node, out));
    return out->as.kind == EW_RIGID_PLANE && out->as.is_hollow
               ? ew_yaml_fail(node, "a plane has no inside; turn its normal")
               : EW_OK;
}

/* ---- motions of a step ------------------------------------------------------------------------
 */

static ew_status find_rigid(const ew_case *input, const yaml_node_t *key, const char *name,
                            int32_t *contact)
{
    for (int32_t i = 0; i < input->n_contact; i++) {
        const char *known = input->contact[i].rigid.name;
        if (known && !strcmp(known, name)) {
            *contact = i;
            return EW_OK;
        }
    }
    return ew_yaml_fail(key,
                        "no contact has a rigid body of the name '%.60s'; give one 'rigid: {name: "
                        "%.60s, ...}'",
                        name, name);
}

ew_status ew_case_read_rigid_motions(ew_case_reader *reader, const yaml_node_t *node,
                                     ew_case_step *step)
{
    if (node->type != YAML_MAPPING_NODE) {
        return ew_yaml_fail(node, "rigid must be a mapping from names to motions");
    }
    const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
    const int32_t n = (int32_t)(node->data.mapping.pairs.top - pair);
    EW_TRY(ew_arena_take(&reader->arena, sizeof *step->rigid * (size_t)n, &step->rigid));
    for (int32_t i = 0; i < n; i++) {
        const yaml_node_t *key = yaml_document_get_node(&reader->yaml.document, pair[i].key);
        const yaml_node_t *value = yaml_document_get_node(&reader->yaml.document, pair[i].value);
        ew_case_rigid_motion *out = &step->rigid[i];
        const char *name;
        EW_TRY(ew_yaml_text(&reader->yaml, key, "the name of a rigid body", &name));
        EW_TRY(find_rigid(reader->out, key, name, &out->contact));
        for (int32_t k = 0; k < i; k++) {
            if (step->rigid[k].contact == out->contact) {
                return ew_yaml_fail(key, "rigid body '%.60s' is given twice; keep one", name);
            }
        }
        EW_TRY(ew_case_read_keys(&reader->yaml, value, &ew_section_rigid_motion, out));
        memcpy(out->motion.about, reader->out->contact[out->contact].rigid.as.motion.about,
               sizeof out->motion.about);
        EW_TRY(ew_case_read_amplitude_use(reader, value, &out->amplitude));
    }
    step->n_rigid = n;
    return EW_OK;
}
