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

    let parser = JSONParser()

    /// Makes a decoder.
    public init() {}

    /// Reads one body: exactly one JSON object, in which every known property has its type.
    ///
    /// With `isPadded` the last `JSONParser.paddingByteCount` bytes are not the body's, which spares a copy of it.
    public func decode(_ body: Span<UInt8>, isPadded: Bool = false) throws(ActivityError) -> Activity {
        try activity(object(body, isPadded: isPadded, depthMax: Self.depthMax, "The body"))
    }

    /// Reads a JSON object; `what` begins the sentence where it is none.
    func object(
        _ bytes: Span<UInt8>, isPadded: Bool = false, depthMax: Int, _ what: StaticString
    ) throws(ActivityError) -> JSONValue {
        let root: JSONValue
        do throws(JSONError) {
            root = try parser.parse(bytes, isPadded: isPadded, depthMax: depthMax)
        } catch {
            // The parser's own words may end in points.
            var reason = error.description[...]
            while reason.last == "." { reason.removeLast() }
            throw ActivityError("\(what) is not a JSON document: \(reason).")
        }
        guard root.kind == .object else {
            throw ActivityError("\(what) must be a JSON object; it is \(root.kind.phrase).")
        }
        return root
    }

    /// Reads the activity that an object is.
    func activity(_ object: JSONValue) throws(ActivityError) -> Activity {
        try activity(object.document, object.index)
    }

    private func activity(_ document: JSONDocument, _ root: Int) throws(ActivityError) -> Activity {
        var places = Property.Places(repeating: 0)
        var found: UInt16 = 0
        document.forEachMember(ofValueAt: root) { key, value in
            guard let property = Property.named(key, in: document) else { return }
            places[property.rawValue] = UInt32(value)
            found |= 1 << property.rawValue
        }
        while found != 0 {
            let index = found.trailingZeroBitCount
            found &= found - 1
            let place = Int(places[index])
            let tag = document.tag(at: place)
            if tag == UInt8(ascii: "n") {
                places[index] = 0
            } else if let property = Property(rawValue: index), tag != property.tag || property.hasParts {
                try property.check(JSONValue(document: document, index: place))
            }
        }
        let place = Int(places[Property.activityType.rawValue])
        // A link in a custom scheme is opened without an activity of its own.
        guard place != 0 || places[Property.url.rawValue] != 0 else {
            throw ActivityError(
                property: "activityType", "The property activityType is missing; it must be a non-empty string.")
        }
        guard place == 0 || document.byteCount(ofStringAt: place) > 0 else {
            throw ActivityError(property: "activityType", "The property activityType must not be empty.")
        }
        return Activity(document: document, places: places)
    }
}

/// The properties of an activity that the worker knows.
enum Property: Int, CaseIterable {
    case activityType, title, userInfo, webpageURL, referrerURL, persistentIdentifier, targetContentIdentifier
    case contentAttributeSet, isClassKitDeepLink, contextIdentifierPath, appID, url

    /// One number for each property.
    typealias Places = [12 of UInt32]

    /// The property of the key that stands at an index; nil for an unknown one, which is ignored.
    @inline(__always)
    static func named(_ key: Int, in document: JSONDocument) -> Property? {
        let property: Property
        switch document.byteCount(ofStringAt: key) {
        case 3: property = .url
        case 5: property = document.string(at: key, equals: "title" as StaticString) ? .title : .appID
        case 8: property = .userInfo
        case 10: property = .webpageURL
        case 11: property = .referrerURL
        case 12: property = .activityType
        case 18: property = .isClassKitDeepLink
        case 19: property = .contentAttributeSet
        case 20: property = .persistentIdentifier
        case 21: property = .contextIdentifierPath
        case 23: property = .targetContentIdentifier
        default: return nil
        }
        return document.string(at: key, equals: property.name) ? property : nil
    }

    /// The character that stands for the property's type in a document; a Boolean has two.
    var tag: UInt8 {
        switch self {
        case .userInfo, .contentAttributeSet: UInt8(ascii: "{")
        case .contextIdentifierPath: UInt8(ascii: "[")
        case .isClassKitDeepLink: UInt8(ascii: "t")
        default: UInt8(ascii: "\"")
        }
    }

    /// Whether the type of what is in the value matters, too.
    var hasParts: Bool { self == .contentAttributeSet || self == .contextIdentifierPath }

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
        default:
            if value.kind != .string {
                try Self.require(value, .string, name.description, orNull: self != .activityType)
            }
        }
    }

    private static func require(
        _ value: JSONValue, _ kind: JSONValue.Kind, _ property: String, orNull: Bool = true
    ) throws(ActivityError) {
        guard value.kind != kind else { return }
        throw ActivityError(
            property: property,
            "The property \(property) must be \(kind.phrase)\(orNull ? " or null" : ""); it is \(value.kind.phrase).")
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
