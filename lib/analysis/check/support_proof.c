/* The component check by a proof. In: a proof, or none, mesh, tables and constraints. Out: that no
 * component is under-constrained, or which are; where a full check was necessary, a new proof
 * (support.c says what it is and follows edits). */
#include "analysis/check/components.h"

#include <string.h>

/* Whether the witnesses fix every component where they are now. They must do so more clearly than a
 * full check asks for, for center and radius may be a little behind. */
static bool witnesses_suffice(const ew_support *support, const ew_mesh *mesh,
                              const ew_constraints *constraints)
{
    bool good = true;
    for (int32_t c = 0; c < support->n_component && good; c++) {
        const struct ew_supported *component = &support->component[c];
        ew_rigid body = {.radius = component->radius};
        memcpy(body.center, component->center, sizeof body.center);
        for (int32_t k = 0; k < component->n_witness; k++) {
            int32_t v = component->witness[k].vertex;
            ew_rigid_support(&body, mesh->xyz + 3 * (size_t)v, constraints, v, 10.0 * EW_SPAN_ZERO);
        }
        good = body.n_row == 6;
    }
    return good;
}

static void take_witnesses(const ew_component_search *search, const ew_topology *topology,
                           int32_t c, struct ew_supported *component)
{
    const ew_rigid *body = &search->body[c];
    const ew_rows *rows = &topology->vertex_to_tet;
    memcpy(component->center, body->center, sizeof component->center);
    component->radius = body->radius;
    component->n_witness = 0;
    for (int k = 0; k < 6; k++) {
        int32_t v = body->vertex[k], t = -1;
        for (int32_t i = 0; i < rows->count[v] && t < 0; i++) {
            int32_t at = rows->item[rows->begin[v] + i];
            t = search->component[at] == c ? at : -1;
        }
        int32_t n = component->n_witness;
        if (n == 0 || component->witness[n - 1].vertex != v) {
            component->witness[component->n_witness++] = (ew_witness){v, t};
        }
    }
}

static int32_t count_free_tets(int32_t n_free, const ew_free_component *free)
{
    int32_t n = 0;
    for (int32_t i = 0; i < n_free; i++) {
        n += free[i].n_tet;
    }
    return n;
}

/* A proof of all components that are not free, unless one of them is constrained only with the help
 * of others. */
static ew_status prove(ew_support *support, const ew_component_search *search,
                       const ew_topology *topology, int32_t n_free, const ew_free_component *free)
{
    const int32_t n = search->n_component;
    support->n_component = 0;
    EW_TRY(
        ew_grow(&support->component, &support->component_capacity, n, sizeof *support->component));
    for (int32_t c = 0; c < n; c++) {
        bool own = true;
        if (search->body[c].n_row < 6) {
            continue; /* it is free */
        }
        for (int k = 0; k < 6; k++) {
            own = own && search->body[c].vertex[k] >= 0;
        }
        if (!own) {
            return EW_OK;
        }
        take_witnesses(search, topology, c, &support->component[support->n_component++]);
    }
    support->n_free_tet = count_free_tets(n_free, free);
    support->revision = search->mesh->revision;
    return EW_OK;
}

static bool is_supported(const ew_support *support, const ew_mesh *mesh,
                         const ew_topology *topology, const ew_constraints *constraints)
{
    return support->revision && support->revision == mesh->revision && support->n_free_tet == 0 &&
           constraints->n_vertex == mesh->n_vertex &&
           topology->pattern.revision == mesh->revision &&
           witnesses_suffice(support, mesh, constraints);
}

/* By a search of all tets. free: components that are under-constrained are listed there, *n_free of
 * them; null: one is a failure. */
static ew_status find_proof(ew_support *support, ew_component_search *search, const ew_mesh *mesh,
                            const ew_topology *topology, const ew_constraints *constraints,
                            ew_free_component **free, int32_t *n_free)
{
    support->revision = 0;
    EW_TRY(ew_component_search_run(search, mesh, topology, constraints));
    EW_TRY(free ? ew_component_search_list(search, free, n_free)
                : ew_component_search_verdict(search));
    return prove(support, search, topology, *n_free, free ? *free : NULL);
}

ew_status ew_support_require(ew_support *support, const ew_mesh *mesh, const ew_topology *topology,
                             const ew_constraints *constraints)
{
    if (is_supported(support, mesh, topology, constraints)) {
        return EW_OK;
    }
    ew_component_search search = {0};
    const ew_status status =
        find_proof(support, &search, mesh, topology, constraints, NULL, &(int32_t){0});
    ew_component_search_free(&search);
    return status;
}

ew_status ew_support_find_free(ew_support *support, const ew_mesh *mesh,
                               const ew_topology *topology, const ew_constraints *constraints,
                               int32_t *component, ew_free_component **free, int32_t *n_free)
{
    *free = NULL;
    *n_free = 0;
    if (is_supported(support, mesh, topology, constraints)) {
        return EW_OK;
    }
    ew_component_search search = {0};
    const ew_status status =
        find_proof(support, &search, mesh, topology, constraints, free, n_free);
    if (!status && *n_free) {
        memcpy(component, search.component, (size_t)mesh->n_tet * sizeof *component);
    }
    if (status) {
        ew_release(*free);
        *free = NULL;
        *n_free = 0;
    }
    ew_component_search_free(&search);
    return status;
}
