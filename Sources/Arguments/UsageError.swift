/// Why arguments cannot be used, or the manual that was asked for.
public struct UsageError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A sentence: what is wrong and what to do; or the manual.
    public let description: String
    /// Whether this is no error but the manual.
    public let isHelp: Bool

    /// Makes an error.
    public init(_ description: String) {
        self.description = description
        self.isHelp = false
    }

    /// Makes the answer to `--help`.
    public init(help manual: String) {
        self.description = manual
        self.isHelp = true
    }
}
