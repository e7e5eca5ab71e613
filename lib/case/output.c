/* `output:` of a case: which fields are saved, in which precision, of which steps. */
#include "case/reader.h"

static ew_status read_fields(ew_case_reader *reader, const yaml_node_t *list, ew_case_output *out)
{
    char words[EW_SECTION_KEYS];
    int32_t n = 0;
    ew_key_words(&(ew_case_key){.word_at = ew_field_word}, words);
    EW_TRY(ew_yaml_expect_list(list, "fields", &n));
    out->fields = 0;
    for (int32_t i = 0; i < n; i++) {
        int32_t field;
        EW_TRY(ew_yaml_choice(ew_yaml_item(&reader->yaml, list, i), "fields", words, &field));
        out->fields |= ew_fields_of_word(ew_field_word(field));
    }
    for (int32_t k = 0; ew_field_type_at(k); k++) { /* the frame of fatigue has nothing else */
        out->fields |= (uint64_t)(ew_field_type_at(k)->when == EW_FIELD_OF_FATIGUE) << k;
    }
    return EW_OK;
}

/* One of the formats, or a list of them. */
static ew_status read_surface_formats(ew_case_reader *reader, const yaml_node_t *node,
                                      int32_t *formats)
{
    static const char what[] = "surfaces";
    int32_t n = 1, format;
    const bool is_list = node->type == YAML_SEQUENCE_NODE;
    EW_TRY(is_list ? ew_yaml_expect_list(node, what, &n) : EW_OK);
    for (int32_t i = 0; i < n; i++) {
        const yaml_node_t *item = is_list ? ew_yaml_item(&reader->yaml, node, i) : node;
        EW_TRY(ew_yaml_choice(item, what, EW_SURFACE_FORMATS, &format));
        *formats |= 1 << format;
    }
    return EW_OK;
}

ew_status ew_case_read_output(ew_case_reader *reader, const yaml_node_t *node, ew_case_output *out)
{
    *out = (ew_case_output){.fields = UINT64_MAX, .every = 1};
    if (!node) {
        return EW_OK;
    }
    const yaml_node_t *value;
    int32_t precision = 1;
    EW_TRY(ew_case_read_keys(&reader->yaml, node, &ew_section_output, out));
    if ((value = ew_yaml_find(&reader->yaml, node, "fields"))) {
        EW_TRY(read_fields(reader, value, out));
    }
    if ((value = ew_yaml_find(&reader->yaml, node, "precision"))) {
        EW_TRY(ew_yaml_choice(value, "precision", "single double", &precision));
    }
    if ((value = ew_yaml_find(&reader->yaml, node, "surfaces"))) {
        EW_TRY(read_surface_formats(reader, value, &out->surface_formats));
    }
    out->single = precision == 0;
    return ew_case_read_places(reader, node, out);
}
