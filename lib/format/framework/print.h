/* Private to format: what the writers share. The size of a text is bounded beforehand, so that it
 * is one allocation. */
#ifndef EW_FORMAT_PRINT_H
#define EW_FORMAT_PRINT_H

#include "format/formats.h"

#define EW_MAX_INT    12  /* bytes of " -2147483648" */
#define EW_MAX_DOUBLE 26  /* of " -2.2250738585072014e-308" */
#define EW_MAX_HEADER 256 /* of the lines between the entries */

/* The entities to write, and their order. */
typedef struct ew_plan {
    int32_t n_vertex, n_tet, n_face;
    int32_t *vertex; /* [n_vertex] owned: slots in the order of the file */
    int32_t *tet;    /* [n_tet] owned, likewise */
    int32_t *number; /* [slots] owned: from 1; 0: not in the file */
    bool *live;      /* [mesh n_face] owned */
} ew_plan;
/* `p` is zeroed before; to be freed after a failure, too. */
ew_status ew_plan_make(const ew_mesh *mesh, bool user_order, ew_plan *p);
void ew_plan_free(ew_plan *p);

/* The nodes of tets of ten nodes beyond their corners, where the mesh was given with such. */
typedef struct ew_middles {
    int32_t n;
    double *xyz;  /* [n][3] owned; their numbers begin behind those of vertices */
    ew_map place; /* of (lower, higher) vertex slot */
} ew_middles;
/* Zeroed, and nothing more, for a mesh without. To be freed after a failure, too. */
ew_status ew_middles_make(const ew_mesh *mesh, const ew_plan *p, ew_middles *middles);
void ew_middles_free(ew_middles *middles);
/* The number, from 1, of the middle between two vertex slots. */
int32_t ew_middle_number(const ew_middles *middles, const ew_plan *p, int32_t a, int32_t b);

/* The members of a list of a group in the file: numbers from 1, ascending, of what is there. */
ew_status ew_plan_members(const ew_mesh *mesh, const ew_plan *p, const ew_group *group,
                          ew_list *number);

/* Room for n entries of at most `entry` bytes and EW_MAX_HEADER more. */
ew_status ew_text_make(ew_text *text, int32_t n, size_t entry);
/* A text whose size is not known beforehand: room for `bytes` more, at least EW_MAX_HEADER. */
ew_status ew_text_room(ew_text *text, size_t *capacity, size_t bytes);
void ew_put_text(ew_text *text, const char *words);
void ew_put_int(ew_text *text, int32_t value);
void ew_put_ints(ew_text *text, const int32_t *value, int n, char end);
void ew_put_double(ew_text *text, double value, int digits);
void ew_put_point(ew_text *text, const double *xyz); /* a blank before each coordinate */
/* n numbers of 9 digits, for pictures: a blank before each. */
void ew_put_short(ew_text *text, const double *value, int n);
/* A line each: vertices and region label; vertices and face label. Numbered from 1 on request. */
void ew_put_tets(ew_text *text, const ew_mesh *mesh, const ew_plan *p, bool numbered);
void ew_put_faces(ew_text *text, const ew_mesh *mesh, const ew_plan *p, bool numbered);

#endif
