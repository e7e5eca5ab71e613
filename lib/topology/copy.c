/* Copies of tables and boundaries, for what starts again from where it once was: into memory that
 * is there, without what their last update did. */
#include "topology/parts/topology.h"

ew_status ew_topology_copy(ew_topology *copy, const ew_topology *topology)
{
    EW_TRY(ew_pattern_copy(&copy->pattern, &topology->pattern));
    EW_TRY(ew_rows_copy(&copy->edge_to_tet, &topology->edge_to_tet));
    EW_TRY(ew_rows_copy(&copy->vertex_to_tet, &topology->vertex_to_tet));
    EW_TRY(ew_grow_copy(&copy->tet_to_edge, &copy->tet_capacity, topology->tet_to_edge,
                        topology->n_tet, 6 * sizeof *copy->tet_to_edge));
    copy->n_tet = topology->n_tet;
    ew_pattern_change_free(&copy->touched);
    return EW_OK;
}

ew_status ew_boundary_copy(ew_boundary *copy, const ew_boundary *boundary)
{
    copy->revision = 0;
    EW_TRY(ew_grow_copy(&copy->code, &copy->slot_capacity, boundary->code, boundary->n_slot,
                        sizeof *copy->code));
    EW_TRY(ew_list_copy(&copy->hole, &boundary->hole));
    EW_TRY(ew_grow_copy(&copy->tet_group, &copy->tet_capacity, boundary->tet_group, boundary->n_tet,
                        sizeof *copy->tet_group));
    EW_TRY(ew_grow_copy(&copy->group_slot, &copy->group_capacity, boundary->group_slot,
                        boundary->n_group, 4 * sizeof *copy->group_slot));
    EW_TRY(ew_list_copy(&copy->group_hole, &boundary->group_hole));
    copy->removed.n = copy->added.n = copy->from.n = copy->kept.n = 0;
    copy->n_slot = boundary->n_slot;
    copy->n_live = boundary->n_live;
    copy->n_tet = boundary->n_tet;
    copy->n_group = boundary->n_group;
    copy->revision = boundary->revision;
    return EW_OK;
}
