/* RBE2 and RBE3 of bulk data. In: the cards. Out: rigid bodies and distributing couplings of a
 * keyword deck (deck/deck_couplings.c). Tets have no rotations: of a node that is in none
 * components 4 to 6 are the rotation of the body, or of the mean of the nodes. */
#include "scene/nastran/nastran.h"

#include <stdio.h>
#include <string.h>

/* A weight, which has a point; a node's number has none. */
static bool is_real(const char *text)
{
    return strchr(text, '.') != NULL;
}

static ew_status read_reference(nastran *n, int32_t field, int64_t *node)
{
    EW_TRY(ew_bulk_int(&n->bulk, field, "a node's number", 1, node));
    return nastran_find_node(n, *node) ? ew_list_push(&n->rigid_reference, (int32_t)*node)
                                       : nastran_fail(n, "there is no GRID %lld", (long long)*node);
}

/* UM, ALPHA: where the nodes end. */
static bool is_word(const char *text)
{
    return *text >= 'A' && strcmp(text, "THRU") != 0;
}

static bool is_range(const nastran *n, int32_t field)
{
    return field + 2 < n->bulk.n && !strcmp(ew_bulk_text(&n->bulk, field + 1), "THRU");
}

/* One node, or first THRU last, of which there may be less. */
static ew_status put_members(nastran *n, int32_t field, const char *weight)
{
    const char *comma = *weight ? ", " : "";
    int64_t first, last;
    EW_TRY(ew_bulk_int(&n->bulk, field, "a node's number", 1, &first));
    if (!is_range(n, field)) {
        if (!nastran_find_node(n, first)) {
            return nastran_fail(n, "there is no GRID %lld", (long long)first);
        }
        nastran_line(n, "%lld%s%s", (long long)first, comma, weight);
        return EW_OK;
    }
    EW_TRY(ew_bulk_int(&n->bulk, field + 2, "a node's number", first, &last));
    for (int32_t i = 0; i < n->n_node; i++) {
        if (n->node[i][0] >= (double)first && n->node[i][0] <= (double)last) {
            nastran_line(n, "%lld%s%s", (long long)n->node[i][0], comma, weight);
        }
    }
    return EW_OK;
}

static bool has_displacements(const char *components)
{
    return strchr(components, '1') && strchr(components, '2') && strchr(components, '3');
}

ew_status nastran_put_rbe2(nastran *n)
{
    int64_t reference;
    if (!has_displacements(ew_bulk_text(&n->bulk, 2))) {
        nastran_note(n,
                     "left out: it ties components %s alone; those of a rigid body, 123, are read",
                     ew_bulk_text(&n->bulk, 2));
        return EW_OK;
    }
    EW_TRY(read_reference(n, 1, &reference));
    nastran_line(n, "*NSET, NSET=RBE%s", ew_bulk_text(&n->bulk, 0));
    for (int32_t at = 3; at < n->bulk.n && !is_real(ew_bulk_text(&n->bulk, at)) &&
                         !is_word(ew_bulk_text(&n->bulk, at));
         at++) { /* a real: expansion */
        EW_TRY(*ew_bulk_text(&n->bulk, at) ? put_members(n, at, "") : EW_OK);
        at += is_range(n, at) ? 2 : 0;
    }
    nastran_line(n, "*RIGID BODY, NSET=RBE%s, REF NODE=%lld", ew_bulk_text(&n->bulk, 0),
                 (long long)reference);
    *n->keyword = 0;
    return EW_OK;
}

/* RBE3 number - reference components weight components nodes, again from the weight on. */
ew_status nastran_put_rbe3(nastran *n)
{
    int64_t reference;
    char weight[40] = "";
    for (int32_t at = 4; at < n->bulk.n && !is_word(ew_bulk_text(&n->bulk, at)); at++) {
        const char *text = ew_bulk_text(&n->bulk, at);
        if (is_real(text) && !has_displacements(ew_bulk_text(&n->bulk, at + 1))) {
            nastran_note(n,
                         "left out: a weight is of components %s; those of displacements, 123, "
                         "are read",
                         ew_bulk_text(&n->bulk, at + 1));
            return EW_OK;
        }
    }
    EW_TRY(read_reference(n, 2, &reference));
    nastran_line(n, "*ELEMENT, TYPE=DCOUP3D, ELSET=RBE%s", ew_bulk_text(&n->bulk, 0));
    nastran_line(n, "%lld, %lld", (long long)(n->tet[n->n_tet - 1].number + n->rigid_reference.n),
                 (long long)reference);
    nastran_line(n, "*DISTRIBUTING COUPLING, ELSET=RBE%s", ew_bulk_text(&n->bulk, 0));
    for (int32_t at = 4; at < n->bulk.n && !is_word(ew_bulk_text(&n->bulk, at)); at++) {
        const char *text = ew_bulk_text(&n->bulk, at);
        double value;
        if (is_real(text)) {
            EW_TRY(ew_bulk_real(&n->bulk, at++, "a weight", 1.0, &value));
            snprintf(weight, sizeof weight, "%.17g", value);
        } else {
            EW_TRY(*text ? put_members(n, at, weight) : EW_OK);
            at += is_range(n, at) ? 2 : 0;
        }
    }
    *n->keyword = 0;
    return EW_OK;
}

bool nastran_is_reference(const nastran *n, int64_t node)
{
    bool found = false;
    for (int32_t i = 0; i < n->rigid_reference.n && !found; i++) {
        found = n->rigid_reference.id[i] == node;
    }
    return found;
}
