/// A pattern of paths in the syntax of the URLPattern standard: `/movie/:name`, `/:kind(movie|member)/*`.
///
/// It covers the whole path, with case. Matching takes time linear in the path, whatever the pattern: patterns of text,
/// names and a last wildcard are matched step by step, all others by RE2.
struct PathPattern: Sendable {
    /// The pattern as it is written in the configuration.
    let source: String
    /// The names of the groups, in order; those without a name are `0`, `1` and so on.
    let names: [String]
    /// What the pattern consists of.
    let parts: [PathPatternPart]
    private let matcher: Matcher

    private enum Matcher: Sendable {
        case steps(PathSteps)
        case expression(RegularExpression, isEmptyAbsent: [Bool])
    }

    init(_ source: String) throws(PathPatternError) {
        let parts = try PathPatternParser.parts(of: source)
        self.source = source
        self.parts = parts
        names = parts.compactMap(\.name)
        if let steps = PathSteps(parts) {
            matcher = .steps(steps)
        } else {
            let groups = parts.filter { $0.name != nil }
            matcher = .expression(try PathExpression.compiled(parts), isEmptyAbsent: groups.map(\.isEmptyAbsent))
        }
    }

    /// Where each group stands in a path, percent-encoded; a group in an optional part that is absent is nil.
    func match(_ path: Span<UInt8>) -> [Range<Int>?]? {
        switch matcher {
        case .steps(let steps): return steps.match(path)
        case .expression(let expression, let isEmptyAbsent):
            guard var groups = expression.match(path) else { return nil }
            for index in groups.indices where isEmptyAbsent[index] && groups[index]?.isEmpty == true {
                groups[index] = nil
            }
            return groups
        }
    }

    /// The text of each group, percent-decoded once; one whose bytes are not UTF-8 keeps its percent-encoding.
    func captures(in path: Span<UInt8>) -> [String?]? {
        guard let groups = match(path) else { return nil }
        return groups.map { group in group.map { PercentDecoding.text(path.extracting($0)) } }
    }
}

extension PathPatternPart {
    /// Whether the group is absent where it has taken nothing: an optional part is never there for nothing.
    fileprivate var isEmptyAbsent: Bool { modifier == .optional && prefix.isEmpty && suffix.isEmpty }
}
