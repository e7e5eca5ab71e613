/* The case file: YAML text in, an ew_case out, or one message with a line. */
#define _POSIX_C_SOURCE 200809L
#include "case/reader.h"

#include <pthread.h>
#include <string.h>

/* Joined, solids of an assembly would not touch. Sets ask for the mesh before contact is read. */
static ew_cad_solids usual_solids(ew_yaml *yaml)
{
    const yaml_node_t *root = yaml_document_get_root_node(&yaml->document);
    const yaml_node_t *contact = ew_yaml_find(yaml, root, "contact");
    return contact && contact->type == YAML_SCALAR_NODE ? EW_CAD_APART : EW_CAD_JOINED;
}

static ew_status read_mesh_source(ew_case_reader *reader, const yaml_node_t *node)
{
    ew_case *input = reader->out;
    ew_yaml *yaml = &reader->yaml;
    input->cad.solids = usual_solids(yaml);
    if (node->type == YAML_SCALAR_NODE) {
        return ew_yaml_text(yaml, node, "mesh", &input->mesh_file);
    }
    if (node->type == YAML_MAPPING_NODE && ew_yaml_find(yaml, node, "file")) {
        return ew_case_read_mesh_file(reader, node);
    }
    return ew_case_read_surface_mesh(reader, node);
}

static void default_static(ew_case_step *step)
{
    const ew_pcg_def def = ew_default_pcg_def();
    step->has_static = true;
    step->tolerance = def.tolerance;
    step->max_iterations = def.max_iterations;
    step->preconditioner = def.preconditioner;
    step->nonlinear = ew_default_nonlinear_def();
}

static ew_status read_energy_tolerance(ew_yaml *yaml, const yaml_node_t *node, ew_case_step *step)
{
    const yaml_node_t *value = ew_yaml_find(yaml, node, "energy_tolerance");
    if (!value) {
        return EW_OK;
    }
    EW_TRY(ew_yaml_share(value, "energy_tolerance", &step->energy_tolerance));
    return step->energy_tolerance > 0.0 && step->energy_tolerance < 1.0
               ? EW_OK
               : ew_yaml_fail(value, "energy_tolerance is %g; it must be > 0 and < 1",
                              step->energy_tolerance);
}

static ew_status read_static(ew_case_reader *reader, const yaml_node_t *node, ew_case_step *step)
{
    ew_pcg_def def = ew_default_pcg_def();
    default_static(step);
    if (ew_yaml_is_null(node)) {
        return EW_OK;
    }
    EW_TRY(ew_case_expect(&reader->yaml, node, NULL, &ew_section_static));
    EW_TRY(ew_case_read_solver(reader, node, &def));
    step->tolerance = def.tolerance;
    step->max_iterations = def.max_iterations;
    step->preconditioner = def.preconditioner;
    EW_TRY(read_energy_tolerance(&reader->yaml, node, step));
    const yaml_node_t *value = ew_yaml_find(&reader->yaml, node, "nonlinear");
    EW_TRY(value ? ew_case_read_nonlinear(reader, value, step) : EW_OK);
    return ew_case_read_operator(reader, node, step->preconditioner, &step->operator_kind);
}

/* A step without a name is called by its number, from 1. */
static ew_status read_name(ew_case_reader *reader, const yaml_node_t *node, ew_case_step *step)
{
    const yaml_node_t *value = ew_yaml_find(&reader->yaml, node, "name");
    char *number;
    if (value) {
        return ew_yaml_text(&reader->yaml, value, "name", &step->name);
    }
    EW_TRY(ew_arena_take(&reader->arena, 32, &number));
    snprintf(number, 32, "step %d", reader->step + 1);
    step->name = number;
    return EW_OK;
}

static ew_status read_pairs(ew_case_reader *reader, const yaml_node_t *node, ew_case_step *step)
{
    const yaml_node_t *modes = ew_yaml_find(&reader->yaml, node, "modes");
    const yaml_node_t *buckling = ew_yaml_find(&reader->yaml, node, "buckling");
    if (!modes && !buckling) {
        return EW_OK;
    }
    if (ew_case_is_solved(step) || (modes && buckling)) {
        return ew_yaml_fail(
            modes ? modes : buckling,
            "a step has one analysis: static, dynamic, modes, buckling or a response; "
            "write two steps");
    }
    return modes ? ew_case_read_modes(reader, modes, step)
                 : ew_case_read_buckling(reader, buckling, step);
}

static ew_status read_responses(ew_case_reader *reader, const yaml_node_t *node, ew_case_step *step)
{
    static const char *const keys[] = {"harmonic", "spectrum", "random"};
    for (int k = 0; k < 3; k++) {
        const yaml_node_t *value = ew_yaml_find(&reader->yaml, node, keys[k]);
        EW_TRY(value ? ew_case_read_response(reader, (ew_response_kind)k, value, step) : EW_OK);
    }
    return EW_OK;
}

/* Names are known from where they are made on: `sets` after the edits, before what uses them. */
static ew_status read_step(ew_case_reader *reader, const yaml_node_t *node, ew_case_step *step)
{
    ew_yaml *yaml = &reader->yaml;
    const yaml_node_t *value;
    EW_TRY(ew_case_read_keys(yaml, node, &ew_section_step, step));
    step->line = ew_yaml_line(node);
    EW_TRY(read_name(reader, node, step));
    if ((value = ew_yaml_find(yaml, node, "edit"))) {
        reader->in_edit = true;
        EW_TRY(ew_case_read_edits(reader, value, step));
        reader->in_edit = false;
    }
    if ((value = ew_yaml_find(yaml, node, "sets"))) {
        EW_TRY(ew_case_read_step_sets(reader, value, step));
    }
    if ((value = ew_yaml_find(yaml, node, "static"))) {
        EW_TRY(read_static(reader, value, step));
    }
    if ((value = ew_yaml_find(yaml, node, "constraints"))) {
        step->own_constraints = true;
        EW_TRY(ew_case_read_constraints(reader, value, &step->n_constraint, &step->constraint));
    }
    if ((value = ew_yaml_find(yaml, node, "loads"))) {
        step->own_loads = true;
        EW_TRY(ew_case_read_loads(reader, value, &step->n_load, &step->load));
    }
    if ((value = ew_yaml_find(yaml, node, "rigid"))) {
        EW_TRY(ew_case_read_rigid_motions(reader, value, step));
    }
    if ((value = ew_yaml_find(yaml, node, "optimise"))) {
        if (!step->has_static) {
            default_static(step);
        }
        EW_TRY(ew_case_read_remove(reader, value, step));
    }
    if ((value = ew_yaml_find(yaml, node, "converge"))) {
        if (!step->has_static) {
            default_static(step);
        }
        EW_TRY(ew_case_read_converge(reader, value, step));
    }
    if ((value = ew_yaml_find(yaml, node, "dynamic"))) {
        if (step->has_static) {
            return ew_yaml_fail(value, "a step is static or dynamic; write two steps");
        }
        EW_TRY(ew_case_read_dynamic(reader, value, step));
    }
    EW_TRY(read_pairs(reader, node, step));
    EW_TRY(read_responses(reader, node, step));
    if (!ew_case_is_solved(step) && step->n_edit == 0) {
        return ew_yaml_fail(
            node,
            "step '%.60s' does nothing; give it 'static: {}', 'dynamic:', 'modes:', 'harmonic:', "
            "'optimise:' or 'edit:'",
            step->name);
    }
    return EW_OK;
}

/* Time runs in dynamic steps alone. */
static ew_status place_in_time(ew_case *input)
{
    double time = 0.0;
    for (int32_t i = 0; i < input->n_step; i++) {
        ew_case_step *step = &input->step[i];
        step->start = time;
        step->first_record = input->n_record++;
        input->n_record += step->n_mode ? step->n_mode - 1 : 0;
        if (step->dynamic) {
            EW_TRY(ew_case_place_dynamic(input, step));
            time = step->dynamic->end;
        }
    }
    return EW_OK;
}

static ew_status read_steps(ew_case_reader *reader, const yaml_node_t *list)
{
    ew_case *input = reader->out;
    int32_t n = 0;
    if (list) {
        EW_TRY(ew_yaml_expect_list(list, "steps", &n));
        if (n == 0) {
            return ew_yaml_fail(list, "steps: the list is empty; leave it out for one static step");
        }
    }
    const int32_t n_room = (n ? n : 1) + ew_case_count_combined(reader);
    EW_TRY(ew_arena_take(&reader->arena, sizeof *input->step * (size_t)n_room, &input->step));
    input->n_step = n ? n : 1;
    if (n == 0) {
        input->step[0].name = "static";
        default_static(&input->step[0]);
    }
    for (int32_t i = 0; i < n; i++) {
        reader->step = i;
        EW_TRY(read_step(reader, ew_yaml_item(&reader->yaml, list, i), &input->step[i]));
        for (int32_t j = 0; j < i; j++) {
            if (!strcmp(input->step[j].name, input->step[i].name)) {
                return ew_fail_at(EW_BAD_INPUT, input->step[i].line,
                                  "step '%.60s' stands already in line %d; give each its own name",
                                  input->step[i].name, (int)input->step[j].line);
            }
        }
    }
    return EW_OK;
}

/* The name of this key in version 0.1 is read where it stands, and never offered. */
static const char *name_of_free(ew_yaml *yaml, const yaml_node_t *root)
{
    static const char now[] = "under_constrained", before[] = "loose_pieces";
    return !ew_yaml_find(yaml, root, now) && ew_yaml_find(yaml, root, before) ? before : now;
}

static ew_status check_mixed(const ew_case *input)
{
    for (int32_t i = 0; i < input->n_material && input->mixed; i++) {
        const ew_material *material = &input->material[i].material;
        if (material->kind != EW_ISOTROPIC || !(material->poisson > 0.0)) {
            return ew_fail_at(EW_BAD_INPUT, input->material[i].line,
                              "mixed tets take isotropic materials with poisson > 0; leave "
                              "'elements: mixed' out");
        }
    }
    return EW_OK;
}

/* Steps that stand beside the list, in this order. */
static ew_status read_beside(ew_case_reader *reader)
{
    ew_yaml *yaml = &reader->yaml;
    const yaml_node_t *root = yaml_document_get_root_node(&yaml->document);
    const yaml_node_t *fatigue = ew_yaml_find(yaml, root, "fatigue");
    const yaml_node_t *envelope = ew_yaml_find(yaml, root, "envelope");
    const int32_t n_own = reader->out->n_step;
    EW_TRY(ew_case_read_combinations(reader));
    EW_TRY(fatigue ? ew_case_read_fatigue(reader, fatigue, n_own) : EW_OK);
    return envelope ? ew_case_read_envelope(reader, envelope, n_own) : EW_OK;
}

static ew_status read_all(ew_case_reader *reader)
{
    ew_case *input = reader->out;
    ew_yaml *yaml = &reader->yaml;
    const yaml_node_t *root = yaml_document_get_root_node(&yaml->document);
    yaml_node_t *value;
    const char *free_key = name_of_free(yaml, root);
    char keys[EW_SECTION_KEYS + 16];
    ew_section_words(&ew_case_root, keys);
    if (strcmp(free_key, "under_constrained")) { /* its old name */
        strcpy(strstr(keys, "under_constrained"), free_key);
    }
    EW_TRY(ew_yaml_expect_keys(yaml, root, "the case", keys));
    EW_TRY(ew_yaml_need(yaml, root, "the case", "mesh", &value));
    EW_TRY(read_mesh_source(reader, value));
    EW_TRY(ew_case_unit_of_mesh(reader, value, ew_yaml_find(yaml, root, "units")));
    EW_TRY(ew_yaml_need(yaml, root, "the case", "material", &value));
    EW_TRY(ew_case_read_materials(reader, value));
    EW_TRY(ew_case_read_sets(reader, ew_yaml_find(yaml, root, "sets")));
    EW_TRY(ew_case_read_surfaces(reader, ew_yaml_find(yaml, root, "surfaces")));
    EW_TRY(ew_case_read_amplitudes(reader, ew_yaml_find(yaml, root, "amplitudes")));
    if ((value = ew_yaml_find(yaml, root, "constraints"))) {
        EW_TRY(ew_case_read_constraints(reader, value, &input->n_constraint, &input->constraint));
    }
    EW_TRY(ew_case_read_equations(reader, ew_yaml_find(yaml, root, "equations")));
    EW_TRY(ew_case_read_couplings(reader, ew_yaml_find(yaml, root, "couplings")));
    EW_TRY(ew_case_read_ties(reader, root));
    EW_TRY(ew_case_read_contacts(reader, ew_yaml_find(yaml, root, "contact")));
    if ((value = ew_yaml_find(yaml, root, "loads"))) {
        EW_TRY(ew_case_read_loads(reader, value, &input->n_load, &input->load));
    }
    EW_TRY(ew_case_read_goals(reader, ew_yaml_find(yaml, root, "goals")));
    EW_TRY(ew_case_read_output(reader, ew_yaml_find(yaml, root, "output"), &input->output));
    if ((value = ew_yaml_find(yaml, root, free_key))) {
        int32_t choice;
        EW_TRY(ew_yaml_choice(value, free_key, "error leave_out", &choice));
        input->leave_out_free = choice == 1;
    }
    if ((value = ew_yaml_find(yaml, root, "elements"))) {
        int32_t order;
        EW_TRY(ew_yaml_choice(value, "elements", "linear quadratic mixed", &order));
        input->quadratic = order == 1;
        input->has_order = true;
        input->mixed = order == 2;
        EW_TRY(check_mixed(input));
    }
    EW_TRY(read_steps(reader, ew_yaml_find(yaml, root, "steps")));
    EW_TRY(ew_case_part_bolts(reader));
    EW_TRY(read_beside(reader));
    EW_TRY(ew_case_read_kinematics(reader, ew_yaml_find(yaml, root, "kinematics")));
    EW_TRY(ew_case_check_combinations(input));
    EW_TRY(ew_case_check_contacts(input));
    EW_TRY(ew_case_check_images(input));
    EW_TRY(ew_case_check_places(input));
    EW_TRY(ew_case_check_fatigue(input));
    EW_TRY(ew_case_check_laws(input));
    EW_TRY(ew_case_check_remove(input));
    EW_TRY(ew_case_check_converge(input));
    return place_in_time(input);
}

/* Moves the grown lists into the arena, where the rest of the case lives. */
static ew_status settle(ew_case_reader *reader)
{
    ew_case *input = reader->out;
    size_t sets = sizeof *input->set * (size_t)input->n_set;
    size_t nodes = sizeof *input->node * (size_t)input->n_node;
    EW_TRY(ew_arena_take(&reader->arena, sets + 1, &input->set));
    EW_TRY(ew_arena_take(&reader->arena, nodes + 1, &input->node));
    if (sets) {
        memcpy(input->set, reader->set, sets);
        memcpy(input->node, reader->node, nodes);
    }
    return EW_OK;
}

static const yaml_node_t *root_of(ew_case_reader *reader)
{
    return yaml_document_get_root_node(&reader->yaml.document);
}

static ew_status read_sweep(ew_case_reader *reader)
{
    ew_case *input = reader->out;
    EW_TRY(ew_case_read_sweep(reader, ew_yaml_find(&reader->yaml, root_of(reader), "sweep")));
    EW_TRY(ew_case_read_search(reader, ew_yaml_find(&reader->yaml, root_of(reader), "optimise")));
    if (input->sweep) {
        input->sweep->user = reader->def->user;
        input->sweep->read_groups = reader->def->read_groups;
    }
    return ew_case_check_derivatives(input);
}

/* What a grid, ranges or a search vary; rows of lists and tables may have columns of no effect. */
static ew_status check_varied(ew_case_reader *reader)
{
    static const char *const path[][3] = {
        {"sweep", "grid"}, {"sweep", "latin", "ranges"}, {"optimise", "parameters"}};
    for (int i = 0; i < 3; i++) {
        const yaml_node_t *node = root_of(reader);
        for (int k = 0; k < 3 && path[i][k] && node; k++) {
            node = ew_yaml_find(&reader->yaml, node, path[i][k]);
        }
        EW_TRY(node ? ew_case_expect_read(reader, node) : EW_OK);
    }
    return EW_OK;
}

/* A document that is loaded, with the values of the parameters that `def` gives. */
static ew_status read_document(const ew_yaml *yaml, const char *data, size_t size,
                               const ew_case_def *def, ew_case *out)
{
    ew_case input = {.length_unit = "", .force_unit = "", .time_unit = ""};
    ew_case_reader reader = {.yaml = *yaml, .out = &input, .def = def, .step = -1};
    reader.yaml.arena = &reader.arena;
    input.tetgen = ew_default_tetgen_def();
    input.cad = ew_default_cad_def();
    ew_status status = ew_case_convert_quantities(&reader);
    status = status ? status : ew_case_read_parameters(&reader);
    if (!status) {
        status = read_all(&reader);
    }
    if (!status && !def->value) {
        status = read_sweep(&reader);
    }
    if (!status) {
        status = settle(&reader);
    }
    if (!status && !def->value) {
        status = check_varied(&reader);
    }
    if (!status) {
        status = ew_arena_take(&reader.arena, size + 1, &input.text);
    }
    ew_release(reader.set);
    ew_release(reader.node);
    if (status) {
        ew_arena_free(reader.arena);
        return status;
    }
    memcpy(input.text, data, size);
    input.arena = reader.arena;
    *out = input;
    return EW_OK;
}

/* The parsed text of a case with a sweep, for its combinations. Values of expressions are in its
 * nodes: one thread reads at a time. */
struct ew_case_document {
    ew_yaml yaml;
    pthread_mutex_t mutex;
};

static ew_status keep_document(const ew_yaml *yaml, ew_case_sweep *sweep)
{
    struct ew_case_document *made;
    EW_TRY(ew_new_zero(&made, 1, sizeof *made));
    made->yaml = *yaml;
    pthread_mutex_init(&made->mutex, NULL);
    sweep->document = made;
    return EW_OK;
}

static void free_document(struct ew_case_document *document)
{
    if (document) {
        ew_yaml_free(&document->yaml);
        pthread_mutex_destroy(&document->mutex);
        ew_release(document);
    }
}

ew_status ew_case_read_with(const char *data, size_t size, const ew_case_def *def, ew_case *out)
{
    ew_yaml yaml;
    ew_case input;
    ew_arena_block *unused = NULL;
    ew_status status = ew_yaml_load(&yaml, data, size, &unused);
    status = status ? status : read_document(&yaml, data, size, def, &input);
    if (!status && input.sweep) {
        status = keep_document(&yaml, input.sweep);
        if (status) {
            ew_case_free(&input);
        }
    }
    if (status || !input.sweep) {
        ew_yaml_free(&yaml);
    }
    if (!status) {
        *out = input;
    }
    return status;
}

ew_status ew_case_read_again(const ew_case *input, int32_t n_value, const double *value,
                             ew_case *out)
{
    struct ew_case_document *document = input->sweep->document;
    const ew_case_def def = {input->sweep->user, input->sweep->read_groups, n_value, value};
    pthread_mutex_lock(&document->mutex);
    const ew_status status =
        read_document(&document->yaml, input->text, strlen(input->text), &def, out);
    pthread_mutex_unlock(&document->mutex);
    return status;
}

ew_status ew_case_read(const char *data, size_t size, ew_case *out)
{
    const ew_case_def def = {.user = NULL};
    return ew_case_read_with(data, size, &def, out);
}

void ew_case_free(ew_case *input)
{
    free_document(input->sweep ? input->sweep->document : NULL);
    ew_arena_free(input->arena);
    memset(input, 0, sizeof *input);
}
