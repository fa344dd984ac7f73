#include "generator.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>

#include "process.h"

/* Enough unconfirmed requests to keep the broker busy, few enough that its memory does not grow. */
enum { confirm_window = 4096, write_limit = 1 << 18, memory_sample_nanoseconds = 20000000 };

struct generator make_generator(const struct load_options *options) {
    struct generator generator = {
        .options = options,
        .ledger = make_ledger(options->requests, options->answers, options->count, options->checks_message_id),
        .publishing = connect_to_broker(options->amqp_url, "load publisher"),
        .collecting = connect_to_broker(options->amqp_url, "load collector"),
        .confirms = make_confirms(confirm_window),
    };
    generator.confirmations = read_from(generator.publishing);
    generator.answers = read_from(generator.collecting);
    select_confirms(generator.publishing);
    start_consuming(generator.collecting, options->reply_queue, 0);
    /* Requests at a fixed rate are due at exact times: the kernel may not round the waits up. */
    prctl(PR_SET_TIMERSLACK, 1UL);
    return generator;
}

static uint64_t due_time(const struct generator *generator, uint32_t index) {
    return generator->started + (uint64_t)((double)index * 1e9 / generator->options->rate);
}

/* How many requests should have been sent by now. */
static uint32_t requests_due(const struct generator *generator, uint64_t time) {
    uint64_t due = generator->ledger.count;
    switch (generator->options->mode) {
    case backlog_mode: break;
    case window_mode: due = (uint64_t)generator->ledger.answered + generator->options->window; break;
    case rate_mode:
        due = (uint64_t)((double)(time - generator->started) * generator->options->rate / 1e9) + 1;
        break;
    }
    return due < generator->ledger.count ? (uint32_t)due : generator->ledger.count;
}

static void append_request(struct generator *generator, uint64_t time) {
    uint32_t index = generator->sent++;
    char message_id[correlation_id_length + 3] = "m-";
    write_correlation_id(&generator->ledger, index, message_id + 2);
    amqp_basic_properties_t properties = {
        ._flags = AMQP_BASIC_CONTENT_TYPE_FLAG | AMQP_BASIC_DELIVERY_MODE_FLAG | AMQP_BASIC_CORRELATION_ID_FLAG
            | AMQP_BASIC_MESSAGE_ID_FLAG,
        .content_type = amqp_cstring_bytes("application/json"),
        .delivery_mode = AMQP_DELIVERY_PERSISTENT,
        .correlation_id = {correlation_id_length, message_id + 2},
        .message_id = {correlation_id_length + 2, message_id},
    };
    generator->ledger.due[index] = generator->options->mode == rate_mode ? due_time(generator, index) : time;
    append_publish(&generator->requests, amqp_cstring_bytes(generator->options->queue), 0, &properties,
                   request_body(&generator->ledger, index));
    note_publish(&generator->confirms, 0);
}

static void publish_due(struct generator *generator, uint64_t time) {
    uint32_t due = requests_due(generator, time);
    while (generator->sent < due && unconfirmed(&generator->confirms) < confirm_window
           && generator->requests.end - generator->requests.start < write_limit)
        append_request(generator, time);
    write_batch(&generator->requests, amqp_get_sockfd(generator->publishing));
}

static void take_confirmations(struct generator *generator, uint64_t time) {
    struct incoming event;
    while (next_incoming(&generator->confirmations, &event)) {
        if (event.method == AMQP_BASIC_NACK_METHOD) fail("The broker refused a request.");
        if (event.method != AMQP_BASIC_ACK_METHOD) continue;
        amqp_basic_ack_t *confirm = event.decoded;
        note_confirm(&generator->confirms, confirm->delivery_tag, confirm->multiple);
        generator->last_progress = time;
    }
    release_incoming(&generator->confirmations);
}

static void take_answers(struct generator *generator) {
    struct incoming event;
    while (next_incoming(&generator->answers, &event)) {
        if (event.method != AMQP_BASIC_DELIVER_METHOD) continue;
        generator->last_progress = now();
        enter_answer(&generator->ledger, &event, generator->last_progress);
    }
    release_incoming(&generator->answers);
}

/* Waits until a socket has something, the next request is due or `limit` nanoseconds have passed. */
static void await_events(struct generator *generator, uint64_t time, uint64_t limit) {
    struct pollfd sockets[] = {
        {.fd = amqp_get_sockfd(generator->publishing),
         .events = (short)(POLLIN | (has_unwritten(&generator->requests) ? POLLOUT : 0))},
        {.fd = amqp_get_sockfd(generator->collecting), .events = POLLIN},
    };
    if (generator->options->mode == rate_mode && generator->sent < generator->ledger.count) {
        uint64_t due = due_time(generator, generator->sent);
        uint64_t wait = due > time ? due - time : 0;
        /* A full confirm window is left by a confirm, not by time. */
        if (unconfirmed(&generator->confirms) < confirm_window && wait < limit) limit = wait;
    }
    struct timespec timeout = {(time_t)(limit / 1000000000), (long)(limit % 1000000000)};
    int ready = ppoll(sockets, 2, &timeout, NULL);
    if (ready < 0 && errno != EINTR) fail("poll: %s", strerror(errno));
    generator->confirmations.must_read = ready > 0 && (sockets[0].revents & ~POLLOUT) != 0;
    generator->answers.must_read = ready > 0 && sockets[1].revents != 0;
}

static void sample_memory(struct generator *generator, uint64_t time) {
    if (time < generator->next_sample) return;
    uint64_t memory = 0;
    for (int index = 0; index < generator->options->pid_count; index++)
        memory += anonymous_memory(generator->options->pids[index]);
    uint64_t tenth = (uint64_t)generator->ledger.answered * tenths / generator->ledger.count;
    if (tenth < tenths && memory > generator->peak_memory[tenth]) generator->peak_memory[tenth] = memory;
    generator->next_sample = time + memory_sample_nanoseconds;
}

/* One turn; false when nothing has happened for the deadline. */
static int turn(struct generator *generator, uint64_t limit) {
    uint64_t time = now();
    await_events(generator, time, limit);
    time = now();
    if (generator->confirmations.must_read) take_confirmations(generator, time);
    if (generator->answers.must_read) take_answers(generator);
    return (double)(now() - generator->last_progress) / 1e9 < generator->options->deadline;
}

int signal_processes(const struct load_options *options, int number) {
    int all_reached = 1;
    for (int index = 0; index < options->pid_count; index++)
        if (kill(options->pids[index], number) != 0) all_reached = 0;
    return all_reached;
}

void queue_backlog(struct generator *generator) {
    if (!signal_processes(generator->options, SIGSTOP)) fail("A process that is measured has ended.");
    generator->last_progress = now();
    do {
        publish_due(generator, now());
        if (!turn(generator, 50000000)) {
            signal_processes(generator->options, SIGCONT);
            fail("The broker did not confirm the requests within %g seconds.", generator->options->deadline);
        }
    } while (generator->sent < generator->ledger.count || unconfirmed(&generator->confirms) > 0);
    /* The broker finishes what it does behind the confirms. */
    linger(generator, 300);
}

void run_to_end(struct generator *generator) {
    generator->last_progress = now();
    while (generator->ledger.answered < generator->ledger.count) {
        uint64_t time = now();
        if (generator->sent < generator->ledger.count || has_unwritten(&generator->requests)) publish_due(generator, time);
        sample_memory(generator, time);
        if (!turn(generator, memory_sample_nanoseconds)) return;
    }
}

void linger(struct generator *generator, int milliseconds) {
    uint64_t end = now() + (uint64_t)milliseconds * 1000000;
    for (uint64_t time; (time = now()) < end;) turn(generator, end - time);
}
