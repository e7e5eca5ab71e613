/* Private to format: a Gmsh file that is being read. (gmsh.c, gmsh_numbers.c, gmsh_elements.c,
 * gmsh_groups.c) */
#ifndef EW_FORMAT_GMSH_H
#define EW_FORMAT_GMSH_H

#include "format/framework/draft.h"
#include "format/framework/numbers.h"

/* The name of a physical group, as it stands in the file. */
typedef struct ew_gmsh_name {
    int32_t dimension, tag;
    int64_t line;
    const char *text; /* [length] borrowed */
    size_t length;
} ew_gmsh_name;

enum { EW_GMSH_MAX_GROUPS = 64 }; /* of an entity */

/* The comment in written files, which other programs ignore. */
#define EW_GMSH_REGIONS "edgewise: the first group of a volume is its region"

typedef struct ew_gmsh {
    ew_scan scan;
    bool binary, is_4, is_1; /* version 4.1, version 1, else 2.2 */
    bool has_format;
    bool region_is_first; /* of the groups of a volume: the file says so */
    const char *begin;    /* of the file */
    ew_numbers node;      /* to: its index */
    ew_numbers entity[4]; /* by dimension; to: where its physical groups are in `group` */
    int32_t n_group, group_capacity;
    int32_t *group; /* [n_group] owned: of each entity how many there are, then their numbers */
    int32_t n_name, name_capacity;
    ew_gmsh_name *name;   /* [n_name] owned */
    ew_numbers member[4]; /* by dimension, number: of a group. 0 and 1: to its nodes; 2: unused; 3:
                             to tets that have another region */
    bool has_middles;     /* some tet has ten nodes */
    int32_t n_tet, n_face, xyz_capacity, place_capacity, middle_capacity, capacity[4];
    double *xyz;                /* [node.n][3] owned */
    int32_t *tet, *region;      /* owned, nodes by index */
    int32_t *middle;            /* [n_tet][6] owned: nodes by index, -1: none */
    int64_t *place;             /* [n_tet] owned: line of a tet, in binary its byte */
    int32_t *face, *face_label; /* owned */
} ew_gmsh;

ew_status ew_gmsh_take(ew_gmsh *r, size_t bytes, void *value);
/* bytes: that it has in binary, 4 or 8. */
ew_status ew_gmsh_int(ew_gmsh *r, const char *what, size_t bytes, int64_t low, int64_t high,
                      int64_t *value);
ew_status ew_gmsh_real(ew_gmsh *r, const char *what, double *value);
/* A count of entries that take at least `bytes` bytes each, in text or in binary. */
ew_status ew_gmsh_count(ew_gmsh *r, const char *what, size_t bytes_of_count, size_t bytes,
                        int32_t *count);
/* In 1 and 2.2 counts are text, whatever follows. */
ew_status ew_gmsh_text_count(ew_gmsh *r, const char *what, int32_t *n);
/* Head of a section of version 4.1: counts and range of numbers. */
ew_status ew_gmsh_head(ew_gmsh *r, int32_t *n_block);
/* Goes behind the line "$End" + name, which binary data may not hide. */
ew_status ew_gmsh_leave(ew_gmsh *r, const char *name);

/* Types of elements, as Gmsh numbers them. */
enum { EW_GMSH_TRIANGLE = 2, EW_GMSH_TET = 4, EW_GMSH_TRIANGLE_6 = 9, EW_GMSH_TET_10 = 11 };
/* The section $Elements, of version 1 $ELM. (gmsh_elements.c) */
ew_status ew_gmsh_read_elements(ew_gmsh *r);
/* An element in the groups that it has, nodes by index, in Gmsh's order; what all of them are at
 * the end; its arrays. For readers of other formats, too. (gmsh_elements.c, gmsh.c) */
ew_status ew_gmsh_take_element(ew_gmsh *r, int64_t type, const int32_t *node, int32_t n_group,
                               const int32_t *group);
ew_status ew_gmsh_finish(ew_gmsh *r, ew_mesh *mesh, ew_mesh_repair *repair, ew_groups *groups);
void ew_gmsh_free(ew_gmsh *r);

/* The section $PhysicalNames; and what the file's groups are by name. (gmsh_groups.c) */
ew_status ew_gmsh_read_names(ew_gmsh *r);
ew_status ew_gmsh_name_groups(ew_gmsh *r, ew_groups *groups);

/* As ew_format's write_mesh. (gmsh_write.c) */
ew_status ew_gmsh_write(const ew_mesh *mesh, const ew_groups *groups, bool user_order,
                        ew_text *file);

#endif
