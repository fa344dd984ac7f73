public import Activities
public import PersistentStore

/// The answer to one activity: what the app shall open, or why nothing.
///
/// It refers to what it is made of, the rule's command and the object, and is put together when it is written. It never
/// changes, and is an object, so that a batch hands it on for one reference.
public final class NavigationCommand: Sendable {
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
    private let activity: Activity
    /// Whether the activity is handled, and by what.
    let verdict: Verdict
    /// The first rule that matched, handled or not, as a path into the configuration: `activities[2]`.
    public let rule: String?
    /// The object that was resolved.
    let found: FetchedObject?
    /// The activity's web page, where the activity is not handled and has a usable one.
    public let fallbackURL: String?

    init(
        kind: Kind, activity: Activity, verdict: Verdict, rule: String?, found: FetchedObject?, fallbackURL: String?
    ) {
        self.kind = kind
        self.activity = activity
        self.verdict = verdict
        self.rule = rule
        self.found = found
        self.fallbackURL = fallbackURL
    }

    /// The type of the activity.
    public var activityType: String { activity.activityType }

    /// What `disposition` is made from.
    enum Verdict: Sendable {
        /// The members of the answer that the command yields; nil where the object's values fill them.
        case handled(Command, members: [UInt8]?)
        case notHandled(NotHandledReason, message: String)
    }

    /// Whether the activity is handled, and how.
    public var disposition: Disposition {
        switch verdict {
        case .notHandled(let reason, let message): return .notHandled(reason, message: message)
        case .handled(let command, .some(let members)):
            return .handled(command: command.name, arguments: command.arguments(in: members))
        case .handled(let command, nil):
            var writer = JSONWriter()
            if let found { command.write(to: &writer, object: found) }
            return .handled(command: command.name, arguments: command.arguments(in: writer.bytes))
        }
    }

    /// Whether the activity is handled.
    public var isHandled: Bool { if case .handled = verdict { true } else { false } }

    /// Why the activity is not handled; nil where it is.
    public var reason: NotHandledReason? {
        if case .notHandled(let reason, _) = verdict { reason } else { nil }
    }

    /// The object that was resolved, with its own entity.
    public var object: ObjectURI? { found?.uri }

    /// How many objects a predicate matched, where they were several.
    public var matches: Int? { found.flatMap { $0.matches > 1 ? $0.matches : nil } }

    /// The entity of the object that was resolved.
    public var entity: String? { found?.entity }

    /// Writes the command as compact JSON with sorted keys; `explanation` adds the key of that name.
    public func write(to writer: inout JSONWriter, explanation: Explanation? = nil) {
        writeStart(to: &writer)
        switch verdict {
        case .handled(_, .some(let members)): writer.verbatim(members)
        case .handled(let command, nil): if let found { command.write(to: &writer, object: found) }
        case .notHandled: writer.quotationMark()
        }
        writeMiddle(to: &writer, explanation)
        if let found { writer.append(found.primaryKey) }
        writeEnd(to: &writer)
    }

    /// Writes what stands before the members that a rule's command yields.
    func writeStart(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.verbatim(#""activityType":""#)
        activity.withType { writer.append($0) }
    }

    /// Writes what stands between those and the key of the object.
    func writeMiddle(to writer: inout JSONWriter, _ explanation: Explanation? = nil) {
        if let found { writer.text(#","entity":""#, found.entity) }
        if let explanation {
            writer.verbatim(#","explanation":"#)
            explanation.write(to: &writer)
        }
        if let fallbackURL { writer.text(#","fallbackURL":""#, fallbackURL) }
        switch (isHandled, kind) {
        case (true, .searchResult): writer.verbatim(#","handled":true,"kind":"searchResult""#)
        case (true, .userActivity): writer.verbatim(#","handled":true,"kind":"userActivity""#)
        case (false, .searchResult): writer.verbatim(#","handled":false,"kind":"searchResult""#)
        case (false, .userActivity): writer.verbatim(#","handled":false,"kind":"userActivity""#)
        }
        if let found, found.matches > 1 {
            writer.verbatim(#","matches":"#)
            writer.append(Int64(found.matches))
        }
        if case .notHandled(_, let message) = verdict { writer.text(#","message":""#, message) }
        guard let found else { return }
        // The same text as `uri.description`.
        writer.verbatim(#","object":"x-coredata://"#)
        writer.append(found.store)
        writer.verbatim("/")
        writer.append(found.entity)
        writer.verbatim("/p")
    }

    /// Writes what stands behind the key of the object.
    func writeEnd(to writer: inout JSONWriter) {
        if found != nil { writer.quotationMark() }
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

extension NavigationCommand: Hashable {
    /// Two commands are equal when they are written the same.
    public static func == (left: NavigationCommand, right: NavigationCommand) -> Bool { left.json == right.json }

    /// Hashes what is written.
    public func hash(into hasher: inout Hasher) { hasher.combine(json) }

    private var json: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }
}
