/// The literal text at the start of each rule's path, side by side, so that most rules are passed over without being
/// looked at.
struct PathPrefixes: Sendable {
    private struct Prefix: Sendable {
        let start: Int
        let count: Int
    }

    private var bytes: [UInt8] = []
    private var prefixes: [Prefix] = []

    init(_ rules: [AssociationRule]) {
        for rule in rules {
            let prefix = Self.prefix(of: rule)
            prefixes.append(Prefix(start: bytes.count, count: prefix.count))
            bytes += prefix
        }
    }

    /// The text with which every path begins that the rule takes; empty where that is none, or not plain.
    private static func prefix(of rule: AssociationRule) -> [UInt8] {
        guard rule.form == AssociationRule.Form(), let path = rule.path else { return [] }
        var common: [UInt8]?
        for pattern in path {
            guard case .literal(let literal)? = pattern.tokens.first else { return [] }
            common = common.map { zip($0, literal).prefix { $0 == $1 }.map(\.0) } ?? literal
        }
        return common ?? []
    }

    /// The first rule from `index` on whose prefix the path has; the path is taken as it stands in the URL.
    func first(from index: Int, of path: Span<UInt8>) -> Int? {
        let bytes = self.bytes.span
        let prefixes = self.prefixes.span
        var index = index
        while index < prefixes.count {
            let prefix = prefixes[index]
            var matched = 0
            if prefix.count <= path.count {
                while matched < prefix.count, bytes[prefix.start + matched] == path[matched] { matched += 1 }
                if matched == prefix.count { return index }
            }
            index += 1
        }
        return nil
    }
}
