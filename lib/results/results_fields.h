/* results: the fields of an analysis. A line of EW_RESULT_FIELDS adds one to the files that a run
 * writes, to the words of `output: {fields: ...}`, to the units of pictures and to the reference;
 * `lib/study/record/fields.c` has the function of its name that gives the values. */
#ifndef EW_RESULTS_FIELDS_H
#define EW_RESULTS_FIELDS_H

#include "base/base.h"

EW_BEGIN_API

typedef enum ew_field_place { EW_ON_VERTICES, EW_ON_TETS } ew_field_place;

/* What the components of a field are. */
typedef enum ew_field_kind {
    EW_SCALAR_FIELD,
    EW_VECTOR_FIELD,  /* x y z */
    EW_TENSOR_FIELD,  /* xx yy zz xy yz xz */
    EW_STRETCH_FIELD, /* one number where all materials are isotropic, else as a tensor */
    EW_VALUES_FIELD,  /* three numbers, largest first */
    EW_CORNER_FIELD,  /* a number at each corner of a tet */
    EW_FIELD_KIND_COUNT
} ew_field_kind;

/* The studies that have a field. */
typedef enum ew_field_when {
    EW_FIELD_ALWAYS,
    EW_FIELD_OF_THERMAL_STRAIN, /* with a temperature load */
    EW_FIELD_OF_MIXED_TETS,     /* with mixed tets */
    EW_FIELD_OF_ERROR,          /* that estimate the error */
    EW_FIELD_OF_INTERFACES,     /* with several materials, or axes by tet */
    EW_FIELD_OF_MOTION,         /* with a dynamic step */
    EW_FIELD_OF_LAWS,           /* with steps that follow a plastic or creeping law */
    EW_FIELD_OF_ENVELOPE,       /* with an envelope */
    EW_FIELD_OF_HARMONIC,       /* with a harmonic response */
    EW_FIELD_OF_PARTS,          /* with a harmonic response or nodal diameters */
    EW_FIELD_OF_FATIGUE,        /* with fatigue */
    EW_FIELD_OF_EQUATIONS,      /* with equations, couplings or ties */
    EW_FIELD_OF_CONTACT,        /* with contact */
    EW_FIELD_OF_FRICTION,       /* with contact that has friction */
    EW_FIELD_WHEN_COUNT
} ew_field_when;

/* In the order of the files: the function that gives the values, the name in files, the place, the
 * components, the unit in terms of length, force and time, the studies that have it, the words of
 * `output: {fields: ...}` that ask for it, the meaning. */
#define EW_RESULT_FIELDS(X)                                                                        \
    X(displacement, "displacement", EW_ON_VERTICES, EW_VECTOR_FIELD, "length", EW_FIELD_ALWAYS,    \
      "displacement", "of the undeformed position")                                                \
    X(reaction, "reaction", EW_ON_VERTICES, EW_VECTOR_FIELD, "force", EW_FIELD_ALWAYS, "reaction", \
      "force of all supports on the body, springs included; in motion K u + C v + M a - f")        \
    X(equation_force, "equation_force", EW_ON_VERTICES, EW_VECTOR_FIELD, "force",                  \
      EW_FIELD_OF_EQUATIONS, "reaction",                                                           \
      "by which equations, couplings and ties act on the body; of the last recovery")              \
    X(vertex_stress, "stress", EW_ON_VERTICES, EW_TENSOR_FIELD, "force/length^2", EW_FIELD_ALWAYS, \
      "stress",                                                                                    \
      "volume-weighted average of the tets around, of quadratic ones the mean of what they have "  \
      "at this corner; where materials meet, of the tets of that one whose von Mises stress is "   \
      "the largest; in the middle of an edge the mean of its ends, of one material")               \
    X(vertex_von_mises, "von_mises", EW_ON_VERTICES, EW_SCALAR_FIELD, "force/length^2",            \
      EW_FIELD_ALWAYS, "von_mises", "of the stress at the same place")                             \
    X(stress, "stress", EW_ON_TETS, EW_TENSOR_FIELD, "force/length^2", EW_FIELD_ALWAYS, "stress",  \
      "of the tet; of a quadratic one at its centroid")                                            \
    X(strain, "strain", EW_ON_TETS, EW_TENSOR_FIELD, "", EW_FIELD_ALWAYS, "strain",                \
      "shear as engineering strain, twice that of the tensor")                                     \
    X(von_mises, "von_mises", EW_ON_TETS, EW_SCALAR_FIELD, "force/length^2", EW_FIELD_ALWAYS,      \
      "von_mises", "of the stress at the same place")                                              \
    X(principal, "principal", EW_ON_TETS, EW_VALUES_FIELD, "force/length^2", EW_FIELD_ALWAYS,      \
      "principal", "principal stresses")                                                           \
    X(strain_energy, "strain_energy", EW_ON_TETS, EW_SCALAR_FIELD, "force*length",                 \
      EW_FIELD_ALWAYS, "strain_energy", "of the tet and its elastic strain")                       \
    X(thermal_strain, "thermal_strain", EW_ON_TETS, EW_STRETCH_FIELD, "",                          \
      EW_FIELD_OF_THERMAL_STRAIN, "thermal_strain",                                                \
      "expansion times the change of temperature; stress is of the strain without it")             \
    X(volumetric_stress, "volumetric_stress", EW_ON_VERTICES, EW_SCALAR_FIELD, "force/length^2",   \
      EW_FIELD_OF_MIXED_TETS, "volumetric_stress",                                                 \
      "lambda times the trace of the strain without the thermal strain, of rubber what the part "  \
      "of the energy that has lambda grows by with J; a field of its own: stress is that for "     \
      "lambda = 0 with its mean in a tet")                                                         \
    X(error, "error", EW_ON_TETS, EW_SCALAR_FIELD, "(force*length)^0.5", EW_FIELD_OF_ERROR,        \
      "error", "estimated error of the tet in the norm of the energy")                             \
    X(corner_von_mises, "corner_von_mises", EW_ON_TETS, EW_CORNER_FIELD, "force/length^2",         \
      EW_FIELD_OF_INTERFACES, "von_mises",                                                         \
      "von Mises of the stress averaged at each corner over the tets of this one's material")      \
    X(stress_region, "stress_region", EW_ON_VERTICES, EW_SCALAR_FIELD, "", EW_FIELD_OF_INTERFACES, \
      "stress von_mises",                                                                          \
      "region on whose side `stress` is; where several regions have that material one of them")    \
    X(velocity, "velocity", EW_ON_VERTICES, EW_VECTOR_FIELD, "length/time", EW_FIELD_OF_MOTION,    \
      "velocity", "0 in static steps")                                                             \
    X(acceleration, "acceleration", EW_ON_VERTICES, EW_VECTOR_FIELD, "length/time^2",              \
      EW_FIELD_OF_MOTION, "acceleration", "0 in static steps")                                     \
    X(plastic_strain, "plastic_strain", EW_ON_TETS, EW_TENSOR_FIELD, "", EW_FIELD_OF_LAWS,         \
      "plastic_strain", "as `strain`, in the axes of the undeformed tet")                          \
    X(equivalent_plastic_strain, "equivalent_plastic_strain", EW_ON_TETS, EW_SCALAR_FIELD, "",     \
      EW_FIELD_OF_LAWS, "equivalent_plastic_strain",                                               \
      "plastic strain so far: the sum of sqrt(2/3) of the length of each increment")               \
    X(dissipated_energy, "dissipated_energy", EW_ON_TETS, EW_SCALAR_FIELD, "force*length",         \
      EW_FIELD_OF_LAWS, "dissipated_energy", "of the tet, so far")                                 \
    X(envelope_displacement, "envelope_displacement", EW_ON_VERTICES, EW_SCALAR_FIELD, "length",   \
      EW_FIELD_OF_ENVELOPE, "envelope_displacement",                                               \
      "of the frame of an envelope: largest magnitude over its records")                           \
    X(envelope_vertex_von_mises, "envelope_von_mises", EW_ON_VERTICES, EW_SCALAR_FIELD,            \
      "force/length^2", EW_FIELD_OF_ENVELOPE, "envelope_von_mises", "largest `von_mises`")         \
    X(envelope_record, "envelope_record", EW_ON_VERTICES, EW_SCALAR_FIELD, "",                     \
      EW_FIELD_OF_ENVELOPE, "envelope_von_mises", "number of the record that has it")              \
    X(envelope_von_mises, "envelope_von_mises", EW_ON_TETS, EW_SCALAR_FIELD, "force/length^2",     \
      EW_FIELD_OF_ENVELOPE, "envelope_von_mises", "largest `von_mises` of the tet")                \
    X(envelope_max_principal, "envelope_max_principal", EW_ON_TETS, EW_SCALAR_FIELD,               \
      "force/length^2", EW_FIELD_OF_ENVELOPE, "envelope_max_principal",                            \
      "largest principal stress of the tet")                                                       \
    X(envelope_min_principal, "envelope_min_principal", EW_ON_TETS, EW_SCALAR_FIELD,               \
      "force/length^2", EW_FIELD_OF_ENVELOPE, "envelope_min_principal",                            \
      "smallest principal stress of the tet")                                                      \
    X(displacement_real, "displacement_real", EW_ON_VERTICES, EW_VECTOR_FIELD, "length",           \
      EW_FIELD_OF_HARMONIC, "displacement",                                                        \
      "of the frames of a harmonic response, whose `displacement`, `reaction` and `stress` are "   \
      "amplitudes: real part, at the time when the loads are largest")                             \
    X(displacement_imaginary, "displacement_imaginary", EW_ON_VERTICES, EW_VECTOR_FIELD, "length", \
      EW_FIELD_OF_PARTS, "displacement",                                                           \
      "imaginary part, at three quarters of the period; of a mode by nodal diameter that of the "  \
      "shape, whose real part is `displacement`")                                                  \
    X(reaction_real, "reaction_real", EW_ON_VERTICES, EW_VECTOR_FIELD, "force",                    \
      EW_FIELD_OF_HARMONIC, "reaction", "likewise, with inertia and damping of the support")       \
    X(reaction_imaginary, "reaction_imaginary", EW_ON_VERTICES, EW_VECTOR_FIELD, "force",          \
      EW_FIELD_OF_HARMONIC, "reaction", "likewise")                                                \
    X(vertex_stress_real, "stress_real", EW_ON_VERTICES, EW_TENSOR_FIELD, "force/length^2",        \
      EW_FIELD_OF_HARMONIC, "stress", "likewise, without what damping adds to stress")             \
    X(vertex_stress_imaginary, "stress_imaginary", EW_ON_VERTICES, EW_TENSOR_FIELD,                \
      "force/length^2", EW_FIELD_OF_HARMONIC, "stress", "likewise")                                \
    X(stress_real, "stress_real", EW_ON_TETS, EW_TENSOR_FIELD, "force/length^2",                   \
      EW_FIELD_OF_HARMONIC, "stress", "likewise")                                                  \
    X(stress_imaginary, "stress_imaginary", EW_ON_TETS, EW_TENSOR_FIELD, "force/length^2",         \
      EW_FIELD_OF_HARMONIC, "stress", "likewise")                                                  \
    X(fatigue_damage, "fatigue_damage", EW_ON_VERTICES, EW_SCALAR_FIELD, "", EW_FIELD_OF_FATIGUE,  \
      "fatigue_damage", "of the frame of fatigue: damage by a repeat of the history")              \
    X(fatigue_log_life, "fatigue_log_life", EW_ON_VERTICES, EW_SCALAR_FIELD, "",                   \
      EW_FIELD_OF_FATIGUE, "fatigue_damage",                                                       \
      "logarithm (base 10) of the repeats to failure; 12: that or more, or infinite")              \
    X(fatigue_safety, "fatigue_safety", EW_ON_VERTICES, EW_SCALAR_FIELD, "", EW_FIELD_OF_FATIGUE,  \
      "fatigue_damage", "factor on stress that the wanted life bears; 1000: that or more")         \
    X(contact_pressure, "contact_pressure", EW_ON_VERTICES, EW_SCALAR_FIELD, "force/length^2",     \
      EW_FIELD_OF_CONTACT, "contact_pressure", "of masters on slaves; 0 elsewhere")                \
    X(contact_gap, "contact_gap", EW_ON_VERTICES, EW_SCALAR_FIELD, "length", EW_FIELD_OF_CONTACT,  \
      "contact_pressure", "between slaves and masters, of the displaced body; 0 elsewhere")        \
    X(contact_status, "contact_status", EW_ON_VERTICES, EW_SCALAR_FIELD, "", EW_FIELD_OF_CONTACT,  \
      "contact_pressure",                                                                          \
      "of a point of a slave: 1: open, 2: closed, 3: closed, and slides; 0: none")                 \
    X(contact_traction, "contact_traction", EW_ON_VERTICES, EW_VECTOR_FIELD, "force/length^2",     \
      EW_FIELD_OF_FRICTION, "contact_pressure", "tangential, of masters on slaves; 0 elsewhere")   \
    X(contact_slip, "contact_slip", EW_ON_VERTICES, EW_VECTOR_FIELD, "length",                     \
      EW_FIELD_OF_FRICTION, "contact_pressure", "how far slaves slid over masters in the step")

typedef struct ew_field_type {
    const char *name; /* a field at vertices and one at tets may have the same */
    ew_field_place place;
    ew_field_kind kind;
    const char *unit; /* "force/length^2"; "": a plain number */
    ew_field_when when;
    const char *words; /* of `output: {fields: ...}` that ask for it, separated by spaces */
    const char *help;
} ew_field_type;

/* The k-th field of the list, null behind the last; at most 64. */
const ew_field_type *ew_field_type_at(int32_t k);
/* The field with this name and place, null where the list has none: as masks of sets. */
const ew_field_type *ew_field_type_of(const char *name, ew_field_place place);
/* The i-th word of `output: {fields: ...}`, null behind the last; bit k: it asks for field k. */
const char *ew_field_word(int32_t i);
uint64_t ew_fields_of_word(const char *word);
/* How many numbers it has at a place; of a stretch the most. */
int32_t ew_field_kind_width(ew_field_kind kind);
/* "xx" of a tensor, "x" of a vector; null: components have no names. */
const char *ew_field_component_name(ew_field_kind kind, int32_t component);
/* "with a dynamic step"; "" for all studies. */
const char *ew_field_when_text(ew_field_when when);
/* A unit of the list in the names that a case has for length, force and time: "N/m^2"; "" where it
 * is a plain number or a name is missing. */
enum { EW_UNIT_TEXT = 128 };
void ew_unit_text(const char *unit, const char *length, const char *force, const char *time,
                  char text[EW_UNIT_TEXT]);

EW_END_API
#endif
