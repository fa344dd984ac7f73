import Foundation
import SQLite
import StoreTestSupport
import Testing

@testable import CoreDataStore

/// The rows of a file that a test writes, read from its pages and through SQLite.
struct TableReaderTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "tables-\(UUID().uuidString)")
    private var path: String { folder.appending(path: "store").path }

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    /// The values of columns in a row, as text; nil where there is no such row.
    private static func values(_ row: some RowValues, _ count: Int) -> [String] {
        (0..<Int32(count)).map { column in
            switch row.storage(column) {
            case .null: "null"
            case .integer: "integer \(row.integer(column))"
            case .real: "real \(row.real(column))"
            case .text: "text \(row.text(column))"
            case .blob: "blob \(row.blob(column))"
            }
        }
    }

    private struct Readers {
        let pages: TableReader
        let statement: SQLiteStatement
        let count: Int

        init?(_ path: String, _ table: String, _ columns: [String], childCountMax: Int? = nil) throws {
            let connection = try SQLiteConnection(path: path, mode: .immutable)
            guard let pages = StorePages(path: path), let format = try TableFormat(table, on: connection),
                let reader = TableReader(
                    format, columns: columns, pages: pages.cache, reservedSize: pages.reservedSize,
                    branches: childCountMax.map { BranchTable(root: format.root, childCountMax: $0) })
            else { return nil }
            self.pages = reader
            statement = try connection.prepare(
                "SELECT \(columns.map(\.quotedForSQL).joined(separator: ", ")) FROM \(table) WHERE Z_PK = ?1")
            count = columns.count
        }

        /// Expects that both read the same of a key, and says whether the pages alone were enough.
        func compare(_ key: Int64) throws -> Bool {
            statement.bind(key, at: 1)
            defer { statement.reset() }
            let isThere = try statement.step()
            guard pages.find(key) else { return false }
            #expect(isThere, "a row that SQLite does not find: \(key)")
            #expect(values(pages, count) == values(statement, count))
            return true
        }
    }

    @Test(arguments: [512, 1024, 4096, 65536], [1, 1_000_003])
    func `rows of all kinds are what SQLite reads`(pageSize: Int, step: Int64) throws {
        let file = try SQLiteFile(path)
        try file.run(
            """
            PRAGMA page_size=\(pageSize);
            CREATE TABLE T (A VARCHAR, Z_PK INTEGER PRIMARY KEY, B FLOAT, C TIMESTAMP, D BLOB, E INTEGER, F DECIMAL);
            WITH RECURSIVE n(i) AS (SELECT -500 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
            INSERT INTO T SELECT CASE i % 7 WHEN 0 THEN NULL WHEN 1 THEN '' WHEN 2 THEN 'é' || i ELSE 'row ' || i END,
                i * \(step), CASE i % 5 WHEN 0 THEN i WHEN 1 THEN 1e999 WHEN 2 THEN NULL ELSE i / 7.0 END,
                i / 3.0, zeroblob(i % 11), (i << (abs(i) % 63)), CASE i % 3 WHEN 0 THEN i ELSE i / 10.0 END FROM n;
            DELETE FROM T WHERE Z_PK % 13 = 0;
            """)
        let readers = try #require(try Readers(path, "T", ["F", "A", "B", "E", "C", "D", "A"]))
        var found = 0
        for key in stride(from: -501 * step, through: 3001 * step, by: Int64.Stride(step)) {
            if try readers.compare(key) { found += 1 }
            #expect(try step == 1 || !readers.compare(key + 1))
        }
        #expect(found > 3200)
    }

    @Test(arguments: [0, 1, 30, 100, 1000])
    func `rows are found however many interior pages are kept`(childCountMax: Int) throws {
        let file = try SQLiteFile(path)
        // Pages of different fullness, and keys with gaps.
        try file.run(
            """
            PRAGMA page_size=512;
            CREATE TABLE T (Z_PK INTEGER PRIMARY KEY, A VARCHAR);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000)
            INSERT INTO T SELECT CASE WHEN i > 2000 THEN i * i ELSE i END, substr(hex(zeroblob(100)), 1, i % 150) || i FROM n;
            DELETE FROM T WHERE Z_PK BETWEEN 500 AND 700 AND Z_PK % 5;
            """)
        let readers = try #require(try Readers(path, "T", ["A"], childCountMax: childCountMax))
        var found = 0
        for key in [Int64](-5...2100) + (2001...4001).map({ $0 * $0 }) + [.min, .max] where try readers.compare(key) {
            found += 1
        }
        #expect(found > 3500)
    }

    @Test func `keys at the ends of their range are found`() throws {
        let file = try SQLiteFile(path)
        try file.run("PRAGMA page_size=512; CREATE TABLE T (Z_PK INTEGER PRIMARY KEY, A)")
        var keys: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]
        for power in 1..<63 { keys += [1 << Int64(power), -(1 << Int64(power))] }
        for key in Set(keys) { try file.run("INSERT INTO T VALUES (\(key), '\(key)')") }
        let readers = try #require(try Readers(path, "T", ["A"]))
        for key in keys { #expect(try readers.compare(key), "\(key)") }
    }

    @Test func `what is not plain is left to SQLite`() throws {
        let file = try SQLiteFile(path)
        try file.run(
            """
            CREATE TABLE T (Z_PK INTEGER PRIMARY KEY, A);
            INSERT INTO T VALUES (1, 'short'), (2, zeroblob(100000)), (3, 'short');
            ALTER TABLE T ADD COLUMN B DEFAULT 'default';
            INSERT INTO T VALUES (4, 'short', 'own');
            CREATE TABLE COMPUTED (Z_PK INTEGER PRIMARY KEY, A, B AS (A || 'x'));
            CREATE TABLE ROWLESS (Z_PK INTEGER PRIMARY KEY, A) WITHOUT ROWID;
            CREATE TABLE OTHERKEY (Z_PK VARCHAR PRIMARY KEY, A);
            CREATE TABLE DESCENDING (Z_PK INTEGER PRIMARY KEY DESC, A);
            CREATE VIEW SEEN AS SELECT * FROM T;
            """)
        let readers = try #require(try Readers(path, "T", ["A", "B"]))
        #expect(try [1, 2, 3, 4, 5].map { try readers.compare($0) } == [false, false, false, true, false])
        let short = try #require(try Readers(path, "T", ["A"]))
        #expect(try [1, 2, 3, 4, 5].map { try short.compare($0) } == [true, false, true, true, false])
        for table in ["COMPUTED", "ROWLESS", "OTHERKEY", "DESCENDING", "SEEN", "ABSENT"] {
            #expect(try Readers(path, table, ["A"]) == nil, "\(table)")
        }
        #expect(try Readers(path, "T", ["Z_PK"]) == nil)
    }

    @Test func `texts in UTF-16 are left to SQLite`() throws {
        try SQLiteFile(path).run("PRAGMA encoding='UTF-16'; CREATE TABLE T (Z_PK INTEGER PRIMARY KEY, A)")
        #expect(StorePages(path: path) == nil)
    }

    @Test func `no damage of pages brings the reader down`() throws {
        try SQLiteFile(path).run(
            """
            PRAGMA page_size=512; CREATE TABLE T (Z_PK INTEGER PRIMARY KEY, A, B);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
            INSERT INTO T SELECT i * 3, 'row ' || i, i / 7.0 FROM n;
            """)
        let whole = try Data(contentsOf: URL(filePath: path))
        let connection = try SQLiteConnection(path: path, mode: .immutable)
        let format = try #require(try TableFormat("T", on: connection))
        var random = SystemRandomNumberGenerator()
        for round in 0..<400 {
            var bytes = whole
            for _ in 0..<40 {
                let place = Int.random(in: 100..<bytes.count, using: &random)
                bytes[place] = Bool.random() ? 0xFF : UInt8.random(in: 0...255, using: &random)
            }
            if round % 4 == 0 { bytes.removeLast(Int.random(in: 1..<bytes.count - 100, using: &random)) }
            let damaged = folder.appending(path: "damaged").path
            try bytes.write(to: URL(filePath: damaged))
            let pages = try #require(StorePages(path: damaged))
            let reader = try #require(
                TableReader(format, columns: ["A", "B"], pages: pages.cache, reservedSize: 0))
            for key in stride(from: Int64(-3), to: 1300, by: 1) where reader.find(key) {
                _ = Self.values(reader, 2)
            }
        }
    }
}
