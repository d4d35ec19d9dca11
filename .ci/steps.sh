# Shared by `run` and `thorough`: named steps, a table of their durations, and concurrent commands. Source this file in the
# root of the package.

steps=()
starts=()
step() {
    steps+=("$1")
    starts+=("$SECONDS")
    printf '\n== %s (%s s)\n' "$1" "$SECONDS"
}
fail() { printf 'ci: %s\n' "$1" >&2; exit 1; }

# Prints the duration of each step. If the run failed, it failed in the last step.
print_times() {
    local code=$1 index
    starts+=("$SECONDS")
    printf '\n== duration of each step\n'
    for index in "${!steps[@]}"; do
        printf '%6s s  %s\n' $((starts[index + 1] - starts[index])) "${steps[index]}"
    done
    printf '%6s s  in total, %s\n' "$SECONDS" "$([ "$code" = 0 ] && echo passed || echo failed)"
}

temporary=$(mktemp -d)
besides=()
# Runs a function or command concurrently with the following ones, until `join` prints its output.
beside() {
    local log=$temporary/beside-${#besides[@]}
    # In its own process group, so that all of its processes can be ended.
    set -m
    (
        trap - EXIT
        set -e
        began=$SECONDS
        printf '\n-- %s\n' "$1"
        "${@:2}"
        printf -- '-- %s: %s s, concurrent\n' "$1" $((SECONDS - began))
    ) >"$log" 2>&1 &
    set +m
    besides+=("$!")
}
# Waits for the concurrent commands, and fails if one of them has failed.
join() {
    local index failed=
    for index in "${!besides[@]}"; do
        wait "${besides[index]}" || failed=1
        cat "$temporary/beside-$index"
    done
    besides=()
    [ -z "$failed" ] || fail 'a concurrent command failed; its output is above'
}
finish() {
    local code=$?
    for child in ${besides[@]+"${besides[@]}"}; do kill -- "-$child" 2>/dev/null || true; done
    rm -rf "$temporary"
    print_times "$code"
    exit "$code"
}
trap finish EXIT

# Without -warnings-as-errors, because other flags would build everything twice.
builds_without_warnings() {
    "$@" 2>&1 | tee "$temporary/build.log"
    # Prints the warnings again at the end, where they are visible.
    if grep -A 6 'warning:' "$temporary/build.log"; then fail 'the build has warnings'; fi
}
