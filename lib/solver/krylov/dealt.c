/* Rows of a solve dealt to processes: see dealt.h. In: the operator. Out: rows of this process, and
 * the transfers of products. */
#include "solver/krylov/dealt.h"

#include <string.h>

/* ---- rows of this process -------------------------------------------------------- */

static int32_t first_row(const ew_dealt *of, int32_t chunk)
{
    return (int32_t)((int64_t)of->n_row * chunk / of->n_chunk);
}

/* Of chunks [begin, end) this process's stretch. */
static void take_stretch(ew_dealt *of, int k, int32_t begin, int32_t end)
{
    const int64_t n = end - begin, rank = of->peers->rank;
    of->chunk[k][0] = begin + (int32_t)(n * rank / of->peers->n);
    of->chunk[k][1] = begin + (int32_t)(n * (rank + 1) / of->peers->n);
    of->row[k][0] = first_row(of, of->chunk[k][0]);
    of->row[k][1] = first_row(of, of->chunk[k][1]);
}

static ew_status take_rows(ew_dealt *of)
{
    int32_t n_front = 0; /* chunks that begin in the pattern's rows */
    of->n_chunk = ew_sum_chunks(of->n_row);
    while (n_front < of->n_chunk && first_row(of, n_front) < of->n_stored) {
        n_front++;
    }
    take_stretch(of, 0, 0, n_front);
    take_stretch(of, 1, n_front, of->n_chunk);
    const int32_t end = of->row[0][1] < of->n_stored ? of->row[0][1] : of->n_stored;
    of->n_own_stored = end - of->row[0][0];
    of->word = (size_t)of->n_row / 64 + 1;
    EW_TRY(ew_new_zero(&of->own, of->word, sizeof *of->own));
    for (int k = 0; k < 2; k++) {
        for (int32_t row = of->row[k][0]; row < of->row[k][1]; row++) {
            ew_bit_set(of->own, row);
        }
    }
    return EW_OK;
}

/* ---- transfers --------------------------------------------------------------------- */

static ew_status plan(const ew_dealt *of, const uint64_t *has, const uint64_t *needs,
                      ew_transfer **transfer)
{
    *transfer = of->peers->plan(of->peers->user, of->n_row, has, needs);
    return of->peers->status(of->peers->user);
}

ew_status ew_dealt_part_begin(const ew_dealt *dealt, ew_dealt_part *part)
{
    ew_dealt_part_free(dealt->peers, part);
    EW_TRY(ew_new_zero(&part->writes, dealt->word, sizeof *part->writes));
    return ew_new_zero(&part->reads, dealt->word, sizeof *part->reads);
}

ew_status ew_dealt_part_plan(const ew_dealt *dealt, ew_dealt_part *part)
{
    EW_TRY(plan(dealt, dealt->own, part->reads, &part->in));
    return plan(dealt, part->writes, dealt->own, &part->out);
}

void ew_dealt_part_free(ew_peers *peers, ew_dealt_part *part)
{
    peers->free_transfer(part->in);
    peers->free_transfer(part->out);
    ew_release(part->writes);
    ew_release(part->reads);
    memset(part, 0, sizeof *part);
}

static ew_status plan_rows(ew_dealt *of)
{
    uint64_t *needs = NULL;
    const ew_pattern *pattern = of->op->pattern;
    ew_status status = ew_new_zero(&needs, of->word, sizeof *needs);
    EW_TRY_OUT(status);
    for (int32_t i = 0; i < of->n_own_stored; i++) {
        int32_t n;
        const int32_t *item = ew_pattern_items(pattern, of->row[0][0] + i, &n);
        for (int32_t k = 0; k < n; k++) {
            ew_bit_set(needs, item[2 * (size_t)k]);
        }
    }
    EW_TRY_OUT(plan(of, of->own, needs, &of->neighbors));
    memset(needs, -1, of->word * sizeof *needs);
    EW_TRY_OUT(plan(of, of->own, needs, &of->whole));
out:
    ew_release(needs);
    return status;
}

static ew_status plan_edges(ew_dealt *of)
{
    const ew_edge_operator *edges = of->edges;
    if (!edges || !edges->deal) {
        return EW_OK;
    }
    EW_TRY(ew_dealt_part_begin(of, &of->tets));
    EW_TRY(edges->deal(edges->user, of->peers->rank, of->peers->n, of->peers->n_thread,
                       of->tets.writes, of->tets.reads, &of->deals_edges));
    if (!of->deals_edges) {
        return EW_OK;
    }
    EW_TRY(ew_new(&of->written, (size_t)of->n_row, sizeof *of->written));
    for (int32_t row = 0; row < of->n_row; row++) {
        if (ew_bit_has(of->tets.writes, row)) {
            of->written[of->n_written++] = row;
        }
    }
    EW_TRY(ew_dealt_part_plan(of, &of->tets));
    return plan(of, of->own, of->tets.writes, &of->before);
}

/* ---- interface ----------------------------------------------------------------------- */

static uint64_t edge_revision(const ew_operator *op)
{
    int32_t n;
    const double *diagonal;
    uint64_t revision = 0;
    if (op->edges) {
        op->edges->state(op->edges->user, &n, &diagonal, &revision);
    }
    return revision;
}

static bool is_for(const ew_dealt *of, const ew_operator *op)
{
    return of && of->op == op && of->edges == op->edges && of->revision == op->pattern->revision &&
           of->n_stored == op->pattern->n_row && of->n_row == ew_operator_n_row(op) &&
           of->edge_revision == edge_revision(op);
}

/* Brought up to date. */
static ew_status update(ew_dealt **dealt, ew_peers *peers, const ew_operator *op)
{
    ew_status status = EW_OK;
    if (is_for(*dealt, op)) {
        return EW_OK;
    }
    ew_dealt_free(*dealt);
    *dealt = NULL;
    EW_TRY(ew_new_zero(dealt, 1, sizeof **dealt));
    ew_dealt *of = *dealt;
    of->peers = peers;
    of->op = op;
    of->edges = op->edges;
    of->revision = op->pattern->revision;
    of->edge_revision = edge_revision(op);
    of->n_stored = op->pattern->n_row;
    of->n_row = ew_operator_n_row(op);
    EW_TRY_OUT(take_rows(of));
    EW_TRY_OUT(plan_rows(of));
    EW_TRY_OUT(plan_edges(of));
out:
    if (status) {
        ew_dealt_free(of);
        *dealt = NULL;
    }
    return status;
}

ew_status ew_dealt_rows(ew_solver *solver, const ew_system *system, const ew_pcg_def *def)
{
    ew_preconditioner *own = &solver->preconditioner;
    own->dealt = NULL;
    if (!def->peers) {
        return EW_OK;
    }
    if (system->op->type->on_device) {
        return ew_refuse(EW_RULE_HOST, "solver: a system that processes solve together");
    }
    EW_TRY(update(&solver->dealt, def->peers, system->op));
    own->dealt = !system->op->edges || solver->dealt->deals_edges ? solver->dealt : NULL;
    return EW_OK;
}

ew_status ew_peers_agree(ew_peers *peers, ew_status own)
{
    double *all;
    EW_TRY(ew_new_zero(&all, (size_t)peers->n, sizeof *all));
    all[peers->rank] = (double)own;
    peers->join(peers->user, peers->n, all);
    ew_status status = peers->status(peers->user);
    for (int32_t p = 0; p < peers->n && !status; p++) {
        if (all[p] != 0.0) {
            status = p == peers->rank ? own
                                      : ew_fail((ew_status)all[p], "solver: in process %d: %s",
                                                (int)p, ew_status_text((ew_status)all[p]));
        }
    }
    ew_release(all);
    return status;
}

/* What it was made of is as it was, or all of it will be made again. */
static bool is_made_or_whole(const ew_preconditioner *own, const ew_system *system)
{
    return !own->type || !own->revision || own->is_to_refill ||
           (own->n_row == system->op->pattern->n_row &&
            own->revision == system->op->pattern->revision &&
            !memcmp(own->fixed, system->fixed, (size_t)own->n_row));
}

ew_status ew_dealt_need_blocks(const ew_solver *solver, const ew_system *system,
                               ew_preconditioner_kind kind)
{
    const ew_row_demand *demand = system->op->demand;
    const ew_preconditioner *own = &solver->preconditioner;
    if (!demand) {
        return EW_OK;
    }
    const bool by_rows =
        own->dealt && kind == EW_RIGID && !system->equations && is_made_or_whole(own, system);
    return demand->need(demand->user, by_rows ? own->dealt->own : NULL);
}

void ew_dealt_free(ew_dealt *dealt)
{
    if (!dealt) {
        return;
    }
    dealt->peers->free_transfer(dealt->whole);
    dealt->peers->free_transfer(dealt->neighbors);
    dealt->peers->free_transfer(dealt->before);
    ew_dealt_part_free(dealt->peers, &dealt->tets);
    ew_release(dealt->written);
    ew_release(dealt->own);
    ew_release(dealt);
}
