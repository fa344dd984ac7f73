/// Reads the section `links`.
struct LinksReader {
    let diagnostics: Diagnostics
    /// Reads a file by its path.
    let contents: (String) throws(UnreadableFile) -> [UInt8]

    private static let keys = ["appID", "domains", "schemes", "routes"]

    func links(_ section: YAMLNode) -> Links? {
        guard let reader = MappingReader(section, "The section links", keys: Self.keys, diagnostics) else { return nil }
        let appID = reader["appID"].flatMap { $0.name("The value of appID", diagnostics) }
        let entries = reader["domains"].map { self.entries($0, appID, reader) } ?? []
        let schemes = reader["schemes"].map(schemes) ?? []
        let rules = RuleReader(diagnostics: diagnostics)
        let nodes = reader["routes"]?.elements("The value of routes", diagnostics) ?? []
        let routes = nodes.enumerated().compactMap { rules.linkRoute($1, index: $0) }
        return Links(entries: entries, schemes: schemes, routes: routes)
    }

    // MARK: Domains

    private func entries(_ node: YAMLNode, _ appID: String?, _ reader: MappingReader) -> [Links.Entry] {
        var entries: [Links.Entry] = []
        for member in node.members("The value of domains", diagnostics) {
            guard let domain = domain(member) else { continue }
            if let earlier = entries.first(where: { $0.domain == domain }) {
                diagnostics.report(
                    at: member.position,
                    "The domain \(member.key) is the same as \(earlier.name) in line "
                        + "\(earlier.position.line); remove one of the two.")
                continue
            }
            guard let claim = claim(member, appID, reader) else { continue }
            entries.append(Links.Entry(domain: domain, claim: claim, name: member.key, position: member.position))
        }
        return entries
    }

    private func domain(_ member: YAMLMember) -> LinkDomain? {
        if let domain = LinkDomain(member.key) { return domain }
        let advice =
            if member.key.contains("/") {
                "write the name alone, without scheme and path."
            } else {
                "write example.com, \"*.example.com\" for its sub-domains, or example.com:8443 with a port."
            }
        diagnostics.report(at: member.position, "The name \(member.key) is no domain; \(advice)")
        return nil
    }

    private func claim(_ member: YAMLMember, _ appID: String?, _ reader: MappingReader) -> Links.Claim? {
        guard !member.value.isNull else {
            diagnostics.report(
                at: member.position,
                "The domain \(member.key) claims nothing; name its association file, or write all.")
            return nil
        }
        guard let path = member.value.name("The value of the domain \(member.key)", diagnostics) else { return nil }
        if path == "all" { return .everything }
        let file = diagnostics.resolved(path)
        guard let association = association(file, at: member.value.position) else { return nil }
        guard let appID else {
            if reader["appID"] == nil {
                reader.reportMissing(
                    at: reader.position,
                    "The key appID is missing; the association file of \(member.key) names apps by it.")
            }
            return nil
        }
        return .file(association.claims(of: appID), file: file)
    }

    private func association(_ file: String, at position: TextPosition) -> AssociationFile? {
        let bytes: [UInt8]
        do throws(UnreadableFile) {
            bytes = try contents(file)
        } catch {
            diagnostics.report(at: position, error.description, .unreadableFile)
            return nil
        }
        do throws(AssociationFileError) {
            return try AssociationFile(bytes)
        } catch {
            diagnostics.report(at: position, "\(file): \(error.description)", .malformedFile)
            return nil
        }
    }

    // MARK: Schemes

    private func schemes(_ node: YAMLNode) -> [String] {
        node.elements("The value of schemes", diagnostics).compactMap { scheme($0) }
    }

    private func scheme(_ node: YAMLNode) -> String? {
        guard let name = node.name("A scheme", diagnostics) else { return nil }
        // What is behind the colon is of no matter; only a scheme that is written right comes back as itself.
        guard let url = LinkURL("\(name)://x"), !name.contains(":") else {
            diagnostics.report(
                at: node.position,
                "The name \(name) is no scheme; write letters, digits, +, - and . alone, without a colon.")
            return nil
        }
        guard case .custom(let scheme) = url.scheme else {
            diagnostics.report(at: node.position, "Links of the scheme \(name) are claimed by domains; remove it.")
            return nil
        }
        return scheme
    }
}

extension RuleReader {
    /// A rule of `links.routes`.
    fileprivate func linkRoute(_ node: YAMLNode, index: Int) -> LinkRoute? {
        let keys = ["path", "query"] + Self.actionKeys
        guard let reader = MappingReader(node, "A link route", keys: keys, diagnostics) else { return nil }
        let pattern = reader["path"].flatMap(pathPattern)
        var patterns = PatternReader(diagnostics, captures: pattern?.names ?? [])
        var query: [LinkRoute.QueryCondition] = []
        var isComplete = true
        for member in reader["query"]?.members("The value of query", diagnostics) ?? [] {
            let what = "The condition on the query item \(member.key)"
            if let pattern = patterns.pattern(member.value, what) {
                query.append(.init(name: member.key, pattern: pattern))
            } else {
                isComplete = false
            }
        }
        guard reader["path"] != nil else {
            reader.reportMissing(at: node.position, "The key path is missing; it says which links the route takes.")
            return nil
        }
        guard let pattern, isComplete else { return nil }
        guard let action = action(reader, captures: patterns.captures) else { return nil }
        return LinkRoute(
            pattern: pattern, query: query, action: action, path: "links.routes[\(index)]", position: node.position)
    }

    private func pathPattern(_ node: YAMLNode) -> PathPattern? {
        guard let text = node.name("The value of path", diagnostics) else { return nil }
        do throws(PathPatternError) {
            return try PathPattern(text)
        } catch {
            diagnostics.report(at: node.position(at: error.offset), error.description)
            return nil
        }
    }
}
