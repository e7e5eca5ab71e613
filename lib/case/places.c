/* Places of `output:`, at which values are wanted: paths and probes, plane sections. */
#include "case/reader.h"

#include <math.h>
#include <string.h>

enum { MAX_CORNERS = 1000, MAX_POINTS = 100000 };

static int32_t count_names(const yaml_node_t *node)
{
    return node && node->type == YAML_MAPPING_NODE
               ? (int32_t)(node->data.mapping.pairs.top - node->data.mapping.pairs.start)
               : 0;
}

static yaml_node_t *name_at(ew_case_reader *reader, const yaml_node_t *node, int32_t i,
                            yaml_node_t **value)
{
    yaml_document_t *document = &reader->yaml.document;
    const yaml_node_pair_t *pair = node->data.mapping.pairs.start + i;
    *value = yaml_document_get_node(document, pair->value);
    return yaml_document_get_node(document, pair->key);
}

static ew_status take_corners(ew_case_reader *reader, int32_t n, ew_case_path *path)
{
    path->n_corner = n;
    return ew_arena_take(&reader->arena, (size_t)n * sizeof *path->corner, &path->corner);
}

static ew_status read_points(ew_case_reader *reader, const yaml_node_t *list, ew_case_path *path)
{
    int32_t n = 0;
    EW_TRY(ew_yaml_expect_list(list, "points", &n));
    if (n < 2 || n > MAX_CORNERS) {
        return ew_yaml_fail(list, "points has %d points; it must have 2 to %d", (int)n,
                            MAX_CORNERS);
    }
    EW_TRY(take_corners(reader, n, path));
    for (int32_t i = 0; i < n; i++) {
        EW_TRY(ew_yaml_vector(&reader->yaml, ew_yaml_item(&reader->yaml, list, i), "points",
                              path->corner[i]));
    }
    return EW_OK;
}

static ew_status read_ends(ew_case_reader *reader, const yaml_node_t *node, ew_case_path *path)
{
    static const char *const key[2] = {"from", "to"};
    EW_TRY(take_corners(reader, 2, path));
    for (int i = 0; i < 2; i++) {
        yaml_node_t *value;
        EW_TRY(ew_yaml_need(&reader->yaml, node, "a path", key[i], &value));
        EW_TRY(ew_yaml_vector(&reader->yaml, value, key[i], path->corner[i]));
    }
    return EW_OK;
}

/* Some length between two corners that follow each other. */
static ew_status check_path(const yaml_node_t *node, const ew_case_path *path)
{
    for (int32_t i = 1; i < path->n_corner; i++) {
        if (!memcmp(path->corner[i - 1], path->corner[i], sizeof path->corner[i])) {
            return ew_yaml_fail(
                node, "path '%.60s': two points that follow each other are the same", path->name);
        }
    }
    return path->linearize && path->n_corner != 2
               ? ew_yaml_fail(
                     node,
                     "path '%.60s': stress is linearized along a straight line; give 'from' "
                     "and 'to'",
                     path->name)
               : EW_OK;
}

static ew_status read_path(ew_case_reader *reader, const yaml_node_t *key, const yaml_node_t *node,
                           ew_case_path *path)
{
    ew_yaml *yaml = &reader->yaml;
    EW_TRY(ew_yaml_text(yaml, key, "paths", &path->name));
    path->line = ew_yaml_line(key);
    EW_TRY(ew_case_read_keys(yaml, node, &ew_section_path, path));
    if (!ew_yaml_find(yaml, node, "count")) {
        path->count = path->linearize ? 101 : 21;
    }
    const yaml_node_t *points = ew_yaml_find(yaml, node, "points");
    const yaml_node_t *stray = ew_yaml_find(yaml, node, "from");
    stray = stray ? stray : ew_yaml_find(yaml, node, "to");
    if (points && stray) {
        return ew_yaml_fail(stray, "path '%.60s': give 'points', or 'from' and 'to'", path->name);
    }
    EW_TRY(points ? read_points(reader, points, path) : read_ends(reader, node, path));
    return check_path(node, path);
}

static ew_status read_probe(ew_case_reader *reader, const yaml_node_t *key, const yaml_node_t *node,
                            ew_case_path *path)
{
    EW_TRY(ew_yaml_text(&reader->yaml, key, "probes", &path->name));
    path->line = ew_yaml_line(key);
    path->count = 1;
    EW_TRY(take_corners(reader, 1, path));
    return ew_yaml_vector(&reader->yaml, node, path->name, path->corner[0]);
}

static ew_status refuse_twice(const yaml_node_t *key, const ew_case_output *out)
{
    for (int32_t i = 0; i + 1 < out->n_path; i++) {
        if (!strcmp(out->path[i].name, out->path[out->n_path - 1].name)) {
            return ew_yaml_fail(key, "there is a path or a probe '%.60s' already (line %d)",
                                out->path[i].name, (int)out->path[i].line);
        }
    }
    return EW_OK;
}

static ew_status read_section(ew_case_reader *reader, const yaml_node_t *key,
                              const yaml_node_t *node, ew_case_section_plane *plane)
{
    yaml_node_t *normal;
    EW_TRY(ew_yaml_text(&reader->yaml, key, "sections", &plane->name));
    plane->line = ew_yaml_line(key);
    EW_TRY(ew_case_read_keys(&reader->yaml, node, &ew_section_cut, plane));
    normal = ew_yaml_find(&reader->yaml, node, "normal");
    EW_TRY(ew_case_read_axis(reader, normal, "normal", plane->normal));
    const double *n = plane->normal, length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int c = 0; c < 3; c++) {
        plane->normal[c] /= length;
    }
    return EW_OK;
}

static ew_status expect_names(const yaml_node_t *node, const char *what)
{
    return node && node->type != YAML_MAPPING_NODE
               ? ew_yaml_fail(node, "%s must be a mapping of names, each with its place", what)
               : EW_OK;
}

ew_status ew_case_read_places(ew_case_reader *reader, const yaml_node_t *node, ew_case_output *out)
{
    ew_yaml *yaml = &reader->yaml;
    const yaml_node_t *paths = ew_yaml_find(yaml, node, "paths");
    const yaml_node_t *probes = ew_yaml_find(yaml, node, "probes");
    const yaml_node_t *sections = ew_yaml_find(yaml, node, "sections");
    const int32_t n_path = count_names(paths), n_probe = count_names(probes);
    yaml_node_t *key, *value;
    EW_TRY(expect_names(paths, "paths"));
    EW_TRY(expect_names(probes, "probes"));
    EW_TRY(expect_names(sections, "sections"));
    EW_TRY(ew_arena_take(&reader->arena, (size_t)(n_path + n_probe + 1) * sizeof *out->path,
                         &out->path));
    for (int32_t i = 0; i < n_path + n_probe; i++) {
        const bool is_probe = i >= n_path;
        key = name_at(reader, is_probe ? probes : paths, is_probe ? i - n_path : i, &value);
        EW_TRY((is_probe ? read_probe : read_path)(reader, key, value, &out->path[i]));
        out->n_path++;
        EW_TRY(refuse_twice(key, out));
    }
    out->n_section = count_names(sections);
    EW_TRY(ew_arena_take(&reader->arena, (size_t)(out->n_section + 1) * sizeof *out->section,
                         &out->section));
    for (int32_t i = 0; i < out->n_section; i++) {
        key = name_at(reader, sections, i, &value);
        EW_TRY(read_section(reader, key, value, &out->section[i]));
    }
    return EW_OK;
}

/* A step whose records have stress with an amplitude. */
static bool has_stress(const ew_case *input)
{
    bool any = false;
    for (int32_t s = 0; s < input->n_step; s++) {
        const ew_case_step *step = &input->step[s];
        any = any || step->has_static || step->dynamic || step->response;
    }
    return any;
}

ew_status ew_case_check_places(const ew_case *input)
{
    const ew_case_output *output = &input->output;
    static const char why[] =
        "no step has stress: a mode or a shape of buckling has any amplitude; leave it out, or "
        "give the case a static step, a dynamic one or a response";
    if (has_stress(input)) {
        return EW_OK;
    }
    for (int32_t i = 0; i < output->n_path; i++) {
        if (output->path[i].linearize) {
            return ew_fail_at(EW_BAD_INPUT, output->path[i].line, "path '%.60s': linearize: %s",
                              output->path[i].name, why);
        }
    }
    return output->n_section ? ew_fail_at(EW_BAD_INPUT, output->section->line,
                                          "section '%.60s': %s", output->section->name, why)
                             : EW_OK;
}
