/// A pattern of an association file, which covers a whole text.
///
/// It consists of literal text, `*` for any run of characters, `?` for one, `$(NAME)` for a value of a substitution
/// variable.
///
/// Matching follows the set of places that can be reached, token by token, so that its time is at most proportional to
/// the pattern's length times the text's, whatever the two are.
struct WildcardPattern: Sendable, Hashable {
    enum Token: Sendable, Hashable {
        /// Bytes, never empty.
        case literal([UInt8])
        /// One character.
        case any
        /// Any run of characters.
        case run
        /// One of the values of a variable, by its index.
        case variable(Int)
    }

    let tokens: [Token]

    /// Whether the text matches.
    func matches(_ text: Span<UInt8>, _ variables: [SubstitutionVariable]) -> Bool {
        guard let first = tokens.first else { return text.isEmpty }
        guard case .literal(let bytes) = first else {
            if case .run = first, tokens.count == 1 { return true }
            return Self.reach(tokens[...], from: Reach(0), in: text, variables).contains(text.count)
        }
        // Most rules fail here, or are hardly more than literal text.
        guard text.stands(bytes.span, at: 0) else { return false }
        if tokens.count == 1 { return text.count == bytes.count }
        if tokens.count == 2, case .run = tokens[1] { return true }
        return Self.reach(tokens[1...], from: Reach(bytes.count), in: text, variables).contains(text.count)
    }

    /// Where the tokens can end when they begin at one of the places.
    static func reach(
        _ tokens: ArraySlice<Token>, from start: Reach, in text: Span<UInt8>, _ variables: [SubstitutionVariable]
    ) -> Reach {
        var reach = start
        for token in tokens {
            switch token {
            case .run: reach.extendToEnd()
            case .any: reach = reach.afterCharacter(in: text)
            case .literal(let bytes): reach = reach.after(bytes.span, in: text)
            case .variable(let index): reach = variables[index].reach(from: reach, in: text)
            }
            if reach.isEmpty { return reach }
        }
        return reach
    }
}
