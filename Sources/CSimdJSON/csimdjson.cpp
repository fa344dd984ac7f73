#include "csimdjson.h"

#include <simdjson.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <vector>

using namespace simdjson;

struct csimdjson_parser {
    dom::parser parser;
    // The document with the padding that simdjson reads beyond its end.
    std::vector<uint8_t> padded;
};

csimdjson_parser *csimdjson_parser_new(void) { return new (std::nothrow) csimdjson_parser; }

void csimdjson_parser_free(csimdjson_parser *parser) { delete parser; }

static_assert(SIMDJSON_PADDING <= CSIMDJSON_PADDING, "simdjson reads further than the header says");

// Walks the tape once: how long both buffers are, and how deep containers nest. Words of strings get their lengths.
static void measure(dom::document &doc, csimdjson_document *out) {
    uint64_t *tape = doc.tape.get();
    const size_t count = size_t(tape[0] & 0x00FFFFFFFFFFFFFF) + 1;
    size_t depth = 0, deepest = 0, strings = 0;
    for (size_t at = 1; at + 1 < count; at++) {
        const char type = char(tape[at] >> 56);
        switch (type) {
        case '{': case '[': deepest = std::max(deepest, ++depth); break;
        case '}': case ']': depth--; break;
        case 'l': case 'u': case 'd': at++; break;
        case '"': {
            const size_t offset = size_t(tape[at] & 0x00FFFFFFFFFFFFFF);
            uint32_t length;
            std::memcpy(&length, doc.string_buf.get() + offset, sizeof length);
            strings = std::max(strings, offset + sizeof length + length + 1);
            tape[at] = uint64_t('"') << 56 | uint64_t(length) << 28 | (offset + sizeof length);
            break;
        }
        default: break;
        }
    }
    *out = {tape, count, doc.string_buf.get(), strings, deepest};
}

int csimdjson_parse_padded(csimdjson_parser *parser, const uint8_t *bytes, size_t count, csimdjson_document *document) {
    try {
        const auto result = parser->parser.parse(bytes, count, false);
        if (result.error()) return int(result.error());
        measure(parser->parser.doc, document);
        return 0;
    } catch (const std::bad_alloc &) {
        return int(MEMALLOC);
    }
}

int csimdjson_parse(csimdjson_parser *parser, const uint8_t *bytes, size_t count, csimdjson_document *document) {
    try {
        if (parser->padded.size() < count + SIMDJSON_PADDING) parser->padded.resize(count + SIMDJSON_PADDING);
        if (count > 0) std::memcpy(parser->padded.data(), bytes, count);
        std::memset(parser->padded.data() + count, ' ', SIMDJSON_PADDING);
    } catch (const std::bad_alloc &) {
        return int(MEMALLOC);
    }
    return csimdjson_parse_padded(parser, parser->padded.data(), count, document);
}

const char *csimdjson_error_message(int code) { return error_message(error_code(code)); }
