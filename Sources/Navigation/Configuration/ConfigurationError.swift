/// One thing that is wrong in a configuration file, and where.
public struct ConfigurationError: Error, Sendable, Hashable {
    /// The file, as it was named.
    public let file: String
    /// The line, from 1.
    public let line: Int
    /// The column, from 1, in Unicode scalars.
    public let column: Int
    /// What is wrong and what to do, a full sentence without the place.
    public let sentence: String
    /// What the error is about.
    public let cause: Cause

    /// What an error is about; it decides the exit status.
    public enum Cause: Sendable, Hashable {
        /// The configuration itself (78).
        case configuration
        /// A file that it names is missing or cannot be read (66).
        case unreadableFile
        /// A file that it names is not what it should be (65).
        case malformedFile
    }

    /// Makes an error; `sentence` is a full sentence.
    public init(file: String, line: Int, column: Int, _ sentence: String, cause: Cause = .configuration) {
        self.file = file
        self.line = line
        self.column = column
        self.sentence = sentence
        self.cause = cause
    }

    init(file: String, at position: TextPosition, _ sentence: String, cause: Cause = .configuration) {
        self.init(file: file, line: position.line, column: position.column, sentence, cause: cause)
    }
}

extension ConfigurationError: CustomStringConvertible {
    /// `FILE:LINE:COLUMN: SENTENCE`.
    public var description: String { "\(file):\(line):\(column): \(sentence)" }
}

/// Why a file that a configuration names cannot be read.
public struct UnreadableFile: Error, Sendable, Hashable, CustomStringConvertible {
    /// A full sentence that names the file.
    public let description: String

    /// Makes an error; `description` is a full sentence.
    public init(_ description: String) {
        self.description = description
    }
}

/// Everything that is wrong in a configuration, in the order of the file.
public struct ConfigurationErrors: Error, Sendable, Hashable, CustomStringConvertible {
    /// The errors; at least one.
    public let errors: [ConfigurationError]

    /// What decides the exit status: the configuration itself before the files that it names.
    public var cause: ConfigurationError.Cause {
        let causes = errors.map(\.cause)
        return [.configuration, .unreadableFile].first { causes.contains($0) } ?? .malformedFile
    }

    /// One error a line.
    public var description: String { errors.map(\.description).joined(separator: "\n") }
}

/// Collects what is wrong while a configuration is read, so that one reading reports all of it.
final class Diagnostics {
    let file: String
    private var found: [ConfigurationError] = []

    init(file: String) {
        self.file = file
    }

    var isEmpty: Bool { found.isEmpty }

    func report(
        at position: TextPosition, _ sentence: String, _ cause: ConfigurationError.Cause = .configuration
    ) {
        found.append(ConfigurationError(file: file, at: position, sentence, cause: cause))
    }

    /// The path as it is, or, where it is relative, from the configuration's folder.
    func resolved(_ path: String) -> String {
        guard !path.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return path }
        return String(file[...slash]) + path
    }

    /// The errors, in the order of the file.
    var errors: ConfigurationErrors {
        ConfigurationErrors(errors: found.sorted { ($0.line, $0.column) < ($1.line, $1.column) })
    }
}
