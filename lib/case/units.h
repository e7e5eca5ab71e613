/* Units of a case and numbers with a unit behind them. Private to case. */
#ifndef EW_CASE_UNITS_H
#define EW_CASE_UNITS_H

#include "case/case.h"

enum { EW_N_DIMENSION = 6, EW_UNIT_SPELLED = 80, EW_QUANTITY_TEXT = 400, EW_UNIT_NAMES = 200 };

/* mantissa 10^exponent m^of[0] N^of[1] s^of[2] K^of[3] rad^of[4] byte^of[5] */
typedef struct ew_unit {
    double mantissa;
    int32_t exponent;
    int8_t of[EW_N_DIMENSION];
} ew_unit;

/* What a case calls its units of length, force and time. */
typedef struct ew_case_system {
    ew_unit unit[3];
} ew_case_system;

/* The unit of a number without one: 1. */
ew_unit ew_no_unit(void);
bool ew_unit_same_dimension(const ew_unit *a, const ew_unit *b);
/* *by times other^power. */
void ew_unit_multiply(ew_unit *by, const ew_unit *other, int power);
/* A unit such as "kg/m^3", "1/K" or "N mm"; with a system also words of the tables of keys,
 * "force/length^2". False: a part of the text is no unit. */
bool ew_unit_read(const ew_case_system *system, const char *text, ew_unit *out);
/* The units of the same dimension that have a name, separated by commas; "" for none. */
void ew_unit_names(const ew_unit *like, char names[EW_UNIT_NAMES]);
/* Where the unit begins of a text that is a number with a unit behind it, and where its number
 * ends; null for other texts. */
const char *ew_quantity_unit(const char *text, const char **end_of_number);
/* A number, of `unit`, as the text of a number of the unit `of`. */
void ew_quantity_text(const char *number, const char *end, const ew_unit *unit, const ew_unit *of,
                      char text[EW_QUANTITY_TEXT]);
/* The unit of length (dimension 0), force (1) or time (2) that a case names. False: it is none
 * that is known; *out is then any of the dimension. */
bool ew_case_unit_named(const char *name, int dimension, ew_unit *out);

#endif
