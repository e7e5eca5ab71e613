# Completion of edgewise in bash: commands, their options and files, as --help prints them.
_edgewise()
{
    local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} words
    if [ "$COMP_CWORD" -eq 1 ]; then
        words=$("${COMP_WORDS[0]}" --help 2>/dev/null | sed -nE 's/^ {2,}([a-z][a-z-]*) {2,}.*/\1/p')
    elif [ "${word#-}" != "$word" ]; then
        words=$("${COMP_WORDS[0]}" "$command" --help 2>/dev/null | grep -oE -- '--[a-z][a-z-]*' | sort -u)
    fi
    # Words have no blanks.
    # shellcheck disable=SC2207
    COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _edgewise edgewise
