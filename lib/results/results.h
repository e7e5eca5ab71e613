/* results: the result file. One HDF5 file NAME.vtkhdf that ParaView reads as VTKHDF 2.0, with
 * NAME.xdmf beside it, several frames, unchanged mesh data stored once. The layout is described in
 * lib/results/README.md. Written under temporary names in the same folder and renamed on success,
 * so that nothing half-written carries the final name. */
#ifndef EW_RESULTS_H
#define EW_RESULTS_H

#include "mesh/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ew_result ew_result; /* opaque: an open result file */

typedef enum ew_field_place { EW_ON_VERTICES, EW_ON_TETS } ew_field_place;

/* One field of a frame; data by slot (holes are skipped by the writer), borrowed for the call. */
typedef struct ew_result_field {
    const char *name;
    ew_field_place place;
    int32_t n_component;
    const double *data; /* [slots][n_component] */
} ew_result_field;

/* A number of a step, written as an attribute of /Edgewise/Steps/<k>; n values. */
typedef struct ew_result_number {
    const char *name;
    int32_t n; /* 1 for a scalar */
    const double *value;
} ew_result_number;

typedef struct ew_result_frame {
    const char *name;    /* step name */
    const char *kind;    /* "static" */
    double time;         /* value of the frame on the time axis: step index in static studies */
    const ew_mesh *mesh; /* active vertices and live tets are written, in slot order; mesh data is
                            appended only when its revision differs from the last frame's, and
                            positions only (topology kept) when just vertices moved */
    int32_t n_field;
    const ew_result_field *field; /* the same names, places and components in every frame */
    int32_t n_number;
    const ew_result_number *number;
    int32_t n_history;
    const double *history; /* residual history, or null */
    size_t journal_bytes;
    const void *journal; /* edit journal of the step, or null */
} ew_result_frame;

typedef struct ew_result_def {
    const char *name;      /* path without ending; .vtkhdf and .xdmf are appended */
    const char *case_text; /* stored in /Edgewise */
    const char *length_unit, *force_unit, *time_unit; /* labels, may be "" */
    int32_t compression;                              /* 0..9 deflate level; 0 default */
    const char *case_path; /* where the case file is: what replay needs to find the mesh; or null */
    const char *device, *precision; /* what the steps are solved with; or null */
} ew_result_def;

/* Creates the temporary file; EW_IO naming path and reason (no such folder, not writable, disk
 * full). */
ew_status ew_result_create(ew_result **result, const ew_result_def *def);
/* Appends a frame. vertex_id, tet_id, region (label) and born are written by itself from the mesh.
 * A failure leaves the file to be discarded. */
ew_status ew_result_add_frame(ew_result *result, const ew_result_frame *frame);
/* One more number of the step that was added last, known only now: the time of saving it. */
ew_status ew_result_add_number(ew_result *result, const char *name, double value);
/* Text attached at the end, e.g. the summary table as CSV, under /Edgewise/<name>. */
ew_status ew_result_add_text(ew_result *result, const char *name, const char *text);
/* Flushes, writes the XDMF, renames both to their final names and releases `result` whatever
 * happens. */
ew_status ew_result_finish(ew_result *result);
/* Releases and removes the temporary files; null is fine. */
void ew_result_discard(ew_result *result);

/* What replay needs of a finished file. */
typedef struct ew_result_archive {
    char *case_text;                      /* owned */
    char *case_path, *device, *precision; /* as in ew_result_def, owned; "" when not given */
    int32_t n_step;
    size_t *journal_bytes; /* [n_step] owned */
    void **journal;        /* [n_step] owned */
} ew_result_archive;
/* EW_IO / EW_BAD_INPUT on a missing, truncated or foreign file. */
ew_status ew_result_read_archive(const char *path, ew_result_archive *archive);
void ew_result_archive_free(ew_result_archive *archive);
/* Compares all datasets below /VTKHDF of two files bit for bit; EW_OK and *different = "" when
 * equal, else the first differing dataset's path and place in `different` (caller's, of `size`
 * bytes). */
ew_status ew_result_compare(const char *path_a, const char *path_b, char *different, size_t size);

#ifdef __cplusplus
}
#endif
#endif
