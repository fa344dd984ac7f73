import Activities
import FoundationEssentials
import Items
import PersistentStore
import Testing

/// The JSON form of items.
struct ItemDecoderTests {
    private static let time = ItemVersion(time: 77)

    private func decode(_ json: String) throws -> [ItemOperation] {
        try ItemDecoder().decode(Array(json.utf8).span, version: Self.time)
    }

    private func complaint(_ json: String) -> String? {
        do {
            _ = try decode(json)
            return nil
        } catch { return "\(error)" }
    }

    @Test func `an item has what a searchable item has`() throws {
        let operations = try decode(
            """
            {"index":[{"uniqueIdentifier":"m1","domainIdentifier":"a.b","entity":"Movie",
              "object":"x-coredata://S/Movie/p7","expirationDate":"2001-01-01T00:00:10Z","version":5,
              "attributeSet":{"b":1,"a":"x","n":null,"k":["y",2]},"unknown":true}]}
            """)
        #expect(
            operations == [
                .index(
                    Item(
                        uniqueIdentifier: "m1", domainIdentifier: "a.b", entity: "Movie",
                        object: ObjectURI(store: "S", entity: "Movie", primaryKey: 7),
                        attributes: [
                            .init("a", .attribute(.string("x"))), .init("b", .attribute(.integer(1))),
                            .init("k", .json(Array(#"["y",2]"#.utf8))),
                        ], expirationDate: 10, version: ItemVersion(given: 5)))
            ])
    }

    @Test func `the entity comes from the object, the object from the identifier`() throws {
        guard case .index(let item) = try decode(#"{"index":{"uniqueIdentifier":"x-coredata://S/Movie/p7"}}"#).first,
            case .index(let plain) = try decode(#"{"index":{"uniqueIdentifier":"x-coredata:///Movie/tABC"}}"#).first
        else {
            Issue.record("no items")
            return
        }
        #expect(item.entity == "Movie" && item.object?.key == .permanent(7) && item.version == Self.time)
        #expect(plain.entity == Item.defaultEntity && plain.object == nil)
    }

    @Test func `deletions, entities and stores come in messages, several in one`() throws {
        let version = ItemVersion(given: 3)
        #expect(try decode(#"{"delete":"all"}"#) == [.deleteAll(Self.time)])
        #expect(try decode(#"{"delete":{"all":true},"version":3}"#) == [.deleteAll(version)])
        #expect(
            try decode(#"[{"delete":{"identifiers":["a","b"],"version":3}},{"delete":{"domainIdentifiers":["d.e"]}}]"#)
                == [.deleteIdentifiers(["a", "b"], version), .deleteDomains(["d.e"], Self.time)])
        let operations = try decode(
            """
            {"index":{"uniqueIdentifier":"a"},"delete":"all","store":"S","version":3,
             "entities":[{"name":"Short","parent":"Movie","attributes":{"minutes":"Integer 16"},
               "relationships":{"director":"Person"},"isAbstract":true,"className":"C"}]}
            """)
        #expect(
            operations == [
                .adopt(store: "S"),
                .declare([
                    EntityDeclaration(
                        name: "Short", parent: "Movie", className: "C", isAbstract: true,
                        attributes: ["minutes": .integer16], relationships: ["director": "Person"])
                ]), .deleteAll(version), .index(Item(uniqueIdentifier: "a", version: version)),
            ])
    }

    @Test(arguments: [
        ("{", "not a JSON document"), ("7", "must be a JSON object"), ("{}", "none of the keys"),
        ("[7]", "Element 0"), ("[{}]", "[0]"), (#"{"index":7}"#, "index must be"), (#"{"index":[7]}"#, "index[0]"),
        (#"{"index":{}}"#, "neither a uniqueIdentifier nor an object"),
        (#"{"index":{"uniqueIdentifier":""}}"#, "index.uniqueIdentifier must be text"),
        (#"{"index":[{"uniqueIdentifier":"a"},{"uniqueIdentifier":7}]}"#, "index[1].uniqueIdentifier"),
        (#"{"index":{"object":"x-coredata:///Movie/tX"}}"#, "index.object must be the URI of a saved object"),
        (#"{"index":{"uniqueIdentifier":"a","version":"5"}}"#, "index.version must be a whole number"),
        (#"{"index":{"uniqueIdentifier":"a","expirationDate":7}}"#, "index.expirationDate"),
        (#"{"index":{"uniqueIdentifier":"a","attributeSet":[]}}"#, "index.attributeSet must be an object"),
        (#"{"index":{"uniqueIdentifier":"a","attributeSet":{"d":{"$date":"today"}}}}"#, "is no date"),
        (#"{"index":{"uniqueIdentifier":"a","entity":"a/b"}}"#, "index.entity must not contain a slash"),
        (#"{"delete":"some"}"#, "delete must be"), (#"{"delete":{}}"#, "delete must be"),
        (#"{"delete":{"identifiers":"a"}}"#, "delete.identifiers must be an array"),
        (#"{"delete":{"identifiers":["a",""]}}"#, "delete.identifiers[1]"),
        (#"{"entities":[{"name":"A","attributes":{"x":"Text"}}]}"#, "entities[0].attributes"),
    ])
    func `a malformed message is told with its place`(json: String, part: String) {
        #expect(complaint(json)?.contains(part) == true, "\(complaint(json) ?? "it was taken")")
    }

    @Test func `what is written is read again`() throws {
        let uuid = try #require(UUID(uuidString: "0D8A1C7E-9E2B-4F5D-8C3A-1B2C3D4E5F60"))
        let values: [AttributeValue] = [
            .boolean(true), .integer(.min), .number(2), .number(1e300), .number(-0.1), .number(.infinity),
            .string("é\n\""),
            .date(0.5), .date(1.0 / 3), .date(1e12), .uuid(uuid), .binary([0, 1, 255]), .binary([]),
            .object(ObjectURI(store: "S", entity: "Movie", primaryKey: 7)),
        ]
        let item = Item(
            uniqueIdentifier: "a", domainIdentifier: "b", entity: "E",
            attributes: values.enumerated().map { .init("v\($0 + 10)", .attribute($1)) }
                + [.init("z", .json(Array(#"{"a":[1,{}]}"#.utf8)))],
            expirationDate: 1.5, version: ItemVersion(given: 9))
        var writer = JSONWriter()
        writer.item(item)
        let json = String(decoding: writer.bytes, as: UTF8.self)
        #expect(try decode(#"{"index":[\#(json)]}"#) == [.index(item)], "\(json)")
    }

    @Test func `a newer version replaces, an equal one only if it is a time`() {
        #expect(ItemVersion(given: 5).replaces(4) && !ItemVersion(given: 5).replaces(5))
        #expect(ItemVersion(time: 5).replaces(5) && !ItemVersion(time: 5).replaces(6))
    }
}
