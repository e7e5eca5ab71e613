/* Reports under-constrained components. In: a search. Out: for each its size, a vertex and the
 * rigid-body mode left free; or one message about the first. */
#include "analysis/check/components.h"

#include <stdio.h>
#include <string.h>

enum { NEAR_CONSTRAINED = 16 }; /* bit of `fixed`: a constrained component has the vertex */

/* mark: place in the list, or -1. The vertex named is the first of the component's tets that no
 * constrained component has, so that it lies off the points it hangs on. */
static void name_vertices(ew_component_search *in, ew_free_component *free)
{
    for (int32_t v = 0; v < in->mesh->n_vertex; v++) {
        for (int32_t i = in->vertex_begin[v]; i < in->vertex_begin[v + 1]; i++) {
            bool constrained = in->mark[in->vertex_component.id[i]] < 0;
            in->fixed[v] = (uint8_t)(in->fixed[v] | (constrained ? NEAR_CONSTRAINED : 0));
        }
    }
    for (int32_t t = 0; t < in->mesh->n_tet; t++) {
        if (in->component[t] < 0 || in->mark[in->component[t]] < 0) {
            continue;
        }
        ew_free_component *of = &free[in->mark[in->component[t]]];
        of->n_tet++;
        for (int k = 0; k < 4; k++) {
            int32_t v = in->mesh->tet[4 * (size_t)t + k];
            bool better = of->vertex < 0 || (in->fixed[of->vertex] & NEAR_CONSTRAINED &&
                                             !(in->fixed[v] & NEAR_CONSTRAINED));
            of->vertex = better ? v : of->vertex;
        }
    }
}

ew_status ew_component_search_list(ew_component_search *in, ew_free_component **free,
                                   int32_t *n_free)
{
    int32_t n = 0;
    ew_free_component *list = NULL;
    for (int32_t p = 0; p < in->n_component; p++) {
        in->mark[p] = in->body[p].n_row == 6 ? -1 : n++;
    }
    if (n) {
        EW_TRY(ew_new_zero(&list, (size_t)n, sizeof *list));
    }
    for (int32_t p = 0; p < in->n_component; p++) {
        if (in->mark[p] >= 0) {
            list[in->mark[p]].component = p;
            list[in->mark[p]].vertex = -1;
            ew_rigid_describe(&in->body[p], &list[in->mark[p]]);
        }
    }
    if (n) {
        name_vertices(in, list);
    }
    *free = list;
    *n_free = n;
    return EW_OK;
}

ew_status ew_component_search_verdict(ew_component_search *search)
{
    const ew_mesh *mesh = search->mesh;
    ew_free_component *free = NULL;
    int32_t n = 0;
    char more[80] = "";
    EW_TRY(ew_component_search_list(search, &free, &n));
    if (!n) {
        return EW_OK;
    }
    if (n > 1) {
        snprintf(more, sizeof more, "; %d more component%s under-constrained", n - 1,
                 n > 2 ? "s are" : " is");
    }
    const char *advice =
        n < search->n_component ? "constrain it, weld it to the rest, or leave under-constrained "
                                  "components out"
        : n > 1 ? "constrain the components; none is constrained, so that none can be "
                  "left out"
                : "constrain it; it is the whole body, which cannot be left out";
    const double *x = mesh->xyz + 3 * (size_t)free->vertex;
    ew_status status =
        ew_fail(EW_UNDER_CONSTRAINED,
                "the component of %d tet%s with vertex %lld at (%.6g, %.6g, %.6g) %s%s: %s",
                free->n_tet, free->n_tet == 1 ? "" : "s", (long long)mesh->vertex_id[free->vertex],
                x[0], x[1], x[2], free->text, more, advice);
    ew_release(free);
    return status;
}

ew_status ew_find_free_components(const ew_mesh *mesh, const ew_topology *topology,
                                  const ew_constraints *constraints, int32_t *component,
                                  ew_free_component **free, int32_t *n_free)
{
    ew_component_search search = {0};
    ew_status status = ew_component_search_run(&search, mesh, topology, constraints);
    if (!status) {
        status = ew_component_search_list(&search, free, n_free);
    }
    if (!status && component && mesh->n_tet) {
        memcpy(component, search.component, (size_t)mesh->n_tet * sizeof *component);
    }
    ew_component_search_free(&search);
    return status;
}

ew_status ew_require_constrained(const ew_mesh *mesh, const ew_topology *topology,
                                 const ew_constraints *constraints)
{
    ew_component_search search = {0};
    ew_status status = ew_component_search_run(&search, mesh, topology, constraints);
    if (!status) {
        status = ew_component_search_verdict(&search);
    }
    ew_component_search_free(&search);
    return status;
}
