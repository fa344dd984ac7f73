import Foundation
import PersistentStore
import SQLite
import SeededRandom
import StoreTestSupport
import Testing

import struct PersistentStore.Predicate

@testable import CoreDataStore

/// Files that were made to do harm: bounded time and memory, an error or the best answer.
struct HostileTests {
    /// Runs a test's work and expects it to end soon.
    private func soon<Value>(_ work: () throws -> Value) rethrows -> Value {
        let start = ContinuousClock.now
        defer { #expect(ContinuousClock.now - start < .seconds(20) * slowness) }
        return try work()
    }

    @Test func `a model that inflates without end is cut off`() throws {
        let bomb = Deflate.zeros(count: 1 << 26)
        #expect(bomb.count < 1 << 19)
        #expect(throws: RawDeflate.Failure.tooLarge) { try soon { try RawDeflate.inflate(bomb, limit: 32 << 20) } }
        #expect(throws: RawDeflate.Failure.damaged) {
            try RawDeflate.inflate(Array(bomb.dropLast(100)), limit: 1 << 27)
        }
        #expect(throws: RawDeflate.Failure.damaged) { try RawDeflate.inflate([], limit: 100) }
        #expect(ArchivedModel.read(bomb) == nil)
    }

    @Test func `references that explode cost only what is looked at`() throws {
        var list = PlistBuilder()
        // Each array names the next one 1000 times: 1000^20 leaves if it were expanded.
        var inner = list.string("x")
        for _ in 0..<20 { inner = list.array([Int](repeating: inner, count: 1000)) }
        #expect(soon { PropertyListValue(list.bytes(top: inner)) } == nil)
        let bytes = list.bytes(top: inner)
        let reader = try BinaryPropertyList(bytes)
        guard case .array(let members) = try reader.object(at: reader.top) else {
            Issue.record("no array")
            return
        }
        #expect(members.count == 1000)
    }

    @Test func `a list that contains itself ends`() throws {
        var list = PlistBuilder()
        let index = list.reserve()
        _ = list.array([index, index], at: index)
        #expect(soon { PropertyListValue(list.bytes(top: index)) } == nil)
    }

    @Test func `archives with cycles, unknown classes and absurd counts give no model and no crash`() throws {
        for (top, bytes) in try hostileArchives() {
            #expect(soon { ArchivedModel.read(bytes) } == nil, "\(top)")
            #expect(soon { EditorArchive.read(bytes) } == nil, "\(top)")
        }
    }

    private func hostileArchives() throws -> [(String, [UInt8])] {
        var archives: [(String, [UInt8])] = []
        func archive(_ name: String, _ fill: (inout PlistBuilder) -> [Int]) {
            var list = PlistBuilder()
            let members = fill(&list)
            let all = list.array(members)
            let root = list.reference(1)
            let top = list.dictionary(["root": root])
            let outermost = list.dictionary(["$objects": all, "$top": top])
            archives.append((name, list.bytes(top: outermost)))
        }
        archive("a reference to itself") { [$0.string("$null"), $0.reference(1)] }
        archive("a reference to nothing") { [$0.string("$null"), $0.reference(999)] }
        archive("an entity that is its own list of entities") { list in
            let own = list.reference(1)
            let fields = list.dictionary(["NSEntities": own, "NS.keys": own, "NS.objects": own])
            return [list.string("$null"), fields]
        }
        archive("an unknown class") { list in
            let name = list.string("ExecuteEverything")
            let type = list.dictionary(["$classname": name])
            let reference = list.reference(2)
            return [list.string("$null"), list.dictionary(["$class": reference]), type]
        }
        var counted = Array("bplist00".utf8) + [0xaf, 0x13] + bigEndian(Int.max, 8)
        counted += [8, 0, 0, 0, 0, 0, 0, 1, 1] + bigEndian(1, 8) + bigEndian(0, 8) + bigEndian(18, 8)
        archives.append(("a count beyond the file", counted))
        archives.append(("a trailer of ones", Array("bplist00".utf8) + [UInt8](repeating: 255, count: 40)))
        archives.append(("nothing", []))
        return archives
    }

    @Test func `entities that are each other's parents are read as roots`() throws {
        let archive = ArchiveBuilder.archive([
            .init(name: "A", parent: "B"), .init(name: "B", parent: "A"), .init(name: "C", parent: "C"),
        ])
        let model = try #require(soon { ArchivedModel.read(archive) })
        let schema = try StoreSchema(SQLiteConnection(path: ":memory:", mode: .immutable))
        #expect(model.entities.count == 3)
        #expect(NumberedModel(model, schema: schema, isStores: false).absent.count == 3)
    }

    @Test func `a model with very many entities in one chain ends`() throws {
        let entities = (0..<9000).map { ArchiveBuilder.Entity(name: "E\($0)", parent: $0 == 0 ? nil : "E\($0 - 1)") }
        _ = soon { ArchivedModel.read(ArchiveBuilder.archive(entities)) }
    }

    @Test func `flipped bytes in a store never crash it`() throws {
        let folder = try TemporaryFolder()
        let movies = try SyntheticStore.movies(folder.path + "/m.sqlite")
        for key in Int64(1)...40 { try movies.addMovie(key, "Movie \(key)", director: 1) }
        let whole = Array(try Data(contentsOf: URL(fileURLWithPath: movies.path)))
        var generator = SeededGenerator(seed: 7)
        let path = folder.path + "/flipped.sqlite"
        var opened = 0
        try soon {
            for _ in 0..<150 {
                var bytes = whole
                for _ in 0..<Int.random(in: 1...40, using: &generator) {
                    let position = Int.random(in: 0..<bytes.count, using: &generator)
                    bytes[position] = UInt8.random(in: 0...255, using: &generator)
                }
                try Data(bytes).write(to: URL(fileURLWithPath: path))
                guard let file = try? CoreDataFile(path: path) else { continue }
                opened += 1
                let store = file.makeStore()
                let byName = Predicate(entity: "Movie", comparisons: [.init(attribute: "name", ignoresCase: true)])
                store.prepare(
                    FetchPlan(entries: [.init(entity: "Movie", paths: [["name"], ["director", "name"]])]),
                    predicates: [byName])
                _ = try? store.describe()
                _ = store.begin((0..<45).map { .object(entity: "Movie", primaryKey: $0) })
                _ = store.answer(.matching(byName, values: [.string("MOVIE 7")]))
            }
        }
        #expect(opened > 10)
    }

    @Test func `flipped bytes in an archive never crash its reader`() throws {
        let archive = ArchiveBuilder.archive([
            .init(
                name: "Movie", attributes: [.init(name: "name", type: 700), .init(name: "x", type: 300)],
                relationships: [.init(name: "director", destination: "Person")]),
            .init(name: "Person", parent: "Movie"),
        ])
        var generator = SeededGenerator(seed: 3)
        soon {
            for _ in 0..<3000 {
                var bytes = archive
                for _ in 0..<Int.random(in: 1...8, using: &generator) {
                    bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
                        in: 0...255, using: &generator)
                }
                _ = ArchivedModel.read(bytes)
                _ = PropertyListValue(bytes)
            }
        }
    }

    @Test func `XML that nests, repeats or ends too early is refused`() {
        let deep = Array((String(repeating: "<a>", count: 100_000)).utf8)
        #expect(throws: XMLDocument.Failure.self) { try soon { try XMLDocument(deep) } }
        let laughs = Array("<!DOCTYPE m [<!ENTITY a \"&a;&a;\">]><m>&a;</m>".utf8)
        #expect(throws: XMLDocument.Failure.self) { try XMLDocument(laughs) }
        for text in ["", "<", "<a", "<a b", "<a b='", "<a></b>", "<a/><b/>", "<!--", "<![CDATA[", "<?x", "&"] {
            #expect(throws: XMLDocument.Failure.self, "\(text)") { try XMLDocument(Array(text.utf8)) }
        }
    }
}

/// A deflated run of zeros, written bit by bit: one literal and then only longest matches.
private enum Deflate {
    static func zeros(count: Int) -> [UInt8] {
        var writer = BitWriter()
        // The last block, with the fixed codes; the literal 0 is the eight bits 00110000.
        writer.write(bits: [1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0])
        for _ in 0..<(count - 1) / 258 {
            // Length 258 is the code 285 (11000101), distance 1 the code 0 (00000).
            writer.write(bits: [1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0])
        }
        writer.write(bits: [0, 0, 0, 0, 0, 0, 0])
        return writer.bytes
    }

    private struct BitWriter {
        var bytes: [UInt8] = []
        var used = 8

        mutating func write(bits: [UInt8]) {
            for bit in bits {
                if used == 8 {
                    bytes.append(0)
                    used = 0
                }
                bytes[bytes.count - 1] |= bit << UInt8(used)
                used += 1
            }
        }
    }
}
