# Completion of apart for fish. Commands and options are those that the tool's own help names.
function __apart_commands
    apart --help 2>/dev/null | string match -rg '^  ([a-z]+)(?: \S+)*  +(\S.*)$' | paste - -
end

function __apart_options
    set -l words (commandline -opc)
    apart $words[2] --help 2>/dev/null | string match -rg '^  (?:-[a-z], )?(--[a-z-]+)(?: \S+)*  +(\S.*)$' | paste - -
end

function __apart_after
    contains -- (commandline -opc)[-1] $argv
end

complete -c apart -f -n __fish_is_first_arg -a '(__apart_commands)'
complete -c apart -f -n __fish_is_first_arg -a '--help --version'
complete -c apart -f -n '__fish_seen_subcommand_from help' -a '(__apart_commands)'
complete -c apart -n 'not __fish_is_first_arg; and string match -q -- "-*" (commandline -ct)' -a '(__apart_options)'
complete -c apart -f -n '__apart_after --depth; and not __fish_seen_subcommand_from check' -a 'none bound exact'
complete -c apart -f -n '__apart_after --method' -a 'auto gjk enhanced features spheres'
complete -c apart -f -n '__apart_after --motion-a --motion-b' -a 'to: nlerp: velocity:'
complete -c apart -n '__fish_seen_subcommand_from distance; and not string match -q -- "--*" (commandline -opc)[-1]' -a 'box: sphere: capsule: cylinder: cone: ellipsoid: points:'
