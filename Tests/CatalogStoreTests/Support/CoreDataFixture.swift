import Foundation
import Items
import PersistentStore
import StoreTestSupport

/// Writes the fixture as a Core Data file.
enum CoreDataFixture {
    private static let types: [AttributeType: Int64] = [
        .integer16: 100, .integer64: 300, .decimal: 400, .double: 500, .float: 600, .string: 700, .boolean: 800,
        .date: 900, .binary: 1000, .uuid: 1100, .uri: 1200,
    ]

    static func write(_ objects: [FixtureObject], to path: String) throws {
        let entities = Fixture.entities
        func number(_ name: String?) -> Int { (entities.firstIndex { $0.name == name } ?? -1) + 1 }
        let model = entities.map { entity in
            ArchiveBuilder.Entity(
                name: entity.name, parent: entity.parent,
                attributes: entity.attributes.sorted { $0.key < $1.key }.map {
                    .init(name: $0.key, type: types[$0.value] ?? 0)
                },
                relationships: entity.relationships.map { .init(name: $0.key, destination: $0.value) })
        }
        let store = try SyntheticStore(
            path, entities: entities.map { ($0.name, number($0.parent)) }, archive: ArchiveBuilder.archive(model),
            identifier: Fixture.store)
        try store.app.run(
            """
            CREATE TABLE ZMOVIE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZREMOTEID INTEGER,
              ZDIRECTOR INTEGER, ZMINUTES INTEGER, ZPOPULARITY FLOAT, ZRATING FLOAT, ZBUDGET DECIMAL,
              ZRELEASED TIMESTAMP, ZISFAVORITE INTEGER, ZNAME VARCHAR, ZTAG VARCHAR, ZCODE BLOB, ZHOMEPAGE VARCHAR,
              ZPOSTER BLOB);
            CREATE TABLE ZPERSON (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZBEST INTEGER,
              Z1_BEST INTEGER, ZNAME VARCHAR);
            CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, ZTIMESTAMP TIMESTAMP);
            CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER,
              ZTRANSACTIONID INTEGER);
            INSERT INTO ATRANSACTION VALUES (1, 700000000);
            BEGIN;
            """)
        for object in objects {
            if object.isDeleted {
                try store.app.run(
                    "INSERT INTO ACHANGE VALUES (NULL, 2, \(number(object.entity)), \(object.key), 1)")
            } else {
                try store.app.run(insertion(object, number: number))
            }
        }
        try store.app.run("COMMIT")
    }

    private static func insertion(_ object: FixtureObject, number: (String?) -> Int) -> String {
        var columns = ["Z_PK", "Z_ENT", "Z_OPT"]
        var values = [String(object.key), String(number(object.entity)), "1"]
        for (name, value) in object.values {
            columns.append("Z" + name.uppercased())
            values.append(literal(value))
            if name == "best", case .object(let uri) = value {
                columns.append("Z1_BEST")
                values.append(String(number(uri.entity)))
            }
        }
        let table = object.entity == "Person" ? "ZPERSON" : "ZMOVIE"
        return "INSERT INTO \(table) (\(columns.joined(separator: ","))) VALUES (\(values.joined(separator: ",")))"
    }

    private static func literal(_ value: AttributeValue) -> String {
        switch value {
        case .null, .externalDataMissing: return "NULL"
        case .boolean(let flag): return flag ? "1" : "0"
        case .integer(let number): return String(number)
        case .number(let number): return "\(number)"
        case .date(let seconds): return "\(seconds)"
        case .string(let text): return text.sql
        case .binary(let bytes): return bytes.sql
        case .object(let uri):
            if case .permanent(let key) = uri.key { return String(key) }
            return "NULL"
        case .uuid(let uuid):
            let digits = uuid.uuidString.filter { $0 != "-" }
            return "x'\(digits)'"
        }
    }
}
