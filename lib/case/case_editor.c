/* A case that is there, changed in part. In: its text, and values in place of some, or new ones.
 * Out: the text with these changes; all else stays as it is, byte for byte: comments, order, blank
 * lines, expressions. Where each value stands libyaml says, in characters of the text. */
#include "case/draft.h"

#include <stdlib.h>
#include <string.h>

/* Text [begin, end) in bytes that another one replaces. */
typedef struct change {
    size_t begin, end;
    char *text;    /* in the arena */
    int32_t order; /* of the call */
} change;

struct ew_case_editor {
    ew_yaml yaml;
    ew_arena_block *arena;
    const char *data; /* borrowed */
    size_t size;
    size_t *byte; /* [characters + 1] owned: where each character begins */
    size_t n_character;
    int32_t n_change, capacity;
    change *change;    /* owned */
    bool *is_removed;  /* [nodes + 1] owned: a child of its parent that is taken away */
    int32_t n_removed; /* nodes that are */
};

/* ---- places ---------------------------------------------------------------------------------- */

static ew_status find_bytes(ew_case_editor *e)
{
    const bool has_mark = e->size >= 3 && !memcmp(e->data, "\xef\xbb\xbf", 3);
    if (e->size >= 2 && (!memcmp(e->data, "\xff\xfe", 2) || !memcmp(e->data, "\xfe\xff", 2))) {
        return ew_fail(EW_BAD_INPUT, "the case is UTF-16; save it as UTF-8 to change parts of it");
    }
    EW_TRY(ew_new(&e->byte, e->size + 1, sizeof *e->byte));
    for (size_t i = has_mark ? 3 : 0; i < e->size; i++) {
        if (((unsigned char)e->data[i] & 0xc0) != 0x80) {
            e->byte[e->n_character++] = i;
        }
    }
    e->byte[e->n_character] = e->size;
    return EW_OK;
}

static yaml_node_t *node_of(const ew_case_editor *e, int32_t node)
{
    return yaml_document_get_node((yaml_document_t *)&e->yaml.document, node);
}

static size_t byte_of(const ew_case_editor *e, const yaml_mark_t *mark)
{
    return e->byte[mark->index < e->n_character ? mark->index : e->n_character];
}

static bool is_flow(const yaml_node_t *node)
{
    return node->type == YAML_SEQUENCE_NODE
               ? node->data.sequence.style == YAML_FLOW_SEQUENCE_STYLE
               : node->type == YAML_MAPPING_NODE &&
                     node->data.mapping.style == YAML_FLOW_MAPPING_STYLE;
}

static int32_t n_child(const yaml_node_t *node)
{
    return (int32_t)(node->type == YAML_SEQUENCE_NODE
                         ? node->data.sequence.items.top - node->data.sequence.items.start
                     : node->type == YAML_MAPPING_NODE
                         ? node->data.mapping.pairs.top - node->data.mapping.pairs.start
                         : 0);
}

static int32_t child(const yaml_node_t *node, int32_t i)
{
    return node->type == YAML_SEQUENCE_NODE ? node->data.sequence.items.start[i]
                                            : node->data.mapping.pairs.start[i].value;
}

/* Where the i-th child begins: its key, or the item, without its '- '. */
static size_t begin_of_child(const ew_case_editor *e, const yaml_node_t *node, int32_t i)
{
    const int32_t first =
        node->type == YAML_SEQUENCE_NODE ? child(node, i) : node->data.mapping.pairs.start[i].key;
    return byte_of(e, &node_of(e, first)->start_mark);
}

/* Behind the last character of its text; of lists and mappings in lines libyaml says where the next
 * token begins. */
static size_t end_of(const ew_case_editor *e, const yaml_node_t *node)
{
    const int32_t n = n_child(node);
    return is_flow(node) || !n ? byte_of(e, &node->end_mark)
                               : end_of(e, node_of(e, child(node, n - 1)));
}

/* Nodes that aliases stand for are elsewhere in the text. */
static ew_status refuse_aliases(const ew_case_editor *e, const yaml_node_t *node)
{
    for (int32_t i = 0; i < n_child(node); i++) {
        const yaml_node_t *at = node_of(e, child(node, i));
        const yaml_node_t *before = i ? node_of(e, child(node, i - 1)) : node;
        if (at->start_mark.index < (i ? before->end_mark.index : before->start_mark.index) ||
            at->start_mark.index > node->end_mark.index) {
            return ew_yaml_fail(
                node, "an alias (*) is part of the text to change; replace it by its content");
        }
        EW_TRY(refuse_aliases(e, at));
    }
    return EW_OK;
}

static size_t begin_of_line(const ew_case_editor *e, size_t at)
{
    while (at > 0 && e->data[at - 1] != '\n') {
        at--;
    }
    return at;
}

/* Behind the end of the line, whose comment belongs to what stands in it. */
static size_t end_of_line(const ew_case_editor *e, size_t at)
{
    const char *end =
        at && e->data[at - 1] == '\n' ? e->data + at - 1 : memchr(e->data + at, '\n', e->size - at);
    return end ? (size_t)(end - e->data) + 1 : e->size;
}

/* ---- the document ---------------------------------------------------------------------------- */

ew_status ew_case_editor_open(ew_case_editor **editor, const char *data, size_t size)
{
    ew_case_editor *made;
    EW_TRY(ew_new_zero(&made, 1, sizeof *made));
    made->data = data;
    made->size = size;
    ew_status status = ew_yaml_load(&made->yaml, data, size, &made->arena);
    status = status ? status : find_bytes(made);
    if (!status) {
        const size_t n = (size_t)(made->yaml.document.nodes.top - made->yaml.document.nodes.start);
        status = ew_new_zero(&made->is_removed, n + 1, sizeof *made->is_removed);
    }
    if (status) {
        ew_case_editor_free(made);
        return status;
    }
    *editor = made;
    return EW_OK;
}

void ew_case_editor_free(ew_case_editor *editor)
{
    if (editor) {
        ew_yaml_free(&editor->yaml);
        ew_arena_free(editor->arena);
        ew_release(editor->byte);
        ew_release(editor->change);
        ew_release(editor->is_removed);
        ew_release(editor);
    }
}

int32_t ew_case_editor_value(const ew_case_editor *editor, int32_t node, const char *key)
{
    const yaml_node_t *in = node ? node_of(editor, node) : NULL;
    for (int32_t i = 0; in && in->type == YAML_MAPPING_NODE && i < n_child(in); i++) {
        if (ew_yaml_is_word(node_of(editor, in->data.mapping.pairs.start[i].key), key)) {
            return child(in, i);
        }
    }
    return 0;
}

int32_t ew_case_editor_item(const ew_case_editor *editor, int32_t node, int32_t i)
{
    const yaml_node_t *in = node ? node_of(editor, node) : NULL;
    return in && in->type == YAML_SEQUENCE_NODE && i >= 0 && i < n_child(in) ? child(in, i) : 0;
}

const char *ew_case_editor_text(const ew_case_editor *editor, int32_t node)
{
    const yaml_node_t *at = node ? node_of(editor, node) : NULL;
    return at && at->type == YAML_SCALAR_NODE ? (const char *)at->data.scalar.value : NULL;
}

/* ---- changes --------------------------------------------------------------------------------- */

static ew_status add_change(ew_case_editor *e, size_t begin, size_t end, const char *text)
{
    char *copy;
    const size_t size = strlen(text) + 1;
    EW_TRY(ew_grow(&e->change, &e->capacity, (int64_t)e->n_change + 1, sizeof *e->change));
    EW_TRY(ew_arena_take(&e->arena, size, &copy));
    memcpy(copy, text, size);
    e->change[e->n_change] = (change){begin, end, copy, e->n_change};
    e->n_change++;
    return EW_OK;
}

static ew_status add_entry(ew_case_editor *e, size_t begin, size_t end, const char *before,
                           const ew_case_entry *entry, bool with_key, int32_t indent)
{
    ew_case_text text = {0};
    EW_TRY(ew_case_draft_status(entry->draft));
    ew_case_text_add(&text, before, strlen(before));
    if (indent >= 0) {
        ew_case_put_entry(entry, indent, &text);
    } else if (with_key) {
        ew_case_put_flow(entry, &text);
    } else {
        ew_case_put_flow_value(entry, &text);
    }
    ew_status status = text.status;
    status = status ? status : add_change(e, begin, end, text.data);
    ew_release(text.data);
    return status;
}

/* The '-' of a list may stand below its key, brackets may not. */
static const char *indent_of(const yaml_node_t *node)
{
    return node->type == YAML_SEQUENCE_NODE && !is_flow(node) ? " " : "";
}

ew_status ew_case_editor_replace(ew_case_editor *editor, int32_t node, const ew_case_entry *value)
{
    const yaml_node_t *at = node_of(editor, node);
    const size_t begin = byte_of(editor, &at->start_mark);
    EW_TRY(refuse_aliases(editor, at));
    const bool is_nothing = ew_yaml_is_null(at) && begin == byte_of(editor, &at->end_mark);
    return add_entry(editor, begin, end_of(editor, at), is_nothing ? " " : indent_of(at), value,
                     false, -1);
}

void ew_case_editor_remove(ew_case_editor *editor, int32_t node)
{
    editor->n_removed += !editor->is_removed[node];
    editor->is_removed[node] = true;
}

/* The child behind which a key of this rank stands in the order of its table; -1: none. */
static int32_t find_predecessor(const ew_case_editor *e, const yaml_node_t *in,
                                const ew_case_entry *entry)
{
    int32_t found = n_child(in) - 1;
    for (int32_t i = found; entry->key && i >= 0; i--) {
        const yaml_node_t *key = node_of(e, in->data.mapping.pairs.start[i].key);
        const char *word = (const char *)key->data.scalar.value;
        if (key->type == YAML_SCALAR_NODE && ew_case_rank(entry, word) <= entry->rank) {
            return i;
        }
        found = i - 1;
    }
    return found < 0 ? n_child(in) - 1 : found;
}

static ew_status add_to_flow(ew_case_editor *e, const yaml_node_t *in, const ew_case_entry *entry)
{
    bool has_kept = false;
    for (int32_t i = 0; i < n_child(in); i++) {
        has_kept = has_kept || !e->is_removed[child(in, i)];
    }
    for (int32_t i = 0; i < e->n_change; i++) { /* one that was added there before */
        has_kept = has_kept || e->change[i].begin == byte_of(e, &in->end_mark) - 1;
    }
    const size_t at = byte_of(e, &in->end_mark) - 1;
    return add_entry(e, at, at, has_kept ? ", " : "", entry, true, -1);
}

ew_status ew_case_editor_add(ew_case_editor *editor, int32_t node, const ew_case_entry *entry)
{
    const yaml_node_t *in = node_of(editor, node);
    EW_TRY(refuse_aliases(editor, in));
    if (is_flow(in)) {
        return add_to_flow(editor, in, entry);
    }
    if (!n_child(in)) {
        return ew_yaml_fail(in, "there is no list or mapping here that could be added to");
    }
    const int32_t i = find_predecessor(editor, in, entry);
    const size_t at = end_of_line(editor, end_of(editor, node_of(editor, child(in, i))));
    const bool is_open = at == editor->size && at && editor->data[at - 1] != '\n';
    return add_entry(editor, at, at, is_open ? "\n" : "", entry, true,
                     (int32_t)in->start_mark.column);
}

ew_status ew_case_editor_merge(ew_case_editor *editor, int32_t node, const ew_case_entry *entry)
{
    const int32_t there = ew_case_editor_value(editor, node, entry->key);
    if (!there) {
        return ew_case_editor_add(editor, node, entry);
    }
    if (ew_yaml_is_null(node_of(editor, there))) {
        return ew_case_editor_replace(editor, there, entry);
    }
    for (const ew_case_entry *at = entry->first; at; at = at->next) {
        const int32_t old = at->key ? ew_case_editor_value(editor, there, at->key) : 0;
        EW_TRY(old ? ew_case_editor_replace(editor, old, at)
                   : ew_case_editor_add(editor, there, at));
    }
    return EW_OK;
}

/* ---- what is removed ------------------------------------------------------------------------- */

static bool is_alone(const ew_case_editor *e, size_t begin, bool is_item)
{
    size_t at = begin_of_line(e, begin), n_dash = 0;
    for (; at < begin; at++) {
        n_dash += e->data[at] == '-';
        if (!strchr(" -", e->data[at])) {
            return false;
        }
    }
    return n_dash == is_item;
}

static ew_status remove_lines(ew_case_editor *e, const yaml_node_t *in, int32_t i)
{
    const size_t begin = begin_of_child(e, in, i), end = end_of(e, node_of(e, child(in, i)));
    if (!is_alone(e, begin, in->type == YAML_SEQUENCE_NODE)) {
        return ew_yaml_fail(in, "the text to remove does not begin its own line; put it on one");
    }
    return add_change(e, begin_of_line(e, begin), end_of_line(e, end), "");
}

/* With the comma beside it: that before it, where one before it stays. */
static ew_status remove_from_flow(ew_case_editor *e, const yaml_node_t *in, int32_t i)
{
    bool has_kept = false;
    for (int32_t k = 0; k < i; k++) {
        has_kept = has_kept || !e->is_removed[child(in, k)];
    }
    const size_t begin = begin_of_child(e, in, i), end = end_of(e, node_of(e, child(in, i)));
    return has_kept
               ? add_change(e, end_of(e, node_of(e, child(in, i - 1))), end, "")
               : add_change(e, begin, i + 1 < n_child(in) ? begin_of_child(e, in, i + 1) : end, "");
}

static ew_status remove_children(ew_case_editor *e, const yaml_node_t *in)
{
    int32_t n = 0;
    bool is_added = false;
    for (int32_t i = 0; i < n_child(in); i++) {
        n += e->is_removed[child(in, i)];
    }
    if (!n) {
        return EW_OK;
    }
    EW_TRY(refuse_aliases(e, in));
    const size_t end = end_of(e, in), line = end_of_line(e, end);
    for (int32_t i = 0; i < e->n_change; i++) {
        is_added = is_added || (e->change[i].begin == line && e->change[i].end == line);
    }
    if (n == n_child(in) && !is_flow(in) && !is_added) {
        return add_change(e, byte_of(e, &in->start_mark), end,
                          in->type == YAML_SEQUENCE_NODE ? " []" : "{}");
    }
    for (int32_t i = 0; i < n_child(in); i++) {
        if (e->is_removed[child(in, i)]) {
            EW_TRY(is_flow(in) ? remove_from_flow(e, in, i) : remove_lines(e, in, i));
        }
    }
    return EW_OK;
}

/* ---- the text -------------------------------------------------------------------------------- */

static int by_place(const void *one, const void *other)
{
    const change *a = one, *b = other;
    return a->begin != b->begin ? (a->begin < b->begin ? -1 : 1)
           : a->end != b->end   ? (a->end < b->end ? -1 : 1)
                                : a->order - b->order;
}

ew_status ew_case_editor_write(ew_case_editor *editor, ew_text *text)
{
    ew_case_text to = {0};
    const yaml_node_t *node = editor->yaml.document.nodes.start;
    for (; editor->n_removed && node < editor->yaml.document.nodes.top; node++) {
        EW_TRY(remove_children(editor, node));
    }
    if (editor->n_change) {
        qsort(editor->change, (size_t)editor->n_change, sizeof *editor->change, by_place);
    }
    size_t at = 0;
    for (int32_t i = 0; i < editor->n_change && !to.status; i++) {
        const change *of = &editor->change[i];
        if (of->begin < at) {
            to.status = ew_fail(EW_BAD_ARGUMENT, "a case: two changes of the same part");
            break;
        }
        ew_case_text_add(&to, editor->data + at, of->begin - at);
        ew_case_text_add(&to, of->text, strlen(of->text));
        at = of->end;
    }
    ew_case_text_add(&to, editor->data + at, to.status ? 0 : editor->size - at);
    if (to.status) {
        ew_release(to.data);
        return to.status;
    }
    *text = (ew_text){(size_t)to.n, to.data};
    return EW_OK;
}
