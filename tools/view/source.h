/* Where the body of `edgewise view` comes from: a mesh, a surface or CAD file, or a case. */
#ifndef EW_VIEW_SOURCE_H
#define EW_VIEW_SOURCE_H

#include "study.h"
#include "view.h"

/* Reads the file; `path` is borrowed as long as the source is. Messages name the file. */
ew_status view_source_open(view_source *source, const char *path);
void view_source_close(view_source *source); /* safe on a zeroed one */

/* source_save.c: as view_source.save of a case that the study has read. */
ew_status view_write_case(tool_study *study, const char *case_path, const ew_text *text,
                          const char *mesh_path, const ew_mesh *mesh, char *path, size_t size);

#endif
