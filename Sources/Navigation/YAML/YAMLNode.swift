/// A place in a text file; line and column begin at 1 and columns count Unicode scalars.
struct TextPosition: Hashable, Sendable, Comparable {
    var line: Int
    var column: Int

    static let start = TextPosition(line: 1, column: 1)

    static func < (left: TextPosition, right: TextPosition) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

/// A value in a YAML document, with its place.
struct YAMLNode: Sendable {
    enum Content: Sendable {
        case null
        case boolean(Bool)
        case integer(Int64)
        /// A whole number beyond Int64.
        case unsigned(UInt64)
        /// A whole number beyond Int64 and UInt64, which no number of JSON could keep.
        case oversized
        /// Also infinite and not a number, which YAML can write.
        case number(Double)
        case string(String)
        case sequence([YAMLNode])
        case mapping([YAMLMember])
    }

    let content: Content
    let position: TextPosition
    /// How many scalars into the written form a string's text begins, where it is written as it is, on one line.
    let verbatimOffset: Int?

    init(_ content: Content, at position: TextPosition, verbatimOffset: Int? = nil) {
        self.content = content
        self.position = position
        self.verbatimOffset = verbatimOffset
    }

    var isNull: Bool {
        if case .null = content { true } else { false }
    }

    /// The type in words, for messages.
    var phrase: String {
        switch content {
        case .null: "empty"
        case .boolean: "a Boolean"
        case .integer, .unsigned, .oversized, .number: "a number"
        case .string: "text"
        case .sequence: "a list"
        case .mapping: "a mapping of keys to values"
        }
    }

    /// The place of a scalar within the string, or the value's own where that cannot be said.
    func position(at offset: Int) -> TextPosition {
        guard let verbatimOffset else { return position }
        return TextPosition(line: position.line, column: position.column + verbatimOffset + offset)
    }
}

/// A key and its value.
struct YAMLMember: Sendable {
    let key: String
    let position: TextPosition
    let value: YAMLNode
}
