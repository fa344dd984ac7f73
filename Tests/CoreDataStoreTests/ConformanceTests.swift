import CoreDataStore
import Foundation
import PersistentStore
import StoreTestSupport
import Testing

/// The table of expected answers, case by case, on the files as they are.
@Suite(.enabled(if: Samples.isPresent, Samples.absence))
struct ConformanceTests {
    @Test(arguments: [true, false])
    func `every case of the table is answered, and the folder stays as it was`(isReadOnly: Bool) throws {
        let temporary = try TemporaryFolder()
        let folder = try temporary.copy(of: Samples.required())
        if isReadOnly { try temporary.makeReadOnly(folder) }
        let before = try contents(of: folder)
        let cases = try Samples.json("expected.json").map(ExpectedCase.init)
        var passed = 0
        for (store, cases) in Dictionary(grouping: cases, by: \.store) {
            let file = try CoreDataFile(path: folder + "/" + store)
            for expected in cases {
                let failure = try expected.failure(in: file)
                #expect(failure == nil, "\(expected.id)")
                if failure == nil { passed += 1 }
            }
        }
        #expect(try contents(of: folder) == before)
        print("expected.json, \(isReadOnly ? "read-only" : "writable") folder: \(cases.count) cases, \(passed) passed")
        #expect(passed == cases.count)
    }

    @Test func `an old model beside its store gives the names of the table exactly`() throws {
        let folder = try Samples.required() + "/restkit-seed"
        let file = try CoreDataFile(
            path: folder + "/RKSeedDatabase.sqlite", model: folder + "/RKTwitterCoreData.xcdatamodel")
        let cases = try Samples.json("expected.json").map(ExpectedCase.init)
        for expected in cases where expected.store.hasPrefix("restkit-seed") {
            #expect(try expected.failure(in: file, exactly: true) == nil, "\(expected.id)")
        }
        #expect(try file.makeStore().describe().unverified == [])
    }
}

/// One case of the table.
struct ExpectedCase {
    let id: String
    let store: String
    let uri: String
    let entity: String?
    let attributes: [String: Any]
    let error: String?

    init(_ json: [String: Any]) throws {
        id = try #require(json["id"] as? String)
        store = try #require(json["store"] as? String)
        uri = try #require(json["uri"] as? String)
        let expect = try #require(json["expect"] as? [String: Any])
        entity = expect["entity"] as? String
        attributes = expect["attributes"] as? [String: Any] ?? [:]
        error = expect["error"] as? String
    }

    /// What differs from the table, or nil.
    func failure(in file: CoreDataFile, exactly: Bool = false) throws -> String? {
        guard let uri = ObjectURI(uri) else { return error == "malformed" ? nil : "malformed" }
        let store = file.makeStore()
        let hasModel = try store.describe(countingRows: false).modelSource != .columns
        let names = attributes.keys.map { hasModel ? $0 : $0.lowercased() }
        let coordinator = try StoreCoordinator(stores: [store])
        let entries = entity.map { [FetchPlan.Entry(entity: $0, paths: names.map { [$0] })] } ?? []
        coordinator.prepare(FetchPlan(entries: entries), predicates: [])
        guard case .finished(let answers) = coordinator.begin([.object(uri)]) else { return "pending" }
        switch answers[0] {
        case .temporary: return error == "temporaryID" ? nil : "temporaryID"
        case .unknownStore: return error == "unknownStore" ? nil : "unknownStore"
        case .unknownEntity: return error == "unknownEntity" ? nil : "unknownEntity"
        case .notFound: return error == "notFound" ? nil : "notFound"
        case .found(let object):
            if error != nil || object.entity != entity { return "found a \(object.entity)" }
            return difference(object, names: names, isExact: hasModel) ?? difference(from: object, in: store)
        case .deferred, .unavailable: return "\(answers[0])"
        }
    }

    private func difference(_ object: FetchedObject, names: [String], isExact: Bool) -> String? {
        for (position, (name, expected)) in attributes.enumerated() {
            let value = object.values[position]
            if !ExpectedValue(expected, isExact: isExact).equals(value) { return "\(name): \(value), not \(expected)" }
        }
        return nil
    }

    /// The whole object must say the same as the planned values.
    private func difference(from object: FetchedObject, in store: CoreDataStore) -> String? {
        guard case .found(let whole) = try? store.object(entity: object.entity, primaryKey: object.primaryKey),
            whole.uri == object.uri
        else { return "the whole object was not found" }
        for value in object.values where value != .null {
            var all = Array(whole.attributes.values)
            all += whole.relationships.values.compactMap { $0.map { .object($0) } }
            if !all.contains(value) { return "the whole object lacks \(value)" }
        }
        return nil
    }
}

/// A value of the table.
struct ExpectedValue {
    let json: Any
    /// Whether the store has a model: without one, Booleans are numbers.
    let isExact: Bool

    init(_ json: Any, isExact: Bool) {
        self.json = json
        self.isExact = isExact
    }

    func equals(_ value: AttributeValue) -> Bool {
        if json is NSNull { return value == .null }
        if let text = json as? String { return value == .string(text) }
        if let object = json as? [String: Any] { return equals(value, object) }
        guard let number = json as? NSNumber else { return false }
        switch value {
        case .boolean(let flag): return CFBoolean.isBoolean(number) && number.boolValue == flag
        case .integer(let stored): return (!isExact || !CFBoolean.isBoolean(number)) && number.int64Value == stored
        case .number(let stored): return !CFBoolean.isBoolean(number) && number.doubleValue == stored
        default: return false
        }
    }

    private func equals(_ value: AttributeValue, _ object: [String: Any]) -> Bool {
        if let seconds = object["$date"] as? NSNumber {
            guard case .date(let stored) = value, let iso = object["iso"] as? String else { return false }
            let text = ISO8601.text(seconds: stored)
            return stored == seconds.doubleValue && (text == iso || text?.replacing("Z", with: ".000Z") == iso)
        }
        if let text = object["$decimal"] as? String {
            if case .integer(let whole) = value { return text == String(whole) }
            guard case .number(let number) = value else { return false }
            return Double(text) == number
        }
        if let uuid = object["$uuid"] as? String { return value == UUID(uuidString: uuid).map { .uuid($0) } }
        if let uri = object["$uri"] as? String { return value == .string(uri) }
        if let count = object["$bytes"] as? Int, case .binary(let bytes) = value {
            return bytes.count == count && SHA256.digest(bytes) == object["sha256"] as? String
        }
        guard object.keys.contains("$ref") else { return false }
        if let uri = object["$ref"] as? String { return value == ObjectURI(uri).map { .object($0) } }
        return value == .null
    }
}

private enum CFBoolean {
    /// Whether JSON said `true` or `false` rather than a number.
    static func isBoolean(_ number: NSNumber) -> Bool { unsafe String(cString: number.objCType) == "c" }
}
