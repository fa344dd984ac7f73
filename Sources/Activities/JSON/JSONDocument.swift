internal import Glibc

/// One parsed JSON document, immutable, in the form of simdjson's tape.
///
/// The tape's words carry a type in the upper 8 bits and a payload below: for a container the index after its end (in
/// the lower 32 bits), for a string its length and its place in the document's text (28 bits each); a number's value is
/// the word that follows. The root stands at index 1.
///
/// Text and words lie in a block that the document keeps alive; every access is checked against the block's bounds.
@safe
struct JSONDocument {
    /// The index of the root.
    static let root = 1

    private let block: JSONBlock
    /// Where the text begins, in words of the block.
    private let text: UInt32
    /// Where the words begin.
    private let words: UInt32

    init(_ block: JSONBlock, text: Int, words: Int) {
        self.block = block
        self.text = UInt32(text)
        self.words = UInt32(words)
    }

    /// The word of a string, by its place in the text.
    @inline(__always)
    static func word(ofStringAt place: Int, count: Int) -> UInt64 {
        UInt64(UInt8(ascii: "\"")) << 56 | UInt64(count) << 28 | UInt64(place)
    }

    /// The word at an index of the tape.
    @inline(__always)
    func word(at index: Int) -> UInt64 {
        let place = Int(words) &+ index
        return unsafe block.withUnsafeMutablePointers { wordCount, words in
            precondition(unsafe index >= 0 && place < wordCount.pointee, "an index beyond the tape")
            return unsafe words[place]
        }
    }

    /// Calls `body` with the bytes of the string whose word stands at `index`.
    @inline(__always)
    func withBytes<Result>(ofStringAt index: Int, _ body: (Span<UInt8>) -> Result) -> Result {
        let (word, part) = (word(at: index), UInt64(0xFFF_FFFF))
        let (count, place) = (Int(word >> 28 & part), Int(text) &* 8 &+ Int(word & part))
        return unsafe block.withUnsafeMutablePointers { wordCount, words in
            precondition(unsafe place &+ count <= wordCount.pointee &* 8, "a string beyond the text")
            let start = unsafe (UnsafeRawPointer(words) + place).assumingMemoryBound(to: UInt8.self)
            return unsafe body(UnsafeBufferPointer(start: start, count: count).span)
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
    func byteCount(ofStringAt index: Int) -> Int { Int(word(at: index) >> 28 & 0xFFF_FFFF) }

    /// Whether the string whose word stands at `index` has just these bytes.
    func string(at index: Int, equals key: String) -> Bool {
        let key = key.utf8Span.span
        return unsafe key.withUnsafeBytes { unsafe string(at: index, equals: $0.baseAddress, $0.count) }
    }

    /// Whether the string whose word stands at `index` has just these bytes.
    func string(at index: Int, equals bytes: [UInt8]) -> Bool {
        unsafe bytes.withUnsafeBytes { unsafe string(at: index, equals: $0.baseAddress, $0.count) }
    }

    /// Whether the string whose word stands at `index` has just these bytes.
    @inline(__always)
    func string(at index: Int, equals name: StaticString) -> Bool {
        unsafe string(at: index, equals: name.utf8Start, name.utf8CodeUnitCount)
    }

    @inline(__always)
    private func string(at index: Int, equals bytes: UnsafeRawPointer?, _ count: Int) -> Bool {
        guard byteCount(ofStringAt: index) == count else { return false }
        guard count > 0, let bytes = unsafe bytes else { return true }
        return withBytes(ofStringAt: index) { found in
            unsafe found.withUnsafeBytes { found in
                guard let start = found.baseAddress else { return false }
                return unsafe memcmp(start, bytes, count) == 0
            }
        }
    }
}

// What lies in a document's part of its block was written before the document was made.
extension JSONDocument: @unchecked Sendable {}

/// Memory for the words and texts of documents, one after the other; the header says how many words there are.
typealias JSONBlock = ManagedBuffer<Int, UInt64>

/// Where a parser puts its documents: a block, of which a part is used.
///
/// A block that no document is in any more is filled anew, so that a batch of documents after the other lies in the same
/// memory. No block ever moves or changes where a document is.
@safe
final class JSONRoom {
    /// The largest block for more than one document.
    private static let wordCountMax = 15 << 10

    private(set) var block = JSONRoom.makeBlock(0)
    /// How many words are used.
    private(set) var used = 0

    private static func makeBlock(_ count: Int) -> JSONBlock {
        unsafe unsafeDowncast(JSONBlock.create(minimumCapacity: count) { _ in count }, to: JSONBlock.self)
    }

    /// Makes sure that so many words are free behind the used ones; they may hold anything.
    @inline(__always)
    func reserve(_ count: Int) {
        if isKnownUniquelyReferenced(&block) { used = 0 }
        if block.header &- used < count { replaceBlock(count) }
    }

    private func replaceBlock(_ count: Int) {
        block = Self.makeBlock(max(count, min(block.header * 2, Self.wordCountMax)))
        used = 0
    }

    /// Takes free words over into a document.
    func document(textWordCount: Int, wordCount: Int) -> JSONDocument {
        let document = JSONDocument(block, text: used, words: used + textWordCount)
        used += textWordCount + wordCount
        return document
    }

    /// Calls `body` with the free words.
    @inline(__always)
    func withFreeWords<Result>(_ body: (UnsafeMutablePointer<UInt64>) -> Result) -> Result {
        unsafe block.withUnsafeMutablePointerToElements { unsafe body($0 + used) }
    }
}
