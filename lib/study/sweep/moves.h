/* study, private: edits of a combination that goes on from the one before it, and so move what
 * those of that one made. */
#ifndef EW_STUDY_MOVES_H
#define EW_STUDY_MOVES_H

#include "study/study.h"
#include "model/parts/model.h"

typedef struct study_moves {
    const ew_case *before; /* borrowed: the combination before, whose mesh it goes on with; or null
                            */
    ew_cut_accuracy *made; /* [edits of the case's steps] owned: what they made when they were last
                              made from the start; null: there was nothing yet */
    char refused[EW_WARNING_TEXT]; /* why the combination does not go on: an edit's reason, or "" */
} study_moves;

/* Into values.before, which is `before` then, the values that the edit had in that combination, and
 * into values.first what it made, with the body of the case; null where it goes on from none. */
void ew_study_find_values_before(const ew_study *study, const ew_case_edit *edit,
                                 ew_operation_values *before, ew_operation_values *values);
/* Notes how accurate what the edits of the case made is, on the mesh as it is. */
ew_status ew_study_measure_made(ew_study *study);
/* Keeps the message of an edit that cannot go on; as a warning, where there is one, once. */
void ew_study_note_refusal(ew_study *study);
void ew_study_tell_refusal(ew_study *study, int32_t line);

#endif
