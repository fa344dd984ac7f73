internal import CRE2

/// A regular expression compiled by RE2, which matches whole texts in linear time.
///
/// A text is taken byte by byte; the paths of URLs are ASCII.
@safe
final class RegularExpression {
    private let pattern: OpaquePointer
    private let groupCount: Int

    /// Why an expression cannot be compiled.
    struct CompileError: Error, Hashable {
        /// RE2's words.
        let message: String
        /// The part of the expression that is meant; empty where it is not known.
        let part: String

        /// The error as the end of a sentence.
        var sentenceEnd: String { part.isEmpty ? "\(message)." : "\(message) at \"\(part)\"." }
    }

    /// Compiles an expression that may take so many bytes of memory.
    init(_ source: [UInt8], memoryMax: Int64) throws(CompileError) {
        var error = cre2_error()
        let compiled = unsafe source.withUnsafeBufferPointer { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) {
                unsafe cre2_compile($0.baseAddress, $0.count, memoryMax, &error)
            }
        }
        guard let compiled = unsafe compiled else {
            throw CompileError(message: Self.text(error.message), part: Self.text(error.part))
        }
        unsafe pattern = compiled
        groupCount = unsafe cre2_group_count(compiled)
    }

    deinit {
        unsafe cre2_free(pattern)
    }

    /// Where each capturing group stands, where the whole text matches; nil for a group that took no part.
    func match(_ text: Span<UInt8>) -> [Range<Int>?]? {
        var groups = [cre2_range](repeating: cre2_range(start: -1, end: -1), count: groupCount)
        let matches = unsafe text.withUnsafeBufferPointer { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                // RE2 takes a text without an address for no text at all.
                guard let start = characters.baseAddress else {
                    var empty: CChar = 0
                    return unsafe cre2_match(pattern, &empty, 0, &groups)
                }
                return unsafe cre2_match(pattern, start, characters.count, &groups)
            }
        }
        guard matches else { return nil }
        return groups.map { $0.start < 0 ? nil : $0.start..<$0.end }
    }

    /// The text of an array of characters up to its NUL.
    private static func text<Characters>(_ characters: Characters) -> String {
        unsafe withUnsafeBytes(of: characters) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}

// A compiled pattern is not changed by matching; RE2 guards its caches.
extension RegularExpression: @unchecked Sendable {}
