/* The text of a case. In: entries in their order. Out: YAML: on one line what fits there, below
 * one another what does not, and the long lists of a case always. */
#include "case/draft.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 100 };

static void add(ew_case_text *to, const char *text)
{
    ew_case_text_add(to, text, strlen(text));
}

static void add_blanks(ew_case_text *to, int32_t n)
{
    while (n-- > 0) {
        add(to, " ");
    }
}

/* Bytes that are not printable characters become '?'. */
static void add_comment(const char *text, size_t length, ew_case_text *to)
{
    uint32_t c;
    add(to, "# ");
    for (size_t i = 0; i < length;) {
        const int n = ew_case_character(text + i, &c);
        const bool is_kept = n && ew_case_is_printable(c);
        ew_case_text_add(to, is_kept ? text + i : "?", is_kept ? (size_t)n : 1);
        i += n ? (size_t)n : 1;
    }
    add(to, "\n");
}

/* ---- one line -------------------------------------------------------------------------------- */

static void add_key(const ew_case_entry *entry, ew_case_text *to)
{
    if (entry->key) {
        const ew_status status = ew_case_quote(entry->key, to);
        to->status = to->status ? to->status : status;
        add(to, ":");
    }
}

static void add_number(const ew_case_entry *entry, int32_t i, ew_case_text *to)
{
    char text[EW_CASE_NUMBER] = "~";
    if (!isnan(entry->number[i])) {
        ew_case_number_text(entry->number[i], text);
    }
    add(to, text);
}

void ew_case_put_flow_value(const ew_case_entry *entry, ew_case_text *to)
{
    if (entry->kind == EW_ENTRY_SCALAR) {
        add(to, entry->text);
        return;
    }
    add(to, entry->kind == EW_ENTRY_MAPPING ? "{" : "[");
    for (int32_t i = 0; entry->kind == EW_ENTRY_NUMBERS && i < entry->n; i++) {
        add(to, i ? ", " : "");
        add_number(entry, i, to);
    }
    for (const ew_case_entry *at = entry->first; at; at = at->next) {
        add(to, at == entry->first ? "" : ", ");
        ew_case_put_flow(at, to);
    }
    add(to, entry->kind == EW_ENTRY_MAPPING ? "}" : "]");
}

void ew_case_put_flow(const ew_case_entry *entry, ew_case_text *to)
{
    add_key(entry, to);
    add(to, entry->key ? " " : "");
    ew_case_put_flow_value(entry, to);
}

/* ---- lines ----------------------------------------------------------------------------------- */

static bool is_leaf(const ew_case_entry *entry)
{
    return entry->kind == EW_ENTRY_SCALAR || entry->kind == EW_ENTRY_NUMBERS;
}

/* What stands below one another however short it is: the case, its steps, lists of mappings and
 * names. */
static bool is_long(const ew_case_entry *entry)
{
    const ew_case_key *form = entry->form;
    if (!form || entry->of == &ew_section_step) {
        return true;
    }
    return entry->first && !entry->is_item &&
           ((entry->kind == EW_ENTRY_MAPPING && form->kind & EW_KEY_NAMES) ||
            (entry->kind == EW_ENTRY_LIST && form->item & (EW_KEY_MAPPING | EW_KEY_EDIT)));
}

static bool can_flow(const ew_case_entry *entry)
{
    bool can = !is_long(entry);
    for (const ew_case_entry *at = entry->first; at && can; at = at->next) {
        can = !at->comment && can_flow(at);
    }
    return can;
}

/* On one line behind what is there, and true; or nothing. */
static bool try_flow(const ew_case_entry *entry, int32_t column, ew_case_text *to)
{
    ew_case_text line = {0};
    if (!can_flow(entry)) {
        return false;
    }
    ew_case_put_flow_value(entry, &line);
    const bool fits = !line.status && (entry->kind == EW_ENTRY_SCALAR || column + line.n <= WIDTH);
    if (fits) {
        ew_case_text_add(to, line.data, (size_t)line.n);
    }
    to->status = to->status ? to->status : line.status;
    ew_release(line.data);
    return fits;
}

/* A list of values in brackets, over several lines. */
static void put_wrapped(const ew_case_entry *entry, int32_t indent, int32_t column,
                        ew_case_text *to)
{
    const ew_case_entry *at = entry->first;
    add(to, "[");
    column++;
    for (int32_t i = 0; i < entry->n; i++) {
        ew_case_text item = {0};
        if (entry->kind == EW_ENTRY_NUMBERS) {
            add_number(entry, i, &item);
        } else {
            ew_case_put_flow_value(at, &item);
            at = at->next;
        }
        if (i && column + 2 + item.n > WIDTH) {
            add(to, ",\n");
            add_blanks(to, indent + 2);
            column = indent + 2;
        } else if (i) {
            add(to, ", ");
            column += 2;
        }
        ew_case_text_add(to, item.data ? item.data : "", (size_t)item.n);
        column += item.n;
        to->status = to->status ? to->status : item.status;
        ew_release(item.data);
    }
    add(to, "]");
}

static void put_children(const ew_case_entry *entry, int32_t indent, bool is_begun,
                         ew_case_text *to)
{
    for (const ew_case_entry *at = entry->first; at; at = at->next) {
        const int32_t begin = to->n;
        ew_case_put_entry(at, indent, to);
        if (at == entry->first && is_begun && !to->status) { /* behind "- " */
            memmove(to->data + begin, to->data + begin + indent,
                    (size_t)(to->n - begin - indent) + 1);
            to->n -= indent;
        }
    }
}

static bool has_leaves_alone(const ew_case_entry *entry)
{
    bool has = true;
    for (const ew_case_entry *at = entry->first; at && has; at = at->next) {
        has = is_leaf(at) && !at->comment;
    }
    return has;
}

void ew_case_put_entry(const ew_case_entry *entry, int32_t indent, ew_case_text *to)
{
    const int32_t begin = to->n;
    add_blanks(to, indent);
    add_key(entry, to);
    add(to, entry->key ? "" : "-");
    const int32_t column = to->n - begin + 1;
    const bool is_list = entry->kind == EW_ENTRY_NUMBERS || entry->kind == EW_ENTRY_LIST;
    add(to, " ");
    if (try_flow(entry, column, to) || (is_list && has_leaves_alone(entry))) {
        if (to->n - begin == column) {
            put_wrapped(entry, indent + 2, column, to);
        }
        if (entry->comment) {
            add(to, "   ");
            add_comment(entry->comment, strlen(entry->comment), to);
        } else {
            add(to, "\n");
        }
        return;
    }
    const bool is_begun = !entry->key && entry->kind == EW_ENTRY_MAPPING && !entry->comment;
    if (!is_begun && !to->status) {
        to->data[--to->n] = 0; /* the blank */
        add(to, entry->comment ? "   " : "\n");
    }
    if (entry->comment) {
        add_comment(entry->comment, strlen(entry->comment), to);
    }
    put_children(entry, indent + 2, is_begun, to);
}

/* ---- all ------------------------------------------------------------------------------------- */

ew_status ew_case_draft_write(const ew_case_draft *draft, ew_text *text)
{
    ew_case_text to = {0};
    EW_TRY(ew_case_draft_status(draft));
    for (const char *at = draft->head ? draft->head : ""; *at;) {
        const size_t n = strcspn(at, "\n");
        add_comment(at, n, &to);
        at += n + (at[n] == '\n');
    }
    put_children(&draft->root, 0, false, &to);
    add(&to, "");
    if (to.status) {
        ew_release(to.data);
        return to.status;
    }
    *text = (ew_text){(size_t)to.n, to.data};
    return EW_OK;
}
