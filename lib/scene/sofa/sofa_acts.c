/* Constraints, loads and mapped surfaces of the body of a SOFA scene. In: constraints, forces,
 * regions of interest, surfaces under a barycentric mapping. Out: constraints, loads, amplitudes,
 * sets and surfaces of a case. */
#include "scene/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_FORCES = 500, MAX_SURFACES = 100 };

/* ---- sets ------------------------------------------------------------------------ */

static ew_case_entry *root_of(const sofa *s)
{
    return ew_case_draft_root(s->draft);
}

static ew_case_entry *begin_set(sofa *s, const char *kind)
{
    char name[40];
    snprintf(name, sizeof name, "%s_%d", kind, (int)++s->n_set);
    return ew_case_add_mapping(ew_case_add_mapping(root_of(s), "sets"), name);
}

/* Where each of n selections goes: the set itself, or an item of its union. */
static ew_case_entry *begin_selection(ew_case_entry *set, int32_t n)
{
    return n > 1 ? ew_case_add_mapping(ew_case_add_list(set, "union"), NULL) : set;
}

/* Boxes as six numbers each, or spheres. */
static ew_status put_boxes(sofa *s, int32_t element, const double *value, int32_t n,
                           ew_case_entry *set)
{
    if (n == 0 || n % 6) {
        return sofa_fail(s, element, "a box is six numbers: its lowest and its highest corner");
    }
    for (int32_t i = 0; i < n; i += 6) {
        double low[3], high[3];
        for (int c = 0; c < 3; c++) {
            low[c] = fmin(value[i + c], value[i + 3 + c]);
            high[c] = fmax(value[i + c], value[i + 3 + c]);
        }
        ew_case_entry *box = ew_case_add_list(begin_selection(set, n / 6), "box");
        ew_case_add_numbers(box, NULL, low, 3);
        ew_case_add_numbers(box, NULL, high, 3);
    }
    return EW_OK;
}

static ew_status put_spheres(sofa *s, int32_t element, ew_case_entry *set)
{
    double *center = NULL, *radius = NULL;
    int32_t n = 0, n_radius = 0;
    ew_status status = sofa_list(s, element, "centers", &center, &n);
    if (!status) {
        status = sofa_list(s, element, "radii", &radius, &n_radius);
    }
    if (!status && (n == 0 || n % 3 || n_radius != n / 3)) {
        status = sofa_fail(s, element, "needs centers (three numbers each) and as many radii");
    }
    for (int32_t i = 0; i < n && !status; i += 3) {
        ew_case_entry *sphere = ew_case_add_mapping(begin_selection(set, n / 3), "sphere");
        ew_case_add_numbers(sphere, "center", center + i, 3);
        ew_case_add_number(sphere, "radius", radius[i / 3]);
    }
    ew_release(center);
    ew_release(radius);
    return status;
}

static ew_status put_ids(sofa *s, int32_t element, const double *id, int32_t n, ew_case_entry *set)
{
    ew_case_entry *ids = ew_case_add_list(set, "ids");
    int32_t n_put = 0;
    for (int32_t i = 0; i < n; i++) {
        if (!(id[i] >= 0 && id[i] < s->mesh.n_vertex) || id[i] != floor(id[i])) {
            return sofa_fail(s, element, "index %.17g; the mesh has points 0 to %d", id[i],
                             s->mesh.n_vertex - 1);
        }
        if (s->number[(int32_t)id[i]] >= 0) {
            ew_case_add_integer(ids, NULL, s->number[(int32_t)id[i]]);
            n_put++;
        }
    }
    return n_put ? EW_OK : sofa_fail(s, element, "acts on no point of the body");
}

static ew_status put_region(sofa *s, int32_t element, int32_t region, ew_case_entry *set)
{
    double *box = NULL;
    int32_t n = 0;
    s->is_read[region] = true;
    if (sofa_is(s, region, "SphereROI")) {
        return put_spheres(s, region, set);
    }
    if (!sofa_is(s, region, "BoxROI BoxRoi")) {
        return sofa_fail(s, element,
                         "its indices come from %.60s, which is not read; BoxROI, "
                         "SphereROI and lists of indices are",
                         sofa_kind(s, region));
    }
    EW_TRY(sofa_list(s, region, "box", &box, &n));
    const ew_status status = put_boxes(s, region, box, n, set);
    ew_release(box);
    return status;
}

/* A set of the points that the attribute gives, by list or link; `all` where it is absent. The name
 * is KIND_NUMBER. */
static ew_status add_set(sofa *s, int32_t element, const char *attribute, const char *kind,
                         bool all)
{
    const char *text = xml_find(&s->tree, element, attribute);
    double *id = NULL;
    int32_t n = 0;
    ew_case_entry *set = begin_set(s, kind);
    if (text && text[0] == '@') {
        const int32_t region = sofa_follow(s, element, text);
        EW_TRY(region >= 0 ? put_region(s, element, region, set)
                           : sofa_fail(s, element, "there is no component '%.60s'", text));
    } else if (text) {
        EW_TRY(sofa_list(s, element, attribute, &id, &n));
        const ew_status status = put_ids(s, element, id, n, set);
        ew_release(id);
        EW_TRY(status);
    } else if (all) {
        ew_case_add_truth(set, "all", true);
        ew_case_add_text(set, "of", "vertices");
    } else {
        ew_case_add_integer(ew_case_add_list(set, "ids"), NULL, 0);
    }
    return EW_OK;
}

/* The set that was made last. */
static void put_set_name(const sofa *s, const char *kind, ew_case_entry *to)
{
    char name[40];
    snprintf(name, sizeof name, "%s_%d", kind, (int)s->n_set);
    ew_case_add_text(to, "set", name);
}

/* ---- constraints --------------------------------------------------------------------- */

static ew_status read_fixed(sofa *s, int32_t element)
{
    double direction[3] = {1, 1, 1};
    int32_t n;
    uint8_t fixed = 0;
    double *box = NULL;
    s->is_read[element] = true;
    EW_TRY(sofa_numbers(s, element, "fixedDirections", 3, 3, direction, &n));
    if (sofa_is(s, element, "BoxConstraint")) {
        EW_TRY(sofa_list(s, element, "box", &box, &n));
        const ew_status status = put_boxes(s, element, box, n, begin_set(s, "fixed"));
        ew_release(box);
        EW_TRY(status);
    } else {
        const char *whole = xml_find(&s->tree, element, "fixAll");
        const bool all = whole && (!strcmp(whole, "1") || !strcmp(whole, "true"));
        EW_TRY(add_set(s, element, all ? "" : "indices", "fixed", all));
    }
    for (int c = 0; c < 3; c++) {
        fixed |= (uint8_t)((direction[c] != 0.0) << c);
    }
    ew_case_entry *made = ew_case_add_mapping(ew_case_add_list(root_of(s), "constraints"), NULL);
    put_set_name(s, "fixed", made);
    ew_case_add_components(made, "displacement", (const double[3]){0}, fixed);
    return fixed ? EW_OK : sofa_fail(s, element, "fixes no direction");
}

ew_status sofa_read_constraints(sofa *s)
{
    static const char names[] =
        "FixedConstraint FixedProjectiveConstraint PartialFixedConstraint "
        "PartialFixedProjectiveConstraint BoxConstraint FixedLagrangianConstraint";
    for (int32_t i = sofa_next_in(s, s->body, -1, names); i >= 0;
         i = sofa_next_in(s, s->body, i, names)) {
        EW_TRY(read_fixed(s, i));
    }
    return EW_OK;
}

/* ---- forces ----------------------------------------------------------------------------- */

static ew_case_entry *put_load(sofa *s, const char *key, const double force[3])
{
    ew_case_entry *load = ew_case_add_mapping(ew_case_add_list(root_of(s), "loads"), NULL);
    put_set_name(s, "loaded", load);
    ew_case_add_numbers(load, key, force, 3);
    return load;
}

static ew_status read_gravity(sofa *s)
{
    double gravity[3] = {0.0, -9.81, 0.0};
    int32_t n;
    EW_TRY(sofa_numbers(s, 0, "gravity", 3, 3, gravity, &n));
    if (gravity[0] != 0.0 || gravity[1] != 0.0 || gravity[2] != 0.0) {
        ew_case_add_numbers(ew_case_add_mapping(ew_case_add_list(root_of(s), "loads"), NULL),
                            "gravity", gravity, 3);
    }
    return EW_OK;
}

/* A force for each of the listed points. */
static ew_status read_forces_by_point(sofa *s, int32_t element, const char *points,
                                      const double *force, int32_t n)
{
    double *id = NULL;
    int32_t n_id = 0;
    EW_TRY(sofa_list(s, element, points, &id, &n_id));
    ew_status status = EW_OK;
    if (!id || n_id != n || n > MAX_FORCES) {
        status = sofa_fail(s, element, "%d forces; one, or one for each listed point (at most %d)",
                           n, MAX_FORCES);
    }
    for (int32_t i = 0; i < n && !status; i++) {
        status = put_ids(s, element, id + i, 1, begin_set(s, "loaded"));
        put_load(s, "force", force + 3 * (size_t)i);
    }
    ew_release(id);
    return status;
}

static ew_status read_constant(sofa *s, int32_t element)
{
    const char *points = xml_find(&s->tree, element, "indices") ? "indices" : "points";
    double *list = NULL, force[3];
    int32_t n = 0, n_force = 0;
    s->is_read[element] = true;
    EW_TRY(sofa_numbers(s, element, "totalForce", 3, 3, force, &n_force));
    if (n_force) {
        EW_TRY(add_set(s, element, points, "loaded", true));
        put_load(s, "total_force", force);
        return EW_OK;
    }
    EW_TRY(sofa_list(s, element, xml_find(&s->tree, element, "forces") ? "forces" : "force", &list,
                     &n));
    ew_status status = EW_OK;
    if (n == 0 || n % 3) {
        status = sofa_fail(s, element, "needs totalForce or forces, three numbers each");
    } else if (n > 3) {
        status = read_forces_by_point(s, element, points, list, n / 3);
    } else {
        status = add_set(s, element, points, "loaded", true);
        put_load(s, "force", list);
    }
    ew_release(list);
    return status;
}

/* Keys of time: an amplitude for each component. */
static ew_status put_keys(sofa *s, int32_t element, const double *time, const double *force,
                          int32_t n, double factor)
{
    for (int c = 0; c < 3; c++) {
        char name[40];
        double unit[3] = {0, 0, 0};
        bool any = false;
        for (int32_t i = 0; i < n; i++) {
            any = any || force[3 * i + c] != 0.0;
            if (i && !(time[i] > time[i - 1])) {
                return sofa_fail(s, element, "its times do not ascend");
            }
        }
        if (!any) {
            continue;
        }
        unit[c] = factor;
        snprintf(name, sizeof name, "keys_%d", (int)++s->n_amplitude);
        ew_case_add_text(put_load(s, "force", unit), "amplitude", name);
        ew_case_entry *made =
            ew_case_add_mapping(ew_case_add_mapping(root_of(s), "amplitudes"), name);
        ew_case_entry *table = ew_case_add_list(made, "table");
        for (int32_t i = 0; i < n; i++) {
            ew_case_add_numbers(table, NULL, (const double[2]){time[i], force[3 * i + c]}, 2);
        }
    }
    return EW_OK;
}

static ew_status read_linear(sofa *s, int32_t element)
{
    double *time = NULL, *force = NULL, factor = 1.0;
    int32_t n = 0, n_force = 0;
    ew_status status = EW_OK;
    s->is_read[element] = true;
    EW_TRY_OUT(sofa_number(s, element, "force", &factor));
    EW_TRY_OUT(sofa_list(s, element, "times", &time, &n));
    EW_TRY_OUT(sofa_list(s, element, "forces", &force, &n_force));
    if (n == 0 || n_force != 3 * n) {
        status = sofa_fail(s, element, "needs times and as many forces, three numbers each");
        goto out;
    }
    EW_TRY_OUT(add_set(s, element, "points", "loaded", false));
    sofa_note(s, element, "constant before its first time and after its last");
    status = put_keys(s, element, time, force, n, factor);
out:
    ew_release(time);
    ew_release(force);
    return status;
}

ew_status sofa_read_forces(sofa *s)
{
    static const char names[] = "ConstantForceField LinearForceField";
    EW_TRY(read_gravity(s));
    for (int32_t i = sofa_next_in(s, s->body, -1, names); i >= 0;
         i = sofa_next_in(s, s->body, i, names)) {
        EW_TRY(sofa_is(s, i, "LinearForceField") ? read_linear(s, i) : read_constant(s, i));
    }
    return EW_OK;
}

/* ---- surfaces ------------------------------------------------------------------------------ */

static bool is_within(const sofa *s, int32_t element, int32_t node)
{
    for (; element >= 0; element = s->tree.element[element].parent) {
        if (element == node) {
            return true;
        }
    }
    return false;
}

static bool is_moved(const sofa *s, int32_t element)
{
    static const char *const names[] = {"translation", "rotation", "scale", "scale3d", "dx",
                                        "dy",          "dz",       "rx",    "ry",      "rz"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = xml_find(&s->tree, element, names[i]);
        const bool one = !strncmp(names[i], "scale", 5);
        if (value && strspn(value, one ? "1. " : "0. -") != strlen(value)) {
            return true;
        }
    }
    return false;
}

static bool is_name(const char *name)
{
    const size_t n = strlen(name);
    return n > 0 && n <= 40 && name[0] != '-' &&
           strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == n;
}

static void put_surface(sofa *s, int32_t model, const char *file)
{
    const char *name = xml_find(&s->tree, model, "name");
    const bool is_absolute = file[0] == '/';
    char path[2048], own[60];
    snprintf(path, sizeof path, "%s%s", is_absolute ? "" : s->def->prefix, file);
    s->n_surface++;
    snprintf(own, sizeof own, "%s_%d", name && is_name(name) ? name : "surface",
             (int)s->n_surface); /* two may have one name */
    ew_case_entry *all = ew_case_add_mapping(root_of(s), "surfaces");
    ew_case_add_text(ew_case_add_mapping(all, own), "file", path);
}

/* The visual model beside a mapping, and the file that it shows. */
static void read_surface(sofa *s, int32_t mapping)
{
    const int32_t node = s->tree.element[mapping].parent;
    const int32_t model = sofa_next_in(s, node, -1, "OglModel VisualModel VisualModelImpl");
    if (model < 0 || s->n_surface == MAX_SURFACES) {
        return;
    }
    const char *link = xml_find(&s->tree, model, "src");
    const int32_t loader = link ? sofa_follow(s, model, link)
                                : sofa_next_in(s, node, -1,
                                               "MeshOBJLoader MeshObjLoader "
                                               "MeshSTLLoader MeshOffLoader");
    const char *file = xml_find(&s->tree, model, "fileMesh");
    file = file ? file : xml_find(&s->tree, model, "filename");
    file = !file && loader >= 0 ? xml_find(&s->tree, loader, "filename") : file;
    const char *dot = file ? strrchr(file, '.') : NULL;
    if (!dot || (strcmp(dot, ".obj") && strcmp(dot, ".stl") && strcmp(dot, ".off"))) {
        sofa_note(s, model, "is left out: no file of a surface (.obj, .off, .stl)%s%.60s",
                  file ? ": " : "", file ? file : "");
    } else {
        if (is_moved(s, model) || (loader >= 0 && is_moved(s, loader))) {
            sofa_note(s, model,
                      "its translation, rotation and scale are not applied: move the "
                      "vertices in %.60s",
                      file);
        }
        put_surface(s, model, file);
    }
    s->is_read[model] = s->is_read[mapping] = true;
    if (loader >= 0) {
        s->is_read[loader] = true;
    }
}

ew_status sofa_read_surfaces(sofa *s)
{
    for (int32_t i = 0; i < s->tree.n; i++) {
        if (sofa_is(s, i, "BarycentricMapping") && s->tree.element[i].parent != s->body &&
            is_within(s, i, s->body)) {
            read_surface(s, i);
        }
    }
    return EW_OK;
}
