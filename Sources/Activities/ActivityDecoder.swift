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
        try Self.activity(object(body, depthMax: Self.depthMax, "The body"))
    }

    /// Reads a JSON object; `what` begins the sentence where it is none.
    func object(_ bytes: Span<UInt8>, depthMax: Int, _ what: StaticString) throws(ActivityError) -> JSONValue {
        let root: JSONValue
        do throws(JSONError) {
            root = try parser.parse(bytes, depthMax: depthMax)
        } catch {
            throw ActivityError("\(what) is not a JSON document: \(error.description).")
        }
        guard root.kind == .object else {
            throw ActivityError("\(what) must be a JSON object; it is \(root.kind.phrase).")
        }
        return root
    }

    static func activity(_ root: JSONValue) throws(ActivityError) -> Activity {
        let document = root.document
        var places = Property.Places(repeating: 0)
        document.forEachMember(ofValueAt: root.index) { key, value in
            if let property = Property(keyAt: key, in: document) { places[property.rawValue] = UInt32(value) }
        }
        for property in Property.allCases {
            let place = Int(places[property.rawValue])
            guard place != 0 else { continue }
            let value = JSONValue(document: document, index: place)
            if value.isNull { places[property.rawValue] = 0 } else { try property.check(value) }
        }
        let place = Int(places[Property.activityType.rawValue])
        guard place != 0 else {
            throw ActivityError(
                property: "activityType", "The property activityType is missing; it must be a non-empty string.")
        }
        let activityType = document.text(at: place)
        guard !activityType.isEmpty else {
            throw ActivityError(property: "activityType", "The property activityType must not be empty.")
        }
        return Activity(document: document, places: places, activityType: activityType)
    }
}

/// The properties of an activity that the worker knows.
enum Property: Int, CaseIterable {
    case activityType, title, userInfo, webpageURL, referrerURL, persistentIdentifier, targetContentIdentifier
    case contentAttributeSet, isClassKitDeepLink, contextIdentifierPath, appID, url

    /// One number for each property.
    typealias Places = [12 of UInt32]

    /// The property of the key that stands at an index; nil for an unknown one, which is ignored.
    init?(keyAt index: Int, in document: JSONDocument) {
        for property in Self.allCases where document.string(at: index, equals: property.name) {
            self = property
            return
        }
        return nil
    }

    var name: StaticString {
        switch self {
        case .activityType: "activityType"
        case .title: "title"
        case .userInfo: "userInfo"
        case .webpageURL: "webpageURL"
        case .referrerURL: "referrerURL"
        case .persistentIdentifier: "persistentIdentifier"
        case .targetContentIdentifier: "targetContentIdentifier"
        case .contentAttributeSet: "contentAttributeSet"
        case .isClassKitDeepLink: "isClassKitDeepLink"
        case .contextIdentifierPath: "contextIdentifierPath"
        case .appID: "appID"
        case .url: "url"
        }
    }

    /// Whether a value that is not null has the property's type.
    func check(_ value: JSONValue) throws(ActivityError) {
        switch self {
        case .userInfo: try Self.require(value, .object, name.description)
        case .isClassKitDeepLink: try Self.require(value, .boolean, name.description)
        case .contentAttributeSet:
            try Self.require(value, .object, name.description)
            guard let related = value["relatedUniqueIdentifier" as StaticString], !related.isNull else { return }
            try Self.require(related, .string, "\(name).relatedUniqueIdentifier")
        case .contextIdentifierPath:
            try Self.require(value, .array, name.description)
            for (index, element) in value.elements.enumerated() where element.kind != .string {
                let place = "\(name)[\(index)]"
                throw ActivityError(
                    property: place, "The property \(place) must be a string; it is \(element.kind.phrase).")
            }
        default: if value.kind != .string { try Self.require(value, .string, name.description) }
        }
    }

    private static func require(_ value: JSONValue, _ kind: JSONValue.Kind, _ property: String) throws(ActivityError) {
        guard value.kind != kind else { return }
        throw ActivityError(
            property: property,
            "The property \(property) must be \(kind.phrase) or null; it is \(value.kind.phrase).")
    }
}

extension JSONValue.Kind {
    /// The type in words, for messages.
    var phrase: String {
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
