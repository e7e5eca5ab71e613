/* The edits of a step, from the case or from a journal: each one a queue that the model commits
 * (commit.c). */
#include "study/run/run.h"

/* ---- operations ----------------------------------------------------------- */

static ew_status read_other(const ew_study *study, const char *file, ew_mesh *other)
{
    if (!study->def.read_mesh) {
        return ew_refuse(EW_RULE_READER, "add: '%s'", file);
    }
    EW_TRY(study->def.read_mesh(study->def.user, file, other));
    ew_case_convert_other(study->input, file, other);
    return EW_OK;
}

static ew_status use_set(ew_study *study, int32_t set, int32_t line)
{
    EW_TRY(ew_study_make_edit_set(study, set));
    return ew_study_require_members(study, set, line);
}

/* Fills in the text of a table. */
static ew_status read_table(const ew_study *study, ew_parameter_value *value, ew_text *text)
{
    if (!study->def.read_text) {
        return ew_refuse(EW_RULE_READER, "'%s'", value->text);
    }
    EW_TRY(study->def.read_text(study->def.user, value->text, text));
    value->content = text->data;
    value->content_size = text->size;
    return EW_OK;
}

static ew_status read_surface(const ew_study *study, const char *file, ew_polygons *polygons)
{
    if (!study->def.read_surface) {
        return ew_refuse(EW_RULE_READER, "'%s'", file);
    }
    EW_TRY(study->def.read_surface(study->def.user, file, polygons));
    ew_case_convert_surface(study->input, &polygons->surface);
    return EW_OK;
}

/* One given in place is of no use afterwards, and no later edit need keep its ends. */
static ew_status leave_set(ew_study *study, int32_t set, int32_t line)
{
    const ew_list none = {0};
    (void)line;
    return study->input->set[set].in_edit ? ew_model_redefine_set(study->model, set, &none) : EW_OK;
}

/* Each of the sets of an edit. */
static ew_status for_sets(ew_study *study, const ew_case_edit *edit,
                          ew_status (*act)(ew_study *study, int32_t set, int32_t line))
{
    const ew_parameter_value *of = edit->values.of;
    for (int32_t i = 0; i < edit->operation->n_parameter; i++) {
        const ew_parameter_kind kind = edit->operation->parameter[i].kind;
        if (kind == EW_PARAMETER_VERTICES && of[i].given) {
            EW_TRY(act(study, (int32_t)of[i].whole, edit->line));
        }
        for (int32_t k = 0; kind == EW_PARAMETER_PROTECTED && k < of[i].n_set; k++) {
            EW_TRY(act(study, of[i].set[k], edit->line));
        }
        for (int32_t k = 0; kind == EW_PARAMETER_PARTS && k < of[i].n_part; k++) {
            EW_TRY(act(study, (int32_t)of[i].part[k].of[0].whole, edit->line));
        }
    }
    return EW_OK;
}

static ew_status queue_operation(ew_study *study, const ew_case_edit *edit)
{
    const ew_parameter_value *of = edit->values.of;
    const int32_t file = ew_operation_parameter_of(edit->operation, EW_PARAMETER_MESH);
    const int32_t table = ew_operation_parameter_of(edit->operation, EW_PARAMETER_TABLE);
    ew_operation_values values = ew_study_values(study, edit);
    ew_mesh other = {0};
    ew_polygons polygons = {0};
    ew_text text = {0};
    const int32_t surface = ew_operation_parameter_of(edit->operation, EW_PARAMETER_SURFACE);
    ew_operation_values before;
    ew_study_find_values_before(study, edit, &before, &values);
    ew_status status = for_sets(study, edit, use_set); /* made, and with members */
    if (!status && file >= 0) {
        status = read_other(study, of[file].text, &other);
    }
    if (!status && table >= 0 && of[table].given) {
        status = read_table(study, &values.of[table], &text);
    }
    if (!status && surface >= 0 && of[surface].given) {
        status = read_surface(study, of[surface].text, &polygons);
        values.of[surface].surface = &polygons.surface;
    }
    if (!status) {
        status = ew_model_queue_operation(study->model, edit->operation, &values,
                                          file >= 0 ? &other : NULL);
        if (status == EW_BAD_INPUT && surface >= 0 && of[surface].given &&
            ew_cut_surface_check(&polygons.surface)) { /* it cannot be cut along at all */
            ew_fail_prefix(status, "%s", of[surface].text);
        }
        if (status == EW_BAD_EDIT && values.before) {
            ew_study_note_refusal(study);
        }
    }
    ew_mesh_free(&other);
    ew_polygons_free(&polygons);
    ew_text_free(&text);
    return status;
}

static ew_status apply(ew_study *study, const ew_case_step *step, const ew_case_edit *edit)
{
    ew_refine_goal goal;
    if (edit->operation == &ew_enrich_edit) {
        return ew_study_enrich(study, step, edit);
    }
    if (ew_refine_goal_of(edit->operation, &edit->values, &goal)) {
        return ew_study_adapt(study, step, &goal, edit->line);
    }
    EW_TRY(queue_operation(study, edit)); /* its failures name it */
    ew_study_tell_refusal(study, edit->line);
    if (*ew_model_remark(study->model)) {
        ew_study_warn(study, EW_WARNING_EDIT, edit->line, "%s", ew_model_remark(study->model));
    }
    ew_study_tell_label(study, edit);
    const ew_status status = ew_study_commit_with_report(study, edit->operation->file_code);
    if (status) {
        return ew_fail_prefix(status, "%s", edit->operation->name);
    }
    const int32_t name = ew_operation_parameter_of(edit->operation, EW_PARAMETER_NAME);
    if (name >= 0 && edit->values.of[name].given) {
        EW_TRY(ew_study_make_named_faces(study, step, edit->values.of[name].text));
    }
    return for_sets(study, edit, leave_set);
}

/* ---- renumbering when most slots are holes ---------------------------------- */

static ew_status renumber(ew_study *study)
{
    EW_TRY(ew_model_compact(study->model, NULL, NULL));
    EW_TRY(ew_journal_compact(&study->journal));
    study->report.compacted = true;
    return EW_OK;
}

/* Vertices without tets count as holes: in a case nothing can bring them back by name. */
static ew_status compact_if_sparse(ew_study *study)
{
    if (!ew_model_is_sparse(study->model)) {
        return EW_OK;
    }
    EW_TRY(ew_model_queue_unused(study->model));
    EW_TRY(ew_study_commit(study, EW_CODE_CLOSE_HOLES));
    return renumber(study);
}

/* ---- a step's edits ---------------------------------------------------------- */

static ew_status replay_commit(ew_study *study, int32_t code)
{
    const ew_status status = code == EW_CODE_CLOSE_HOLES ? ew_study_commit(study, code)
                                                         : ew_study_commit_with_report(study, code);
    return status == EW_BAD_EDIT
               ? ew_fail_prefix(status,
                                "the recorded edits do not fit this mesh; a replay needs the mesh "
                                "that the result was made from")
               : status;
}

/* One analysis between edits is enough. */
static ew_status replay_analysis(ew_study *study, const ew_case_step *step)
{
    if (study->analyzed_revision == ew_model_mesh(study->model)->revision) {
        return ew_fail(EW_BAD_INPUT, "the edit journal has two analyses in a row");
    }
    return ew_study_analyze_between(study, step);
}

static ew_status replay_order(ew_study *study, const ew_list *tet, bool quadratic)
{
    ew_edit_report *report;
    EW_TRY(ew_study_begin_report(study, EW_CODE_ENRICH, &report));
    EW_TRY(ew_study_switch_order(study, tet, quadratic));
    return ew_study_end_report(study, report);
}

static ew_status replay_one(ew_study *study, const ew_case_step *step, ew_journal_kind kind,
                            int32_t code, const ew_list *tet)
{
    switch (kind) {
    case EW_JOURNAL_COMPACT:
        return renumber(study);
    case EW_JOURNAL_ANALYSIS:
        return replay_analysis(study, step);
    case EW_JOURNAL_BASE: /* known, and noted again, by then */
        return EW_OK;
    case EW_JOURNAL_ORDER:
        return replay_order(study, tet, code != 0);
    case EW_JOURNAL_TIME:
        return study->motion.is_running
                   ? ew_journal_time(&study->journal, code)
                   : ew_fail(EW_BAD_INPUT, "the edit journal has a time outside of a dynamic step");
    default:
        return replay_commit(study, code);
    }
}

static ew_status replay_records(ew_study *study, const ew_case_step *step,
                                const unsigned char *bytes, size_t size, ew_list *tet)
{
    for (size_t offset = 0; offset < size;) {
        int32_t code = 0;
        ew_journal_kind kind;
        EW_TRY(
            ew_journal_next(bytes, size, &offset, ew_model_edit(study->model), tet, &code, &kind));
        EW_TRY(replay_one(study, step, kind, code, tet));
    }
    return EW_OK;
}

static ew_status replay(ew_study *study, const ew_case_step *step, const unsigned char *bytes,
                        size_t size)
{
    ew_list tet = {0};
    const ew_status status = replay_records(study, step, bytes, size, &tet);
    ew_list_free(&tet);
    return status;
}

static void repeat_recorded(ew_study *study, const ew_case_step *step)
{
    const ew_result_archive *replay = study->replay;
    const int32_t k = study->n_record;
    if (replay->warnings) {
        ew_study_repeat_warnings(study, replay->warnings[k],
                                 replay->warning_kinds ? replay->warning_kinds[k] : "",
                                 !ew_case_is_solved(step));
    }
}

static ew_status apply_listed(ew_study *study, const ew_case_step *step, const ew_case_edit *edit)
{
    EW_TRY(ew_progress_report(&study->def.progress, edit->operation->name, -1));
    const ew_status status = apply(study, step, edit);
    return status ? ew_fail_line(status, edit->line) : compact_if_sparse(study);
}

ew_status ew_study_edit(ew_study *study, const ew_case_step *step)
{
    if (study->recalled.data) {
        return ew_study_edit_again(study, step);
    }
    if (study->replay) {
        repeat_recorded(study, step);
        return replay(study, step, study->replay->journal[study->n_record],
                      study->replay->journal_bytes[study->n_record]);
    }
    for (int32_t i = 0; i < step->n_edit; i++) {
        EW_TRY(apply_listed(study, step, &step->edit[i]));
    }
    EW_TRY(step->converge ? ew_study_converge(study, step) : EW_OK);
    EW_TRY(step->remove ? ew_study_remove(study, step) : EW_OK);
    return step->remove ? compact_if_sparse(study) : EW_OK;
}

ew_status ew_study_edit_again(ew_study *study, const ew_case_step *step)
{
    return replay(study, step, study->recalled.journal, study->recalled.journal_bytes);
}

/* ---- edits during a dynamic step ----------------------------------------------- */

/* Edits of the journal at time n. */
static ew_status replay_records_at(ew_study *study, const ew_case_step *step, int32_t n,
                                   ew_list *tet)
{
    const unsigned char *bytes = study->replay->journal[study->n_record];
    const size_t size = study->replay->journal_bytes[study->n_record];
    bool is_now = false;
    while (study->motion.replayed < size) {
        size_t offset = study->motion.replayed;
        int32_t code = 0;
        ew_journal_kind kind;
        EW_TRY(
            ew_journal_next(bytes, size, &offset, ew_model_edit(study->model), tet, &code, &kind));
        if (kind == EW_JOURNAL_TIME && (is_now || code != n)) {
            return EW_OK;
        }
        if (kind != EW_JOURNAL_TIME && !is_now) {
            return ew_fail(EW_BAD_INPUT, "the edit journal has edits without a time");
        }
        is_now = true;
        EW_TRY(replay_one(study, step, kind, code, tet));
        study->motion.replayed = offset;
    }
    return EW_OK;
}

static ew_status replay_at(ew_study *study, const ew_case_step *step, int32_t n)
{
    ew_list tet = {0};
    const ew_status status = replay_records_at(study, step, n, &tet);
    ew_list_free(&tet);
    return status;
}

/* How many edits come before time step n or earlier. */
static int32_t count_edits(const ew_study *study, const ew_case_step *step, int32_t n)
{
    const ew_case_dynamic *of = step->dynamic;
    const double soon = ew_case_time(step, n) + 1e-6 * study->motion.report.dt;
    int32_t count = study->motion.next_edit;
    while (count < of->n_edit && of->edit[count].at <= soon) {
        count++;
    }
    return count;
}

/* Edits choose by the energies of the state in motion. */
static ew_status list_edits_at(ew_study *study, const ew_case_step *step, int32_t n)
{
    int32_t *next = &study->motion.next_edit;
    const int32_t until = count_edits(study, step, n);
    if (*next == until) {
        return EW_OK;
    }
    EW_TRY(ew_journal_time(&study->journal, n));
    EW_TRY(ew_model_recover(study->model, &study->fields, &study->report.sums));
    for (; *next < until; ++*next) {
        EW_TRY(apply_listed(study, step, &step->dynamic->edit[*next].edit));
    }
    return EW_OK;
}

ew_status ew_study_edit_at(ew_study *study, const ew_case_step *step, int32_t n)
{
    const uint64_t before = ew_model_mesh(study->model)->revision;
    EW_TRY(study->replay ? replay_at(study, step, n) : list_edits_at(study, step, n));
    if (ew_model_mesh(study->model)->revision != before &&
        ew_model_mesh(study->model)->n_live_tet == 0) {
        return ew_fail(EW_BAD_INPUT, "the edits leave no tets");
    }
    return EW_OK;
}

void ew_study_skip_edits(ew_study *study, const ew_case_step *step, int32_t n)
{
    study->motion.next_edit = n ? count_edits(study, step, n - 1) : 0;
}

ew_status ew_study_end_replay(const ew_study *study)
{
    return !study->replay || study->motion.replayed == study->replay->journal_bytes[study->n_record]
               ? EW_OK
               : ew_fail(EW_BAD_INPUT, "the edit journal has edits at a time that this step does "
                                       "not have; a replay needs the case that the result was "
                                       "made from");
}
