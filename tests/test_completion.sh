#!/bin/sh
# Completion in the shells: in bash every command and every option that the help names is offered, and so are words for
# values; in fish the same, and zsh reads its file, if these shells are there. The man page names them all, too.
#
#   test_completion.sh APART CLI     the tool, and the folder of its sources
set -u
apart=$(cd "$(dirname "$1")" && pwd)
PATH=$apart:$PATH
cli=$2
. "$(dirname "$0")/tool.sh"
man=$(sed 's/\\-/-/g' "$cli/apart.1")

# bash_offers WORDS...: what is offered for the last of them, in one line.
bash_offers() {
    bash --norc -c '
        source "$1"
        shift
        COMP_WORDS=("$@")
        COMP_CWORD=$(($# - 1))
        _apart apart "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
        echo "${COMPREPLY[*]}"' bash "$cli/completion/apart.bash" "$@"
}

# has WORD LIST WHAT
has() {
    checks=$((checks + 1))
    case " $2 " in *" $1 "*) ;; *) fail "$3: no '$1' in '$2'" ;; esac
}

# The options that the help of a command lists.
options() { apart "$1" --help | grep -o '^  \(-[a-z], \)*--[a-z-]*' | grep -o -e '--[a-z-]*'; }

commands=$(apart --help | sed -n '/^Commands:/,/^$/p' | grep -o '^  [a-z]*')
count=0
for command in $commands; do
    has "$command" "$(bash_offers apart "")" "bash, commands"
    has "$command" "$(bash_offers apart help "")" "bash, help of commands"
    [ "$command" = help ] && continue
    case $man in *".Cm $command"*) ;; *) fail "the man page has no command $command" ;; esac
    offered=$(bash_offers apart "$command" --)
    for option in $(options "$command"); do
        has "$option" "$offered" "bash, options of $command"
        case $man in *"Fl $option"* | *"Fl ${option#-}"*) ;; *) fail "the man page has no option $option" ;; esac
        count=$((count + 1))
    done
done
[ "$count" -gt 30 ] || fail "only $count options were found"
same "$(bash_offers apart path --dep)" "--depth" "bash, a beginning"
same "$(bash_offers apart path --depth "")" "none bound exact" "bash, values"
same "$(bash_offers apart check --depth "")" "" "bash, an option without a value"
same "$(bash_offers apart distance --method g)" "gjk" "bash, values"
same "$(bash_offers apart distance bo)" "box:" "bash, shapes"
same "$(bash_offers apart distance box:1,1,1 sphere:1 --motion-b v)" "velocity:" "bash, motions"
same "$(bash_offers apart path some)" "" "bash, files are left to it"

if command -v zsh >/dev/null; then
    checks=$((checks + 1))
    zsh -n "$cli/completion/_apart" || fail "zsh does not read its file"
fi
if command -v fish >/dev/null; then
    fish_offers() { fish --no-config -c "source '$cli/completion/apart.fish'; complete -C '$*'" | cut -f1 | tr '\n' ' '; }
    for command in $commands; do
        has "$command" "$(fish_offers "apart ")" "fish, commands"
        [ "$command" = help ] && continue
        offered=$(fish_offers "apart $command --")
        for option in $(options "$command"); do has "$option" "$offered" "fish, options of $command"; done
    done
    same "$(fish_offers "apart path --depth ")" "bound exact none " "fish, values"
fi

echo "test_completion: $checks checks, $failures failed"
[ "$failures" -eq 0 ] && [ "$checks" -gt 30 ]
