/* Bulk data to a keyword deck. In: case control and cards. Out: nodes, elements, materials and
 * sections of the deck, a step for each subcase; cards that have no counterpart are noted, each
 * kind once. */
#include "scene/nastran/nastran.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- case control --------------------------------------------------------------------------- */

/* Whether the line begins with the word, behind which no letter follows; *rest: behind it. */
static bool begins_with(const char *line, const char *word, const char **rest)
{
    while (*word && (*line == *word || (*line >= 'a' && *line <= 'z' && *line - 32 == *word))) {
        line++;
        word++;
    }
    *rest = line;
    const char c = *line & ~32;
    return !*word && !(c >= 'A' && c <= 'Z');
}

/* The number behind "=", or that the rest is; 0: there is none. */
static int64_t number_of(const char *rest)
{
    const char *equals = strchr(rest, '=');
    const long long value = strtoll(equals ? equals + 1 : rest, NULL, 10);
    return value > 0 && value <= INT32_MAX ? value : 0;
}

static ew_status add_subcase(nastran *n, int64_t line)
{
    EW_TRY(
        ew_grow(&n->subcase, &n->subcase_capacity, (int64_t)n->n_subcase + 1, sizeof *n->subcase));
    n->subcase[n->n_subcase] = n->n_subcase ? n->subcase[0] : (nastran_subcase){0};
    n->subcase[n->n_subcase++].line = line;
    return EW_OK;
}

static ew_status read_control_line(nastran *n, const char *line, int64_t number)
{
    const char *rest;
    if (begins_with(line, "SUBCASE", &rest)) {
        return add_subcase(n, number);
    }
    nastran_subcase *now = &n->subcase[n->n_subcase - 1];
    if (begins_with(line, "SOL", &rest)) {
        const bool statics = strstr(rest, "STATIC") || strstr(rest, "static");
        n->solution = statics ? 101 : number_of(rest);
    } else if (begins_with(line, "LOAD", &rest)) {
        now->load = number_of(rest);
    } else if (begins_with(line, "SPC", &rest)) {
        now->spc = number_of(rest);
    } else if (begins_with(line, "METHOD", &rest)) {
        now->method = number_of(rest);
    } else if ((begins_with(line, "TEMP", &rest) || begins_with(line, "TEMPERATURE", &rest)) &&
               !strstr(rest, "INIT") && !strstr(rest, "MATE")) {
        now->temperature = number_of(rest);
    }
    n->has_selection = n->has_selection || now->load || now->spc || now->temperature;
    return EW_OK;
}

static ew_status read_control(nastran *n, const char *end)
{
    int64_t number = 1;
    EW_TRY(add_subcase(n, 1));
    for (const char *at = n->input->file->data; at < end; number++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        char line[81] = "";
        while (at < end && (*at == ' ' || *at == '\t')) {
            at++;
        }
        for (int i = 0; i < 80 && at + i < end && at[i] != '\n' && at[i] != '\r' && at[i] != '$';
             i++) {
            line[i] = at[i] ? at[i] : ' ';
        }
        EW_TRY(read_control_line(n, line, number));
        at = stop ? stop + 1 : end;
    }
    return EW_OK;
}

/* ---- the cards, pass by pass ---------------------------------------------------------------- */

typedef struct card_reader {
    const char *name;
    ew_status (*read)(nastran *n);
} card_reader;

static void rewind_cards(nastran *n)
{
    n->bulk.at = n->data;
    n->bulk.next_line = n->data_line;
}

/* All cards of the data that one of the readers is for. */
static ew_status pass(nastran *n, const card_reader *reader, int n_reader)
{
    bool more = true;
    rewind_cards(n);
    while (more) {
        EW_TRY(ew_bulk_next(&n->bulk, &more));
        for (int k = 0; k < n_reader && more; k++) {
            EW_TRY(strcmp(reader[k].name, n->bulk.name) ? EW_OK : reader[k].read(n));
        }
    }
    return EW_OK;
}

/* ---- first: what there is ------------------------------------------------------------------- */

static ew_status keep_load(nastran *n, const nastran_load_card *kind, const char *at)
{
    int64_t set = 0;
    if (kind->set_field >= 0) {
        EW_TRY(ew_bulk_int(&n->bulk, kind->set_field, "a set", 1, &set));
    }
    EW_TRY(ew_grow(&n->load, &n->load_capacity, (int64_t)n->n_load + 1, sizeof *n->load));
    n->load[n->n_load++] = (nastran_load){kind, set, at, n->bulk.line};
    return EW_OK;
}

static ew_status keep_node(nastran *n)
{
    int64_t number;
    double x[3];
    EW_TRY(ew_bulk_int(&n->bulk, 0, "a node's number", 1, &number));
    const char *system = ew_bulk_text(&n->bulk, 1), *other = ew_bulk_text(&n->bulk, 5);
    if (*system && strcmp(system, "0") != 0) {
        return nastran_fail(
            n, "it is given in coordinate system %s; export all nodes in the basic one", system);
    }
    if (*other && strcmp(other, "0") != 0) {
        return nastran_fail(n,
                            "its displacements are in coordinate system %s; export them in the "
                            "basic one",
                            other);
    }
    for (int c = 0; c < 3; c++) {
        EW_TRY(ew_bulk_real(&n->bulk, 2 + c, "a coordinate", 0.0, &x[c]));
    }
    EW_TRY(ew_grow(&n->node, &n->node_capacity, (int64_t)n->n_node + 1, sizeof *n->node));
    double *to = n->node[n->n_node++];
    to[0] = (double)number;
    memcpy(to + 1, x, sizeof x);
    return EW_OK;
}

static ew_status keep_tet(nastran *n)
{
    nastran_tet tet = {.line = n->bulk.line};
    EW_TRY(ew_bulk_int(&n->bulk, 0, "an element's number", 1, &tet.number));
    for (int k = 0; k < 4; k++) {
        EW_TRY(ew_bulk_int(&n->bulk, 2 + k, "a node's number", 1, &tet.node[k]));
    }
    EW_TRY(ew_grow(&n->tet, &n->tet_capacity, (int64_t)n->n_tet + 1, sizeof *n->tet));
    n->tet[n->n_tet++] = tet;
    return EW_OK;
}

/* Solids that are no tets and files are refused as where the mesh alone is read (bdf.c). */
static ew_status note_card(nastran *n)
{
    static const char *const solids[] = {"CHEXA", "CPENTA", "CPYRAM", "CPYRA"};
    char seen[64];
    for (size_t i = 0; i < sizeof solids / sizeof *solids; i++) {
        if (!strcmp(n->bulk.name, solids[i])) {
            return nastran_fail(n, "only tets (CTETRA) are read: mesh the part with tets");
        }
    }
    if (!strcmp(n->bulk.name, "INCLUDE")) {
        return nastran_fail(n, "it is not followed; export the model as one file");
    }
    snprintf(seen, sizeof seen, ": %s: left out, as all of its kind\n", n->bulk.name);
    if (!n->notes.n || !strstr(n->notes.text, seen)) {
        nastran_note(n, "left out, as all of its kind");
    }
    return EW_OK;
}

static int compare_tets(const void *a, const void *b)
{
    const int64_t x = ((const nastran_tet *)a)->number, y = ((const nastran_tet *)b)->number;
    return (x > y) - (x < y);
}

static int compare_nodes(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static ew_status check_corners(const nastran *n)
{
    for (int32_t i = 0; i < 4 * n->n_tet; i++) {
        const nastran_tet *tet = &n->tet[i / 4];
        if (!nastran_find_node(n, tet->node[i % 4])) {
            return ew_fail_at(EW_BAD_INPUT, (int32_t)tet->line,
                              "CTETRA names GRID %lld, which the file does not have",
                              (long long)tet->node[i % 4]);
        }
    }
    return EW_OK;
}

static ew_status keep_cards(nastran *n)
{
    static const card_reader readers[] = {{"GRID", keep_node}, {"CTETRA", keep_tet}};
    EW_TRY(pass(n, readers, 2));
    if (!n->n_tet) {
        return ew_fail_at(EW_BAD_INPUT, (int32_t)n->bulk.next_line,
                          "the file has no tets (CTETRA); mesh the volume before it is exported");
    }
    qsort(n->tet, (size_t)n->n_tet, sizeof *n->tet, compare_tets);
    qsort(n->node, (size_t)n->n_node, sizeof *n->node, compare_nodes);
    return check_corners(n);
}

/* Loads are where they begin in the data: they are read again for each subcase. */
static ew_status keep_loads(nastran *n)
{
    bool more;
    const char *at;
    rewind_cards(n);
    do {
        at = n->bulk.at;
        EW_TRY(ew_bulk_next(&n->bulk, &more));
        const nastran_load_card *kind = more ? nastran_load_card_of(n->bulk.name) : NULL;
        const bool bears = kind && (kind->set_field >= 0 || *ew_bulk_text(&n->bulk, 6));
        EW_TRY(bears ? keep_load(n, kind, at) : EW_OK);
    } while (more);
    return EW_OK;
}

/* ---- the deck -------------------------------------------------------------------------------- */

static ew_status put_node(nastran *n)
{
    double x[3];
    for (int c = 0; c < 3; c++) {
        EW_TRY(ew_bulk_real(&n->bulk, 2 + c, "a coordinate", 0.0, &x[c]));
    }
    nastran_keyword(n, "NODE, NSET=NALL");
    nastran_line(n, "%s, %.17g, %.17g, %.17g", ew_bulk_text(&n->bulk, 0), x[0], x[1], x[2]);
    return EW_OK;
}

/* Both number the middles of sides in one order. */
static ew_status put_tet(nastran *n)
{
    int64_t property = 0, node[10];
    char keyword[64], line[200] = "";
    const int count = *ew_bulk_text(&n->bulk, 6) ? 10 : 4;
    EW_TRY(*ew_bulk_text(&n->bulk, 1) ? ew_bulk_int(&n->bulk, 1, "a property", 0, &property)
                                      : EW_OK);
    for (int k = 0, at = 0; k < count; k++) {
        EW_TRY(ew_bulk_int(&n->bulk, 2 + k, "a node's number", 1, &node[k]));
        at += snprintf(line + at, sizeof line - (size_t)at, ", %lld", (long long)node[k]);
    }
    snprintf(keyword, sizeof keyword, "ELEMENT, TYPE=C3D%d, ELSET=P%lld", count,
             (long long)property);
    EW_TRY(strcmp(n->keyword, keyword) ? ew_list_push(&n->property, (int32_t)property) : EW_OK);
    nastran_keyword(n, keyword);
    nastran_line(n, "%s%s", ew_bulk_text(&n->bulk, 0), line);
    return EW_OK;
}

/* MAT1 number E G nu density expansion reference; of E, G and nu one may be blank. */
static ew_status put_material(nastran *n)
{
    static const char *const what[7] = {
        "",        "Young's modulus", "a shear modulus", "Poisson's ratio",
        "density", "an expansion",    "a temperature"};
    double v[7] = {0.0};
    for (int k = 1; k < 7; k++) {
        EW_TRY(ew_bulk_real(&n->bulk, k, what[k], 0.0, &v[k]));
    }
    const bool has[4] = {true, *ew_bulk_text(&n->bulk, 1) != 0, *ew_bulk_text(&n->bulk, 2) != 0,
                         *ew_bulk_text(&n->bulk, 3) != 0};
    if (!has[1] && has[2]) {
        v[1] = 2.0 * v[2] * (1.0 + v[3]);
    } else if (has[1] && has[2] && !has[3] && v[2] != 0.0) {
        v[3] = 0.5 * v[1] / v[2] - 1.0;
    } else if (has[1] && has[2] && has[3] && v[2] != 0.0 &&
               v[1] / (2.0 * v[2] * (1.0 + v[3])) != 1.0) {
        nastran_note(n, "its shear modulus is left out: E and nu are read");
    }
    if (n->n_reference++ && n->reference != v[6]) {
        nastran_note(n, "its reference temperature is left out: that of the first MAT1 is read");
    } else {
        n->reference = v[6];
    }
    nastran_line(n, "*MATERIAL, NAME=M%s", ew_bulk_text(&n->bulk, 0));
    nastran_line(n, "*ELASTIC\n%.17g, %.17g", v[1], v[3]);
    nastran_line(n, "*DENSITY\n%.17g", v[4]);
    nastran_line(n, "*EXPANSION\n%.17g", v[5]);
    *n->keyword = 0;
    return EW_OK;
}

/* A section where its property has tets. */
static ew_status put_section(nastran *n)
{
    int64_t number;
    bool is_used = false;
    EW_TRY(ew_bulk_int(&n->bulk, 0, "a property", 0, &number));
    for (int32_t i = 0; i < n->property.n; i++) {
        is_used = is_used || n->property.id[i] == number;
    }
    if (is_used) {
        nastran_line(n, "*SOLID SECTION, ELSET=P%s, MATERIAL=M%s", ew_bulk_text(&n->bulk, 0),
                     ew_bulk_text(&n->bulk, 1));
        *n->keyword = 0;
    }
    return EW_OK;
}

/* Modes that the EIGRL of a set asks for. */
static ew_status count_modes(nastran *n, int64_t set, int64_t *count)
{
    bool more = true;
    *count = 10;
    rewind_cards(n);
    while (more) {
        EW_TRY(ew_bulk_next(&n->bulk, &more));
        if (more && !strcmp(n->bulk.name, "EIGRL") && atoll(ew_bulk_text(&n->bulk, 0)) == set &&
            *ew_bulk_text(&n->bulk, 3)) {
            return ew_bulk_int(&n->bulk, 3, "a number of modes", 1, count);
        }
    }
    return EW_OK;
}

static ew_status put_step(nastran *n, const nastran_subcase *of)
{
    const bool vibrates = n->solution == 103, buckles = n->solution == 105 && of->method;
    int64_t count = 0;
    EW_TRY(vibrates || buckles ? count_modes(n, of->method, &count) : EW_OK);
    n->bulk.line = of->line;
    nastran_line(n, "*STEP");
    nastran_keyword(n, vibrates ? "FREQUENCY" : buckles ? "BUCKLE" : "STATIC");
    if (vibrates || buckles) {
        nastran_line(n, "%lld", (long long)count);
    }
    EW_TRY(nastran_put_supports(n, of));
    EW_TRY(vibrates ? EW_OK : nastran_put_loads(n, of));
    nastran_line(n, "*END STEP");
    *n->keyword = 0;
    return EW_OK;
}

static bool has_temperatures(const nastran *n)
{
    bool any = false;
    for (int32_t i = 0; i < n->n_load; i++) {
        any = any || !strncmp(n->load[i].kind->name, "TEMP", 4);
    }
    return any;
}

static ew_status put_deck(nastran *n)
{
    static const card_reader nodes = {"GRID", put_node}, tets = {"CTETRA", put_tet},
                             materials = {"MAT1", put_material}, sections = {"PSOLID", put_section};
    static const card_reader rigid[2] = {{"RBE2", nastran_put_rbe2}, {"RBE3", nastran_put_rbe3}};
    EW_TRY(pass(n, &nodes, 1));
    EW_TRY(pass(n, &tets, 1));
    ew_list_sort_unique(&n->property);
    nastran_line(n, "*ELSET, ELSET=EALL, GENERATE");
    nastran_line(n, "%lld, %lld", (long long)n->tet[0].number,
                 (long long)n->tet[n->n_tet - 1].number);
    EW_TRY(pass(n, &materials, 1));
    EW_TRY(pass(n, &sections, 1));
    EW_TRY(pass(n, rigid, 2));
    n->bulk.line = 1;
    if (has_temperatures(n)) {
        nastran_line(n, "*INITIAL CONDITIONS, TYPE=TEMPERATURE\nNALL, %.17g", n->reference);
    }
    if (n->solution != 101 && n->solution != 103 && n->solution != 105) {
        nastran_note(n, "SOL %lld is read as 101, linear statics; 103 and 105 are read, too",
                     (long long)n->solution);
    }
    if (!n->has_selection && n->n_load) {
        nastran_note(n, "no subcase selects loads or supports; all of them act together");
    }
    for (int32_t i = n->n_subcase > 1; i < n->n_subcase; i++) {
        EW_TRY(put_step(n, &n->subcase[i]));
    }
    return EW_OK;
}

/* Cards that nothing is read for. */
static ew_status note_rest(nastran *n)
{
    static const char known[] = " GRID CTETRA MAT1 PSOLID EIGRL PARAM MDLPRM RBE2 RBE3 CORD2R CORD2C CORD2S ";
    char word[16];
    bool more = true;
    rewind_cards(n);
    while (more) {
        EW_TRY(ew_bulk_next(&n->bulk, &more));
        snprintf(word, sizeof word, " %s ", n->bulk.name);
        const bool is_known = strstr(known, word) || nastran_load_card_of(n->bulk.name);
        EW_TRY(more && !is_known ? note_card(n) : EW_OK);
    }
    return EW_OK;
}

ew_status nastran_read(nastran *n)
{
    const ew_bytes *file = n->input->file;
    n->solution = 101;
    n->bulk = ew_bulk_begin(file->data, file->size);
    const bool has_control = ew_bulk_skip_control(&n->bulk);
    n->data = n->bulk.at;
    n->data_line = n->bulk.next_line;
    EW_TRY(read_control(n, has_control ? n->data : file->data));
    EW_TRY(note_rest(n));
    EW_TRY(keep_cards(n));
    EW_TRY(keep_loads(n));
    EW_TRY(put_deck(n));
    return n->deck.status ? n->deck.status : n->notes.status;
}
