import Testing

@testable import PersistentStore

struct ObjectURITests {
    static let store = "0D8A1C7E-9E2B-4F5D-8C3A-1B2C3D4E5F60"

    @Test(arguments: [Int64(0), 1, 12, .max])
    func `a permanent URI is read and written the same`(key: Int64) throws {
        let text = "x-coredata://\(Self.store)/Movie/p\(key)"
        let uri = try #require(ObjectURI(text))
        #expect(uri == ObjectURI(store: Self.store, entity: "Movie", primaryKey: key))
        #expect(uri.description == text)
    }

    @Test(arguments: [
        "x-coredata://S/Movie/p1", "x-coredata://ST/Movie/p1", "x-coredata://STO/Movie/t1", "x-coredata://S/M/t/S/M/p1",
        "x-coredata:///Movie/t1", "x-coredata://ST//p1", "x-coredata://ST/", "x-coredata://ST", "x-coredata://A/B/p1",
    ])
    func `a URI reads the same whether its store is known or not`(text: String) {
        let known = KnownStores(["ST", "S", "", "A/B"])
        #expect(ObjectURI(reading: text.utf8Span.span, knowing: known) == ObjectURI(text))
    }

    @Test func `a temporary URI may be without a store`() throws {
        let uri = try #require(ObjectURI("x-coredata:///Photo/t1501A281-37E5-44EF-A6F5-91CBA276150042"))
        #expect(uri.store.isEmpty)
        #expect(uri.key == .temporary("1501A281-37E5-44EF-A6F5-91CBA276150042"))
        #expect(uri.description == "x-coredata:///Photo/t1501A281-37E5-44EF-A6F5-91CBA276150042")
    }

    @Test(arguments: [
        "", "x", "x-coredata:", "x-coredata://", "x-coredata:///", "x-coredata:///Movie/p1", "x-coredata://S/Movie",
        "x-coredata://S/Movie/", "x-coredata://S/Movie/p", "x-coredata://S/Movie/t", "x-coredata://S//p1",
        "x-coredata://S/Movie/p01", "x-coredata://S/Movie/p-1", "x-coredata://S/Movie/p+1", "x-coredata://S/Movie/p1 ",
        "x-coredata://S/Movie/p1/", "x-coredata://S/Movie/P1", "x-coredata://S/Movie/1", "x-coredata://S/Movie/p1a",
        "x-coredata://S/Movie/p9223372036854775808", "x-coredata://S/Movie/p99999999999999999999999",
        "X-COREDATA://S/Movie/p1", " x-coredata://S/Movie/p1", "x-coredata:/S/Movie/p1", "x-coredata://S/A/B/p1",
        "x-coredata://S/Movie/q1", "x-coredata://S/Movie/p١",
    ])
    func `anything else is not an object URI`(text: String) {
        #expect(ObjectURI(text) == nil)
    }

    @Test func `entity names may be any text without a slash`() throws {
        let uri = try #require(ObjectURI("x-coredata://S/Año Größe%20/p7"))
        #expect(uri.entity == "Año Größe%20")
    }

    @Test func `bytes that are not UTF-8 are no URI`() {
        let bytes = Array("x-coredata://S/Mov".utf8) + [0xFF] + Array("ie/p1".utf8)
        #expect(ObjectURI(reading: bytes.span) == nil)
    }
}
