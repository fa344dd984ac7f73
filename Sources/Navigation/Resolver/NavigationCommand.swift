public import Activities
public import PersistentStore

/// The answer to one activity: what the app shall open, or why nothing.
public struct NavigationCommand: Sendable, Hashable {
    /// The two kinds of activities.
    public enum Kind: String, Sendable, Hashable {
        /// A tapped Core Spotlight item.
        case searchResult
        /// Anything else.
        case userActivity
    }

    /// Whether the activity is handled, and how.
    public enum Disposition: Sendable, Hashable {
        /// Open this: a command and its arguments, a JSON object in compact form.
        case handled(command: String, arguments: [UInt8])
        /// Nothing is opened; `message` is a sentence for people.
        case notHandled(NotHandledReason, message: String)
    }

    /// The kind of the activity.
    public let kind: Kind
    /// The type of the activity.
    public let activityType: String
    /// Whether the activity is handled, and how.
    public let disposition: Disposition
    /// The first rule that matched, handled or not, as a path into the configuration: `activities[2]`.
    public let rule: String?
    /// The object that was resolved, with its own entity.
    public let object: ObjectURI?
    /// How many objects a predicate matched, where they were several.
    public let matches: Int?
    /// The activity's web page, where the activity is not handled and has a usable one.
    public let fallbackURL: String?

    /// Whether the activity is handled.
    public var isHandled: Bool { reason == nil }

    /// Why the activity is not handled; nil where it is.
    public var reason: NotHandledReason? {
        if case .notHandled(let reason, _) = disposition { reason } else { nil }
    }

    /// The entity of the object that was resolved.
    public var entity: String? { object?.entity }

    /// Writes the command as compact JSON with sorted keys; `explanation` adds the key of that name.
    public func write(to writer: inout JSONWriter, explanation: Explanation? = nil) {
        writer.beginObject()
        writer.key("activityType")
        writer.string(activityType)
        if case .handled(let command, let arguments) = disposition {
            writer.key("arguments")
            writer.raw(arguments)
            writer.key("command")
            writer.string(command)
        }
        if let object {
            writer.key("entity")
            writer.string(object.entity)
        }
        if let explanation {
            writer.key("explanation")
            explanation.write(to: &writer)
        }
        if let fallbackURL {
            writer.key("fallbackURL")
            writer.string(fallbackURL)
        }
        writeRest(to: &writer)
        writer.endObject()
    }

    /// Writes the keys from `handled` on.
    private func writeRest(to writer: inout JSONWriter) {
        writer.key("handled")
        writer.boolean(isHandled)
        writer.key("kind")
        writer.string(kind.rawValue)
        if let matches {
            writer.key("matches")
            writer.integer(matches)
        }
        if case .notHandled(_, let message) = disposition {
            writer.key("message")
            writer.string(message)
        }
        if let object {
            writer.key("object")
            writer.string(object.description)
        }
        if case .notHandled(let reason, _) = disposition {
            writer.key("reason")
            writer.string(reason.rawValue)
        }
        if let rule {
            writer.key("rule")
            writer.string(rule)
        }
    }

    /// Writes the answer to a message that is not an activity: `handled`, `message` and `reason` alone.
    public static func writeMalformed(message: String, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("handled")
        writer.boolean(false)
        writer.key("message")
        writer.string(message)
        writer.key("reason")
        writer.string(NotHandledReason.malformedMessage.rawValue)
        writer.endObject()
    }
}
