/* contact: what a program needs that works on faces itself, beside contact/contact.h. */
#ifndef EW_PARTS_CONTACT_H
#define EW_PARTS_CONTACT_H

#include "contact/contact.h"
#include "topology/parts/topology.h"

EW_BEGIN_API

/* Pairs of faces whose boxes meet, those of the slaves being widened by a distance on each side.
 * Boxes are rounded outwards to float, so the search and a comparison of all with all find the same
 * pairs. Faces that share a vertex are none unless they look against each other. Of one list
 * (`slave` is `master`) all pairs are of faces that do, each once (contact.h). */
typedef struct ew_face_pairs {
    int32_t n_slave, n_pair;
    int32_t *begin;  /* [n_slave + 1] owned: pairs of slave i are begin[i] .. begin[i + 1] */
    int32_t *master; /* [n_pair] owned: places in the list of masters, ascending for each slave */
    int32_t begin_capacity, master_capacity;
} ew_face_pairs;
/* Fills pairs (zeroed, or of an earlier call). EW_LIMIT where faces have so many pairs that the
 * distance cannot be meant. O((n + pairs) log n). */
ew_status ew_face_pairs_find(ew_face_pairs *pairs, const ew_mesh *mesh, const ew_list *slave,
                             const ew_list *master, double distance);
/* The same by comparing all with all, to check it. */
ew_status ew_face_pairs_compare_all(ew_face_pairs *pairs, const ew_mesh *mesh, const ew_list *slave,
                                    const ew_list *master, double distance);
void ew_face_pairs_free(ew_face_pairs *pairs);

/* Rigid surfaces. Copies all of the definition. EW_BAD_ARGUMENT: a number that is not finite, a
 * radius or a direction of 0; EW_BAD_INPUT: triangles without area, or that do not agree on what is
 * outside. */
typedef struct ew_rigid ew_rigid;
ew_status ew_rigid_create(ew_rigid **rigid, const ew_rigid_def *def);
/* From where it is defined, all motions before being forgotten. */
ew_status ew_rigid_move(ew_rigid *rigid, const ew_rigid_motion *motion);
/* The motion that is so far, from 0 to 1, on the way from one to another: displacements and
 * rotations about the point of the latter in proportion. */
ew_rigid_motion ew_rigid_between(const ew_rigid_motion *from, const ew_rigid_motion *to,
                                 double share);
/* Whether it is of this definition but for motions. */
bool ew_rigid_is_same(const ew_rigid *rigid, const ew_rigid_def *def);
/* What it slides is counted from where it is now on; first from where it is defined. */
void ew_rigid_settle(ew_rigid *rigid);
void ew_rigid_free(ew_rigid *rigid); /* null: nothing */

/* Fills rows (zeroed, or of an earlier call). Faces are compared with those of the earlier call,
 * which is all that it does with most: pairs of faces that differ are searched, and rows of the
 * slave vertices around them made. The result is the same, bit for bit, as on zeroed rows. EW_LIMIT
 * as above; EW_BAD_INPUT where the slaves have a face of area 0, or one too deep in a rigid body.
 */
ew_status ew_contact_build_rows(ew_contact_rows *rows, const ew_mesh *mesh,
                                const ew_topology *topology, const ew_contact_def *def);
/* The same of a contact, and beside it rows of a tie of the same vertices, from the same pairs and
 * points: `tie` is zeroed, or that of the earlier call with these rows. It has vertices, gaps and
 * areas of `rows`, no other pairs, and no arrays for them. */
ew_status ew_contact_build_with_tie(ew_contact_rows *rows, ew_contact_rows *tie,
                                    const ew_mesh *mesh, const ew_topology *topology,
                                    const ew_contact_def *def);
/* The pairs of the last call, borrowed until the next one. */
const ew_face_pairs *ew_contact_pairs(const ew_contact_rows *rows);
void ew_contact_rows_free(ew_contact_rows *rows);

EW_END_API
#endif
