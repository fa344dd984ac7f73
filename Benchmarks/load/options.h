/* The load generator's command line. */
#ifndef BENCHMARK_LOAD_OPTIONS_H
#define BENCHMARK_LOAD_OPTIONS_H

#include <stdint.h>
#include <sys/types.h>

enum { most_processes = 64 };
enum load_mode { backlog_mode, window_mode, rate_mode };

struct load_options {
    const char *command;
    const char *amqp_url;
    const char *queue;
    const char *reply_queue;
    const char *dead_queue;
    const char *items_queue;
    const char *queue_type;
    const char *requests; /* a file of one request a line */
    const char *answers;  /* a file of the answer to each */
    enum load_mode mode;
    uint32_t count;
    uint32_t window;
    double rate;          /* messages a second */
    double deadline;      /* seconds without progress after which the run is given up */
    pid_t pids[most_processes]; /* the measured processes */
    int pid_count;
    pid_t broker_pid;     /* 0: not measured */
    int checks_message_id;
};

/* Ends the process with status 64 and a message on a wrong command line. */
struct load_options parse_load_options(int argc, char **argv);

#endif
