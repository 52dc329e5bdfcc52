# Completion of apart for bash. Commands and options are those that the tool's own help names.
_apart() {
    local tool=$1 cur=$2 prev=$3 words=""
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        words=$("$tool" --help 2>/dev/null | sed -n '/^Commands:/,/^$/s/^  \([a-z][a-z]*\) .*/\1/p')
        words="$words --help --version"
    elif [[ ${COMP_WORDS[1]} == help ]]; then
        words=$("$tool" --help 2>/dev/null | sed -n '/^Commands:/,/^$/s/^  \([a-z][a-z]*\) .*/\1/p')
    elif [[ $prev == --depth && ${COMP_WORDS[1]} != check ]]; then
        words="none bound exact"
    elif [[ $prev == --method ]]; then
        words="auto gjk enhanced features spheres"
    elif [[ $prev == --motion-a || $prev == --motion-b ]]; then
        words="to: nlerp: velocity:"
    elif [[ $cur == -* ]]; then
        words=$("$tool" "${COMP_WORDS[1]}" --help 2>/dev/null |
            sed -n 's/^  \(-[a-z], \)\{0,1\}\(--[a-z-]*\).*/\2/p')
    elif [[ ${COMP_WORDS[1]} == distance && $prev != --* && -n $cur ]]; then
        words="box: sphere: capsule: cylinder: cone: ellipsoid: points:"
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
    # A word that goes on after its colon.
    if ((${#COMPREPLY[@]} == 1)) && [[ ${COMPREPLY[0]} == *: ]]; then compopt -o nospace 2>/dev/null; fi
}
# What is none of these is a file.
complete -o bashdefault -o default -F _apart apart
