#include "topology.h"

#include <string.h>
#include <time.h>

#include "../amqp/connection.h"
#include "process.h"

enum { input_delivery_limit = 20, unlimited_deliveries = 1000000, most_arguments = 8 };

struct arguments {
    amqp_table_entry_t entries[most_arguments];
    int count;
};

static void add_text(struct arguments *arguments, const char *key, const char *text) {
    arguments->entries[arguments->count++] = (amqp_table_entry_t){
        .key = amqp_cstring_bytes(key),
        .value = {.kind = AMQP_FIELD_KIND_UTF8, .value.bytes = amqp_cstring_bytes(text)},
    };
}

static void add_number(struct arguments *arguments, const char *key, int32_t number) {
    arguments->entries[arguments->count++] = (amqp_table_entry_t){
        .key = amqp_cstring_bytes(key),
        .value = {.kind = AMQP_FIELD_KIND_I32, .value.i32 = number},
    };
}

static void declare(amqp_connection_state_t connection, const char *name, struct arguments *arguments) {
    amqp_table_t table = {arguments->count, arguments->entries};
    amqp_queue_declare(connection, the_channel, amqp_cstring_bytes(name), 0, 1, 0, 0, table);
    require_reply(connection, name);
}

static void declare_plain(amqp_connection_state_t connection, const char *name, const char *type) {
    struct arguments arguments = {.count = 0};
    add_text(&arguments, "x-queue-type", type);
    if (strcmp(type, "quorum") == 0) add_number(&arguments, "x-delivery-limit", unlimited_deliveries);
    declare(connection, name, &arguments);
}

void declare_queues(const struct load_options *options) {
    amqp_connection_state_t connection = connect_to_broker(options->amqp_url, "load topology");
    declare_plain(connection, options->dead_queue, options->queue_type);
    declare_plain(connection, options->reply_queue, options->queue_type);
    declare_plain(connection, options->items_queue, options->queue_type);
    struct arguments arguments = {.count = 0};
    add_text(&arguments, "x-queue-type", options->queue_type);
    add_text(&arguments, "x-dead-letter-exchange", "");
    add_text(&arguments, "x-dead-letter-routing-key", options->dead_queue);
    if (strcmp(options->queue_type, "quorum") == 0) {
        add_number(&arguments, "x-delivery-limit", input_delivery_limit);
        add_text(&arguments, "x-dead-letter-strategy", "at-least-once");
        add_text(&arguments, "x-overflow", "reject-publish");
    }
    declare(connection, options->queue, &arguments);
    close_connection(connection);
}

void delete_queues(const struct load_options *options) {
    amqp_connection_state_t connection = connect_to_broker(options->amqp_url, "load topology");
    const char *names[] = {options->queue, options->reply_queue, options->dead_queue, options->items_queue};
    for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
        amqp_queue_delete(connection, the_channel, amqp_cstring_bytes(names[index]), 0, 0);
        require_reply(connection, names[index]);
    }
    close_connection(connection);
}

void await_consumer(const struct load_options *options) {
    amqp_connection_state_t connection = connect_to_broker(options->amqp_url, "load topology");
    uint32_t wanted = options->count ? options->count : 1;
    uint64_t deadline = now() + (uint64_t)(options->deadline * 1e9);
    puts("ready");
    fflush(stdout);
    for (;;) {
        amqp_queue_declare_ok_t *queue = amqp_queue_declare(
            connection, the_channel, amqp_cstring_bytes(options->queue), 1, 0, 0, 0, amqp_empty_table);
        require_reply(connection, options->queue);
        if (queue->consumer_count >= wanted) break;
        if (now() > deadline) fail("No consumer came to %s within %g seconds.", options->queue, options->deadline);
        nanosleep(&(struct timespec){.tv_nsec = 500000}, NULL);
    }
    printf("%llu\n", (unsigned long long)now());
    close_connection(connection);
}
