#include "options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: load declare --amqp-url URL --queue-type TYPE --queue Q --reply-queue R --dead-queue D --items-queue I\n"
    "       load delete  --amqp-url URL --queue Q --reply-queue R --dead-queue D --items-queue I\n"
    "       load await-consumer --amqp-url URL --queue Q [--count N] [--deadline S]\n"
    "       load run --amqp-url URL --queue Q --reply-queue R --requests FILE --answers FILE --count N --pid PID...\n"
    "                --mode backlog|window|rate [--window N] [--rate N] [--deadline S] [--broker-pid PID]\n"
    "                [--check-message-id]\n"
    "       load publish --amqp-url URL --queue Q --requests FILE --count N [--rate N] [--deadline S]\n"
    "\n"
    "  backlog   the process is stopped while N requests are queued, then continues: throughput and CPU\n"
    "  window    a new request follows every answer, so that --window are always under way: latency at saturation\n"
    "  rate      --rate requests a second, whatever the answers do; latency counts from the time a request was due\n";

enum {
    url_option = 256, queue_option, reply_option, dead_option, items_option, type_option, requests_option,
    answers_option, mode_option, count_option, window_option, rate_option, deadline_option, pid_option,
    broker_option, message_id_option,
};

static const struct option long_options[] = {
    {"amqp-url", required_argument, NULL, url_option},       {"queue", required_argument, NULL, queue_option},
    {"reply-queue", required_argument, NULL, reply_option},  {"dead-queue", required_argument, NULL, dead_option},
    {"items-queue", required_argument, NULL, items_option},  {"queue-type", required_argument, NULL, type_option},
    {"requests", required_argument, NULL, requests_option},  {"answers", required_argument, NULL, answers_option},
    {"mode", required_argument, NULL, mode_option},          {"count", required_argument, NULL, count_option},
    {"window", required_argument, NULL, window_option},      {"rate", required_argument, NULL, rate_option},
    {"deadline", required_argument, NULL, deadline_option},  {"pid", required_argument, NULL, pid_option},
    {"broker-pid", required_argument, NULL, broker_option},  {"check-message-id", no_argument, NULL, message_id_option},
    {NULL, 0, NULL, 0},
};

static _Noreturn void refuse(const char *message) {
    fprintf(stderr, "load: %s\n%s", message, usage);
    exit(64);
}

static double number(const char *text) {
    char *end;
    double value = strtod(text, &end);
    if (*text == 0 || *end != 0 || !(value > 0) || value > 4e9) refuse("a number above 0 is needed");
    return value;
}

static enum load_mode mode_named(const char *name) {
    if (strcmp(name, "backlog") == 0) return backlog_mode;
    if (strcmp(name, "window") == 0) return window_mode;
    if (strcmp(name, "rate") == 0) return rate_mode;
    refuse("--mode: backlog, window or rate is needed");
}

static void take(struct load_options *options, int option, const char *value) {
    switch (option) {
    case url_option: options->amqp_url = value; break;
    case queue_option: options->queue = value; break;
    case reply_option: options->reply_queue = value; break;
    case dead_option: options->dead_queue = value; break;
    case items_option: options->items_queue = value; break;
    case type_option: options->queue_type = value; break;
    case requests_option: options->requests = value; break;
    case answers_option: options->answers = value; break;
    case mode_option: options->mode = mode_named(value); break;
    case count_option: options->count = (uint32_t)number(value); break;
    case window_option: options->window = (uint32_t)number(value); break;
    case rate_option: options->rate = number(value); break;
    case deadline_option: options->deadline = number(value); break;
    case pid_option:
        if (options->pid_count == most_processes) refuse("--pid: too many processes");
        options->pids[options->pid_count++] = (pid_t)number(value);
        break;
    case broker_option: options->broker_pid = (pid_t)number(value); break;
    case message_id_option: options->checks_message_id = 1; break;
    default: exit(64);
    }
}

static void require_complete(const struct load_options *options) {
    if (!options->amqp_url || !options->queue) refuse("--amqp-url and --queue are needed");
    if (strcmp(options->command, "run") == 0) {
        if (!options->reply_queue || !options->requests || !options->answers || !options->count || !options->pid_count)
            refuse("--reply-queue, --requests, --answers, --count and --pid are needed");
        if (options->mode == window_mode && !options->window) refuse("--mode window needs --window");
        if (options->mode == rate_mode && options->rate <= 0) refuse("--mode rate needs --rate");
    } else if (strcmp(options->command, "publish") == 0) {
        if (!options->requests || !options->count) refuse("--requests and --count are needed");
    } else if (strcmp(options->command, "declare") == 0 || strcmp(options->command, "delete") == 0) {
        if (!options->reply_queue || !options->dead_queue || !options->items_queue)
            refuse("--reply-queue, --dead-queue and --items-queue are needed");
    } else if (strcmp(options->command, "await-consumer") != 0) {
        refuse("there is no such command");
    }
}

struct load_options parse_load_options(int argc, char **argv) {
    if (argc < 2) refuse("a command is needed");
    struct load_options options = {.command = argv[1], .queue_type = "quorum", .deadline = 30};
    optind = 2;
    for (int option; (option = getopt_long(argc, argv, "", long_options, NULL)) != -1;) take(&options, option, optarg);
    require_complete(&options);
    return options;
}
