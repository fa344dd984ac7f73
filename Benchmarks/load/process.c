#include "process.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../amqp/connection.h"

static uint64_t nanoseconds(clockid_t clock) {
    struct timespec time;
    if (clock_gettime(clock, &time) != 0) fail("A process that is measured has ended.");
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

uint64_t now(void) { return nanoseconds(CLOCK_MONOTONIC); }

uint64_t cpu_time(pid_t pid) {
    clockid_t clock;
    if (clock_getcpuclockid(pid, &clock) != 0) fail("There is no process %d to measure.", (int)pid);
    return nanoseconds(clock);
}

static FILE *open_entry(pid_t pid, const char *name) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
    FILE *file = fopen(path, "r");
    if (!file) fail("There is no process %d to measure.", (int)pid);
    return file;
}

struct cpu_ticks cpu_ticks(pid_t pid) {
    FILE *file = open_entry(pid, "stat");
    char line[1024] = "";
    if (!fgets(line, sizeof line, file)) fail("The account of process %d cannot be read.", (int)pid);
    fclose(file);
    struct cpu_ticks ticks = {0, 0};
    unsigned long user, system;
    /* The name, in parentheses, may contain anything: fields are counted behind it. */
    const char *fields = strrchr(line, ')');
    if (fields && sscanf(fields + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system) == 2)
        ticks = (struct cpu_ticks){user, system};
    return ticks;
}

uint64_t anonymous_memory(pid_t pid) {
    FILE *file = open_entry(pid, "status");
    char line[256];
    unsigned long kibibytes = 0;
    while (fgets(line, sizeof line, file) && sscanf(line, "RssAnon: %lu", &kibibytes) != 1) continue;
    fclose(file);
    return kibibytes;
}
