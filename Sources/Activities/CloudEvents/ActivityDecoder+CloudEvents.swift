internal import FoundationEssentials

extension ActivityDecoder {
    /// Reads a body that is a CloudEvent in the structured mode: a JSON object with the activity as its data.
    ///
    /// The activity is the object `data`, or the JSON text that `data_base64` encodes. `event` is set as soon as the
    /// event's own attributes are good, also when its data is not: the answer that says so repeats them.
    public func decodeEvent(
        _ body: Span<UInt8>, noting event: inout CloudEvent?
    ) throws(ActivityError) -> Activity {
        // The event is around the activity, whose containers may nest as deep as in a body of its own.
        let root = try object(body, depthMax: Self.depthMax + 1, "The event")
        event = try CloudEvent { root[$0]?.string }
        try Self.checkContentType(root["datacontenttype" as StaticString])
        let data = root["data" as StaticString], encoded = root["data_base64" as StaticString]
        switch (data?.isNull == false ? data : nil, encoded?.isNull == false ? encoded : nil) {
        case (let data?, nil):
            guard data.kind == .object else {
                throw ActivityError(
                    property: "data", "The event's data must be a JSON object; it is \(data.kind.phrase).")
            }
            return try activity(data)
        case (nil, let encoded?): return try activity(base64: encoded)
        case (nil, nil):
            throw ActivityError(property: "data", "The event has no data; the activity must be its data.")
        case (_?, _?):
            throw ActivityError(property: "data", "The event has both data and data_base64; give one of the two.")
        }
    }

    private func activity(base64: JSONValue) throws(ActivityError) -> Activity {
        guard let text = base64.string, let data = Data(base64Encoded: text) else {
            throw ActivityError(property: "data_base64", "The event's data_base64 must be text in base64.")
        }
        return try activity(object(Array(data).span, depthMax: Self.depthMax, "The event's data"))
    }

    /// The type of the data, where it is given, must be JSON's.
    private static func checkContentType(_ value: JSONValue?) throws(ActivityError) {
        guard let value, !value.isNull else { return }
        let name = value.string?.prefix { $0 != ";" }.lowercased() ?? ""
        let type = name.split(separator: " ").joined()
        guard type == "application/json" || type.hasSuffix("+json") else {
            throw ActivityError(
                property: "datacontenttype",
                "The event's attribute datacontenttype must be application/json, or absent.")
        }
    }
}
