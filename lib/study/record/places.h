/* Values at places of a body. Private to study. */
#ifndef EW_STUDY_PLACES_H
#define EW_STUDY_PLACES_H

#include "study/run/run.h"

/* Force and moment through a plane; what the body has in it. EW_BAD_INPUT: the plane does not cut
 * the body. (sections.c) */
ew_status ew_study_cut_section(ew_study *study, const ew_case_section_plane *plane,
                               ew_section_report *report);
/* Mass, center of mass and inertia of the body. (mass.c) */
void ew_study_take_mass(ew_study *study, ew_mass_report *report);

#endif
