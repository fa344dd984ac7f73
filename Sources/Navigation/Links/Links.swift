/// The universal links of an app, and its links in custom schemes: which URLs are its own, and what each leads to.
struct Links: Sendable {
    /// Which of a domain's URLs are the app's.
    enum Claim: Sendable {
        /// All.
        case everything
        /// Those that the domain's association file says; `file` is its path.
        case file(AssociationClaims, file: String)
    }

    /// A domain with what it claims.
    struct Entry: Sendable {
        let domain: LinkDomain
        let claim: Claim
        /// The domain as it is written.
        let name: String
        let position: TextPosition
    }

    /// The domains; of several that take a host the first is the longest.
    let entries: [Entry]
    /// The custom schemes, in small letters.
    let schemes: [String]
    /// The first that matches decides.
    let routes: [LinkRoute]

    init(entries: [Entry], schemes: [String], routes: [LinkRoute]) {
        self.entries = entries.sorted { $0.domain.precedes($1.domain) }
        self.schemes = schemes
        self.routes = routes
    }

    /// Why a URL is not the app's.
    enum Rejection: Hashable {
        case scheme(String)
        case host(String)
        /// The association file of the domain has no rule for it.
        case unclaimed(domain: String)
        /// A rule of the association file keeps it out of the app.
        case excluded(domain: String, rule: String)
    }

    /// What a URL leads to.
    enum Verdict: Hashable {
        case notClaimed(Rejection)
        case notRouted
        /// The route of this index; its captures have been filled in.
        case route(Int)
    }

    /// Judges a URL; `captured` receives what the route captured, nil for an absent group.
    func judge(_ url: LinkURL, capturing captured: inout [String?], _ trace: Trace? = nil) -> Verdict {
        if let rejection = rejection(of: url, trace) { return .notClaimed(rejection) }
        let link = RoutedLink(url)
        for (index, route) in routes.enumerated() {
            let failure = route.failure(of: link, capturing: &captured)
            trace?.judged(route, failure)
            if failure == nil {
                trace?.notReached(routes[(index + 1)...])
                return .route(index)
            }
        }
        return .notRouted
    }

    /// Why the URL is not the app's; nil where it is.
    private func rejection(of url: LinkURL, _ trace: Trace?) -> Rejection? {
        if case .custom(let scheme) = url.scheme { return schemes.contains(scheme) ? nil : .scheme(scheme) }
        guard let entry = entries.first(where: { $0.domain.claims(url) }) else { return .host(url.authority) }
        guard case .file(let claims, _) = entry.claim else { return nil }
        let verdict =
            if let trace {
                claims.judge(url) { trace.judged($0, $1) }
            } else {
                claims.judge(url)
            }
        switch verdict {
        case .claimed: return nil
        case .excluded(let rule): return .excluded(domain: entry.name, rule: claims.rules[rule].place)
        case .unclaimed: return .unclaimed(domain: entry.name)
        }
    }
}

extension LinkURL {
    /// The host, with the port where it is not the scheme's own.
    var authority: String { text(of: host) + (port.map { ":\($0)" } ?? "") }

    /// The whole URL, without user information.
    var description: String {
        let scheme =
            switch self.scheme {
            case .http: "http"
            case .https: "https"
            case .custom(let name): name
            }
        let authority = host.isEmpty ? "" : "//\(self.authority)"
        let query = self.query.map { "?" + text(of: $0) } ?? ""
        let fragment = self.fragment.map { "#" + text(of: $0) } ?? ""
        return "\(scheme):\(authority)\(text(of: path))\(query)\(fragment)"
    }
}
