internal import CSimdJSON
internal import Glibc

/// One parsed JSON document, immutable, in simdjson's tape form, in one allocation.
///
/// The tape's words carry a type in the upper 8 bits and a payload below: for a container the index after its end (in
/// the lower 32 bits), for a string its offset in the strings; a number's value is the word that follows. The strings
/// lie behind the tape, each as a 32-bit length (in the machine's order), UTF-8 bytes and a NUL.
///
/// This file alone touches the memory; every access is checked against its bounds.
@safe
struct JSONDocument {
    /// The words of the tape, then the strings.
    private let buffer: ManagedBuffer<Void, UInt64>
    // A document takes at most a few bytes for each of a body's at most 16 MiB.
    private let tapeCount: UInt32
    private let stringsCount: UInt32

    /// Copies what a parse yielded.
    fileprivate init(_ parsed: csimdjson_document) {
        let (tapeCount, stringsCount) = unsafe (parsed.tape_count, parsed.strings_count)
        self.tapeCount = UInt32(tapeCount)
        self.stringsCount = UInt32(stringsCount)
        buffer = .create(minimumCapacity: tapeCount + (stringsCount + 7) / 8) { _ in }
        unsafe buffer.withUnsafeMutablePointerToElements { words in
            unsafe words.initialize(from: parsed.tape, count: tapeCount)
            unsafe UnsafeMutableRawPointer(words + tapeCount)
                .copyMemory(from: parsed.strings, byteCount: stringsCount)
        }
    }

    /// The word at an index of the tape.
    @inline(__always)
    func word(at index: Int) -> UInt64 {
        precondition(index >= 0 && index < Int(tapeCount), "an index beyond the tape")
        return unsafe buffer.withUnsafeMutablePointerToElements { unsafe $0[index] }
    }

    /// Calls `body` with the bytes of the string whose word stands at `index`.
    @inline(__always)
    func withBytes<Result>(ofStringAt index: Int, _ body: (Span<UInt8>) -> Result) -> Result {
        let offset = Int(word(at: index) & 0x00FF_FFFF_FFFF_FFFF)
        return unsafe buffer.withUnsafeMutablePointerToElements { words in
            let strings = unsafe UnsafeRawBufferPointer(start: words + Int(tapeCount), count: Int(stringsCount))
            let length = unsafe Int(strings.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            let bytes = unsafe UnsafeRawBufferPointer(rebasing: strings[offset + 4..<offset + 4 + length])
            return unsafe bytes.withMemoryRebound(to: UInt8.self) { unsafe body($0.span) }
        }
    }

    /// The text of the string whose word stands at `index`.
    func text(at index: Int) -> String {
        withBytes(ofStringAt: index) { bytes in
            unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
        }
    }

    /// How many bytes the string has whose word stands at `index`.
    @inline(__always)
    func byteCount(ofStringAt index: Int) -> Int { withBytes(ofStringAt: index) { $0.count } }

    /// Whether the string whose word stands at `index` has just these bytes.
    func string(at index: Int, equals key: String) -> Bool {
        let key = key.utf8Span.span
        return withBytes(ofStringAt: index) { bytes in
            guard bytes.count == key.count else { return false }
            return unsafe bytes.withUnsafeBytes { bytes in
                unsafe key.withUnsafeBytes { key in
                    guard let start = bytes.baseAddress, let keyStart = key.baseAddress else { return true }
                    return unsafe memcmp(start, keyStart, bytes.count) == 0
                }
            }
        }
    }

    /// Whether the string whose word stands at `index` has just these bytes.
    @inline(__always)
    func string(at index: Int, equals name: StaticString) -> Bool {
        withBytes(ofStringAt: index) { bytes in
            guard bytes.count == name.utf8CodeUnitCount else { return false }
            return unsafe bytes.withUnsafeBytes { bytes in
                guard let start = bytes.baseAddress else { return true }
                return unsafe memcmp(start, name.utf8Start, bytes.count) == 0
            }
        }
    }
}

// The buffer is written once, by the initializer.
extension JSONDocument: @unchecked Sendable {}

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
    ///
    /// With `isPadded` the last `paddingByteCount` bytes are not the document's, and it is parsed where it lies.
    public func parse(_ bytes: Span<UInt8>, isPadded: Bool = false, depthMax: Int) throws(JSONError) -> JSONValue {
        let count = bytes.count - (isPadded ? Self.paddingByteCount : 0)
        precondition(count >= 0, "a document without its padding")
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
        return JSONValue(document: unsafe JSONDocument(parsed), index: 1)
    }

    private static func message(_ status: Int32, isEmpty: Bool) -> String {
        if isEmpty { return "it is empty" }
        return unsafe String(cString: csimdjson_error_message(status))
    }
}
