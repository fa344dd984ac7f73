import AMQP
import Activities
import Testing

@testable import DeadLetters

struct FieldValueTests {
    private func json(_ value: FieldValue) -> String {
        var writer = JSONWriter()
        value.write(to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test func `every type of a header has a form in JSON`() {
        #expect(json(.text(Array("é\u{1B}".utf8))) == #""é\u001b""#)
        #expect(json(.text([0xFF])) == #"{"base64":"/w=="}"#)
        #expect(json(.bytes([1, 2])) == #"{"base64":"AQI="}"#)
        #expect(json(.flag(true)) == "true")
        #expect(json(.number(.min)) == "-9223372036854775808")
        #expect(json(.large(.max)) == "18446744073709551615")
        #expect(json(.real(1.5)) == "1.5")
        #expect(json(.real(.nan)) == "null")
        #expect(json(.decimal(digits: 5, places: 3)) == #""0.005""#)
        #expect(json(.decimal(digits: 12345, places: 2)) == #""123.45""#)
        #expect(json(.decimal(digits: 7, places: 0)) == #""7""#)
        #expect(json(.timestamp(1)) == "1")
        #expect(json(.void) == "null")
        #expect(json(.table([Field("a", .array([.number(1), .table([])]))])) == #"{"a":[1,{}]}"#)
        #expect(json(.omitted) == #""(nested too deep)""#)
    }
}
