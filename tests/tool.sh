# What the tests of the tool share: sourced with $apart, the tool, and $subcommand, if all are about one.
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
checks=0
failures=0

fail() {
    failures=$((failures + 1))
    echo "FAILED: $*"
}

# run ARGUMENTS...: leaves $status, $out and $err, and the files out and err in $scratch.
run() {
    checks=$((checks + 1))
    "$apart" ${subcommand:+"$subcommand"} "$@" >"$scratch/out" 2>"$scratch/err"
    status=$?
    out=$(cat "$scratch/out")
    err=$(cat "$scratch/err")
}

# ends STATUS TEXT ARGUMENTS...: this exit status, nothing on standard error, TEXT in the output.
ends() {
    due=$1
    text=$2
    shift 2
    run "$@"
    [ "$status" -eq "$due" ] || fail "apart $*: status $status, not $due; $err"
    [ -z "$err" ] || fail "apart $*: said '$err'"
    case $out in *"$text"*) ;; *) fail "apart $*: no '$text' in: $out" ;; esac
}

# answers TEXT ARGUMENTS...: exit status 0, nothing on standard error, TEXT in the output.
answers() { ends 0 "$@"; }

# refuses SENTENCE ARGUMENTS...: exit status 2, no output, exactly this one line on standard error.
refuses() {
    sentence=$1
    shift
    run "$@"
    [ "$status" -eq 2 ] || fail "apart $*: status $status"
    [ -z "$out" ] || fail "apart $*: printed '$out'"
    [ "$(wc -l <"$scratch/err")" -eq 1 ] || fail "apart $*: not one line: $err"
    [ "$err" = "apart: $sentence" ] || fail "apart $*: said '$err' instead of 'apart: $sentence'"
}

# same A B WHAT
same() {
    checks=$((checks + 1))
    [ "$1" = "$2" ] || fail "$3: '$1' is not '$2'"
}
