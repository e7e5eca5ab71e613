/* Fatigue of a case: the stress of the steps and outputs of its history, kept at each vertex, where
 * materials meet of each of them, and at the end the damage and the safety there. In: the fields of
 * each of these records. Out: a record of its own, whose fields and numbers these are. A point
 * needs its whole history at once: a critical plane is searched, not known before. */
#include "study/run/run.h"

#include <math.h>
#include <string.h>

/* ---- the states of the history --------------------------------------------------------------- */

/* The i-th material with a curve; null behind the last. */
static const ew_case_material *curve_at(const ew_case *input, int i)
{
    for (int32_t k = 0; k < input->n_material; k++) {
        if (input->material[k].has_fatigue && i-- == 0) {
            return &input->material[k];
        }
    }
    return NULL;
}

static int number_of(const ew_case *input, const ew_case_material *material)
{
    int i = 0;
    for (const ew_case_material *at; (at = curve_at(input, i)) && at != material;) {
        i++;
    }
    return i;
}

/* Which curves the tets around each point have. */
static void take_curves(const ew_study *study, study_fatigue *to)
{
    const ew_mesh *mesh = ew_model_mesh(study->model);
    const ew_patches *patches = &study->fields->patches;
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (!ew_mesh_tet_is_live(mesh, t)) {
            continue;
        }
        const ew_case_material *material =
            ew_study_material_of(study->input, mesh->region_label[mesh->region[t]]);
        for (size_t k = 4 * (size_t)t; material && material->has_fatigue && k < 4 * (size_t)t + 4;
             k++) {
            const int32_t point =
                to->begin[mesh->tet[k]] + (patches->is_parted ? patches->of_corner[k] : 0);
            to->curves[point] |= (uint64_t)1 << number_of(study->input, material);
        }
    }
}

static ew_status begin_history(ew_study *study, study_fatigue *to)
{
    const int32_t n = ew_model_mesh(study->model)->n_vertex;
    const ew_patches *patches = &study->fields->patches;
    EW_TRY(ew_grow(&to->begin, &to->begin_capacity, (int64_t)n + 1, sizeof *to->begin));
    for (int32_t v = 0; v <= n; v++) {
        to->begin[v] = patches->n_vertex ? patches->begin[v] : v;
    }
    to->n_point = to->begin[n];
    EW_TRY(
        ew_grow(&to->curves, &to->curves_capacity, (int64_t)to->n_point + 1, sizeof *to->curves));
    memset(to->curves, 0, (size_t)to->n_point * sizeof *to->curves);
    take_curves(study, to);
    return EW_OK;
}

/* Whether the history takes plastic strains: where a step has them. */
static bool takes_plastic(const ew_case *input)
{
    return input->fatigue->method == EW_STRAIN_LIFE && ew_case_is_inelastic(input);
}

static bool yields(const ew_material *material)
{
    return material->law && material->law->n_state > 0;
}

/* A new record has no memory yet. */
static ew_status reserve_record(study_fatigue *to)
{
    const int32_t before = to->record_capacity;
    EW_TRY(
        ew_grow(&to->record, &to->record_capacity, (int64_t)to->n_record + 1, sizeof *to->record));
    memset(to->record + before, 0, (size_t)(to->record_capacity - before) * sizeof *to->record);
    struct study_fatigue_record *record = &to->record[to->n_record];
    return ew_grow(&record->stress, &record->capacity, (int64_t)to->n_point + 1,
                   6 * sizeof *record->stress);
}

/* What flows keeps its volume: of a deviator of the strain what stress does not explain, averaged
 * over the tets of a point. A thermal strain has no deviator. */
static void add_plastic(const ew_study *study, const ew_material *of, int32_t t, double *sum,
                        double *volume)
{
    const ew_fields *fields = study->fields;
    const double *strain = fields->strain + 6 * (size_t)t, *stress = fields->stress + 6 * (size_t)t;
    const int32_t *tet = ew_model_mesh(study->model)->tet + 4 * (size_t)t;
    const double modulus = of->young / (1.0 + of->poisson);
    const double mean_strain = (strain[0] + strain[1] + strain[2]) / 3.0;
    const double mean_stress = (stress[0] + stress[1] + stress[2]) / 3.0;
    for (int k = 0; k < 4; k++) {
        const ew_patches *patches = &fields->patches;
        const int32_t point = study->fatigue.begin[tet[k]] +
                              (patches->is_parted ? patches->of_corner[4 * (size_t)t + k] : 0);
        volume[point] += fields->volume[t];
        for (int c = 0; c < 6; c++) {
            const double flowed = strain[c] - (c < 3 ? mean_strain : 0.0) -
                                  (stress[c] - (c < 3 ? mean_stress : 0.0)) / modulus;
            sum[6 * (size_t)point + c] += fields->volume[t] * flowed;
        }
    }
}

static ew_status take_plastic(ew_study *study, struct study_fatigue_record *record)
{
    const ew_mesh *mesh = ew_model_mesh(study->model);
    const int32_t n = study->fatigue.n_point;
    double *sum = NULL, *volume = NULL;
    ew_status status = ew_grow(&record->plastic, &record->plastic_capacity, (int64_t)n + 1,
                               6 * sizeof *record->plastic);
    status = status ? status : ew_new_zero(&sum, 6 * (size_t)n + 1, sizeof *sum);
    status = status ? status : ew_new_zero(&volume, (size_t)n + 1, sizeof *volume);
    for (int32_t t = 0; !status && t < mesh->n_tet; t++) {
        const ew_case_material *of =
            ew_mesh_tet_is_live(mesh, t)
                ? ew_study_material_of(study->input, mesh->region_label[mesh->region[t]])
                : NULL;
        if (of && yields(&of->material)) {
            add_plastic(study, &of->material, t, sum, volume);
        }
    }
    for (size_t i = 0; !status && i < 6 * (size_t)n; i++) {
        record->plastic[i] = volume[i / 6] > 0.0 ? (float)(sum[i] / volume[i / 6]) : 0.0F;
    }
    ew_release(sum);
    ew_release(volume);
    return status;
}

ew_status ew_study_add_to_fatigue(ew_study *study, const ew_case_step *step)
{
    study_fatigue *to = &study->fatigue;
    if (!step->in_fatigue || !study->fields || study->report.is_partial) {
        return EW_OK;
    }
    const ew_fields *fields = study->fields;
    const double *from = fields->patches.n_vertex ? fields->patch_stress : fields->vertex_stress;
    EW_TRY(to->n_record == 0 ? begin_history(study, to) : EW_OK);
    EW_TRY(reserve_record(to));
    struct study_fatigue_record *record = &to->record[to->n_record++];
    record->step = study->n_done;
    for (size_t i = 0; i < 6 * (size_t)to->n_point; i++) {
        record->stress[i] = (float)from[i];
    }
    return takes_plastic(study->input) ? take_plastic(study, record) : EW_OK;
}

/* ---- blocks of records ------------------------------------------------------------------------
 */

/* The history with records in place of steps. */
typedef struct record_blocks {
    ew_fatigue_block *block;
    int32_t *record;
    double *factor;
    int32_t n_state;
} record_blocks;

static void free_blocks(record_blocks *of)
{
    ew_release(of->block);
    ew_release(of->record);
    ew_release(of->factor);
}

/* The records of all blocks, one after the other; record null: only counted. */
static int32_t list_records(const study_fatigue *of, const ew_case_fatigue *fatigue,
                            record_blocks *to)
{
    int32_t n = 0;
    for (int32_t b = 0; b < fatigue->n_block; b++) {
        const int32_t begin = n;
        for (int32_t p = 0; p < fatigue->block[b].n_part; p++) {
            const ew_case_part *part = &fatigue->block[b].part[p];
            for (int32_t r = 0; r < of->n_record; r++) {
                if (of->record[r].step != part->step) {
                    continue;
                }
                if (to->record) {
                    to->record[n] = r;
                    to->factor[n] = part->factor;
                }
                n++;
            }
        }
        if (to->record) {
            to->block[b] = (ew_fatigue_block){n - begin, to->record + begin, to->factor + begin,
                                              fatigue->block[b].cycles};
        }
    }
    return n;
}

static ew_status take_blocks(const study_fatigue *of, const ew_case_fatigue *fatigue,
                             record_blocks *to)
{
    to->n_state = list_records(of, fatigue, to);
    EW_TRY(ew_new_zero(&to->block, (size_t)fatigue->n_block, sizeof *to->block));
    EW_TRY(ew_new_zero(&to->factor, (size_t)to->n_state + 1, sizeof *to->factor));
    EW_TRY(ew_new_zero(&to->record, (size_t)to->n_state + 1, sizeof *to->record));
    (void)list_records(of, fatigue, to);
    return EW_OK;
}

/* ---- evaluation -------------------------------------------------------------------------------
 */

/* Vertices of a part, with the memory of the thread that takes it. */
typedef struct fatigue_part {
    ew_fatigue_work work;
    float *stress;  /* [n_record][6] owned: of a point */
    float *plastic; /* likewise, where the history takes it */
} fatigue_part;
enum { VERTICES_A_PART = 256 };

typedef struct fatigue_run {
    const ew_study *study;
    study_fatigue *to;
    ew_fatigue_history history;
    ew_fatigue_life *life; /* [n_vertex] owned: of the point with the smallest safety; safety 0: no
                              curve is there */
    int32_t n_part;
    fatigue_part *part; /* [n_part] owned: one a thread */
} fatigue_run;

static void take_vertex(const fatigue_run *run, fatigue_part *part, int32_t v)
{
    const study_fatigue *of = run->to;
    const ew_case_material *material;
    for (int32_t p = of->begin[v]; p < of->begin[v + 1]; p++) {
        for (int32_t r = 0; r < of->n_record; r++) {
            memcpy(part->stress + 6 * (size_t)r, of->record[r].stress + 6 * (size_t)p,
                   6 * sizeof *part->stress);
            if (part->plastic) {
                memcpy(part->plastic + 6 * (size_t)r, of->record[r].plastic + 6 * (size_t)p,
                       6 * sizeof *part->plastic);
            }
        }
        for (int i = 0; of->curves[p] && (material = curve_at(run->study->input, i)); i++) {
            ew_fatigue_life found, *best = &run->life[v];
            if (!(of->curves[p] >> i & 1)) {
                continue;
            }
            ew_fatigue_take(&run->history, &material->fatigue, part->stress,
                            yields(&material->material) ? part->plastic : NULL, &part->work,
                            &found);
            *best = best->safety == 0.0 || found.safety < best->safety ||
                            (found.safety == best->safety && found.damage > best->damage)
                        ? found
                        : *best;
        }
    }
}

/* A thread takes every n-th block of vertices. */
static void take_part(const fatigue_run *run, int32_t number)
{
    const int32_t n = ew_model_mesh(run->study->model)->n_vertex;
    for (int64_t begin = (int64_t)number * VERTICES_A_PART; begin < n;
         begin += (int64_t)run->n_part * VERTICES_A_PART) {
        for (int32_t v = (int32_t)begin; v < n && v < begin + VERTICES_A_PART; v++) {
            take_vertex(run, &run->part[number], v);
        }
    }
}

static ew_status take_all(fatigue_run *run)
{
    const ew_mesh *mesh = ew_model_mesh(run->study->model);
    run->n_part = ew_threads_for(mesh->n_vertex, VERTICES_A_PART);
    EW_TRY(ew_new_zero(&run->life, (size_t)mesh->n_vertex, sizeof *run->life));
    EW_TRY(ew_new_zero(&run->part, (size_t)run->n_part, sizeof *run->part));
    for (int32_t i = 0; i < run->n_part; i++) {
        EW_TRY(ew_fatigue_work_reserve(&run->part[i].work, &run->history));
        EW_TRY(ew_new(&run->part[i].stress, 6 * (size_t)run->to->n_record,
                      sizeof *run->part[i].stress));
        EW_TRY(takes_plastic(run->study->input)
                   ? ew_new(&run->part[i].plastic, 6 * (size_t)run->to->n_record,
                            sizeof *run->part[i].plastic)
                   : EW_OK);
    }
#pragma omp parallel for schedule(static) num_threads(run->n_part)
    for (int32_t i = 0; i < run->n_part; i++) {
        take_part(run, i);
    }
    return EW_OK;
}

static void free_run(fatigue_run *run)
{
    for (int32_t i = 0; run->part && i < run->n_part; i++) {
        ew_fatigue_work_free(&run->part[i].work);
        ew_release(run->part[i].stress);
        ew_release(run->part[i].plastic);
    }
    ew_release(run->part);
    ew_release(run->life);
}

/* ---- what it comes to -------------------------------------------------------------------------
 */

static const double longest_log_life = 12.0;
/* A share of the stress that turns, and up to which multiple of the smallest safety it counts. */
static const double max_turned = 0.1, nearly = 1.5;

static ew_status take_fields(const fatigue_run *run)
{
    study_fatigue *to = run->to;
    const int32_t n = ew_model_mesh(run->study->model)->n_vertex;
    for (int k = 0; k < STUDY_FATIGUE_FIELDS; k++) {
        EW_TRY(ew_grow(&to->value[k], &to->capacity[k], (int64_t)n + 1, sizeof(double)));
    }
    for (int32_t v = 0; v < n; v++) {
        const ew_fatigue_life *life = &run->life[v];
        to->value[STUDY_FATIGUE_DAMAGE][v] = life->damage;
        to->value[STUDY_FATIGUE_LOG_LIFE][v] =
            fmin(longest_log_life, life->damage > 0.0 ? -log10(life->damage) : INFINITY);
        to->value[STUDY_FATIGUE_SAFETY][v] =
            life->safety > 0.0 ? life->safety : EW_MAX_FATIGUE_SAFETY;
    }
    return EW_OK;
}

static int32_t region_at(const ew_mesh *mesh, int32_t v)
{
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        const int32_t *tet = mesh->tet + 4 * (size_t)t;
        if (ew_mesh_tet_is_live(mesh, t) &&
            (tet[0] == v || tet[1] == v || tet[2] == v || tet[3] == v)) {
            return mesh->region_label[mesh->region[t]];
        }
    }
    return -1;
}

static void take_report(const fatigue_run *run, ew_fatigue_report *report)
{
    const ew_mesh *mesh = ew_model_mesh(run->study->model);
    const ew_fatigue_life *life = run->life;
    int32_t worst = -1;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        const bool is_less =
            life[v].safety > 0.0 &&
            (worst < 0 || life[v].safety < life[worst].safety ||
             (life[v].safety == life[worst].safety && life[v].amplitude > life[worst].amplitude));
        worst = is_less ? v : worst;
        report->damage = fmax(report->damage, life[v].damage);
    }
    report->vertex = report->region = worst;
    report->safety = EW_MAX_FATIGUE_SAFETY;
    if (worst < 0) {
        return;
    }
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        if (life[v].safety > 0.0 && life[v].safety <= nearly * life[worst].safety) {
            report->turned = fmax(report->turned, life[v].turned);
        }
    }
    report->safety = life[worst].safety;
    report->amplitude = life[worst].amplitude;
    report->region = region_at(mesh, worst);
    memcpy(report->place, mesh->xyz + 3 * (size_t)worst, sizeof report->place);
    memcpy(report->normal, life[worst].normal, sizeof report->normal);
}

ew_status ew_study_evaluate_fatigue(ew_study *study)
{
    const ew_case_fatigue *of = study->input->fatigue;
    const double start = ew_seconds();
    record_blocks blocks = {0};
    fatigue_run run = {.study = study, .to = &study->fatigue};
    ew_fatigue_report *report = &study->fatigue.report;
    ew_status status = ew_progress_report(&study->def.progress, "fatigue", -1);
    study->fields = NULL;
    study->report.solver = NULL;
    ew_study_measure_body(study);
    status = status ? status : take_blocks(&study->fatigue, of, &blocks);
    run.history = (ew_fatigue_history){.n_record = study->fatigue.n_record,
                                       .n_block = of->n_block,
                                       .block = blocks.block,
                                       .method = of->method,
                                       .notch = of->notch,
                                       .stress = of->stress,
                                       .mean_stress = of->mean_stress,
                                       .life = of->life};
    status = status ? status : take_all(&run);
    status = status ? status : take_fields(&run);
    if (!status) {
        *report = (ew_fatigue_report){.n_state = blocks.n_state,
                                      .n_block = of->n_block,
                                      .method = of->method,
                                      .stress = of->stress,
                                      .mean_stress = of->mean_stress,
                                      .wanted = of->life};
        take_report(&run, report);
        report->seconds = ew_seconds() - start;
        study->report.fatigue = report;
    }
    free_run(&run);
    free_blocks(&blocks);
    EW_TRY(status);
    if (of->stress != EW_FATIGUE_CRITICAL_PLANE && report->turned > max_turned) {
        ew_study_warn(study, EW_WARNING_FATIGUE, of->line,
                      "%.0f %% of the stress of the history is not proportional, where the safety "
                      "is smallest or nearly so; its number misses what turns: take 'stress: "
                      "critical_plane'",
                      100.0 * report->turned);
    }
    return EW_OK;
}

ew_status ew_study_report_fatigue_of_set(const ew_study *study, int32_t set, ew_set_report *report)
{
    const double *damage = study->fatigue.value[STUDY_FATIGUE_DAMAGE];
    const double *safety = study->fatigue.value[STUDY_FATIGUE_SAFETY];
    ew_list vertex = {0};
    const ew_status status = ew_model_list_vertices(study->model, set, &vertex);
    report->has_fatigue = !status && vertex.n > 0;
    int32_t worst = report->has_fatigue ? vertex.id[0] : -1;
    for (int32_t i = 0; i < vertex.n; i++) {
        const int32_t v = vertex.id[i];
        report->fatigue_damage = fmax(report->fatigue_damage, damage[v]);
        worst =
            safety[v] < safety[worst] || (safety[v] == safety[worst] && damage[v] > damage[worst])
                ? v
                : worst;
    }
    if (worst >= 0) {
        report->fatigue_safety = safety[worst];
        memcpy(report->fatigue_place, ew_model_mesh(study->model)->xyz + 3 * (size_t)worst,
               sizeof report->fatigue_place);
    }
    ew_list_free(&vertex);
    return status;
}

void ew_study_free_fatigue(ew_study *study)
{
    study_fatigue *of = &study->fatigue;
    for (int32_t i = 0; i < of->record_capacity; i++) {
        ew_release(of->record[i].stress);
        ew_release(of->record[i].plastic);
    }
    ew_release(of->record);
    ew_release(of->begin);
    ew_release(of->curves);
    for (int k = 0; k < STUDY_FATIGUE_FIELDS; k++) {
        ew_release(of->value[k]);
    }
}
