internal import Items

/// The deletions of domains, and of everything, that a batch may meet: the tables `domain_deletion` and `catalog`.
public struct DomainMarks: Sendable {
    /// The version of the last `.deleteAll`.
    public var all: Int64?
    /// The version of each domain's last deletion.
    public var domains: [String: Int64]

    /// Makes marks.
    public init(all: Int64? = nil, domains: [String: Int64] = [:]) {
        self.all = all
        self.domains = domains
    }

    /// Whether an item of a domain is newer than every deletion that takes the domain.
    func admit(_ version: ItemVersion, domain: String?) -> Bool {
        if let all, !version.outlives(all) { return false }
        guard !domains.isEmpty, let domain else { return true }
        return Self.lineage(of: domain).allSatisfy { name in
            domains[name].map { version.outlives($0) } ?? true
        }
    }

    /// The domain and those above it: `a.b.c`, `a.b`, `a`.
    public static func lineage(of domain: String) -> [String] {
        var lineage = [domain]
        var rest = domain[...]
        while let dot = rest.lastIndex(of: ".") {
            rest = rest[..<dot]
            if !rest.isEmpty { lineage.append(String(rest)) }
        }
        return lineage
    }

    /// The bounds of a domain's sub-domains: names from `lower` on and below `upper`, compared as bytes.
    public static func subdomains(of domain: String) -> (lower: String, upper: String) {
        (domain + ".", domain + "/")
    }
}
