/* What the kernel knows of another process. */
#ifndef BENCHMARK_LOAD_PROCESS_H
#define BENCHMARK_LOAD_PROCESS_H

#include <stdint.h>
#include <sys/types.h>

/* Nanoseconds, by the monotonic clock. */
uint64_t now(void);

/* User and system time of all threads that the process has had, in nanoseconds. */
uint64_t cpu_time(pid_t pid);

/* The parts of the same, in clock ticks: coarse, for their proportion. */
struct cpu_ticks {
    uint64_t user, system;
};
struct cpu_ticks cpu_ticks(pid_t pid);

/* Memory of its own that is resident, in KiB: neither files nor shared memory. */
uint64_t anonymous_memory(pid_t pid);

#endif
