/* `material:` of a case: one for all regions, or a list by region. What is given decides the kind:
 * `young` a number, isotropic; `young` a list, orthotropic by engineering constants; `stiffness`,
 * orthotropic by 9 numbers or anisotropic by 21; a name, or `library`, one of the library. */
#include "case/reader.h"

#include <string.h>

/* A failure of the library is about a node. */
static ew_status at_line(const yaml_node_t *node, ew_status status)
{
    return status ? ew_fail_line(status, ew_yaml_line(node)) : EW_OK;
}

/* A list of n numbers, named by their places. */
static ew_status read_numbers(ew_yaml *yaml, const yaml_node_t *node, const char *what, int32_t n,
                              const char *names, double *value)
{
    int32_t given = 0;
    if (node->type == YAML_SEQUENCE_NODE) {
        EW_TRY(ew_yaml_expect_list(node, what, &given));
    }
    if (given != n) {
        return ew_yaml_fail(node, "%s must be a list of %d numbers here: %s", what, (int)n, names);
    }
    for (int32_t i = 0; i < n; i++) {
        EW_TRY(ew_yaml_number(ew_yaml_item(yaml, node, i), what, &value[i]));
    }
    return EW_OK;
}

static ew_status refuse(ew_yaml *yaml, const yaml_node_t *node, const char *key, const char *of)
{
    const yaml_node_t *value = ew_yaml_find(yaml, node, key);
    return value ? ew_yaml_fail(value, "%s: %s takes none; remove it", key, of) : EW_OK;
}

/* ---- kinds -------------------------------------------------------------------------- */

static ew_status read_isotropic(ew_yaml *yaml, const yaml_node_t *node, ew_material *out)
{
    static const char of[] = "an isotropic material, whose young is a number,";
    yaml_node_t *value;
    EW_TRY(refuse(yaml, node, "shear", of));
    EW_TRY(refuse(yaml, node, "axes", of));
    EW_TRY(ew_yaml_need(yaml, node, "material", "young", &value));
    EW_TRY(ew_yaml_number(value, "young", &out->young));
    if (out->young <= 0) {
        return ew_yaml_fail(value, "young is %g; Young's modulus must be greater than 0",
                            out->young);
    }
    EW_TRY(ew_yaml_need(yaml, node, "material", "poisson", &value));
    EW_TRY(ew_yaml_number(value, "poisson", &out->poisson));
    if (out->poisson <= -1 || out->poisson > EW_MAX_POISSON) {
        return ew_yaml_fail(value,
                            "poisson is %.16g; Poisson's ratio must be greater than -1 and at most "
                            "%.8f (for nearly incompressible matter up to 0.4999 and "
                            "'elements: mixed')",
                            out->poisson, EW_MAX_POISSON);
    }
    if ((value = ew_yaml_find(yaml, node, "expansion"))) {
        EW_TRY(ew_yaml_number(value, "expansion", &out->expansion));
        out->has_expansion = true;
    }
    return EW_OK;
}

/* Thermal expansion along axes: one for all, three, or six with shear. */
static ew_status read_expansions(ew_yaml *yaml, const yaml_node_t *node, ew_material *out)
{
    const yaml_node_t *value = ew_yaml_find(yaml, node, "expansion");
    int32_t n = 0;
    if (!value) {
        return EW_OK;
    }
    out->has_expansion = true;
    if (value->type == YAML_SEQUENCE_NODE) {
        EW_TRY(ew_yaml_expect_list(value, "expansion", &n));
    } else {
        EW_TRY(ew_yaml_number(value, "expansion", &out->expansions[0]));
        out->expansions[1] = out->expansions[2] = out->expansions[0];
        return EW_OK;
    }
    return read_numbers(yaml, value, "expansion", n == 6 && out->kind == EW_ANISOTROPIC ? 6 : 3,
                        out->kind == EW_ANISOTROPIC ? "along axes 1, 2, 3, or also shear 12, 23, 13"
                                                    : "along axes 1, 2, 3",
                        out->expansions);
}

static ew_status read_axes(ew_case_reader *reader, const yaml_node_t *node, ew_case_material *of)
{
    ew_material_axes *out = &of->material.axes;
    ew_yaml *yaml = &reader->yaml;
    const yaml_node_t *axes = ew_yaml_find(yaml, node, "axes");
    yaml_node_t *value;
    ew_axes cylinder;
    if (!axes) {
        return EW_OK;
    }
    EW_TRY(ew_case_expect(yaml, axes, NULL, &ew_section_material_axes));
    if ((value = ew_yaml_find(yaml, axes, "array"))) {
        EW_TRY(ew_yaml_expect_keys(yaml, axes, "axes by an array", "array"));
        out->kind = EW_MATERIAL_AXES_FIELD;
        return ew_yaml_text(yaml, value, "array", &of->axes_array);
    }
    if ((value = ew_yaml_find(yaml, axes, "csv"))) {
        EW_TRY(ew_yaml_expect_keys(yaml, axes, "axes by tet", "csv"));
        out->kind = EW_MATERIAL_AXES_FIELD;
        return ew_yaml_text(yaml, value, "csv", &of->axes_file);
    }
    if (ew_yaml_find(yaml, axes, "cylinder")) {
        EW_TRY(ew_case_read_axes(reader, axes, &cylinder));
        out->kind = EW_MATERIAL_AXES_CYLINDER;
        memcpy(out->point, cylinder.point, sizeof out->point);
        memcpy(out->third, cylinder.direction + 6, sizeof out->third);
        return EW_OK;
    }
    out->kind = EW_MATERIAL_AXES_FIXED;
    EW_TRY(ew_yaml_need(yaml, axes, "axes", "x", &value));
    EW_TRY(ew_yaml_vector(yaml, value, "x", out->first));
    EW_TRY(ew_yaml_need(yaml, axes, "axes", "y", &value));
    return ew_yaml_vector(yaml, value, "y", out->second);
}

static ew_status read_orthotropic(ew_yaml *yaml, const yaml_node_t *node, ew_material *out)
{
    yaml_node_t *value;
    out->kind = EW_ORTHOTROPIC;
    EW_TRY(ew_yaml_need(yaml, node, "material", "young", &value));
    EW_TRY(read_numbers(yaml, value, "young", 3, "E1, E2, E3", out->young_along));
    EW_TRY(ew_yaml_need(yaml, node, "orthotropic material", "poisson", &value));
    EW_TRY(read_numbers(yaml, value, "poisson", 3, "nu12, nu13, nu23", out->poisson_between));
    EW_TRY(ew_yaml_need(yaml, node, "orthotropic material", "shear", &value));
    return read_numbers(yaml, value, "shear", 3, "G12, G13, G23", out->shear);
}

/* Nine: the upper triangle of the first three rows, then the other diagonal entries. */
static ew_status read_stiffness(ew_yaml *yaml, const yaml_node_t *node, ew_material *out)
{
    static const int8_t place[9] = {0, 1, 2, 6, 7, 11, 15, 18, 20};
    static const char of[] = "a material by its stiffness";
    const yaml_node_t *value = ew_yaml_find(yaml, node, "stiffness");
    double nine[9];
    int32_t n = 0;
    out->kind = EW_ANISOTROPIC;
    EW_TRY(refuse(yaml, node, "young", of));
    EW_TRY(refuse(yaml, node, "poisson", of));
    EW_TRY(refuse(yaml, node, "shear", of));
    if (value->type == YAML_SEQUENCE_NODE) {
        EW_TRY(ew_yaml_expect_list(value, "stiffness", &n));
    }
    if (n != 9) {
        return read_numbers(yaml, value, "stiffness", 21,
                            "D11, D12, .. D16, D22, .. D66; or 9: D11, D12, D13, D22, D23, D33, "
                            "D44, D55, D66",
                            out->stiffness);
    }
    EW_TRY(read_numbers(yaml, value, "stiffness", 9, "", nine));
    for (int i = 0; i < 9; i++) {
        out->stiffness[place[i]] = nine[i];
    }
    return EW_OK;
}

/* ---- materials ------------------------------------------------------------------------ */

static ew_status read_kind(ew_case_reader *reader, const yaml_node_t *node, ew_case_material *of)
{
    ew_material *out = &of->material;
    ew_yaml *yaml = &reader->yaml;
    const yaml_node_t *young = ew_yaml_find(yaml, node, "young");
    const bool by_stiffness = ew_yaml_find(yaml, node, "stiffness");
    if (!by_stiffness && !(young && young->type == YAML_SEQUENCE_NODE)) {
        return read_isotropic(yaml, node, out);
    }
    EW_TRY(by_stiffness ? read_stiffness(yaml, node, out) : read_orthotropic(yaml, node, out));
    EW_TRY(read_expansions(yaml, node, out));
    return read_axes(reader, node, of);
}

/* Its axes are the case's: those of a library would have to know how the part lies. */
static ew_status read_from_library(ew_case_reader *reader, const yaml_node_t *node,
                                   const yaml_node_t *name, ew_case_material *out)
{
    static const char *const own[] = {"young",   "poisson",   "shear", "stiffness",
                                      "density", "expansion", NULL};
    for (int k = 0; own[k]; k++) {
        EW_TRY(refuse(&reader->yaml, node, own[k], "a material of the library"));
    }
    const ew_material given = out->material;
    EW_TRY(ew_case_read_library(reader, name, out));
    if (given.yield_strength > 0.0) {
        out->material.yield_strength = given.yield_strength;
    }
    out->material.ultimate_strength = given.ultimate_strength;
    if (out->material.kind == EW_ISOTROPIC) {
        return refuse(&reader->yaml, node, "axes", "an isotropic material");
    }
    return read_axes(reader, node, out);
}

static ew_status read_material(ew_case_reader *reader, const yaml_node_t *node, bool in_list,
                               ew_case_material *out)
{
    ew_yaml *yaml = &reader->yaml;
    const yaml_node_t *value;
    out->line = ew_yaml_line(node);
    if (node->type == YAML_SCALAR_NODE && !in_list) {
        out->all_regions = true;
        EW_TRY(ew_case_read_library(reader, node, out));
        EW_TRY(at_line(node, ew_material_check(&out->material)));
        return ew_case_read_fatigue_curve(reader, NULL, out);
    }
    EW_TRY(ew_case_read_keys(yaml, node, &ew_section_material, &out->material));
    value = ew_yaml_find(yaml, node, "library");
    EW_TRY(value ? read_from_library(reader, node, value, out) : read_kind(reader, node, out));
    EW_TRY(ew_case_read_law(reader, node, &out->material));
    EW_TRY(at_line(node, ew_material_check(&out->material)));
    EW_TRY(ew_case_read_fatigue_curve(reader, ew_yaml_find(yaml, node, "fatigue"), out));
    value = ew_yaml_find(yaml, node, "region");
    out->all_regions = !value;
    if (in_list && !value) {
        return ew_yaml_fail(node, "a material of a list needs 'region:'");
    }
    return value ? ew_case_read_label(reader, value, "region", &out->region) : EW_OK;
}

ew_status ew_case_read_materials(ew_case_reader *reader, const yaml_node_t *node)
{
    ew_case *input = reader->out;
    bool list = node->type == YAML_SEQUENCE_NODE;
    int32_t n = 1;
    if (list) {
        EW_TRY(ew_yaml_expect_list(node, "material", &n));
    }
    if (n == 0) {
        return ew_yaml_fail(node, "material: the list is empty; give at least one material");
    }
    EW_TRY(ew_arena_take(&reader->arena, sizeof *input->material * (size_t)n, &input->material));
    for (int32_t i = 0; i < n; i++) {
        const yaml_node_t *item = list ? ew_yaml_item(&reader->yaml, node, i) : node;
        EW_TRY(read_material(reader, item, list, &input->material[i]));
        for (int32_t j = 0; j < i; j++) {
            if (input->material[j].region == input->material[i].region) {
                return ew_yaml_fail(item, "region %d has a material already (line %d)",
                                    (int)input->material[i].region, (int)input->material[j].line);
            }
        }
    }
    input->n_material = n;
    return EW_OK;
}
