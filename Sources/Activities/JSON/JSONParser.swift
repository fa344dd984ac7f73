internal import CSimdJSON
internal import Glibc

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
    /// How many bytes behind a document the parser may read.
    public static let paddingByteCount = Int(CSIMDJSON_PADDING)
    /// The largest document.
    static let byteCountMax = 64 << 20

    private let parser: OpaquePointer
    private let room = JSONRoom()

    /// Makes a parser.
    public init() {
        guard let parser = unsafe csimdjson_parser_new() else { fatalError("out of memory") }
        unsafe self.parser = parser
    }

    deinit {
        unsafe csimdjson_parser_free(parser)
    }

    /// Parses exactly one document whose containers nest at most `depthMax` deep, the outermost being the first.
    ///
    /// With `isPadded` the last `paddingByteCount` bytes are not the document's, and it is parsed where it lies.
    public func parse(_ bytes: Span<UInt8>, isPadded: Bool = false, depthMax: Int) throws(JSONError) -> JSONValue {
        if let document = plain(bytes, isPadded: isPadded, depthMax: depthMax) {
            return JSONValue(document: document, index: JSONDocument.root)
        }
        return try parseAny(bytes, isPadded: isPadded, depthMax: depthMax)
    }

    /// A plain document; nil where the bytes are none, which says nothing about them.
    func plain(_ bytes: Span<UInt8>, isPadded: Bool = false, depthMax: Int) -> JSONDocument? {
        let count = bytes.count - (isPadded ? Self.paddingByteCount : 0)
        guard count > 0, count <= PlainJSONReader.byteCountMax else { return nil }
        let textWordCount = (count + PlainJSONReader.paddingByteCount + 7) / 8
        room.reserve(textWordCount + PlainJSONReader.wordCountMax(forBytes: count))
        let wordCount = unsafe room.withFreeWords { free in
            let text = UnsafeMutableRawPointer(free)
            unsafe bytes.withUnsafeBytes { bytes in
                guard let start = bytes.baseAddress else { return }
                unsafe memcpy(text, start, count)
            }
            var reader = unsafe PlainJSONReader(text, count: count, words: free + textWordCount)
            return reader.read(depthMax: depthMax)
        }
        return wordCount.map { room.document(textWordCount: textWordCount, wordCount: $0) }
    }

    /// Parses any document; what is plain comes out the same as by the plain way.
    func parseAny(_ bytes: Span<UInt8>, isPadded: Bool = false, depthMax: Int) throws(JSONError) -> JSONValue {
        let count = bytes.count - (isPadded ? Self.paddingByteCount : 0)
        precondition(count >= 0, "a document without its padding")
        guard count <= Self.byteCountMax else {
            throw JSONError(description: "it is larger than \(Self.byteCountMax) bytes")
        }
        var parsed = unsafe csimdjson_document()
        let status = unsafe bytes.withUnsafeBufferPointer {
            unsafe isPadded
                ? csimdjson_parse_padded(parser, $0.baseAddress, count, &parsed)
                : csimdjson_parse(parser, $0.baseAddress, count, &parsed)
        }
        guard status == 0 else { throw JSONError(description: Self.message(status, isEmpty: count == 0)) }
        guard unsafe parsed.depth <= depthMax else {
            throw JSONError(description: "its containers nest deeper than \(depthMax)")
        }
        return JSONValue(document: unsafe document(parsed), index: JSONDocument.root)
    }

    /// Copies what a parse yielded.
    private func document(_ parsed: csimdjson_document) -> JSONDocument {
        let (wordCount, textWordCount) = unsafe (parsed.tape_count, (parsed.strings_count + 7) / 8)
        room.reserve(textWordCount + wordCount)
        unsafe room.withFreeWords { free in
            unsafe UnsafeMutableRawPointer(free).copyMemory(from: parsed.strings, byteCount: parsed.strings_count)
            unsafe (free + textWordCount).update(from: parsed.tape, count: wordCount)
        }
        return room.document(textWordCount: textWordCount, wordCount: wordCount)
    }

    private static func message(_ status: Int32, isEmpty: Bool) -> String {
        if isEmpty { return "it is empty" }
        return unsafe String(cString: csimdjson_error_message(status))
    }
}
