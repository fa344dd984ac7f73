/* The benchmark's load generator, collector and checker. See load/options.c for its command line.

   `run` prints one line of JSON, and ends with status 0 only when each request got exactly its own answer. */
#include <signal.h>
#include <string.h>
#include <time.h>

#include "load/generator.h"
#include "load/process.h"
#include "load/publisher.h"
#include "load/topology.h"

struct account {
    uint64_t program, broker, load; /* nanoseconds of CPU */
    struct cpu_ticks ticks;
};

static struct account take_account(const struct load_options *options) {
    struct timespec own;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own);
    struct account account = {
        .broker = options->broker_pid ? cpu_time(options->broker_pid) : 0,
        .load = (uint64_t)own.tv_sec * 1000000000 + (uint64_t)own.tv_nsec,
    };
    for (int index = 0; index < options->pid_count; index++) {
        struct cpu_ticks ticks = cpu_ticks(options->pids[index]);
        account.program += cpu_time(options->pids[index]);
        account.ticks.user += ticks.user;
        account.ticks.system += ticks.system;
    }
    return account;
}

static void print_memory(const struct generator *generator) {
    uint64_t last = 0, peak = 0;
    for (int index = 0; index < generator->options->pid_count; index++)
        last += anonymous_memory(generator->options->pids[index]);
    printf(",\"rssAnonKiB\":%lu,\"rssAnonByTenthKiB\":[", (unsigned long)last);
    for (int tenth = 0; tenth < tenths; tenth++) {
        if (generator->peak_memory[tenth] > peak) peak = generator->peak_memory[tenth];
        printf("%s%lu", tenth ? "," : "", (unsigned long)generator->peak_memory[tenth]);
    }
    printf("],\"rssAnonPeakKiB\":%lu", (unsigned long)(peak > last ? peak : last));
}

static void print_latency(const struct ledger *ledger) {
    printf(",\"latency\":{\"p50\":%.6f,\"p90\":%.6f,\"p99\":%.6f,\"p999\":%.6f,\"max\":%.6f}", latency_at(ledger, 0.5),
           latency_at(ledger, 0.9), latency_at(ledger, 0.99), latency_at(ledger, 0.999), latency_at(ledger, 1));
}

static void print_report(const struct generator *generator, struct account before, struct account after) {
    const struct ledger *ledger = &generator->ledger;
    double seconds = ledger->answered ? (double)(ledger->last_answer - generator->started) / 1e9 : 0;
    double answered = ledger->answered ? ledger->answered : 1;
    uint64_t user = after.ticks.user - before.ticks.user, system = after.ticks.system - before.ticks.system;
    printf("{\"count\":%u,\"answered\":%u,\"lost\":%u,\"duplicate\":%u,\"unexpected\":%u,\"wrong\":%u", ledger->count,
           ledger->answered, ledger->count - ledger->answered, ledger->duplicate, ledger->unexpected, ledger->wrong);
    printf(",\"seconds\":%.6f,\"rate\":%.1f", seconds, seconds > 0 ? ledger->answered / seconds : 0);
    printf(",\"cpuMicroseconds\":%.4f,\"brokerCPUMicroseconds\":%.4f,\"loadCPUMicroseconds\":%.4f",
           (double)(after.program - before.program) / 1e3 / answered, (double)(after.broker - before.broker) / 1e3 / answered,
           (double)(after.load - before.load) / 1e3 / answered);
    printf(",\"systemShare\":%.3f", user + system ? (double)system / (double)(user + system) : 0);
    print_memory(generator);
    if (generator->options->mode != backlog_mode) print_latency(ledger);
    puts("}");
}

static int run(const struct load_options *options) {
    struct generator generator = make_generator(options);
    if (options->mode == backlog_mode) queue_backlog(&generator);
    struct account before = take_account(options);
    generator.started = now();
    if (options->mode == backlog_mode && !signal_processes(options, SIGCONT)) fail("A process that is measured has ended.");
    run_to_end(&generator);
    /* The last acknowledgements belong to the work; an idle program adds nothing. */
    linger(&generator, 100);
    struct account after = take_account(options);
    sort_latencies(&generator.ledger);
    print_report(&generator, before, after);
    close_connection(generator.publishing);
    close_connection(generator.collecting);
    const struct ledger *ledger = &generator.ledger;
    return ledger->answered < ledger->count || ledger->duplicate || ledger->unexpected || ledger->wrong;
}

int main(int argc, char **argv) {
    struct load_options options = parse_load_options(argc, argv);
    if (strcmp(options.command, "declare") == 0) declare_queues(&options);
    else if (strcmp(options.command, "delete") == 0) delete_queues(&options);
    else if (strcmp(options.command, "await-consumer") == 0) await_consumer(&options);
    else if (strcmp(options.command, "publish") == 0) publish(&options);
    else return run(&options);
    return 0;
}
