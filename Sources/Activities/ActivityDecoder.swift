/// Why a message body is not an activity.
///
/// `description` is a sentence; it names the property and what it must be, and holds no value from the body.
public struct ActivityError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The property that is wrong, for example `userInfo` or `contextIdentifierPath[2]`; nil for the body as a whole.
    public let property: String?
    /// The sentence.
    public let description: String

    /// Makes an error; `description` is a full sentence.
    public init(property: String? = nil, _ description: String) {
        self.property = property
        self.description = description
    }
}

/// Reads message bodies as activities.
///
/// One decoder belongs to one thread and keeps its buffers between bodies.
public struct ActivityDecoder: ~Copyable {
    /// How deep the containers of a body may nest, the body being the first.
    public static let depthMax = 64

    private let parser = JSONParser()

    /// Makes a decoder.
    public init() {}

    /// Reads one body: exactly one JSON object, in which every known property has its type.
    public func decode(_ body: Span<UInt8>) throws(ActivityError) -> Activity {
        let root: JSONValue
        do throws(JSONError) {
            root = try parser.parse(body, depthMax: Self.depthMax)
        } catch {
            throw ActivityError("The body is not a JSON document: \(error.description).")
        }
        guard root.kind == .object else {
            throw ActivityError("The body must be a JSON object; it is \(root.kind.phrase).")
        }
        return try Self.activity(root)
    }

    private static func activity(_ root: JSONValue) throws(ActivityError) -> Activity {
        var fields = Fields()
        root.forEachMember { key, value in fields.take(key, value) }
        let related = try attributeSetIdentifier(fields.contentAttributeSet)
        let url = try string(fields.url, "url")
        guard let activityType = try string(fields.activityType, "activityType") else {
            throw ActivityError(
                property: "activityType", "The property activityType is missing; it must be a non-empty string.")
        }
        guard !activityType.isEmpty else {
            throw ActivityError(property: "activityType", "The property activityType must not be empty.")
        }
        return Activity(
            activityType: activityType,
            title: try string(fields.title, "title"),
            userInfo: try value(fields.userInfo, .object, "userInfo"),
            webpageURL: try string(fields.webpageURL, "webpageURL"),
            referrerURL: try string(fields.referrerURL, "referrerURL"),
            persistentIdentifier: try string(fields.persistentIdentifier, "persistentIdentifier"),
            targetContentIdentifier: try string(fields.targetContentIdentifier, "targetContentIdentifier"),
            relatedUniqueIdentifier: related,
            isClassKitDeepLink: try value(fields.isClassKitDeepLink, .boolean, "isClassKitDeepLink")?.boolean ?? false,
            contextIdentifierPath: try strings(fields.contextIdentifierPath, "contextIdentifierPath"),
            appID: try string(fields.appID, "appID"),
            url: url)
    }

    /// The value of a property, nil where it is absent or null, and an error where it is of another type.
    private static func value(
        _ value: JSONValue?, _ kind: JSONValue.Kind, _ property: String
    ) throws(ActivityError) -> JSONValue? {
        guard let value, !value.isNull else { return nil }
        guard value.kind == kind else {
            throw ActivityError(
                property: property,
                "The property \(property) must be \(kind.phrase) or null; it is \(value.kind.phrase).")
        }
        return value
    }

    private static func string(_ value: JSONValue?, _ property: String) throws(ActivityError) -> String? {
        guard let value else { return nil }
        return try Self.value(value, .string, property)?.string
    }

    private static func strings(_ value: JSONValue?, _ property: String) throws(ActivityError) -> [String]? {
        guard let array = try Self.value(value, .array, property) else { return nil }
        var strings: [String] = []
        for (index, element) in array.elements.enumerated() {
            guard let text = element.string else {
                let place = "\(property)[\(index)]"
                throw ActivityError(
                    property: place, "The property \(place) must be a string; it is \(element.kind.phrase).")
            }
            strings.append(text)
        }
        return strings
    }

    private static func attributeSetIdentifier(_ value: JSONValue?) throws(ActivityError) -> String? {
        guard let set = try Self.value(value, .object, "contentAttributeSet") else { return nil }
        return try string(set["relatedUniqueIdentifier"], "contentAttributeSet.relatedUniqueIdentifier")
    }
}

/// The known members of a body; of duplicates the last.
private struct Fields {
    var activityType: JSONValue?
    var title: JSONValue?
    var userInfo: JSONValue?
    var webpageURL: JSONValue?
    var referrerURL: JSONValue?
    var persistentIdentifier: JSONValue?
    var targetContentIdentifier: JSONValue?
    var contentAttributeSet: JSONValue?
    var isClassKitDeepLink: JSONValue?
    var contextIdentifierPath: JSONValue?
    var appID: JSONValue?
    var url: JSONValue?

    mutating func take(_ key: JSONValue, _ value: JSONValue) {
        switch key.string {
        case "activityType": activityType = value
        case "title": title = value
        case "userInfo": userInfo = value
        case "webpageURL": webpageURL = value
        case "referrerURL": referrerURL = value
        case "persistentIdentifier": persistentIdentifier = value
        case "targetContentIdentifier": targetContentIdentifier = value
        case "contentAttributeSet": contentAttributeSet = value
        case "isClassKitDeepLink": isClassKitDeepLink = value
        case "contextIdentifierPath": contextIdentifierPath = value
        case "appID": appID = value
        case "url": url = value
        default: break
        }
    }
}

extension JSONValue.Kind {
    /// The type in words, for messages.
    fileprivate var phrase: String {
        switch self {
        case .null: "null"
        case .boolean: "a Boolean"
        case .integer, .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
