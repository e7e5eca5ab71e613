/* A case under construction. In: keys and values. Out: a tree of entries in the order of the tables
 * of keys, each of a form that its key takes. */
#include "case/draft.h"

#include "element/parts/element.h"
#include "operation/parts/operation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_KEY = 500 }; /* libyaml takes no key of more than 1024 characters in one line */

/* ---- the draft ------------------------------------------------------------------------------- */

ew_status ew_case_draft_create(ew_case_draft **draft)
{
    ew_case_draft *made;
    EW_TRY(ew_new_zero(&made, 1, sizeof *made));
    made->root.draft = made->lost.draft = made;
    made->root.of = &ew_case_root;
    *draft = made;
    return EW_OK;
}

void ew_case_draft_free(ew_case_draft *draft)
{
    if (draft) {
        ew_arena_free(draft->arena);
        ew_release(draft);
    }
}

ew_case_entry *ew_case_draft_root(ew_case_draft *draft)
{
    return &draft->root;
}

void ew_case_draft_fail(ew_case_draft *draft, ew_status status)
{
    if (status && !draft->status) {
        draft->status = status;
        draft->failure = *ew_last_failure();
    }
}

ew_status ew_case_draft_status(const ew_case_draft *draft)
{
    return draft->status ? ew_fail(draft->status, "%s", draft->failure.text) : EW_OK;
}

static ew_case_entry *fail_entry(ew_case_draft *draft, ew_status status)
{
    ew_case_draft_fail(draft, status);
    return &draft->lost;
}

/* Null where memory ends, which the draft keeps. */
static void *allocate_entry(ew_case_draft *draft, size_t bytes)
{
    void *memory = NULL;
    ew_case_draft_fail(draft, ew_arena_take(&draft->arena, bytes, &memory));
    return draft->status ? NULL : memory;
}

static const char *copy(ew_case_draft *draft, const char *text)
{
    const size_t size = strlen(text) + 1;
    char *made = allocate_entry(draft, size);
    return made ? memcpy(made, text, size) : NULL;
}

void ew_case_draft_head(ew_case_draft *draft, const char *lines)
{
    const size_t before = draft->head ? strlen(draft->head) : 0, size = strlen(lines) + 1;
    char *made = allocate_entry(draft, before + size);
    if (made) {
        memcpy(made, draft->head ? draft->head : "", before);
        memcpy(made + before, lines, size);
        draft->head = made;
    }
}

void ew_case_comment(ew_case_entry *entry, const char *text)
{
    entry->comment = copy(entry->draft, text);
}

/* ---- places ---------------------------------------------------------------------------------- */

/* The row of a key in either table, and its rank; null: neither has it. */
static const ew_case_key *row_of(const ew_case_entry *in, const char *key, int32_t *rank)
{
    const ew_case_section *const table[] = {in->of, in->or_of};
    for (int t = 0; t < 2; t++) {
        for (int32_t i = 0; table[t] && i < table[t]->n_key; i++) {
            if (!strcmp(table[t]->key[i].name, key)) {
                *rank = i;
                return &table[t]->key[i];
            }
        }
    }
    return NULL;
}

int32_t ew_case_rank(const ew_case_entry *entry, const char *key)
{
    int32_t rank;
    return entry->in && entry->in->of && row_of(entry->in, key, &rank) ? rank : INT32_MAX;
}

ew_case_entry *ew_case_find_entry(ew_case_entry *in, const char *key)
{
    ew_case_entry *at = in->kind == EW_ENTRY_MAPPING ? in->first : NULL;
    while (at && strcmp(at->key, key)) {
        at = at->next;
    }
    return at;
}

bool ew_case_entry_is_empty(const ew_case_entry *entry)
{
    return !entry->first;
}

/* Behind all of its rank and below. */
static void insert(ew_case_entry *in, ew_case_entry *made)
{
    ew_case_entry **at = &in->first;
    if (in->last && in->last->rank <= made->rank) {
        at = &in->last->next;
    }
    while (*at && (*at)->rank <= made->rank) {
        at = &(*at)->next;
    }
    made->in = in;
    made->next = *at;
    *at = made;
    in->last = made->next ? in->last : made;
    in->n++;
}

/* Laws of materials and operations have their keys in tables of their own. */
static const ew_case_key law_form = {.kind = EW_KEY_MAPPING}, law_number = {.kind = EW_KEY_NUMBER},
                         law_truth = {.kind = EW_KEY_TRUTH},
                         law_table = {.kind = EW_KEY_LIST, .item = EW_KEY_NUMBERS},
                         operation_form = {.kind = EW_KEY_MAPPING},
                         operation_value = {.kind = EW_KEY_NUMBER | EW_KEY_INTEGER | EW_KEY_SHARE |
                                                    EW_KEY_TRUTH | EW_KEY_TEXT | EW_KEY_VECTOR |
                                                    EW_KEY_NUMBERS | EW_KEY_LIST | EW_KEY_SET |
                                                    EW_KEY_LABEL,
                                            .item = EW_KEY_VECTOR | EW_KEY_SET | EW_KEY_NUMBER};

static bool has_word(const char *words, const char *word)
{
    const size_t n = strlen(word);
    for (const char *at = words; at && (at = strstr(at, word)); at += n) {
        if ((at == words || at[-1] == ' ') && (!at[n] || at[n] == ' ')) {
            return n > 0;
        }
    }
    return false;
}

static const ew_case_key *row_of_operation(const ew_operation *operation, const char *key,
                                           int32_t *rank)
{
    for (*rank = 0; *rank < operation->n_parameter; (*rank)++) {
        const ew_parameter *p = &operation->parameter[*rank];
        if (p->kind == EW_PARAMETER_TETS ? has_word(p->words, key) : !strcmp(p->key, key)) {
            return &operation_value;
        }
    }
    return NULL;
}

static const ew_case_key *row_of_law(const ew_law *law, const char *key, int32_t *rank)
{
    for (*rank = 0; *rank < law->n_value; (*rank)++) {
        if (!strcmp(law->value[*rank].name, key)) {
            return law->value[*rank].is_truth ? &law_truth : &law_number;
        }
    }
    return law->has_table && !strcmp(key, "table") ? &law_table : NULL;
}

static bool has_names(const ew_case_entry *in)
{
    return !in->of && !in->law && !in->operation && !in->is_edit;
}

/* Values that the tables allow at this place: in->form of names and lists, else the row of the key.
 */
static ew_status find_form(const ew_case_entry *in, const char *key, ew_case_entry *made)
{
    const bool is_list = in->kind == EW_ENTRY_LIST;
    if (in->draft->status || in == &in->draft->lost) {
        return in->draft->status ? in->draft->status : EW_BAD_ARGUMENT;
    }
    if (is_list != !key || in->kind > EW_ENTRY_LIST) {
        return ew_fail(EW_BAD_ARGUMENT, "a case: '%.60s' is no place for %s",
                       in->key ? in->key : "", key ? "a key" : "an item");
    }
    if (is_list || has_names(in)) {
        made->form = in->form;
        made->is_item = true;
        return EW_OK;
    }
    made->form = in->law         ? row_of_law(in->law, key, &made->rank)
                 : in->operation ? row_of_operation(in->operation, key, &made->rank)
                                 : row_of(in, key, &made->rank);
    if (!made->form && in->of && in->of->has_laws && (made->law = ew_law_named(key))) {
        made->form = &law_form;
        made->rank = in->of->n_key;
    }
    if (!made->form && in->is_edit && (made->operation = ew_operation_named(key))) {
        made->form = &operation_form;
    }
    return made->form ? EW_OK
                      : ew_fail(EW_BAD_ARGUMENT, "a case: %s has no key '%.60s'",
                                in->law         ? in->law->name
                                : in->operation ? in->operation->name
                                : in->of        ? in->of->title
                                                : "an edit",
                                key);
}

/* Allowed values. */
static uint32_t forms_of(const ew_case_entry *entry)
{
    const ew_case_key *form = entry->form;
    const uint32_t of_numbers = form->kind & EW_KEY_NUMBERS ? EW_KEY_NUMBER : 0;
    return !entry->is_item ? form->kind : form->item ? form->item : of_numbers;
}

/* Forms of which the value must have one. */
static ew_status add(ew_case_entry *in, const char *key, ew_entry_kind kind, uint32_t forms,
                     ew_case_entry **out)
{
    ew_case_draft *draft = in->draft;
    ew_case_entry found = {.draft = draft, .kind = kind}, *made = NULL;
    EW_TRY(find_form(in, key, &found));
    const uint32_t allowed = forms_of(&found);
    if (!(allowed & forms)) {
        return ew_fail(EW_BAD_ARGUMENT, "a case: '%.60s' does not take such a value",
                       key ? key : in->key);
    }
    if (key && strlen(key) > MAX_KEY) {
        return ew_fail(EW_LIMIT, "a case: the name '%.40s...' has more than %d bytes; shorten it",
                       key, (int)MAX_KEY);
    }
    made = key ? ew_case_find_entry(in, key) : NULL;
    if (made) {
        *out = made;
        return EW_OK;
    }
    made = allocate_entry(draft, sizeof *made);
    if (!made) {
        return draft->status;
    }
    *made = found;
    made->key = key ? copy(draft, key) : NULL;
    insert(in, made);
    *out = made;
    return draft->status;
}

static ew_case_entry *add_scalar(ew_case_entry *in, const char *key, uint32_t forms,
                                 const char *text)
{
    ew_case_entry *made = NULL;
    const ew_status status = add(in, key, EW_ENTRY_SCALAR, forms, &made);
    if (status) {
        return fail_entry(in->draft, status);
    }
    made->text = copy(in->draft, text);
    return made;
}

/* ---- values ---------------------------------------------------------------------------------- */

ew_case_entry *ew_case_add_mapping(ew_case_entry *in, const char *key)
{
    ew_case_entry *made = NULL;
    const ew_status status =
        add(in, key, EW_ENTRY_MAPPING,
            EW_KEY_MAPPING | EW_KEY_NAMES | EW_KEY_VALUES | EW_KEY_SET | EW_KEY_EDIT, &made);
    if (status) {
        return fail_entry(in->draft, status);
    }
    const uint32_t form = forms_of(made);
    made->is_edit = form == EW_KEY_EDIT;
    if (form & EW_KEY_MAPPING) {
        made->of = made->form->of;
        made->or_of = made->form->or_of;
    } else if (form & EW_KEY_SET) {
        made->of = &ew_section_set;
    }
    return made;
}

ew_case_entry *ew_case_add_list(ew_case_entry *in, const char *key)
{
    ew_case_entry *made = NULL;
    const ew_status status = add(in, key, EW_ENTRY_LIST, EW_KEY_LIST | EW_KEY_NUMBERS, &made);
    return status ? fail_entry(in->draft, status) : made;
}

ew_case_entry *ew_case_add_number(ew_case_entry *in, const char *key, double value)
{
    char text[EW_CASE_NUMBER];
    if (!isfinite(value)) {
        return fail_entry(in->draft, ew_fail(EW_BAD_INPUT, "a case: '%.60s' is not a finite number",
                                             key ? key : ""));
    }
    ew_case_number_text(value, text);
    return add_scalar(in, key, EW_KEY_NUMBER | EW_KEY_SHARE | EW_KEY_INTEGER, text);
}

ew_case_entry *ew_case_add_integer(ew_case_entry *in, const char *key, int64_t value)
{
    char text[EW_CASE_NUMBER];
    snprintf(text, sizeof text, "%lld", (long long)value);
    return add_scalar(in, key, EW_KEY_INTEGER | EW_KEY_NUMBER | EW_KEY_SHARE | EW_KEY_LABEL, text);
}

ew_case_entry *ew_case_add_truth(ew_case_entry *in, const char *key, bool value)
{
    return add_scalar(in, key, EW_KEY_TRUTH, value ? "true" : "false");
}

/* Of a choice alone. */
static ew_status check_word(const ew_case_entry *made, const char *text)
{
    char list[EW_SECTION_KEYS], words[EW_SECTION_KEYS + 2], word[80];
    const uint32_t form = forms_of(made);
    if (!(form & EW_KEY_CHOICE) || form & (EW_KEY_TEXT | EW_KEY_SET | EW_KEY_LABEL | EW_KEY_AXIS)) {
        return EW_OK;
    }
    ew_key_words(made->form, list);
    snprintf(words, sizeof words, " %s ", list);
    snprintf(word, sizeof word, " %.70s ", text);
    return strstr(words, word) ? EW_OK
                               : ew_fail(EW_BAD_ARGUMENT, "a case: '%s' is none of the words of %s",
                                         text, made->form->name);
}

ew_case_entry *ew_case_add_text(ew_case_entry *in, const char *key, const char *text)
{
    ew_case_text quoted = {0};
    ew_case_entry *made = NULL;
    ew_status status = ew_case_quote(text, &quoted);
    if (!status) {
        made = add_scalar(in, key,
                          EW_KEY_TEXT | EW_KEY_CHOICE | EW_KEY_SET | EW_KEY_LABEL | EW_KEY_AXIS,
                          quoted.data);
        status = made == &in->draft->lost ? in->draft->status : check_word(made, text);
    }
    ew_release(quoted.data);
    return status ? fail_entry(in->draft, status) : made;
}

ew_case_entry *ew_case_add_numbers(ew_case_entry *in, const char *key, const double *value,
                                   int32_t n)
{
    const uint32_t vector = n == 3 ? EW_KEY_VECTOR | EW_KEY_AXIS | EW_KEY_COMPONENTS : 0u;
    ew_case_entry *made = NULL;
    const ew_status status = add(in, key, EW_ENTRY_NUMBERS, EW_KEY_NUMBERS | vector, &made);
    double *number = status ? NULL : allocate_entry(in->draft, sizeof *number * (size_t)n + 1);
    if (!number) {
        return fail_entry(in->draft, status ? status : in->draft->status);
    }
    for (int32_t i = 0; i < n; i++) {
        if (!isfinite(value[i])) {
            return fail_entry(in->draft, ew_fail(EW_BAD_INPUT,
                                                 "a case: '%.60s' has a number that is not finite",
                                                 key ? key : in->key));
        }
        number[i] = value[i];
    }
    made->number = number;
    made->n = n;
    return made;
}

ew_case_entry *ew_case_add_components(ew_case_entry *in, const char *key, const double value[3],
                                      uint8_t given)
{
    double all[3], *number;
    for (int c = 0; c < 3; c++) {
        all[c] = given >> c & 1 ? value[c] : 0.0;
    }
    ew_case_entry *made = ew_case_add_numbers(in, key, all, 3);
    if (made == &in->draft->lost || !(number = allocate_entry(in->draft, sizeof all))) {
        return made;
    }
    for (int c = 0; c < 3; c++) {
        number[c] = given >> c & 1 ? value[c] : NAN;
    }
    made->number = number;
    return made;
}
