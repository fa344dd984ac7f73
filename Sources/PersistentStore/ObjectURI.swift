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
        self.init(reading: bytes, knowing: .none)
    }

    /// Reads a URI from UTF-8 bytes; nil where they are not one by the strict grammar.
    ///
    /// What is known costs no new text.
    public init?(reading bytes: Span<UInt8>, knowing stores: KnownStores) {
        guard let place = stores.place(in: bytes) ?? StorePlace(in: bytes),
            let entityEnd = bytes.firstSlash(from: place.end + 1),
            entityEnd > place.end + 1, entityEnd + 2 < bytes.count,
            let entity = stores.entity(bytes.extracting(place.end + 1..<entityEnd))
                ?? bytes.text(place.end + 1..<entityEnd)
        else { return nil }
        let first = entityEnd + 2
        switch bytes[entityEnd + 1] {
        case UInt8(ascii: "p"):
            guard !place.store.isEmpty, let number = Self.primaryKey(in: bytes, from: first) else { return nil }
            self.key = .permanent(number)
        case UInt8(ascii: "t"):
            guard let rest = bytes.text(first..<bytes.count) else { return nil }
            self.key = .temporary(rest)
        default:
            return nil
        }
        self.store = place.store
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

/// The stores and entities that most URIs will name.
///
/// An object, so that handing it on costs one reference.
public final class KnownStores: Sendable {
    fileprivate static let none = KnownStores()

    /// Each with how its URIs begin: up to the slash behind it.
    private let identifiers: [(text: String, start: [UInt8])]
    private let entities: [(text: String, bytes: [UInt8])]

    /// Takes identifiers and the names of entities; one with a slash is in no URI.
    public init(_ identifiers: [String] = [], entities: [String] = []) {
        self.entities = entities.map { ($0, Array($0.utf8)) }
        self.identifiers = identifiers.filter { !$0.utf8.contains(UInt8(ascii: "/")) }
            .map { ($0, StorePlace.prefix + $0.utf8 + "/".utf8) }
    }

    /// The known store that a URI names.
    fileprivate func place(in bytes: Span<UInt8>) -> StorePlace? {
        for index in identifiers.indices {
            let start = identifiers[index].start
            if bytes.hasPrefix(start.span) { return StorePlace(store: identifiers[index].text, end: start.count - 1) }
        }
        return nil
    }
}

extension KnownStores {
    /// The known entity of that name.
    fileprivate func entity(_ name: Span<UInt8>) -> String? {
        for index in entities.indices {
            let bytes = entities[index].bytes
            if name.hasBytes(bytes.span) { return entities[index].text }
        }
        return nil
    }
}

/// The store that a URI names, and where the slash behind it stands.
private struct StorePlace {
    static let prefix = Array("x-coredata://".utf8)

    let store: String
    let end: Int

    init(store: String, end: Int) {
        self.store = store
        self.end = end
    }

    /// Reads any store; nil where the bytes do not begin as a URI.
    init?(in bytes: Span<UInt8>) {
        let prefix = Self.prefix
        guard bytes.hasPrefix(prefix.span), let end = bytes.firstSlash(from: prefix.count),
            let store = bytes.text(prefix.count..<end)
        else { return nil }
        self.init(store: store, end: end)
    }
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

    /// The bytes of `range` as text; nil where they are not UTF-8.
    fileprivate func text(_ range: Range<Int>) -> String? {
        guard let utf8 = try? UTF8Span(validating: extracting(range)) else { return nil }
        return String(copying: utf8)
    }
}
