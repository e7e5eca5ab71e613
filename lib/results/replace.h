/* Private to results: the names of files that are replaced together, and the record that lists them
 * (replace_record.c). */
#ifndef EW_RESULTS_REPLACE_H
#define EW_RESULTS_REPLACE_H

#include "format/parts/format.h"
#include "results/results.h"

/* The part of a path behind its last slash. */
const char *ew_path_base(const char *path);
/* The folder of `beside` with its slash, "" for the present one, and `length` bytes of `name` and
 * `ending` behind it; owned by the caller. */
ew_status ew_path_join(const char *beside, const char *name, size_t length, const char *ending,
                       char **path);
ew_status ew_path_with_ending(const char *path, const char *ending, char **out);
/* A name that a file may take: no control character, and what has it is a file, if anything. */
ew_status ew_path_check(const char *path);
/* Whether a file of this name is a frame, by its ending. (folder.c) */
bool ew_is_frame_name(const char *name);
/* folder.c. The same for a folder of frames: what has the name holds frames alone. */
ew_status ew_folder_check(const char *path);
/* Frames, then the folder, to the disk. */
bool ew_folder_sync(int descriptor);
/* A file, or a folder of frames; no effect where there is none. */
void ew_entry_remove(const char *path);
/* Some file systems cannot be asked; what they do is all there is. */
bool ew_sync_descriptor(int descriptor);
void ew_sync_folder(const char *folder);
/* Whether the descriptor is still what the path names. */
bool ew_is_at(int descriptor, const char *path);

/* Opens and locks a record, so that two programs do not settle at once; -1 with errno. */
int ew_record_lock(const char *path, bool create);
ew_status ew_record_write(const ew_replacement *set, int descriptor);
/* Completes or undoes the replacement by the record of the set, and removes the record. */
ew_status ew_record_settle(const ew_replacement *set);
/* Settles what the record of `first` lists; *n is the number of files. */
ew_status ew_record_settle_found(int descriptor, const char *first, const char *record, int *n);
void ew_replace_free(ew_replacement *set);

#endif
