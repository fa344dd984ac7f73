import CatalogStore
import Foundation
import Items
import PersistentStore
import Testing

import struct PersistentStore.Predicate

/// How long a store may take in a test.
private let patience: Duration = .seconds(20)

extension PersistentStore {
    /// The answers to a batch, waiting for pending ones and for indexes.
    func answers(_ lookups: [Lookup]) throws -> [LookupResult] {
        let deadline = ContinuousClock.now + patience
        while true {
            var progress = begin(lookups)
            while case .pending = progress, ContinuousClock.now < deadline {
                poll(nil, 0, 1)
                progress = resume()
            }
            guard case .finished(let results) = progress else { throw TooLate() }
            let isDeferred = results.contains { if case .deferred = $0 { true } else { false } }
            if !isDeferred { return results }
            guard ContinuousClock.now < deadline else { throw TooLate() }
        }
    }

    func answer(_ lookup: Lookup) throws -> LookupResult { try #require(try answers([lookup]).first) }

    /// The object of a key as it is described.
    func object(_ entity: String, _ key: Int64) throws -> Answer {
        Answer(try answer(.object(entity: entity, primaryKey: key)))
    }

    /// The best match of a predicate in the format language, such as `Movie: name ==[cd] ? AND tag == ?`.
    func match(_ text: String, _ values: PredicateValue...) throws -> Answer {
        Answer(try answer(.matching(Predicate(shape: text), values: values)))
    }
}

/// A store did not answer in time.
struct TooLate: Error {}

/// What matters of an answer.
enum Answer: Equatable, CustomStringConvertible {
    case found(String, values: [AttributeValue] = [], matches: Int = 1, isExact: Bool = true)
    case deleted
    case expired
    case noRow
    case noMatch
    case otherEntity(String)
    case unknownEntity
    case unavailable(String)

    init(_ result: LookupResult) {
        switch result {
        case .found(let object):
            self = .found(
                "\(object.entity)/\(object.primaryKey)", values: Array(object.values), matches: object.matches,
                isExact: object.isExact)
        case .notFound(.deleted): self = .deleted
        case .notFound(.expired): self = .expired
        case .notFound(.noRow): self = .noRow
        case .notFound(.noMatch): self = .noMatch
        case .notFound(.otherEntity(let name)): self = .otherEntity(name)
        case .unknownEntity: self = .unknownEntity
        case .deferred: self = .unavailable("deferred")
        case .unavailable(let error): self = .unavailable(error.description)
        }
    }

    var description: String {
        switch self {
        case .found(let name, let values, let matches, let isExact):
            "\(name) \(values) of \(matches)\(isExact ? "" : ", folded")"
        case .deleted: "deleted"
        case .expired: "expired"
        case .noRow: "no row"
        case .noMatch: "no match"
        case .otherEntity(let name): "a \(name)"
        case .unknownEntity: "unknown entity"
        case .unavailable(let reason): reason
        }
    }
}

extension Predicate {
    /// A predicate of comparisons with `?`.
    init(shape text: String) {
        let parts = text.components(separatedBy: ": ")
        self.init(
            entity: parts[0],
            comparisons: parts[1].components(separatedBy: " AND ").map { term in
                let words = term.split(separator: " ").map(String.init)
                return Comparison(
                    attribute: words[0], ignoresCase: words[1].contains("c"), ignoresDiacritics: words[1].contains("d"))
            })
    }
}

/// A writer that is waited for.
struct Writer {
    let writer: any CatalogWriter

    init(_ catalog: any Catalog, _ purpose: WritePurpose = .items) throws {
        writer = try catalog.makeWriter(for: purpose)
    }

    @discardableResult
    func apply(_ operations: [ItemOperation]) throws -> [ItemOutcome] {
        let deadline = ContinuousClock.now + patience
        var progress = writer.begin(operations)
        while case .pending = progress, ContinuousClock.now < deadline {
            poll(nil, 0, 1)
            progress = writer.resume()
        }
        switch progress {
        case .finished(let outcomes): return outcomes
        case .failed(let error): throw error
        case .pending: throw TooLate()
        }
    }

    func finish() throws { try writer.finish() }

    /// Applies a message in its JSON form; items without a version have the given time.
    @discardableResult
    func apply(json: String, at time: Int64 = 1) throws -> [ItemOutcome] {
        try apply(ItemDecoder().decode(Array(json.utf8).span, version: ItemVersion(time: time)))
    }
}
