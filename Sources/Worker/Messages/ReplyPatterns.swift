/// The further reply queues that requests may name; `*` is any run of characters.
public struct ReplyPatterns: Sendable, Hashable, ExpressibleByArrayLiteral {
    /// The patterns for requests whose `app_id` names none of the apps: for them every app's patterns hold, since
    /// `reply_to` is judged before the body, which may choose any.
    public let patterns: [String]
    /// The patterns for requests whose `app_id` names an app, by that.
    public let ofApps: [String: [String]]

    /// Takes the patterns.
    public init(_ patterns: [String] = [], ofApps: [String: [String]] = [:]) {
        self.patterns = patterns
        self.ofApps = ofApps
    }

    /// The patterns of a single app.
    public init(arrayLiteral patterns: String...) { self.init(patterns) }
}
