/* Private to format: slots and ids behind the mesh of a file, where other programs read a comment,
 * so that edits go on from the file as if it had never been written. */
#ifndef EW_FORMAT_SLOTS_H
#define EW_FORMAT_SLOTS_H

#include "format/formats.h"

/* Appends them to the text of a mesh written in the order of its ids. */
ew_status ew_slots_write(const ew_format *format, const ew_mesh *mesh, ew_text *text);
/* Where the bytes have them, puts the mesh read from them into its slots, and gives the members of
 * the finished groups their ids. EW_BAD_INPUT names the line. */
ew_status ew_slots_read(const ew_bytes *file, ew_mesh *mesh, ew_groups *groups);

#endif
