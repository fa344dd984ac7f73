/* A relay with the worker's own guarantees, as good as C can make it: two connections (under a memory alarm the
   acknowledgements still flow), mandatory and persistent answers with a message_id that repeats on redelivery, all
   frames of a batch in one non-blocking write, and a request is acknowledged when its answer is confirmed. The body is
   passed on unread: what the worker costs beyond this is the parsing, the look-up and the encoding. */
#include "amqp/batch.h"
#include "amqp/confirms.h"
#include "amqp/incoming.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <time.h>

struct relay {
    amqp_connection_state_t consuming;
    amqp_connection_state_t publishing;
    struct incoming_reader requests;
    struct incoming_reader confirmations;
    struct batch answers;
    struct batch acknowledgements;
    struct confirms confirms;
    amqp_bytes_t reply_queue;
    uint64_t acknowledged;
    uint64_t now;
    int is_blocked;
};

static void append_answer(struct relay *relay, const struct incoming *request) {
    char message_id[256] = "re:";
    const amqp_basic_properties_t *asked = request->properties;
    amqp_basic_properties_t properties = {
        ._flags = AMQP_BASIC_CONTENT_TYPE_FLAG | AMQP_BASIC_TYPE_FLAG | AMQP_BASIC_DELIVERY_MODE_FLAG
            | AMQP_BASIC_TIMESTAMP_FLAG,
        .content_type = amqp_cstring_bytes("application/json"),
        .type = amqp_cstring_bytes("navigation-command"),
        .delivery_mode = AMQP_DELIVERY_PERSISTENT,
        .timestamp = relay->now,
    };
    if (asked->_flags & AMQP_BASIC_MESSAGE_ID_FLAG) {
        size_t length = asked->message_id.len <= 250 ? asked->message_id.len : 250;
        memcpy(message_id + 3, asked->message_id.bytes, length);
        properties.message_id = (amqp_bytes_t){length + 3, message_id};
        properties._flags |= AMQP_BASIC_MESSAGE_ID_FLAG;
    }
    if (asked->_flags & AMQP_BASIC_CORRELATION_ID_FLAG) {
        properties.correlation_id = asked->correlation_id;
        properties._flags |= AMQP_BASIC_CORRELATION_ID_FLAG;
    } else if (asked->_flags & AMQP_BASIC_MESSAGE_ID_FLAG) {
        properties.correlation_id = asked->message_id;
        properties._flags |= AMQP_BASIC_CORRELATION_ID_FLAG;
    }
    append_publish(&relay->answers, relay->reply_queue, 1, &properties, request->body);
}

static void take_requests(struct relay *relay) {
    struct incoming event;
    relay->now = (uint64_t)time(NULL);
    while (next_incoming(&relay->requests, &event)) {
        if (event.method != AMQP_BASIC_DELIVER_METHOD) continue;
        append_answer(relay, &event);
        note_publish(&relay->confirms, ((amqp_basic_deliver_t *)event.decoded)->delivery_tag);
    }
    release_incoming(&relay->requests);
}

static void take_confirmations(struct relay *relay) {
    struct incoming event;
    while (next_incoming(&relay->confirmations, &event)) {
        switch (event.method) {
        case AMQP_BASIC_ACK_METHOD: {
            amqp_basic_ack_t *confirm = event.decoded;
            note_confirm(&relay->confirms, confirm->delivery_tag, confirm->multiple);
            break;
        }
        case AMQP_CONNECTION_BLOCKED_METHOD: relay->is_blocked = 1; break;
        case AMQP_CONNECTION_UNBLOCKED_METHOD: relay->is_blocked = 0; break;
        /* Unacknowledged requests stay in the queue: nothing is lost. */
        case AMQP_BASIC_RETURN_METHOD: fail("No queue takes the answers.");
        case AMQP_BASIC_NACK_METHOD: fail("The broker refused an answer.");
        default: break;
        }
    }
    release_incoming(&relay->confirmations);
}

static void acknowledge_confirmed(struct relay *relay) {
    uint64_t tag = acknowledgeable(&relay->confirms);
    if (tag <= relay->acknowledged) return;
    append_ack(&relay->acknowledgements, tag, 1);
    relay->acknowledged = tag;
}

static short wanted(const struct batch *unwritten) {
    return (short)(POLLIN | (has_unwritten(unwritten) ? POLLOUT : 0));
}

static void turn(struct relay *relay) {
    int consuming = amqp_get_sockfd(relay->consuming), publishing = amqp_get_sockfd(relay->publishing);
    struct pollfd sockets[] = {
        {.fd = consuming, .events = wanted(&relay->acknowledgements)},
        {.fd = publishing, .events = relay->is_blocked ? POLLIN : wanted(&relay->answers)},
    };
    int ready = poll(sockets, 2, heartbeat_seconds * 1000 / 2);
    if (ready < 0 && errno != EINTR) fail("poll: %s", strerror(errno));
    /* After half a heartbeat of silence both are read once, so that the library can send its own heartbeat. */
    relay->requests.must_read = ready == 0 || (sockets[0].revents & ~POLLOUT) != 0;
    relay->confirmations.must_read = ready == 0 || (sockets[1].revents & ~POLLOUT) != 0;
    if (relay->confirmations.must_read) take_confirmations(relay);
    if (relay->requests.must_read) take_requests(relay);
    acknowledge_confirmed(relay);
    if (!relay->is_blocked) write_batch(&relay->answers, publishing);
    write_batch(&relay->acknowledgements, consuming);
}

int main(int argc, char **argv) {
    struct relay_options options = parse_relay_options(argc, argv);
    watch_for_termination();
    struct relay relay = {
        .consuming = connect_to_broker(options.amqp_url, "relay consumer"),
        .publishing = connect_to_broker(options.amqp_url, "relay publisher"),
        .confirms = make_confirms(options.prefetch),
        .reply_queue = amqp_cstring_bytes(options.reply_queue),
    };
    relay.requests = read_from(relay.consuming);
    relay.confirmations = read_from(relay.publishing);
    select_confirms(relay.publishing);
    start_consuming(relay.consuming, options.queue, options.prefetch);
    /* Deliveries may have come together with the broker's consume-ok. */
    take_requests(&relay);
    while (!termination_requested) turn(&relay);
    close_connection(relay.publishing);
    close_connection(relay.consuming);
    return 0;
}
