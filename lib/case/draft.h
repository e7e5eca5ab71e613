/* Private to case: entries of a case that is written and their text. */
#ifndef EW_CASE_DRAFT_H
#define EW_CASE_DRAFT_H

#include "case/case.h"
#include "case/schema.h"

typedef enum ew_entry_kind {
    EW_ENTRY_MAPPING,
    EW_ENTRY_LIST,
    EW_ENTRY_NUMBERS,
    EW_ENTRY_SCALAR
} ew_entry_kind;

struct ew_case_entry {
    ew_case_draft *draft;
    ew_entry_kind kind;
    const char *key;                   /* null: an item of a list */
    const ew_case_key *form;           /* the row of the table that allows it; null: the root */
    bool is_item;                      /* of a list or of names: form->item says what it may be */
    int32_t rank;                      /* of its key in the table */
    const ew_case_section *of, *or_of; /* MAPPING: tables of its keys, or */
    const ew_law *law;                 /* the law whose values it has, or */
    const ew_operation *operation;     /* the operation, or */
    bool is_edit;                      /* an item of `edit:`; none of these: names */
    const char *text;                  /* SCALAR: as it is written */
    const char *comment;               /* or null */
    const double *number;              /* NUMBERS [n], NaN: no value */
    int32_t n;                         /* NUMBERS; else entries in it */
    const ew_case_entry *in;           /* null: the root */
    ew_case_entry *first, *last, *next;
};
/* draft.c. The rank of a key in the table of the entry's own key; INT32_MAX: it is not in that, or
 * the keys are names. */
int32_t ew_case_rank(const ew_case_entry *entry, const char *key);

struct ew_case_draft {
    ew_arena_block *arena;
    ew_case_entry root, lost; /* lost: stands for what failed */
    const char *head;         /* or null */
    ew_status status;
    ew_failure failure;
};

/* scalars.c. A text that grows; what is added after a failure is dropped. */
typedef struct ew_case_text {
    char *data; /* owned */
    int32_t n, capacity;
    ew_status status;
} ew_case_text;
void ew_case_text_add(ew_case_text *to, const char *text, size_t n);

/* Room for any number, and the shortest text that reads back to the same bits. */
enum { EW_CASE_NUMBER = 40 };
void ew_case_number_text(double value, char text[EW_CASE_NUMBER]);
/* The character at `text` (UTF-8) and how many bytes it has; 0: it is none. */
int ew_case_character(const char *text, uint32_t *character);
bool ew_case_is_printable(uint32_t character);
/* A text as a scalar of YAML: plain where it can be, else in quotes. EW_BAD_INPUT where it is not
 * UTF-8 or has control characters, which a case has nowhere. */
ew_status ew_case_quote(const char *text, ew_case_text *to);
/* writer.c. Lines with "key: value" or "- value", indented so far. */
void ew_case_put_entry(const ew_case_entry *entry, int32_t indent, ew_case_text *to);
/* On one line: "key: value" of a mapping in braces, "value" of a list. */
void ew_case_put_flow(const ew_case_entry *entry, ew_case_text *to);
void ew_case_put_flow_value(const ew_case_entry *entry, ew_case_text *to);

#endif
