#include "ledger.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "process.h"

static void *allocate(size_t count, size_t size) {
    void *memory = calloc(count, size);
    if (!memory) fail("No memory for %zu requests.", count);
    return memory;
}

struct lines read_lines(const char *path) {
    FILE *file = fopen(path, "r");
    if (!file || fseek(file, 0, SEEK_END) != 0) fail("%s cannot be read.", path);
    long size = ftell(file);
    rewind(file);
    struct lines lines = {.text = allocate((size_t)size + 1, 1)};
    if (fread(lines.text, 1, (size_t)size, file) != (size_t)size) fail("%s cannot be read.", path);
    fclose(file);
    for (char *at = lines.text; (at = strchr(at, '\n')); at++) lines.count++;
    if (lines.count == 0) fail("%s has no line.", path);
    lines.line = allocate(lines.count, sizeof *lines.line);
    char *start = lines.text;
    for (size_t index = 0; index < lines.count; index++) {
        char *end = strchr(start, '\n');
        lines.line[index] = (amqp_bytes_t){(size_t)(end - start), start};
        start = end + 1;
    }
    return lines;
}

struct ledger make_ledger(const char *requests, const char *answers, uint32_t count, int checks_message_id) {
    struct ledger ledger = {
        .requests = read_lines(requests),
        .answers = read_lines(answers),
        .count = count,
        .nonce = (uint32_t)(now() / 1000) ^ ((uint32_t)getpid() << 16),
        .checks_message_id = checks_message_id,
        .due = allocate(count, sizeof *ledger.due),
        .latency = allocate(count, sizeof *ledger.latency),
        .is_answered = allocate(count, 1),
    };
    if (ledger.requests.count != ledger.answers.count) fail("%s and %s have different numbers of lines.", requests, answers);
    return ledger;
}

static void write_hexadecimal(char *text, uint32_t value) {
    for (int digit = 7; digit >= 0; digit--, value >>= 4) text[digit] = "0123456789abcdef"[value & 15];
}

static int read_hexadecimal(const char *text, uint32_t *value) {
    *value = 0;
    for (int digit = 0; digit < 8; digit++) {
        char character = text[digit];
        uint32_t number = character >= '0' && character <= '9' ? (uint32_t)(character - '0')
            : character >= 'a' && character <= 'f'             ? (uint32_t)(character - 'a' + 10)
                                                               : 16;
        if (number > 15) return 0;
        *value = *value << 4 | number;
    }
    return 1;
}

void write_correlation_id(const struct ledger *ledger, uint32_t index, char text[correlation_id_length + 1]) {
    write_hexadecimal(text, ledger->nonce);
    text[8] = '-';
    write_hexadecimal(text + 9, index);
    text[correlation_id_length] = 0;
}

amqp_bytes_t request_body(const struct ledger *ledger, uint32_t index) {
    return ledger->requests.line[index % ledger->requests.count];
}

/* The request that an answer names, or `count` when it names none of this run. */
static uint32_t named_request(const struct ledger *ledger, const amqp_basic_properties_t *properties) {
    uint32_t nonce, index;
    if (!(properties->_flags & AMQP_BASIC_CORRELATION_ID_FLAG)) return ledger->count;
    amqp_bytes_t text = properties->correlation_id;
    if (text.len != correlation_id_length || !read_hexadecimal(text.bytes, &nonce)
        || !read_hexadecimal((char *)text.bytes + 9, &index) || nonce != ledger->nonce || index >= ledger->count)
        return ledger->count;
    return index;
}

/* "re:" and the request's message_id, which is "m-" and the correlation_id. */
static int has_expected_message_id(const amqp_basic_properties_t *properties) {
    amqp_bytes_t text = properties->message_id;
    return (properties->_flags & AMQP_BASIC_MESSAGE_ID_FLAG) && text.len == correlation_id_length + 5
        && memcmp(text.bytes, "re:m-", 5) == 0
        && memcmp((char *)text.bytes + 5, properties->correlation_id.bytes, correlation_id_length) == 0;
}

void enter_answer(struct ledger *ledger, const struct incoming *answer, uint64_t time) {
    uint32_t index = named_request(ledger, answer->properties);
    if (index == ledger->count) {
        ledger->unexpected++;
        return;
    }
    amqp_bytes_t expected = ledger->answers.line[index % ledger->answers.count];
    if (answer->body.len != expected.len || memcmp(answer->body.bytes, expected.bytes, expected.len) != 0
        || (ledger->checks_message_id && !has_expected_message_id(answer->properties))) {
        if (ledger->wrong++ == 0)
            fprintf(stderr, "load: the first wrong answer: %.*s\nload: expected:               %.*s\n",
                    (int)answer->body.len, (char *)answer->body.bytes, (int)expected.len, (char *)expected.bytes);
    }
    if (ledger->is_answered[index]) {
        ledger->duplicate++;
        return;
    }
    ledger->is_answered[index] = 1;
    uint64_t latency = (time - ledger->due[index]) / latency_unit;
    ledger->latency[ledger->answered++] = latency < UINT32_MAX ? (uint32_t)latency : UINT32_MAX;
    ledger->last_answer = time;
}

static int compare(const void *left, const void *right) {
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

void sort_latencies(struct ledger *ledger) { qsort(ledger->latency, ledger->answered, sizeof *ledger->latency, compare); }

double latency_at(const struct ledger *ledger, double share) {
    if (ledger->answered == 0) return 0;
    uint32_t index = (uint32_t)(share * ledger->answered);
    if (index >= ledger->answered) index = ledger->answered - 1;
    return ledger->latency[index] * (latency_unit / 1e9);
}
