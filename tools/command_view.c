/* edgewise view: a body in the browser. In: a mesh, a surface, CAD or a case. Out: the address of a
 * page, which is served until it is closed; of a result or a mesh also pictures. */
#define _POSIX_C_SOURCE 200809L
#include "ew_parts.h"
#include "look.h"
#include "result_info.h"

#if EW_WITH_VIEW
#include "view/open.h"
#include "view/server.h"

#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

extern char **environ;
#endif

static const char help[] =
    "Serves one page, at an address that it prints: look at the body, pull, fix, cut and load it;\n"
    "each change is solved at once, and each can be undone. A mesh is of steel until the page\n"
    "says otherwise; a case has its own materials, supports and loads, and its parameters are "
    "sliders.\n"
    "Of a broken file the page says what is wrong, and opens it as soon as it is repaired.\n"
    "The address has a token, without which nobody else gets in; it holds for this machine alone\n"
    "unless --listen says otherwise. From another machine: ssh -L 8000:127.0.0.1:8000 HOST, and\n"
    "--port 8000 there. The command ends with the page, or by Ctrl-C.\n\n"
    "Of a result the page shows each frame with all fields, modes in motion, sets, and probes and\n"
    "energies over time; of two results both side by side, or with --minus their difference.\n\n"
    "With --picture no page is served: the program draws a result or a mesh itself, in the colors "
    "of\n"
    "a field (of a mesh: quality, region), with its least and largest values and a section's "
    "cap.\n\n"
    "examples:\n  edgewise view datasets/bracket.yaml\n"
    "  edgewise view bracket.vtkhdf\n  edgewise view thin.vtkhdf thick.vtkhdf\n"
    "  edgewise view bracket.vtkhdf --picture bracket.png --section 0,0,1,0.01\n"
    "  edgewise view bracket.mesh --picture mesh.png --field quality --up 0,0,1";

typedef struct view_options {
    const char *file, *second;
    bool is_result, is_difference; /* second: a result to compare with */
    const char *listen;
    int32_t port;
    double grace;
    bool no_browser;
} view_options;

#if EW_WITH_VIEW
/* Without a desktop there is nothing to open it with. */
static void open_browser(const char *address)
{
    char program[] = "xdg-open", *text = NULL;
    if ((!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY")) ||
        ew_new(&text, strlen(address) + 1, 1)) {
        return;
    }
    char *arguments[] = {program, strcpy(text, address), NULL};
    pid_t child;
    (void)posix_spawnp(&child, program, NULL, NULL, arguments, environ);
    ew_release(text);
}

static int serve_until_end(const view_subject *subject, const view_options *options)
{
    view_server *server = NULL;
    const view_server_def def = {*subject, options->listen, options->port};
    const ew_status status = view_server_create(&server, &def);
    if (status) {
        return tool_report_failure(status, NULL);
    }
    printf("open %s\n", view_server_address(server));
    fflush(stdout);
    if (!options->no_browser) {
        open_browser(view_server_address(server));
    }
    tool_catch_interrupts();
    while (!tool_is_interrupted() && !view_server_has_ended(server, options->grace)) {
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    }
    view_server_free(server);
    return TOOL_DONE;
}

static int serve(const view_options *options)
{
    view_open_def def = {options->file, options->second, options->is_result,
                         options->is_difference};
    const view_subject subject = view_open_subject(&def);
    const int exit_status = serve_until_end(&subject, options);
    if (tool_is_interrupted()) {
        tool_end_interrupted();
    }
    return exit_status;
}
#else
static int serve(const view_options *options)
{
    (void)options;
    return tool_refuse("view: this program was built without it; install the Debian packages "
                       "libcivetweb-dev and libcjson-dev and build with -DEW_WITH_VIEW=ON");
}
#endif

int tool_view(int argc, char **argv)
{
    view_options options = {.listen = "127.0.0.1", .grace = 10.0};
    int32_t threads = 0;
    look_options pictures = look_default_options();
    tool_option list[5 + LOOK_N_OPTION] = {
        {.name = "port",
         .letter = 'p',
         .kind = TOOL_INTEGER,
         .value = &options.port,
         .argument = "N",
         .high = 65535,
         .help = "port of the address (0: any free port)"},
        {.name = "listen",
         .kind = TOOL_TEXT,
         .value = &options.listen,
         .argument = "ADDRESS",
         .help = "address to listen on (127.0.0.1: this machine alone)"},
        {.name = "no-browser",
         .kind = TOOL_FLAG,
         .value = &options.no_browser,
         .help = "do not open a browser"},
        {.name = "grace",
         .kind = TOOL_NUMBER,
         .value = &options.grace,
         .argument = "SECONDS",
         .high = 1e9,
         .help = "time to wait after the last page is closed (10)"},
        tool_threads_option(&threads),
    };
    look_list_options(&pictures, list + 5);
    const tool_syntax syntax = {
        .command = "view",
        .arguments = "MESH|SURFACE|CAD|CASE.yaml|RESULT.vtkhdf [RESULT.vtkhdf]",
        .summary = "view, change and solve a body in the browser, or draw pictures",
        .text = help,
        .n_option = sizeof list / sizeof *list,
        .option = list,
        .min_arguments = 1,
        .max_arguments = 2,
    };
    int n;
    const int exit_status = tool_parse_options(&syntax, argc, argv, &n);
    if (exit_status >= 0) {
        return exit_status;
    }
    if (threads) {
        ew_use_threads(threads);
    }
    pictures.in = argv[1];
    if (look_is_asked(&pictures)) {
        return n > 1
                   ? tool_refuse("view: pictures are of one file; show the difference from another "
                                 "result by --minus RESULT.vtkhdf")
                   : look_show(&pictures);
    }
    options.file = argv[1];
    options.second = n > 1 ? argv[2] : pictures.minus;
    options.is_result = result_is_named(argv[1]);
    options.is_difference = pictures.minus;
    if (options.second && (!options.is_result || (n > 1 && pictures.minus))) {
        return tool_refuse("view: two results can be compared, side by side as 'view A.vtkhdf "
                           "B.vtkhdf' or by their difference as 'view A.vtkhdf --minus B.vtkhdf'");
    }
    return serve(&options);
}
