/* `mesh: {file: ...}` of a case: a mesh file, or a CAD file and what is to be made of it. */
#include "case/reader.h"

#include <stdlib.h>
#include <string.h>

/* By name or number of a face. */
static ew_status read_sizes(ew_case_reader *reader, const yaml_node_t *node, ew_cad_def *def)
{
    if (!node) {
        return EW_OK;
    }
    if (node->type != YAML_MAPPING_NODE) {
        return ew_yaml_fail(node, "sizes must be of faces, by name or number: {hole: 0.5}");
    }
    const yaml_node_pair_t *start = node->data.mapping.pairs.start;
    const int32_t n = (int32_t)(node->data.mapping.pairs.top - start);
    ew_cad_size *sizes;
    EW_TRY(ew_arena_take(&reader->arena, sizeof *sizes * ((size_t)n + 1), &sizes));
    for (int32_t i = 0; i < n; i++) {
        yaml_document_t *document = &reader->yaml.document;
        const yaml_node_t *key = yaml_document_get_node(document, start[i].key);
        const yaml_node_t *value = yaml_document_get_node(document, start[i].value);
        EW_TRY(ew_yaml_text(&reader->yaml, key, "sizes", &sizes[i].face));
        EW_TRY(ew_yaml_number(value, sizes[i].face, &sizes[i].size));
        for (int32_t k = 0; k < i; k++) {
            if (!strcmp(sizes[k].face, sizes[i].face)) {
                return ew_yaml_fail(key, "face '%s' has a size already", sizes[i].face);
            }
        }
        if (!(sizes[i].size > 0)) {
            return ew_yaml_fail(value, "the size of face '%s' is %g; it must be greater than 0",
                                sizes[i].face, sizes[i].size);
        }
    }
    def->n_size = n;
    def->sizes = sizes;
    return EW_OK;
}

/* Of a file of tets or triangles alone; of one that is made of CAD the mesher converts. */
static ew_status read_unit(ew_case_reader *reader, const yaml_node_t *node, const char **unit)
{
    const yaml_node_t *value = ew_yaml_find(&reader->yaml, node, "unit");
    int32_t choice;
    if (!value) {
        return EW_OK;
    }
    EW_TRY(ew_yaml_choice(value, "unit", EW_CAD_UNITS, &choice));
    return ew_yaml_text(&reader->yaml, value, "unit", unit);
}

ew_status ew_case_read_mesh_file(ew_case_reader *reader, const yaml_node_t *node)
{
    ew_case *input = reader->out;
    yaml_node_t *file;
    EW_TRY(ew_case_read_keys(&reader->yaml, node, &ew_section_file_mesh, &input->cad));
    file = ew_yaml_find(&reader->yaml, node, "file");
    EW_TRY(ew_yaml_text(&reader->yaml, file, "file", &input->mesh_file));
    const bool is_cad = ew_cad_reads(input->mesh_file);
    const bool has_unit = ew_yaml_find(&reader->yaml, node, "unit");
    const int32_t n_key = (int32_t)(node->data.mapping.pairs.top - node->data.mapping.pairs.start);
    if (n_key > 1 + has_unit && !is_cad) {
        return ew_yaml_fail(node,
                            "%s: keys beside 'file' and 'unit' apply to CAD files alone "
                            "(" EW_CAD_ENDINGS ")",
                            input->mesh_file);
    }
    EW_TRY(read_unit(reader, node, is_cad ? &input->cad.unit : &input->mesh_unit));
    return read_sizes(reader, ew_yaml_find(&reader->yaml, node, "sizes"), &input->cad);
}

ew_status ew_case_read_surface_mesh(ew_case_reader *reader, const yaml_node_t *node)
{
    ew_case *input = reader->out;
    ew_yaml *yaml = &reader->yaml;
    EW_TRY(ew_case_read_keys(yaml, node, &ew_section_surface_mesh, &input->tetgen));
    EW_TRY(read_unit(reader, node, &input->mesh_unit));
    return ew_yaml_text(yaml, ew_yaml_find(yaml, node, "surface"), "surface", &input->surface_file);
}

/* CAD files know their unit, or have none: a second one beside that of the case would be of another
 * body. */
static ew_status unit_of_cad(ew_case *input, const yaml_node_t *mesh, const yaml_node_t *units)
{
    ew_unit given, named;
    if (input->cad.unit && ew_case_unit_named(input->length_unit, 0, &named) &&
        ew_case_unit_named(input->cad.unit, 0, &given) &&
        (named.exponent != given.exponent || named.mantissa != given.mantissa)) {
        return ew_yaml_fail(mesh,
                            "unit '%s' of the coordinates contradicts 'units: {length: %s}', to "
                            "which CAD files are converted; remove one of them",
                            input->cad.unit, input->length_unit);
    }
    if (input->cad.unit || !*input->length_unit) {
        return EW_OK;
    }
    input->cad.unit = input->length_unit;
    if (ew_cad_def_check(&input->cad)) {
        return ew_yaml_fail(units,
                            "length '%s': CAD files are in a unit, which must be known to take "
                            "lengths from them; write one of " EW_CAD_UNITS
                            ", or give 'unit' beside 'file'",
                            input->length_unit);
    }
    return EW_OK;
}

/* From a unit to that of the case. A power of ten and its inverse are not both exact: whichever is
 * above 1 is. */
static ew_status unit_of_file(const ew_case *input, const yaml_node_t *place, const char *unit,
                              double *multiply, double *divide)
{
    ew_unit from, to;
    char text[EW_QUANTITY_TEXT];
    const char *one = "1";
    if (!ew_case_unit_named(input->length_unit, 0, &to)) {
        return ew_yaml_fail(place,
                            "unit '%s' of the file is converted to the unit of the case, which "
                            "names none that is known; write 'units: {length: m, force: N}'",
                            unit);
    }
    if (!ew_case_unit_named(unit, 0, &from)) {
        return ew_yaml_fail(place,
                            "units: '%.20s' of files is no unit of length that is known; 'edgewise "
                            "help units' lists them",
                            unit);
    }
    ew_quantity_text(one, one + 1, &from, &to, text);
    const double factor = strtod(text, NULL);
    ew_quantity_text(one, one + 1, &to, &from, text);
    *multiply = factor >= 1.0 ? factor : 1.0;
    *divide = factor >= 1.0 ? 1.0 : strtod(text, NULL);
    return EW_OK;
}

ew_status ew_case_unit_of_mesh(ew_case_reader *reader, const yaml_node_t *mesh,
                               const yaml_node_t *units)
{
    ew_case *input = reader->out;
    const bool is_cad = input->mesh_file && ew_cad_reads(input->mesh_file);
    input->mesh_factor = input->mesh_divisor = input->file_factor = input->file_divisor = 1.0;
    if (input->file_unit) {
        EW_TRY(unit_of_file(input, units, input->file_unit, &input->file_factor,
                            &input->file_divisor));
        input->mesh_unit = input->mesh_unit || is_cad ? input->mesh_unit : input->file_unit;
    }
    if (!input->mesh_unit) {
        return is_cad ? unit_of_cad(input, mesh, units) : EW_OK;
    }
    EW_TRY(unit_of_file(input, mesh, input->mesh_unit, &input->mesh_factor, &input->mesh_divisor));
    const double length = input->mesh_divisor / input->mesh_factor;
    input->tetgen.max_volume *= length * length * length;
    return EW_OK;
}

void ew_case_convert_mesh(const ew_case *input, ew_mesh *mesh)
{
    if (input->mesh_factor != input->mesh_divisor) {
        ew_mesh_convert_length(mesh, input->mesh_factor, input->mesh_divisor);
    }
}

void ew_case_convert_other(const ew_case *input, const char *file, ew_mesh *mesh)
{
    if (input->file_factor != input->file_divisor && !ew_cad_reads(file)) {
        ew_mesh_convert_length(mesh, input->file_factor, input->file_divisor);
    }
}

void ew_case_convert_surface(const ew_case *input, ew_surface *surface)
{
    for (int32_t i = 0; input->file_factor != input->file_divisor && i < 3 * surface->n_vertex;
         i++) {
        surface->xyz[i] = surface->xyz[i] * input->file_factor / input->file_divisor;
    }
}

/* ---- two cases ------------------------------------------------------------------ */

static bool same_text(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

static bool same_sizes(const ew_cad_def *a, const ew_cad_def *b)
{
    bool same = a->n_size == b->n_size;
    for (int32_t i = 0; same && i < a->n_size; i++) {
        same = !strcmp(a->sizes[i].face, b->sizes[i].face) && a->sizes[i].size == b->sizes[i].size;
    }
    return same;
}

static bool same_cad(const ew_cad_def *a, const ew_cad_def *b)
{
    return a->size == b->size && a->min_size == b->min_size && a->curvature == b->curvature &&
           a->growth == b->growth && a->algorithm == b->algorithm && a->quality == b->quality &&
           a->order == b->order && a->sew == b->sew && a->solids == b->solids &&
           same_text(a->unit, b->unit) && same_sizes(a, b);
}

bool ew_case_same_mesh(const ew_case *a, const ew_case *b)
{
    const ew_tetgen_def *p = &a->tetgen, *q = &b->tetgen;
    return same_text(a->mesh_file, b->mesh_file) && same_text(a->surface_file, b->surface_file) &&
           p->quality == q->quality && p->max_volume == q->max_volume &&
           p->keep_surface == q->keep_surface && a->mesh_factor == b->mesh_factor &&
           a->mesh_divisor == b->mesh_divisor && same_cad(&a->cad, &b->cad);
}
