/* The least that a C program can do: one connection, basic.consume → amqp_basic_publish, confirmed → basic.ack with
   `multiple`. The body is passed on unread. It has none of the worker's guarantees: an answer that no queue takes is
   lost, and under a memory alarm acknowledgements and answers share one blocked connection. */
#include "amqp/confirms.h"
#include "amqp/incoming.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

static void publish_answer(amqp_connection_state_t connection, const char *reply_queue, const struct incoming *request) {
    amqp_basic_properties_t properties = {
        ._flags = AMQP_BASIC_DELIVERY_MODE_FLAG | AMQP_BASIC_CORRELATION_ID_FLAG,
        .delivery_mode = AMQP_DELIVERY_PERSISTENT,
        .correlation_id = request->properties->correlation_id,
    };
    int status = amqp_basic_publish(connection, the_channel, amqp_empty_bytes, amqp_cstring_bytes(reply_queue), 0, 0,
                                    &properties, request->body);
    if (status != AMQP_STATUS_OK) fail("basic.publish: %s", amqp_error_string2(status));
}

static void acknowledge_confirmed(amqp_connection_state_t connection, const struct confirms *confirms, uint64_t *acknowledged) {
    uint64_t tag = acknowledgeable(confirms);
    if (tag <= *acknowledged) return;
    int status = amqp_basic_ack(connection, the_channel, tag, 1);
    if (status != AMQP_STATUS_OK) fail("basic.ack: %s", amqp_error_string2(status));
    *acknowledged = tag;
}

static void relay(const struct relay_options *options) {
    amqp_connection_state_t connection = connect_to_broker(options->amqp_url, "relay-bare");
    struct incoming_reader reader = read_from(connection);
    struct confirms confirms = make_confirms(options->prefetch);
    uint64_t acknowledged = 0;
    select_confirms(connection);
    start_consuming(connection, options->queue, options->prefetch);

    while (!termination_requested) {
        struct incoming event;
        while (next_incoming(&reader, &event)) {
            if (event.method == AMQP_BASIC_DELIVER_METHOD) {
                publish_answer(connection, options->reply_queue, &event);
                note_publish(&confirms, ((amqp_basic_deliver_t *)event.decoded)->delivery_tag);
            } else if (event.method == AMQP_BASIC_ACK_METHOD) {
                amqp_basic_ack_t *confirm = event.decoded;
                note_confirm(&confirms, confirm->delivery_tag, confirm->multiple);
            } else if (event.method == AMQP_BASIC_NACK_METHOD) {
                fail("The broker refused an answer.");
            }
        }
        acknowledge_confirmed(connection, &confirms, &acknowledged);
        release_incoming(&reader);
        struct pollfd socket = {.fd = amqp_get_sockfd(connection), .events = POLLIN};
        if (poll(&socket, 1, heartbeat_seconds * 1000 / 2) < 0 && errno != EINTR) fail("poll: %s", strerror(errno));
        reader.must_read = 1;
    }
    close_connection(connection);
}

int main(int argc, char **argv) {
    struct relay_options options = parse_relay_options(argc, argv);
    watch_for_termination();
    relay(&options);
    return 0;
}
