/* Whole messages and methods out of a connection's frames, without blocking. */
#ifndef BENCHMARK_INCOMING_H
#define BENCHMARK_INCOMING_H

#include "connection.h"

/* What arrived. The pointers are valid until `release_incoming`. */
struct incoming {
    amqp_method_number_t method; /* deliver, return, ack, nack, ... */
    void *decoded;               /* the method's fields, as the library decodes them */
    amqp_basic_properties_t *properties; /* of a deliver or return */
    amqp_bytes_t body;                   /* of a deliver or return */
};

struct incoming_reader {
    amqp_connection_state_t connection;
    struct incoming current;
    int state;
    uint64_t missing;     /* bytes of the body that are still to come */
    char *assembled;      /* a body of several frames */
    size_t assembled_capacity;
    int must_read;        /* the socket was said to be readable since the last read */
};

struct incoming_reader read_from(amqp_connection_state_t connection);

/* The next complete event, or 0 when the bytes that have arrived are used up. Ends the process on a lost connection,
   on a closed channel and when the consumer is cancelled. */
int next_incoming(struct incoming_reader *reader, struct incoming *event);

/* Frees what the events pointed to, unless one is still incomplete. */
void release_incoming(struct incoming_reader *reader);

#endif
