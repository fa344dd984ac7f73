internal import Activities

/// What the links of a configuration say of an activity.
enum LinkOutcome {
    /// A route takes it.
    case route(LinkRoute)
    /// None does; the reason and a sentence.
    case rejected(NotHandledReason, String)
}

extension Links {
    /// Judges the link that an activity carries; `captured` receives what the route captured.
    func outcome(of activity: Activity, capturing captured: inout [String?], _ trace: Trace?) -> LinkOutcome {
        guard let text = activity.link, let url = LinkURL(text), url.scheme.isWeb || activity.url == text else {
            let hasURL = activity.usableWebpageURL == nil && activity.url != nil
            return .rejected(.missingValue, hasURL ? Message.malformedURL : Message.missingWebpageURL)
        }
        trace?.read(url)
        let verdict = judge(url, capturing: &captured, trace)
        trace?.judged(verdict)
        switch verdict {
        case .route(let index): return .route(routes[index])
        case .notRouted: return .rejected(.linkNotRouted, Message.linkNotRouted(routes: routes.count))
        case .notClaimed(let rejection): return .rejected(.linkNotClaimed, rejection.sentence)
        }
    }
}

extension Links.Rejection {
    /// Why the link is not the app's, as a sentence.
    var sentence: String {
        switch self {
        case .scheme(let scheme): "The scheme \(Message.brief(scheme)) is not one of links.schemes."
        case .host(let host): "The host \(Message.brief(host)) is not one of links.domains."
        case .unclaimed(let domain): "The association file of \(domain) does not claim the link for the app."
        case .excluded(let domain, let rule):
            "The association file of \(domain) keeps the link out of the app, by \(rule)."
        }
    }
}

extension Message {
    static func linkNotRouted(routes: Int) -> String {
        switch routes {
        case 0: "The link is the app's, but there are no rules under links.routes."
        case 1: "The link is the app's, but the one rule under links.routes does not match."
        default: "The link is the app's, but none of the \(routes) rules under links.routes matches."
        }
    }
}
