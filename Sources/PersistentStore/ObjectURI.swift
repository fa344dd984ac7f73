/// The address of a managed object: `x-coredata://STORE/ENTITY/pN`, or `.../t...` for one that was never saved.
///
/// The grammar is strict and is read from the text itself, never through a URL type:
///
///     x-coredata:// STORE / ENTITY / ( p ( 0 | [1-9][0-9]* ) | t any+ )
///
/// STORE and ENTITY hold no `/` and are compared exactly; ENTITY is not empty, and STORE may be empty only
/// before a temporary key. A permanent key is at most `Int64.max`.
public struct ObjectURI: Hashable, Sendable {
    /// What names the object within its entity.
    public enum Key: Hashable, Sendable {
        /// The primary key of a saved object (`pN`).
        case permanent(Int64)
        /// The text after `t`: the object was not saved when its URI was taken.
        case temporary(String)
    }

    /// How every object URI begins.
    public static let scheme = "x-coredata:"

    /// The identifier of the store, usually an upper-case UUID; empty for a temporary object without a store.
    public let store: String
    /// The name of the entity.
    public let entity: String
    /// The key within the entity.
    public let key: Key

    /// Makes the URI of a saved object.
    public init(store: String, entity: String, primaryKey: Int64) {
        self.store = store
        self.entity = entity
        self.key = .permanent(primaryKey)
    }

    /// Reads a URI; nil where the text is not one by the strict grammar.
    public init?(_ text: String) {
        self.init(reading: text.utf8Span.span)
    }

    /// Reads a URI from UTF-8 bytes; nil where they are not one by the strict grammar.
    public init?(reading bytes: Span<UInt8>) {
        self.init(reading: bytes, knowing: KnownStores())
    }

    /// Reads a URI from UTF-8 bytes; nil where they are not one by the strict grammar.
    ///
    /// A store that is known costs no new text.
    public init?(reading bytes: Span<UInt8>, knowing stores: KnownStores) {
        let prefix = StaticText.uriPrefix
        guard bytes.count > prefix.count, bytes.has(prefix, at: 0) else { return nil }
        let known = stores.identifier(in: bytes, at: prefix.count)
        guard let storeEnd = known.map({ prefix.count + $0.utf8.count }) ?? bytes.firstSlash(from: prefix.count),
            let entityEnd = bytes.firstSlash(from: storeEnd + 1),
            entityEnd > storeEnd + 1, entityEnd + 2 < bytes.count,
            let store = known ?? bytes.text(prefix.count..<storeEnd),
            let entity = bytes.text(storeEnd + 1..<entityEnd)
        else { return nil }
        let first = entityEnd + 2
        switch bytes[entityEnd + 1] {
        case UInt8(ascii: "p"):
            guard !store.isEmpty, let number = Self.primaryKey(in: bytes, from: first) else { return nil }
            self.key = .permanent(number)
        case UInt8(ascii: "t"):
            guard let rest = bytes.text(first..<bytes.count) else { return nil }
            self.key = .temporary(rest)
        default:
            return nil
        }
        self.store = store
        self.entity = entity
    }

    /// The decimal digits from `start` to the end, without leading zeros, at most `Int64.max`.
    private static func primaryKey(in bytes: Span<UInt8>, from start: Int) -> Int64? {
        if bytes[start] == UInt8(ascii: "0") { return bytes.count == start + 1 ? 0 : nil }
        var number: Int64 = 0
        for index in start..<bytes.count {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit <= 9 else { return nil }
            let (product, overflow) = number.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(Int64(digit))
            guard !overflow, !carry else { return nil }
            number = sum
        }
        return number
    }
}

extension ObjectURI: CustomStringConvertible {
    /// The canonical text of the URI.
    public var description: String {
        switch key {
        case .permanent(let number): "x-coredata://\(store)/\(entity)/p\(number)"
        case .temporary(let rest): "x-coredata://\(store)/\(entity)/t\(rest)"
        }
    }
}

/// The identifiers of stores that most URIs will name.
public struct KnownStores: Sendable {
    private let identifiers: [(text: String, bytes: [UInt8])]

    /// Takes the identifiers; one with a slash is in no URI.
    public init(_ identifiers: [String] = []) {
        self.identifiers = identifiers.filter { !$0.utf8.contains(UInt8(ascii: "/")) }.map { ($0, Array($0.utf8)) }
    }

    /// The identifier that stands at `start`, up to a slash.
    fileprivate func identifier(in bytes: Span<UInt8>, at start: Int) -> String? {
        for index in identifiers.indices {
            let end = start + identifiers[index].bytes.count
            guard end < bytes.count, bytes[end] == UInt8(ascii: "/") else { continue }
            if bytes.has(identifiers[index].bytes, at: start) { return identifiers[index].text }
        }
        return nil
    }
}

private enum StaticText {
    static let uriPrefix = Array("x-coredata://".utf8)
}

extension Span<UInt8> {
    /// The index of the first `/` at or after `start`.
    fileprivate func firstSlash(from start: Int) -> Int? {
        var index = start
        while index < count {
            if self[index] == UInt8(ascii: "/") { return index }
            index += 1
        }
        return nil
    }

    /// Whether these bytes stand at `start`, from where on there are as many.
    fileprivate func has(_ bytes: [UInt8], at start: Int) -> Bool {
        let (sought, found) = (bytes.span, extracting(start..<start + bytes.count))
        guard sought.count == found.count else { return false }
        for index in sought.indices where found[index] != sought[index] { return false }
        return true
    }

    /// The bytes of `range` as text; nil where they are not UTF-8.
    fileprivate func text(_ range: Range<Int>) -> String? {
        guard let utf8 = try? UTF8Span(validating: extracting(range)) else { return nil }
        return String(copying: utf8)
    }
}
