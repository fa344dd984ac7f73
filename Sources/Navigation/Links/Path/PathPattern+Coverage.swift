extension PathPattern {
    /// The most paths that are tried.
    private static let sampleCountMax = 200

    /// Whether the pattern matches every path that the other one matches; false where that is not plain.
    ///
    /// The other's groups are filled with text that only groups match, in each way that makes a difference. A pattern
    /// with a regular expression covers only itself.
    func covers(_ other: PathPattern) -> Bool {
        if source.utf8.elementsEqual(other.source.utf8) { return true }
        guard !parts.contains(where: \.isExpression), let samples = other.samples else { return false }
        return samples.allSatisfy { match($0.span) != nil }
    }

    /// Paths that the pattern may match; nil for too many.
    private var samples: [[UInt8]]? {
        var samples: [[UInt8]] = [[]]
        for part in parts {
            samples = samples.flatMap { start in part.samples.map { start + $0 } }
            if samples.count > Self.sampleCountMax { return nil }
        }
        return samples
    }

    /// Whether the group of that index may be absent.
    func isOptional(group index: Int) -> Bool {
        let group = parts.filter { $0.name != nil }[index]
        return group.modifier == .optional || group.modifier == .zeroOrMore
    }

    /// The text before the first group.
    var literalPrefix: [UInt8] {
        guard let first = parts.first, first.modifier == nil else { return [] }
        return first.prefix
    }
}

extension PathPatternPart {
    fileprivate var isExpression: Bool {
        if case .expression = kind { true } else { false }
    }

    fileprivate var samples: [[UInt8]] {
        // A control character, which no path has.
        let fillings: [String] =
            switch kind {
            case .fixed: [""]
            case .segment: ["\u{1}"]
            // What an expression matches is not known: it is taken for anything.
            case .anything, .expression: ["", "\u{1}", "/", "\u{1}/\u{1}", "\u{1}/\u{1}/\u{1}/\u{1}/\u{1}/\u{1}"]
            }
        let once = fillings.map { prefix + Array($0.utf8) + suffix }
        switch modifier {
        case nil: return once
        case .optional: return [[]] + once
        case .oneOrMore: return once + once.map { $0 + $0 }
        case .zeroOrMore: return [[]] + once + once.map { $0 + $0 }
        }
    }
}
