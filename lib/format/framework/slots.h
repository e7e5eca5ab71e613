/* Private to format: slots and ids behind the mesh of a file, where other programs read a comment,
 * so that edits go on from the file as if it had never been written. Formats say how a comment is
 * written; the numbers are
 *
 *   edgewise slots 1
 *   vertices IN_FILE SLOTS NEXT_ID, the slot of each
 *   ids RUNS, FIRST COUNT of each run
 *   unused N, SLOT ID X Y Z of each       without tets and not in the file
 *   holes N, the slot of each             free ones, last in first out
 *   tets IN_FILE SLOTS NEXT_ID ..         likewise: slots, ids, holes
 *   regions N, the label of each          by index
 *   triangles ID_END N, PLACE SLOT SLOT SLOT LABEL of each    that are no faces now
 *   sides TEN N, ID ID X Y Z of each      curved ones; TEN: 1 where tets have ten nodes
 *   end
 */
#ifndef EW_FORMAT_SLOTS_H
#define EW_FORMAT_SLOTS_H

#include "format/formats.h"

#define EW_SLOTS_WORDS "edgewise slots"
enum { EW_SLOTS_VERSION = 1 };

/* Appends them to the text of a mesh written in the order of its ids. (slots_write.c) */
ew_status ew_slots_write(const ew_format *format, const ew_mesh *mesh, ew_text *text);
/* Where the bytes have them, puts the mesh read from them into its slots, and gives the members of
 * the finished groups their ids. EW_BAD_INPUT names the line. (slots_read.c) */
ew_status ew_slots_read(const ew_bytes *file, ew_mesh *mesh, ew_groups *groups);

#endif
