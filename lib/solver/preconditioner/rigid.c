/* The rigid-body-mode preconditioner as one of the kinds: see multilevel.c, which does the work.
 * In: a system with positions. Out: z = S M^-1 S r. */
#include "solver/krylov/pcg.h"
#include "solver/multilevel/multilevel_dealt.h"

#include <math.h>

/* A factor that waits is made when iterations have risen by this much. */
#define MAX_RISE (4.0 / 3.0)

typedef struct rigid {
    ew_multilevel *multilevel;
    double rate; /* iterations per factor of e with the factor last made; 0: not known */
} rigid;

ew_status ew_rigid_need_positions(const ew_system *system)
{
    return system->xyz ? EW_OK
                       : ew_fail(EW_BAD_ARGUMENT, "solver: preconditioner 'rigid' needs to know "
                                                  "where the rows are; give their positions");
}

static ew_fine_level level_of(const ew_preconditioner *self, const ew_system *system)
{
    return (ew_fine_level){.matrix = system->op->matrix,
                           .pattern = system->op->pattern,
                           .xyz = system->xyz,
                           .fixed = self->fixed,
                           .oblique = system->oblique,
                           .has_equations = system->equations != NULL,
                           .demand = system->op->demand};
}

static ew_status setup(ew_preconditioner *self, const ew_system *system)
{
    ew_multilevel_def def = ew_default_multilevel_def();
    EW_TRY(ew_rigid_need_positions(system));
    if (!self->data) {
        EW_TRY(ew_new_zero(&self->data, 1, sizeof(rigid)));
    }
    rigid *own = self->data;
    own->rate = 0.0;
    def.single = self->precision != EW_DOUBLE;
    def.wait = true;
    ew_fine_level fine = level_of(self, system);
    fine.dealt = self->dealt;
    return ew_multilevel_setup_level(&own->multilevel, &fine, &def);
}

static ew_status follow(ew_preconditioner *self, const ew_system *system, const ew_list *refixed,
                        const ew_pattern_change *change)
{
    const rigid *own = self->data;
    EW_TRY(ew_rigid_need_positions(system));
    const ew_fine_level fine = level_of(self, system);
    return ew_multilevel_update_level(own->multilevel, &fine, refixed, change);
}

/* Constraints are those of before, but for new and touched rows: see follow_rows. */
static ew_status update(ew_preconditioner *self, const ew_system *system,
                        const ew_pattern_change *change, int32_t n_before)
{
    (void)n_before;
    return follow(self, system, &(ew_list){0}, change);
}

static ew_status refilter(ew_preconditioner *self, const ew_system *system, const ew_list *row)
{
    return follow(self, system, row, NULL);
}

static ew_status refill(ew_preconditioner *self, const ew_system *system)
{
    rigid *own = self->data;
    EW_TRY(ew_rigid_need_positions(system));
    own->rate = 0.0;
    ew_fine_level fine = level_of(self, system);
    fine.dealt = self->dealt;
    return ew_multilevel_refill_level(own->multilevel, &fine);
}

static void apply(ew_preconditioner *self, const double *r, double *z)
{
    const rigid *own = self->data;
    if (self->dealt) {
        ew_multilevel_apply_dealt(own->multilevel, self->dealt, r, z);
    } else {
        ew_multilevel_apply_in_team(own->multilevel, r, z);
    }
}

static ew_status deal(ew_preconditioner *self)
{
    const rigid *own = self->data;
    return ew_multilevel_deal(own->multilevel, self->dealt);
}

static ew_status prepare_columns(ew_preconditioner *self)
{
    const rigid *own = self->data;
    return ew_multilevel_prepare_columns(own->multilevel);
}

static void apply_columns(ew_preconditioner *self, const double *r, double *z)
{
    const rigid *own = self->data;
    ew_multilevel_apply_columns_in_team(own->multilevel, r, z);
}

/* Iterations are compared by what they reduced the residual by, for start vectors differ. */
ew_status ew_multilevel_learn(ew_multilevel *m, const ew_pcg_info *info, double *rate)
{
    ew_local_correction_forget(&m->local_correction);
    m->local_answer.is_kept = false;
    if (!info) {
        *rate = 0.0;
        return EW_OK;
    }
    const double gain = log(info->first_residual / info->residual);
    if (!(gain > 1.0)) {
        return EW_OK;
    }
    const double now = info->iterations / gain;
    if (!m->info.is_postponed) {
        *rate = now;
        return EW_OK;
    }
    return *rate > 0.0 && now > MAX_RISE * *rate ? ew_multilevel_factor_pending(m) : EW_OK;
}

/* The multilevel preconditioner of a rigid one on the host; of other kinds null. */
static ew_multilevel *multilevel_of(const ew_preconditioner *self)
{
    return self->type == &ew_rigid_on_host ? ((const rigid *)self->data)->multilevel : NULL;
}

ew_status ew_preconditioner_deal(ew_preconditioner *self, const ew_system *system)
{
    if (self->dealt && (self->type->deal || !self->type->apply)) {
        return self->type->deal ? self->type->deal(self) : EW_OK;
    }
    self->dealt = NULL;
    EW_TRY(ew_edge_smoother_undeal(self, system));
    ew_multilevel *m = self->type && self->data ? multilevel_of(self) : NULL;
    const ew_fine_level fine = level_of(self, system);
    return m ? ew_multilevel_undeal(m, &fine) : EW_OK;
}

ew_status ew_preconditioner_correct_locally(ew_preconditioner *self, const ew_system *system,
                                            double *x)
{
    ew_multilevel *m = multilevel_of(self);
    return m ? ew_local_correction_correct(&m->local_correction, system, x) : EW_OK;
}

ew_status ew_preconditioner_answer_locally(ew_preconditioner *self, const ew_system *system,
                                           double energy_tolerance, const ew_list *known, double *x,
                                           ew_pcg_info *info, bool *found)
{
    ew_multilevel *m = multilevel_of(self);
    *found = false;
    return m ? ew_local_answer_find(m, system, energy_tolerance, known, x, info, found) : EW_OK;
}

ew_status ew_preconditioner_use_answer(ew_preconditioner *self, int32_t number)
{
    ew_multilevel *m = self->type && self->data ? multilevel_of(self) : NULL;
    return m ? ew_local_answer_use(m, number) : EW_OK;
}

ew_status ew_preconditioner_touch_edges(ew_preconditioner *self, const ew_list *row)
{
    ew_multilevel *m = self->type && self->data ? multilevel_of(self) : NULL;
    return m ? ew_local_answer_touch_edges(m, row) : EW_OK;
}

const ew_list *ew_preconditioner_local_rows(const ew_preconditioner *self)
{
    ew_multilevel *m = multilevel_of(self);
    return m && m->local_answer.has_list ? &m->local_answer.row.list : NULL;
}

double ew_preconditioner_energy_enough(const ew_preconditioner *self, double energy_tolerance)
{
    ew_multilevel *m = multilevel_of(self);
    return m ? ew_local_answer_enough(m, energy_tolerance) : 0.0;
}

ew_status ew_preconditioner_keep_answer(ew_preconditioner *self, const ew_system *system,
                                        const double *x, double factor, ew_pcg_info *info)
{
    ew_multilevel *m = multilevel_of(self);
    return m ? ew_local_answer_keep(m, system, x, factor, info) : EW_OK;
}

ew_status ew_preconditioner_verify_answer(const ew_preconditioner *self, const ew_system *system,
                                          const double *x)
{
    ew_multilevel *m = multilevel_of(self);
    return m ? ew_local_answer_verify(m, system, x) : EW_OK;
}

static ew_status ready(ew_preconditioner *self, bool *worked)
{
    const rigid *own = self->data;
    return ew_multilevel_ready(own->multilevel, worked);
}

static ew_status learn_from_solve(ew_preconditioner *self, const ew_pcg_info *info)
{
    rigid *own = self->data;
    return ew_multilevel_learn(own->multilevel, info, &own->rate);
}

static void free_rigid(ew_preconditioner *self)
{
    rigid *own = self->data;
    if (own) {
        ew_multilevel_free(own->multilevel);
        ew_release(own);
    }
}

const ew_preconditioner_type ew_rigid_on_host = {.kind = EW_RIGID,
                                                 .needs_pairs = true,
                                                 .setup = setup,
                                                 .update = update,
                                                 .refilter = refilter,
                                                 .refill = refill,
                                                 .apply = apply,
                                                 .prepare_columns = prepare_columns,
                                                 .apply_columns = apply_columns,
                                                 .ready = ready,
                                                 .deal = deal,
                                                 .learn = learn_from_solve,
                                                 .free = free_rigid};
