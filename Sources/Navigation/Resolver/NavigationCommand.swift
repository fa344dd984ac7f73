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
        writer.text(#""activityType":""#, activityType)
        if case .handled(let command, let arguments) = disposition {
            writer.verbatim(#","arguments":"#)
            writer.verbatim(arguments)
            writer.text(#","command":""#, command)
        }
        if let object { writer.text(#","entity":""#, object.entity) }
        if let explanation {
            writer.verbatim(#","explanation":"#)
            explanation.write(to: &writer)
        }
        if let fallbackURL { writer.text(#","fallbackURL":""#, fallbackURL) }
        writer.verbatim(isHandled ? #","handled":true"# : #","handled":false"#)
        writer.text(#","kind":""#, kind.rawValue)
        if let matches {
            writer.verbatim(#","matches":"#)
            writer.append(Int64(matches))
        }
        if case .notHandled(_, let message) = disposition { writer.text(#","message":""#, message) }
        if let object {
            writer.verbatim(#","object":""#)
            object.write(to: &writer)
            writer.quotationMark()
        }
        if let reason { writer.text(#","reason":""#, reason.rawValue) }
        if let rule { writer.text(#","rule":""#, rule) }
        writer.endObject()
    }

    /// Writes the answer to a message that is not an activity: `handled`, `message` and `reason` alone.
    public static func writeMalformed(message: String, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.text(#""handled":false,"message":""#, message)
        writer.text(#","reason":""#, NotHandledReason.malformedMessage.rawValue)
        writer.endObject()
    }
}

extension JSONWriter {
    /// Writes the beginning of a member, up to its value's quote, then the value.
    fileprivate mutating func text(_ beginning: StaticString, _ text: String) {
        verbatim(beginning)
        append(text)
        quotationMark()
    }
}

extension ObjectURI {
    /// Writes the URI as pieces of a text: the same as `description`.
    fileprivate func write(to writer: inout JSONWriter) {
        writer.verbatim("x-coredata://")
        writer.append(store)
        writer.verbatim("/")
        writer.append(entity)
        switch key {
        case .permanent(let number):
            writer.verbatim("/p")
            writer.append(number)
        case .temporary(let rest):
            writer.verbatim("/t")
            writer.append(rest)
        }
    }
}
