/// Why a file is not a YAML document that a configuration can be.
struct YAMLError: Error, Hashable {
    let position: TextPosition
    /// A full sentence.
    let sentence: String

    init(at position: TextPosition, _ sentence: String) {
        self.position = position
        self.sentence = sentence
    }
}

/// The limits of a configuration file.
enum YAMLLimit {
    /// The most bytes.
    static let bytesMax = 1 << 20
    /// How deep lists and mappings may nest.
    static let depthMax = 32
}
