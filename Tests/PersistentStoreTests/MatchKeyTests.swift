import FoundationEssentials
import Testing

@testable import PersistentStore

struct MatchKeyTests {
    static func sought(_ value: PredicateValue, _ type: AttributeType) -> MatchKey? {
        MatchKey(sought: value, type: type, folding: TextFolding())
    }

    static func stored(_ value: AttributeValue, _ type: AttributeType) -> MatchKey? {
        MatchKey(stored: value, type: type, folding: TextFolding())
    }

    @Test(arguments: [
        (PredicateValue.boolean(true), AttributeValue.integer(1), AttributeType.integer16),
        (.boolean(true), .boolean(true), .boolean), (.integer(0), .boolean(false), .boolean),
        (.integer(2), .number(2), .double), (.number(2), .integer(2), .integer64),
        (.string("-12"), .integer(-12), .integer64), (.string("7.0"), .integer(7), .integer32),
        (.string("0.1"), .number(Double(Float(0.1))), .float), (.number(0.1), .number(Double(Float(0.1))), .float),
        (.string("3.3333333333"), .number(3.3333333332999993), .decimal),
        (.string("9223372036854775807"), .integer(.max), .integer64), (.null, .null, .string),
        (.string("Ame\u{301}lie"), .string("Am\u{e9}lie"), .string), (.string("http://a"), .string("http://a"), .uri),
        (.string("2001-01-01T01:00:00+01:00"), .date(0), .date), (.string("2001-01-01T00:00:00.5Z"), .date(0.5), .date),
    ])
    func `a value equals a stored one of its type`(value: PredicateValue, stored: AttributeValue, type: AttributeType) {
        #expect(Self.sought(value, type) != nil)
        #expect(Self.sought(value, type) == Self.stored(stored, type))
    }

    @Test(arguments: [
        (PredicateValue.string("1"), AttributeType.boolean), (.string("1e3"), .double), (.string("+1"), .integer64),
        (.string(" 1"), .integer64), (.string(".5"), .double), (.string("5."), .double), (.string(""), .integer64),
        (.string("0x10"), .integer64), (.string("nan"), .double), (.integer(1), .string), (.boolean(true), .string),
        (.integer(1), .date), (.string("2026-02-30T00:00:00Z"), .date), (.string("2026-02-03"), .date),
        (.string("not-a-uuid"), .uuid), (.integer(1), .uuid), (.string("x"), .binary), (.number(.nan), .double),
        (.number(.infinity), .double),
    ])
    func `a value that is not written as the type equals nothing`(value: PredicateValue, type: AttributeType) {
        #expect(Self.sought(value, type) == nil)
    }

    @Test func `a UUID is found by its text in any case`() throws {
        let uuid = try #require(UUID(uuidString: "0D8A1C7E-9E2B-4F5D-8C3A-1B2C3D4E5F60"))
        for text in [uuid.uuidString, uuid.uuidString.lowercased()] {
            #expect(Self.sought(.string(text), .uuid) == Self.stored(.uuid(uuid), .uuid))
        }
    }

    @Test func `bytes and numbers that are not numbers equal nothing`() {
        #expect(Self.stored(.binary([1]), .binary) == nil)
        #expect(Self.stored(.number(.nan), .double) == nil)
        #expect(Self.stored(.externalDataMissing("X"), .binary) == nil)
    }
}
