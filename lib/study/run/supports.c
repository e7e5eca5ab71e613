/* The supports of a step: constraints and springs of the case as those of the model, and planes of
 * symmetry, which find their own vertices on the mesh as it is. */
#include "study/run/run.h"

#include <math.h>
#include <string.h>

/* ---- planes of symmetry -------------------------------------------------------- */

typedef struct plane {
    const ew_mesh *mesh;
    double point[3], normal[3]; /* of length 1 */
    double thickness;
} plane;

static double height(const plane *of, int32_t v)
{
    const double *x = of->mesh->xyz + 3 * (size_t)v;
    double sum = 0.0;
    for (int c = 0; c < 3; c++) {
        sum += (x[c] - of->point[c]) * of->normal[c];
    }
    return sum;
}

static plane plane_of(const ew_mesh *mesh, const ew_case_constraint *from)
{
    const double *n = from->normal, length = hypot(hypot(n[0], n[1]), n[2]);
    plane out = {.mesh = mesh, .thickness = study_plane_thickness(mesh)};
    for (int c = 0; c < 3; c++) {
        out.point[c] = from->point[c];
        out.normal[c] = n[c] / length;
    }
    return out;
}

/* A plane of symmetry halves the whole part, of which one half is the mesh. */
static ew_status expect_one_side(const plane *at, int32_t line)
{
    double low = 0.0, high = 0.0;
    for (int32_t v = 0; v < at->mesh->n_vertex; v++) {
        if (ew_mesh_vertex_is_active(at->mesh, v)) {
            low = fmin(low, height(at, v));
            high = fmax(high, height(at, v));
        }
    }
    return low >= -at->thickness || high <= at->thickness
               ? EW_OK
               : ew_fail_at(EW_BAD_INPUT, line,
                            "the body lies on both sides of the plane of symmetry, %g before and "
                            "%g behind it; a plane of symmetry bounds the half that is modeled",
                            -low, high);
}

static int32_t corner_of(const ew_mesh *mesh, int32_t code, int k)
{
    return mesh->tet[4 * (size_t)(code / 4) + (size_t)ew_face_vertex[code % 4][k]];
}

/* Codes of the boundary faces that lie in the plane, ascending. */
static ew_status find_faces(ew_study *study, const plane *at, int32_t line, ew_list *face)
{
    const ew_boundary *boundary;
    EW_TRY(expect_one_side(at, line));
    EW_TRY(ew_model_boundary(study->model, &boundary));
    for (int32_t s = 0; s < boundary->n_slot; s++) {
        bool in = boundary->code[s] >= 0;
        for (int k = 0; k < 3 && in; k++) {
            in = fabs(height(at, corner_of(at->mesh, boundary->code[s], k))) <= at->thickness;
        }
        EW_TRY(in ? ew_list_push(face, boundary->code[s]) : EW_OK);
    }
    ew_list_sort(face);
    return face->n || study->removal.has_begun
               ? EW_OK
               : ew_fail_at(EW_BAD_INPUT, line,
                            "no face of the body lies in the plane of symmetry through "
                            "(%g, %g, %g); give its point, or a set",
                            at->point[0], at->point[1], at->point[2]);
}

/* Nothing is said to have changed where nothing has. */
static ew_status put_members(ew_study *study, int32_t set, const ew_list *face)
{
    ew_list before = {0};
    ew_status status = ew_model_list_faces(study->model, set, &before);
    const bool same =
        before.n == face->n &&
        (!face->n || !memcmp(before.id, face->id, (size_t)face->n * sizeof *face->id));
    if (!status && !same) {
        status = ew_model_redefine_set(study->model, set, face);
    }
    ew_list_free(&before);
    study->set[set].is_new = study->set[set].is_new || !study->set[set].is_made;
    study->set[set].is_made = true;
    return status;
}

static ew_status find_plane(ew_study *study, const ew_case_constraint *from)
{
    const plane at = plane_of(ew_model_mesh(study->model), from);
    ew_list face = {0};
    ew_status status = find_faces(study, &at, from->line, &face);
    if (!status) {
        status = put_members(study, from->set, &face);
    }
    ew_list_free(&face);
    return status;
}

/* ---- a step ---------------------------------------------------------------------- */

static void put_constraint(ew_study *study, int32_t place, const ew_case_constraint *from,
                           int32_t set)
{
    ew_model_constraint *to = &study->constraint[place];
    memset(to, 0, sizeof *to); /* compared as bytes */
    to->set = set;
    to->fixed = from->fixed;
    to->is_velocity = from->is_velocity;
    to->amplitude = from->amplitude + 1;
    to->axes = from->axes;
    memcpy(to->value, from->value, sizeof to->value);
}

static void put_spring(ew_study *study, int32_t place, const ew_case_constraint *from, int32_t set)
{
    ew_model_spring *to = &study->spring[place];
    memset(to, 0, sizeof *to);
    to->kind = from->spring;
    to->set = set;
    to->axes = from->axes;
    memcpy(to->stiffness, from->stiffness, sizeof to->stiffness);
}

/* Whether the model takes the set as it is; else it is given the vertices of its faces or tets. */
static bool takes_set(const ew_study *study, const ew_case_constraint *from)
{
    const ew_set_kind kind = study->input->set[from->set].kind;
    const bool each = from->is_spring && from->spring == EW_SPRING_EACH;
    return kind == EW_SET_OF_VERTICES || (kind == EW_SET_OF_FACES && !each);
}

/* Of an equation, then couplings, then ties, then contacts. */
static int32_t line_of(const ew_case *input, int32_t place)
{
    const int32_t coupling = place - input->n_equation, tie = coupling - input->n_coupling;
    const int32_t contact = tie - input->n_tie;
    return coupling < 0  ? input->equation[place].line
           : tie < 0     ? input->coupling[coupling].line
           : contact < 0 ? input->tie[tie].line
                         : input->contact[contact].line;
}

/* Errors of a support name its line. */
static ew_status check_supports(ew_study *study, int32_t n, const ew_case_constraint *list)
{
    int32_t constraint, spring;
    const ew_status status = ew_model_update_supports(study->model, &constraint, &spring);
    const ew_case *input = study->input;
    const int32_t n_all = input->n_equation + input->n_coupling + input->n_tie + input->n_contact;
    if (status && constraint < 0 && spring < 0 && n_all) { /* one of them, or all */
        const int64_t place = ew_last_failure()->id[0];
        const bool is_one = status == EW_BAD_INPUT && place >= 0 && place < n_all;
        return ew_fail_line(status, line_of(input, is_one ? (int32_t)place : 0));
    }
    for (int32_t i = 0; i < n && status; i++) {
        if ((list[i].is_spring ? spring-- : constraint--) == 0) {
            ew_fail_line(status, list[i].line);
        }
    }
    return status;
}

ew_status ew_study_set_supports(ew_study *study, const ew_case_step *step)
{
    const bool own = step->own_constraints;
    const ew_case_constraint *list = own ? step->constraint : study->input->constraint;
    const int32_t n = own ? step->n_constraint : study->input->n_constraint;
    int32_t n_constraint = 0, n_spring = 0;
    EW_TRY(ew_grow(&study->constraint, &study->constraint_capacity, n, sizeof *study->constraint));
    EW_TRY(ew_grow(&study->spring, &study->spring_capacity, n, sizeof *study->spring));
    for (int32_t i = 0; i < n; i++) {
        int32_t set = list[i].set;
        if (study->input->set[set].is_plane) {
            EW_TRY(find_plane(study, &list[i]));
        } else if (!study->removal.has_begun) { /* what it removes, the body does without */
            EW_TRY(ew_study_require_members(study, set, list[i].line));
        }
        if (!takes_set(study, &list[i])) {
            EW_TRY(ew_study_vertices_of(study, list[i].set, &set));
        }
        if (list[i].is_spring) {
            put_spring(study, n_spring++, &list[i], set);
        } else {
            put_constraint(study, n_constraint++, &list[i], set);
        }
    }
    EW_TRY(ew_model_set_constraints(study->model, n_constraint, study->constraint));
    EW_TRY(ew_model_set_springs(study->model, n_spring, study->spring));
    EW_TRY(ew_study_set_equations(study));
    EW_TRY(ew_study_set_couplings(study));
    EW_TRY(ew_study_set_ties(study));
    EW_TRY(ew_study_set_contacts(study, step));
    EW_TRY(check_supports(study, n, list));
    ew_study_warn_of_equations(study);
    return ew_study_check_ties(study);
}
