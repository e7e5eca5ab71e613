/* The program: finds the command and hands over. */
#define _POSIX_C_SOURCE 200809L
#include "tool.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static tool_command complete;

static const struct {
    const char *name;
    const char *summary;
    tool_command *run;
} commands[] = {
    {"new", "write a commented case to start from", tool_new},
    {"run", "solve a case file and write its results", tool_run},
    {"replay", "solve the case of a result file again and compare", tool_replay},
    {"report", "write a result as one page of HTML", tool_report},
    {"view", "view, change and solve a body in the browser, or draw pictures", tool_view},
    {"mesh", "fill a closed triangle surface with tets", tool_mesh},
    {"shape", "make a mesh of a built-in shape", tool_shape},
    {"info", "show the contents of a mesh or a result, or the members of the sets of a case",
     tool_info},
    {"check", "check a mesh against every rule", tool_check},
    {"convert", "write a mesh in another format, or a result as .vtu files", tool_convert},
    {NULL, NULL, NULL}, /* the operations of the library, in their order */
    {"devices", "list the OpenCL devices", tool_devices},
    {"completion", "write the completion of commands and options for a shell", complete},
#if EW_BUILD_BENCH
    {"bench", "measure named scenarios", tool_bench},
#endif
};
enum { N_COMMAND = sizeof commands / sizeof *commands };

static void list_commands(tool_command_visitor *visit)
{
    for (int i = 0; i < N_COMMAND; i++) {
        if (commands[i].name) {
            visit(commands[i].name, commands[i].summary);
        }
        for (int k = 0; !commands[i].name && ew_operation_at(k); k++) {
            visit(ew_operation_at(k)->name, ew_operation_at(k)->summary);
        }
    }
}

static void help_of_all(void)
{
    for (int i = 0; i < N_COMMAND; i++) {
        char *argv[] = {(char *)commands[i].name, "--help", NULL};
        if (commands[i].name) {
            (void)commands[i].run(2, argv);
        }
        for (int k = 0; !commands[i].name && ew_operation_at(k); k++) {
            (void)tool_edit(ew_operation_at(k), 2, argv);
        }
    }
}

static int complete(int argc, char **argv)
{
    return tool_complete(argc, argv, list_commands, help_of_all);
}

static void print_help(void)
{
    puts("Edgewise: structural analysis on tetrahedral meshes that change.\n"
         "\n"
         "usage: edgewise COMMAND [options]      edgewise COMMAND --help tells more\n");
    for (int i = 0; i < N_COMMAND; i++) {
        if (commands[i].name) {
            printf("  %-10s %s\n", commands[i].name, commands[i].summary);
            continue;
        }
        for (int k = 0; ew_operation_at(k); k++) {
            printf("  %-10s %s\n", ew_operation_at(k)->name, ew_operation_at(k)->summary);
        }
    }
    puts("\n"
         "edgewise help case lists the keys of a case file, edgewise help --json-schema writes "
         "them\n"
         "for editors, edgewise help materials lists the material library, edgewise help units the "
         "units,\n"
         "edgewise help results the fields, numbers and warnings of results.\n"
         "\n"
         "A first run:\n"
         "  edgewise new static beam\n"
         "  edgewise run beam.yaml\n"
         "then open beam.xdmf (any ParaView) or beam.vtkhdf (ParaView 5.12 or newer).\n"
         "\n"
         "Exit status: 0 done, 1 the computation failed, 2 bad usage or input.");
}

/* A standard stream that the caller closed leads nowhere: else the next file to be opened would
 * take its place, and messages would go into it. */
static void open_missing_streams(void)
{
    int descriptor;
    do {
        descriptor = open("/dev/null", O_RDWR);
    } while (descriptor >= 0 && descriptor <= STDERR_FILENO);
    if (descriptor >= 0) {
        close(descriptor);
    }
}

/* Output that was not written is a failure, except where its reader has seen enough (head). */
static int close_output(int exit_status)
{
    errno = 0;
    const bool failed = fflush(stdout) || ferror(stdout);
    if (!failed || errno == EPIPE) {
        return exit_status;
    }
    tool_refuse("standard output: writing failed: %s", strerror(errno ? errno : EIO));
    return exit_status ? exit_status : TOOL_BAD_INPUT;
}

static void add_word(char *words, size_t size, const char *word)
{
    const size_t n = strlen(words);
    snprintf(words + n, size - n, "%s ", word);
}

static void put_text(void *user, const char *text)
{
    fputs(text, user);
}

static void help_case(void)
{
    ew_case_put_page(put_text, stdout);
}

static void help_json_schema(void)
{
    ew_case_put_json_schema(put_text, stdout);
}

static void help_materials(void)
{
    ew_case_put_materials(put_text, stdout);
}

static void help_units(void)
{
    ew_case_put_units(put_text, stdout);
}

/* Whether `edgewise help TOPIC` is a reference, which is written then. */
static bool help_of_topic(const char *topic)
{
    static const struct {
        const char *topic;
        void (*write)(void);
    } topics[] = {{"case", help_case},
                  {"--json-schema", help_json_schema},
                  {"materials", help_materials},
                  {"results", tool_help_results},
                  {"units", help_units}};
    for (size_t i = 0; i < sizeof topics / sizeof *topics; i++) {
        if (!strcmp(topic, topics[i].topic)) {
            topics[i].write();
            return true;
        }
    }
    return false;
}

static int run_command(int argc, char **argv)
{
    if (argc < 2) {
        print_help();
        return TOOL_BAD_INPUT;
    }
    if (argc == 3 && !strcmp(argv[1], "help") && help_of_topic(argv[2])) {
        return TOOL_DONE;
    }
    if (argc > 2 && !strcmp(argv[1], "help")) { /* of a command */
        char *help[] = {argv[0], argv[2], "--help", NULL};
        return run_command(3, help);
    }
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
        print_help();
        return TOOL_DONE;
    }
    if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V") || !strcmp(argv[1], "version")) {
        printf("edgewise %s\n", ew_version(NULL));
        return TOOL_DONE;
    }
    char words[1024] = "", nearest[64];
    for (int i = 0; i < N_COMMAND; i++) {
        if (commands[i].name && !strcmp(argv[1], commands[i].name)) {
            return commands[i].run(argc - 1, argv + 1);
        }
        add_word(words, sizeof words, commands[i].name ? commands[i].name : "");
    }
    for (int k = 0; ew_operation_at(k); k++) {
        if (!strcmp(argv[1], ew_operation_at(k)->name)) {
            return tool_edit(ew_operation_at(k), argc - 1, argv + 1);
        }
        add_word(words, sizeof words, ew_operation_at(k)->name);
    }
    if (tool_command_for(argv[1])) {
        return tool_refuse("a command stands before a file: did you mean 'edgewise %s %.200s'?",
                           tool_command_for(argv[1]), argv[1]);
    }
    if (ew_nearest_word(argv[1], words, nearest)) {
        return tool_refuse("there is no command '%.60s'; did you mean '%s'?", argv[1], nearest);
    }
    return tool_refuse("there is no command '%.60s'; edgewise --help lists them", argv[1]);
}

int main(int argc, char **argv)
{
    tool_hold_first();
    tool_choose_environment(argv);
    open_missing_streams();
    tool_answer_interrupts();
    /* A reader that goes away must not end a run whose results are not written yet. */
    signal(SIGPIPE, SIG_IGN);
    /* A file larger than the user may write fails as one that the disk has no room for. */
    signal(SIGXFSZ, SIG_IGN);
    return close_output(run_command(argc, argv));
}
