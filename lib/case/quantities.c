/* Numbers with a unit behind them, "210 GPa", alone or in expressions. In: a document, the tables
 * of keys, which say the unit of each, and the units that the case names. Out: every such number
 * where a key takes one with a unit carries its value in the units of the case (yaml_values.c), and
 * every expression that has such numbers has them in these units; another unit than that of the key
 * is refused. Other texts are left as they are: a name may be "3 mm". */
#include "case/reader.h"

#include "operation/parts/operation.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct conversion {
    ew_case_reader *reader;
    ew_case_system system;
    bool is_known[3];                    /* that the case names a unit of length, force, time */
    const yaml_node_t *parameters;       /* of the case, or null */
    char names[EW_EXPRESSION_NAMES + 8]; /* that expressions may have: these, and the place */
    int64_t depth, n_visit, max_visit;
} conversion;

/* Of values in values, which aliases could otherwise make endless. */
enum { MAX_DEPTH = 100, VISITS_OF_NODE = 64 };

static const char *scalar(const yaml_node_t *node)
{
    return node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : NULL;
}

/* ---- one number ------------------------------------------------------------------------------ */

static bool is_parameter(const conversion *c, const char *name, size_t length)
{
    char text[EW_UNIT_SPELLED];
    snprintf(text, sizeof text, "%.*s", (int)length, name);
    return c->parameters && ew_yaml_find(&c->reader->yaml, c->parameters, text);
}

/* "12e-6/K" is a quotient where the case has a parameter K. */
static bool is_quotient(const conversion *c, const char *unit)
{
    const char *name = unit + 1 + strspn(unit + 1, " ");
    return *unit == '/' && is_parameter(c, name, strcspn(name, "/*^ "));
}

static ew_status fail_unit(const yaml_node_t *node, const char *what, const char *unit,
                           const char *key_unit, const ew_unit *like)
{
    char names[EW_UNIT_NAMES];
    ew_unit_names(like, names);
    return ew_yaml_fail(node,
                        "%s: '%.40s' is no unit that is known%s%s; 'edgewise help units' lists "
                        "all",
                        what, unit, *names ? ", of this key for example " : ", for this key of ",
                        *names ? names : key_unit);
}

/* Whether the case names what a unit is converted to. */
static ew_status need_system(const conversion *c, const yaml_node_t *node, const char *what,
                             const ew_unit *unit)
{
    static const char *const words[] = {"length", "force", "time"};
    for (int k = 0; k < 3; k++) {
        if (unit->of[k] && !c->is_known[k]) {
            const ew_case *input = c->reader->out;
            const char *given[] = {input->length_unit, input->force_unit, input->time_unit};
            return *given[k]
                       ? ew_yaml_fail(
                             node,
                             "%s: '%.60s' cannot be converted, the %s unit '%.20s' of the "
                             "case is not known; 'edgewise help units' lists those that are",
                             what, scalar(node), words[k], given[k])
                       : ew_yaml_fail(node,
                                      "%s: '%.60s' is converted to the units of the case, which "
                                      "names none of %s; write, for example, 'units: {length: mm, "
                                      "force: N}'",
                                      what, scalar(node), words[k]);
        }
    }
    return EW_OK;
}

/* The unit of the case that has the dimension of a number which goes anywhere. */
static void unit_of_case(const conversion *c, const ew_unit *unit, ew_unit *out)
{
    *out = ew_no_unit();
    for (int k = 0; k < 3; k++) {
        ew_unit_multiply(out, &c->system.unit[k], unit->of[k]);
    }
    memcpy(out->of, unit->of, sizeof out->of);
}

static ew_status refuse_angle(const yaml_node_t *node, const char *what)
{
    return ew_yaml_fail(node,
                        "%s: '%.60s' may be used in degrees or in radians; write a plain number, "
                        "in the unit of the key that takes it",
                        what, scalar(node));
}

static ew_status refuse_dimension(const yaml_node_t *node, const char *what, const char *key_unit,
                                  const ew_unit *of)
{
    char names[EW_UNIT_NAMES];
    ew_unit_names(of, names);
    return ew_yaml_fail(node, "%s: '%.60s' has another unit than %s%s%s%s", what, scalar(node),
                        key_unit, *names ? " (" : "", names, *names ? ")" : "");
}

/* ---- expressions ------------------------------------------------------------------------------
 */

static bool is_letter(char letter)
{
    return isalpha((unsigned char)letter) || (unsigned char)letter >= 0x80;
}

/* Where the unit ends that begins at `at`, null: none does. "5 mm * k": behind "*" and "/" a name
 * of a parameter is none of a unit, nor is that of a function. */
static const char *end_of_unit(const conversion *c, const char *at, ew_unit *unit)
{
    const char *end = NULL;
    for (const char *next = at;; next = end) {
        char text[EW_UNIT_SPELLED];
        const char *name = next + strspn(next, " ");
        const bool joins = *name == '/' || (end && *name == '*');
        name += joins ? 1 + strspn(name + 1, " ") : 0;
        const char *stop = name;
        while (is_letter(*stop)) {
            stop++;
        }
        if (stop == name || (joins && is_parameter(c, name, (size_t)(stop - name)))) {
            return end;
        }
        const char *power = stop + (*stop == '^') + (stop[0] == '^' && stop[1] == '-');
        stop = power > stop && isdigit((unsigned char)*power) ? power + 1 : stop;
        snprintf(text, sizeof text, "%.*s", (int)(stop - at), at);
        if (isalnum((unsigned char)*stop) || strchr("_(.", *stop ? *stop : ' ') ||
            !ew_unit_read(NULL, text, unit)) {
            return end;
        }
        end = stop;
    }
}

/* The unit that a number in an expression is converted to: that of its key where it has the
 * dimension, else that of the case. */
static ew_status find_target(const conversion *c, const yaml_node_t *node, const char *what,
                             const ew_unit *unit, const ew_unit *of, ew_unit *to)
{
    *to = *of;
    if (!ew_unit_same_dimension(unit, of)) {
        unit_of_case(c, unit, to);
        if (unit->of[4] && !unit->of[2]) {
            return refuse_angle(node, what);
        }
    }
    return need_system(c, node, what, unit);
}

/* "1m+" may become 26 characters. */
enum { NOTHING_SCALED = -1, REWRITTEN = 10 * EW_EXPRESSION_LENGTH };

/* The expression with each number that has a unit in parentheses, without it. scaled: the dimension
 * whose unit is half as large. *n: how many such numbers; none: `to` is not complete. */
static ew_status rewrite(const conversion *c, const yaml_node_t *node, const char *what,
                         const ew_unit *of, int scaled, char to[REWRITTEN], int32_t *n)
{
    size_t length = 0;
    *n = 0;
    for (const char *at = scalar(node), *next; *at; at = next) {
        const bool is_number = isdigit((unsigned char)*at) || *at == '.';
        char *end = (char *)at;
        ew_unit unit, target;
        next = at + 1;
        if (is_number) {
            (void)strtod(at, &end);
            next = end > at ? end : next;
        } else if (is_letter(*at) || *at == '_') {
            while (is_letter(*next) || *next == '_' || isdigit((unsigned char)*next)) {
                next++;
            }
        }
        const char *stop = is_number ? end_of_unit(c, next + strspn(next, " "), &unit) : NULL;
        if (!stop) {
            length += (size_t)sprintf(to + length, "%.*s", (int)(next - at), at);
            continue;
        }
        char number[EW_QUANTITY_TEXT];
        EW_TRY(find_target(c, node, what, &unit, of, &target));
        ew_quantity_text(at, next, &unit, &target, number);
        const double factor = scaled >= 0 ? ldexp(1.0, unit.of[scaled]) : 1.0;
        length += (size_t)sprintf(to + length, "(%.17g)", factor * strtod(number, NULL));
        next = stop;
        ++*n;
    }
    return EW_OK;
}

/* Of an expression without names whether it has the dimension of the key: it goes with each unit as
 * the key's does. */
static ew_status check_dimension(const conversion *c, const yaml_node_t *node, const char *what,
                                 const char *key_unit, const ew_unit *of, const char *text)
{
    ew_expression made;
    double value, other;
    if (ew_expression_read(&made, text, "") || ew_expression_value(&made, NULL, &value)) {
        return EW_OK;
    }
    for (int k = 0; k < 4; k++) {
        char scaled[REWRITTEN];
        int32_t n;
        EW_TRY(rewrite(c, node, what, of, k, scaled, &n));
        if (ew_expression_read(&made, scaled, "") || ew_expression_value(&made, NULL, &other) ||
            fabs(other - ldexp(value, of->of[k])) > 1e-9 * fabs(other)) {
            return refuse_dimension(node, what, key_unit, of);
        }
    }
    return EW_OK;
}

/* *found: it is one that has numbers with units, which are converted now. */
static ew_status convert_expression(const conversion *c, yaml_node_t *node, const char *what,
                                    const char *key_unit, const ew_unit *of, bool *found)
{
    char text[REWRITTEN];
    ew_expression made;
    int32_t n = 0;
    *found = false;
    if (strlen(scalar(node)) > EW_EXPRESSION_LENGTH) {
        return EW_OK;
    }
    EW_TRY(rewrite(c, node, what, of, NOTHING_SCALED, text, &n));
    if (!n || strlen(text) > EW_EXPRESSION_LENGTH || ew_expression_read(&made, text, c->names)) {
        return EW_OK;
    }
    *found = true;
    EW_TRY(strcmp(key_unit, EW_ANY_UNIT) ? check_dimension(c, node, what, key_unit, of, text)
                                         : EW_OK);
    return ew_yaml_set_text(node, text);
}

/* ---- values of keys ---------------------------------------------------------------------------
 */

static ew_status convert_number(const conversion *c, yaml_node_t *node, const char *what,
                                const char *key_unit)
{
    const char *text = scalar(node), *end;
    const char *unit_text = ew_quantity_unit(text, &end);
    const bool any = !strcmp(key_unit, EW_ANY_UNIT);
    char number[EW_QUANTITY_TEXT];
    ew_unit unit, of = ew_no_unit();
    const bool has_unit = unit_text && !is_quotient(c, unit_text);
    const bool known = has_unit && ew_unit_read(NULL, unit_text, &unit);
    EW_ASSERT(any || ew_unit_read(&c->system, key_unit, &of));
    if (!any) {
        (void)ew_unit_read(&c->system, key_unit, &of);
    }
    if (!known) {
        bool found;
        EW_TRY(convert_expression(c, node, what, key_unit, &of, &found));
        return found || !has_unit ? EW_OK : fail_unit(node, what, unit_text, key_unit, &of);
    }
    if (any) {
        unit_of_case(c, &unit, &of);
    } else if (!ew_unit_same_dimension(&unit, &of)) {
        return refuse_dimension(node, what, key_unit, &of);
    }
    if (any && unit.of[4] && !unit.of[2]) {
        return refuse_angle(node, what);
    }
    EW_TRY(need_system(c, node, what, &unit));
    ew_quantity_text(text, end, &unit, &of, number);
    const char *before = ew_yaml_quantity(node);
    if (before && strcmp(before, number)) {
        return ew_yaml_fail(node,
                            "%s: '%.60s' stands for keys of different units; write it once for "
                            "each",
                            what, text);
    }
    return before ? EW_OK : ew_yaml_set_quantity(node, number);
}

/* ---- the document ---------------------------------------------------------------------------- */

static ew_status convert_section(conversion *c, const yaml_node_t *node,
                                 const ew_case_section *section);
static ew_status convert_edit(conversion *c, const yaml_node_t *node);

/* The part of "time, 1" that the i-th number of a row has. */
static const char *unit_of_column(const char *unit, int32_t i, char part[EW_UNIT_SPELLED])
{
    for (; i > 0 && strchr(unit, ','); i--) {
        unit = strchr(unit, ',') + 1;
    }
    unit += strspn(unit, " ");
    snprintf(part, EW_UNIT_SPELLED, "%.*s", (int)strcspn(unit, ","), unit);
    return part;
}

static ew_status convert_value(conversion *c, yaml_node_t *node, const ew_case_key *key,
                               uint32_t forms, const char *unit);

static ew_status convert_list(conversion *c, const yaml_node_t *node, const ew_case_key *key,
                              const char *unit)
{
    char part[EW_UNIT_SPELLED];
    int32_t n;
    EW_TRY(ew_yaml_expect_list(node, key->name, &n));
    for (int32_t i = 0; i < n; i++) {
        yaml_node_t *item = ew_yaml_item(&c->reader->yaml, node, i);
        const bool is_of_row = unit && item->type == YAML_SCALAR_NODE;
        EW_TRY(convert_value(c, item, key, key->item,
                             is_of_row ? unit_of_column(unit, i, part) : unit));
    }
    return EW_OK;
}

static ew_status convert_names(conversion *c, const yaml_node_t *node, const ew_case_key *key,
                               const char *unit)
{
    const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
    for (; pair < node->data.mapping.pairs.top; pair++) {
        yaml_node_t *value = yaml_document_get_node(&c->reader->yaml.document, pair->value);
        EW_TRY(convert_value(c, value, key, key->item, unit));
    }
    return EW_OK;
}

static ew_status convert_forms(conversion *c, const yaml_node_t *node, const ew_case_key *key,
                               uint32_t forms, const char *unit)
{
    if (node->type == YAML_SEQUENCE_NODE) {
        return convert_list(c, node, key, unit);
    }
    if (forms & EW_KEY_EDIT) {
        return convert_edit(c, node);
    }
    if (forms & EW_KEY_SET) {
        EW_TRY(convert_section(c, node, &ew_section_set));
    }
    if (forms & (EW_KEY_NAMES | EW_KEY_VALUES)) {
        return convert_names(c, node, key, unit);
    }
    EW_TRY(key->of ? convert_section(c, node, key->of) : EW_OK);
    return key->or_of ? convert_section(c, node, key->or_of) : EW_OK;
}

/* A key's value, or what is in it: numbers in lists, mappings with keys of their own, names. */
static ew_status convert_value(conversion *c, yaml_node_t *node, const ew_case_key *key,
                               uint32_t forms, const char *unit)
{
    if (node->type == YAML_SCALAR_NODE) {
        return unit && strcmp(unit, "1")
                   ? convert_number(c, node, key->what ? key->what : key->name, unit)
                   : EW_OK;
    }
    if (c->depth == MAX_DEPTH || ++c->n_visit > c->max_visit) {
        return ew_yaml_fail(node,
                            "%s: the value contains itself, or far too many others by its "
                            "aliases (*); write it out",
                            key->name);
    }
    c->depth++;
    const ew_status status = convert_forms(c, node, key, forms, unit);
    c->depth--;
    return status;
}

static ew_status convert_key(conversion *c, const yaml_node_t *node, const ew_case_key *key)
{
    yaml_node_t *value = ew_yaml_find(&c->reader->yaml, node, key->name);
    return value ? convert_value(c, value, key, key->kind, key->unit) : EW_OK;
}

static ew_status convert_law(conversion *c, const yaml_node_t *node, const ew_law *law)
{
    static const ew_case_key table = {.name = "table", .unit = "force/length^2, 1"};
    for (int32_t k = 0; k < law->n_value; k++) {
        const ew_law_value *value = &law->value[k];
        const ew_case_key key = {.name = value->name,
                                 .unit = value->is_stress ? "force/length^2"
                                         : value->is_rate ? "1/time"
                                                          : NULL};
        EW_TRY(convert_key(c, node, &key));
    }
    return law->has_table ? convert_key(c, node, &table) : EW_OK;
}

static ew_status convert_section(conversion *c, const yaml_node_t *node,
                                 const ew_case_section *section)
{
    const ew_law *law;
    if (node->type != YAML_MAPPING_NODE) {
        return EW_OK;
    }
    for (int32_t i = 0; i < section->n_key; i++) {
        EW_TRY(convert_key(c, node, &section->key[i]));
    }
    for (int32_t i = 0; section->has_laws && (law = ew_law_at(i)); i++) {
        const yaml_node_t *value = ew_yaml_find(&c->reader->yaml, node, law->name);
        EW_TRY(value ? convert_law(c, value, law) : EW_OK);
    }
    return EW_OK;
}

/* Values of an operation, by its descriptor. */
static ew_status convert_operation(conversion *c, const yaml_node_t *node,
                                   const ew_operation *operation)
{
    for (int32_t i = 0; i < operation->n_parameter; i++) {
        const ew_parameter *p = &operation->parameter[i];
        const bool is_place = p->kind == EW_PARAMETER_LENGTH || p->kind == EW_PARAMETER_VECTOR ||
                              p->kind == EW_PARAMETER_PLACE || p->kind == EW_PARAMETER_NUMBERS;
        const ew_case_key key = {.name = p->key,
                                 .kind =
                                     p->kind == EW_PARAMETER_NUMBERS ? EW_KEY_NAMES : EW_KEY_SET,
                                 .item = EW_KEY_SET,
                                 .unit = is_place ? "length" : p->unit};
        const yaml_node_t *value = ew_yaml_find(&c->reader->yaml, node, p->key);
        if (p->kind == EW_PARAMETER_TETS) {
            EW_TRY(convert_section(c, node, &ew_section_set));
        } else if (p->kind == EW_PARAMETER_PARTS && value && value->type == YAML_SEQUENCE_NODE) {
            int32_t n;
            EW_TRY(ew_yaml_expect_list(value, p->key, &n));
            for (int32_t k = 0; k < n; k++) {
                EW_TRY(
                    convert_operation(c, ew_yaml_item(&c->reader->yaml, value, k), &ew_part_form));
            }
        } else {
            EW_TRY(convert_key(c, node, &key));
        }
    }
    return EW_OK;
}

/* The name of an operation with its values, and in motion its time. */
static ew_status convert_edit(conversion *c, const yaml_node_t *node)
{
    for (int32_t i = 0; ew_operation_at(i); i++) {
        const ew_operation *operation = ew_operation_at(i);
        const yaml_node_t *value = ew_yaml_find(&c->reader->yaml, node, operation->name);
        EW_TRY(value ? convert_operation(c, value, operation) : EW_OK);
    }
    return convert_section(c, node, &ew_section_timed);
}

static void take_names(conversion *c)
{
    const yaml_node_t *of = c->parameters;
    strcpy(c->names, "x y z");
    if (!of || of->type != YAML_MAPPING_NODE) {
        return;
    }
    for (const yaml_node_pair_t *pair = of->data.mapping.pairs.start;
         pair < of->data.mapping.pairs.top; pair++) {
        const char *name = scalar(yaml_document_get_node(&c->reader->yaml.document, pair->key));
        const size_t had = strlen(c->names);
        if (name && had + strlen(name) + 2 < sizeof c->names) {
            snprintf(c->names + had, sizeof c->names - had, " %s", name);
        }
    }
}

ew_status ew_case_convert_quantities(ew_case_reader *reader)
{
    ew_yaml *yaml = &reader->yaml;
    ew_case *input = reader->out;
    const yaml_node_t *root = yaml_document_get_root_node(&yaml->document);
    const yaml_node_t *units = ew_yaml_find(yaml, root, "units");
    conversion c = {.reader = reader, .parameters = ew_yaml_find(yaml, root, "parameters")};
    take_names(&c);
    c.max_visit =
        1000 + VISITS_OF_NODE * (int64_t)(yaml->document.nodes.top - yaml->document.nodes.start);
    EW_TRY(units ? ew_case_read_keys(yaml, units, &ew_section_units, input) : EW_OK);
    c.is_known[0] = ew_case_unit_named(input->length_unit, 0, &c.system.unit[0]);
    c.is_known[1] = ew_case_unit_named(input->force_unit, 1, &c.system.unit[1]);
    c.is_known[2] =
        ew_case_unit_named(*input->time_unit ? input->time_unit : "s", 2, &c.system.unit[2]);
    return convert_section(&c, root, &ew_case_root);
}
