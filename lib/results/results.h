/* results: the result file. One HDF5 file NAME.vtkhdf that ParaView reads as VTKHDF 2.0, with
 * NAME.xdmf beside it, several frames, unchanged mesh data stored once. The layout is described in
 * lib/results/README.md. Written under temporary names in the same folder and renamed on success,
 * so that nothing half-written carries the final name. */
#ifndef EW_RESULTS_H
#define EW_RESULTS_H

#include "analysis/analysis.h"
#include "cad/cad.h"
#include "format/format.h"
#include "results/results_fields.h"

EW_BEGIN_API

typedef struct ew_result ew_result; /* opaque: an open result file */

/* One field of a frame; data by slot (holes are skipped by the writer), borrowed for the call. */
typedef struct ew_result_field {
    const char *name;
    ew_field_place place;
    int32_t n_component;
    const double *data; /* [slots][n_component]; null: none in this frame, where its rows of
                           /VTKHDF are NaN */
} ew_result_field;

/* The edges of a mesh whose tets are written with ten nodes, as VTK's quadratic tets: their middles
 * are points behind the vertices, with the vertex_id -1. Borrowed for the call. */
typedef struct ew_result_edges {
    int32_t n_edge;       /* slots */
    const int32_t *end;   /* [n_edge][2] vertex slots; -1: hole */
    const int32_t *tet;   /* [n_tet][6] edge slots, in the order of mesh.h */
    const double *bent;   /* [n_edge][3][3] what the fields "displacement", "velocity" and
                             "acceleration", of a harmonic response "displacement",
                             "displacement_real" and "displacement_imaginary", have in the middles
                             beyond the mean of the ends, as other fields have it; null: nothing */
    const double *curve;  /* [n_edge][3] the same of positions; null: all are straight */
    const double *stress; /* [n_edge][8] what the fields "stress", "von_mises" and "stress_region",
                             of an envelope in the first of the eight "envelope_displacement", in
                             the last two "envelope_von_mises" and "envelope_record", have in the
                             middles, where not the mean of the ends; null: that */
} ew_result_edges;

/* A number of a step, written as an attribute of /Edgewise/Steps/<k>; n values. */
typedef struct ew_result_number {
    const char *name;
    int32_t n; /* 1 for a scalar */
    const double *value;
} ew_result_number;

typedef enum ew_result_set_kind {
    EW_RESULT_VERTICES,
    EW_RESULT_FACES,
    EW_RESULT_TETS
} ew_result_set_kind;

/* A named set, borrowed for the call: a mask, and what is known of it as attributes. */
typedef struct ew_result_set {
    const char *name;
    ew_result_set_kind kind;
    const ew_list *member; /* active vertex slots, face codes or live tet slots */
    int32_t n_number;
    const ew_result_number *number;
} ew_result_set;

/* Rows of numbers of a step, borrowed for the call: a dataset [n_row][n_column] below
 * /Edgewise/Steps/<k>/<group>, with `name` and `columns` as attributes. */
typedef struct ew_result_table {
    const char *group, *name;
    const char *columns; /* their names, separated by commas */
    int32_t n_row, n_column;
    const double *value; /* NaN: none */
} ew_result_table;

typedef struct ew_result_frame {
    const char *name;    /* step name */
    const char *kind;    /* "static", "dynamic" or "edit" */
    double time;         /* value of the frame on the time axis, after that of the step before: in
                            studies without dynamics the index of the step */
    const ew_mesh *mesh; /* active vertices and live tets are written, in slot order; mesh data is
                            appended only when its revision differs from the last frame's, and
                            positions only (topology kept) when just vertices moved. Null: the step
                            has a record, and no frame */
    const ew_result_edges *edges; /* for tets of ten nodes; null: of four. Alike in every frame */
    int32_t n_field;
    const ew_result_field *field; /* the same names, places and components in every frame */
    const ew_fields *parts; /* null: `field` has all values. Else of those by tet each process has
                               what it has of these fields; process 0 writes, and the others call
                               ew_fields_bring_part for each of them and for each process */
    int32_t n_set;
    const ew_result_set *set; /* the same names and kinds in every frame */
    int32_t n_number;
    const ew_result_number *number;
    int32_t n_table;
    const ew_result_table *table; /* those of a group stand behind each other */
    const char *measure;          /* what strain and stress are; null: not said */
    const char *warnings;         /* one a line, "" or null: none */
    const char *warning_kinds;    /* what each line of it is, one a line; null: not said */
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
    bool single_fields;    /* fields are stored in single precision; default double */
    const char *case_path; /* where the case file is: what replay needs to find the mesh; or null */
    const char *device, *precision; /* what the steps are solved with; or null */
    const char *preconditioner;     /* in place of the case's; or null */
    const char *operator_name;      /* likewise */
    const char
        *elements; /* kind of tets before the first edit: linear, quadratic, mixed; or null */
} ew_result_def;

/* Creates the temporary file; EW_IO naming path and reason (no such folder, not writable, disk
 * full). */
ew_status ew_result_create(ew_result **result, const ew_result_def *def);
/* Appends a step: its record, and its frame where it has a mesh. vertex_id, tet_id, region (label)
 * and born are written by itself from the mesh. A failed write leaves the file to be discarded; a
 * step that is refused (EW_BAD_ARGUMENT) leaves those before it. */
ew_status ew_result_add_frame(ew_result *result, const ew_result_frame *frame);
/* One more number of the step that was added last, known only now: the time of saving it. */
ew_status ew_result_add_number(ew_result *result, const char *name, double value);
/* A probe, whose samples are appended as they come, below /Edgewise/Probes; *number: its own, from
 * 0.
 */
ew_status ew_result_add_probe(ew_result *result, const char *step, const char *name,
                              int32_t *number);
/* n samples at the times, each quantity [n][3]: displacement, velocity, acceleration, reaction. */
enum { EW_PROBE_QUANTITIES = 4 };
ew_status ew_result_append_probe(ew_result *result, int32_t number, int32_t n, const double *time,
                                 const double *value[EW_PROBE_QUANTITIES]);
/* Text attached at the end, e.g. the summary table as CSV, under /Edgewise/<name>. */
ew_status ew_result_add_text(ew_result *result, const char *name, const char *text);
/* Appends to a file NAME<ending> beside the others, ".csv" for example, which the first call makes
 * and which is replaced together with them. It is in the temporary file at once, so that a table
 * can be read while it grows. */
ew_status ew_result_append_file(ew_result *result, const char *ending, const char *data,
                                size_t size);
/* The same in a folder NAME<ending> of frames, ".surfaces" for example: see ew_replace_append_in.
 */
ew_status ew_result_append_frame_file(ew_result *result, const char *ending, const char *file,
                                      const char *data, size_t size);
/* Before anything is computed: EW_IO where NAME<ending> could not become such a folder. */
ew_status ew_result_check_frames(const ew_result *result, const char *ending);
/* Removes a folder of frames, or a file; what is not a frame in it stays. */
void ew_result_remove_frames(const char *path);
/* Marks a result whose step `stopped_at` (from 0) was not completed, for `reason`, and gives it
 * another name (path without ending): what stands under the first one is left alone. To be followed
 * by ew_result_finish. EW_BAD_ARGUMENT where no frame was saved; EW_IO after a failed write. */
ew_status ew_result_stop(ew_result *result, const char *name, int32_t stopped_at,
                         const char *reason);
/* Flushes, writes the XDMF, gives all files their final names and releases `result` whatever
 * happens; what had these names stays whole until the new files are on the disk. */
ew_status ew_result_finish(ew_result *result);
/* Releases and removes the temporary files; null is fine. */
void ew_result_discard(ew_result *result);
/* Of a program that a library ends by exit(), which has closed HDF5 by then: removes the temporary
 * files. Nothing else may be done with `result`; null is fine. */
void ew_result_abandon(ew_result *result);

/* Data of a finished file for replay. */
typedef struct ew_result_archive {
    char *case_text;                                       /* owned */
    char *case_path, *device, *precision, *preconditioner; /* as in ew_result_def, owned; "" when
                                                              not given */
    char *operator_name, *elements;                        /* likewise */
    int32_t n_step;
    size_t *journal_bytes; /* [n_step] owned */
    void **journal;        /* [n_step] owned */
    char **warnings;       /* [n_step] owned: one a line, "" none; null: none at all */
    char **warning_kinds;  /* [n_step] owned: as in ew_result_frame, "" not said; null likewise */
} ew_result_archive;
/* EW_IO / EW_BAD_INPUT on a missing, truncated or foreign file. */
ew_status ew_result_read_archive(const char *path, ew_result_archive *archive);
void ew_result_archive_free(ew_result_archive *archive);

/* ---- results for those who show them (view.c, read_frame.c) ------------------------------- */

enum { EW_VIEW_NAME = 64, EW_VIEW_WIDTH = 9 };

typedef struct ew_view_number {
    char name[EW_VIEW_NAME];
    int32_t n; /* values, at most EW_VIEW_WIDTH */
    double value[EW_VIEW_WIDTH];
} ew_view_number;

typedef struct ew_view_set {
    char *name, *kind; /* owned */
    int32_t n_number;
    ew_view_number *number; /* [n_number] owned */
} ew_view_set;

typedef struct ew_view_step {
    char *name, *kind, *warnings; /* owned; warnings one a line */
    char *warning_kinds;          /* owned: as in ew_result_frame; "" not said */
    int32_t n_set;
    ew_view_set *set; /* [n_set] owned: what is known of the sets in this step */
    int32_t frame;    /* its place among the frames, -1: none was saved */
    int32_t n_number;
    ew_view_number *number; /* [n_number] owned: as in ew_result_frame */
} ew_view_step;

/* All of a finished file but its frames. Texts are owned, "" where there is none. */
typedef struct ew_result_view {
    char *case_text, *case_path, *program, *device, *precision, *elements, *summary;
    char *length_unit, *force_unit, *time_unit;
    bool complete;      /* all steps are there */
    int32_t stopped_at; /* else the step that was not completed, and */
    char *reason;       /* why */
    int32_t n_step, n_frame;
    ew_view_step *step; /* [n_step] owned */
} ew_result_view;
/* EW_IO / EW_BAD_INPUT on a missing, truncated or foreign file. */
ew_status ew_result_read_view(const char *path, ew_result_view *view);
/* The number with this name and n values, or null. */
const double *ew_view_find(int32_t n_number, const ew_view_number *number, const char *name,
                           int32_t n);
void ew_result_view_free(ew_result_view *view);

typedef struct ew_view_field {
    char name[EW_VIEW_NAME];
    ew_field_place place;
    bool is_integer; /* whole numbers, as doubles here */
    int32_t n_component;
    double *data; /* [n_point or n_tet][n_component] owned; NaN where the step had no analysis */
} ew_view_field;

typedef struct ew_view_frame {
    int32_t n_point, n_tet, n_field;
    double *xyz;          /* [n_point][3] owned */
    int32_t *tet;         /* [n_tet][4] owned, rows of xyz */
    int32_t *middle;      /* [n_tet][6] owned, rows of xyz: the middles of the edges in VTK's order;
                             null: tets of four nodes */
    ew_view_field *field; /* [n_field] owned */
} ew_view_frame;
/* Frame k of the file, its mesh and all fields whose names stand in `fields` (space separated;
 * null: all there are), mesh arrays (region, ...) among them, as doubles. */
ew_status ew_result_read_frame(const char *path, int32_t k, const char *fields,
                               ew_view_frame *frame);
/* The field, or null. */
const ew_view_field *ew_view_field_of(const ew_view_frame *frame, const char *name,
                                      ew_field_place place);
void ew_view_frame_free(ew_view_frame *frame);
/* The fields of the file, mesh arrays and masks of sets among them, without their numbers: *n of
 * them, *field owned by the caller (ew_release), their data null. EW_IO / EW_BAD_INPUT as above.
 * (read_fields.c) */
ew_status ew_result_list_fields(const char *path, int32_t *n, ew_view_field **field);

/* A probe of a dynamic step: n samples at ascending times. Texts and arrays are owned. */
typedef struct ew_view_probe {
    char *name, *step;
    int32_t n;
    double *time;                       /* [n] */
    double *value[EW_PROBE_QUANTITIES]; /* [n][3] each: displacement, velocity, acceleration,
                                           reaction; NaN where the set was empty */
} ew_view_probe;
/* All probes of a file, *n of them; *probe owned by the caller (ew_view_probes_free).
 * (read_probes.c) */
ew_status ew_result_read_probes(const char *path, int32_t *n, ew_view_probe **probe);
void ew_view_probes_free(int32_t n, ew_view_probe *probe);

/* Compares all datasets below /VTKHDF of two files bit for bit; EW_OK and *different = "" when
 * equal, else the first differing dataset's path and place in `different` (caller's, of `size`
 * bytes). */
ew_status ew_result_compare(const char *path_a, const char *path_b, char *different, size_t size);

/* ---- checkpoints: what a run that was killed is resumed from --------------------------- */

typedef struct ew_checkpoint ew_checkpoint; /* opaque: a file that grows by a record a step */

/* identity: lines "what: value" that say which run it is, at most 4096 bytes; copied. With `go_on`
 * the records of an earlier run are read: none where there is no such file; EW_BAD_INPUT, which
 * names what differs, where it is of a run of another identity, still written, or damaged at its
 * head. Without, an earlier file stays as it is until the first record replaces it. */
ew_status ew_checkpoint_open(ew_checkpoint **checkpoint, const char *path, const char *identity,
                             bool go_on);
/* The same with `go_on` for a process beside the one that writes it: records that are appended are
 * dropped. */
ew_status ew_checkpoint_open_beside(ew_checkpoint **checkpoint, const char *path,
                                    const char *identity);
int32_t ew_checkpoint_n_record(const ew_checkpoint *checkpoint);
/* The bytes of record k, borrowed until the next call. They are whole, but may be anybody's. */
ew_status ew_checkpoint_record(ew_checkpoint *checkpoint, int32_t k, const void **data,
                               size_t *size);
/* Survives a kill when it returns; a loss of power costs what took no more than a second. A failure
 * leaves the records before. Where a living run has the file nothing is written, and is_shared says
 * so. */
ew_status ew_checkpoint_append(ew_checkpoint *checkpoint, const void *data, size_t size);
bool ew_checkpoint_is_shared(const ew_checkpoint *checkpoint);
/* keep: the file stays, for the run to be resumed. Safe on null. */
void ew_checkpoint_close(ew_checkpoint *checkpoint, bool keep);
/* Of bytes, for identities. */
uint64_t ew_checksum(uint64_t seed, const void *data, size_t size);

/* ---- files that belong together, replaced together or not at all ------------- */

/* An ew_result is one such set, and so are the meshes that the program writes. */
enum { EW_REPLACE_MAX = 24, EW_REPLACE_RECORD = 32768 };

typedef struct ew_replace_file {
    char *path;     /* owned: the final name */
    char *part;     /* owned: what it is called until then */
    char *old;      /* owned: what the old file is called while the names change */
    int descriptor; /* of the part, locked; -1: none */
    bool is_folder;
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
 * character; EW_LIMIT where the set has EW_REPLACE_MAX files. */
ew_status ew_replace_add(ew_replacement *set, const char *path, int *descriptor);
/* Appends to a file of such a folder, which the first call adds. name: frames.csv, or ends in .obj,
 * .rib or .vtu. */
ew_status ew_replace_append_in(ew_replacement *set, const char *folder, const char *name,
                               const char *data, size_t size);
/* Other final names: those before with `name` in place of all but their endings. */
ew_status ew_replace_rename(ew_replacement *set, const char *name);
/* Appends to a file of the set; EW_BAD_ARGUMENT where it has none of this path. */
ew_status ew_replace_append(const ew_replacement *set, const char *path, const char *data,
                            size_t size);
/* Adds a file with this text. */
ew_status ew_replace_add_text(ew_replacement *set, const char *path, const char *data, size_t size);
/* Brings all to the disk, then gives all their names. On failure, or when the program is killed,
 * the old files keep their names: at once, or as soon as any of these functions meets the set
 * again. Releases the set whatever happens. */
ew_status ew_replace_commit(ew_replacement *set);
/* Removes what was written; an empty set is fine. */
void ew_replace_abandon(ew_replacement *set);
/* Finishes the set of this first file where a killed program left it half replaced. EW_IO where
 * that is not possible, so that nobody reads files that do not belong together. */
ew_status ew_replace_recover(const char *first);

/* ---- meshes of all formats (mesh_files.c) ------------------------------------------------------
 */

/* A mesh from a file by its ending: all that ew_mesh_read reads, XDMF with its numbers in HDF5,
 * MED, and CAD files, which edgewise-gmsh fills with tets as `cad` says (null: the preset; for
 * others it has no meaning). Else as ew_mesh_read. HDF5 is read in processes of their own, as
 * results are: what crashes its library is EW_BAD_INPUT. */
ew_status ew_mesh_read_any(const char *path, const ew_cad_def *cad, ew_mesh *mesh,
                           ew_mesh_repair *repair, ew_groups *groups);
/* Fits ew_file_reader.read: a file, or all numbers of the dataset of "FILE.h5:/PATH" in their
 * order. user: not read. */
ew_status ew_hdf5_read_file(void *user, const char *path, ew_text *text);
/* The mesh of a MED file (Salome, code_aster; versions 3 and 4) with its groups of nodes, triangles
 * and tets; arguments as of ew_mesh_read. */
ew_status ew_med_read(const char *path, ew_mesh *mesh, ew_mesh_repair *repair, ew_groups *groups);
/* Whether the ending is that of a MED file. */
bool ew_med_is_named(const char *path);

EW_END_API
#endif
