/* The queues of a run: the worker's own, with its arguments, for every program alike. */
#ifndef BENCHMARK_LOAD_TOPOLOGY_H
#define BENCHMARK_LOAD_TOPOLOGY_H

#include "options.h"

void declare_queues(const struct load_options *options);
void delete_queues(const struct load_options *options);

/* Prints "ready", then waits until the queue has `count` consumers (1 when not given), and prints the nanoseconds of the monotonic clock. */
void await_consumer(const struct load_options *options);

#endif
