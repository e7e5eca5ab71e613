/* Combinations of a sweep, or evaluations of a search, of a result: their parameters, the numbers
 * that they differ in, why some failed. */
#ifndef EW_TOOL_REPORT_SWEEP_H
#define EW_TOOL_REPORT_SWEEP_H

#include "report_page.h"

enum { SWEEP_MAX_SERIES = 8, SWEEP_MAX_NUMBER = 40, SWEEP_NAME = 160 };

/* A number of the steps, of one set in them, or of a goal. */
typedef struct sweep_number {
    const ew_step_number *of; /* or null: */
    const ew_set_number *of_set;
    int32_t set;      /* its place in the records */
    const char *goal; /* or its name in the records, borrowed */
    char title[SWEEP_NAME], unit[EW_UNIT_TEXT];
} sweep_number;

typedef struct sweep {
    const ew_result_view *view;
    int32_t n;                       /* combinations */
    int32_t n_axis, n_series;        /* series: steps of the case with an analysis */
    const char *axis[PAGE_MAX_AXES]; /* names of parameters, borrowed */
    double *place;                   /* [n][n_axis] owned */
    const char **failure;            /* [n] owned; texts borrowed */
    int32_t *record;                 /* [SWEEP_MAX_SERIES][n] owned: -1: none */
    char series[SWEEP_MAX_SERIES][SWEEP_NAME];
    int32_t n_number;
    sweep_number number[SWEEP_MAX_NUMBER];
    bool is_search, maximizes;
    int32_t best;        /* 1 + the combination; 0: none */
    double *value, *row; /* [n] and [n][3] owned: work */
    int32_t *order;      /* [n] owned */
} sweep;

/* From 0, -1: the record is of none. */
int32_t sweep_combination(const ew_result_view *view, const ew_view_step *step);
/* All of a view that has combinations (report_is_sweep). The view is borrowed. */
ew_status sweep_take(const ew_result_view *view, sweep *out);
void sweep_free(sweep *own);
/* A number of a record by its name; NaN: none. */
double sweep_value(const ew_view_step *step, const char *name);
double sweep_number_of(const sweep_number *number, const ew_view_step *step);
/* The values [n] of a series by combination; whether they differ. */
void sweep_take_values(const sweep *of, const sweep_number *number, int32_t series, double *value);
bool sweep_differs(const sweep *of, const sweep_number *number, int32_t series);

#endif
