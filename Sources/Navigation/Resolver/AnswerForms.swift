public import Activities
internal import PersistentStore

/// Writes commands by what is the same in the commands of one rule, one entity and one activity type.
///
/// Most answers of a worker differ from earlier ones in an object's values and key alone. Belongs to one thread.
public struct AnswerForms {
    /// How many forms are kept: as many as four bits tell apart.
    private static let countMax = 16

    private var forms = [AnswerForm?](repeating: nil, count: countMax)

    /// Makes an empty collection.
    public init() {}

    /// Writes a command as `NavigationCommand.write` does.
    public mutating func write(_ command: NavigationCommand, to writer: inout JSONWriter) {
        guard case .handled(let action, nil) = command.verdict, let object = command.found, object.matches == 1 else {
            return command.write(to: &writer)
        }
        // Multiplied by a large odd number, for addresses differ in their middle.
        let place = Int((UInt64(UInt(bitPattern: ObjectIdentifier(action))) &* 0x9E37_79B9_7F4A_7C15) >> 60)
        if let form = forms[place], form.fits(command, action, object) {
            form.write(to: &writer, object)
        } else {
            let form = AnswerForm(command, action, object)
            forms[place] = form
            form.write(to: &writer, object)
        }
    }
}

/// What is the same in the answers that open objects of one entity by one command.
private final class AnswerForm {
    private let command: Command
    private let kind: NavigationCommand.Kind
    private let activityType: String
    private let rule: String?
    private let store: String
    private let entity: String
    /// What stands before, between and behind the object's values and its key, which comes last.
    private let pieces: [[UInt8]]

    init(_ answer: NavigationCommand, _ command: Command, _ object: FetchedObject) {
        self.command = command
        kind = answer.kind
        activityType = answer.activityType
        rule = answer.rule
        store = object.store
        entity = object.entity
        var start = JSONWriter(), middle = JSONWriter(), end = JSONWriter()
        answer.writeStart(to: &start)
        answer.writeMiddle(to: &middle)
        answer.writeEnd(to: &end)
        var pieces = command.between
        pieces[0] = start.bytes + pieces[0]
        pieces[pieces.count - 1] += middle.bytes
        self.pieces = pieces + [end.bytes]
    }

    /// Whether an answer is of this form; texts of one origin are compared by their addresses.
    func fits(_ answer: NavigationCommand, _ command: Command, _ object: FetchedObject) -> Bool {
        self.command === command && kind == answer.kind && activityType == answer.activityType
            && rule == answer.rule && entity == object.entity && store == object.store
    }

    func write(to writer: inout JSONWriter, _ object: FetchedObject) {
        command.write(to: &writer, object: object, between: pieces)
        writer.append(object.primaryKey)
        writer.verbatim(pieces[pieces.count - 1])
    }
}
