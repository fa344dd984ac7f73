public import Activities

/// How an answer came about: what the activity was taken for, how each rule was judged, and what was looked up.
public struct Explanation: Sendable, Hashable {
    /// How one rule was judged.
    public struct Judgement: Sendable, Hashable {
        /// What became of the rule.
        public enum Outcome: String, Sendable, Hashable {
            /// The rule took the activity, or the identifier.
            case matched
            /// The rule did not.
            case failed
            /// An earlier rule had matched.
            case notReached
        }

        /// The rule, as a path into the configuration.
        public let rule: String
        /// The rule's line in the configuration.
        public let line: Int
        /// What became of it.
        public let outcome: Outcome
        /// The condition that failed and what it met; nil unless the rule failed.
        public let why: String?
    }

    /// What was looked up, and what was found.
    public struct LookUp: Sendable, Hashable {
        /// The URI, or the predicate with its values.
        public let query: String
        /// The answer, in words.
        public internal(set) var answer: String
    }

    /// The link that was judged, and whether it is the app's.
    public struct Link: Sendable, Hashable {
        /// How one rule of the domain's association file was judged.
        public struct AssociationRule: Sendable, Hashable {
            /// The rule, as a path into the association file.
            public let rule: String
            /// The rule's line in the association file.
            public let line: Int
            /// What became of it; rules behind the one that matched are not there.
            public let outcome: Judgement.Outcome
            /// The part of the URL that did not match; nil unless the rule failed.
            public let why: String?
            /// The author's comment in the file.
            public let comment: String?
        }

        /// The URL in the form in which it is judged.
        public let url: String
        /// Whether it is the app's, in a sentence.
        public internal(set) var verdict = ""
        /// The rules of the association file that were looked at, in order.
        public internal(set) var associationRules: [AssociationRule] = []
    }

    /// The app whose rules were applied, `default` for that of requests that choose none; nil where there is one app.
    public internal(set) var app: String?
    /// What the activity was taken for.
    public internal(set) var kind: NavigationCommand.Kind = .userActivity
    /// The identifier that was resolved, with what it is: an object URI, or text.
    public internal(set) var identifier: String?
    /// What the identifier was taken for.
    public internal(set) var identifierForm: String?
    /// The link, where the activity carries one and the configuration has links.
    public internal(set) var link: Link?
    /// The rules that the activity or its identifier could have, in the order in which they are judged.
    public internal(set) var rules: [Judgement] = []
    /// The look-up, where there was one.
    public internal(set) var lookUp: LookUp?

    /// Writes the explanation as a JSON object with sorted keys.
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if let app {
            writer.key("app")
            writer.string(app)
        }
        if let identifier {
            writer.key("identifier")
            writer.string(identifier)
        }
        if let identifierForm {
            writer.key("identifierForm")
            writer.string(identifierForm)
        }
        writer.key("kind")
        writer.string(kind.rawValue)
        if let link {
            writer.key("link")
            link.write(to: &writer)
        }
        if let lookUp {
            writer.key("lookUp")
            writer.beginObject()
            writer.key("answer")
            writer.string(lookUp.answer)
            writer.key("query")
            writer.string(lookUp.query)
            writer.endObject()
        }
        writer.key("rules")
        writer.beginArray()
        for judgement in rules { judgement.write(to: &writer) }
        writer.endArray()
        writer.endObject()
    }
}

extension Explanation.Judgement {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("line")
        writer.integer(line)
        writer.key("outcome")
        writer.string(outcome.rawValue)
        writer.key("rule")
        writer.string(rule)
        if let why {
            writer.key("why")
            writer.string(why)
        }
        writer.endObject()
    }
}

extension Explanation.Judgement {
    /// The judgement for people.
    fileprivate var sentence: String {
        let verdict =
            switch outcome {
            case .matched: "matched"
            case .failed: "did not match" + (why.map { ": \($0)" } ?? "")
            case .notReached: "was not reached"
            }
        return "\(rule) (line \(line)) \(verdict)."
    }
}

extension Explanation.Link {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("associationRules")
        writer.beginArray()
        for rule in associationRules { rule.write(to: &writer) }
        writer.endArray()
        writer.key("url")
        writer.string(url)
        writer.key("verdict")
        writer.string(verdict)
        writer.endObject()
    }
}

extension Explanation.Link.AssociationRule {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if let comment {
            writer.key("comment")
            writer.string(comment)
        }
        writer.key("line")
        writer.integer(line)
        writer.key("outcome")
        writer.string(outcome.rawValue)
        writer.key("rule")
        writer.string(rule)
        if let why {
            writer.key("why")
            writer.string(why)
        }
        writer.endObject()
    }
}

extension Explanation: CustomStringConvertible {
    /// The explanation for people: a line for each step.
    public var description: String {
        var lines = [kind == .searchResult ? "A search result." : "A user activity."]
        if let app { lines.append("The app is \(app).") }
        if let identifier, let identifierForm { lines.append("The identifier \(identifier) is \(identifierForm).") }
        if let link {
            lines.append("The link is \(link.url).")
            for rule in link.associationRules {
                let comment = rule.comment.map { " (\($0))" } ?? ""
                let verdict = rule.outcome == .matched ? "matched" : "did not match: \(rule.why ?? "")"
                lines.append("\(rule.rule) (line \(rule.line))\(comment) \(verdict).")
            }
            lines.append(link.verdict)
        }
        // Entities' rules are judged when the object is known.
        let isEntityRule = { (judgement: Judgement) in judgement.rule.hasPrefix("entities.") }
        lines += rules.filter { !isEntityRule($0) }.map(\.sentence)
        if let lookUp { lines.append("Looked up \(lookUp.query): \(lookUp.answer).") }
        lines += rules.filter(isEntityRule).map(\.sentence)
        return lines.joined(separator: "\n")
    }
}
