/* Publishes messages that nobody answers, as fast as the broker confirms them or at a rate. */
#ifndef BENCHMARK_LOAD_PUBLISHER_H
#define BENCHMARK_LOAD_PUBLISHER_H

#include "options.h"

/* Publishes `count` messages, the lines of a file one after the other and again from the first, and prints what became
   of them; SIGTERM ends it earlier, once everything that was sent is confirmed. */
void publish(const struct load_options *options);

#endif
