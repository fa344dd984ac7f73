import Activities

/// Message bodies.
enum ActivityBytes {
    /// What is decoded can be read in full, and what is written of it is JSON again, and the same.
    static func take(_ bytes: [UInt8]) {
        let decoder = ActivityDecoder()
        guard let activity = try? decoder.decode(bytes.span) else { return }
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
