/* Options by table: parsing, messages and --help. */
#include "tool.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- options of several commands ---------------------------------------- */

tool_option tool_output_option(const char **path)
{
    return (tool_option){.name = "output",
                         .letter = 'o',
                         .kind = TOOL_TEXT,
                         .value = path,
                         .argument = "MESH",
                         .help = "output file; its ending selects the format (see convert)"};
}

tool_option tool_final_mesh_option(const char **path)
{
    return (tool_option){.name = "mesh",
                         .kind = TOOL_TEXT,
                         .value = path,
                         .argument = "MESH",
                         .help =
                             "also write the mesh of the last step, for edit commands and cases"};
}

tool_option tool_threads_option(int32_t *n)
{
    return (tool_option){.name = "threads",
                         .kind = TOOL_INTEGER,
                         .value = n,
                         .argument = "N",
                         .low = 1,
                         .high = 1024,
                         .help = "host threads (one for each processor, fewer beside busy programs)"};
}

tool_option tool_device_option(const char **device, const char *help)
{
    return (tool_option){
        .name = "device", .kind = TOOL_TEXT, .value = device, .argument = "WHERE", .help = help};
}

tool_option tool_precision_option(int32_t *precision, bool *given, const char *help)
{
    return (tool_option){.name = "precision",
                         .kind = TOOL_CHOICE,
                         .value = precision,
                         .given = given,
                         .argument = "WHAT",
                         .words = "double mixed single auto",
                         .help = help};
}

tool_option tool_preconditioner_option(int32_t *kind, const char *help)
{
    *kind = EW_PRECONDITIONER_COUNT;
    return (tool_option){.name = "preconditioner",
                         .kind = TOOL_CHOICE,
                         .value = kind,
                         .argument = "WHAT",
                         .words = EW_PRECONDITIONER_NAMES,
                         .help = help};
}

tool_option tool_solver_option(int32_t *solver)
{
    *solver = -1;
    return (tool_option){.name = "solver",
                         .kind = TOOL_CHOICE,
                         .value = solver,
                         .argument = "WHAT",
                         .words = EW_SOLVER_NAMES,
                         .help = "overrides the case: cg (iterative) or cholesky (direct)"};
}

tool_option tool_operator_option(int32_t *kind)
{
    *kind = -1;
    return (tool_option){.name = "operator",
                         .kind = TOOL_CHOICE,
                         .value = kind,
                         .argument = "WHAT",
                         .words = EW_OPERATOR_NAMES,
                         .help = "overrides the case: stored (blocks) or matrix-free (from tets)"};
}

int tool_choose_solver(const char *command, int32_t solver, int32_t *preconditioner)
{
    if (solver == 1 && *preconditioner != EW_PRECONDITIONER_COUNT) {
        return tool_refuse("%s: --solver cholesky takes no --preconditioner", command);
    }
    if (solver == 1) {
        *preconditioner = EW_CHOLESKY;
    } else if (solver == 0 && *preconditioner == EW_PRECONDITIONER_COUNT) {
        *preconditioner = EW_AUTO_PRECONDITIONER;
    }
    return -1;
}

tool_option tool_quiet_option(bool *quiet)
{
    return (tool_option){
        .name = "quiet", .kind = TOOL_FLAG, .value = quiet, .help = "print errors only"};
}

tool_option tool_positive_option(const char *name, const char *argument, double *value,
                                 const char *help)
{
    return (tool_option){.name = name,
                         .kind = TOOL_NUMBER,
                         .value = value,
                         .argument = argument,
                         .low = 1e-300,
                         .high = 1e300,
                         .help = help};
}

static void (*syntax_visitor)(const tool_syntax *syntax);

void tool_visit_syntax(void (*visit)(const tool_syntax *syntax))
{
    syntax_visitor = visit;
}

/* ---- parsing --------------------------------------------------------------- */

static void print_help(const tool_syntax *syntax)
{
    printf("edgewise %s: %s\n\nusage: edgewise %s%s%s%s\n", syntax->command, syntax->summary,
           syntax->command, *syntax->arguments ? " " : "", syntax->arguments,
           syntax->n_option ? " [options]" : "");
    if (syntax->text) {
        printf("\n%s\n", syntax->text);
    }
    puts("\noptions:");
    for (int32_t i = 0; i < syntax->n_option; i++) {
        const tool_option *option = &syntax->option[i];
        char left[80], letter[8] = "    ";
        if (option->letter) {
            snprintf(letter, sizeof letter, "-%c, ", option->letter);
        }
        snprintf(left, sizeof left, "%s--%s%s%s", letter, option->name, option->argument ? " " : "",
                 option->argument ? option->argument : "");
        printf("  %-34s %s\n", left, option->help);
    }
    printf("  %-34s %s\n", "-h, --help", "this text");
}

static bool read_number(const char *text, double *value, const char **rest)
{
    char *end;
    if (!strchr("+-.0123456789", *text) || !*text) {
        return false;
    }
    *value = strtod(text, &end);
    *rest = end;
    return end != text && isfinite(*value);
}

static int store_numbers(const tool_syntax *syntax, const tool_option *option, const char *text)
{
    enum { MOST = 8 };
    double value[MOST];
    const bool whole = option->kind == TOOL_CELLS;
    const int32_t count = option->count ? option->count : 3;
    int32_t n = 0;
    const char *rest = text;
    do {
        if (!read_number(rest, &value[n], &rest)) {
            return tool_refuse("%s: --%s takes %s, not '%.60s'", syntax->command, option->name,
                               option->argument, text);
        }
        n++;
    } while (*rest == ',' && n < count && rest++);
    if (*rest || (!whole && n != count)) {
        return tool_refuse("%s: --%s takes %s, not '%.60s'", syntax->command, option->name,
                           option->argument, text);
    }
    for (int32_t i = 0; i < n && whole; i++) {
        if (value[i] != floor(value[i]) || value[i] < 1 || value[i] > 1e6) {
            return tool_refuse("%s: --%s: counts must be whole numbers from 1 to 1000000, not "
                               "'%.60s'",
                               syntax->command, option->name, text);
        }
        ((int32_t *)option->value)[i] = (int32_t)value[i];
    }
    if (!whole) {
        memcpy(option->value, value, (size_t)n * sizeof *value);
    }
    return -1;
}

static int store_number(const tool_syntax *syntax, const tool_option *option, const char *text)
{
    double value;
    const char *rest;
    const bool bounded = option->low != 0 || option->high != 0;
    if (!read_number(text, &value, &rest) || *rest ||
        (option->kind == TOOL_INTEGER && value != floor(value))) {
        return tool_refuse("%s: --%s takes a %snumber, not '%.60s'", syntax->command, option->name,
                           option->kind == TOOL_INTEGER ? "whole " : "", text);
    }
    if (bounded && (value < option->low || value > option->high)) {
        return tool_refuse("%s: --%s is %g; it must be from %g to %g", syntax->command,
                           option->name, value, option->low, option->high);
    }
    if (option->kind == TOOL_INTEGER) {
        *(int32_t *)option->value = (int32_t)value;
    } else {
        *(double *)option->value = value;
    }
    return -1;
}

static int store_choice(const tool_syntax *syntax, const tool_option *option, const char *text)
{
    int32_t place = 0;
    for (const char *word = option->words; *word; place++) {
        const size_t length = strcspn(word, " ");
        if (strlen(text) == length && !strncmp(text, word, length)) {
            *(int32_t *)option->value = place;
            return -1;
        }
        word += length;
        word += strspn(word, " ");
    }
    return tool_refuse("%s: --%s is '%.60s'; it must be one of: %s", syntax->command, option->name,
                       text, option->words);
}

static int store(const tool_syntax *syntax, const tool_option *option, const char *text)
{
    if (option->given) {
        *option->given = true;
    }
    switch (option->kind) {
    case TOOL_FLAG:
        *(bool *)option->value = true;
        return -1;
    case TOOL_TEXT:
        if (!*text) {
            return tool_refuse("%s: --%s is empty; it takes %s", syntax->command, option->name,
                               option->argument);
        }
        *(const char **)option->value = text;
        return -1;
    case TOOL_NUMBER:
    case TOOL_INTEGER:
        return store_number(syntax, option, text);
    case TOOL_VECTOR:
    case TOOL_CELLS:
        return store_numbers(syntax, option, text);
    case TOOL_CHOICE:
        return store_choice(syntax, option, text);
    }
    return -1;
}

static int refuse_unknown(const tool_syntax *syntax, const char *text)
{
    char words[1024] = "help ", nearest[64];
    for (int32_t i = 0; i < syntax->n_option; i++) {
        strcat(strcat(words, syntax->option[i].name), " ");
    }
    if (ew_nearest_word(text + strspn(text, "-"), words, nearest)) {
        return tool_refuse("%s: unknown option '%.60s'; did you mean '--%s'?", syntax->command,
                           text, nearest);
    }
    return tool_refuse("%s: unknown option '%.60s'; edgewise %s --help lists them", syntax->command,
                       text, syntax->command);
}

/* The option that `text` names, and its value where it is joined to the name. */
static const tool_option *find(const tool_syntax *syntax, const char *text, const char **value)
{
    *value = NULL;
    for (int32_t i = 0; i < syntax->n_option; i++) {
        const tool_option *option = &syntax->option[i];
        const size_t length = strlen(option->name);
        if (!strncmp(text, "--", 2) && !strncmp(text + 2, option->name, length) &&
            (!text[2 + length] || text[2 + length] == '=')) {
            *value = text[2 + length] ? text + 3 + length : NULL;
            return option;
        }
        if (option->letter && text[0] == '-' && text[1] == option->letter && !text[2]) {
            return option;
        }
    }
    return NULL;
}

/* All that a command's loops need, before anything is computed. */
static int start_threads(const tool_syntax *syntax)
{
    for (int32_t i = 0; i < syntax->n_option; i++) {
        const tool_option *option = &syntax->option[i];
        if (!strcmp(option->name, "threads") && *(const int32_t *)option->value > 0) {
            ew_use_threads(*(const int32_t *)option->value);
        }
    }
    return ew_start_threads() ? tool_report_failure(EW_NO_MEMORY, NULL) : -1;
}

int tool_parse_options(const tool_syntax *syntax, int argc, char **argv, int *n)
{
    int count = 0;
    bool only_arguments = false;
    for (int i = 1; i < argc; i++) {
        const char *text = argv[i], *value;
        if (!*text) {
            return tool_refuse("%s: an argument is empty; it takes %s", syntax->command,
                               syntax->arguments);
        }
        if (only_arguments || text[0] != '-' || !text[1]) {
            argv[1 + count++] = argv[i];
            continue;
        }
        if (!strcmp(text, "--")) {
            only_arguments = true;
            continue;
        }
        if (!strcmp(text, "--help") || !strcmp(text, "-h")) {
            (syntax_visitor ? syntax_visitor : print_help)(syntax);
            return TOOL_DONE;
        }
        const tool_option *option = find(syntax, text, &value);
        if (!option) {
            return refuse_unknown(syntax, text);
        }
        if (option->kind == TOOL_FLAG && value) {
            return tool_refuse("%s: --%s takes no value", syntax->command, option->name);
        }
        if (option->kind != TOOL_FLAG && !value) {
            if (i + 1 == argc) {
                return tool_refuse("%s: --%s needs a value: %s", syntax->command, option->name,
                                   option->argument);
            }
            value = argv[++i];
        }
        const int status = store(syntax, option, value);
        if (status >= 0) {
            return status;
        }
    }
    if (count < syntax->min_arguments || count > syntax->max_arguments) {
        return tool_refuse("%s takes %s; edgewise %s --help tells more", syntax->command,
                           *syntax->arguments ? syntax->arguments : "no arguments",
                           syntax->command);
    }
    *n = count;
    return start_threads(syntax);
}
