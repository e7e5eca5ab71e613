/* Output about sets: members of each, what loads on it add up to, and what the solve says
 * of it. */
#include "report.h"

#include <math.h>

enum { MAX_ROWS = 40, NAME_WIDTH = 16 };

const char *report_vector(const double v[3], int digits, double dust, char text[64])
{
    double shown[3];
    for (int c = 0; c < 3; c++) {
        shown[c] = fabs(v[c]) <= dust ? 0.0 : v[c];
    }
    snprintf(text, 64, "(%.*g, %.*g, %.*g)", digits, shown[0], digits, shown[1], digits, shown[2]);
    return text;
}

static double largest(const double v[3])
{
    return fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
}

/* A set of vertices has an area where it encloses boundary faces. */
static bool has_area(const ew_set_report *set)
{
    return set->kind == EW_SET_OF_FACES ||
           (set->kind == EW_SET_OF_VERTICES && set->measure.n_face > 0 && !set->in_edit);
}

static void print_measure(const ew_case *input, int32_t s, const ew_set_report *set)
{
    const ew_set_measure *measure = &set->measure;
    const double dust = 1e-12 * fmax(largest(measure->low), largest(measure->high));
    char size[32] = "-", count[32], centroid[64], low[64], high[64];
    printf("  ");
    tool_print_padded(set->name, NAME_WIDTH);
    if (!set->is_made) {
        const bool plane = input->set[s].is_plane;
        printf(" %-8s %s%s%.60s%s\n", ew_set_kind_name(set->kind),
               plane ? "in a plane of symmetry, found in each step" : "made in step ",
               plane ? "" : "'", plane ? "" : input->step[input->set[s].step].name,
               plane ? "" : "'");
        return;
    }
    if (has_area(set)) {
        snprintf(size, sizeof size, "%.5g%s", measure->area,
                 set->kind == EW_SET_OF_VERTICES ? "*" : "");
    } else if (set->kind == EW_SET_OF_TETS) {
        snprintf(size, sizeof size, "%.5g", measure->volume);
    }
    printf(" %-8s %11s %13s", ew_set_kind_name(set->kind), tool_count(measure->n_member, count),
           size);
    if (measure->n_member) {
        printf("  %-30s %s to %s\n", report_vector(measure->centroid, 5, dust, centroid),
               report_vector(measure->low, 5, dust, low),
               report_vector(measure->high, 5, dust, high));
    } else {
        printf("  %s\n", "empty: the selection catches nothing");
    }
}

void report_notes(const ew_case *input)
{
    for (int32_t i = 0; i < input->n_note; i++) {
        printf("note: %s\n", input->note[i]);
    }
}

/* The sets that the start or this step made. */
static bool is_shown(const ew_set_report *set, bool at_start)
{
    return at_start ? !set->in_edit : set->is_new;
}

void report_sets(const ew_case *input, const ew_set_report *set, bool at_start)
{
    int32_t n = 0;
    bool star = false;
    for (int32_t s = 0; s < input->n_set; s++) {
        if (!is_shown(&set[s], at_start) || n++ >= MAX_ROWS) {
            continue;
        }
        if (n == 1) {
            printf("%-18s %-8s %11s %13s  %-30s %s\n", at_start ? "sets" : "  sets made", "of",
                   "members", "area, volume", "centroid", "box");
        }
        star = star || (set[s].kind == EW_SET_OF_VERTICES && has_area(&set[s]));
        print_measure(input, s, &set[s]);
    }
    if (n > MAX_ROWS) {
        printf("  ... and %d more\n", (int)n - MAX_ROWS);
    }
    if (star) {
        printf("  * of the boundary faces with all three vertices in the set: on these a pressure "
               "or traction acts\n");
    }
}

/* ---- surfaces ------------------------------------------------------------------------- */

void report_surfaces(int32_t n, const ew_surface_report *surface)
{
    for (int32_t s = 0; s < n; s++) {
        char vertices[32], triangles[32], outside[32];
        printf("surface ");
        tool_print_padded(surface[s].name, NAME_WIDTH);
        printf(" %s vertices, %s triangles", tool_count(surface[s].n_vertex, vertices),
               tool_count(surface[s].n_triangle, triangles));
        if (surface[s].n_outside) {
            printf("; %s vertices outside the body, by up to %.4g (vertex %d)",
                   tool_count(surface[s].n_outside, outside), surface[s].max_distance,
                   (int)surface[s].farthest);
        }
        puts(surface[s].looks_inward
                 ? "\nwarning: its triangles look inward: a pressure on it pulls; turn them round"
                 : "");
    }
}

/* ---- loads ----------------------------------------------------------------------------- */

/* One alone is the sum that is printed anyway. */
void report_loads(const ew_step_report *step)
{
    double force = 0.0, moment = 0.0;
    for (int32_t i = 0; i < step->n_load; i++) {
        force = fmax(force, 1e-12 * largest(step->load[i].force));
        moment = fmax(moment, 1e-12 * largest(step->load[i].moment));
    }
    for (int32_t i = 0; i < step->n_load && step->n_load > 1 && i < MAX_ROWS; i++) {
        const ew_load_report *load = &step->load[i];
        char name[128], f[64], m[64];
        const char *set = load->surface   ? load->surface
                          : load->set < 0 ? ""
                                          : step->set[load->set].name;
        if (i == 0) {
            printf("  %-34s %-38s %s\n", "loads", "force", "moment about the origin");
        }
        snprintf(name, sizeof name, "%s%s%.60s", ew_load_traits_of(load->kind)->name,
                 *set ? " on " : "", set);
        printf("    ");
        tool_print_padded(name, 32);
        printf(" %-38s %s\n", report_vector(load->force, 5, force, f),
               report_vector(load->moment, 5, moment, m));
    }
}

/* ---- results ---------------------------------------------------------------------- */

/* The residual of the solver relative to the largest of all sets. */
typedef struct dust {
    double force, moment, displacement;
} dust;

/* What supports take beyond the reaction, as a share of it, is of vertices that they share. */
#define SHARED 1e-6

static dust find_dust(const ew_case *input, const ew_set_report *set)
{
    dust all = {0};
    for (int32_t s = 0; s < input->n_set; s++) {
        const ew_set_results *results = &set[s].results;
        all.force = fmax(all.force, 1e-9 * largest(results->reaction_force));
        all.moment = fmax(all.moment, 1e-9 * largest(results->reaction_moment));
        all.displacement = fmax(all.displacement, 1e-9 * results->max_displacement);
    }
    return all;
}

static void print_support(const ew_set_report *set, const dust *below)
{
    const ew_set_results *results = &set->results;
    char force[64], moment[64];
    printf("    ");
    tool_print_padded(set->name, NAME_WIDTH);
    printf(" %-38s %s\n", report_vector(results->reaction_force, 5, below->force, force),
           report_vector(results->reaction_moment, 5, below->moment, moment));
}

static void print_answer(const ew_set_report *set, const dust *below)
{
    const ew_set_results *results = &set->results;
    char moved[64];
    printf("    ");
    tool_print_padded(set->name, NAME_WIDTH);
    printf(" %-38s %12.5g %14.5g %14.5g\n",
           report_vector(results->mean_displacement, 5, below->displacement, moved),
           results->max_displacement, results->mean_von_mises, results->max_von_mises);
}

static void print_coupling(const ew_set_report *set)
{
    char moved[64], turned[64];
    printf("    ");
    tool_print_padded(set->name, NAME_WIDTH);
    printf(" %-38s %s\n", report_vector(set->reference_displacement, 5, 0.0, moved),
           report_vector(set->reference_rotation, 5, 0.0, turned));
    if (set->is_prescribed) {
        printf("    %*s by %-35s %s\n", NAME_WIDTH, "",
               report_vector(set->reference_force, 5, 1e-9 * largest(set->reference_force), moved),
               report_vector(set->reference_moment, 5, 1e-9 * largest(set->reference_moment),
                             turned));
    }
}

static void print_couplings(const ew_case *input, const ew_set_report *set)
{
    int32_t n = 0;
    for (int32_t s = 0; s < input->n_set; s++) {
        if (set[s].has_coupling && n++ < MAX_ROWS) {
            if (n == 1) {
                printf("  %-18s %-38s %s\n", "couplings", "displacement of the reference",
                       "its rotation; by force and moment");
            }
            print_coupling(&set[s]);
        }
    }
}

/* reaction: of the whole body, which has a vertex of several sets once. */
void report_set_results(const run_report *report, const ew_set_report *set,
                        const double reaction[3])
{
    const ew_case *input = report->input;
    const dust below = find_dust(input, set);
    double beyond[3] = {-reaction[0], -reaction[1], -reaction[2]};
    int32_t n = 0;
    for (int32_t s = 0; s < input->n_set; s++) {
        if (set[s].has_results && set[s].support && n++ < MAX_ROWS) {
            if (n == 1) {
                printf("  %-18s %-38s %s\n", "supports", "reaction force",
                       "moment about the set's centroid");
            }
            print_support(&set[s], &below);
        }
        for (int c = 0; c < 3 && set[s].has_results && set[s].support; c++) {
            beyond[c] += set[s].results.reaction_force[c];
        }
    }
    if (n > 1 && largest(beyond) > SHARED * largest(reaction) + 1e3 * below.force) {
        puts("    vertices of several of these sets count in each; 'reaction' has them once");
    }
    print_couplings(input, set);
    n = 0;
    for (int32_t s = 0; s < input->n_set && report->verbose; s++) {
        if (set[s].has_results && !set[s].in_edit && n++ < MAX_ROWS) {
            if (n == 1) {
                printf("  %-18s %-38s %12s %14s %14s\n", "sets", "mean displacement", "largest",
                       "von Mises mean", "von Mises max");
            }
            print_answer(&set[s], &below);
        }
    }
    if (n > MAX_ROWS) {
        printf("    ... and %d more, in the table of sets\n", (int)n - MAX_ROWS);
    }
}

void report_set_fatigue(const ew_case *input, const ew_set_report *set)
{
    int32_t n = 0;
    for (int32_t s = 0; s < input->n_set; s++) {
        char place[64], safety[32];
        if (!set[s].has_fatigue || set[s].in_edit || n++ >= MAX_ROWS) {
            continue;
        }
        if (n == 1) {
            printf("  %-18s %12s %14s  %s\n", "sets", "safety", "damage", "worst at");
        }
        snprintf(safety, sizeof safety, "%s%.5g",
                 set[s].fatigue_safety < EW_MAX_FATIGUE_SAFETY ? "" : ">= ", set[s].fatigue_safety);
        printf("    ");
        tool_print_padded(set[s].name, NAME_WIDTH);
        printf(" %12s %14.5g  %s\n", safety, set[s].fatigue_damage,
               report_vector(set[s].fatigue_place, 5, 1e-12 * largest(set[s].fatigue_place),
                             place));
    }
}
