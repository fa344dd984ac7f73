internal import PersistentStore

/// What a rule does with an activity that it takes.
enum Action: Sendable {
    /// A command with its arguments.
    case command(Command)
    /// An object is found, and its entity's rule is applied.
    case open(ObjectSelector)
}

/// How a rule finds the object to open.
enum ObjectSelector: Sendable {
    /// The best match of a predicate.
    case matching(PredicateTemplate)
    /// The object of a URI, or of SwiftData's JSON form of one.
    case object([Template.TextPart])
}

/// A predicate whose values come from an activity.
final class PredicateTemplate: Sendable {
    enum Operand: Sendable {
        case literal(PredicateValue)
        case variable(Variable)
    }

    /// The shape, as the stores know it.
    let predicate: Predicate
    /// One for each comparison.
    let operands: [Operand]
    /// The text as it is written in the configuration.
    let text: String
    let entityPosition: TextPosition
    /// Where the attributes stand, one for each comparison.
    let attributePositions: [TextPosition]
    /// Where the operands stand, one for each comparison.
    let operandPositions: [TextPosition]

    init(
        predicate: Predicate, operands: [Operand], text: String, entityPosition: TextPosition,
        attributePositions: [TextPosition], operandPositions: [TextPosition]
    ) {
        self.predicate = predicate
        self.operands = operands
        self.text = text
        self.entityPosition = entityPosition
        self.attributePositions = attributePositions
        self.operandPositions = operandPositions
    }
}
