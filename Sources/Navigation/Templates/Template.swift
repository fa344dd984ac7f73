/// A value with variables in it, ready to be filled in: text is not read again, and no name is looked up.
indirect enum Template: Sendable {
    /// A value without variables, as compact JSON.
    case constant([UInt8])
    /// Exactly one variable: its value keeps its type.
    case value(Variable)
    /// Text around variables.
    case text([TextPart])
    case array([Template])
    /// The members, in the order of their keys' bytes.
    case object([(key: String, value: Template)])

    enum TextPart: Sendable {
        case literal(String)
        case variable(Variable)
    }

    static let emptyObject = Template.constant(Array("{}".utf8))

    /// All variables, in the order of the text.
    var variables: [Variable] {
        switch self {
        case .constant: []
        case .value(let variable): [variable]
        case .text(let parts):
            parts.compactMap { if case .variable(let variable) = $0 { variable } else { nil } }
        case .array(let elements): elements.flatMap(\.variables)
        case .object(let members): members.flatMap(\.value.variables)
        }
    }
}
