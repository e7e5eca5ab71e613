/* The envelope of a run in numbers. */
#ifndef EW_TOOL_REPORT_ENVELOPE_H
#define EW_TOOL_REPORT_ENVELOPE_H

#include "page.h"
#include "tool.h"

enum { ENVELOPE_NAME = 160 };
typedef struct envelope_record {
    const char *step;
    double time; /* NaN: of a step that takes none */
} envelope_record;
/* Of one number, or of one component of a vector, of the body or of a set. */
typedef struct envelope_entry {
    char set[ENVELOPE_NAME]; /* "": the body */
    char name[64];
    int component; /* 0 to 2; -1: a number */
    double low, high, low_time, high_time;
    char low_step[ENVELOPE_NAME], high_step[ENVELOPE_NAME];
} envelope_entry;
typedef struct envelope_table {
    int32_t n, capacity;
    envelope_entry *entry; /* [n] owned */
} envelope_table;

/* Takes a record in, if it is in the envelope. */
ew_status envelope_take_report(envelope_table *table, const ew_step_report *step);
void envelope_free(envelope_table *table);
/* The table of the page, none without an envelope. */
ew_status report_add_envelope(page *to, const ew_result_view *view);

#endif
