/// What an answer repeats of the CloudEvent (version 1.0) that carried its activity.
///
/// An object, so that a request that is no event carries one empty reference.
public final class CloudEvent: Sendable {
    /// The only version that is taken and given.
    public static let specVersion = "1.0"
    /// The attributes that every event has, beside `specversion`.
    static let requiredAttributes = ["id", "source", "type"]

    /// What the event is about, by its sender.
    public let subject: String?
    /// The W3C trace context, by the distributed tracing extension.
    public let traceParent: String?
    /// The vendors' part of the trace context.
    public let traceState: String?

    /// Judges the attributes of an event; `attribute` gives the text of one, nil where it is absent, null or not text.
    ///
    /// An event without one of the attributes that all events have is an error that names it.
    public init(attribute: (_ name: String) -> String?) throws(ActivityError) {
        guard let version = attribute("specversion") else { throw Self.missing("specversion") }
        guard version == Self.specVersion else {
            throw ActivityError(
                property: "specversion", "The event's attribute specversion must be \(Self.specVersion).")
        }
        for name in Self.requiredAttributes where attribute(name)?.isEmpty != false { throw Self.missing(name) }
        subject = attribute("subject")
        traceParent = attribute("traceparent")
        traceState = attribute("tracestate")
    }

    private static func missing(_ name: String) -> ActivityError {
        ActivityError(property: name, "The event's attribute \(name) is missing; it must be text that is not empty.")
    }
}
