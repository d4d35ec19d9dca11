# What `run` and `thorough` share: named steps with a table of how long each took, and commands that run beside others.
# To be sourced, in the root of the package.

steps=()
starts=()
step() {
    steps+=("$1")
    starts+=("$SECONDS")
    printf '\n== %s (%s s)\n' "$1" "$SECONDS"
}
fail() { printf 'ci: %s\n' "$1" >&2; exit 1; }

# How long each step took; the last one is where it ended, done or failed.
print_times() {
    local code=$1 index slowest=0 seconds=() end=$SECONDS
    for ((index = ${#steps[@]} - 1; index >= 0; index--)); do
        seconds[index]=$((end - starts[index]))
        end=${starts[index]}
        if [ "${seconds[index]}" -ge "${seconds[slowest]-0}" ]; then slowest=$index; fi
    done
    printf '\n== how long each step took\n'
    for index in "${!steps[@]}"; do
        local mark=
        if [ "$index" = "$slowest" ]; then mark='  slowest'; fi
        if [ "$code" != 0 ] && [ "$index" = $((${#steps[@]} - 1)) ]; then mark+='  failed'; fi
        printf '%6s s  %s%s\n' "${seconds[index]}" "${steps[index]}" "$mark"
    done
    printf '%6s s  in all, %s\n' "$SECONDS" "$([ "$code" = 0 ] && echo passed || echo failed)"
}

temporary=$(mktemp -d)
besides=()
# Runs a function or command beside what follows until `join`, which prints what it said.
beside() {
    local log=$temporary/beside-${#besides[@]}
    # In a process group of its own, so that all of it can be ended.
    set -m
    (
        trap - EXIT
        set -e
        began=$SECONDS
        printf '\n-- %s\n' "$1"
        "${@:2}"
        printf -- '-- %s: %s s, beside others\n' "$1" $((SECONDS - began))
    ) >"$log" 2>&1 &
    set +m
    besides+=("$!")
}
# Waits for what runs beside; fails where one of it does.
join() {
    local index failed=
    for index in "${!besides[@]}"; do
        wait "${besides[index]}" || failed=1
        cat "$temporary/beside-$index"
    done
    besides=()
    [ -z "$failed" ] || fail 'something that ran beside others failed'
}
finish() {
    local code=$?
    for child in ${besides[@]+"${besides[@]}"}; do kill -- "-$child" 2>/dev/null || true; done
    rm -rf "$temporary"
    print_times "$code"
    exit "$code"
}
trap finish EXIT

# Not with -warnings-as-errors: another set of flags would build everything twice.
builds_without_warnings() {
    "$@" 2>&1 | tee "$temporary/build.log"
    # Once more, at the end, where they are seen.
    if grep -A 6 'warning:' "$temporary/build.log"; then fail 'the build has warnings'; fi
}
