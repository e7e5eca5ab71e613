/* Bodies for the page. In: a file of a mesh, a surface, of CAD, or a case. Out: models that begin
 * as the file says; a case with the answer of its first step that has one. */
#include "source.h"
#include "ew_parts.h"
#include "meshing/tetgen.h"
#include "study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct file_body {
    tool_study study;
    ew_text text;                               /* owned: the case */
    ew_material material;                       /* of a mesh, until a command says otherwise */
    ew_model_template *base;                    /* owned: of a mesh */
    int32_t n_value, place[VIEW_MAX_PARAMETER]; /* of the case's parameters that are shown */
} file_body;

typedef struct case_body {
    ew_case input[2]; /* that of the study, and the one before or the next one */
    int32_t now;      /* which is the study's */
    ew_study *study;
} case_body;

/* ---- a case ------------------------------------------------------------------------------ */

static void close_case(void *user, view_body *body)
{
    case_body *own = body->owner;
    (void)user;
    if (own) {
        ew_study_free(own->study);
        ew_case_free(&own->input[0]);
        ew_case_free(&own->input[1]);
        ew_release(own);
    }
    *body = (view_body){0};
}

/* Up to the first answer, or to a step in time, which the page can play: body->step. */
static ew_status run_steps(case_body *own, view_body *body)
{
    const ew_case *input = &own->input[own->now];
    body->input = input;
    body->is_solved = false;
    for (int32_t s = 0; s < input->n_step && !body->is_solved; s++) {
        body->step = s;
        if (input->step[s].dynamic) {
            break;
        }
        EW_TRY(ew_study_next(own->study));
        body->is_solved = ew_case_is_solved(&input->step[s]);
    }
    return EW_OK;
}

static ew_status read_values(file_body *file, const double *value, ew_case *input)
{
    double all[EW_MAX_PARAMETERS_OF_CASE];
    for (int32_t i = 0; i < file->n_value; i++) {
        all[i] = NAN;
    }
    for (int32_t i = 0, k = 0; i < file->n_value; i++) {
        if (k < VIEW_MAX_PARAMETER && file->place[k] == i) {
            all[i] = value[k++];
        }
    }
    return study_read_case_with(&file->study, file->text.data, file->text.size, file->n_value,
                                file->n_value ? all : NULL, input);
}

static ew_status begin_case(file_body *file, const double *value, case_body *own)
{
    ew_mesh mesh = {0};
    ew_study_def def = study_def_of(&file->study);
    def.goes_on = file->n_value > 0;
    def.estimate_error = def.measure_edits = false;
    EW_TRY(read_values(file, value, &own->input[0]));
    EW_TRY(ew_mesh_copy(&mesh, &file->study.mesh));
    const ew_status status = ew_study_create(&own->study, &own->input[0], &mesh, &def, NULL, NULL);
    ew_mesh_free(&mesh);
    return status;
}

/* Then the body is as the case says, and is shown with the line that says why it has no answer. */
static bool is_of_solve(ew_status status)
{
    return status == EW_UNDER_CONSTRAINED || status == EW_NOT_CONVERGED ||
           status == EW_INDEFINITE || status == EW_NOT_FINITE;
}

static ew_status open_case(void *user, const double *value, view_body *body)
{
    file_body *file = user;
    case_body *own = NULL;
    EW_TRY(ew_new_zero(&own, 1, sizeof *own));
    body->owner = own;
    const ew_status status = begin_case(file, value, own);
    if (status) {
        close_case(user, body);
        return ew_fail_in_file(status, file->study.case_path);
    }
    const ew_status run = run_steps(own, body);
    if (run && !is_of_solve(run)) {
        close_case(user, body);
        return ew_fail_in_file(run, file->study.case_path);
    }
    body->model = ew_study_model(own->study);
    return EW_OK;
}

static ew_status go_on_case(void *user, const double *value, view_body *body)
{
    file_body *file = user;
    case_body *own = body->owner;
    ew_case *next = &own->input[1 - own->now];
    ew_case_free(next);
    if (read_values(file, value, next)) {
        return EW_UNSUPPORTED; /* it is read again where the body begins with these values */
    }
    EW_TRY(ew_study_go_on_with(own->study, next));
    own->now = 1 - own->now;
    const ew_status status = run_steps(own, body);
    return status == EW_UNSUPPORTED ? EW_BAD_INPUT : status; /* a step has begun */
}

/* Beside the case that was opened, whose files it names; once it reads. */
static ew_status save_case(void *user, const char *case_path, const ew_text *text,
                           const char *mesh_path, const ew_mesh *mesh, char *path, size_t size)
{
    file_body *file = user;
    ew_case input = {0};
    const char *old = file->study.case_path, *slash = strrchr(old, '/');
    const char *name = strrchr(case_path, '/');
    const size_t folder = slash ? (size_t)(slash - old) + 1 : 0;
    (void)mesh_path;
    (void)mesh;
    if (name && ((size_t)(name - case_path) + 1 != folder || memcmp(case_path, old, folder) != 0)) {
        return ew_fail(EW_BAD_INPUT,
                       "save: the case names its files from where it is; give a name without a "
                       "folder, and it is written beside '%.200s'",
                       old);
    }
    snprintf(path, size, "%.*s%s", (int)folder, old, name ? name + 1 : case_path);
    const ew_status status =
        study_read_case_with(&file->study, text->data, text->size, 0, NULL, &input);
    if (status) {
        return ew_fail_prefix(status, "save: the changed case would not read");
    }
    ew_case_free(&input);
    return tool_write_file(path, text);
}

static ew_status read_case(view_source *source, file_body *file, const char *path)
{
    EW_TRY(ew_file_read(path, &file->text));
    ew_status status = study_read_case(&file->study, file->text.data, file->text.size);
    EW_TRY(status ? ew_fail_in_file(status, path) : EW_OK);
    EW_TRY(study_read_mesh(&file->study));
    const ew_case *input = &file->study.input;
    file->n_value = input->n_parameter;
    for (int32_t i = 0; i < input->n_parameter; i++) {
        if (!input->parameter[i].follows && source->n_parameter < VIEW_MAX_PARAMETER) {
            file->place[source->n_parameter] = i;
            source->parameter[source->n_parameter++] =
                (view_parameter){input->parameter[i].name, input->parameter[i].value};
        }
    }
    source->open = open_case;
    source->close = close_case;
    source->go_on = go_on_case;
    source->text = &file->text;
    source->save = save_case;
    return EW_OK;
}

/* ---- a mesh --------------------------------------------------------------------------------- */

static void close_mesh(void *user, view_body *body)
{
    (void)user;
    ew_model_free(body->model);
    *body = (view_body){0};
}

/* Names that the file has for its surfaces, as sets of faces. */
static ew_status name_surfaces(ew_model *model, const ew_groups *groups)
{
    for (int32_t g = 0; g < groups->n; g++) {
        const ew_group *group = &groups->group[g];
        const ew_model_set_def def = {
            .name = group->name, .kind = EW_SET_OF_FACES, .allow_empty = true};
        const ew_selector at = ew_select_surface(group->label);
        int32_t set;
        if (group->kind == EW_GROUP_FACES &&
            ew_faces_have_label(ew_model_mesh(model), group->label)) {
            EW_TRY(ew_model_select_set(model, &def, &at, &set));
        }
    }
    return EW_OK;
}

static ew_status open_mesh(void *user, const double *value, view_body *body)
{
    const file_body *file = user;
    const ew_model_def def = ew_default_model_def();
    (void)value;
    ew_status status = ew_model_start_from(&body->model, file->base, &def);
    status = status ? status : name_surfaces(body->model, &file->study.groups);
    status = status ? status : ew_model_set_material(body->model, EW_ALL_REGIONS, &file->material);
#if EW_WITH_TETGEN
    if (!status) {
        ew_model_set_fill(body->model, ew_tetgen_fill);
    }
#endif
    if (status) {
        close_mesh(user, body);
    }
    return status;
}

static ew_status save_body(void *user, const char *case_path, const ew_text *text,
                           const char *mesh_path, const ew_mesh *mesh, char *path, size_t size)
{
    const file_body *file = user;
    snprintf(path, size, "%s", case_path);
    EW_TRY(tool_refuse_same(file->study.case_path, mesh_path));
    EW_TRY(tool_write_mesh(mesh_path, mesh, NULL));
    return tool_write_file(case_path, text);
}

static ew_status read_mesh(view_source *source, file_body *file, const char *path)
{
    const ew_tetgen_def fill = ew_default_tetgen_def();
    const ew_format *format = ew_format_of_name(path);
    const bool is_surface = format && !format->read_mesh && format->read_surface;
    ew_status status = is_surface
                           ? tool_fill_surface(path, &fill, &file->study.mesh, &file->study.groups)
                           : tool_read_mesh(path, false, &file->study.mesh, &file->study.groups);
    EW_TRY(status);
    if (file->study.mesh.n_live_tet == 0) {
        return ew_fail(EW_BAD_INPUT, "%s: has no tets, and so nothing to be looked at", path);
    }
    status = ew_model_template_create(&file->base, &file->study.mesh, true, 0, NULL);
    EW_TRY(status ? ew_fail_in_file(status, path) : EW_OK);
    source->open = open_mesh;
    source->close = close_mesh;
    const bool is_cad = ew_cad_reads(path);
    source->library = ew_library_material_named("S235");
    source->is_cad = is_cad;
    source->length_unit = is_cad ? "mm" : "m"; /* CAD files are converted to that */
    source->force_unit = "N";
    file->material =
        ew_material_in_units(&source->library->material, is_cad ? 1e-3 : 1.0, 1.0, 1.0);
    source->save = save_body;
    return EW_OK;
}

/* ---- public ------------------------------------------------------------------------------------
 */

ew_status view_source_open(view_source *source, const char *path)
{
    file_body *file = NULL;
    *source = (view_source){.file = path};
    EW_TRY(ew_new_zero(&file, 1, sizeof *file));
    source->user = file;
    file->study.case_path = path;
    file->study.options = (study_options){.preconditioner = EW_PRECONDITIONER_COUNT,
                                          .precision = EW_AUTO_PRECISION,
                                          .operator_kind = -1,
                                          .solver = -1,
                                          .quiet = true};
    tool_progress_start(&file->study.progress, true);
    const ew_status status =
        case_is_named(path) ? read_case(source, file, path) : read_mesh(source, file, path);
    if (status) {
        view_source_close(source);
    }
    return status;
}

void view_source_close(view_source *source)
{
    file_body *file = source->user;
    if (file) {
        ew_model_template_free(file->base);
        ew_case_free(&file->study.input);
        ew_mesh_free(&file->study.mesh);
        ew_groups_free(&file->study.groups);
        ew_text_free(&file->text);
        ew_release(file);
    }
    *source = (view_source){0};
}
