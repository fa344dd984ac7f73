/* Which published messages the broker has confirmed, and up to where all of them are. */
#ifndef BENCHMARK_CONFIRMS_H
#define BENCHMARK_CONFIRMS_H

#include "connection.h"

/* Numbers begin at 1, as the broker counts. At most `window` may be unconfirmed. */
struct confirms {
    uint64_t published;      /* the highest number given out */
    uint64_t settled;        /* every number up to this one is confirmed */
    uint64_t window;         /* a power of two */
    unsigned char *is_confirmed; /* by number modulo the window: confirmed out of order */
    uint64_t *delivery_tags;     /* by number modulo the window: the request that is to be acknowledged then */
};

struct confirms make_confirms(uint64_t at_least);

/* Notes that the next message was published in answer to a delivery (or 0). */
void note_publish(struct confirms *confirms, uint64_t delivery_tag);

/* Notes a basic.ack of the broker. */
void note_confirm(struct confirms *confirms, uint64_t number, int multiple);

/* The delivery that belongs to the highest number up to which all is confirmed, or 0 when there is none. */
uint64_t acknowledgeable(const struct confirms *confirms);

static inline uint64_t unconfirmed(const struct confirms *confirms) { return confirms->published - confirms->settled; }

#endif
