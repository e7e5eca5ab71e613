/* The options of edgewise view that draw pictures. */
#include "look.h"

#include <string.h>

look_options look_default_options(void)
{
    return (look_options){.place = LOOK_ANYWHERE,
                          .component = -1,
                          .size = {960, 640, 1},
                          .from = {1, .75, 1.1},
                          .up = {0, 1, 0}};
}

void look_list_options(look_options *to, tool_option list[LOOK_N_OPTION])
{
    const tool_option options[LOOK_N_OPTION] = {
        {.name = "picture",
         .kind = TOOL_TEXT,
         .value = &to->picture,
         .argument = "NAME.png",
         .help = "draw a picture of a result or a mesh, without a page"},
        {.name = "frame",
         .kind = TOOL_INTEGER,
         .value = &to->frame,
         .given = &to->has_frame,
         .argument = "N",
         .high = INT32_MAX,
         .help = "frame of a result, from 0 (the last)"},
        {.name = "frames",
         .kind = TOOL_FLAG,
         .value = &to->all_frames,
         .help = "all frames in one view, as NAME.000000.png and on"},
        {.name = "field",
         .kind = TOOL_TEXT,
         .value = &to->field,
         .argument = "NAME",
         .help = "field that the colors show (von_mises, else displacement, of envelopes theirs, "
                 "of fatigue the life)"},
        {.name = "at",
         .kind = TOOL_CHOICE,
         .value = &to->place,
         .argument = "PLACE",
         .words = LOOK_PLACE_NAMES,
         .help = "vertices (averaged), tets, or corners (averaged by material)"},
        {.name = "component",
         .kind = TOOL_INTEGER,
         .value = &to->component,
         .argument = "N",
         .high = 8,
         .help = "of a vector or tensor, from 0 (length of a vector)"},
        {.name = "range",
         .kind = TOOL_VECTOR,
         .count = 2,
         .value = to->range,
         .given = &to->has_range,
         .argument = "LOW,HIGH",
         .help = "of the colors (of the frames)"},
        {.name = "sets",
         .kind = TOOL_FLAG,
         .value = &to->has_sets,
         .help = "the sets of a result in colors"},
        {.name = "section",
         .kind = TOOL_VECTOR,
         .count = 4,
         .value = to->section,
         .given = &to->has_section,
         .argument = "X,Y,Z,D",
         .help = "cut off the part beyond the plane (X,Y,Z) . x = D"},
        {.name = "minus",
         .kind = TOOL_TEXT,
         .value = &to->minus,
         .argument = "RESULT",
         .help = "show the difference from this result on the same mesh, also in the page"},
        {.name = "warp",
         .kind = TOOL_NUMBER,
         .value = &to->warp,
         .given = &to->has_warp,
         .argument = "FACTOR",
         .low = -1e300,
         .high = 1e300,
         .help = "factor of the drawn displacements (largest: a tenth of the body)"},
        {.name = "from",
         .kind = TOOL_VECTOR,
         .value = to->from,
         .argument = "X,Y,Z",
         .help = "view direction, from the body to the viewer (1,0.75,1.1)"},
        {.name = "up",
         .kind = TOOL_VECTOR,
         .value = to->up,
         .argument = "X,Y,Z",
         .help = "the picture's up direction (0,1,0)"},
        {.name = "size",
         .kind = TOOL_CELLS,
         .count = 2,
         .value = to->size,
         .argument = "W,H",
         .help = "pixels (960,640)"},
    };
    memcpy(list, options, sizeof options);
}

bool look_is_asked(const look_options *options)
{
    return options->picture || options->field || options->all_frames || options->has_frame ||
           options->has_warp || options->has_section || options->has_range || options->has_sets;
}
