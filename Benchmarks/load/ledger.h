/* The requests of a run, and what became of each. */
#ifndef BENCHMARK_LOAD_LEDGER_H
#define BENCHMARK_LOAD_LEDGER_H

#include "../amqp/incoming.h"

struct lines {
    char *text;
    amqp_bytes_t *line;
    size_t count;
};

struct ledger {
    struct lines requests; /* request `i` of the run is line `i` modulo their number */
    struct lines answers;
    uint32_t count;
    uint32_t nonce;         /* of this run: earlier runs' answers are recognised as unexpected */
    int checks_message_id;
    uint64_t *due;          /* nanoseconds: when the request was due or sent */
    uint32_t *latency;      /* of each answer, in units of 100 ns */
    unsigned char *is_answered;
    uint32_t answered, duplicate, unexpected, wrong;
    uint64_t last_answer;   /* nanoseconds */
};

enum { correlation_id_length = 17, latency_unit = 100 };

/* The lines of a file that has some. */
struct lines read_lines(const char *path);

struct ledger make_ledger(const char *requests, const char *answers, uint32_t count, int checks_message_id);

/* The correlation_id of a request; its message_id is "m-" and the same. */
void write_correlation_id(const struct ledger *ledger, uint32_t index, char text[correlation_id_length + 1]);

amqp_bytes_t request_body(const struct ledger *ledger, uint32_t index);

/* Enters an answer; the first of an index with the right body and message_id counts. */
void enter_answer(struct ledger *ledger, const struct incoming *answer, uint64_t time);

/* Sorts the latencies; `latency_at` may be asked afterwards. */
void sort_latencies(struct ledger *ledger);

/* Seconds; `share` from 0 to 1. */
double latency_at(const struct ledger *ledger, double share);

#endif
