internal import Activities
internal import PersistentStore

/// What has been decided about an activity so far; answers are made from it.
struct Route {
    let kind: NavigationCommand.Kind
    /// The first rule that matched.
    var rule: String?

    func handled(_ activity: Activity, _ command: String, _ arguments: [UInt8], _ object: FetchedObject?)
        -> NavigationCommand
    {
        NavigationCommand(
            kind: kind, activityType: activity.activityType,
            disposition: .handled(command: command, arguments: arguments), rule: rule, object: object?.uri,
            matches: object?.severalMatches, fallbackURL: nil)
    }

    func notHandled(
        _ activity: Activity, _ reason: NotHandledReason, _ message: String, _ object: FetchedObject? = nil
    ) -> NavigationCommand {
        NavigationCommand(
            kind: kind, activityType: activity.activityType, disposition: .notHandled(reason, message: message),
            rule: rule, object: object?.uri, matches: object?.severalMatches,
            fallbackURL: activity.usableWebpageURL.flatMap { LinkURL($0) == nil ? nil : $0 })
    }

    /// The bytes that most arguments need not more of.
    private static let argumentsCapacity = 96

    /// Fills in a command's arguments.
    func answer(
        _ activity: Activity, _ command: Command, captures: [String?], object: FetchedObject?
    ) -> NavigationCommand {
        if let json = command.arguments.constant { return handled(activity, command.name, json, object) }
        do throws(MissingValue) {
            var writer = JSONWriter(capacity: Self.argumentsCapacity)
            try command.arguments.write(
                to: &writer, activity: activity, captures: captures, attributes: object?.values ?? [])
            return handled(activity, command.name, writer.bytes, object)
        } catch {
            return notHandled(activity, .missingValue, Message.missingValue(error.variable), object)
        }
    }
}

extension FetchedObject {
    fileprivate var severalMatches: Int? { matches > 1 ? matches : nil }
}

/// What a look-up looks for, for the message where there is none.
enum Target {
    case uri(ObjectURI)
    case predicate(PredicateTemplate)
}

/// How far an activity is: answered, or waiting for an object.
enum Step {
    case answered(NavigationCommand)
    case lookUp(StoreCoordinator.Query, Target, Route)
}
