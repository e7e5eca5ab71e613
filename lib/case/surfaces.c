/* `surfaces:` of a case: fine surfaces bound to the tets, by name. */
#include "case/reader.h"

#include <string.h>

enum { MAX_SURFACES = 100, MAX_NAME = 60 };

/* Frames are files that carry the name. */
static bool is_file_name(const char *name)
{
    const size_t n = strlen(name);
    return n > 0 && n <= MAX_NAME && name[0] != '-' &&
           strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == n;
}

static ew_status read_surface(ew_case_reader *reader, const yaml_node_t *key,
                              const yaml_node_t *node, ew_case_surface *out)
{
    ew_yaml *yaml = &reader->yaml;
    yaml_node_t *value;
    int32_t removed = 0;
    out->line = ew_yaml_line(key);
    EW_TRY(ew_yaml_text(yaml, key, "a surface's name", &out->name));
    if (!is_file_name(out->name)) {
        return ew_yaml_fail(key,
                            "surface '%.60s': a name of letters, digits, _ and -, at most %d, for "
                            "it names files",
                            out->name, MAX_NAME);
    }
    EW_TRY(ew_case_read_keys(yaml, node, &ew_section_surface, out));
    if ((value = ew_yaml_find(yaml, node, "removed"))) {
        EW_TRY(ew_yaml_choice(value, "removed", "rebind drop", &removed));
    }
    out->mapping.drop = removed == 1;
    return EW_OK;
}

ew_status ew_case_read_surfaces(ew_case_reader *reader, const yaml_node_t *node)
{
    ew_case *input = reader->out;
    if (!node || ew_yaml_is_null(node)) {
        return EW_OK;
    }
    if (node->type != YAML_MAPPING_NODE) {
        return ew_yaml_fail(node, "surfaces must be a mapping, name: {file: ...}");
    }
    const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
    const int32_t n = (int32_t)(node->data.mapping.pairs.top - pair);
    if (n > MAX_SURFACES) {
        return ew_yaml_fail(node, "%d surfaces; at most %d", (int)n, MAX_SURFACES);
    }
    EW_TRY(ew_arena_take(&reader->arena, sizeof *input->surface * (size_t)n, &input->surface));
    for (int32_t i = 0; i < n; i++) {
        const yaml_node_t *key = yaml_document_get_node(&reader->yaml.document, pair[i].key);
        const yaml_node_t *value = yaml_document_get_node(&reader->yaml.document, pair[i].value);
        EW_TRY(read_surface(reader, key, value, &input->surface[i]));
        for (int32_t k = 0; k < i; k++) {
            if (!strcmp(input->surface[k].name, input->surface[i].name)) {
                return ew_yaml_fail(key, "surface '%.60s' stands already in line %d",
                                    input->surface[i].name, (int)input->surface[k].line);
            }
        }
        input->n_surface = i + 1;
    }
    return EW_OK;
}

/* ---- loads on them ----------------------------------------------------------------- */

static ew_status find_surface(ew_case_reader *reader, const yaml_node_t *node, int32_t *surface)
{
    const char *name;
    char names[MAX_SURFACES * (MAX_NAME + 1) + 1] = "", near[64];
    EW_TRY(ew_yaml_text(&reader->yaml, node, "surface", &name));
    for (int32_t i = 0; i < reader->out->n_surface; i++) {
        if (!strcmp(reader->out->surface[i].name, name)) {
            *surface = i;
            return EW_OK;
        }
        strcat(strcat(names, reader->out->surface[i].name), " ");
    }
    if (ew_nearest_word(name, names, near)) {
        return ew_yaml_fail(node, "there is no surface '%.60s'; did you mean '%s'?", name, near);
    }
    return ew_yaml_fail(node, "there is no surface '%.60s'; define it under 'surfaces:'", name);
}

ew_status ew_case_read_load_surface(ew_case_reader *reader, const yaml_node_t *node,
                                    const char *key, ew_case_load *load)
{
    ew_yaml *yaml = &reader->yaml;
    const yaml_node_t *value = ew_yaml_find(yaml, node, "surface");
    const yaml_node_t *other = ew_yaml_find(yaml, node, "set");
    const ew_load_kind kind = load->as.kind;
    int32_t surface;
    load->as.set = -1;
    if (other) {
        return ew_yaml_fail(other, "a load acts on a set or on a surface, not on both");
    }
    if ((other = ew_yaml_find(yaml, node, "axes"))) {
        return ew_yaml_fail(other, "axes: a load on a surface is along x, y, z");
    }
    if (kind != EW_LOAD_PRESSURE && kind != EW_LOAD_TRACTION && kind != EW_LOAD_FORCE &&
        kind != EW_LOAD_TOTAL_FORCE) {
        return ew_yaml_fail(value,
                            "%s does not act on a surface; pressure, traction, force and "
                            "total_force do",
                            key);
    }
    if (load->as.only_positive || load->as.gradient[0] != 0.0 || load->as.gradient[1] != 0.0 ||
        load->as.gradient[2] != 0.0) {
        return ew_yaml_fail(value, "pressure on a surface is uniform; give one number");
    }
    EW_TRY(find_surface(reader, value, &surface));
    load->surface = surface + 1;
    return EW_OK;
}
