/* Elements of a SOFA scene and their attributes. In: the tree of a scene. Out: elements by kind,
 * name or link, numbers of attributes, and the list of what is left out. */
#include "scene/internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NOTES = 500 };

const char sofa_elastic_names[] =
    "TetrahedronFEMForceField TetrahedralCorotationalFEMForceField "
    "FastTetrahedralCorotationalForceField LinearSmallStrainFEMForceField "
    "CorotationalFEMForceField";
/* Components without a counterpart and without an effect. */
static const char passed_over[] =
    "RequiredPlugin VisualStyle DefaultAnimationLoop DefaultVisualManagerLoop VisualManagerLoop "
    "TetrahedronSetGeometryAlgorithms TetrahedronSetTopologyModifier "
    "TetrahedronSetTopologyAlgorithms TriangleSetGeometryAlgorithms TriangleSetTopologyContainer "
    "InteractiveCamera OglSceneFrame BackgroundSetting StatsSetting Camera DefaultCamera "
    "LightManager "
    "DirectionalLight PositionalLight SpotLight APIVersion ViewerSetting MouseButtonSetting";

const char *sofa_kind(const sofa *s, int32_t element)
{
    const char *name = xml_name(&s->tree, element);
    const char *type = strcmp(name, "Object") ? NULL : xml_find(&s->tree, element, "type");
    return type ? type : name;
}

bool sofa_is(const sofa *s, int32_t element, const char *names)
{
    const char *kind = sofa_kind(s, element);
    const size_t n = strlen(kind);
    for (const char *at = names; *at && n;) {
        const size_t length = strcspn(at, " ");
        if (length == n && !memcmp(at, kind, n)) {
            return true;
        }
        at += length + strspn(at + length, " ");
    }
    return false;
}

int32_t sofa_next_in(const sofa *s, int32_t node, int32_t from, const char *names)
{
    for (int32_t i = from + 1; i < s->tree.n; i++) {
        if (s->tree.element[i].parent == node && sofa_is(s, i, names)) {
            return i;
        }
    }
    return -1;
}

int32_t sofa_in_scope(sofa *s, const char *names)
{
    for (int32_t node = s->body; node >= 0; node = s->tree.element[node].parent) {
        const int32_t found = sofa_next_in(s, node, -1, names);
        if (found >= 0) {
            s->is_read[found] = true;
            return found;
        }
    }
    return -1;
}

int32_t sofa_follow(const sofa *s, int32_t element, const char *link)
{
    const char *begin = link;
    for (const char *at = link; *at; at++) {
        begin = *at == '/' || *at == '@' ? at + 1 : begin;
    }
    const size_t n = strcspn(begin, ".");
    int32_t found = -1;
    for (int32_t i = 0; i < s->tree.n; i++) {
        const char *name = xml_find(&s->tree, i, "name");
        const bool same = name && strlen(name) == n && !memcmp(name, begin, n) && i != element;
        const bool near = same && s->tree.element[i].parent == s->tree.element[element].parent;
        found = same && (found < 0 || near) ? i : found; /* those beside it come first */
        if (near) {
            break;
        }
    }
    return found;
}

/* Counts, and fills where value is not null. Commas count as blanks. */
static ew_status scan_numbers(const sofa *s, int32_t element, const char *attribute,
                              const char *text, double *value, int32_t *n)
{
    char *end;
    *n = 0;
    for (;;) {
        text += strspn(text, " \t\r\n,");
        if (!*text) {
            return EW_OK;
        }
        const double found = strtod(text, &end);
        if (end == text || !isfinite(found) || (*end && !strchr(" \t\r\n,", *end))) {
            return sofa_fail(s, element, "%s: '%.20s' is not a finite number", attribute, text);
        }
        if (value) {
            value[*n] = found;
        }
        (*n)++;
        text = end;
    }
}

ew_status sofa_list(const sofa *s, int32_t element, const char *attribute, double **value,
                    int32_t *n)
{
    const char *text = xml_find(&s->tree, element, attribute);
    *value = NULL;
    *n = 0;
    if (!text || text[0] == '@') {
        return EW_OK;
    }
    EW_TRY(scan_numbers(s, element, attribute, text, NULL, n));
    EW_TRY(ew_new(value, (size_t)*n, sizeof **value));
    return scan_numbers(s, element, attribute, text, *value, n);
}

ew_status sofa_numbers(const sofa *s, int32_t element, const char *attribute, int32_t min,
                       int32_t max, double *value, int32_t *n)
{
    double *list = NULL;
    EW_TRY(sofa_list(s, element, attribute, &list, n));
    ew_status status = EW_OK;
    if (list && (*n < min || *n > max)) {
        status = sofa_fail(s, element, "%s has %d numbers; it needs %d", attribute, *n, min);
    } else if (list) {
        memcpy(value, list, (size_t)*n * sizeof *value);
    }
    ew_release(list);
    return status;
}

ew_status sofa_number(const sofa *s, int32_t element, const char *attribute, double *value)
{
    int32_t n;
    return sofa_numbers(s, element, attribute, 1, 1, value, &n);
}

void sofa_note(sofa *s, int32_t element, const char *format, ...)
{
    char text[400];
    va_list arguments;
    if (s->n_note++ >= MAX_NOTES) {
        return;
    }
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (char *at = text; *at; at++) {
        *at = (unsigned char)*at < ' ' || *at == 127 ? ' ' : *at;
    }
    words_add(&s->notes, "line %d: %.60s: %s\n", s->tree.element[element].line,
              sofa_kind(s, element), text);
}

ew_status sofa_fail(const sofa *s, int32_t element, const char *format, ...)
{
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return ew_fail_at(EW_BAD_INPUT, s->tree.element[element].line, "%.60s: %s",
                      sofa_kind(s, element), text);
}

void sofa_list_the_rest(sofa *s)
{
    for (int32_t i = 0; i < s->tree.n; i++) {
        if (!s->is_read[i] && !sofa_is(s, i, "Node") && !sofa_is(s, i, passed_over)) {
            sofa_note(s, i,
                      sofa_is(s, i, sofa_elastic_names) ? "left out: a case has one body, the first"
                                                        : "left out");
        }
    }
    if (s->n_note > MAX_NOTES) {
        words_add(&s->notes, "and %d more\n", s->n_note - MAX_NOTES);
    }
}
