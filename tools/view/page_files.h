/* The files of the page, inside the program: made of tools/view/page/ by embed_page.cmake. */
#ifndef EW_VIEW_PAGE_FILES_H
#define EW_VIEW_PAGE_FILES_H

#include <stddef.h>

typedef struct view_page_file {
    const char *path; /* "/": index.html, else "/NAME" */
    const char *type; /* of its content, for HTTP */
    const unsigned char *data;
    size_t size;
} view_page_file;
extern const view_page_file view_page_files[];
extern const int view_n_page_file;

#endif
