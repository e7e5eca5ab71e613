/* The numbers of a set as a table: a line adds one to the record in the result, to NAME.sets.csv
 * and to the page. */
#include "study/run/run.h"

#include <string.h>

/* Sets that have a number. */
typedef enum set_condition {
    ALL,
    OF_SURFACE, /* of vertices and faces */
    OF_TETS,
    WITH_MEMBERS,
    WITH_RESULTS,
    WITH_MEAN_STRESS, /* and no amplitudes */
    WITH_PHASES,
    OF_SUPPORT, /* with results and constraints */
    OF_SUPPORT_WITH_PHASES,
    OF_FATIGUE,
    OF_COUPLING,
    OF_PRESCRIBED_COUPLING,
    OF_CONTACT,
    OF_CONTACT_OF_TWO, /* of another side */
    OF_RIGID,
    OF_TIE,
    OF_PRELOAD
} set_condition;

typedef struct set_number {
    ew_set_number about;
    set_condition condition;
    size_t offset; /* in ew_set_report */
} set_number;

#define NUMBER(name_, n_, unit_, condition_, member, ...)                                          \
    {                                                                                              \
        .about = {.name = name_, .n = n_, .unit = unit_, __VA_ARGS__}, .condition = condition_,    \
        .offset = offsetof(ew_set_report, member)                                                  \
    }
#define STRESS "force/length^2"

/* In the order of the columns. The first one is an int32_t, all others are doubles. */
static const set_number numbers[] = {
    NUMBER("members", 1, "", ALL, measure.n_member, .title = "members",
           .help = "vertices, faces or tets that it has"),
    NUMBER("area", 1, "length^2", OF_SURFACE, measure.area, .title = "area",
           .help = "of the faces; of a set of vertices, of the boundary faces with all three "
                   "vertices in it"),
    NUMBER("volume", 1, "length^3", OF_TETS, measure.volume, .title = "volume",
           .help = "of the tets of a set of tets"),
    NUMBER("centroid", 3, "length", WITH_MEMBERS, measure.centroid,
           .help = "of area, of volume, or mean of the vertices"),
    NUMBER("low", 3, "length", WITH_MEMBERS, measure.low, .help = "of the bounding box"),
    NUMBER("high", 3, "length", WITH_MEMBERS, measure.high, .help = "of the bounding box"),
    NUMBER("mean_displacement", 3, "length", WITH_RESULTS, results.mean_displacement,
           .help = "by area, by volume, or mean of the vertices"),
    NUMBER("max_displacement", 1, "length", WITH_RESULTS, results.max_displacement,
           .title = "max displacement", .help = "largest magnitude at a vertex of the set"),
    NUMBER("mean_von_mises", 1, STRESS, WITH_MEAN_STRESS, results.mean_von_mises,
           .title = "mean von Mises",
           .help = "of faces and vertices of the stress averaged at vertices, by area or of the "
                   "vertices alike; where materials meet, of faces on their side, of vertices on "
                   "that of the tets (else of the boundary faces) with all vertices in the set, "
                   "else the largest; of tets of their own, by volume"),
    NUMBER("max_von_mises", 1, STRESS, WITH_RESULTS, results.max_von_mises,
           .title = "max von Mises",
           .help = "of the same; of tets the largest of their own and of the averaged one at their "
                   "corners"),
    NUMBER("reaction_force", 3, "force", OF_SUPPORT, results.reaction_force, .title = "reaction",
           .help = "of a support (a set with constraints): the reactions at its vertices, of the "
                   "components that its constraints prescribe (of all where they are along local "
                   "axes), and the forces of the springs there if it has springs; a vertex of two "
                   "supports that prescribe the same component counts in both, as do springs"),
    NUMBER("reaction_moment", 3, "force*length", OF_SUPPORT, results.reaction_moment,
           .help = "of the same, about the set's centroid"),
    NUMBER("mean_displacement_phase", 3, "", WITH_PHASES, phases.displacement,
           .help = "of a harmonic response, in degrees before the loads; there displacements, "
                   "reactions and moments are amplitudes, of components each, max_displacement "
                   "and max_von_mises bounds over a period, and mean_von_mises is left out"),
    NUMBER("reaction_force_phase", 3, "", OF_SUPPORT_WITH_PHASES, phases.reaction_force,
           .help = "of a harmonic response, in degrees before the loads"),
    NUMBER("reaction_moment_phase", 3, "", OF_SUPPORT_WITH_PHASES, phases.reaction_moment,
           .help = "of a harmonic response, in degrees before the loads"),
    NUMBER("fatigue_damage", 1, "", OF_FATIGUE, fatigue_damage, .title = "fatigue damage",
           .help = "of the step of fatigue: largest damage of a repeat at a vertex of the set"),
    NUMBER("fatigue_safety", 1, "", OF_FATIGUE, fatigue_safety, .title = "fatigue safety",
           .help = "likewise, the smallest"),
    NUMBER("fatigue_place", 3, "length", OF_FATIGUE, fatigue_place, .title = "worst at",
           .help = "the vertex of that safety"),
    NUMBER("reference_displacement", 3, "length", OF_COUPLING, reference_displacement,
           .title = "reference displacement", .help = "of the reference point of a coupling"),
    NUMBER("reference_rotation", 3, "", OF_COUPLING, reference_rotation,
           .title = "reference rotation", .help = "of the same about x, y and z, rad"),
    NUMBER("reference_force", 3, "force", OF_PRESCRIBED_COUPLING, reference_force,
           .title = "reference force",
           .help = "that moves the reference point as the coupling prescribes"),
    NUMBER("reference_moment", 3, "force*length", OF_PRESCRIBED_COUPLING, reference_moment,
           .help = "likewise, about the reference point"),
    NUMBER("contact_force", 3, "force", OF_CONTACT_OF_TWO, contact_force, .title = "contact force",
           .help =
               "of a side of contacts: force of the other sides on it; not of faces that meet one "
               "another, whose forces add up to 0. Where all parts meet, of any set that others "
               "touch"),
    NUMBER(
        "contact_area", 1, "length^2", OF_CONTACT, contact_area, .title = "contact area",
        .help =
            "of a side of contacts: of the closed points of slaves; where all parts meet, of any "
            "set that others touch"),
    NUMBER("contact_pressure", 1, STRESS, OF_CONTACT, contact_pressure, .title = "contact pressure",
           .help = "of the same: the largest"),
    NUMBER("contact_moment", 3, "force*length", OF_RIGID, contact_moment, .title = "contact moment",
           .help = "of a slave of rigid bodies: moment of their forces on it about the origin"),
    NUMBER("tie_force", 3, "force", OF_TIE, tie_force, .title = "tie force",
           .help = "of a side of ties: force of the other sides on it"),
    NUMBER("preload_force", 1, "force", OF_PRELOAD, preload_force, .title = "preload",
           .help = "of the slave of a preload: tension of the bolt"),
    NUMBER("shortening", 1, "length", OF_PRELOAD, shortening, .title = "shortening",
           .help = "of the same: by how much the sides have moved over one another"),
};
enum { N_NUMBER = sizeof numbers / sizeof *numbers };
_Static_assert((int)N_NUMBER <= (int)STUDY_MAX_SET_NUMBER, "a record of a set has room for fewer");

const ew_set_number *ew_set_number_at(int32_t k)
{
    return k >= 0 && k < N_NUMBER ? &numbers[k].about : NULL;
}

bool ew_set_number_of(int32_t k, const ew_set_report *report, double value[EW_STEP_NUMBER_VALUES])
{
    const set_number *number = &numbers[k];
    if (k == 0) {
        value[0] = report->measure.n_member;
    } else {
        memcpy(value, (const char *)report + number->offset,
               (size_t)number->about.n * sizeof *value);
    }
    switch (number->condition) {
    case OF_SURFACE:
        return report->kind != EW_SET_OF_TETS;
    case OF_TETS:
        return report->kind == EW_SET_OF_TETS;
    case WITH_MEMBERS:
        return report->measure.n_member > 0;
    case WITH_RESULTS:
        return report->has_results;
    case WITH_MEAN_STRESS:
        return report->has_results && !report->has_phases;
    case WITH_PHASES:
        return report->has_phases;
    case OF_SUPPORT_WITH_PHASES:
        return report->has_phases && report->support;
    case OF_SUPPORT:
        return report->has_results && report->support;
    case OF_FATIGUE:
        return report->has_fatigue;
    case OF_COUPLING:
        return report->has_coupling;
    case OF_PRESCRIBED_COUPLING:
        return report->has_coupling && report->is_prescribed;
    case OF_CONTACT:
        return report->has_contact;
    case OF_CONTACT_OF_TWO:
        return report->has_contact_force;
    case OF_RIGID:
        return report->has_contact && report->has_rigid;
    case OF_TIE:
        return report->has_tie;
    case OF_PRELOAD:
        return report->has_preload;
    default:
        return true;
    }
}
