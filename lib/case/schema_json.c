/* The tables of keys as a JSON Schema, by which editors complete and check a case. In: the tables.
 * Out: JSON. */
#include "case/schema_keys.h"

#include <string.h>

typedef struct json {
    ew_case_put put;
    void *user;
} json;

static void put_text(const json *to, const char *text)
{
    to->put(to->user, text);
}

/* In quotes, without what may not stand in them. */
static void put_string(const json *to, const char *text)
{
    char piece[2] = "";
    put_text(to, "\"");
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') {
            put_text(to, "\\");
        }
        *piece = *text;
        put_text(to, piece);
    }
    put_text(to, "\"");
}

static void put_name(const json *to, bool is_first, const char *name)
{
    put_text(to, is_first ? "\n" : ",\n");
    put_string(to, name);
    put_text(to, ":");
}

/* Words as a list of texts. */
static void put_words(const json *to, const char *words)
{
    put_text(to, "[");
    for (bool is_first = true; *words; is_first = false) {
        char word[64];
        const size_t n = strcspn(words, " ");
        snprintf(word, sizeof word, "%.*s", (int)n, words);
        put_text(to, is_first ? "" : ",");
        put_string(to, word);
        words += n + strspn(words + n, " ");
    }
    put_text(to, "]");
}

static void put_limit(const json *to, const char *name, double value)
{
    char text[80];
    snprintf(text, sizeof text, ",\"%s\":%.17g", name, value);
    put_text(to, text);
}

/* A number may be an expression, a text. */
static void put_number(const json *to, const ew_case_key *key, const char *type)
{
    put_text(to, "\"type\":[");
    put_string(to, type);
    put_text(to, ",\"string\"]");
    if (key->high > key->low) {
        put_limit(to, key->above ? "exclusiveMinimum" : "minimum", key->low);
        if (isfinite(key->high)) {
            put_limit(to, "maximum", key->high);
        }
    }
}

#define NUMBER_ITEM "\"type\":[\"number\",\"string\"]"
#define TRIPLE(item)                                                                               \
    "\"type\":\"array\",\"minItems\":3,\"maxItems\":3,\"items\":{\"type\":[" item "]}"
#define VECTOR TRIPLE("\"number\",\"string\"")

static void put_section(const json *to, const ew_case_section *section);
static void put_forms(const json *to, const ew_case_key *key, uint32_t forms);

/* Members of the object that describes a value of this form. */
static void put_form(const json *to, const ew_case_key *key, uint32_t form)
{
    char words[EW_SECTION_KEYS];
    switch (form) {
    case EW_KEY_NUMBER:
    case EW_KEY_SHARE:
        put_number(to, key, "number");
        break;
    case EW_KEY_INTEGER:
        put_number(to, key, "integer");
        break;
    case EW_KEY_CHOICE:
        ew_key_words(key, words);
        put_text(to, "\"enum\":");
        put_words(to, words);
        break;
    case EW_KEY_MAPPING:
        put_section(to, key->of);
        break;
    case EW_KEY_LIST:
        put_text(to, "\"type\":\"array\",\"items\":{");
        put_forms(to, key, key->item);
        put_text(to, "}");
        break;
    case EW_KEY_NAMES:
        put_text(to, "\"type\":\"object\",\"additionalProperties\":{");
        put_forms(to, key, key->item);
        put_text(to, "}");
        break;
    case EW_KEY_EDIT: /* with keys of `of` beside the operation */
        put_text(to, key->of ? "\"$ref\":\"#/$defs/timed_edit\"" : "\"$ref\":\"#/$defs/edit\"");
        break;
    default: {
        const char *text =
            form == EW_KEY_TRUTH        ? "\"type\":\"boolean\""
            : form == EW_KEY_TEXT       ? "\"type\":[\"string\",\"number\"]"
            : form == EW_KEY_VECTOR     ? VECTOR
            : form == EW_KEY_COMPONENTS ? TRIPLE("\"number\",\"string\",\"null\"")
            : form == EW_KEY_AXIS       ? "\"anyOf\":[{\"enum\":[\"x\",\"y\",\"z\"]},{" VECTOR "}]"
            : form == EW_KEY_NUMBERS    ? "\"type\":\"array\",\"items\":{" NUMBER_ITEM "}"
            : form == EW_KEY_VALUES ? "\"type\":\"object\",\"additionalProperties\":{" NUMBER_ITEM
                                      "}"
            : form == EW_KEY_SET   ? "\"$ref\":\"#/$defs/set\""
            : form == EW_KEY_LABEL ? "\"type\":[\"integer\",\"string\"]"
                                   : "\"type\":\"null\"";
        put_text(to, text);
    }
    }
}

/* One form as it is, several as alternatives. */
static void put_forms(const json *to, const ew_case_key *key, uint32_t forms)
{
    if ((forms & (forms - 1)) == 0 && !(forms == EW_KEY_MAPPING && key->or_of)) {
        put_form(to, key, forms);
        return;
    }
    bool is_first = true;
    put_text(to, "\"anyOf\":[");
    for (uint32_t form = 1; form <= EW_KEY_EDIT; form <<= 1) {
        if (forms & form) {
            put_text(to, is_first ? "{" : ",{");
            put_form(to, key, form);
            put_text(to, "}");
            is_first = false;
        }
    }
    if ((forms & EW_KEY_MAPPING) && key->or_of) {
        put_text(to, ",{");
        put_section(to, key->or_of);
        put_text(to, "}");
    }
    put_text(to, "]");
}

static void put_key(const json *to, bool is_first, const ew_case_key *key)
{
    char text[400];
    snprintf(text, sizeof text, "%s%s%s%s%s", key->help ? key->help : "",
             key->unit ? "; unit: " : "", key->unit ? key->unit : "",
             key->preset ? "; default: " : "", key->preset ? key->preset : "");
    put_name(to, is_first, key->name);
    put_text(to, "{\"description\":");
    put_string(to, text);
    put_text(to, ",");
    put_forms(to, key, key->kind);
    put_text(to, "}");
}

/* The keys of a law at a point, by its descriptor. */
static void put_law(const json *to, const ew_law *law)
{
    put_name(to, false, law->name);
    put_text(to, "{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{");
    for (int32_t k = 0; k < law->n_value; k++) {
        const ew_law_value *value = &law->value[k];
        put_key(to, k == 0,
                &(ew_case_key){.name = value->name,
                               .kind = value->is_truth ? EW_KEY_TRUTH : EW_KEY_NUMBER,
                               FROM(value->low),
                               .above = value->above,
                               .help = law->name});
    }
    if (law->has_table) {
        put_key(to, law->n_value == 0,
                &(ew_case_key){.name = "table",
                               .kind = EW_KEY_LIST,
                               .item = EW_KEY_NUMBERS,
                               .help = "list of [yield stress, plastic strain]"});
    }
    put_text(to, "}}");
}

static void put_required(const json *to, const ew_case_section *section)
{
    char words[EW_SECTION_KEYS] = "";
    for (int32_t i = 0; i < section->n_key; i++) {
        if (section->key[i].is_required) {
            strcat(strcat(words, *words ? " " : ""), section->key[i].name);
        }
    }
    if (*words) {
        put_text(to, ",\"required\":");
        put_words(to, words);
    }
}

static void put_section(const json *to, const ew_case_section *section)
{
    const ew_law *law;
    put_text(to, "\"type\":\"object\",\"additionalProperties\":false,\"properties\":{");
    for (int32_t i = 0; i < section->n_key; i++) {
        put_key(to, i == 0, &section->key[i]);
    }
    for (int32_t i = 0; section->has_laws && (law = ew_law_at(i)); i++) {
        if (law != &ew_law_elastic) {
            put_law(to, law);
        }
    }
    put_text(to, "}");
    put_required(to, section);
}

/* ---- operations ---------------------------------------------------------------------------- */

static ew_case_key key_of(const ew_parameter *p)
{
    static const uint32_t kind[] = {
        [EW_PARAMETER_NUMBER] = EW_KEY_NUMBER,
        [EW_PARAMETER_LENGTH] = EW_KEY_NUMBER,
        [EW_PARAMETER_VECTOR] = EW_KEY_VECTOR,
        [EW_PARAMETER_FACTOR] = EW_KEY_NUMBER | EW_KEY_VECTOR,
        [EW_PARAMETER_AXIS] = EW_KEY_AXIS,
        [EW_PARAMETER_PLACE] = EW_KEY_CHOICE | EW_KEY_VECTOR,
        [EW_PARAMETER_COUNT] = EW_KEY_INTEGER,
        [EW_PARAMETER_SEED] = EW_KEY_INTEGER,
        [EW_PARAMETER_REGION] = EW_KEY_INTEGER,
        [EW_PARAMETER_CHOICE] = EW_KEY_CHOICE,
        [EW_PARAMETER_FLAG] = EW_KEY_TRUTH,
        [EW_PARAMETER_VERTICES] = EW_KEY_SET,
        [EW_PARAMETER_PROTECTED] = EW_KEY_SET | EW_KEY_LIST,
        [EW_PARAMETER_MESH] = EW_KEY_TEXT,
        [EW_PARAMETER_TABLE] = EW_KEY_TEXT,
        [EW_PARAMETER_SURFACE] = EW_KEY_TEXT,
        [EW_PARAMETER_NAME] = EW_KEY_TEXT,
    };
    return (ew_case_key){.name = p->key,
                         .kind = p->percent ? EW_KEY_SHARE : kind[p->kind],
                         .item = EW_KEY_SET,
                         .words = p->words,
                         .low = p->low,
                         .high = p->kind == EW_PARAMETER_LENGTH ? INFINITY : p->high,
                         .above = p->above,
                         .preset = p->preset,
                         .help = p->help};
}

/* Keys of a mapping, each with a number, three, or a direction. */
static void put_numbers(const json *to, bool is_first, const ew_parameter *p)
{
    put_name(to, is_first, p->key);
    put_text(to, "{\"type\":\"object\",\"additionalProperties\":false,\"required\":");
    put_words(to, p->words);
    put_text(to, ",\"properties\":{");
    for (const char *word = p->words; *word;) {
        char name[32];
        const size_t n = strcspn(word, " ");
        snprintf(name, sizeof name, "%.*s", (int)n, word);
        put_key(to, word == p->words,
                &(ew_case_key){.name = name,
                               .kind = !strcmp(name, "normal")         ? EW_KEY_AXIS
                                       : ew_parameter_width(word) == 1 ? EW_KEY_NUMBER
                                                                       : EW_KEY_VECTOR});
        word += n + strspn(word + n, " ");
    }
    put_text(to, "}}");
}

static void put_operation(const json *to, const ew_operation *operation);

/* Tets are selected by keys of set expressions. */
static void put_parameter(const json *to, bool is_first, const ew_parameter *p)
{
    if (p->kind == EW_PARAMETER_NUMBERS) {
        put_numbers(to, is_first, p);
    } else if (p->kind == EW_PARAMETER_PARTS) {
        put_name(to, is_first, p->key);
        put_text(to, "{\"type\":\"array\",\"items\":{");
        put_operation(to, &ew_part_form);
        put_text(to, "}}");
    } else if (p->kind == EW_PARAMETER_TETS) {
        for (int32_t i = 0; i < ew_section_set.n_key; i++) {
            const ew_case_key *key = &ew_section_set.key[i];
            char name[32], words[EW_SECTION_KEYS];
            snprintf(name, sizeof name, " %s ", key->name);
            snprintf(words, sizeof words, " %s ", p->words);
            if (strstr(words, name)) {
                put_key(to, is_first, key);
                is_first = false;
            }
        }
    } else {
        const ew_case_key key = key_of(p);
        put_key(to, is_first, &key);
    }
}

static void put_operation(const json *to, const ew_operation *operation)
{
    put_text(to, "\"description\":");
    put_string(to, operation->summary);
    put_text(to, ",\"type\":[\"object\",\"null\"],\"additionalProperties\":false,\"properties\":{");
    for (int32_t i = 0; i < operation->n_parameter; i++) {
        put_parameter(to, i == 0, &operation->parameter[i]);
    }
    put_text(to, "}");
}

/* An edit has the name of one operation as its key; during a run also a time. */
static void put_edit(const json *to, const char *name, const ew_case_section *beside)
{
    put_name(to, false, name);
    put_text(to, "{\"type\":\"object\",\"additionalProperties\":false,");
    put_text(to, beside ? "\"minProperties\":2,\"maxProperties\":2"
                        : "\"minProperties\":1,\"maxProperties\":1");
    put_text(to, ",\"properties\":{");
    for (int32_t i = 0; ew_operation_at(i); i++) {
        put_name(to, i == 0, ew_operation_at(i)->name);
        put_text(to, "{");
        put_operation(to, ew_operation_at(i));
        put_text(to, "}");
    }
    for (int32_t i = 0; beside && i < beside->n_key; i++) {
        put_key(to, false, &beside->key[i]);
    }
    if (!beside) {
        put_name(to, false, ew_enrich_edit.name);
        put_text(to, "{");
        put_section(to, &ew_section_enrich);
        put_text(to, "}");
    }
    put_text(to, "}}");
}

void ew_case_put_json_schema(ew_case_put put, void *user)
{
    const json to = {put, user};
    put_text(&to, "{\"$schema\":\"http://json-schema.org/draft-07/schema#\","
                  "\"title\":\"Edgewise case\",");
    put_section(&to, &ew_case_root);
    put_text(&to, ",\"$defs\":{");
    put_name(&to, true, "set");
    put_text(&to, "{\"anyOf\":[{\"type\":[\"string\",\"number\"]},{");
    put_section(&to, &ew_section_set);
    put_text(&to, "}]}");
    put_edit(&to, "edit", NULL);
    put_edit(&to, "timed_edit", &ew_section_timed);
    put_text(&to, "}}\n");
}
