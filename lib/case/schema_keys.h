/* How the tables of keys are written. Private to case. */
#ifndef EW_CASE_SCHEMA_KEYS_H
#define EW_CASE_SCHEMA_KEYS_H

#include "case/reader.h"
#include "case/schema.h"

#include <math.h>
#include <stddef.h>

#define AT(type, member)           .place = 1 + (int32_t)offsetof(type, member)
#define ABOVE(least)               .low = (least), .high = INFINITY, .above = true
#define FROM(least)                .low = (least), .high = INFINITY
#define WITHIN(least, greatest)    .low = (least), .high = (greatest)
#define N_KEY(keys)                ((int32_t)(sizeof(keys) / sizeof *(keys)))
#define SECTION(name, title, keys) const ew_case_section name = {title, N_KEY(keys), keys, false}

#endif
