#include "batch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { frame_overhead = 8, frame_end = 0xCE, class_basic = 60, header_prefix = 12, longest_method = 600 };

static char *reserve(struct batch *batch, size_t size) {
    if (batch->start == batch->end) batch->start = batch->end = 0;
    if (batch->end + size > batch->capacity && batch->start > batch->capacity / 2) {
        memmove(batch->bytes, batch->bytes + batch->start, batch->end - batch->start);
        batch->end -= batch->start;
        batch->start = 0;
    }
    if (batch->end + size > batch->capacity) {
        size_t capacity = batch->capacity ? batch->capacity : 1 << 16;
        while (batch->end + size > capacity) capacity *= 2;
        batch->bytes = realloc(batch->bytes, capacity);
        if (!batch->bytes) fail("No memory for %zu bytes of frames.", capacity);
        batch->capacity = capacity;
    }
    return batch->bytes + batch->end;
}

static void put_32(char *at, uint32_t value) {
    value = __builtin_bswap32(value);
    memcpy(at, &value, sizeof value);
}

static void put_64(char *at, uint64_t value) {
    value = __builtin_bswap64(value);
    memcpy(at, &value, sizeof value);
}

/* Writes the frame around a payload that already lies behind the place of its header. */
static void finish_frame(struct batch *batch, char *frame, int type, size_t payload) {
    frame[0] = (char)type;
    frame[1] = 0;
    frame[2] = the_channel;
    put_32(frame + 3, (uint32_t)payload);
    frame[7 + payload] = (char)frame_end;
    batch->end += payload + frame_overhead;
}

static void append_method(struct batch *batch, amqp_method_number_t method, void *fields) {
    char *frame = reserve(batch, longest_method + frame_overhead);
    put_32(frame + 7, method);
    int length = amqp_encode_method(method, fields, (amqp_bytes_t){longest_method - 4, frame + 11});
    if (length < 0) fail("A method cannot be encoded: %s", amqp_error_string2(length));
    finish_frame(batch, frame, AMQP_FRAME_METHOD, (size_t)length + 4);
}

static void append_header(struct batch *batch, const amqp_basic_properties_t *properties, size_t body_size) {
    size_t room = frame_limit - frame_overhead;
    char *frame = reserve(batch, room + frame_overhead);
    memset(frame + 7, 0, 4);
    frame[8] = class_basic;
    put_64(frame + 11, body_size);
    int length = amqp_encode_properties(AMQP_BASIC_CLASS, (void *)(uintptr_t)properties,
                                        (amqp_bytes_t){room - header_prefix, frame + 7 + header_prefix});
    if (length < 0) fail("Properties cannot be encoded: %s", amqp_error_string2(length));
    finish_frame(batch, frame, AMQP_FRAME_HEADER, (size_t)length + header_prefix);
}

void append_publish(struct batch *batch, amqp_bytes_t routing_key, int mandatory,
                    const amqp_basic_properties_t *properties, amqp_bytes_t body) {
    amqp_basic_publish_t publish = {.routing_key = routing_key, .mandatory = mandatory};
    append_method(batch, AMQP_BASIC_PUBLISH_METHOD, &publish);
    append_header(batch, properties, body.len);
    for (size_t sent = 0; sent < body.len;) {
        size_t length = body.len - sent;
        if (length > frame_limit - frame_overhead) length = frame_limit - frame_overhead;
        char *frame = reserve(batch, length + frame_overhead);
        memcpy(frame + 7, (char *)body.bytes + sent, length);
        finish_frame(batch, frame, AMQP_FRAME_BODY, length);
        sent += length;
    }
}

void append_ack(struct batch *batch, uint64_t delivery_tag, int multiple) {
    amqp_basic_ack_t ack = {.delivery_tag = delivery_tag, .multiple = multiple};
    append_method(batch, AMQP_BASIC_ACK_METHOD, &ack);
}

void write_batch(struct batch *batch, int socket) {
    while (has_unwritten(batch)) {
        ssize_t written = send(socket, batch->bytes + batch->start, batch->end - batch->start, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
        if (written < 0) fail("The connection to the broker is lost: %s", strerror(errno));
        batch->start += (size_t)written;
    }
}
