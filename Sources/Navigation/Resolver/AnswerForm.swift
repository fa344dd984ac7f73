internal import Activities
internal import PersistentStore

/// What is the same in the answers that open objects of one entity by one rule for one type of activity.
///
/// Most answers of a worker differ from earlier ones in an object's values and key alone.
final class AnswerForm {
    private let kind: NavigationCommand.Kind
    private let activityType: [UInt8]
    /// The rule before the entity's own.
    private let rule: String?
    private let store: String
    private let entity: String
    /// The values, by their indexes, each with what stands before it.
    private let values: [(before: [UInt8], index: Int)]
    /// What stands before and behind the object's key.
    private let (middle, end): ([UInt8], [UInt8])

    /// Takes an answer apart; the object's values of these indexes fill the command's arguments.
    init(
        _ answer: NavigationCommand, _ command: Command, _ attributes: [Int], _ object: FetchedObject, _ route: Route
    ) {
        kind = route.kind
        activityType = Array(answer.activityType.utf8)
        rule = route.rule
        store = object.store
        entity = object.entity
        var start = JSONWriter(), middle = JSONWriter(), end = JSONWriter()
        answer.writeStart(to: &start)
        answer.writeMiddle(to: &middle)
        answer.writeEnd(to: &end)
        var between = command.between
        between[0] = start.bytes + between[0]
        values = zip(between, attributes).map { ($0, $1) }
        self.middle = between[attributes.count] + middle.bytes
        self.end = end.bytes
    }

    /// Whether the answer for an object is of this form; texts of one origin are compared by their addresses.
    func fits(_ object: FetchedObject, _ route: Route, _ activity: Activity) -> Bool {
        kind == route.kind && rule == route.rule && entity == object.entity && store == object.store
            && activity.hasType(activityType)
    }

    /// Writes the answer; false, and nothing is written, where JSON has no place for a value as it is.
    func write(to writer: inout JSONWriter, _ object: FetchedObject) -> Bool {
        let attributes = object.values
        for (_, index) in values where !attributes[index].isWritten { return false }
        for (before, index) in values {
            writer.verbatim(before)
            _ = attributes[index].write(to: &writer)
        }
        writer.verbatim(middle)
        writer.append(object.primaryKey)
        writer.verbatim(end)
        return true
    }
}
