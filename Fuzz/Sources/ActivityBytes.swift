import Activities

/// Message bodies.
enum ActivityBytes {
    /// What is decoded can be read in full, and what is written of it is JSON again, and the same.
    static func take(_ bytes: [UInt8]) {
        let decoder = ActivityDecoder()
        guard let activity = try? decoder.decode(bytes.span) else { return }
        read(activity)
    }

    /// A CloudEvent's activity can be read as any, and the answer to it is a JSON document.
    static func takeEvent(_ bytes: [UInt8]) {
        let decoder = ActivityDecoder()
        var event: CloudEvent?
        if let activity = try? decoder.decodeEvent(bytes.span, noting: &event) { read(activity) }
        guard let event else { return }
        let answer = CloudEventAnswer(
            id: "re:x", source: "/deeplink-worker/fuzz", time: "2026-01-01T00:00:00Z", answering: event)
        let size = CloudEventAnswer.repeatedByteCountMax
        precondition(answer.attributes.allSatisfy { $0.text.utf8.count <= size }, "no attribute exceeds a frame")
        let body = answer.structured(data: Array("{}".utf8))
        guard let root = try? JSONParser().parse(body.span, depthMax: 2) else {
            preconditionFailure("an answer is JSON")
        }
        precondition(root["id"]?.string == "re:x", "an answer has its own identifier")
    }

    private static func read(_ activity: Activity) {
        precondition(!activity.activityType.isEmpty, "an activity has a type")
        _ = (activity.classification, activity.title, activity.contextIdentifierPath, activity.usableWebpageURL)
        _ = (activity.relatedUniqueIdentifier, activity.persistentIdentifier, activity.url, activity.appID)
        guard let userInfo = activity.userInfo else { return }
        var writer = JSONWriter()
        userInfo.write(to: &writer)
        let parser = JSONParser()
        guard let again = try? parser.parse(writer.bytes.span, depthMax: ActivityDecoder.depthMax) else {
            preconditionFailure("what is written is JSON")
        }
        var second = JSONWriter()
        again.write(to: &second)
        precondition(writer.bytes == second.bytes, "written twice it is the same")
    }
}
