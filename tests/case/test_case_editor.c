/* Parts of a case that are changed: all else of the text stays byte for byte. */
#include "case/yaml.h"
#include "testlib.h"

#include <stdio.h>
#include <string.h>

static const char before[] = "# a beam, \xc3\xa4\n"
                             "mesh: beam.mesh # of steel\n"
                             "parameters: {force: 12} # N\n"
                             "material: {young: 210e9, # stiff\n"
                             "           poisson: 0.3}\n"
                             "\n"
                             "sets:\n"
                             "  wall: {surface: 1}   # left\n"
                             "  # the other end\n"
                             "  tip: {surface: 2}\n"
                             "\n"
                             "constraints:\n"
                             "- {set: wall, displacement: [0, 0, 0]}\n"
                             "\n"
                             "loads:\n"
                             "  # down\n"
                             "  - {set: tip, total_force: [0, 0, -2 * force]} # varies\n"
                             "  - set: wall\n"
                             "    traction:\n"
                             "      - 1\n"
                             "      - 2\n"
                             "      - 3\n"
                             "  - {gravity: [0, 0, -9.81]}\n"
                             "# the end\n"
                             "steps: [{name: one, static: {}}, {name: two, static: {}}]";

typedef struct edit {
    ew_case_editor *editor;
    ew_case_draft *draft;
    ew_case_entry *root;
} edit;

static ew_status begin(const char *text, edit *e)
{
    EW_TRY(ew_case_editor_open(&e->editor, text, strlen(text)));
    EW_TRY(ew_case_draft_create(&e->draft));
    e->root = ew_case_draft_root(e->draft);
    return EW_OK;
}

static void end(edit *e)
{
    ew_case_editor_free(e->editor);
    ew_case_draft_free(e->draft);
}

static int32_t at(const edit *e, const char *key, int32_t item)
{
    const int32_t list = ew_case_editor_value(e->editor, EW_CASE_EDITOR_ROOT, key);
    return item < 0 ? list : ew_case_editor_item(e->editor, list, item);
}

/* One change of the text, and only that: `old` becomes `now`. */
static void expect(edit *e, const char *text, const char *old, const char *now)
{
    char wanted[2048];
    const char *place = strstr(text, old);
    ew_text made = {0};
    CU_ASSERT_PTR_NOT_NULL_FATAL(place);
    snprintf(wanted, sizeof wanted, "%.*s%s%s", (int)(place - text), text, now,
             place + strlen(old));
    must(ew_case_editor_write(e->editor, &made));
    if (strcmp(made.data, wanted) != 0) {
        printf("\n  made\n%s\n  wanted\n%s\n", made.data, wanted);
    }
    CU_ASSERT_STRING_EQUAL(made.data, wanted);
    CU_ASSERT_EQUAL(made.size, strlen(wanted));
    ew_text_free(&made);
    end(e);
}

static ew_case_entry *vector(ew_case_entry *in, const char *key, double z)
{
    return ew_case_add_numbers(in, key, (const double[]){0, 0.5, z}, 3);
}

static ew_case_entry *new_load(const edit *e)
{
    return ew_case_add_mapping(ew_case_add_list(e->root, "loads"), NULL);
}

static void test_values_are_replaced(void)
{
    edit e;
    must(begin(before, &e));
    must(ew_case_editor_replace(e.editor,
                                ew_case_editor_value(e.editor, at(&e, "loads", 0), "total_force"),
                                vector(new_load(&e), "total_force", -3)));
    expect(&e, before, "[0, 0, -2 * force]", "[0, 0.5, -3]");
    must(begin(before, &e));
    must(ew_case_editor_replace(e.editor,
                                ew_case_editor_value(e.editor, at(&e, "loads", 1), "traction"),
                                vector(new_load(&e), "traction", 1)));
    expect(&e, before, "      - 1\n      - 2\n      - 3\n", "       [0, 0.5, 1]\n");
    must(begin(before, &e));
    must(ew_case_editor_replace(
        e.editor, ew_case_editor_value(e.editor, at(&e, "parameters", -1), "force"),
        ew_case_add_number(ew_case_add_mapping(e.root, "parameters"), "force", 0.1)));
    expect(&e, before, "{force: 12}", "{force: 0.1}");
    CU_ASSERT_EQUAL(begin("a: [\n", &e), EW_BAD_INPUT);
}

static void test_entries_are_added(void)
{
    edit e;
    must(begin(before, &e));
    ew_case_entry *load = new_load(&e);
    ew_case_add_text(load, "set", "it's");
    vector(load, "traction", 1);
    must(ew_case_editor_add(e.editor, at(&e, "loads", -1), load));
    expect(&e, before, "-9.81]}\n", "-9.81]}\n  - {traction: [0, 0.5, 1], set: 'it''s'}\n");
    must(begin(before, &e));
    ew_case_entry *set = ew_case_add_mapping(ew_case_add_mapping(e.root, "sets"), "new");
    ew_case_add_integer(set, "surface", 3);
    must(ew_case_editor_add(e.editor, at(&e, "sets", -1), set));
    expect(&e, before, "{surface: 2}\n", "{surface: 2}\n  new: {surface: 3}\n");
    must(begin(before, &e)); /* into brackets */
    ew_case_entry *step = ew_case_add_mapping(ew_case_add_list(e.root, "steps"), NULL);
    ew_case_add_text(step, "name", "three");
    must(ew_case_editor_add(e.editor, at(&e, "steps", -1), step));
    expect(&e, before, "static: {}}]", "static: {}}, {name: three}]");
    must(begin(before, &e)); /* in the order of the keys */
    must(ew_case_editor_add(e.editor, EW_CASE_EDITOR_ROOT,
                            ew_case_add_text(e.root, "elements", "quadratic")));
    expect(&e, before, "of steel\n", "of steel\nelements: quadratic\n");
    must(begin(before, &e)); /* behind a last line without its end */
    must(ew_case_editor_add(e.editor, EW_CASE_EDITOR_ROOT,
                            ew_case_add_text(e.root, "under_constrained", "error")));
    expect(&e, before, "static: {}}]", "static: {}}]\nunder_constrained: error\n");
    must(begin("loads: []\n", &e));
    must(ew_case_editor_add(e.editor, at(&e, "loads", -1), vector(new_load(&e), "gravity", 1)));
    end(&e);
}

static void test_mappings_are_merged(void)
{
    edit e;
    must(begin(before, &e));
    ew_case_entry *sets = ew_case_add_mapping(e.root, "sets");
    ew_case_add_integer(ew_case_add_mapping(sets, "wall"), "surface", 3);
    ew_case_add_integer(ew_case_add_mapping(sets, "b"), "surface", 4);
    ew_case_add_integer(ew_case_add_mapping(sets, "a"), "surface", 5);
    must(ew_case_editor_merge(e.editor, EW_CASE_EDITOR_ROOT, sets));
    expect(&e, before, "{surface: 1}   # left\n  # the other end\n  tip: {surface: 2}\n",
           "{surface: 3}   # left\n  # the other end\n  tip: {surface: 2}\n  b: {surface: 4}\n  a: "
           "{surface: 5}\n");
    must(begin(before, &e)); /* a key that is not there */
    ew_case_add_text(ew_case_add_mapping(e.root, "output"), "precision", "single");
    must(ew_case_editor_merge(e.editor, EW_CASE_EDITOR_ROOT, ew_case_find_entry(e.root, "output")));
    expect(&e, before, "two, static: {}}]", "two, static: {}}]\noutput: {precision: single}\n");
    static const char nothing[] = "mesh: a\nsets: # none\nloads: []\r\n";
    must(begin(nothing, &e));
    sets = ew_case_add_mapping(e.root, "sets");
    ew_case_add_integer(ew_case_add_mapping(sets, "a"), "surface", 3);
    vector(new_load(&e), "gravity", 1);
    must(ew_case_editor_merge(e.editor, EW_CASE_EDITOR_ROOT, sets));
    must(ew_case_editor_merge(e.editor, EW_CASE_EDITOR_ROOT, ew_case_find_entry(e.root, "loads")));
    expect(&e, nothing, "sets: # none\nloads: []",
           "sets: {a: {surface: 3}} # none\nloads: [{gravity: [0, 0.5, 1]}]");
}

static void test_aliases_are_refused(void)
{
    static const char text[] = "mesh: a\nloads: [&g {gravity: [0, 0, 1]}]\nsteps:\n  - name: one\n"
                               "    loads: [{gravity: [0, 1, 0]}, *g]\n";
    edit e;
    ew_text made = {0};
    must(begin(text, &e));
    const int32_t step = at(&e, "steps", 0);
    CU_ASSERT_EQUAL(ew_case_editor_add(e.editor, ew_case_editor_value(e.editor, step, "loads"),
                                       vector(new_load(&e), "gravity", 1)),
                    EW_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "line 5: an alias"));
    must(ew_case_editor_replace(e.editor, ew_case_editor_value(e.editor, step, "name"),
                                ew_case_add_text(new_load(&e), "set", "two")));
    must(ew_case_editor_write(e.editor, &made));
    CU_ASSERT_PTR_NOT_NULL(strstr(made.data, "name: two"));
    ew_text_free(&made);
    end(&e);
    must(begin("a: {b: 1}\n", &e)); /* the same part twice */
    for (int i = 0; i < 2; i++) {
        const int32_t a = at(&e, "a", -1);
        must(ew_case_editor_replace(e.editor, i ? a : ew_case_editor_value(e.editor, a, "b"),
                                    ew_case_add_text(e.root, "mesh", "two")));
    }
    CU_ASSERT_EQUAL(ew_case_editor_write(e.editor, &made), EW_BAD_ARGUMENT);
    end(&e);
}

static void remove_items(const char *items, const char *old, const char *now)
{
    edit e;
    must(begin(before, &e));
    for (; *items; items++) {
        ew_case_editor_remove(e.editor, at(&e, "loads", *items - '0'));
    }
    expect(&e, before, old, now);
}

static void remove_steps(const char *items, const char *now)
{
    static const char text[] = "mesh: a\nsteps: [ {a: 1} , {b: 2},{c: 3} ] # x\n";
    edit e;
    must(begin(text, &e));
    for (; *items; items++) {
        ew_case_editor_remove(e.editor, at(&e, "steps", *items - '0'));
    }
    expect(&e, text, "[ {a: 1} , {b: 2},{c: 3} ]", now);
}

static void test_entries_are_removed(void)
{
    edit e;
    remove_items("2", "  - {gravity: [0, 0, -9.81]}\n", "");
    remove_items("0", "  - {set: tip, total_force: [0, 0, -2 * force]} # varies\n", "");
    remove_items("1", "  - set: wall\n    traction:\n      - 1\n      - 2\n      - 3\n", "");
    remove_items("12",
                 "  - set: wall\n    traction:\n      - 1\n      - 2\n      - 3\n"
                 "  - {gravity: [0, 0, -9.81]}\n",
                 "");
    remove_items("012",
                 "- {set: tip, total_force: [0, 0, -2 * force]} # varies\n  - set: wall\n"
                 "    traction:\n      - 1\n      - 2\n      - 3\n  - {gravity: [0, 0, -9.81]}",
                 " []");
    remove_steps("0", "[ {b: 2},{c: 3} ]");
    remove_steps("1", "[ {a: 1},{c: 3} ]");
    remove_steps("2", "[ {a: 1} , {b: 2} ]");
    remove_steps("01", "[ {c: 3} ]");
    remove_steps("12", "[ {a: 1} ]");
    remove_steps("02", "[ {b: 2} ]");
    remove_steps("012", "[  ]");
    must(begin(before, &e)); /* all of them, and another one in their place */
    ew_case_entry *load = new_load(&e);
    vector(load, "gravity", 2);
    must(ew_case_editor_add(e.editor, at(&e, "constraints", -1), load));
    ew_case_editor_remove(e.editor, at(&e, "constraints", 0));
    expect(&e, before, "- {set: wall, displacement: [0, 0, 0]}\n", "- {gravity: [0, 0.5, 2]}\n");
}

/* ---- each part of a text ---- */

/* Whether two nodes say the same, but for what has the number `but` in the first document. */
static bool is_same(yaml_document_t *a, int x, yaml_document_t *b, int y, int but)
{
    const yaml_node_t *p = yaml_document_get_node(a, x), *q = yaml_document_get_node(b, y);
    if (p->type != q->type || p->type == YAML_SCALAR_NODE) {
        return p->type == q->type &&
               !strcmp((const char *)p->data.scalar.value, (const char *)q->data.scalar.value);
    }
    if (p->type == YAML_SEQUENCE_NODE) {
        const yaml_node_item_t *at = q->data.sequence.items.start, *i;
        for (i = p->data.sequence.items.start; i < p->data.sequence.items.top; i++) {
            if (*i != but && (at == q->data.sequence.items.top || !is_same(a, *i, b, *at++, but))) {
                return false;
            }
        }
        return at == q->data.sequence.items.top;
    }
    const yaml_node_pair_t *at = q->data.mapping.pairs.start, *i;
    for (i = p->data.mapping.pairs.start; i < p->data.mapping.pairs.top; i++) {
        if (i->value == but) {
            continue;
        }
        if (at == q->data.mapping.pairs.top || !is_same(a, i->key, b, at->key, but) ||
            !is_same(a, i->value, b, at->value, but)) {
            return false;
        }
        at++;
    }
    return at == q->data.mapping.pairs.top;
}

/* Takes a node away: what is left says the same. *n: how many could be taken. */
static void remove_node(const char *text, ew_yaml *yaml, int32_t node, int32_t *n)
{
    ew_case_editor *editor = NULL;
    ew_text made = {0};
    must(ew_case_editor_open(&editor, text, strlen(text)));
    ew_case_editor_remove(editor, node);
    const ew_status status = ew_case_editor_write(editor, &made);
    if (status) { /* not in a line of its own */
        CU_ASSERT_EQUAL(status, EW_BAD_INPUT);
    } else {
        ew_yaml left;
        ew_arena_block *unused = NULL;
        must(ew_yaml_load(&left, made.data, made.size, &unused));
        CU_ASSERT(is_same(&yaml->document, 1, &left.document, 1, node));
        ew_yaml_free(&left);
        (*n)++;
    }
    ew_text_free(&made);
    ew_case_editor_free(editor);
}

static void remove_each(const char *text)
{
    ew_yaml yaml;
    ew_arena_block *unused = NULL;
    int32_t n = 0;
    must(ew_yaml_load(&yaml, text, strlen(text), &unused));
    const yaml_node_t *node = yaml.document.nodes.start;
    for (; node < yaml.document.nodes.top; node++) {
        if (node->type == YAML_SEQUENCE_NODE) {
            const yaml_node_item_t *i = node->data.sequence.items.start;
            for (; i < node->data.sequence.items.top; i++) {
                remove_node(text, &yaml, *i, &n);
            }
        } else if (node->type == YAML_MAPPING_NODE) {
            const yaml_node_pair_t *i = node->data.mapping.pairs.start;
            for (; i < node->data.mapping.pairs.top; i++) {
                remove_node(text, &yaml, i->value, &n);
            }
        }
    }
    CU_ASSERT(n > 30);
    ew_yaml_free(&yaml);
}

/* Whatever the ends of lines are, and with a mark of the byte order. */
static void test_each_part_is_removed(void)
{
    char other[2 * sizeof before] = "\xef\xbb\xbf";
    size_t n = 3;
    for (const char *at = before; *at; at++) {
        if (*at == '\n') {
            other[n++] = '\r';
        }
        other[n++] = *at;
    }
    remove_each(before);
    remove_each(other);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"values_are_replaced", test_values_are_replaced},
        {"entries_are_added", test_entries_are_added},
        {"mappings_are_merged", test_mappings_are_merged},
        {"aliases_are_refused", test_aliases_are_refused},
        {"entries_are_removed", test_entries_are_removed},
        {"each_part_is_removed", test_each_part_is_removed},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"case_editor", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
