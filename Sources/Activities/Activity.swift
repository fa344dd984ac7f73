/// An `NSUserActivity` as a message carries it.
///
/// Optional properties are nil when they are absent or null in the message. Their types were checked when the message
/// was decoded; their values are read from it when they are asked for.
public struct Activity: Sendable {
    /// The constants of Apple's frameworks that decide what an activity is.
    public enum Name {
        /// `CSSearchableItemActionType`: a tapped Core Spotlight item.
        public static let searchableItemActionType = searchableItem.description
        fileprivate static let searchableItem: StaticString = "com.apple.corespotlightitem"
        /// `CSSearchableItemActivityIdentifier`: the key of the tapped item's identifier in `userInfo`.
        public static let searchableItemActivityIdentifier: StaticString = "kCSSearchableItemActivityIdentifier"
        /// `CSQueryContinuationActionType`: a search to be continued in the app.
        public static let queryContinuationActionType = "com.apple.corespotlightquerycontinuation"
        /// `CSSearchQueryString`: the key of the search text in `userInfo`.
        public static let searchQueryString: StaticString = "kCSSearchQueryString"
        /// `NSUserActivityTypeBrowsingWeb`: a universal link.
        public static let browsingWebType = browsingWeb.description
        fileprivate static let browsingWeb: StaticString = "NSUserActivityTypeBrowsingWeb"
    }

    private let document: JSONDocument
    /// Where each property's value stands in the document; 0 for one that is absent or null.
    private let places: Property.Places

    /// The app that the request's own properties name, beside `appID` in its body.
    public var requestAppID: String?

    /// Where the type is absent, the activity is a link.
    init(document: JSONDocument, places: Property.Places) {
        self.document = document
        self.places = places
    }

    private func value(_ property: Property) -> JSONValue? {
        let place = Int(places[property.rawValue])
        return place == 0 ? nil : JSONValue(document: document, index: place)
    }

    /// The type; never empty.
    public var activityType: String { value(.activityType)?.string ?? Name.browsingWebType }

    /// How many bytes the type has.
    public var typeByteCount: Int {
        let place = Int(places[Property.activityType.rawValue])
        return place == 0 ? Name.browsingWebType.utf8.count : document.byteCount(ofStringAt: place)
    }

    /// Whether the type has just these bytes.
    public func hasType(_ type: [UInt8]) -> Bool {
        let place = Int(places[Property.activityType.rawValue])
        return place == 0 ? type.elementsEqual(Name.browsingWebType.utf8) : document.string(at: place, equals: type)
    }

    /// Calls `body` with the UTF-8 of the type, which costs no copy.
    public func withType<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        let place = Int(places[Property.activityType.rawValue])
        if place == 0 { return body(Name.browsingWebType.utf8Span.span) }
        return document.withBytes(ofStringAt: place, body)
    }

    /// Whether the activity is a universal link, by its type.
    public var isLink: Bool { has(Name.browsingWeb, absent: true) }

    /// Whether the type is this one; `absent` says what an absent one counts as.
    private func has(_ type: StaticString, absent: Bool = false) -> Bool {
        let place = Int(places[Property.activityType.rawValue])
        return place == 0 ? absent : document.string(at: place, equals: type)
    }

    /// The title.
    public var title: String? { value(.title)?.string }
    /// The user information, an object.
    public var userInfo: JSONValue? { value(.userInfo) }
    /// The URL of the activity's web page as given, also when it is not usable.
    public var webpageURL: String? { value(.webpageURL)?.string }
    /// The URL of the page that led here, as given.
    public var referrerURL: String? { value(.referrerURL)?.string }
    /// The identifier by which an app deletes the activity.
    public var persistentIdentifier: String? { value(.persistentIdentifier)?.string }
    /// The identifier of the content that a scene should show.
    public var targetContentIdentifier: String? { value(.targetContentIdentifier)?.string }
    /// The identifier of the searchable item that the activity is about.
    public var relatedUniqueIdentifier: String? {
        value(.contentAttributeSet)?["relatedUniqueIdentifier" as StaticString]?.string
    }
    /// Whether the activity comes from ClassKit.
    public var isClassKitDeepLink: Bool { value(.isClassKitDeepLink)?.boolean ?? false }
    /// The path of a ClassKit context.
    public var contextIdentifierPath: [String]? { value(.contextIdentifierPath)?.elements.compactMap(\.string) }
    /// The identifier of the app that the activity is for.
    public var appID: String? { value(.appID)?.string }
    /// A link in a custom scheme.
    public var url: String? { value(.url)?.string }

    /// The link that the activity carries: its web page's URL where that is usable, else `url`.
    public var link: String? { usableWebpageURL ?? url }

    /// Whether `webpageURL` is an `http` or `https` URL, the only ones that NSUserActivity takes.
    public var usableWebpageURL: String? {
        guard let webpageURL, WebURL.isWeb(webpageURL) else { return nil }
        return webpageURL
    }
}

/// Which of the two kinds of activity a message is.
public enum Classification: Sendable, Hashable {
    /// A tapped Core Spotlight item with its identifier.
    case searchResult(identifier: String)
    /// Anything else.
    case userActivity
}

extension Activity {
    /// The kind: a search result when the type is Core Spotlight's and `userInfo` has a string identifier.
    public var classification: Classification {
        guard let identifier = searchableItemIdentifier?.string else { return .userActivity }
        return .searchResult(identifier: identifier)
    }

    /// The identifier of a search result, a string; nil for a user activity.
    public var searchableItemIdentifier: JSONValue? {
        guard has(Name.searchableItem),
            let identifier = userInfo?[Name.searchableItemActivityIdentifier], identifier.isString
        else { return nil }
        return identifier
    }
}

enum WebURL {
    /// Whether the text begins with `http://` or `https://` (in any case) and has a host.
    static func isWeb(_ text: String) -> Bool {
        for scheme in ["http://", "https://"] where text.utf8.count > scheme.utf8.count {
            let start = text.utf8.prefix(scheme.utf8.count)
            let matches = zip(start, scheme.utf8).allSatisfy { $0 == $1 || $0 | 0x20 == $1 }
            let host = text.utf8.dropFirst(scheme.utf8.count).first
            if matches, let host, !"/?#".utf8.contains(host) { return true }
        }
        return false
    }
}
