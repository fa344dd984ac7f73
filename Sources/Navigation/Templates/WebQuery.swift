/// The query of a URL, as items `NAME=VALUE` joined by `&`.
enum WebQuery {
    /// The value of the first item of that name, both percent-decoded once; `+` stays `+`.
    ///
    /// An item without `=` has an empty value. A name or value whose bytes are not UTF-8 keeps its percent-encoding.
    static func value(of name: String, in url: String) -> String? {
        let beforeFragment = url.utf8.prefix { $0 != UInt8(ascii: "#") }
        guard let mark = beforeFragment.firstIndex(of: UInt8(ascii: "?")) else { return nil }
        let query = beforeFragment[beforeFragment.index(after: mark)...]
        for item in query.split(separator: UInt8(ascii: "&")) {
            let key = item.prefix { $0 != UInt8(ascii: "=") }
            guard decoded(key).utf8.elementsEqual(name.utf8) else { continue }
            return decoded(item.dropFirst(key.count + 1))
        }
        return nil
    }

    /// The text with each `%XX` replaced by its byte; as it is where the bytes are not UTF-8.
    static func decoded(_ text: Substring.UTF8View) -> String {
        let plain = String(Substring(text))
        guard text.contains(UInt8(ascii: "%")) else { return plain }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = text[...]
        while let byte = rest.first {
            if byte == UInt8(ascii: "%"), let value = byteValue(rest.dropFirst().prefix(2)) {
                bytes.append(value)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
                rest = rest.dropFirst()
            }
        }
        return String(validating: bytes, as: UTF8.self) ?? plain
    }

    private static func byteValue(_ digits: Substring.UTF8View) -> UInt8? {
        guard digits.count == 2, digits.allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }) else {
            return nil
        }
        return UInt8(Substring(digits), radix: 16)
    }
}
