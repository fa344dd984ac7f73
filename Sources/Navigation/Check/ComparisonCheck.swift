internal import PersistentStore

/// Judges whether an attribute can ever equal what it is compared with.
struct ComparisonCheck {
    let attribute: AttributeDescription
    let comparison: Predicate.Comparison
    let operand: PredicateTemplate.Operand

    /// Why the comparison never holds, with a remedy; nil where it can.
    var failure: (sentence: String, severity: ConfigurationProblem.Severity)? {
        switch operand {
        case .variable(let variable): failure(of: variable)
        case .literal(.null): nullFailure
        case .literal(let value): failure(of: value)
        }
    }

    /// Text never equals a Boolean, and what is captured is text.
    private func failure(
        of variable: Variable
    ) -> (sentence: String, severity: ConfigurationProblem.Severity)? {
        guard attribute.type == .boolean, variable.isAlwaysText else { return nil }
        return (
            "The attribute \(attribute.name) is a Boolean, which $\(variable.name), a text, never equals; "
                + "write true or false.",
            .error
        )
    }

    private var nullFailure: (sentence: String, severity: ConfigurationProblem.Severity)? {
        guard !attribute.isOptional else { return nil }
        return (
            "The attribute \(attribute.name) is required by the model, so that nil never equals it; compare it with a value.",
            .warning
        )
    }

    private func failure(
        of value: PredicateValue
    ) -> (sentence: String, severity: ConfigurationProblem.Severity)? {
        let type = attribute.type
        let key = MatchKey(sought: value, type: type, folding: comparison.folding)
        guard let key, type.canHold(key) else {
            return (
                "The attribute \(attribute.name) is of the type \(type.rawValue), which \(value.phrase) never equals; "
                    + "write a value of that type.",
                .error
            )
        }
        return nil
    }
}

extension Variable {
    /// Whether the value can only be text: all but what comes from `userInfo` is.
    fileprivate var isAlwaysText: Bool {
        switch source {
        case .userInfo, .attribute: false
        default: true
        }
    }
}

extension AttributeType {
    /// Whether a stored value of this type can have the key.
    fileprivate func canHold(_ key: MatchKey) -> Bool {
        switch (key, self) {
        case (.integer(let number), .boolean): number == 0 || number == 1
        case (.integer(let number), .integer16): Int16(exactly: number) != nil
        case (.integer(let number), .integer32): Int32(exactly: number) != nil
        case (.number, .integer16), (.number, .integer32), (.number, .integer64), (.number, .boolean): false
        default: true
        }
    }
}
