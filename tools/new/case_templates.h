/* The cases and decks that `edgewise new` writes, inside the program: made of tools/new/ by
 * embed.cmake. */
#ifndef EW_CASE_TEMPLATES_H
#define EW_CASE_TEMPLATES_H

typedef struct case_template {
    const char *name;   /* "static" */
    const char *ending; /* ".yaml", ".inp" */
    const char *text;   /* in it @NAME@ stands for the name that the user gives */
} case_template;
extern const case_template case_templates[];
extern const int n_case_template;

#endif
