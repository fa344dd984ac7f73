// A C face of the part of simdjson that the worker uses: strict parsing of one document into simdjson's tape.
//
// The tape is documented by simdjson (doc/tape.md): 64-bit words, the type in the upper 8 bits and a payload in the
// lower 56; numbers take a second word. Strings differ from simdjson's: their payload is the length in bytes (28 bits) and
// below it the offset of the UTF-8 in the strings (28 bits), which is why a document may have at most 64 MiB.
#ifndef CSIMDJSON_H
#define CSIMDJSON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How many bytes behind a document may be read.
#define CSIMDJSON_PADDING 64

/// A parser and the buffers it reuses; for one thread.
typedef struct csimdjson_parser csimdjson_parser;

/// What a parse yielded; the pointers are valid until the next parse or the parser's end.
typedef struct {
    const uint64_t *tape;
    size_t tape_count;
    const uint8_t *strings;
    size_t strings_count;
    /// The deepest nesting of containers, the outermost being 1; 0 for a scalar.
    size_t depth;
} csimdjson_document;

/// Makes a parser; NULL where memory is short.
csimdjson_parser *csimdjson_parser_new(void);
void csimdjson_parser_free(csimdjson_parser *parser);

/// Parses exactly one document of `count` bytes. Returns 0, or simdjson's error code.
int csimdjson_parse(csimdjson_parser *parser, const uint8_t *bytes, size_t count, csimdjson_document *document);

/// The same for a document behind which CSIMDJSON_PADDING bytes can be read, whatever they hold: it is not copied.
int csimdjson_parse_padded(csimdjson_parser *parser, const uint8_t *bytes, size_t count, csimdjson_document *document);

/// simdjson's words for an error code; static text.
const char *csimdjson_error_message(int code);

#ifdef __cplusplus
}
#endif

#endif
