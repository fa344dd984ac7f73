#include "incoming.h"

#include <stdlib.h>
#include <string.h>

enum { awaiting_method, awaiting_header, awaiting_body };

struct incoming_reader read_from(amqp_connection_state_t connection) {
    return (struct incoming_reader){.connection = connection, .must_read = 1};
}

static void refuse_closing(const amqp_method_t *method) {
    if (method->id == AMQP_CHANNEL_CLOSE_METHOD) {
        amqp_channel_close_t *close = method->decoded;
        fail("The broker closed the channel: %d %.*s", close->reply_code, (int)close->reply_text.len,
             (char *)close->reply_text.bytes);
    }
    if (method->id == AMQP_CONNECTION_CLOSE_METHOD) {
        amqp_connection_close_t *close = method->decoded;
        fail("The broker closed the connection: %d %.*s", close->reply_code, (int)close->reply_text.len,
             (char *)close->reply_text.bytes);
    }
    if (method->id == AMQP_BASIC_CANCEL_METHOD) fail("The broker cancelled the consumer: its queue was deleted.");
}

/* Reads one frame of what has arrived; 0 when there is none. */
static int next_frame(struct incoming_reader *reader, amqp_frame_t *frame) {
    amqp_connection_state_t connection = reader->connection;
    if (!reader->must_read && !amqp_data_in_buffer(connection) && !amqp_frames_enqueued(connection)) return 0;
    reader->must_read = 0;
    int status = amqp_simple_wait_frame_noblock(connection, frame, &(struct timeval){0});
    if (status == AMQP_STATUS_TIMEOUT) return 0;
    if (status != AMQP_STATUS_OK) fail("The connection to the broker is lost: %s", amqp_error_string2(status));
    return 1;
}

static int take_method(struct incoming_reader *reader, const amqp_frame_t *frame) {
    if (frame->frame_type != AMQP_FRAME_METHOD) return 0;
    refuse_closing(&frame->payload.method);
    reader->current = (struct incoming){.method = frame->payload.method.id, .decoded = frame->payload.method.decoded};
    int has_content = reader->current.method == AMQP_BASIC_DELIVER_METHOD
        || reader->current.method == AMQP_BASIC_RETURN_METHOD;
    if (has_content) reader->state = awaiting_header;
    return !has_content;
}

static int take_header(struct incoming_reader *reader, const amqp_frame_t *frame) {
    if (frame->frame_type != AMQP_FRAME_HEADER) fail("The broker sent no header frame after a deliver.");
    reader->current.properties = frame->payload.properties.decoded;
    reader->missing = frame->payload.properties.body_size;
    reader->state = reader->missing > 0 ? awaiting_body : awaiting_method;
    return reader->missing == 0;
}

static int take_body(struct incoming_reader *reader, const amqp_frame_t *frame) {
    if (frame->frame_type != AMQP_FRAME_BODY) fail("The broker sent no body frame after a header.");
    amqp_bytes_t fragment = frame->payload.body_fragment;
    struct incoming *current = &reader->current;
    if (current->body.len == 0 && fragment.len == reader->missing) {
        current->body = fragment;
    } else {
        size_t needed = current->body.len + reader->missing;
        if (needed > reader->assembled_capacity) {
            reader->assembled = realloc(reader->assembled, needed);
            if (!reader->assembled) fail("No memory for a body of %zu bytes.", needed);
            reader->assembled_capacity = needed;
        }
        memcpy(reader->assembled + current->body.len, fragment.bytes, fragment.len);
        current->body = (amqp_bytes_t){current->body.len + fragment.len, reader->assembled};
    }
    reader->missing -= fragment.len;
    if (reader->missing == 0) reader->state = awaiting_method;
    return reader->missing == 0;
}

int next_incoming(struct incoming_reader *reader, struct incoming *event) {
    amqp_frame_t frame;
    while (next_frame(reader, &frame)) {
        if (frame.frame_type == AMQP_FRAME_HEARTBEAT) continue;
        int is_complete = 0;
        switch (reader->state) {
        case awaiting_method: is_complete = take_method(reader, &frame); break;
        case awaiting_header: is_complete = take_header(reader, &frame); break;
        case awaiting_body: is_complete = take_body(reader, &frame); break;
        }
        if (!is_complete) continue;
        *event = reader->current;
        return 1;
    }
    return 0;
}

void release_incoming(struct incoming_reader *reader) {
    if (reader->state == awaiting_method) amqp_maybe_release_buffers(reader->connection);
}
