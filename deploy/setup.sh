#!/bin/sh
# Makes the passwords of the compose stack, once, and what has to do with them. The service `setup` runs it.
#
#   docker compose run --rm setup show             prints how people and programs on this machine reach the broker
#   docker compose run --rm setup show amqp-url    prints only the URL for programs
#   docker compose run --rm setup rotate           makes new passwords for the broker; then:
#                                                  docker compose restart rabbitmq worker
#
# Each volume is mounted only where it is needed, so its files need no further protection than Docker's own. The broker
# gets hashes only. Everything is in the POSIX shell and coreutils, which every image has.
set -eu
umask 022

# Volumes, as compose mounts them here.
base=${SETUP_BASE:-/setup}
definitions=$base/definitions worker=$base/worker client=$base/client admin=$base/admin
postgres=$base/postgres grafana=$base/grafana

password() {
    head -c 24 /dev/urandom | base64 | tr '+/' '-_'
}

# RabbitMQ's hash of a password: a salt of four bytes, then the SHA-256 of salt and password, in base64.
hash() {
    salt=$(head -c 4 /dev/urandom | od -An -tx1 | tr -d ' \n')
    digest=$({
        printf '%s' "$salt" | unhex
        printf '%s' "$1"
    } | sha256sum | cut -c 1-64)
    printf '%s' "$salt$digest" | unhex | base64 -w 0
}

unhex() {
    tr a-f A-F | basenc --base16 -d
}

# A file is complete or not there.
write() {
    cat >"$1.new"
    mv "$1.new" "$1"
}

make_broker_users() {
    worker_password=$(password) client_password=$(password) admin_password=$(password)
    printf 'amqp://worker:%s@rabbitmq:5672/%%2f\n' "$worker_password" | write "$worker/amqp-url"
    printf 'amqp://client:%s@rabbitmq:5672/%%2f\n' "$client_password" | write "$client/amqp-url"
    printf '%s\n' "$admin_password" | write "$admin/password"
    # The last: while it is missing, everything is made again.
    write "$definitions/definitions.json" <<END
{
  "vhosts": [{"name": "/"}],
  "users": [
    {"name": "worker", "password_hash": "$(hash "$worker_password")", "hashing_algorithm": "rabbit_password_hashing_sha256", "tags": []},
    {"name": "client", "password_hash": "$(hash "$client_password")", "hashing_algorithm": "rabbit_password_hashing_sha256", "tags": []},
    {"name": "admin", "password_hash": "$(hash "$admin_password")", "hashing_algorithm": "rabbit_password_hashing_sha256", "tags": ["administrator"]}
  ],
  "permissions": [
    {"user": "worker", "vhost": "/", "configure": "^(deeplink\\\\.|amq\\\\.gen-).*\$", "write": "^(amq\\\\.default|deeplink\\\\..*)\$", "read": "^(deeplink\\\\.|amq\\\\.gen-).*\$"},
    {"user": "client", "vhost": "/", "configure": "^amq\\\\.gen-.*\$", "write": "^amq\\\\.default\$", "read": "^amq\\\\.gen-.*\$"},
    {"user": "admin", "vhost": "/", "configure": ".*", "write": ".*", "read": ".*"}
  ]
}
END
    echo 'setup: new passwords for the broker'
}

# A password that a volume keeps as long as what it protects, and that is therefore never made anew.
make_password() {
    [ -s "$1" ] || password | write "$1"
}

ensure() {
    for file in "$worker/amqp-url" "$client/amqp-url" "$admin/password" "$definitions/definitions.json"; do
        [ -s "$file" ] || { make_broker_users; break; }
    done
    make_password "$postgres/password"
    make_password "$grafana/password"
}

local_url() {
    sed "s/@rabbitmq:5672/@127.0.0.1:$AMQP_PORT/" "$client/amqp-url"
}

show() {
    case ${1:-} in
    '')
        printf 'programs on this machine   %s\n' "$(local_url)"
        printf 'management                 http://127.0.0.1:%s user admin, password %s\n' \
            "$MANAGEMENT_PORT" "$(cat "$admin/password")"
        printf 'Grafana (observability)    http://127.0.0.1:%s user admin, password %s\n' \
            "$GRAFANA_PORT" "$(cat "$grafana/password")"
        ;;
    amqp-url) local_url ;;
    *)
        echo "setup: there is no '$1' to show; there is amqp-url" >&2
        exit 64
        ;;
    esac
}

case ${1:-ensure} in
ensure) ensure ;;
rotate)
    rm -f "$definitions/definitions.json"
    ensure
    ;;
show)
    shift
    show "$@"
    ;;
*)
    echo "setup: there is no command '$1'; there are ensure, rotate and show" >&2
    exit 64
    ;;
esac
