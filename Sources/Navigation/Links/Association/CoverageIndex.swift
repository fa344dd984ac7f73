/// Finds an earlier rule that takes all that a rule takes, without comparing each rule with every other.
///
/// Only literal text matches literal text that it was not made for, so a rule covers another one only where each piece
/// of its own literal text stands in the other's. Rules are kept under their longest piece.
struct CoverageIndex {
    /// Which text of a URL a piece belongs to.
    private enum Part: Hashable {
        case path
        case query
        case item([UInt8])
        case fragment
    }

    private struct Key: Hashable {
        let part: Part
        let piece: ArraySlice<UInt8>
    }

    /// Beyond this, a file that was made to be slow would keep `check` busy; real ones need a few thousand.
    private static let comparisonCountMax = 1 << 20

    private let rules: [AssociationRule]
    /// The rules by their longest piece; the rules of the others that no earlier rule covers.
    private var byPiece: [Key: [Int]] = [:]
    private var withoutPiece: [Int] = []
    /// The lengths of the pieces of each part.
    private var lengths: [Part: Set<Int>] = [:]
    private var comparisonCount = 0

    init(_ rules: [AssociationRule]) {
        self.rules = rules
    }

    /// Whether every comparison has been made that was called for.
    var isComplete: Bool { comparisonCount < Self.comparisonCountMax }

    /// The first rule before the one at `index` that covers it; each rule is asked for once, in order.
    mutating func takeCovering(of index: Int) -> AssociationRule? {
        let rule = rules[index]
        var covering: Int?
        for candidate in isComplete ? candidates(for: rule) : [] where isComplete {
            comparisonCount += 1
            guard rules[candidate].covers(rule) else { continue }
            covering = candidate
            break
        }
        insert(rule, at: index, isCovered: covering != nil)
        return covering.map { rules[$0] }
    }

    private func candidates(for rule: AssociationRule) -> [Int] {
        var found = Set(withoutPiece)
        // Of several patterns of a path, a rule that covers all covers the first.
        for (part, patterns) in Self.texts(of: rule) {
            guard let lengths = lengths[part] else { continue }
            for literal in patterns[0].literals {
                for length in lengths where length <= literal.count {
                    for start in 0...(literal.count - length) {
                        let key = Key(part: part, piece: literal[start..<(start + length)])
                        if let rules = byPiece[key] { found.formUnion(rules) }
                    }
                }
            }
        }
        return found.sorted()
    }

    private mutating func insert(_ rule: AssociationRule, at index: Int, isCovered: Bool) {
        var best: (part: Part, pieces: [[UInt8]], length: Int)?
        for (part, patterns) in Self.texts(of: rule) {
            let pieces = patterns.compactMap { $0.literals.max { $0.count < $1.count } }
            guard pieces.count == patterns.count, let length = pieces.map(\.count).min(), length > best?.length ?? 0
            else { continue }
            best = (part, pieces, length)
        }
        guard let best else {
            // What such a rule covers, the one that covers it covers as well.
            if !isCovered { withoutPiece.append(index) }
            return
        }
        for piece in best.pieces {
            byPiece[Key(part: best.part, piece: piece[...]), default: []].append(index)
            lengths[best.part, default: []].insert(piece.count)
        }
    }

    /// The patterns of each text that the rule asks for; those of a path are alternatives.
    private static func texts(of rule: AssociationRule) -> [(Part, [WildcardPattern])] {
        var texts: [(Part, [WildcardPattern])] = []
        if let path = rule.path { texts.append((.path, path)) }
        switch rule.query {
        case nil: break
        case .whole(let pattern): texts.append((.query, [pattern]))
        case .items(let items): texts += items.map { (.item($0.name), [$0.pattern]) }
        }
        if let fragment = rule.fragment { texts.append((.fragment, [fragment])) }
        return texts
    }
}

extension WildcardPattern {
    /// The pieces of literal text.
    fileprivate var literals: [[UInt8]] {
        tokens.compactMap { if case .literal(let bytes) = $0 { bytes } else { nil } }
    }
}
