/// A piece of literal text that is searched for in linear time (Knuth, Morris and Pratt).
struct Literal<Element: Equatable & Sendable>: Sendable {
    let elements: [Element]
    /// For each length of a matched beginning, the longest shorter beginning that is also its end.
    private let fallbacks: [Int]

    init(_ elements: [Element]) {
        self.elements = elements
        var fallbacks = [0]
        var matched = 0
        for element in elements.dropFirst() {
            while matched > 0, elements[matched] != element { matched = fallbacks[matched - 1] }
            if elements[matched] == element { matched += 1 }
            fallbacks.append(matched)
        }
        self.fallbacks = fallbacks
    }

    var count: Int { elements.count }

    /// Whether the literal stands at `start`.
    func stands(in text: Span<Element>, at start: Int) -> Bool {
        guard start >= 0, start + count <= text.count else { return false }
        for index in 0..<count where text[start + index] != elements[index] { return false }
        return true
    }

    /// Where the literal, which is not empty, stands first at or after `start`.
    func first(in text: Span<Element>, from start: Int) -> Int? {
        var matched = 0
        var index = start
        while index < text.count {
            while matched > 0, elements[matched] != text[index] { matched = fallbacks[matched - 1] }
            if elements[matched] == text[index] { matched += 1 }
            index += 1
            if matched == count { return index - count }
        }
        return nil
    }
}
