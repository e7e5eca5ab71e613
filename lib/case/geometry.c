/* A face or a solid of the mesh by its geometry: `surface: {kind: cylinder, near: [..], radius:
 * 4}`, `region: {near: [..], volume: 20}`. In: a mapping. Out: its label, and a note for the user
 * where it has changed since the mapping was written. */
#include "case/reader.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A geometry that was looked for, and what was found. */
struct ew_case_match {
    ew_geometry_query query;
    int32_t line, number;
    bool is_same;
    const struct ew_case_match *next;
};

EW_PRINTF(2, 3) static ew_status add_note(ew_case_reader *reader, const char *format, ...)
{
    ew_case *input = reader->out;
    const char **list;
    char text[1024], *own;
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    for (int32_t i = 0; i < input->n_note; i++) {
        if (!strcmp(input->note[i], text)) {
            return EW_OK;
        }
    }
    EW_TRY(ew_arena_take(&reader->arena, strlen(text) + 1, &own));
    EW_TRY(ew_arena_take(&reader->arena, ((size_t)input->n_note + 1) * sizeof *list, &list));
    strcpy(own, text);
    for (int32_t i = 0; i < input->n_note; i++) {
        list[i] = input->note[i];
    }
    list[input->n_note++] = own;
    input->note = list;
    return EW_OK;
}

static const char *number_text(double value, double scale, char text[32])
{
    snprintf(text, 32, "%.7g", fabs(value) < 1e-9 * scale ? 0.0 : value);
    return text;
}

static size_t add_vector(const char *key, const double v[3], double scale, char *text, size_t room)
{
    char x[3][32];
    return (size_t)snprintf(text, room, "%s: [%s, %s, %s]", key, number_text(v[0], scale, x[0]),
                            number_text(v[1], scale, x[1]), number_text(v[2], scale, x[2]));
}

void ew_case_geometry_text(const ew_geometry *one, double diagonal, char text[EW_GEOMETRY_TEXT])
{
    const bool is_solid = one->kind == EW_GEOMETRY_SOLID;
    const double *d = one->direction;
    const size_t room = EW_GEOMETRY_TEXT;
    size_t n = (size_t)snprintf(text, room, is_solid ? "{" : "{kind: %s, ",
                                ew_geometry_kind_name(one->kind));
    n += add_vector("near", one->centroid, diagonal, text + n, room - n);
    if (d[0] != 0 || d[1] != 0 || d[2] != 0) {
        n += (size_t)snprintf(text + n, room - n, ", ");
        n += add_vector("direction", d, 1.0, text + n, room - n);
    }
    if (one->radius > 0) {
        n += (size_t)snprintf(text + n, room - n, ", radius: %.7g", one->radius);
    }
    snprintf(text + n, room - n, ", %s: %.7g}", is_solid ? "volume" : "area", one->size);
}

ew_status ew_case_groups(ew_case_reader *reader, const ew_groups **groups)
{
    if (!reader->has_groups && reader->def->read_groups) {
        EW_TRY(reader->def->read_groups(reader->def->user, reader->out, &reader->groups));
    }
    reader->has_groups = true;
    *groups = reader->groups;
    return EW_OK;
}

/* The geometry of the mesh; refused where they are not known. */
static ew_status find_list(ew_case_reader *reader, const yaml_node_t *node,
                           const ew_geometry_list **list)
{
    const ew_groups *groups = NULL;
    EW_TRY(ew_case_groups(reader, &groups));
    if (!groups || !groups->geometry.n) {
        return ew_yaml_fail(node,
                            "the mesh has no labeled faces or solids whose geometry is known");
    }
    *list = &groups->geometry;
    return EW_OK;
}

static ew_status read_query(ew_case_reader *reader, const yaml_node_t *node, bool is_solid,
                            ew_geometry_query *query)
{
    const yaml_node_t *direction;
    *query = (ew_geometry_query){.kind = is_solid ? (int32_t)EW_GEOMETRY_SOLID : -1,
                                 .tolerance = EW_GEOMETRY_TOLERANCE};
    EW_TRY(ew_case_read_keys(&reader->yaml, node,
                             is_solid ? &ew_section_solid_geometry : &ew_section_face_geometry,
                             query));
    direction = is_solid ? NULL : ew_yaml_find(&reader->yaml, node, "direction");
    return direction ? ew_case_read_axis(reader, direction, "direction", query->direction) : EW_OK;
}

/* A name that several faces have in common is that of all of them. */
static ew_status refuse_shared(const yaml_node_t *node, const ew_groups *groups,
                               const ew_geometry *found)
{
    const bool is_solid = found->kind == EW_GEOMETRY_SOLID;
    const char *name =
        ew_groups_label_name(groups, is_solid ? EW_GROUP_TETS : EW_GROUP_FACES, found->label);
    for (int32_t i = 0; i < groups->geometry.n; i++) {
        const ew_geometry *other = &groups->geometry.of[i];
        if (other != found && other->label == found->label &&
            (other->kind == EW_GEOMETRY_SOLID) == is_solid) {
            return ew_yaml_fail(node,
                                "%s %d and others have the name '%.60s' together; select them by "
                                "it, or give them names of their own in the CAD file",
                                is_solid ? "solid" : "face", (int)found->number, name ? name : "");
        }
    }
    return EW_OK;
}

/* Two geometries that differ are not of one face, unless they are written differently alone: where
 * one of their faces is gone, the other must not count for both. */
static ew_status refuse_twice(const yaml_node_t *node, const struct ew_case_match *one)
{
    const bool is_solid = one->query.kind == EW_GEOMETRY_SOLID;
    for (const struct ew_case_match *other = one->next; other; other = other->next) {
        const bool is_one = other->number == one->number &&
                            (other->query.kind == EW_GEOMETRY_SOLID) == is_solid &&
                            (!other->is_same || !one->is_same);
        if (is_one && memcmp(&other->query, &one->query, sizeof one->query)) {
            return ew_yaml_fail(node,
                                "%s %d is the nearest to this geometry and to another one in line "
                                "%d; one of both has gone or changed too much: correct 'near' by "
                                "'edgewise info'",
                                is_solid ? "solid" : "face", (int)one->number, (int)other->line);
        }
    }
    return EW_OK;
}

ew_status ew_case_read_geometry(ew_case_reader *reader, const yaml_node_t *node, bool is_solid,
                                bool may_miss, int32_t *label, bool *is_found)
{
    const ew_geometry_list *list = NULL;
    const ew_geometry *found = NULL;
    char change[EW_GEOMETRY_TEXT];
    const char *key = is_solid ? "region" : "surface";
    struct ew_case_match *made;
    EW_TRY(ew_arena_take(&reader->arena, sizeof *made, &made));
    EW_TRY(read_query(reader, node, is_solid, &made->query));
    EW_TRY(find_list(reader, node, &list));
    const ew_status status = ew_geometry_match(list, &made->query, &found, change);
    *is_found = !status;
    made->line = ew_yaml_line(node);
    if (status == EW_BAD_INPUT && may_miss) {
        return add_note(reader, "line %d: %s is not kept: %s", (int)made->line, key, ew_message());
    }
    if (status) {
        ew_fail_prefix(status, key);
        return ew_fail_line(status, made->line);
    }
    made->number = found->number;
    made->is_same = !*change;
    made->next = reader->match;
    EW_TRY(refuse_shared(node, reader->groups, found));
    EW_TRY(refuse_twice(node, made));
    reader->match = made;
    *label = found->label;
    return *change ? add_note(reader, "line %d: %s is kept as %s", (int)made->line, key, change)
                   : EW_OK;
}

ew_status ew_case_note_number(ew_case_reader *reader, const yaml_node_t *node, bool is_solid,
                              int32_t label)
{
    const ew_case *input = reader->out;
    const ew_groups *groups = NULL;
    char text[EW_GEOMETRY_TEXT];
    if (!input->mesh_file || !ew_cad_reads(input->mesh_file)) {
        return EW_OK;
    }
    EW_TRY(ew_case_groups(reader, &groups));
    for (int32_t i = 0; groups && i < groups->geometry.n; i++) {
        const ew_geometry *one = &groups->geometry.of[i];
        if (one->label == label && (one->kind == EW_GEOMETRY_SOLID) == is_solid) {
            ew_case_geometry_text(one, groups->geometry.diagonal, text);
            const char *key = is_solid ? "region" : "surface";
            return add_note(reader,
                            "line %d: %s %d is a number, which may be of another one when the CAD "
                            "file changes; the same by its geometry is %s: %s",
                            (int)ew_yaml_line(node), key, (int)label, key, text);
        }
    }
    return EW_OK;
}
