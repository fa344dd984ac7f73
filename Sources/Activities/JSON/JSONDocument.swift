internal import CSimdJSON

/// One parsed JSON document, immutable, in simdjson's tape form.
///
/// The tape's words carry a type in the upper 8 bits and a payload below: for a container the index after its end (in
/// the lower 32 bits), for a string its offset in `strings`; a number's value is the word that follows.
final class JSONDocument: Sendable {
    let tape: [UInt64]
    let strings: [UInt8]

    init(tape: [UInt64], strings: [UInt8]) {
        self.tape = tape
        self.strings = strings
    }

    /// The document's only value.
    var root: JSONValue { JSONValue(document: self, index: 1) }
}

/// Why bytes are not a JSON document that the worker takes.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, as a phrase that continues "the body is not JSON: ".
    public let description: String
}

/// Parses JSON strictly (RFC 8259, UTF-8, no BOM, nothing after the value), and keeps its buffers between documents.
///
/// One parser belongs to one thread.
@safe
public struct JSONParser: ~Copyable {
    private let parser: OpaquePointer

    /// Makes a parser.
    public init() {
        guard let parser = unsafe csimdjson_parser_new() else { fatalError("out of memory") }
        unsafe self.parser = parser
    }

    deinit {
        unsafe csimdjson_parser_free(parser)
    }

    /// Parses exactly one document whose containers nest at most `depthMax` deep, the outermost being the first.
    public func parse(_ bytes: Span<UInt8>, depthMax: Int) throws(JSONError) -> JSONValue {
        var parsed = unsafe csimdjson_document()
        let status = unsafe bytes.withUnsafeBufferPointer {
            unsafe csimdjson_parse(parser, $0.baseAddress, $0.count, &parsed)
        }
        guard status == 0 else { throw JSONError(description: Self.message(status, isEmpty: bytes.isEmpty)) }
        guard unsafe parsed.depth <= depthMax else {
            throw JSONError(description: "its containers nest deeper than \(depthMax)")
        }
        let tape = unsafe Array(UnsafeBufferPointer(start: parsed.tape, count: parsed.tape_count))
        let strings = unsafe Array(UnsafeBufferPointer(start: parsed.strings, count: parsed.strings_count))
        return JSONDocument(tape: tape, strings: strings).root
    }

    private static func message(_ status: Int32, isEmpty: Bool) -> String {
        if isEmpty { return "it is empty" }
        return unsafe String(cString: csimdjson_error_message(status))
    }
}
