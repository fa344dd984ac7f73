import CatalogStore
import CatalogTransfer
import CoreDataStore
import Foundation
import Items
import PersistentStore
import SeededRandom
import StoreTestSupport
import Testing

import struct PersistentStore.Predicate

/// Catalogs answer as Core Data files of the same objects do.
struct RandomComparisonTests {
    @Test(arguments: StoreKinds.catalogs)
    func `random predicates on random objects have the same answers`(kind: any CatalogKind) throws {
        var generator = SeededGenerator(seed: 42)
        let texts = (0..<60).map { _ in RandomText.text(using: &generator) }
        let numbers: [Double] = [0, 1, -1, 0.1, 0.3, 2.5, 1e15, 12.34, 16_777_217]
        let objects = (1...400).map { key in
            var values: [String: AttributeValue] = [:]
            func maybe(_ name: String, _ value: AttributeValue) {
                if Int.random(in: 0..<4, using: &generator) > 0 { values[name] = value }
            }
            maybe("name", .string(texts.randomElement(using: &generator) ?? ""))
            maybe("tag", .string(texts[Int.random(in: 0..<6, using: &generator)]))
            maybe("remoteId", .integer(.random(in: -2...2, using: &generator)))
            for name in ["popularity", "rating", "budget"] {
                maybe(name, .number(numbers.randomElement(using: &generator) ?? 0))
            }
            maybe("released", .date(Double(Int.random(in: 0..<3, using: &generator)) + 0.5))
            maybe("isFavorite", .boolean(.random(using: &generator)))
            return FixtureObject(key % 5 == 0 ? "ShortFilm" : "Movie", Int64(key), values)
        }
        let reference = try CoreDataKind().makeStore(objects)
        let made = try kind.makeStore(objects)
        let names = ["name", "tag", "remoteId", "popularity", "rating", "budget", "released", "isFavorite"]
        for _ in 0..<1500 {
            let comparisons = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
                Predicate.Comparison(
                    attribute: names.randomElement(using: &generator) ?? "", ignoresCase: .random(using: &generator),
                    ignoresDiacritics: .random(using: &generator))
            }
            let predicate = Predicate(
                entity: Bool.random(using: &generator) ? "Movie" : "ShortFilm", comparisons: comparisons)
            let values = comparisons.map { _ -> PredicateValue in
                switch Int.random(in: 0..<8, using: &generator) {
                case 0: .null
                case 1: .boolean(.random(using: &generator))
                case 2: .integer(.random(in: -2...2, using: &generator))
                case 3: .number(numbers.randomElement(using: &generator) ?? 0)
                case 4: .string("2001-01-01T00:00:01.5Z")
                case 5: .string(String(numbers.randomElement(using: &generator) ?? 0))
                default: .string(texts[Int.random(in: 0..<12, using: &generator)])
                }
            }
            let lookup = Lookup.matching(predicate, values: values)
            let expected = Answer(try reference.store.answer(lookup))
            #expect(Answer(try made.store.answer(lookup)) == expected, "\(predicate) \(values)")
        }
    }

    @Test(.enabled(if: Samples.isPresent, Samples.absence), arguments: StoreKinds.catalogs)
    func `an imported sample store answers as the file does`(kind: any CatalogKind) throws {
        let cases = try Samples.json("expected.json")
        for path in Set(cases.compactMap { $0["store"] as? String }).sorted() {
            let file = try CoreDataFile(path: Samples.required() + "/" + path)
            let made = try kind.makeCatalog()
            let writer = try made.catalog.makeWriter(for: .bulk)
            var feed = CatalogFeed(writer)
            var source = CoreDataSource(file.makeStore(), version: ItemVersion(given: 1))
            while case let operations = try source.next(500), !operations.isEmpty { try feed.apply(operations) }
            try feed.finish()
            #expect(feed.refused == 0, "\(path): \(feed.refusals)")
            try compare(file.makeStore(), try made.catalog.makeReader(), path)
        }
    }

    /// Compares whole objects, planned values, and look-ups by the values that objects have.
    private func compare(_ reference: CoreDataStore, _ catalog: any CatalogReader, _ path: String) throws {
        let model = reference.model
        #expect(catalog.identifier == reference.identifier)
        var generator = SeededGenerator(seed: 3)
        for root in reference.rootEntities {
            let objects = try reference.objects(ofRoot: root, after: nil, limit: 60) { _, _ in true }
            for object in objects {
                let index = try #require(model.index(of: object.entity))
                let names = object.values.filter { !Self.isOmitted($0.value) }.map(\.name)
                let plan = FetchPlan(entries: [.init(entity: object.entity, paths: names.map { [$0] })])
                var lookups = model.lineage(of: index).map {
                    Lookup.object(entity: model.entities[$0].name, primaryKey: object.primaryKey)
                }
                if let (name, value) = object.values.randomElement(using: &generator) {
                    let folds = Bool.random(using: &generator)
                    let predicate = Predicate(
                        entity: object.entity,
                        comparisons: [.init(attribute: name, ignoresCase: folds, ignoresDiacritics: folds)])
                    lookups.append(.matching(predicate, values: [Self.sought(value)]))
                }
                reference.prepare(plan, predicates: [])
                catalog.prepare(plan, predicates: [])
                let expected = try reference.answers(lookups).map { Answer($0) }
                #expect(try catalog.answers(lookups).map { Answer($0) } == expected, "\(path) \(object.entity)")
            }
        }
    }

    private static func isOmitted(_ value: AttributeValue) -> Bool {
        switch value {
        case .externalDataMissing: true
        case .binary(let bytes): bytes.count > CoreDataSource.binaryByteCountMax
        default: false
        }
    }

    private static func sought(_ value: AttributeValue) -> PredicateValue {
        switch value {
        case .string(let text): .string(text)
        case .integer(let number): .integer(number)
        case .number(let number): .number(number)
        case .boolean(let flag): .boolean(flag)
        case .uuid(let uuid): .string(uuid.uuidString)
        case .date(let seconds): .string(ISO8601.text(seconds: seconds) ?? "")
        case .null, .binary, .externalDataMissing, .object: .string("x")
        }
    }
}
