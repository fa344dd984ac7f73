/// What a link leads to: a rule of `links.routes`.
struct LinkRoute: Sendable {
    /// A query item that must be there, by its decoded name.
    struct QueryCondition: Sendable {
        let name: String
        let pattern: TextPattern
    }

    let pattern: PathPattern
    /// All must hold.
    let query: [QueryCondition]
    let action: Action
    /// The rule's place in the configuration, for example `links.routes[0]`.
    let path: String
    let position: TextPosition

    /// What a route failed by.
    enum Failure: Sendable, Hashable {
        case path
        /// The query item of that name is absent, or does not match.
        case query(String)
    }

    /// What does not match; nil for a route that takes the link, whose captures are then in `captured`.
    func failure(of link: RoutedLink, capturing captured: inout [String?]) -> Failure? {
        captured.removeAll(keepingCapacity: true)
        guard let groups = pattern.captures(in: link.path.span) ?? link.captures(by: pattern) else { return .path }
        captured.append(contentsOf: groups)
        for condition in query {
            guard let value = link.url.firstQueryValue(named: condition.name),
                condition.pattern.match(value, capturing: &captured)
            else { return .query(condition.name) }
        }
        return nil
    }
}

/// A link as routes see it.
struct RoutedLink {
    let url: LinkURL
    let path: [UInt8]
    /// The path with the host in small letters, where that makes another one: hosts compare without case, but what is
    /// captured of one stays as it was written where the pattern takes that.
    private let loweredPath: [UInt8]?

    init(_ url: LinkURL) {
        self.url = url
        path = url.routedPath
        let hostCount = url.scheme.isWeb ? 0 : url.host.count
        let lowered = url.bytes[url.host.prefix(hostCount)].map(\.asciiLowercased)
        let isLowered = hostCount == 0 || url.bytes[url.host].elementsEqual(lowered)
        loweredPath = isLowered ? nil : [UInt8(ascii: "/")] + lowered + url.bytes[url.path]
    }

    fileprivate func captures(by pattern: PathPattern) -> [String?]? {
        loweredPath.flatMap { pattern.captures(in: $0.span) }
    }
}
