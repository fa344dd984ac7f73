/// A JSON value with variables in it, ready to be filled in: text is not read again, and no name is looked up.
///
/// It is a line of pieces: JSON as it is, and what comes in between.
struct Template: Sendable {
    enum Piece: Sendable {
        /// A part of the JSON text, from one variable to the next.
        case json([UInt8])
        /// Exactly one variable: its value keeps its type.
        case value(Variable)
        /// A string of text around variables.
        case text([TextPart])
    }

    enum TextPart: Sendable {
        case literal(String)
        case variable(Variable)
    }

    let pieces: [Piece]

    static let emptyObject = Template(pieces: [.json(Array("{}".utf8))])

    /// The whole value, where there are no variables in it.
    var constant: [UInt8]? {
        guard pieces.count == 1, case .json(let json) = pieces[0] else { return nil }
        return json
    }

    /// All variables, in the order of the JSON text.
    var variables: [Variable] {
        pieces.flatMap { piece -> [Variable] in
            switch piece {
            case .json: []
            case .value(let variable): [variable]
            case .text(let parts): parts.compactMap { if case .variable(let variable) = $0 { variable } else { nil } }
            }
        }
    }
}
