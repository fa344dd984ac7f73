/* Publishes requests and collects answers in one thread, so cheaply that the measured programs are the bottleneck. */
#ifndef BENCHMARK_LOAD_GENERATOR_H
#define BENCHMARK_LOAD_GENERATOR_H

#include "../amqp/batch.h"
#include "../amqp/confirms.h"
#include "ledger.h"
#include "options.h"

enum { tenths = 10 };

struct generator {
    const struct load_options *options;
    struct ledger ledger;
    amqp_connection_state_t publishing;
    amqp_connection_state_t collecting;
    struct incoming_reader confirmations;
    struct incoming_reader answers;
    struct batch requests;
    struct confirms confirms;
    uint32_t sent;
    uint64_t started;        /* nanoseconds: when the measured interval began */
    uint64_t last_progress;
    uint64_t peak_memory[tenths]; /* KiB, of all processes, in each tenth of the run */
    uint64_t next_sample;
};

struct generator make_generator(const struct load_options *options);

/* Queues all requests while the measured process is stopped. */
void queue_backlog(struct generator *generator);

/* Runs until every request is answered, or nothing has happened for the deadline. */
void run_to_end(struct generator *generator);

/* Sends a signal to every measured process; false when one is gone. */
int signal_processes(const struct load_options *options, int number);

/* Takes what comes within some milliseconds after the end: repeated answers are counted. */
void linger(struct generator *generator, int milliseconds);

#endif
