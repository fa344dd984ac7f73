# Sourced by the scripts beside it: one private folder, one private broker, one worker, and their end.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
example=$root/Examples/FamilyMovies
private=
worker_id=

say() {
    printf '%s\n' "$*"
}

fail() {
    printf '%s: %s\n' "$(basename "$0")" "$1" >&2
    exit "${2:-1}"
}

# Nothing may outlive the script, however it ends.
open_private_folder() {
    private=$(mktemp -d "${TMPDIR:-/tmp}/deeplink-worker.XXXXXX")
    trap close_private_folder EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
}

# close_private_folder [STATUS]: a script with an end of its own gives the status that it ends with.
close_private_folder() {
    local status=${1:-$?}
    trap - EXIT
    if [ -n "$worker_id" ]; then kill -KILL "$worker_id" 2>/dev/null && wait "$worker_id" 2>/dev/null; fi
    if [ "$status" -ne 0 ] && [ -s "$private/worker.log" ]; then
        printf '\n--- the end of the worker'\''s log\n' >&2
        tail -n 40 "$private/worker.log" >&2
    fi
    "$root/scripts/broker" stop "$private/broker"
    "$root/scripts/postgres" stop "$private/database"
    rm -rf "$private"
    exit "$status"
}

# Starts the broker; exports DEEPLINK_TEST_AMQP_URL and DEEPLINK_TEST_RABBITMQCTL.
start_broker() {
    "$root/scripts/broker" start "$private/broker"
    set -a
    . "$private/broker/env"
    set +a
}

# Starts the database; exports DEEPLINK_TEST_POSTGRESQL_URL, DEEPLINK_TEST_POSTGRESQL_CTL and DEEPLINK_TEST_PGBOUNCER_URL.
start_database() {
    "$root/scripts/postgres" start "$private/database"
    set -a
    . "$private/database/env"
    set +a
}

# write_service NAME: makes the private database known to libpq as a service, and so to stores named
# postgresql:///?service=NAME, as deploy/setup.sh does in the compose stack.
write_service() {
    [[ $DEEPLINK_TEST_POSTGRESQL_URL =~ ^postgresql://([^:]+):([^@]+)@([^:]+):([0-9]+)/(.+)$ ]] ||
        fail 'the database has an unknown URL'
    (umask 077 && printf '[%s]\nuser=%s\npassword=%s\nhost=%s\nport=%s\ndbname=%s\n' "$1" "${BASH_REMATCH[@]:1}" \
        >"$private/service.conf")
    export PGSERVICEFILE=$private/service.conf
}

# Starts `$worker run` with the example's configuration, or that of $worker_config, and further arguments; waits until it
# consumes. Metrics and health are served where $worker_http says.
start_worker() {
    local deadline=$((SECONDS + 30))
    "$worker" run --config "${worker_config:-$example/deeplinks.yaml}" --amqp-url "$DEEPLINK_TEST_AMQP_URL" \
        --http "${worker_http:-off}" "$@" </dev/null >"$private/worker.log" 2>&1 &
    worker_id=$!
    until "$DEEPLINK_TEST_RABBITMQCTL" -q list_consumers queue_name 2>/dev/null | grep -qx deeplink.activities; do
        if ! kill -0 "$worker_id" 2>/dev/null; then
            worker_id=
            fail 'the worker ended while it was starting'
        fi
        ((SECONDS < deadline)) || fail 'the worker did not begin to consume within 30 seconds'
        sleep 0.2
    done
}

# Asks the worker to finish; anything but a clean end is a failure.
stop_worker() {
    local status=0
    kill -TERM "$worker_id"
    wait "$worker_id" || status=$?
    worker_id=
    [ "$status" -eq 0 ] || fail "the worker ended with status $status after SIGTERM"
}

# Prints the seconds since $1 (a value of EPOCHREALTIME), with one decimal.
seconds_since() {
    awk -v from="$1" -v to="$EPOCHREALTIME" 'BEGIN { printf "%.1f", to - from }'
}
