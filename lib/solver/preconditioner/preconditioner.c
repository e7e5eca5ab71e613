/* Preconditioners of all kinds: the table of them, and what they have in common: which state of the
 * operator and which constraints one is for. In: a system and its changes. Out: z = S M^-1 S r. */
#include "solver/krylov/dealt.h"

#include <string.h>

static const ew_preconditioner_type *const types[] = {
    &ew_jacobi_on_host,   &ew_block_jacobi_on_host,   &ew_rigid_on_host,
    &ew_jacobi_on_device, &ew_block_jacobi_on_device, &ew_rigid_on_device};

const char *ew_preconditioner_name(ew_preconditioner_kind kind)
{
    static const char *const names[EW_PRECONDITIONER_COUNT] = {"jacobi", "block-jacobi", "rigid",
                                                               "auto", "cholesky"};
    return (unsigned)kind < EW_PRECONDITIONER_COUNT ? names[kind] : "unknown";
}

static const ew_preconditioner_type *find_type(const ew_preconditioner *self,
                                               ew_preconditioner_kind kind, bool on_device)
{
    if (kind == EW_CHOLESKY) {
        return self->direct && self->direct->on_device == on_device ? self->direct : NULL;
    }
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (types[i]->kind == kind && types[i]->on_device == on_device) {
            return types[i];
        }
    }
    return NULL;
}

static void take_state(ew_preconditioner *self, const ew_operator *op)
{
    self->matrix = ew_operator_matrix(op);
    op->type->state(op, &self->revision, &self->constants);
}

static ew_status make_room(ew_preconditioner *self, int32_t n_row)
{
    EW_TRY(ew_grow(&self->fixed, &self->row_capacity, n_row, sizeof *self->fixed));
    self->n_row = n_row;
    return EW_OK;
}

/* Where equations tie stiff rows to soft ones. They may be other ones in each solve. */
static ew_status prepare_ties(ew_preconditioner *self, const ew_system *system)
{
    const ew_operator *op = system->stiffened ? system->stiffened : system->op;
    const ew_matrix *matrix = op->matrix; /* its diagonal is read */
    const bool ties = !self->type->on_device && system->equations && matrix &&
                      ew_equations_have_jump(system->equations, matrix);
    return ew_weighted_build(&self->smoother.weighted, ties ? system->equations : NULL, matrix,
                             NULL);
}

/* The smoother of rows of edges, where the operator has such rows. */
static ew_status prepare_edges(ew_preconditioner *self, const ew_system *system, bool afresh)
{
    self->edges = system->op->edges;
    return !self->edges                ? prepare_ties(self, system)
           : system->op->device_matrix ? ew_edge_smoother_prepare_on_device(self, system, afresh)
                                       : ew_edge_smoother_prepare_on_host(self, system, afresh);
}

ew_status ew_preconditioner_setup(ew_preconditioner *self, ew_preconditioner_kind kind,
                                  const ew_system *system, ew_precision precision)
{
    const ew_operator *op = system->op;
    const ew_preconditioner_type *type = find_type(self, kind, op->type->on_device);
    if (!type) {
        return ew_refuse(EW_RULE_HOST, "solver: preconditioner '%s' of a %s",
                         ew_preconditioner_name(kind), op->type->name);
    }
    if (type->needs_pairs && !ew_operator_has_pairs(op)) {
        return ew_refuse(EW_RULE_BLOCKS, "solver: preconditioner '%s' of a %s",
                         ew_preconditioner_name(kind), op->type->name);
    }
    const ew_device *device = op->device_matrix ? op->device_matrix->device : NULL;
    /* Row-wise kinds have nothing to save, and stay in double inside a recurrence in double. */
    const bool wants_single =
        precision == EW_SINGLE || (precision != EW_DOUBLE && type->device_apply);
    if (device && precision == EW_MIXED && wants_single) {
        EW_TRY(ew_device_matrix_need_precision(op->device_matrix, true));
    }
    if (self->type != type || self->device != device) {
        const ew_preconditioner_type *direct = self->direct;
        const struct ew_dealt *dealt = self->dealt;
        ew_preconditioner_free(self);
        self->direct = direct;
        self->dealt = dealt;
    }
    self->type = type;
    self->device = device;
    self->precision = precision;
    self->single = device && op->device_matrix->has_single && wants_single;
    self->revision = 0;
    self->is_to_refill = false;
    EW_TRY(make_room(self, op->pattern->n_row));
    memcpy(self->fixed, system->fixed, (size_t)self->n_row);
    EW_TRY(type->setup(self, system));
    EW_TRY(prepare_edges(self, system, true));
    take_state(self, op);
    return EW_OK;
}

ew_status ew_preconditioner_refill(ew_preconditioner *self, const ew_system *system)
{
    uint64_t revision, constants;
    system->op->type->state(system->op, &revision, &constants);
    if (!self->type->refill || self->revision != revision ||
        self->n_row != system->op->pattern->n_row) {
        return ew_preconditioner_setup(self, self->type->kind, system, self->precision);
    }
    self->revision = 0;
    self->is_to_refill = false;
    memcpy(self->fixed, system->fixed, (size_t)self->n_row);
    EW_TRY(self->type->refill(self, system));
    EW_TRY(prepare_edges(self, system, true));
    take_state(self, system->op);
    return EW_OK;
}

/* The constraints of new rows and of touched ones; others are found by the next solve. */
static ew_status follow_rows(ew_preconditioner *self, const ew_system *system,
                             const ew_pattern_change *change)
{
    const int32_t before = self->n_row;
    EW_TRY(make_room(self, system->op->pattern->n_row));
    memcpy(self->fixed + before, system->fixed + before, (size_t)(self->n_row - before));
    for (int32_t i = 0; i < change->touched_row.n; i++) {
        const int32_t row = change->touched_row.id[i];
        self->fixed[row] = system->fixed[row];
    }
    return self->type->update(self, system, change, before);
}

ew_status ew_preconditioner_update(ew_preconditioner *self, const ew_system *system,
                                   const ew_pattern_change *change)
{
    uint64_t revision, constants;
    if (!self->type || !self->revision) {
        return EW_OK;
    }
    system->op->type->state(system->op, &revision, &constants);
    if (self->matrix != ew_operator_matrix(system->op) || self->revision != change->from_revision ||
        revision != change->to_revision || self->n_row > system->op->pattern->n_row) {
        return ew_fail(
            EW_STALE,
            "solver: a change from revision %llu to %llu does not lead the preconditioner from "
            "%llu to the matrix at %llu; set it up again",
            (unsigned long long)change->from_revision, (unsigned long long)change->to_revision,
            (unsigned long long)self->revision, (unsigned long long)revision);
    }
    self->revision = 0; /* not valid until all is done */
    EW_TRY(follow_rows(self, system, change));
    take_state(self, system->op);
    return EW_OK;
}

static ew_status need_current(const ew_preconditioner *self, const ew_system *system)
{
    uint64_t revision, constants;
    system->op->type->state(system->op, &revision, &constants);
    if (!self->type || self->matrix != ew_operator_matrix(system->op) ||
        self->revision != revision || self->constants != constants ||
        self->n_row != system->op->pattern->n_row) {
        return ew_fail(EW_STALE,
                       "solver: the preconditioner is at revision %llu, the matrix at %llu with "
                       "%s constants; update it from each change, and after a rebuild set it up "
                       "again",
                       (unsigned long long)self->revision, (unsigned long long)revision,
                       self->constants == constants ? "the same" : "other");
    }
    return EW_OK;
}

static ew_status follow_constraints(ew_preconditioner *self, const ew_system *system)
{
    if (!memcmp(self->fixed, system->fixed, (size_t)self->n_row)) {
        return EW_OK;
    }
    self->changed.n = 0;
    for (int32_t row = 0; row < self->n_row; row++) {
        if (self->fixed[row] != system->fixed[row]) {
            EW_TRY(ew_list_push(&self->changed, row));
        }
    }
    self->revision = 0;
    memcpy(self->fixed, system->fixed, (size_t)self->n_row);
    EW_TRY(self->type->refilter(self, system, &self->changed));
    take_state(self, system->op);
    return EW_OK;
}

ew_status ew_preconditioner_prepare(ew_preconditioner *self, const ew_system *system, bool *worked)
{
    *worked = false;
    if (!self->is_to_refill) {
        EW_TRY(need_current(self, system));
        EW_TRY(prepare_edges(self, system, false));
        EW_TRY(follow_constraints(self, system)); /* after which it may be to refill, too */
    }
    if (self->is_to_refill) {
        *worked = true;
        return ew_preconditioner_refill(self, system);
    }
    return self->type->ready ? self->type->ready(self, worked) : EW_OK;
}

ew_status ew_preconditioner_prepare_stored(ew_preconditioner *self, const ew_system *system,
                                           bool *worked, bool *is_current)
{
    *worked = *is_current = false;
    if (self->is_to_refill) {
        return EW_OK;
    }
    EW_TRY(need_current(self, system));
    EW_TRY(follow_constraints(self, system));
    *is_current = !self->is_to_refill;
    return *is_current && self->type->ready ? self->type->ready(self, worked) : EW_OK;
}

static void apply_all(ew_preconditioner *self, const double *r, double *z)
{
    if (self->edges) {
        ew_edge_smoother_apply(self, r, z);
    } else {
        ew_preconditioner_apply_stored(self, r, z);
    }
}

/* z = Q M^-1 Q^T r, where Q is what equations leave, weighted */
static void apply_weighted(ew_preconditioner *self, const double *r, double *z)
{
    const ew_weighted *weighted = self->smoother.weighted;
    const ew_dealt *dealt = self->dealt;
    double *force = ew_weighted_force(weighted);
#pragma omp for schedule(static)
    for (int32_t i = 0; i < 3 * (self->n_row + (self->edges ? self->smoother.n_row : 0)); i++) {
        force[i] = r[i];
    }
    if (dealt) {
        ew_dealt_bring(dealt, dealt->whole, force);
    }
#pragma omp single
    ew_weighted_begin(weighted);
    apply_all(self, force, z);
    if (dealt) {
        ew_dealt_bring(dealt, dealt->whole, z);
    }
#pragma omp single
    ew_weighted_end(weighted, z);
}

void ew_preconditioner_apply(ew_preconditioner *self, const double *r, double *z)
{
    if (self->smoother.weighted) {
        apply_weighted(self, r, z);
    } else {
        apply_all(self, r, z);
    }
}

bool ew_preconditioner_has_columns(const ew_preconditioner *self)
{
    return self->type->apply_columns != NULL;
}

ew_status ew_preconditioner_prepare_columns(ew_preconditioner *self)
{
    EW_TRY(self->edges ? ew_edge_smoother_prepare_columns(self) : EW_OK);
    return self->type->prepare_columns(self);
}

void ew_preconditioner_apply_columns(ew_preconditioner *self, const double *r, double *z)
{
    if (self->edges) {
        ew_edge_smoother_apply_columns(self, r, z);
    } else {
        self->type->apply_columns(self, r, z);
    }
}

void ew_preconditioner_free(ew_preconditioner *self)
{
    ew_buffer *const buffer[] = {&self->device_inverse, &self->device_fixed, &self->device_list,
                                 &self->device_partial};
    if (self->type && self->type->free) {
        self->type->free(self);
    }
    for (size_t i = 0; i < sizeof buffer / sizeof *buffer; i++) {
        ew_buffer_free(buffer[i]);
    }
    ew_edge_smoother_free(self);
    ew_release(self->fixed);
    ew_release(self->inverse);
    ew_list_free(&self->changed);
    *self = (ew_preconditioner){0};
}
