internal import AMQP
internal import PersistentStore
internal import Spelling

/// Conditions that a dead letter must meet, all of them; without any, every one does.
public struct DeadLetterFilter: Sendable {
    /// Why a condition cannot be used, in a sentence.
    public struct Problem: Error, Sendable, CustomStringConvertible {
        /// The sentence.
        public let description: String
    }

    private let conditions: [Condition]

    /// Reads conditions such as `reason=replyUnroutable`, `detail!=*full*` or `time>=2026-01-31T12:00:00Z`.
    public init(_ texts: [String] = []) throws(Problem) {
        var conditions: [Condition] = []
        for text in texts { conditions.append(try Condition(text)) }
        self.conditions = conditions
    }

    /// Whether every message meets the conditions.
    public var isEmpty: Bool { conditions.isEmpty }

    /// Whether a dead letter meets the conditions.
    public func matches(_ letter: DeadLetter) -> Bool { conditions.allSatisfy { $0.holds(for: letter) } }

    /// Reasons that conditions ask for and that neither the worker nor the broker gives, each with the nearest known.
    public func misspeltReasons(among known: [String]) -> [(given: String, nearest: String)] {
        conditions.compactMap { condition in
            guard condition.field == .reason, condition.comparison == .equal, !condition.value.contains("*"),
                !known.contains(condition.value),
                let nearest = NearestWord.to(condition.value, among: known)
            else { return nil }
            return (condition.value, nearest)
        }
    }
}

/// One condition: a field, a comparison and a value.
struct Condition: Sendable {
    /// What a condition may ask for.
    enum Field: Hashable, Sendable {
        case reason, detail, sourceQueue, time, messageID, correlationID, appID, replyTo, contentType, type
        case header(String)

        /// The names; `_`, `-` and the case of letters do not matter.
        static let names: [(String, Field)] = [
            ("reason", .reason), ("detail", .detail), ("source-queue", .sourceQueue), ("time", .time),
            ("message-id", .messageID), ("correlation-id", .correlationID), ("app-id", .appID),
            ("reply-to", .replyTo), ("content-type", .contentType), ("type", .type),
        ]
    }

    enum Comparison: String, CaseIterable, Sendable {
        // The longer ones first, for `<=` begins with `<`.
        case notEqual = "!="
        case atLeast = ">="
        case atMost = "<="
        case equal = "="
        case after = ">"
        case before = "<"
    }

    let field: Field
    let comparison: Comparison
    let value: String
    private let seconds: Double?

    init(_ text: String) throws(DeadLetterFilter.Problem) {
        guard let start = text.firstIndex(where: { "!<>=".contains($0) }),
            let comparison = Comparison.allCases.first(where: { text[start...].hasPrefix($0.rawValue) })
        else { throw Self.problem(text, "it must be FIELD=VALUE, FIELD!=VALUE, or time<TIME, time>=TIME") }
        field = try Self.field(String(text[..<start]), in: text)
        self.comparison = comparison
        value = String(text[start...].dropFirst(comparison.rawValue.count))
        switch comparison {
        case .equal, .notEqual: seconds = nil
        case .atLeast, .atMost, .after, .before:
            guard field == .time else { throw Self.problem(text, "only time is compared by \(comparison.rawValue)") }
            let moment = value.utf8.count == 10 ? value + "T00:00:00Z" : value
            guard let seconds = ISO8601.seconds(in: moment) else {
                throw Self.problem(text, "a time is written 2026-01-31 or 2026-01-31T12:00:00Z")
            }
            self.seconds = seconds + DeadLetter.referenceSeconds
        }
    }

    private static func field(_ name: String, in text: String) throws(DeadLetterFilter.Problem) -> Field {
        if name.hasPrefix("header.") { return .header(String(name.dropFirst("header.".count))) }
        func plain(_ name: String) -> String { name.lowercased().filter { $0 != "-" && $0 != "_" } }
        if let known = Field.names.first(where: { plain($0.0) == plain(name) }) { return known.1 }
        let names = Field.names.map(\.0)
        let nearest = NearestWord.to(name, among: names).map { "did you mean \($0)?" }
        throw problem(text, nearest ?? "the fields are \(names.joined(separator: ", ")) and header.NAME")
    }

    private static func problem(_ text: String, _ what: String) -> DeadLetterFilter.Problem {
        DeadLetterFilter.Problem(description: "The condition '\(text)' cannot be used: \(what).")
    }

    func holds(for letter: DeadLetter) -> Bool {
        guard let seconds else {
            let isMatch = text(of: letter).map { Self.matches($0, value) } ?? value.isEmpty
            return isMatch == (comparison == .equal)
        }
        guard let time = letter.time else { return false }
        return switch comparison {
        case .atLeast: time >= seconds
        case .atMost: time <= seconds
        case .after: time > seconds
        case .before: time < seconds
        case .equal, .notEqual: false
        }
    }

    private func text(of letter: DeadLetter) -> String? {
        switch field {
        case .reason: letter.reason
        case .detail: letter.detail
        case .sourceQueue: letter.sourceQueue
        case .time: letter.timeText
        case .messageID: letter.properties.messageID
        case .correlationID: letter.properties.correlationID
        case .appID: letter.properties.appID
        case .replyTo: letter.properties.replyTo
        case .contentType: letter.properties.contentType
        case .type: letter.properties.type
        case .header(let name): letter.properties.headers.first { $0.name == name }?.value.plainText
        }
    }

    /// Whether a text is the pattern, in which `*` is any run of characters.
    static func matches(_ text: String, _ pattern: String) -> Bool {
        var parts = pattern.split(separator: "*", omittingEmptySubsequences: false)[...]
        guard let first = parts.popFirst(), let last = parts.popLast() else { return text == pattern }
        guard text.hasPrefix(first) else { return false }
        var rest = text.dropFirst(first.count)
        for part in parts where !part.isEmpty {
            guard let found = rest.firstRange(of: part) else { return false }
            rest = rest[found.upperBound...]
        }
        return rest.hasSuffix(last)
    }
}
