/// One item of a URL's query, `NAME=VALUE`, by where its parts stand; the value of an item without `=` is empty.
struct QueryItem: Sendable {
    let name: Range<Int>
    let value: Range<Int>
}

extension LinkURL {
    /// The items of the query, which `&` separates, in order.
    ///
    /// There are no empty ones, and a `+` is a `+`.
    var queryItems: [QueryItem] {
        guard let query else { return [] }
        let bytes = self.bytes.span
        var items: [QueryItem] = []
        var start = query.lowerBound
        while start < query.upperBound {
            var end = start
            var equals: Int?
            while end < query.upperBound, bytes[end] != UInt8(ascii: "&") {
                if equals == nil, bytes[end] == UInt8(ascii: "=") { equals = end }
                end += 1
            }
            if end > start {
                let value = equals.map { ($0 + 1)..<end } ?? end..<end
                items.append(QueryItem(name: start..<(equals ?? end), value: value))
            }
            start = end + 1
        }
        return items
    }

    /// The value of the first item of that name; both are percent-decoded once.
    func firstQueryValue(named name: String) -> String? {
        guard let item = queryItems.first(where: { PercentDecoding.text(part($0.name), equals: name) }) else {
            return nil
        }
        return PercentDecoding.text(bytes.span.extracting(item.value))
    }

    private func part(_ range: Range<Int>) -> ArraySlice<UInt8> { bytes[range] }
}

extension PercentDecoding {
    /// Whether the text, percent-decoded, has just the bytes of the other.
    static func text(_ encoded: ArraySlice<UInt8>, equals other: String) -> Bool {
        guard encoded.contains(UInt8(ascii: "%")) else { return encoded.elementsEqual(other.utf8) }
        return text(encoded.span).utf8.elementsEqual(other.utf8)
    }
}
