/* Output of a run: per step on stdout and in the log, at the end a table. */
#ifndef EW_TOOL_REPORT_H
#define EW_TOOL_REPORT_H

#include "report_envelope.h"
#include "tool.h"

/* One line of the table at the end. */
typedef struct report_row {
    char *name;                                  /* owned: of the step */
    int32_t combination;                         /* of a sweep; 0: none */
    double parameter[EW_MAX_PARAMETERS_OF_CASE]; /* as many as the case has */
    bool judged;                                 /* by a search: */
    double objective, violation;
    char *failure; /* owned: why all else is 0; or null */
    char mode[32]; /* what the row is of, in place of the name: "mode 2  83.516"; or empty */
    struct report_cell {
        bool has; /* false: it did not happen */
        double value[EW_STEP_NUMBER_VALUES];
    } * cell; /* [numbers of NAME.csv] owned: by place there; null: it failed */
    int32_t n_goal_value;
    double *goal;         /* [n_goal_value] owned: value, bound and derivatives of each goal */
    double lost_force[3]; /* of the loads, with what the edits took away */
} report_row;

/* Warnings of one kind about one edit or load, or about a step as a whole. */
typedef struct report_warning {
    ew_warning last;
    char name[160];            /* of the last step that has it */
    int32_t step, combination; /* of that one */
    int32_t n_step;            /* that have it */
} report_warning;

/* The largest of two numbers at a place over the records of a step, each with its time or its
 * frequency. */
typedef struct place_peak {
    double value[2], at[2];
} place_peak;

typedef struct run_report {
    const ew_case *input;
    tool_log *log;
    bool quiet, verbose;
    int32_t n_record; /* of the result: steps, and of dynamic ones their outputs */
    bool is_partial;  /* it has one more: what a step reached that failed */
    int32_t n_row, row_capacity;
    report_row *row; /* owned */
    int32_t n_warning, warning_capacity;
    report_warning *warning; /* owned: in the order in which they came up */
    int32_t n_failed;        /* combinations of a sweep */
    ew_status status;        /* of keeping the rows */
    ew_result *result;       /* borrowed: where they are written, row by row; or null */
    envelope_table envelope; /* of the records so far */
    int32_t peak_capacity;
    place_peak *peak; /* owned: of the places of the step under way */
} run_report;

/* The number of a table in this place (from 1), null behind the last. */
const ew_step_number *report_csv_number(ew_number_table table, int32_t place);

/* Goals of a step: into its row, and as lines. (report_goals.c) */
ew_status report_take_goals(const ew_step_report *step, report_row *row);
void report_goals(const ew_case *input, const ew_step_report *step);
/* And as columns of the table at the end, where rows have any; row: null: their heads. */
void report_goal_cells(const run_report *report, const report_row *row);
/* Outcome of a search. (report_search.c) */
void report_search(const run_report *report);
/* A line of the log for the step. (report_log.c) */
void report_log(tool_log *log, const ew_step_report *step);
void report_step(run_report *report, const ew_step_report *step);
void report_table(const run_report *report);

/* Takes in the warnings of a step; prints those of the run, each once. (report_warnings.c) */
ew_status report_take_warnings(run_report *report, const ew_step_report *step);
void report_warnings(const run_report *report);

/* How surfaces were bound. */
void report_surfaces(int32_t n, const ew_surface_report *surface);
/* Changes by edits, and lost loads and members. (report_edits.c) */
void report_edits(const ew_case *input, const ew_step_report *step);
/* What reading the case found worth telling, a line each. (report_sets.c) */
void report_notes(const ew_case *input);
/* What sets caught: those of the case (at_start), or those that a step made. (report_sets.c) */
void report_sets(const ew_case *input, const ew_set_report *set, bool at_start);
/* Resultants of each of several loads. */
void report_loads(const ew_step_report *step);
/* Reactions of supports; with --verbose displacement and stress of all sets. */
void report_set_results(const run_report *report, const ew_set_report *set,
                        const double reaction[3]);

/* " at vertex 12 (0, 1, 0)", nothing for -1; " unit", nothing where the case names none; the
 * largest displacement, the stress to report, safety, the estimated error. (report_extremes.c) */
void report_place(const ew_mesh *mesh, int32_t vertex);
void report_unit(const char *unit, char out[64]);
void report_extremes(const run_report *report, const ew_step_report *step);
void report_ties(const run_report *report, const ew_step_report *step);
void report_contact(const run_report *report, const ew_step_report *step);
/* A record of a response by modes. */
void report_response(const run_report *report, const ew_step_report *step);
/* What the history of fatigue comes to. */
void report_fatigue(const run_report *report, const ew_step_report *step);
/* Safety and damage of each set, and where it is the worst. */
void report_set_fatigue(const ew_case *input, const ew_set_report *set);
/* What the steps of an envelope come to together. */
void report_envelope(const run_report *report, const ew_step_report *step);
/* "(0, 0.05, 0.05)", with `digits`; what is not larger than `dust` reads as 0. */
const char *report_vector(const double v[3], int digits, double dust, char text[64]);
/* What a nonlinear solve took, none for others; the begin of the line of balance.
 * (report_nonlinear.c)
 */
void report_nonlinear(const run_report *report, const ew_step_report *step);
void report_balance(const ew_step_report *step, const ew_sums *sums);
/* A line of a vibration mode, or of a load factor of buckling. (report_modes.c) */
void report_mode(const run_report *report, const ew_step_report *step);
/* "mode 2 83.516" for the table of all steps; empty for other steps. */
void report_mode_name(const ew_step_report *step, char *name, size_t size);

/* A dynamic step: what it is going to do; a line of each output; what it came to. (report_motion.c)
 */
void report_motion_begin(const run_report *report, const ew_step_report *step);
void report_motion_line(const ew_step_report *step);
void report_motion_end(const ew_step_report *step);

/* A round of an element removal: its row of NAME.removal.csv, and a line; what it came to.
 * (report_removal.c) */
void report_removal(run_report *report, const ew_step_report *step);
void report_removal_end(const ew_step_report *step);

/* The tables beside the result, NAME.csv and NAME.sets.csv, in dynamics NAME.energy.csv and
 * NAME.probes.csv: their heads, then the rows of a step that report_step has kept, or of an output.
 * (report_csv.c) */
ew_status report_csv_begin(const run_report *report, ew_result *result);
ew_status report_csv_step(const run_report *report, const ew_step_report *step, ew_result *result);
ew_status report_csv_output(const run_report *report, const ew_step_report *step,
                            ew_result *result);
/* A row of NAME.removal.csv; whether there is one. */
ew_status report_csv_removal(const run_report *report, const ew_step_report *step,
                             ew_result *result);
bool report_csv_has_removal(const ew_case *input);
/* Rows of NAME.envelope.csv: of report->envelope, at the step that is the envelope. */
ew_status report_csv_envelope(const run_report *report, const ew_step_report *step,
                              ew_result *result);
/* All of NAME.csv; owned by the caller (ew_release). */
ew_status report_csv_text(const run_report *report, char **text);
void report_free(run_report *report);

#endif
