/* AMQP frames encoded into one buffer, and written with as few system calls as the socket allows. */
#ifndef BENCHMARK_BATCH_H
#define BENCHMARK_BATCH_H

#include "connection.h"

struct batch {
    char *bytes;
    size_t start;    /* the first byte that is not written yet */
    size_t end;
    size_t capacity;
};

/* Appends basic.publish to the default exchange: the method, the header and as many body frames as are needed. */
void append_publish(struct batch *batch, amqp_bytes_t routing_key, int mandatory,
                    const amqp_basic_properties_t *properties, amqp_bytes_t body);

/* Appends basic.ack. */
void append_ack(struct batch *batch, uint64_t delivery_tag, int multiple);

/* Writes what the socket takes without blocking. Afterwards `start == end` when everything is written. */
void write_batch(struct batch *batch, int socket);

static inline int has_unwritten(const struct batch *batch) { return batch->start < batch->end; }

#endif
