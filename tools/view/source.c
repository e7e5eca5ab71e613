/* Bodies for the page. In: a file of a mesh, a surface, of CAD, or a case. Out: models that begin
 * as the file says; a case with the answer of its first step that has one. */
#include "source.h"
#include "ew_parts.h"
#include "meshing/tetgen.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A surface or CAD file that was filled with tets; of a mesh, that. */
typedef struct filled {
    double size; /* 0: as the file says */
    ew_mesh mesh;
    ew_groups groups;
    ew_text text;            /* of a case */
    ew_model_template *base; /* of a mesh alone */
} filled;

enum { N_FILLED = 4 };
typedef struct file_body {
    tool_study study;        /* its mesh and groups are those of the mesh in use */
    ew_text text;            /* the case, likewise */
    ew_model_template *base; /* of a mesh, likewise */
    int32_t n_filled, next;  /* next: the place that another one takes */
    filled made[N_FILLED];   /* [n_filled] owned: the first is that of the file */
    double *answer; /* owned: of a case, the first one with the values and the mesh in use; null */
    int32_t n_answer, n_shown; /* parameters of the source, of which they are */
    double value[VIEW_MAX_PARAMETER];
    ew_material material;                       /* of a mesh, until a command says otherwise */
    int32_t n_value, place[VIEW_MAX_PARAMETER]; /* of the case's parameters that are shown */
} file_body;

/* ---- meshes of the file ------------------------------------------------------------------ */

static void free_filled(filled *own)
{
    ew_mesh_free(&own->mesh);
    ew_groups_free(&own->groups);
    ew_text_free(&own->text);
    ew_model_template_free(own->base);
    *own = (filled){0};
}

static void forget_answer(file_body *file)
{
    ew_release(file->answer);
    file->answer = NULL;
    file->n_answer = 0;
}

static void use(file_body *file, const filled *own)
{
    file->study.mesh = own->mesh;
    file->study.groups = own->groups;
    forget_answer(file);
    file->text = own->text;
    file->base = own->base;
}

/* Takes it over, in the place of an older one but the first. */
static void add_filled(file_body *file, const filled *own)
{
    const int32_t at = file->n_filled < N_FILLED ? file->n_filled++ : 1 + file->next;
    if (at == 1 + file->next) {
        file->next = (file->next + 1) % (N_FILLED - 1);
    }
    free_filled(&file->made[at]);
    file->made[at] = *own;
    use(file, &file->made[at]);
}

static bool use_size(file_body *file, double size)
{
    for (int32_t i = 0; i < file->n_filled; i++) {
        if (file->made[i].size == size) {
            use(file, &file->made[i]);
            return true;
        }
    }
    return false;
}

/* The volume of a regular tet. */
static double volume_of_edge(double edge)
{
    return edge * edge * edge / sqrt(72.0);
}

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

/* The answer is its displacement at vertices, whatever led there. */
static bool can_be_kept(const ew_case_step *step, ew_model *model)
{
    return ew_case_is_solved(step) && !step->dynamic && !step->n_edit && !step->remove &&
           !step->n_mode && !step->reset && !ew_model_is_nonlinear(model) &&
           !ew_model_edge_rows(model) && !ew_model_is_mixed(model);
}

/* The answer that the body had before is where its solve starts, and ends with the same bits. */
static void put_answer(const file_body *file, const double *value, ew_model *model)
{
    if (file->n_answer == 3 * ew_model_mesh(model)->n_vertex &&
        !memcmp(file->value, value, (size_t)file->n_shown * sizeof *value)) {
        memcpy(ew_model_field(model, 0), file->answer, (size_t)file->n_answer * sizeof(double));
    }
}

static void keep_answer(file_body *file, const double *value, const ew_model *model)
{
    const int32_t n = 3 * ew_model_mesh(model)->n_vertex;
    forget_answer(file);
    if (!ew_new(&file->answer, (size_t)n, sizeof *file->answer)) {
        memcpy(file->answer, ew_model_displacement(model), (size_t)n * sizeof *file->answer);
        memcpy(file->value, value, (size_t)file->n_shown * sizeof *value);
        file->n_answer = n;
    }
}

/* Up to the first answer, or to a step in time, which the page can play: body->step. file: keeps
 * the answer, and has that of another time; or null. */
static ew_status run_steps(case_body *own, view_body *body, file_body *file, const double *value)
{
    const ew_case *input = &own->input[own->now];
    body->input = input;
    body->is_solved = false;
    for (int32_t s = 0; s < input->n_step && !body->is_solved; s++) {
        body->step = s;
        if (input->step[s].dynamic) {
            break;
        }
        const bool is_kept = file && can_be_kept(&input->step[s], ew_study_model(own->study));
        if (is_kept) {
            put_answer(file, value, ew_study_model(own->study));
        }
        EW_TRY(ew_study_next(own->study));
        body->is_solved = ew_case_is_solved(&input->step[s]);
        if (is_kept && body->is_solved) {
            keep_answer(file, value, ew_study_model(own->study));
        }
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
    const ew_status run = run_steps(own, body, file, value);
    if (run && !is_of_solve(run)) {
        close_case(user, body);
        return ew_fail_in_file(run, file->study.case_path);
    }
    body->model = ew_study_model(own->study);
    return EW_OK;
}

/* Of the energy norm, while a parameter is dragged: less than what a picture shows. At rest the
 * body begins again, with what the case says. */
#define DRAG_TOLERANCE 1e-3

static ew_status go_on_case(void *user, const double *value, view_body *body)
{
    file_body *file = user;
    case_body *own = body->owner;
    ew_case *next = &own->input[1 - own->now];
    ew_case_free(next);
    if (read_values(file, value, next)) {
        return EW_UNSUPPORTED; /* it is read again where the body begins with these values */
    }
    for (int32_t i = 0; i < next->n_step; i++) {
        next->step[i].energy_tolerance = fmax(next->step[i].energy_tolerance, DRAG_TOLERANCE);
    }
    EW_TRY(ew_study_go_on_with(own->study, next));
    own->now = 1 - own->now;
    const ew_status status = run_steps(own, body, NULL, value);
    return status == EW_UNSUPPORTED ? EW_BAD_INPUT : status; /* a step has begun */
}

static ew_status save_case(void *user, const char *case_path, const ew_text *text,
                           const char *mesh_path, const ew_mesh *mesh, char *path, size_t size)
{
    file_body *file = user;
    return view_write_case(&file->study, case_path, text, mesh_path, mesh, path, size);
}

/* The case with another length of edges, and its mesh. A surface is filled by volume. */
static ew_status write_size(const ew_text *text, const ew_case *input, double size, ew_text *out)
{
    ew_case_editor *editor = NULL;
    ew_case_draft *draft = NULL;
    const bool is_cad = input->mesh_file != NULL;
    EW_TRY(ew_case_editor_open(&editor, text->data, text->size));
    ew_status status = ew_case_draft_create(&draft);
    if (!status) {
        const int32_t node = ew_case_editor_value(editor, EW_CASE_EDITOR_ROOT, "mesh");
        const bool is_name = ew_case_editor_text(editor, node) != NULL;
        ew_case_entry *mesh = ew_case_add_mapping(ew_case_draft_root(draft), "mesh");
        ew_case_add_number(mesh, is_cad ? "size" : "max_volume",
                           is_cad ? size : volume_of_edge(size));
        if (is_name) {
            ew_case_add_text(mesh, "file", ew_case_editor_text(editor, node));
        }
        status = ew_case_draft_status(draft);
        status = status    ? status
                 : is_name ? ew_case_editor_replace(editor, node, mesh)
                           : ew_case_editor_merge(editor, EW_CASE_EDITOR_ROOT, mesh);
    }
    status = status ? status : ew_case_editor_write(editor, out);
    ew_case_editor_free(editor);
    ew_case_draft_free(draft);
    return status;
}

static ew_status fill_case(void *user, double size)
{
    file_body *file = user;
    filled made = {.size = size};
    tool_study next = file->study; /* but for what reading makes */
    if (use_size(file, size)) {
        return EW_OK;
    }
    next.has_mesh = false;
    next.mesh = (ew_mesh){0};
    next.groups = (ew_groups){0};
    next.input = (ew_case){0};
    ew_status status = write_size(&file->made[0].text, &file->study.input, size, &made.text);
    status = status ? status : study_read_case(&next, made.text.data, made.text.size);
    status = status ? status : study_read_mesh(&next);
    made.mesh = next.mesh;
    made.groups = next.groups;
    ew_case_free(&next.input);
    if (status) {
        free_filled(&made);
        return ew_fail_in_file(status, file->study.case_path);
    }
    add_filled(file, &made);
    return EW_OK;
}

static ew_status read_case(view_source *source, file_body *file, const char *path)
{
    filled made = {0};
    EW_TRY(ew_file_read(path, &made.text));
    ew_status status = study_read_case(&file->study, made.text.data, made.text.size);
    status = status ? ew_fail_in_file(status, path) : study_read_mesh(&file->study);
    made.mesh = file->study.mesh;
    made.groups = file->study.groups;
    add_filled(file, &made);
    EW_TRY(status);
    const ew_case *input = &file->study.input;
    if (!input->mesh_file || ew_cad_reads(input->mesh_file)) {
        source->fill = fill_case;
        source->filled_by = input->mesh_file ? "Gmsh" : "TetGen";
    }
    file->n_value = input->n_parameter;
    for (int32_t i = 0; i < input->n_parameter; i++) {
        if (!input->parameter[i].follows && source->n_parameter < VIEW_MAX_PARAMETER) {
            file->place[source->n_parameter] = i;
            source->parameter[source->n_parameter++] =
                (view_parameter){input->parameter[i].name, input->parameter[i].value};
        }
    }
    file->n_shown = source->n_parameter;
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

/* The mesh of a file, of edges of about this length where the file is a surface or CAD. */
static ew_status make_mesh(const char *path, double size, filled *made)
{
    const ew_format *format = ew_format_of_name(path);
    ew_status status;
    made->size = size;
    if (ew_cad_reads(path)) {
        ew_cad_def cad = ew_default_cad_def();
        cad.size = size;
        status = tool_read_any(path, NULL, &cad, size > 0.0, &made->mesh, &made->groups);
    } else if (format && !format->read_mesh && format->read_surface) {
        ew_tetgen_def fill = ew_default_tetgen_def();
        fill.max_volume = size > 0.0 ? volume_of_edge(size) : fill.max_volume;
        status = tool_fill_surface(path, &fill, &made->mesh, &made->groups);
    } else {
        status = tool_read_mesh(path, false, &made->mesh, &made->groups);
    }
    EW_TRY(status);
    if (made->mesh.n_live_tet == 0) {
        return ew_fail(EW_BAD_INPUT, "%s: has no tets, and so nothing to be looked at", path);
    }
    status = ew_model_template_create(&made->base, &made->mesh, true, 0, NULL);
    return status ? ew_fail_in_file(status, path) : EW_OK;
}

static ew_status fill_mesh(void *user, double size)
{
    file_body *file = user;
    filled made = {0};
    if (use_size(file, size)) {
        return EW_OK;
    }
    const ew_status status = make_mesh(file->study.case_path, size, &made);
    if (status) {
        free_filled(&made);
        return status;
    }
    add_filled(file, &made);
    return EW_OK;
}

static ew_status read_mesh(view_source *source, file_body *file, const char *path)
{
    const ew_format *format = ew_format_of_name(path);
    const bool is_cad = ew_cad_reads(path);
    EW_TRY(fill_mesh(file, 0.0));
    source->open = open_mesh;
    source->close = close_mesh;
    if (is_cad || (format && !format->read_mesh)) {
        source->fill = fill_mesh;
        source->filled_by = is_cad ? "Gmsh" : "TetGen";
    }
    source->library = ew_library_material_named("S235");
    source->is_cad = is_cad;
    source->length_unit = is_cad ? "mm" : "m"; /* CAD files are converted to that */
    source->force_unit = "N";
    file->material =
        ew_material_in_units(&source->library->material, is_cad ? 1e-3 : 1.0, 1.0, 1.0);
    source->save = save_body;
    return EW_OK;
}

/* ---- public ------------------------------------------------------------------------------ */

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
        for (int32_t i = 0; i < file->n_filled; i++) {
            free_filled(&file->made[i]);
        }
        forget_answer(file);
        ew_case_free(&file->study.input);
        ew_release(file);
    }
    *source = (view_source){0};
}
