import Activities
import Navigation
import PersistentStore

/// What can be fuzzed.
enum FuzzTarget: String, CaseIterable {
    /// A message body as an activity.
    case activity
    /// A configuration file.
    case configuration
    /// The URI of an object.
    case objectURI = "object-uri"

    static func call(_ target: FuzzTarget, _ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
        let bytes = unsafe Array(UnsafeBufferPointer(start: data, count: count))
        switch target {
        case .activity: activity(bytes)
        case .configuration: _ = try? Configuration(bytes, file: "fuzz.yaml")
        case .objectURI: objectURI(bytes)
        }
        return 0
    }

    /// What is decoded can be read in full, and what is written of it is JSON again, and the same.
    private static func activity(_ bytes: [UInt8]) {
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

    /// What is read is written the same.
    private static func objectURI(_ bytes: [UInt8]) {
        guard let uri = ObjectURI(reading: bytes.span) else { return }
        precondition(Array(uri.description.utf8) == bytes, "a URI has one form")
    }
}
