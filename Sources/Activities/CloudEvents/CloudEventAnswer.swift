/// The attributes of the CloudEvent that carries an answer.
public struct CloudEventAnswer: Sendable {
    /// The type of every answer's event.
    public static let type = "com.deeplink.navigation-command"
    /// The type of the data in the structured mode.
    public static let dataContentType = "application/json"
    /// The content type of a message in the structured mode.
    public static let structuredContentType = "application/cloudevents+json"
    /// A longer attribute of the request is not repeated: as a header it might not fit in a frame.
    public static let repeatedByteCountMax = 8192

    /// The identifier: the answer's `message_id`.
    public let id: String
    /// Who answers, a URI reference.
    public let source: String
    /// When, in ISO 8601.
    public let time: String
    private let request: CloudEvent?

    /// Takes the answer's own attributes, and the request's event where it could be read.
    public init(id: String, source: String, time: String, answering request: CloudEvent?) {
        self.id = id
        self.source = source
        self.time = time
        self.request = request
    }

    private func repeated(_ text: String?) -> String? {
        text.flatMap { $0.isEmpty || $0.utf8.count > Self.repeatedByteCountMax ? nil : $0 }
    }

    /// The request's trace context, as far as it is one.
    private var trace: (parent: String?, state: String?) {
        guard let parent = request?.traceParent, TraceContext.isParent(Array(parent.utf8)[...]) else {
            return (nil, nil)
        }
        return (parent, request?.traceState.flatMap { TraceContext.isState(Array($0.utf8)[...]) ? $0 : nil })
    }

    /// The attributes that are headers in the binary mode, sorted by name; `datacontenttype` is the message's
    /// content type there.
    public var attributes: [(name: StaticString, text: String)] {
        let all: [(name: StaticString, text: String?)] = [
            ("id", id), ("source", source), ("specversion", CloudEvent.specVersion),
            ("subject", repeated(request?.subject)), ("time", time),
            ("traceparent", trace.parent), ("tracestate", trace.state),
            ("type", Self.type),
        ]
        return all.compactMap { attribute in attribute.text.map { (attribute.name, $0) } }
    }

    /// The body of a message in the structured mode: compact JSON with sorted keys, around `data`, which is JSON.
    public func structured(data: [UInt8]) -> [UInt8] {
        var writer = JSONWriter(capacity: data.count + 320)
        writer.beginObject()
        writer.key("data" as StaticString)
        writer.raw(data)
        writer.key("datacontenttype" as StaticString)
        writer.string(Self.dataContentType)
        for (name, text) in attributes {
            writer.key(name)
            writer.string(text)
        }
        writer.endObject()
        return writer.bytes
    }
}
