/// An `NSUserActivity` as a message carries it.
///
/// Optional properties are nil when they are absent or null in the message. `userInfo` is an object when it is there.
public struct Activity: Sendable {
    /// The constants of Apple's frameworks that decide what an activity is.
    public enum Name {
        /// `CSSearchableItemActionType`: a tapped Core Spotlight item.
        public static let searchableItemActionType = "com.apple.corespotlightitem"
        /// `CSSearchableItemActivityIdentifier`: the key of the tapped item's identifier in `userInfo`.
        public static let searchableItemActivityIdentifier = "kCSSearchableItemActivityIdentifier"
        /// `CSQueryContinuationActionType`: a search to be continued in the app.
        public static let queryContinuationActionType = "com.apple.corespotlightquerycontinuation"
        /// `CSSearchQueryString`: the key of the search text in `userInfo`.
        public static let searchQueryString = "kCSSearchQueryString"
        /// `NSUserActivityTypeBrowsingWeb`: a universal link.
        public static let browsingWebType = "NSUserActivityTypeBrowsingWeb"
    }

    /// The type; never empty.
    public let activityType: String
    /// The title.
    public let title: String?
    /// The user information, an object.
    public let userInfo: JSONValue?
    /// The URL of the activity's web page as given, also when it is not usable.
    public let webpageURL: String?
    /// The URL of the page that led here, as given.
    public let referrerURL: String?
    /// The identifier by which an app deletes the activity.
    public let persistentIdentifier: String?
    /// The identifier of the content that a scene should show.
    public let targetContentIdentifier: String?
    /// The identifier of the searchable item that the activity is about.
    public let relatedUniqueIdentifier: String?
    /// Whether the activity comes from ClassKit.
    public let isClassKitDeepLink: Bool
    /// The path of a ClassKit context.
    public let contextIdentifierPath: [String]?
    /// The identifier of the app that the activity is for.
    public let appID: String?
    /// A link in a custom scheme.
    public let url: String?

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
        guard activityType == Name.searchableItemActionType,
            let identifier = userInfo?[Name.searchableItemActivityIdentifier]?.string
        else { return .userActivity }
        return .searchResult(identifier: identifier)
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
