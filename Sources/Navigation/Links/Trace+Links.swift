extension Trace {
    /// Notes the link that is judged.
    func read(_ url: LinkURL) {
        explanation.link = Explanation.Link(url: url.description)
    }

    /// Notes how a rule of an association file was judged.
    func judged(_ rule: AssociationRule, _ failure: AssociationRule.Failure?) {
        let why: String? =
            switch failure {
            case nil: nil
            case .path: "the path does not match"
            case .query: "the query does not match"
            case .queryItem(let name): "the query item \(name) does not match"
            case .fragment: "the fragment does not match"
            }
        explanation.link?.associationRules.append(
            .init(
                rule: rule.place, line: rule.position.line, outcome: failure == nil ? .matched : .failed, why: why,
                comment: rule.comment))
    }

    /// Notes what became of the link.
    func judged(_ verdict: Links.Verdict) {
        explanation.link?.verdict =
            switch verdict {
            case .notClaimed(let rejection): rejection.sentence
            case .notRouted: "The link is the app's, and no route takes it."
            case .route: "The link is the app's."
            }
    }

    /// Notes how a route was judged.
    func judged(_ route: LinkRoute, _ failure: LinkRoute.Failure?) {
        let why: String? =
            switch failure {
            case nil: nil
            case .path: "the path must match \(route.pattern.source)"
            case .query(let name):
                "the query item \(name) must match \"\(route.query.first { $0.name == name }?.pattern.source ?? "")\""
            }
        judged(route.path, at: route.position, matched: failure == nil, why: why)
    }
}
