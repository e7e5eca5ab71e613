/* Private to lib/assembly: the two ways to compute the blocks of tets. */
#ifndef EW_ASSEMBLY_BLOCKS_H
#define EW_ASSEMBLY_BLOCKS_H

#include "assembly/parts/assembly.h"

EW_PREFETCHER void ew_prefetch_block(const double *block)
{
    EW_PREFETCH(block);
    EW_PREFETCH(block + 8);
}

/* Data of sources over tets: tables of the present mesh, a material for every region.
 * (assembly.c) */
ew_status ew_assembly_check_tets(const ew_source *source, const ew_mesh *mesh,
                                 const ew_materials *materials);
/* How many kinds ew_source.constants is asked about: n, or all there are. */
int32_t ew_assembly_n_kind(int32_t n, const ew_mesh *mesh, const ew_materials *materials);

/* Which blocks a loop computes, a bit per slot, and the tets it must visit for them, ascending. */
typedef struct ew_marks {
    uint64_t *vertex, *edge; /* owned */
    uint64_t *whole;         /* owned: tets of which all blocks are computed */
    ew_list tet;             /* owned */
} ew_marks;

/* Runs the element loop over the marked blocks, or all of them when `marks` is null, visiting each
 * tet once per thread that owns one of its vertices. The other blocks keep their values.
 * (element_loop.c)
 */
void ew_assembly_loop(const ew_stiffness *from, ew_matrix *matrix, const ew_marks *marks);
/* Gathers the blocks that the change names one by one. (gather.c) */
void ew_assembly_gather(const ew_stiffness *from, ew_matrix *matrix,
                        const ew_pattern_change *change);
/* Gathers the diagonal blocks of the rows, of all when it is null. (gather.c) */
void ew_assembly_gather_diagonal(const ew_stiffness *from, ew_matrix *matrix, const ew_list *row);

/* The ground of the rows, of all when it is null, on top of their diagonal blocks; no effect where
 * it is null. A row without tets is the identity, whatever holds its vertex. (foundation.c) */
void ew_assembly_add_ground(const double *ground, const ew_topology *topology, ew_matrix *matrix,
                            const ew_list *row);
/* block [3][3] += sign times the turn cross x. (follower.c) */
void ew_follower_add_turn(const double turn[3], double sign, double *block);
/* EW_STALE where a ground is not of the mesh as it is. (foundation.c) */
ew_status ew_assembly_check_ground(const ew_source *source, const ew_mesh *mesh,
                                   const double *ground, uint64_t revision);

/* EW_STALE unless there are records of all tets; null: it is of no nonlinear body. (tangent.c) */
ew_status ew_assembly_check_records(const ew_source *source, const ew_mesh *mesh,
                                    const ew_internal_force *internal_force);
/* block [3][3] += the tangent of a live tet between two functions, given by their corners, that of
 * a corner by it twice: of a body with four points a tet. (tangent.c) */
void ew_tangent_add_functions(const ew_internal_force *internal_force, int32_t tet, const int8_t *i,
                              const int8_t *j, double *block);

/* Numbers of a group of tets in the list of a product of quadratic tets: corners, edges, region. */
enum { EW_GROUP_TETS = 4, EW_GROUP_NODES = 10, EW_GROUP_NUMBERS = 11 };

#endif
