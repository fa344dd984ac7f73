/* One AMQP connection with one channel, and the options that every program of the benchmark takes. */
#ifndef BENCHMARK_CONNECTION_H
#define BENCHMARK_CONNECTION_H

#include <amqp.h>
#include <amqp_framing.h>
#include <stdint.h>
#include <stdio.h>

enum { the_channel = 1, frame_limit = 131072, heartbeat_seconds = 30 };

struct relay_options {
    const char *amqp_url;
    const char *queue;
    const char *reply_queue;
    uint16_t prefetch;
};

/* Ends the process with status 1 after a line on standard error. */
_Noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Fills the options from `--amqp-url URL --queue Q --reply-queue R --prefetch N`; other options end the process. */
struct relay_options parse_relay_options(int argc, char **argv);

/* Connects, logs in with the capabilities that make every event visible, and opens the channel. */
amqp_connection_state_t connect_to_broker(const char *url, const char *name);

/* Puts the channel into confirm mode. */
void select_confirms(amqp_connection_state_t connection);

/* Begins to consume; `prefetch` 0 consumes without acknowledgements. */
void start_consuming(amqp_connection_state_t connection, const char *queue, uint16_t prefetch);

/* Ends the process unless the last synchronous call succeeded. */
void require_reply(amqp_connection_state_t connection, const char *what);

/* Closes in order and frees everything. */
void close_connection(amqp_connection_state_t connection);

/* Set by SIGTERM and SIGINT. */
extern volatile int termination_requested;
void watch_for_termination(void);

#endif
