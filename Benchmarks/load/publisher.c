#include "publisher.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "../amqp/batch.h"
#include "../amqp/confirms.h"
#include "../amqp/incoming.h"
#include "ledger.h"
#include "process.h"

enum { confirm_window = 4096, write_limit = 1 << 18, wait_nanoseconds = 20000000 };

struct publisher {
    const struct load_options *options;
    struct lines messages;
    amqp_connection_state_t connection;
    struct incoming_reader confirmations;
    struct batch batch;
    struct confirms confirms;
    uint32_t sent;
    uint64_t started, last_progress;
};

static uint64_t due_time(const struct publisher *publisher) {
    return publisher->started + (uint64_t)((double)publisher->sent * 1e9 / publisher->options->rate);
}

static int is_due(const struct publisher *publisher, uint64_t time) {
    return !termination_requested && publisher->sent < publisher->options->count
        && (publisher->options->rate <= 0 || due_time(publisher) <= time);
}

static void publish_due(struct publisher *publisher, uint64_t time) {
    amqp_basic_properties_t properties = {
        ._flags = AMQP_BASIC_CONTENT_TYPE_FLAG | AMQP_BASIC_DELIVERY_MODE_FLAG,
        .content_type = amqp_cstring_bytes("application/json"),
        .delivery_mode = AMQP_DELIVERY_PERSISTENT,
    };
    while (is_due(publisher, time) && unconfirmed(&publisher->confirms) < confirm_window
           && publisher->batch.end - publisher->batch.start < write_limit) {
        append_publish(&publisher->batch, amqp_cstring_bytes(publisher->options->queue), 0, &properties,
                       publisher->messages.line[publisher->sent % publisher->messages.count]);
        note_publish(&publisher->confirms, 0);
        publisher->sent++;
    }
    write_batch(&publisher->batch, amqp_get_sockfd(publisher->connection));
}

static void take_confirmations(struct publisher *publisher) {
    struct incoming event;
    while (next_incoming(&publisher->confirmations, &event)) {
        if (event.method == AMQP_BASIC_NACK_METHOD) fail("The broker refused a message.");
        if (event.method != AMQP_BASIC_ACK_METHOD) continue;
        amqp_basic_ack_t *confirm = event.decoded;
        note_confirm(&publisher->confirms, confirm->delivery_tag, confirm->multiple);
        publisher->last_progress = now();
    }
    release_incoming(&publisher->confirmations);
}

static void await_events(struct publisher *publisher, uint64_t time) {
    struct pollfd socket = {
        .fd = amqp_get_sockfd(publisher->connection),
        .events = (short)(POLLIN | (has_unwritten(&publisher->batch) ? POLLOUT : 0)),
    };
    uint64_t limit = wait_nanoseconds;
    if (publisher->options->rate > 0 && !termination_requested && publisher->sent < publisher->options->count
        && unconfirmed(&publisher->confirms) < confirm_window) {
        uint64_t due = due_time(publisher), wait = due > time ? due - time : 0;
        if (wait < limit) limit = wait;
    }
    struct timespec timeout = {0, (long)limit};
    int ready = ppoll(&socket, 1, &timeout, NULL);
    if (ready < 0 && errno != EINTR) fail("poll: %s", strerror(errno));
    publisher->confirmations.must_read = ready > 0 && (socket.revents & ~POLLOUT) != 0;
}

static int is_done(const struct publisher *publisher) {
    return (termination_requested || publisher->sent == publisher->options->count)
        && unconfirmed(&publisher->confirms) == 0 && !has_unwritten(&publisher->batch);
}

void publish(const struct load_options *options) {
    watch_for_termination();
    prctl(PR_SET_TIMERSLACK, 1UL);
    struct publisher publisher = {
        .options = options,
        .messages = read_lines(options->requests),
        .connection = connect_to_broker(options->amqp_url, "load publisher"),
        .confirms = make_confirms(confirm_window),
    };
    publisher.confirmations = read_from(publisher.connection);
    select_confirms(publisher.connection);
    publisher.started = publisher.last_progress = now();
    while (!is_done(&publisher)) {
        uint64_t time = now();
        if (publisher.sent < options->count && options->rate > 0 && unconfirmed(&publisher.confirms) == 0)
            publisher.last_progress = time;
        if ((double)(time - publisher.last_progress) / 1e9 > options->deadline)
            fail("The broker did not confirm the messages within %g seconds.", options->deadline);
        publish_due(&publisher, time);
        await_events(&publisher, time);
        if (publisher.confirmations.must_read) take_confirmations(&publisher);
    }
    double seconds = (double)(now() - publisher.started) / 1e9;
    printf("{\"published\":%u,\"seconds\":%.6f,\"rate\":%.1f}\n", publisher.sent, seconds, publisher.sent / seconds);
    close_connection(publisher.connection);
}
