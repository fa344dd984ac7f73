internal import Activities

/// The values of a component, or of `defaults`; nil for one that is absent or has a type that iOS ignores.
struct ComponentValues {
    /// The value of the key `?`.
    enum Query {
        case whole(String)
        case items([(name: String, pattern: String)])
        /// A dictionary with a value that is no text: iOS then ignores all of it.
        case any
    }

    var path: String?
    var query: Query?
    var fragment: String?
    var exclude: Bool?
    var caseSensitive: Bool?
    var percentEncoded: Bool?
    var comment: String?

    /// The keys that iOS knows.
    static let keys = ["/", "?", "#", "exclude", "caseSensitive", "percentEncoded", "comment"]

    init(_ json: JSONValue?) {
        guard let json else { return }
        path = json["/"]?.string
        query = json["?"].flatMap(Self.query)
        fragment = json["#"]?.string
        exclude = json["exclude"].flatMap(Self.flag)
        caseSensitive = json["caseSensitive"].flatMap(Self.flag)
        percentEncoded = json["percentEncoded"].flatMap(Self.flag)
        comment = json["comment"]?.string
    }

    /// An entry of `paths`; with `NOT ` before it, it excludes.
    init(legacyPath text: String) {
        let excludes = text.hasPrefix("NOT ")
        path = excludes ? String(text.dropFirst(4)) : text
        query = .any
        fragment = "*"
        exclude = excludes
    }

    private static func query(_ json: JSONValue) -> Query? {
        if let text = json.string { return .whole(text) }
        guard json.kind == .object else { return nil }
        var items: [(name: String, pattern: String)] = []
        for (name, value) in json.members {
            guard let pattern = value.string else { return .any }
            items.append((name, pattern))
        }
        return .items(items)
    }

    /// Property lists have one type for numbers and Booleans, and so has iOS.
    private static func flag(_ json: JSONValue) -> Bool? {
        json.boolean ?? json.double.map { $0 != 0 }
    }

    /// These values, and the others where these are absent.
    func merged(over other: ComponentValues) -> ComponentValues {
        var merged = self
        merged.path = path ?? other.path
        merged.query = query ?? other.query
        merged.fragment = fragment ?? other.fragment
        merged.exclude = exclude ?? other.exclude
        merged.caseSensitive = caseSensitive ?? other.caseSensitive
        merged.percentEncoded = percentEncoded ?? other.percentEncoded
        return merged
    }
}

extension PatternCompiler {
    /// A path's patterns; nil where any path will do.
    ///
    /// Slashes at the ends do not count, and a pattern that ends in `/*` also takes the path before that.
    mutating func path(_ text: String, caseSensitive: Bool) -> [WildcardPattern]? {
        let inner = LinkTexts.withoutOuterSlashes(Array(text.utf8)[...])
        let pattern = pattern(String(decoding: inner, as: UTF8.self), caseSensitive: caseSensitive)
        if pattern.tokens == [.run] { return nil }
        guard inner.suffix(2).elementsEqual("/*".utf8) else { return [pattern] }
        let parent = String(decoding: LinkTexts.withoutOuterSlashes(inner.dropLast(2)), as: UTF8.self)
        return [pattern, self.pattern(parent, caseSensitive: caseSensitive)]
    }

    mutating func query(_ values: ComponentValues.Query, caseSensitive: Bool) -> AssociationRule.Query? {
        switch values {
        case .any: return nil
        case .whole(let text): return unlessAnything(text, caseSensitive: caseSensitive).map { .whole($0) }
        case .items(let items):
            var compiled: [(name: [UInt8], pattern: WildcardPattern)] = []
            for (name, text) in items {
                guard let pattern = unlessAnything(text, caseSensitive: caseSensitive) else { continue }
                let bytes = Array(name.utf8)
                compiled.append((caseSensitive ? bytes : CaseFolding.folded(bytes.span), pattern))
            }
            return compiled.isEmpty ? nil : .items(compiled)
        }
    }

    /// A pattern; nil where it takes any text.
    mutating func unlessAnything(_ text: String, caseSensitive: Bool) -> WildcardPattern? {
        let pattern = pattern(text, caseSensitive: caseSensitive)
        return pattern.tokens == [.run] ? nil : pattern
    }
}
