internal import Activities
internal import PersistentStore

/// What has been decided about an activity so far; answers are made from it.
struct Route {
    let kind: NavigationCommand.Kind
    /// The first rule that matched.
    var rule: String?

    private func handled(_ activity: Activity, _ command: Command, _ members: [UInt8]?, _ object: FetchedObject?)
        -> NavigationCommand
    {
        NavigationCommand(
            kind: kind, activity: activity, verdict: .handled(command, members: members), rule: rule,
            found: object, fallbackURL: nil)
    }

    func notHandled(
        _ activity: Activity, _ reason: NotHandledReason, _ message: String, _ object: FetchedObject? = nil
    ) -> NavigationCommand {
        NavigationCommand(
            kind: kind, activity: activity, verdict: .notHandled(reason, message: message),
            rule: rule, found: object,
            fallbackURL: activity.usableWebpageURL.flatMap { LinkURL($0) == nil ? nil : $0 })
    }

    /// Fills in a command's arguments.
    func answer(
        _ activity: Activity, _ command: Command, captures: [String?], object: FetchedObject?
    ) -> NavigationCommand {
        if let members = command.constant { return handled(activity, command, members, object) }
        if let object, command.isFilled(by: object) { return handled(activity, command, nil, object) }
        do throws(MissingValue) {
            let members = try command.filled(activity, captures: captures, object: object)
            return handled(activity, command, members, object)
        } catch {
            return notHandled(activity, .missingValue, Message.missingValue(error.variable, of: object), object)
        }
    }
}

/// How far an activity is: answered, or waiting for an object.
enum Step {
    case answered(NavigationCommand)
    /// For a predicate, with what it was written as.
    case lookUp(StoreCoordinator.Query, PredicateTemplate?, Route)
}
