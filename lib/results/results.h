/* results: the result file. One HDF5 file NAME.vtkhdf that ParaView reads as VTKHDF 2.0, with
 * NAME.xdmf beside it, several frames, unchanged mesh data stored once. The layout is described in
 * lib/results/README.md. Written under temporary names in the same folder and renamed on success,
 * so that nothing half-written carries the final name. */
#ifndef EW_RESULTS_H
#define EW_RESULTS_H

#include "mesh/mesh.h"

EW_BEGIN_API

typedef struct ew_result ew_result; /* opaque: an open result file */

typedef enum ew_field_place { EW_ON_VERTICES, EW_ON_TETS } ew_field_place;

/* One field of a frame; data by slot (holes are skipped by the writer), borrowed for the call. */
typedef struct ew_result_field {
    const char *name;
    ew_field_place place;
    int32_t n_component;
    const double *data; /* [slots][n_component]; null: none in this frame, which then has none of
                           any field */
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
    const char *preconditioner;     /* in place of the case's; or null */
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
/* A file NAME<ending> beside the others, ".csv" for example, that is replaced together with them.
 */
ew_status ew_result_add_file(ew_result *result, const char *ending, const char *data, size_t size);
/* Flushes, writes the XDMF, gives all files their final names and releases `result` whatever
 * happens; what had these names stays whole until the new files are on the disk. */
ew_status ew_result_finish(ew_result *result);
/* Releases and removes the temporary files; null is fine. */
void ew_result_discard(ew_result *result);

/* What replay needs of a finished file. */
typedef struct ew_result_archive {
    char *case_text;                                       /* owned */
    char *case_path, *device, *precision, *preconditioner; /* as in ew_result_def, owned; "" when
                                                              not given */
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

/* ---- files that belong together, replaced together or not at all ------------- */

/* An ew_result is one such set, and so are the meshes that the program writes. */
enum { EW_REPLACE_MAX = 4, EW_REPLACE_RECORD = 8192 };

typedef struct ew_replace_file {
    char *path;     /* owned: the final name */
    char *part;     /* owned: what it is called until then */
    char *old;      /* owned: what the old file is called while the names change */
    int descriptor; /* of the part, locked; -1: none */
} ew_replace_file;

/* Zeroed is empty. All files are in one folder and share the first one's name before the dot. */
typedef struct ew_replacement {
    int n;
    ew_replace_file file[EW_REPLACE_MAX];
    char *record; /* owned: name of the first file and .commit */
    char *folder; /* owned: where they are */
} ew_replacement;

/* Adds a file; its contents are to be written to *descriptor, which is borrowed. Temporary files
 * that killed programs left under this name are removed, and a set that one of them was replacing
 * is finished. EW_IO where the name is taken by a folder; EW_BAD_ARGUMENT where it holds a control
 * character. */
ew_status ew_replace_add(ew_replacement *set, const char *path, int *descriptor);
/* Adds a file with this text. */
ew_status ew_replace_add_text(ew_replacement *set, const char *path, const char *data, size_t size);
/* Brings all to the disk, then gives all their names. On failure, or when the program is killed,
 * the old files keep their names: at once, or as soon as any of these functions meets the set
 * again. Releases the set whatever happens. */
ew_status ew_replace_commit(ew_replacement *set);
/* Removes what was written; an empty set is fine. */
void ew_replace_abandon(ew_replacement *set);
/* Finishes the set of this first file where a killed program left it half replaced. */
ew_status ew_replace_recover(const char *first);

EW_END_API
#endif
