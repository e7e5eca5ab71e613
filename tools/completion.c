/* edgewise completion: what shells complete, as a script for one of them. In: the tables of
 * commands and of their options. Out: a function that a shell calls at each tab, without the
 * program. */
#include "tool.h"

#include <string.h>

typedef enum shell { BASH, ZSH, FISH } shell;

/* Of the file that is written; commands are asked one after the other. */
static shell wanted;
static bool has_next;

/* ---- texts ----------------------------------------------------------------------------------- */

/* A text within '...' of the shell; zsh's lists give ':' and brackets a meaning. */
static void print_quoted(const char *text)
{
    for (; *text; text++) {
        if (*text == '\'') {
            fputs(wanted == FISH ? "\\'" : "'\\''", stdout);
        } else if (wanted == ZSH && strchr(":[]", *text)) {
            printf("\\%c", *text);
        } else if (wanted == FISH && *text == '\\') {
            fputs("\\\\", stdout);
        } else {
            putchar(*text);
        }
    }
}

static bool takes_file(const tool_option *option)
{
    return option->kind == TOOL_TEXT;
}

/* ---- options of a command -------------------------------------------------------------------- */

/* Words behind the name of a command, and behind options with a choice. */
static void print_for_bash(const tool_syntax *syntax)
{
    printf("    %s)\n        options='--help", syntax->command);
    for (int32_t i = 0; i < syntax->n_option; i++) {
        printf(" --%s", syntax->option[i].name);
    }
    printf("'\n");
    if (syntax->words) {
        printf("        [ \"$COMP_CWORD\" -ne 2 ] || values='%s'\n", syntax->words);
    }
    printf("        case $before in\n");
    for (int32_t i = 0; i < syntax->n_option; i++) {
        const tool_option *option = &syntax->option[i];
        if (option->kind == TOOL_CHOICE) {
            printf("        --%s) values='%s' ;;\n", option->name, option->words);
        } else if (option->kind != TOOL_FLAG && !takes_file(option)) {
            printf("        --%s) values=' ' ;;\n", option->name);
        }
    }
    printf("        esac ;;\n");
}

static void print_for_zsh(const tool_syntax *syntax)
{
    printf("    %s) _arguments -s '--help[this text]'", syntax->command);
    for (int32_t i = 0; i < syntax->n_option; i++) {
        const tool_option *option = &syntax->option[i];
        printf(" \\\n        '--%s[", option->name);
        print_quoted(option->help);
        printf("]");
        if (option->kind != TOOL_FLAG) {
            printf(":");
            print_quoted(option->argument ? option->argument : option->name);
            printf(":%s%s%s",
                   option->kind == TOOL_CHOICE ? "("
                   : takes_file(option)        ? "_files"
                                               : "",
                   option->kind == TOOL_CHOICE ? option->words : "",
                   option->kind == TOOL_CHOICE ? ")" : "");
        }
        printf("'");
    }
    if (syntax->words) {
        printf(" \\\n        '1:kind:(%s)'", syntax->words);
    }
    printf(" \\\n        '*:file:_files' ;;\n");
}

static void print_for_fish(const tool_syntax *syntax)
{
    if (syntax->words) {
        printf("complete -c edgewise -n '__fish_seen_subcommand_from %s' -a '%s'\n",
               syntax->command, syntax->words);
    }
    for (int32_t i = 0; i < syntax->n_option; i++) {
        const tool_option *option = &syntax->option[i];
        printf("complete -c edgewise -n '__fish_seen_subcommand_from %s' -l %s", syntax->command,
               option->name);
        if (option->letter) {
            printf(" -s %c", option->letter);
        }
        if (option->kind == TOOL_CHOICE) {
            printf(" -x -a '%s'", option->words);
        } else if (option->kind != TOOL_FLAG) {
            printf(takes_file(option) ? " -r" : " -x");
        }
        printf(" -d '");
        print_quoted(option->help);
        printf("'\n");
    }
}

static void print_options(const tool_syntax *syntax)
{
    (wanted == BASH ? print_for_bash : wanted == ZSH ? print_for_zsh : print_for_fish)(syntax);
}

/* ---- scripts --------------------------------------------------------------------------------- */

static void print_command(const char *name, const char *summary)
{
    if (wanted == BASH) {
        printf("%s%s", has_next ? " " : "", name);
    } else if (wanted == ZSH) {
        printf("    '%s:", name);
        print_quoted(summary);
        printf("'\n");
    } else {
        printf("complete -c edgewise -n __fish_use_subcommand -f -a %s -d '", name);
        print_quoted(summary);
        printf("'\n");
    }
    has_next = true;
}

static const char *const head[] = {
    [BASH] = "# Completion of edgewise in bash, made by 'edgewise completion bash'.\n"
             "_edgewise()\n{\n"
             "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
             "    local command=${COMP_WORDS[1]} options='' values=''\n"
             "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
             "        values='",
    [ZSH] =
        "#compdef edgewise\n# Completion of edgewise in zsh, made by 'edgewise completion zsh'.\n"
        "_edgewise() {\n  local -a commands=(\n",
    [FISH] = "# Completion of edgewise in fish, made by 'edgewise completion fish'.\n"};
static const char *const middle[] = {
    [BASH] = "'\n    fi\n    case $command in\n",
    [ZSH] = "  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n"
            "  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $command in\n",
    [FISH] = ""};
static const char *const tail[] = {[BASH] =
                                       "    esac\n"
                                       "    [ \"${word#-}\" = \"$word\" ] || values=$options\n"
                                       "    # Words have no blanks.\n"
                                       "    # shellcheck disable=SC2207\n"
                                       "    COMPREPLY=($(compgen -W \"$values\" -- \"$word\"))\n}\n"
                                       "complete -o default -F _edgewise edgewise\n",
                                   [ZSH] = "    *) _files ;;\n  esac\n}\nif [ \"$funcstack[1]\" = "
                                           "_edgewise ]; then\n  _edgewise \"$@\"\n"
                                           "else\n  compdef _edgewise edgewise\nfi\n",
                                   [FISH] = ""};

int tool_complete(int argc, char **argv, void (*list)(tool_command_visitor *visit),
                  void (*help_of_all)(void))
{
    static const tool_syntax syntax = {
        .command = "completion",
        .arguments = "bash|zsh|fish",
        .words = "bash zsh fish",
        .summary = "write the completion of commands and options for a shell",
        .text = "bash, in ~/.bashrc:  eval \"$(edgewise completion bash)\"\n"
                "zsh, in ~/.zshrc:    eval \"$(edgewise completion zsh)\"      (after compinit)\n"
                "fish:                edgewise completion fish > "
                "~/.config/fish/completions/edgewise.fish",
        .min_arguments = 1,
        .max_arguments = 1};
    static const char *const names[] = {"bash", "zsh", "fish"};
    int n, k = 0;
    const int exit_status = tool_parse_options(&syntax, argc, argv, &n);
    if (exit_status >= 0) {
        return exit_status;
    }
    while (k < 3 && strcmp(argv[1], names[k])) {
        k++;
    }
    if (k == 3) {
        return tool_refuse(
            "completion: '%.60s' is no shell that is known; it must be one of: bash, "
            "zsh, fish",
            argv[1]);
    }
    wanted = (shell)k;
    has_next = false;
    fputs(head[wanted], stdout);
    list(print_command);
    fputs(middle[wanted], stdout);
    tool_visit_syntax(print_options);
    help_of_all();
    tool_visit_syntax(NULL);
    fputs(tail[wanted], stdout);
    return TOOL_DONE;
}
