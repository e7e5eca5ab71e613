/* Private to format: an XML file of VTK that is being read. (vtu.c, vtu_tags.c, vtu_values.c) */
#ifndef EW_FORMAT_VTU_H
#define EW_FORMAT_VTU_H

#include "format/vtk/vtk.h"

/* A tag that was read; attributes stand in its text. */
typedef struct ew_vtu_tag {
    const char *name, *attributes, *end; /* end: its '>' */
    size_t name_size;
} ew_vtu_tag;

typedef struct ew_vtu {
    const char *data, *end, *at;
    bool swap, wide_head, compressed, appended_is_raw;
    const char *appended; /* behind its '_'; null: none */
    int32_t n_piece;
    int where; /* 0: elsewhere, else the section as in `sections` */
    ew_vtk_grid grid;
} ew_vtu;

/* vtu_tags.c */
/* EW_BAD_INPUT with the line of a place in the file. */
EW_PRINTF(3, 4)
ew_status ew_vtu_fail(const ew_vtu *r, const char *at, const char *format, ...);
const char *ew_vtu_find(const char *at, const char *end, const char *word);
/* The next tag, comments and declarations passed over; false at the end. A '>' within quotes ends
 * none. */
bool ew_vtu_next_tag(ew_vtu *r, ew_vtu_tag *t);
bool ew_vtu_is_named(const ew_vtu_tag *t, const char *name);
/* The value of an attribute, cut to its room; "" where it is absent. */
bool ew_vtu_attribute(const ew_vtu_tag *t, const char *key, char value[EW_GROUP_NAME]);
/* A whole number; 0 where it is absent and not needed. */
ew_status ew_vtu_whole(const ew_vtu *r, const ew_vtu_tag *t, const char *key, bool needed,
                       int64_t *value);
/* The five entities of XML become what they stand for. */
void ew_vtu_replace_entities(char *text);

/* vtu_values.c: n numbers of an array. */
ew_status ew_vtu_read_array(const ew_vtu *r, const ew_vtu_tag *t, int64_t n, ew_vtk_array *to);

#endif
