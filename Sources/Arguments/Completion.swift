/// What a shell can offer in place of a placeholder.
public enum Completion: Sendable, Hashable {
    /// Nothing: the value is free.
    case nothing
    /// The names of files.
    case files
    /// One of these words.
    case words([String])
}

extension Completion {
    /// Every word of an enumeration, which is what `ParsedArguments.choice` accepts.
    public static func choices<Choice: RawRepresentable<String> & CaseIterable>(of type: Choice.Type) -> Completion {
        .words(Choice.allCases.map(\.rawValue))
    }

    /// What is known from a placeholder alone: `FILE` stands for a file.
    init(placeholder: String) {
        self = placeholder == "FILE" ? .files : .nothing
    }
}
