/// One rule of an association file: a component, or an entry of `paths`.
struct AssociationRule: Sendable {
    /// How the texts of a URL are taken before they meet the patterns.
    struct Form: Sendable, Hashable {
        var caseSensitive = true
        /// Whether texts are compared as they stand in the URL; otherwise they are percent-decoded first.
        var percentEncoded = true
    }

    /// What the query must be.
    enum Query: Sendable {
        /// The whole query, without its question mark.
        case whole(WildcardPattern)
        /// Each item of these names; one that is absent is empty text, and of several each must match.
        case items([(name: [UInt8], pattern: WildcardPattern)])
    }

    /// What a rule failed by.
    enum Failure: Sendable, Hashable {
        case path
        case query
        /// The item of that name.
        case queryItem(String)
        case fragment
    }

    /// Where the rule stands in the file, for example `applinks.details[0].components[2]`.
    let place: String
    /// Where it stands in the file's text.
    let position: TextPosition
    /// Whether a URL that matches is kept out of the app.
    let excludes: Bool
    let form: Form
    /// The patterns of the path without slashes at its ends, of which one must match; nil where any path will do.
    let path: [WildcardPattern]?
    /// Nil where any query will do.
    let query: Query?
    /// Nil where any fragment will do.
    let fragment: WildcardPattern?
    /// The author's comment.
    let comment: String?

    /// Whether the rule takes every URL.
    var takesEverything: Bool { path == nil && query == nil && fragment == nil }

    /// The first condition that does not hold; nil for a rule that matches.
    func failure(of texts: LinkTexts, _ variables: [SubstitutionVariable]) -> Failure? {
        if let path {
            let written = texts.path.span
            var matches = false
            for pattern in path where !matches { matches = pattern.matches(written, variables) }
            if !matches { return .path }
        }
        switch query {
        case nil: break
        case .whole(let pattern): if !pattern.matches(texts.query.span, variables) { return .query }
        case .items(let items):
            for (name, pattern) in items where !texts.items(named: name, match: pattern, variables) {
                return .queryItem(String(decoding: name, as: UTF8.self))
            }
        }
        if let fragment, !fragment.matches(texts.fragment.span, variables) { return .fragment }
        return nil
    }
}

/// The texts of a URL that association rules look at, in one form.
struct LinkTexts {
    let form: AssociationRule.Form
    /// The path without slashes at its ends.
    let path: [UInt8]
    private let url: LinkURL

    init(_ url: LinkURL, _ form: AssociationRule.Form) {
        self.url = url
        self.form = form
        path = Self.withoutOuterSlashes(Self.text(url, url.path, form)[...])
    }

    /// The query; empty where it is absent.
    var query: [UInt8] { Self.text(url, url.query, form) }

    /// The fragment; empty where it is absent.
    var fragment: [UInt8] { Self.text(url, url.fragment, form) }

    /// Whether each query item of the name matches; one that is absent is empty text.
    func items(named name: [UInt8], match pattern: WildcardPattern, _ variables: [SubstitutionVariable]) -> Bool {
        var isPresent = false
        for item in url.queryItems where Self.text(url, item.name, form) == name {
            isPresent = true
            guard pattern.matches(Self.text(url, item.value, form).span, variables) else { return false }
        }
        let absent: [UInt8] = []
        return isPresent || pattern.matches(absent.span, variables)
    }

    private static func text(_ url: LinkURL, _ range: Range<Int>?, _ form: AssociationRule.Form) -> [UInt8] {
        guard let range else { return [] }
        let written = url.bytes.span.extracting(range)
        let text = (form.percentEncoded ? nil : PercentDecoding.utf8(written)) ?? Array(url.bytes[range])
        return form.caseSensitive ? text : CaseFolding.folded(text.span)
    }

    /// What is between the slashes at the ends.
    static func withoutOuterSlashes(_ path: ArraySlice<UInt8>) -> [UInt8] {
        let start = path.drop { $0 == UInt8(ascii: "/") }
        let end = start.lastIndex { $0 != UInt8(ascii: "/") }
        return end.map { Array(start[...$0]) } ?? []
    }
}
