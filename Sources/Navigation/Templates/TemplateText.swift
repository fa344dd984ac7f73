internal import PersistentStore

/// A text taken apart into literal text and variables.
struct TemplateText {
    enum Part: Hashable {
        case literal(String)
        /// A variable, and where its `$` stands, in Unicode scalars.
        case variable(String, offset: Int)
    }

    /// The parts; literal text is joined, and never empty.
    let parts: [Part]

    init(_ text: String) throws(FormatError) {
        let scalars = Array(text.unicodeScalars)
        var parts: [Part] = []
        var literal = String.UnicodeScalarView()
        var index = 0
        while index < scalars.count {
            guard scalars[index] == "$" else {
                literal.append(scalars[index])
                index += 1
                continue
            }
            let offset = index
            switch try VariableSyntax.token(in: scalars, at: &index) {
            case .dollarSign: literal.append("$")
            case .variable(let name):
                if !literal.isEmpty { parts.append(.literal(String(literal))) }
                literal = .init()
                parts.append(.variable(name, offset: offset))
            }
        }
        if !literal.isEmpty { parts.append(.literal(String(literal))) }
        self.parts = parts
    }
}
