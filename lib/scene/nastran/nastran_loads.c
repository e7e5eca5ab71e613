/* Supports and loads of bulk data. In: the cards of a set. Out: lines of a keyword deck
 * (deck/deck_loads.c), which makes a case of both kinds of deck. */
#include "scene/nastran/nastran.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double two_pi = 6.283185307179586;

/* Coordinate systems but the basic one are not read. */
static bool is_basic(nastran *n, int32_t field)
{
    const char *system = ew_bulk_text(&n->bulk, field);
    const bool basic = !*system || !strcmp(system, "0");
    if (!basic) {
        nastran_note(n, "left out: it is given in coordinate system %s; the basic one is read",
                     system);
    }
    return basic;
}

/* The number of a GRID that there is. */
static ew_status read_node(nastran *n, int32_t field, int64_t *node)
{
    EW_TRY(ew_bulk_int(&n->bulk, field, "a node's number", 1, node));
    return nastran_find_node(n, *node) ? EW_OK
                                       : nastran_fail(n, "there is no GRID %lld", (long long)*node);
}

/* ---- supports ------------------------------------------------------------------------------- */

/* Components as digits, "123456"; those of rotations are of references of rigid bodies. */
static ew_status put_support(nastran *n, int64_t node, const char *components, double value)
{
    nastran_keyword(n, "BOUNDARY");
    for (const char *at = components; *at; at++) {
        if (*at < '0' || *at > '6') {
            return nastran_fail(n, "components '%s' are no digits from 1 to 6", components);
        }
        if (*at >= '1' && (*at <= '3' || nastran_is_reference(n, node))) {
            nastran_line(n, "%lld, %c, %c, %.17g", (long long)node, *at, *at, value);
        }
    }
    return EW_OK;
}

/* SPC set node components value, twice. */
static ew_status write_spc(nastran *n, double scale)
{
    (void)scale;
    for (int32_t at = 1; at == 1 || *ew_bulk_text(&n->bulk, at); at += 3) {
        int64_t node;
        double value;
        EW_TRY(read_node(n, at, &node));
        EW_TRY(ew_bulk_real(&n->bulk, at + 2, "a displacement", 0.0, &value));
        EW_TRY(put_support(n, node, ew_bulk_text(&n->bulk, at + 1), value));
    }
    return EW_OK;
}

/* SPC1 set components nodes, or first THRU last, of which there may be less. */
static ew_status write_spc1(nastran *n, double scale)
{
    const char *components = ew_bulk_text(&n->bulk, 1);
    int64_t first, last;
    (void)scale;
    if (!strcmp(ew_bulk_text(&n->bulk, 3), "THRU")) {
        EW_TRY(ew_bulk_int(&n->bulk, 2, "a node's number", 1, &first));
        EW_TRY(ew_bulk_int(&n->bulk, 4, "a node's number", first, &last));
        for (int32_t i = 0; i < n->n_node; i++) {
            if (n->node[i][0] >= (double)first && n->node[i][0] <= (double)last) {
                EW_TRY(put_support(n, (int64_t)n->node[i][0], components, 0.0));
            }
        }
        return EW_OK;
    }
    for (int32_t at = 2; at < n->bulk.n; at++) {
        if (*ew_bulk_text(&n->bulk, at)) {
            EW_TRY(read_node(n, at, &first));
            EW_TRY(put_support(n, first, components, 0.0));
        }
    }
    return EW_OK;
}

/* GRID number system x y z system components: those are fixed in all subcases. */
static ew_status write_grid(nastran *n, double scale)
{
    int64_t node;
    (void)scale;
    if (!*ew_bulk_text(&n->bulk, 6)) {
        return EW_OK;
    }
    EW_TRY(ew_bulk_int(&n->bulk, 0, "a node's number", 1, &node));
    return put_support(n, node, ew_bulk_text(&n->bulk, 6), 0.0);
}

/* ---- forces --------------------------------------------------------------------------------- */

static ew_status read_vector(nastran *n, int32_t field, double by, double vector[3])
{
    for (int c = 0; c < 3; c++) {
        EW_TRY(ew_bulk_real(&n->bulk, field + c, "a component", 0.0, &vector[c]));
        vector[c] *= by;
    }
    return EW_OK;
}

/* The size in field 3 along x, y, z in those behind it, as components from `first` on. */
static ew_status put_vector(nastran *n, double scale, int64_t node, int first)
{
    double size, vector[3];
    EW_TRY(ew_bulk_real(&n->bulk, 3, "a force", 0.0, &size));
    EW_TRY(read_vector(n, 4, scale * size, vector));
    if (!is_basic(n, 2)) {
        return EW_OK;
    }
    nastran_keyword(n, "CLOAD");
    for (int c = 0; c < 3; c++) {
        if (vector[c] != 0.0) {
            nastran_line(n, "%lld, %d, %.17g", (long long)node, first + c, vector[c]);
        }
    }
    return EW_OK;
}

/* FORCE set node system size x y z. */
static ew_status write_force(nastran *n, double scale)
{
    int64_t node;
    EW_TRY(read_node(n, 1, &node));
    return put_vector(n, scale, node, 1);
}

/* MOMENT, likewise. */
static ew_status write_moment(nastran *n, double scale)
{
    int64_t node;
    EW_TRY(read_node(n, 1, &node));
    if (!nastran_is_reference(n, node)) {
        nastran_note(n,
                     "left out: nodes of tets take no moment; give the faces forces in its place");
        return EW_OK;
    }
    return put_vector(n, scale, node, 4);
}

/* ---- pressures ------------------------------------------------------------------------------ */

/* A keyword deck names the side opposite corner 3, 2, 0, 1 P1, P2, P3, P4. */
static void put_pressure(nastran *n, const nastran_tet *tet, int opposite, double pressure)
{
    static const int name[4] = {3, 4, 2, 1};
    nastran_keyword(n, "DLOAD");
    nastran_line(n, "%lld, P%d, %.17g", (long long)tet->number, name[opposite], pressure);
}

/* PLOAD4 set element p1 p2 p3 p4 corner-of-the-face corner-opposite system x y z: into the tet. */
static ew_status write_pload4(nastran *n, double scale)
{
    int64_t number, opposite;
    double p[3], direction[3];
    EW_TRY(ew_bulk_int(&n->bulk, 1, "an element", 1, &number));
    EW_TRY(ew_bulk_real(&n->bulk, 2, "a pressure", 0.0, &p[0]));
    EW_TRY(ew_bulk_real(&n->bulk, 3, "a pressure", p[0], &p[1]));
    EW_TRY(ew_bulk_real(&n->bulk, 4, "a pressure", p[0], &p[2]));
    EW_TRY(read_vector(n, 9, 1.0, direction));
    const nastran_tet *tet = nastran_find_tet(n, number);
    if (!tet) {
        nastran_note(n, "left out: element %lld is no tet", (long long)number);
        return EW_OK;
    }
    if (p[1] != p[0] || p[2] != p[0]) {
        nastran_note(n,
                     "left out: its pressure differs from corner to corner; a uniform one is read");
        return EW_OK;
    }
    if (direction[0] != 0.0 || direction[1] != 0.0 || direction[2] != 0.0) {
        nastran_note(n, "left out: it has a direction; a pressure square to the face is read");
        return EW_OK;
    }
    EW_TRY(ew_bulk_int(&n->bulk, 7, "the corner opposite the face", 1, &opposite));
    for (int k = 0; k < 4; k++) {
        if (tet->node[k] == opposite) {
            put_pressure(n, tet, k, scale * p[0]);
            return EW_OK;
        }
    }
    return nastran_fail(n, "GRID %lld is no corner of element %lld", (long long)opposite,
                        (long long)number);
}

/* PLOAD set p corners: along the normal by the right hand. */
static ew_status write_pload(nastran *n, double scale)
{
    int64_t corner[3];
    double p, side[3][3];
    int opposite;
    EW_TRY(ew_bulk_real(&n->bulk, 1, "a pressure", 0.0, &p));
    for (int k = 0; k < 3; k++) {
        EW_TRY(read_node(n, 2 + k, &corner[k]));
    }
    const nastran_tet *tet;
    EW_TRY(nastran_find_face(n, corner, &tet, &opposite));
    if (!tet || *ew_bulk_text(&n->bulk, 5)) {
        nastran_note(n, "left out: its corners are no face of a tet");
        return EW_OK;
    }
    const double *a = nastran_find_node(n, corner[0]);
    const int64_t other[3] = {corner[1], corner[2], tet->node[opposite]};
    for (int k = 0; k < 3; k++) {
        for (int c = 0; c < 3; c++) {
            side[k][c] = nastran_find_node(n, other[k])[1 + c] - a[1 + c];
        }
    }
    double inward = 0.0;
    for (int c = 0; c < 3; c++) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        inward += (side[0][d] * side[1][e] - side[0][e] * side[1][d]) * side[2][c];
    }
    put_pressure(n, tet, opposite, inward > 0.0 ? scale * p : -scale * p);
    return EW_OK;
}

/* ---- on all mass ---------------------------------------------------------------------------- */

static double length_of(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* GRAV set system size x y z. */
static ew_status write_grav(nastran *n, double scale)
{
    double size, g[3];
    EW_TRY(ew_bulk_real(&n->bulk, 2, "an acceleration", 0.0, &size));
    EW_TRY(read_vector(n, 3, scale * size, g));
    const double length = length_of(g);
    if (!is_basic(n, 1) || length == 0.0) {
        return EW_OK;
    }
    nastran_keyword(n, "DLOAD");
    nastran_line(n, "EALL, GRAV, %.17g, %.17g, %.17g, %.17g", length, g[0] / length, g[1] / length,
                 g[2] / length);
    return EW_OK;
}

/* RFORCE set node system turns-per-time x y z method acceleration. */
static ew_status write_rforce(nastran *n, double scale)
{
    int64_t number = 0;
    double turns, axis[3], faster, place[3] = {0.0};
    EW_TRY(*ew_bulk_text(&n->bulk, 1) ? ew_bulk_int(&n->bulk, 1, "a node's number", 0, &number)
                                      : EW_OK);
    EW_TRY(ew_bulk_real(&n->bulk, 3, "turns per time", 0.0, &turns));
    EW_TRY(read_vector(n, 4, 1.0, axis));
    EW_TRY(ew_bulk_real(&n->bulk, 8, "an acceleration", 0.0, &faster));
    const double length = length_of(axis), speed = two_pi * turns * length;
    const double *node = number ? nastran_find_node(n, number) : NULL;
    if (number && !node) {
        return nastran_fail(n, "there is no GRID %lld", (long long)number);
    }
    if (faster != 0.0) {
        nastran_note(n, "the acceleration of the rotation is left out");
    }
    if (!is_basic(n, 2) || speed == 0.0) {
        return EW_OK;
    }
    for (int c = 0; c < 3 && node; c++) {
        place[c] = node[1 + c];
    }
    nastran_keyword(n, "DLOAD");
    nastran_line(n, "EALL, CENTRIF, %.17g, %.17g, %.17g, %.17g, %.17g, %.17g, %.17g",
                 scale * speed * speed, place[0], place[1], place[2], axis[0] / length,
                 axis[1] / length, axis[2] / length);
    return EW_OK;
}

/* ---- temperatures --------------------------------------------------------------------------- */

/* TEMPD set temperature, up to four times: of all nodes that have none of their own. */
static ew_status write_tempd(nastran *n, double scale)
{
    double value;
    (void)scale; /* temperatures are selected by themselves */
    EW_TRY(ew_bulk_real(&n->bulk, 1, "a temperature", 0.0, &value));
    nastran_keyword(n, "TEMPERATURE");
    nastran_line(n, "NALL, %.17g", value);
    return EW_OK;
}

/* TEMP set node temperature, up to three times. */
static ew_status write_temp(nastran *n, double scale)
{
    (void)scale;
    nastran_keyword(n, "TEMPERATURE");
    for (int32_t at = 1; at == 1 || *ew_bulk_text(&n->bulk, at); at += 2) {
        int64_t node;
        double value;
        EW_TRY(read_node(n, at, &node));
        EW_TRY(ew_bulk_real(&n->bulk, at + 1, "a temperature", 0.0, &value));
        nastran_line(n, "%lld, %.17g", (long long)node, value);
    }
    return EW_OK;
}

/* ---- sets of sets --------------------------------------------------------------------------- */

static ew_status put_group(nastran *n, int64_t set, double scale, nastran_group group);

/* SPCADD set sets. */
static ew_status write_spcadd(nastran *n, double scale)
{
    const ew_bulk card = n->bulk; /* the cards of the sets take its place: the fields are kept */
    n->bulk = (ew_bulk){0};
    ew_status status = EW_OK;
    for (int32_t at = 1; at < card.n && !status; at++) {
        int64_t set;
        if (*ew_bulk_text(&card, at)) {
            status = ew_bulk_int(&card, at, "a set", 1, &set);
            status = status ? status : put_group(n, set, scale, NASTRAN_SUPPORTS);
        }
    }
    ew_bulk_free(&n->bulk);
    n->bulk = card;
    return status;
}

/* LOAD set scale scale-of-set set ... */
static ew_status write_load(nastran *n, double scale)
{
    const ew_bulk card = n->bulk;
    double whole;
    EW_TRY(ew_bulk_real(&card, 1, "a factor", 1.0, &whole));
    n->bulk = (ew_bulk){0};
    ew_status status = EW_OK;
    for (int32_t at = 2; at + 1 < card.n && *ew_bulk_text(&card, at + 1) && !status; at += 2) {
        int64_t set;
        double factor;
        status = ew_bulk_real(&card, at, "a factor", 1.0, &factor);
        status = status ? status : ew_bulk_int(&card, at + 1, "a set", 1, &set);
        status = status ? status : put_group(n, set, scale * whole * factor, NASTRAN_LOADS);
    }
    ew_bulk_free(&n->bulk);
    n->bulk = card;
    return status;
}

/* ---- the table ------------------------------------------------------------------------------ */

static const nastran_load_card cards[] = {
    {"GRID", NASTRAN_SUPPORTS, -1, write_grid},
    {"SPC", NASTRAN_SUPPORTS, 0, write_spc},
    {"SPC1", NASTRAN_SUPPORTS, 0, write_spc1},
    {"SPCADD", NASTRAN_COMBINATIONS, 0, write_spcadd},
    {"FORCE", NASTRAN_LOADS, 0, write_force},
    {"MOMENT", NASTRAN_LOADS, 0, write_moment},
    {"PLOAD", NASTRAN_LOADS, 0, write_pload},
    {"PLOAD4", NASTRAN_LOADS, 0, write_pload4},
    {"GRAV", NASTRAN_LOADS, 0, write_grav},
    {"RFORCE", NASTRAN_LOADS, 0, write_rforce},
    {"LOAD", NASTRAN_COMBINATIONS, 0, write_load},
    {"TEMPD", NASTRAN_DEFAULTS, 0, write_tempd},
    {"TEMP", NASTRAN_TEMPERATURES, 0, write_temp},
};
enum { N_CARD = sizeof cards / sizeof *cards };

const nastran_load_card *nastran_load_card_of(const char *name)
{
    for (int k = 0; k < N_CARD; k++) {
        if (!strcmp(cards[k].name, name)) {
            return &cards[k];
        }
    }
    return NULL;
}

/* The card again, to be written. */
static ew_status write_card(nastran *n, const nastran_load *load, double scale)
{
    bool there;
    n->bulk.at = load->at;
    n->bulk.end = n->input->file->data + n->input->file->size;
    n->bulk.next_line = load->line;
    EW_TRY(ew_bulk_next(&n->bulk, &there));
    return there ? load->kind->write(n, scale) : EW_OK;
}

/* Cards of a group in the set; 0: in any. Where it has none that is noted. */
static ew_status put_group(nastran *n, int64_t set, double scale, nastran_group group)
{
    bool any = false;
    for (int32_t i = 0; i < n->n_load; i++) {
        const nastran_load *load = &n->load[i];
        if (load->kind->group == group && load->kind->set_field >= 0 &&
            (!set || load->set == set)) {
            any = true;
            EW_TRY(write_card(n, load, scale));
        }
    }
    if (!any && set && group < NASTRAN_COMBINATIONS) {
        nastran_note(n, "set %lld has no cards that are read", (long long)set);
    }
    return EW_OK;
}

/* The combination of the name that a set is, else its cards. */
static ew_status put_set(nastran *n, int64_t set, const char *combination, nastran_group group)
{
    for (int32_t i = 0; i < n->n_load && set; i++) {
        const nastran_load *load = &n->load[i];
        if (load->set == set && !strcmp(load->kind->name, combination)) {
            return write_card(n, load, 1.0);
        }
    }
    return put_group(n, set, 1.0, group);
}

/* Every subcase begins with none. */
static void begin_kind(nastran *n, const char *keyword)
{
    nastran_line(n, "*%s, OP=NEW", keyword);
    snprintf(n->keyword, sizeof n->keyword, "%s", keyword);
}

ew_status nastran_put_supports(nastran *n, const nastran_subcase *of)
{
    begin_kind(n, "BOUNDARY");
    for (int32_t i = 0; i < n->n_load; i++) {
        EW_TRY(n->load[i].kind->set_field < 0 ? write_card(n, &n->load[i], 1.0) : EW_OK);
    }
    return of->spc || !n->has_selection ? put_set(n, of->spc, "SPCADD", NASTRAN_SUPPORTS) : EW_OK;
}

ew_status nastran_put_loads(nastran *n, const nastran_subcase *of)
{
    begin_kind(n, "CLOAD");
    begin_kind(n, "DLOAD");
    if (of->load || !n->has_selection) {
        EW_TRY(put_set(n, of->load, "LOAD", NASTRAN_LOADS));
    }
    if (of->temperature || !n->has_selection) {
        begin_kind(n, "TEMPERATURE");
        EW_TRY(put_group(n, of->temperature, 1.0, NASTRAN_DEFAULTS));
        EW_TRY(put_group(n, of->temperature, 1.0, NASTRAN_TEMPERATURES));
    }
    return EW_OK;
}
