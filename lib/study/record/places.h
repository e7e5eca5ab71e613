/* Values at places of a body. Private to study. */
#ifndef EW_STUDY_PLACES_H
#define EW_STUDY_PLACES_H

#include "study/run/run.h"

/* Force and moment through a plane; what the body has in it. EW_BAD_INPUT: the plane does not cut
 * the body. (sections.c) */
ew_status ew_study_cut_section(const ew_study *study, const ew_fields *fields,
                               const ew_case_section_plane *plane, ew_section_report *report);
/* Mass, center of mass and inertia of the body. (mass.c) */
void ew_study_take_mass(ew_study *study, ew_mass_report *report);
/* Measures of components that are set. (place_sums.c) */
void ew_place_measure_vector(ew_place_vector *of);
void ew_place_measure_stress(ew_place_stress *of);

/* Reports of the same places become one (place_sums.c): squares in place of the numbers; squares
 * added, which with the parts of a harmonic motion (0 real, then 1 imaginary, -1 of no such motion)
 * gives phases; roots of these sums. */
void ew_places_put_squares(ew_place_report *of, int part);
void ew_places_add_squares(ew_place_report *to, const ew_place_report *from, int part);
void ew_places_take_roots(ew_place_report *of);
/* Amplitudes and phases of the forces through sections times 1 + i factor: damping in proportion to
 * the stiffness pulls through a cut, too, though no stress of the fields has it. */
void ew_places_damp_sections(ew_place_report *of, double factor);

#endif
