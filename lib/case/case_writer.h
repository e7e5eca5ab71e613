/* Writing a case. In: keys and values, in any order, as a tree that knows the tables of keys. Out:
 * YAML text: keys in the order of their table, numbers that read back to the same bits, quotes
 * where YAML needs them. A key that no table has, or a value of a form that its key does not take,
 * is refused, so that what is written is what the reader knows. */
#ifndef EW_CASE_WRITER_H
#define EW_CASE_WRITER_H

#include "base/base.h"
#include "format/format.h"

EW_BEGIN_API

/* A case under construction, and one of its entries: a mapping, a list or a value. Entries belong
 * to their draft. */
typedef struct ew_case_draft ew_case_draft;
typedef struct ew_case_entry ew_case_entry;

ew_status ew_case_draft_create(ew_case_draft **draft);
void ew_case_draft_free(ew_case_draft *draft); /* safe on null */
ew_case_entry *ew_case_draft_root(ew_case_draft *draft);
/* Lines of comment at the top, behind those that are there. Copied. */
void ew_case_draft_head(ew_case_draft *draft, const char *lines);

/* Each of these functions adds the value of a key of the mapping `in`, or where `key` is
 * null an item at the end of the list `in`. Texts are copied. A mapping or a list of this key that
 * is there already is taken, a value is replaced. The result is never null: the first failure is
 * the draft's, and whatever is added to what failed is dropped. */
ew_case_entry *ew_case_add_mapping(ew_case_entry *in, const char *key);
ew_case_entry *ew_case_add_list(ew_case_entry *in, const char *key);
ew_case_entry *ew_case_add_number(ew_case_entry *in, const char *key, double value);
ew_case_entry *ew_case_add_integer(ew_case_entry *in, const char *key, int64_t value);
ew_case_entry *ew_case_add_truth(ew_case_entry *in, const char *key, bool value);
/* A word of a choice, a name, the name of a file. */
ew_case_entry *ew_case_add_text(ew_case_entry *in, const char *key, const char *text);
/* A vector, or any list of numbers: value [n]. */
ew_case_entry *ew_case_add_numbers(ew_case_entry *in, const char *key, const double *value,
                                   int32_t n);
/* Components [3] of which those without a bit in `given` have no value. */
ew_case_entry *ew_case_add_components(ew_case_entry *in, const char *key, const double value[3],
                                      uint8_t given);
/* The entry of a key, or null. */
ew_case_entry *ew_case_find_entry(ew_case_entry *in, const char *key);
bool ew_case_entry_is_empty(const ew_case_entry *entry); /* a mapping or a list without entries */
/* A comment of one line beside an entry. Copied. */
void ew_case_comment(ew_case_entry *entry, const char *text);
/* Keeps a failure of the caller's as the draft's, where it has none yet. */
void ew_case_draft_fail(ew_case_draft *draft, ew_status status);

/* The draft's failure, if any. */
ew_status ew_case_draft_status(const ew_case_draft *draft);
/* *text: owned by the caller, with a zero behind its end; untouched on failure. */
ew_status ew_case_draft_write(const ew_case_draft *draft, ew_text *text);

/* ---- a case that is there (case_editor.c) ---------------------------------------------------- */

/* Changes parts of a case and leaves all else of its text as it is: comments, order, expressions.
 * Nodes are numbers from 1, 0 is none; they are those of the text as it was opened. */
typedef struct ew_case_editor ew_case_editor;
enum { EW_CASE_EDITOR_ROOT = 1 };
/* data: borrowed, [size] bytes. EW_BAD_INPUT with the line where it is not YAML. */
ew_status ew_case_editor_open(ew_case_editor **editor, const char *data, size_t size);
void ew_case_editor_free(ew_case_editor *editor); /* safe on null */
/* The value of a key of a mapping; the i-th item of a list; 0: there is none, `node` may be 0. */
int32_t ew_case_editor_value(const ew_case_editor *editor, int32_t node, const char *key);
int32_t ew_case_editor_item(const ew_case_editor *editor, int32_t node, int32_t i);
/* The text of a scalar, or null. Borrowed. */
const char *ew_case_editor_text(const ew_case_editor *editor, int32_t node);
/* The value of an entry in place of a node's, on one line. */
ew_status ew_case_editor_replace(ew_case_editor *editor, int32_t node, const ew_case_entry *value);
/* An entry with its key into a mapping, or an item at the end of a list, which has entries already
 * or is written with brackets. */
ew_status ew_case_editor_add(ew_case_editor *editor, int32_t node, const ew_case_entry *entry);
/* All entries of a mapping or a list into the value that its key has in the mapping `node`: in
 * place of values with the same key, else behind what is there. Without such a value the entry as a
 * whole.
 */
ew_status ew_case_editor_merge(ew_case_editor *editor, int32_t node, const ew_case_entry *entry);
/* Takes an item out of its list, or a value and its key out of their mapping. What is added to the
 * same list is added before. */
void ew_case_editor_remove(ew_case_editor *editor, int32_t node);
/* *text as of ew_case_draft_write. Called once. EW_BAD_INPUT with the line where the text does not
 * allow a change in place: aliases, several entries in one line. */
ew_status ew_case_editor_write(ew_case_editor *editor, ew_text *text);

EW_END_API
#endif
