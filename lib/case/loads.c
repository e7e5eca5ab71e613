/* `loads:` of a case: YAML in, loads as a model takes them out. One key a kind, by a table. */
#include "case/reader.h"

#include <math.h>
#include <string.h>

/* Some other form than a vector: reads the value of the kind's key. */
typedef ew_status (*load_reader)(ew_case_reader *reader, const yaml_node_t *node,
                                 ew_model_load *load);

/* ---- forms ------------------------------------------------------------------------ */

/* The keys gradient and about of a value that is linear in position. */
static ew_status read_slope(ew_case_reader *reader, const yaml_node_t *node, ew_model_load *load)
{
    ew_yaml *yaml = &reader->yaml;
    const yaml_node_t *gradient = ew_yaml_find(yaml, node, "gradient");
    const yaml_node_t *about = ew_yaml_find(yaml, node, "about");
    if (about && !gradient) {
        return ew_yaml_fail(about, "about needs a gradient: it is the point of the value");
    }
    if (gradient) {
        EW_TRY(ew_yaml_vector(yaml, gradient, "gradient", load->gradient));
    }
    return about ? ew_yaml_vector(yaml, about, "about", load->point) : EW_OK;
}

static ew_status read_pressure(ew_case_reader *reader, const yaml_node_t *node, ew_model_load *load)
{
    ew_yaml *yaml = &reader->yaml;
    if (node->type == YAML_SEQUENCE_NODE) {
        return ew_yaml_fail(
            node,
            "pressure must be a number, not a list: it is square to the faces; a force per area "
            "along a direction is 'traction: [x, y, z]'");
    }
    if (node->type != YAML_MAPPING_NODE) {
        return ew_yaml_number(node, "pressure", &load->pressure);
    }
    EW_TRY(ew_case_read_keys(yaml, node, &ew_section_pressure, load));
    return read_slope(reader, node, load);
}

static ew_status read_remote_force(ew_case_reader *reader, const yaml_node_t *node,
                                   ew_model_load *load)
{
    return ew_case_read_keys(&reader->yaml, node, &ew_section_remote_force, load);
}

static ew_status read_bearing(ew_case_reader *reader, const yaml_node_t *node, ew_model_load *load)
{
    ew_yaml *yaml = &reader->yaml;
    yaml_node_t *value;
    if (node->type == YAML_SEQUENCE_NODE) {
        return ew_yaml_vector(yaml, node, "bearing", load->vector);
    }
    EW_TRY(ew_case_read_keys(yaml, node, &ew_section_bearing, load));
    value = ew_yaml_find(yaml, node, "axis");
    return value ? ew_case_read_axis(reader, value, "axis", load->axis) : EW_OK;
}

static ew_status read_centrifugal(ew_case_reader *reader, const yaml_node_t *node,
                                  ew_model_load *load)
{
    ew_yaml *yaml = &reader->yaml;
    yaml_node_t *axis, *value;
    double direction[3], speed, square = 0.0;
    EW_TRY(ew_case_read_keys(yaml, node, &ew_section_centrifugal, load));
    axis = ew_yaml_find(yaml, node, "axis");
    EW_TRY(ew_case_read_keys(yaml, axis, &ew_section_centrifugal_axis, load));
    EW_TRY(
        ew_case_read_axis(reader, ew_yaml_find(yaml, axis, "direction"), "direction", direction));
    value = ew_yaml_find(yaml, node, "speed");
    EW_TRY(ew_yaml_number(value, "speed", &speed));
    if (speed == 0.0) {
        return ew_yaml_fail(value, "speed is 0; give the angular velocity, radians per time");
    }
    for (int c = 0; c < 3; c++) {
        square += direction[c] * direction[c];
    }
    for (int c = 0; c < 3; c++) {
        load->vector[c] = speed * direction[c] / sqrt(square);
    }
    return EW_OK;
}

/* `expression: "sqrt(x^2 + y^2) + z"`, in place of all other keys. */
static ew_status read_expression(ew_case_reader *reader, const yaml_node_t *node,
                                 const yaml_node_t *value, ew_model_load *load)
{
    static const char *const others[] = {"change", "gradient", "about"};
    const char *text;
    ew_expression *made;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const yaml_node_t *other = ew_yaml_find(&reader->yaml, node, others[i]);
        if (other) {
            return ew_yaml_fail(other, "%s: an expression says it all; write it into that",
                                others[i]);
        }
    }
    EW_TRY(ew_yaml_text(&reader->yaml, value, "expression", &text));
    EW_TRY(ew_arena_take(&reader->arena, sizeof *made, &made));
    char names[EW_EXPRESSION_NAMES];
    snprintf(names, sizeof names, "x y z %s", reader->yaml.names);
    const ew_status status = ew_expression_read(made, text, names);
    if (status) {
        return ew_fail_line(status, ew_yaml_line(value));
    }
    ew_expression_bind(made, 3, reader->yaml.value);
    load->expression = made;
    load->change = 1.0;
    return EW_OK;
}

static ew_status read_temperature(ew_case_reader *reader, const yaml_node_t *node,
                                  ew_model_load *load)
{
    ew_yaml *yaml = &reader->yaml;
    yaml_node_t *value;
    if (node->type != YAML_MAPPING_NODE) {
        return ew_yaml_number(node, "temperature", &load->change);
    }
    EW_TRY(ew_case_expect(yaml, node, NULL, &ew_section_temperature));
    if ((value = ew_yaml_find(yaml, node, "expression"))) {
        return read_expression(reader, node, value, load);
    }
    EW_TRY(ew_yaml_need(yaml, node, "temperature", "change", &value));
    EW_TRY(ew_yaml_number(value, "change", &load->change));
    return read_slope(reader, node, load);
}

/* ---- the table ----------------------------------------------------------------------- */

typedef struct load_key {
    const char *key;
    ew_load_kind kind;
    load_reader read; /* null: a vector */
} load_key;

static const load_key keys[] = {
    {"gravity", EW_LOAD_GRAVITY, NULL},
    {"total_force", EW_LOAD_TOTAL_FORCE, NULL},
    {"force", EW_LOAD_FORCE, NULL},
    {"pressure", EW_LOAD_PRESSURE, read_pressure},
    {"traction", EW_LOAD_TRACTION, NULL},
    {"moment", EW_LOAD_MOMENT, NULL},
    {"remote_force", EW_LOAD_REMOTE_FORCE, read_remote_force},
    {"bearing", EW_LOAD_BEARING, read_bearing},
    {"centrifugal", EW_LOAD_CENTRIFUGAL, read_centrifugal},
    {"temperature", EW_LOAD_TEMPERATURE, read_temperature},
};
enum { N_KEY = sizeof keys / sizeof *keys };
#define KEYS                                                                                       \
    "gravity total_force force pressure traction moment remote_force bearing centrifugal "         \
    "temperature"

/* Local axes of the components. Those of a kind that knows x, y, z alone are turned here. */
static ew_status read_axes(ew_case_reader *reader, const yaml_node_t *node, const load_key *key,
                           ew_model_load *load)
{
    const yaml_node_t *value = ew_yaml_find(&reader->yaml, node, "axes");
    ew_axes axes = {.kind = EW_AXES_GLOBAL};
    if (!value) {
        return EW_OK;
    }
    if (key->kind == EW_LOAD_PRESSURE || key->kind == EW_LOAD_TEMPERATURE ||
        key->kind == EW_LOAD_CENTRIFUGAL) {
        return ew_case_refuse_axes(value, key->key);
    }
    EW_TRY(ew_case_read_axes(reader, value, &axes));
    if (ew_load_traits_of(key->kind)->has_axes) {
        load->axes = axes;
        return EW_OK;
    }
    if (axes.kind == EW_AXES_CYLINDER) {
        return ew_yaml_fail(value,
                            "%s has one direction, cylindrical axes another at every vertex; "
                            "give x and y",
                            key->key);
    }
    const double local[3] = {load->vector[0], load->vector[1], load->vector[2]};
    ew_axes_to_global(axes.direction, local, load->vector);
    return EW_OK;
}

/* A set where the kind acts on one; all of the body where it may do without. */
static ew_status read_set(ew_case_reader *reader, const yaml_node_t *node, const load_key *key,
                          int32_t *set)
{
    yaml_node_t *value = ew_yaml_find(&reader->yaml, node, "set");
    const int32_t acts_on = ew_load_traits_of(key->kind)->acts_on;
    *set = -1;
    if (acts_on == EW_LOAD_ON_BODY) {
        return value ? ew_yaml_fail(value, "%s acts on all mass; it takes no set", key->key)
                     : EW_OK;
    }
    if (!value && (acts_on & EW_LOAD_ON_BODY)) {
        return EW_OK;
    }
    EW_TRY(ew_yaml_need(&reader->yaml, node, "a load", "set", &value));
    EW_TRY(ew_case_read_set_use(reader, value, "set", set));
    return ew_case_expect_kind(reader, value, key->key, *set, key->kind);
}

static ew_status read_load(ew_case_reader *reader, const yaml_node_t *node, ew_case_load *out)
{
    ew_yaml *yaml = &reader->yaml;
    const yaml_node_t *value = NULL;
    const load_key *key = NULL;
    EW_TRY(ew_case_expect(yaml, node, NULL, &ew_section_load));
    out->line = ew_yaml_line(node);
    for (int32_t i = 0; i < N_KEY; i++) {
        const yaml_node_t *found = ew_yaml_find(yaml, node, keys[i].key);
        if (found && value) {
            return ew_yaml_fail(found, "one kind per load; write '%s' as a load of its own",
                                keys[i].key);
        }
        value = found ? found : value;
        key = found ? &keys[i] : key;
    }
    if (!key) {
        return ew_yaml_fail(node, "a load needs one of the keys %s", KEYS);
    }
    if (ew_yaml_find(yaml, node, "at") || ew_yaml_find(yaml, node, "nodes")) {
        EW_TRY(ew_case_read_amplitude_use(reader, node, &out->amplitude));
        return ew_case_read_load_nodes(reader, node, key->key, key->kind, value, out);
    }
    out->as.kind = key->kind;
    EW_TRY(key->read ? key->read(reader, value, &out->as)
                     : ew_yaml_vector(yaml, value, key->key, out->as.vector));
    EW_TRY(ew_case_read_amplitude_use(reader, node, &out->amplitude));
    if (ew_yaml_find(yaml, node, "surface")) {
        return ew_case_read_load_surface(reader, node, key->key, out);
    }
    EW_TRY(read_axes(reader, node, key, &out->as));
    return read_set(reader, node, key, &out->as.set);
}

ew_status ew_case_read_loads(ew_case_reader *reader, const yaml_node_t *list, int32_t *n,
                             ew_case_load **out)
{
    int32_t count = 0;
    EW_TRY(ew_yaml_expect_list(list, "loads", &count));
    EW_TRY(ew_arena_take(&reader->arena, sizeof **out * (size_t)count, out));
    for (int32_t i = 0; i < count; i++) {
        EW_TRY(read_load(reader, ew_yaml_item(&reader->yaml, list, i), &(*out)[i]));
    }
    *n = count;
    return EW_OK;
}
