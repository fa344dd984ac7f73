#include "confirms.h"

#include <stdlib.h>

struct confirms make_confirms(uint64_t at_least) {
    uint64_t window = 64;
    while (window < at_least + 1) window *= 2;
    struct confirms confirms = {
        .window = window,
        .is_confirmed = calloc(window, 1),
        .delivery_tags = calloc(window, sizeof(uint64_t)),
    };
    if (!confirms.is_confirmed || !confirms.delivery_tags) fail("No memory for %lu confirms.", (unsigned long)window);
    return confirms;
}

void note_publish(struct confirms *confirms, uint64_t delivery_tag) {
    if (unconfirmed(confirms) >= confirms->window - 1) fail("More messages are unconfirmed than the window holds.");
    uint64_t number = ++confirms->published;
    confirms->is_confirmed[number & (confirms->window - 1)] = 0;
    confirms->delivery_tags[number & (confirms->window - 1)] = delivery_tag;
}

void note_confirm(struct confirms *confirms, uint64_t number, int multiple) {
    if (number > confirms->published) fail("The broker confirmed a message that was not published.");
    if (multiple) {
        /* Everything below is confirmed too: numbers up to this one need no marks. */
        if (number > confirms->settled) confirms->settled = number;
    } else if (number > confirms->settled) {
        confirms->is_confirmed[number & (confirms->window - 1)] = 1;
    }
    while (confirms->settled < confirms->published
           && confirms->is_confirmed[(confirms->settled + 1) & (confirms->window - 1)])
        confirms->settled++;
}

uint64_t acknowledgeable(const struct confirms *confirms) {
    return confirms->settled ? confirms->delivery_tags[confirms->settled & (confirms->window - 1)] : 0;
}
