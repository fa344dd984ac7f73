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

    /// Makes an error; `sentence` is a full sentence.
    public init(file: String, line: Int, column: Int, _ sentence: String) {
        self.file = file
        self.line = line
        self.column = column
        self.sentence = sentence
    }

    init(file: String, at position: TextPosition, _ sentence: String) {
        self.init(file: file, line: position.line, column: position.column, sentence)
    }
}

extension ConfigurationError: CustomStringConvertible {
    /// `FILE:LINE:COLUMN: SENTENCE`.
    public var description: String { "\(file):\(line):\(column): \(sentence)" }
}

/// Everything that is wrong in a configuration, in the order of the file (exit status 78).
public struct ConfigurationErrors: Error, Sendable, Hashable, CustomStringConvertible {
    /// The errors; at least one.
    public let errors: [ConfigurationError]

    /// One error a line.
    public var description: String { errors.map(\.description).joined(separator: "\n") }
}

/// Collects what is wrong while a configuration is read, so that one reading reports all of it.
final class Diagnostics {
    let file: String
    private var found: [(position: TextPosition, sentence: String)] = []

    init(file: String) {
        self.file = file
    }

    var isEmpty: Bool { found.isEmpty }

    func report(at position: TextPosition, _ sentence: String) {
        found.append((position, sentence))
    }

    /// The errors, in the order of the file.
    var errors: ConfigurationErrors {
        ConfigurationErrors(
            errors: found.sorted { $0.position < $1.position }
                .map { ConfigurationError(file: file, at: $0.position, $0.sentence) })
    }
}
