# Sourced by the scripts that start private servers: free ports, and processes that are known by more than their id.
# shellcheck shell=bash

# A port below the kernel's range for outgoing connections, which nothing listens on now, in `chosen_port`.
free_port() {
    local port
    while :; do
        port=$((10000 + (RANDOM * 32768 + RANDOM) % 20000))
        case " ${taken_ports:-} " in *" $port "*) continue ;; esac
        (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || break
    done
    taken_ports="${taken_ports:-} $port"
    chosen_port=$port
}

# A process is named by its id and its start time, so that a later process with the same id is never signalled.
start_time() {
    local stat
    stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 1
    stat=${stat##*) }
    # shellcheck disable=SC2086 # words are wanted
    set -- $stat
    [ "$1" != Z ] && printf '%s\n' "${20}"
}

record_process() {
    printf '%s %s\n' "$1" "$(start_time "$1")" >"$2"
}

is_running() {
    local id started
    [ -r "$1" ] && read -r id started <"$1" && [ -n "$started" ] && [ "$(start_time "$id")" = "$started" ]
}

# end_process FILE SECONDS [SIGNAL]: asks a recorded process to end, and ends it after so many seconds.
end_process() {
    local file=$1 seconds=$2 name=${3:-TERM} id tick
    is_running "$file" || return 0
    read -r id _ <"$file"
    kill -s "$name" "$id" 2>/dev/null || true
    # A process that a test has stopped could not end.
    kill -CONT "$id" 2>/dev/null || true
    for ((tick = 0; tick < seconds * 10; tick++)); do
        is_running "$file" || return 0
        sleep 0.1
    done
    kill -KILL "$id" 2>/dev/null || true
    for ((tick = 0; tick < 50; tick++)); do
        is_running "$file" || return 0
        sleep 0.1
    done
}

# A caller may wait until everything that it lent is closed, so what outlives a script keeps nothing.
close_lent_descriptors() {
    local link number
    for link in /proc/self/fd/*; do
        number=${link##*/}
        if ((number > 2 && number != 255)); then eval "exec $number>&-"; fi
    done
}
