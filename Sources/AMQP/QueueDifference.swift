/// One thing in which a queue differs from its declaration.
public struct QueueDifference: Sendable, Hashable {
    /// The argument's name, for example `x-delivery-limit`; or `durable`, `auto_delete` or `exclusive`.
    public let name: String
    /// What the declaration asks for; nil where it says nothing.
    public let wanted: QueueDeclaration.Value?
    /// What the queue has; nil where it has nothing.
    public let current: QueueDeclaration.Value?

    /// Makes a difference.
    public init(_ name: String, wanted: QueueDeclaration.Value?, current: QueueDeclaration.Value?) {
        self.name = name
        self.wanted = wanted
        self.current = current
    }

    /// Reads the broker's words about a declaration that it refuses.
    ///
    /// They are `inequivalent arg 'NAME' for queue 'Q' in vhost 'V': received A but current is B`, where A and B are
    /// `'VALUE'`, `none` or `the value 'VALUE' of type 'TYPE'`. Nil where they are others.
    init?(refusal text: String, of queue: QueueDeclaration) {
        guard let start = text.firstRange(of: "inequivalent arg '"),
            let nameEnd = text[start.upperBound...].firstRange(of: "' for "),
            let currentStart = text[nameEnd.upperBound...].ranges(of: " but current is ").last
        else { return nil }
        name = String(text[start.upperBound..<nameEnd.lowerBound])
        let name = name
        wanted =
            queue.arguments.first { $0.name == name }?.value
            ?? (name == "durable" ? .flag(true) : name.hasPrefix("x-") ? nil : .flag(false))
        var words = text[currentStart.upperBound...]
        if words.hasSuffix(".") { words = words.dropLast() }
        guard words != "none" else {
            current = nil
            return
        }
        guard let value = Self.value(words, like: wanted) else { return nil }
        current = value
    }

    /// Reads a value as the broker writes it; one without a type has the type of what was wanted.
    private static func value(_ words: Substring, like wanted: QueueDeclaration.Value?) -> QueueDeclaration.Value? {
        let typed = "the value '"
        if words.hasPrefix(typed) {
            guard let end = words.ranges(of: "' of type '").last else { return nil }
            let text = String(words[..<end.lowerBound].dropFirst(typed.count))
            switch words[end.upperBound...].dropLast() {
            case "longstr": return .text(text)
            case "bool": return Bool(text).map { .flag($0) }
            default: return Int(text).map { .number($0) }
            }
        }
        guard words.count >= 2, words.hasPrefix("'"), words.hasSuffix("'") else { return nil }
        let text = String(words.dropFirst().dropLast())
        switch wanted {
        case .number: return Int(text).map { .number($0) }
        case .flag: return Bool(text).map { .flag($0) }
        case .text, nil: return .text(text)
        }
    }
}

/// A queue, compared with its declaration.
public enum QueueComparison: Sendable, Hashable {
    /// It is as declared.
    case equal
    /// There is no such queue.
    case missing
    /// It differs; `isComplete` is false where the broker does not tell all differences, as between queues of two types.
    case different([QueueDifference], isComplete: Bool)
}
