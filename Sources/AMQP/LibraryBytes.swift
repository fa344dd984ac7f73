internal import CRabbitMQ

extension amqp_bytes_t {
    /// The bytes, valid as long as the library's buffer is.
    var buffer: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : len) }

    /// The text without control characters, for people; invalid UTF-8 is repaired.
    var printableText: String {
        let text = unsafe String(decoding: buffer, as: UTF8.self)
        guard text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            result.append(scalar.value < 0x20 || scalar.value == 0x7F ? " " : scalar)
        }
        return String(result)
    }

    func equals(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { unsafe buffer.elementsEqual($0) }
    }
}

extension amqp_field_value_t {
    var isText: Bool { unsafe kind == UInt8(ascii: "S") || kind == UInt8(ascii: "x") }
}
