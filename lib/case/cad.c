/* `mesh: {file: ...}` of a case: a mesh file, or a CAD file and what is to be made of it. */
#include "case/reader.h"

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

ew_status ew_case_read_mesh_file(ew_case_reader *reader, const yaml_node_t *node)
{
    ew_case *input = reader->out;
    yaml_node_t *file;
    EW_TRY(ew_case_read_keys(&reader->yaml, node, &ew_section_file_mesh, &input->cad));
    file = ew_yaml_find(&reader->yaml, node, "file");
    EW_TRY(ew_yaml_text(&reader->yaml, file, "file", &input->mesh_file));
    const int32_t n_key = (int32_t)(node->data.mapping.pairs.top - node->data.mapping.pairs.start);
    if (n_key > 1 && !ew_cad_reads(input->mesh_file)) {
        return ew_yaml_fail(node,
                            "%s: keys beside 'file' apply to CAD files alone "
                            "(" EW_CAD_ENDINGS ")",
                            input->mesh_file);
    }
    const yaml_node_t *unit = ew_yaml_find(&reader->yaml, node, "unit");
    int32_t choice;
    if (unit) {
        EW_TRY(ew_yaml_choice(unit, "unit", EW_CAD_UNITS, &choice));
        EW_TRY(ew_yaml_text(&reader->yaml, unit, "unit", &input->cad.unit));
    }
    return read_sizes(reader, ew_yaml_find(&reader->yaml, node, "sizes"), &input->cad);
}

ew_status ew_case_unit_of_cad(ew_case_reader *reader, const yaml_node_t *units)
{
    ew_case *input = reader->out;
    if (!input->mesh_file || !ew_cad_reads(input->mesh_file) || input->cad.unit ||
        !*input->length_unit) {
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
           a->order == b->order && a->sew == b->sew && same_text(a->unit, b->unit) &&
           same_sizes(a, b);
}

bool ew_case_same_mesh(const ew_case *a, const ew_case *b)
{
    const ew_tetgen_def *p = &a->tetgen, *q = &b->tetgen;
    return same_text(a->mesh_file, b->mesh_file) && same_text(a->surface_file, b->surface_file) &&
           p->quality == q->quality && p->max_volume == q->max_volume &&
           p->keep_surface == q->keep_surface && same_cad(&a->cad, &b->cad);
}
