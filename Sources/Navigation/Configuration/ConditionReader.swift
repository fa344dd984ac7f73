/// Reads the conditions of one activity rule.
struct ConditionReader {
    /// The keys of conditions in a rule.
    static let keys = [
        "title", "userInfo", "persistentIdentifier", "targetContentIdentifier", "contextIdentifierPath",
    ]

    private let diagnostics: Diagnostics
    private var patterns: PatternReader

    init(_ diagnostics: Diagnostics) {
        self.diagnostics = diagnostics
        patterns = PatternReader(diagnostics)
    }

    /// The names captured by the conditions that were read, in order.
    var captures: [String] { patterns.captures }

    /// The conditions, in the order in which they are judged; nil, with an error, where one is wrong.
    mutating func conditions(_ reader: MappingReader) -> [Condition]? {
        var conditions: [Condition?] = []
        if let node = reader["title"] {
            conditions.append(patterns.pattern(node, "The value of title").map { .title($0) })
        }
        if let node = reader["persistentIdentifier"] {
            let pattern = patterns.pattern(node, "The value of persistentIdentifier")
            conditions.append(pattern.map { .persistentIdentifier($0) })
        }
        if let node = reader["targetContentIdentifier"] {
            let pattern = patterns.pattern(node, "The value of targetContentIdentifier")
            conditions.append(pattern.map { .targetContentIdentifier($0) })
        }
        for member in reader["userInfo"]?.members("The value of userInfo", diagnostics) ?? [] {
            conditions.append(userInfo(member))
        }
        if let node = reader["contextIdentifierPath"] {
            conditions.append(contextPath(node))
        }
        let complete = conditions.compactMap { $0 }
        return complete.count == conditions.count ? complete : nil
    }

    private mutating func userInfo(_ member: YAMLMember) -> Condition? {
        guard !member.key.isEmpty else {
            diagnostics.report(at: member.position, "A key of userInfo must not be empty.")
            return nil
        }
        let what = "The condition on the key \(member.key) of userInfo"
        return patterns.pattern(member.value, what).map { .userInfo(UserInfoKey(member.key), $0) }
    }

    private mutating func contextPath(_ node: YAMLNode) -> Condition? {
        let nodes = node.elements("The value of contextIdentifierPath", diagnostics)
        var read: [TextPattern] = []
        for node in nodes {
            guard let pattern = patterns.pattern(node, "A step of contextIdentifierPath") else { return nil }
            read.append(pattern)
        }
        guard case .sequence = node.content else { return nil }
        return .contextIdentifierPath(read)
    }
}
