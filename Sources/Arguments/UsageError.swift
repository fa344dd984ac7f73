/// Why arguments cannot be used, or the manual that was asked for.
public struct UsageError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A sentence: what is wrong and what to do; or the manual.
    public let description: String
    /// Whether this is no error but the manual.
    public let isHelp: Bool
    /// Whether the arguments are right, but a file that a variable names cannot be read.
    public let isUnreadableFile: Bool

    /// Makes an error.
    public init(_ description: String) {
        self.description = description
        self.isHelp = false
        self.isUnreadableFile = false
    }

    /// Makes the error of a file that a variable names; `description` names both.
    public init(unreadableFile description: String) {
        self.description = description
        self.isHelp = false
        self.isUnreadableFile = true
    }

    /// Makes the answer to `--help`.
    public init(help manual: String) {
        self.description = manual
        self.isHelp = true
        self.isUnreadableFile = false
    }
}
