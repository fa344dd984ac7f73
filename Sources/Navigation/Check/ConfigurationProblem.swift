/// Something about a configuration that its stores' models show to be wrong, or worth to know.
public struct ConfigurationProblem: Sendable, Hashable {
    /// How bad it is.
    public enum Severity: String, Sendable, Hashable, Comparable {
        /// Good to know: some requests may not be handled.
        case note
        /// Probably not what was meant.
        case warning
        /// Requests that need this are never handled.
        case error

        /// By weight: a note is less than a warning, a warning less than an error.
        public static func < (left: Severity, right: Severity) -> Bool { left.weight < right.weight }

        private var weight: Int {
            switch self {
            case .note: 0
            case .warning: 1
            case .error: 2
            }
        }
    }

    /// What it is about.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// An entity that no store has.
        case unknownEntity
        /// An attribute or relationship that the entity does not have, or that cannot stand there.
        case unknownAttribute
        /// A comparison that can never hold.
        case neverHolds
        /// A rule that is never reached.
        case neverReached
        /// An entity whose objects no rule opens.
        case notRouted
        /// Links that an association file does not claim, though it seems to.
        case notClaimed
        /// An alias of a store that leads nowhere, or that is never followed.
        case alias
        /// Two rules of which each could take what the other takes.
        case ambiguous
        /// A data model that does not fit its store.
        case model
        /// An argument that may have no value.
        case maybeMissing
    }

    /// How bad it is.
    public let severity: Severity
    /// What it is about.
    public let kind: Kind
    /// Where, what, and the remedy.
    public let place: ConfigurationError

    /// The file, as it was named.
    public var file: String { place.file }
    /// The line, from 1.
    public var line: Int { place.line }
    /// The column, from 1.
    public var column: Int { place.column }
    /// What is wrong, and the remedy.
    public var sentence: String { place.sentence }
}

extension ConfigurationProblem: CustomStringConvertible {
    /// `FILE:LINE:COLUMN: SEVERITY: SENTENCE`.
    public var description: String { "\(file):\(line):\(column): \(severity.rawValue): \(sentence)" }
}
