/* study, private: stress where materials meet, as the result file takes it. */
#ifndef EW_STUDY_INTERFACES_H
#define EW_STUDY_INTERFACES_H

#include "format/parts/format.h"
#include "model/parts/model.h"
#include "study/study.h"

typedef struct study_interfaces {
    bool may_meet;  /* the case has several materials, or axes that are a field */
    double *corner; /* [n_tet][4] owned: von Mises, averaged on the tet's side; null: no solution */
    double
        *region; /* [n_vertex] owned: label of a region on whose side the vertex has its stress */
    double *middle; /* [n_edge][8] owned: ew_result_edges.stress; null: tets are linear */
} study_interfaces;
bool ew_study_may_meet(const ew_case *input);
ew_status ew_study_take_interfaces(const ew_study *study, bool has_frame, study_interfaces *out);
/* Also after a failure. */
void ew_study_free_interfaces(study_interfaces *interfaces);

#endif
