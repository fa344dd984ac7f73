#include "connection.h"

#include <amqp_tcp_socket.h>
#include <getopt.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

volatile int termination_requested;

_Noreturn void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}

static void request_termination(int signal_number) {
    (void)signal_number;
    termination_requested = 1;
}

void watch_for_termination(void) {
    struct sigaction action = {.sa_handler = request_termination};
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
}

struct relay_options parse_relay_options(int argc, char **argv) {
    static const struct option long_options[] = {
        {"amqp-url", required_argument, NULL, 'u'},
        {"queue", required_argument, NULL, 'q'},
        {"reply-queue", required_argument, NULL, 'r'},
        {"prefetch", required_argument, NULL, 'p'},
        {NULL, 0, NULL, 0},
    };
    struct relay_options options = {.prefetch = 500};
    for (int option; (option = getopt_long(argc, argv, "", long_options, NULL)) != -1;) {
        switch (option) {
        case 'u': options.amqp_url = optarg; break;
        case 'q': options.queue = optarg; break;
        case 'r': options.reply_queue = optarg; break;
        case 'p': {
            long value = strtol(optarg, NULL, 10);
            if (value < 1 || value > UINT16_MAX) fail("--prefetch: a number from 1 to 65535 is needed");
            options.prefetch = (uint16_t)value;
            break;
        }
        default: exit(64);
        }
    }
    if (!options.amqp_url || !options.queue || !options.reply_queue)
        fail("usage: %s --amqp-url URL --queue QUEUE --reply-queue QUEUE [--prefetch N]", argv[0]);
    return options;
}

void require_reply(amqp_connection_state_t connection, const char *what) {
    amqp_rpc_reply_t reply = amqp_get_rpc_reply(connection);
    if (reply.reply_type == AMQP_RESPONSE_NORMAL) return;
    if (reply.reply_type == AMQP_RESPONSE_LIBRARY_EXCEPTION) fail("%s: %s", what, amqp_error_string2(reply.library_error));
    if (reply.reply.id == AMQP_CHANNEL_CLOSE_METHOD) {
        amqp_channel_close_t *close = reply.reply.decoded;
        fail("%s: %d %.*s", what, close->reply_code, (int)close->reply_text.len, (char *)close->reply_text.bytes);
    }
    if (reply.reply.id == AMQP_CONNECTION_CLOSE_METHOD) {
        amqp_connection_close_t *close = reply.reply.decoded;
        fail("%s: %d %.*s", what, close->reply_code, (int)close->reply_text.len, (char *)close->reply_text.bytes);
    }
    fail("%s: the broker answered with method %#x", what, reply.reply.id);
}

static amqp_table_entry_t flag(const char *name) {
    return (amqp_table_entry_t){
        .key = amqp_cstring_bytes(name),
        .value = {.kind = AMQP_FIELD_KIND_BOOLEAN, .value.boolean = 1},
    };
}

static void log_in(amqp_connection_state_t connection, const struct amqp_connection_info *info, const char *name) {
    amqp_table_entry_t capabilities[] = {
        flag("publisher_confirms"), flag("consumer_cancel_notify"), flag("connection.blocked"),
        flag("basic.nack"), flag("authentication_failure_close"),
    };
    amqp_table_entry_t properties[] = {
        {.key = amqp_cstring_bytes("capabilities"),
         .value = {.kind = AMQP_FIELD_KIND_TABLE,
                   .value.table = {sizeof capabilities / sizeof *capabilities, capabilities}}},
        {.key = amqp_cstring_bytes("connection_name"),
         .value = {.kind = AMQP_FIELD_KIND_UTF8, .value.bytes = amqp_cstring_bytes(name)}},
    };
    amqp_table_t table = {sizeof properties / sizeof *properties, properties};
    amqp_rpc_reply_t reply = amqp_login_with_properties(connection, info->vhost, 0, frame_limit, heartbeat_seconds,
                                                        &table, AMQP_SASL_METHOD_PLAIN, info->user, info->password);
    if (reply.reply_type != AMQP_RESPONSE_NORMAL) fail("The broker at port %d refused the login.", info->port);
}

amqp_connection_state_t connect_to_broker(const char *url, const char *name) {
    char *parts = strdup(url);
    struct amqp_connection_info info;
    if (!parts || amqp_parse_url(parts, &info) != AMQP_STATUS_OK || info.ssl)
        fail("--amqp-url: '%s' is not an amqp: URL that the benchmark can use", url);
    amqp_connection_state_t connection = amqp_new_connection();
    amqp_socket_t *socket = connection ? amqp_tcp_socket_new(connection) : NULL;
    struct timeval limit = {.tv_sec = 10};
    if (!socket || amqp_socket_open_noblock(socket, info.host, info.port, &limit) != AMQP_STATUS_OK)
        fail("No broker answers at %s port %d.", info.host, info.port);
    amqp_set_rpc_timeout(connection, &(struct timeval){.tv_sec = 60});
    log_in(connection, &info, name);
    free(parts);
    amqp_channel_open(connection, the_channel);
    require_reply(connection, "channel.open");
    return connection;
}

void select_confirms(amqp_connection_state_t connection) {
    amqp_confirm_select(connection, the_channel);
    require_reply(connection, "confirm.select");
}

void start_consuming(amqp_connection_state_t connection, const char *queue, uint16_t prefetch) {
    if (prefetch > 0) {
        amqp_basic_qos(connection, the_channel, 0, prefetch, 0);
        require_reply(connection, "basic.qos");
    }
    amqp_basic_consume(connection, the_channel, amqp_cstring_bytes(queue), amqp_empty_bytes, 0, prefetch == 0, 0,
                       amqp_empty_table);
    require_reply(connection, "basic.consume");
}

void close_connection(amqp_connection_state_t connection) {
    amqp_set_rpc_timeout(connection, &(struct timeval){.tv_sec = 5});
    amqp_connection_close(connection, AMQP_REPLY_SUCCESS);
    amqp_destroy_connection(connection);
}
