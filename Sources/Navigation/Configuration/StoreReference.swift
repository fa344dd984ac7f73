internal import Spelling

/// A store as the configuration names it; opening it is the caller's.
public struct StoreReference: Sendable, Hashable {
    /// The kinds of stores.
    public enum Kind: String, Sendable, CaseIterable {
        /// A Core Data or SwiftData file.
        case coreData = "coredata"
        /// A catalog in an SQLite file.
        case sqlite
        /// A catalog in a PostgreSQL database.
        case postgreSQL = "postgresql"

        /// The kind of a URL's scheme, in any case; `postgres` is `postgresql`.
        public init?(scheme: some StringProtocol) {
            let scheme = scheme.lowercased()
            self.init(rawValue: scheme == "postgres" ? "postgresql" : scheme)
        }
    }

    /// The kind, by the URL's scheme.
    public let kind: Kind
    /// The URL as it is written; it may hold a password when the store is a server's.
    public let url: String
    /// The path of the file, resolved relative to the configuration; nil for a server's store.
    public let path: String?
    /// The path of the data model (`.xcdatamodeld`, `.xcdatamodel`, `.momd` or `.mom`), resolved likewise.
    public let model: String?
    /// The file that names the store.
    public let file: String
    /// The line of the URL in the file, from 1.
    public let line: Int
    /// The column of the URL in the file, from 1.
    public let column: Int

    /// An error at the place where the configuration names this store.
    public func error(_ sentence: String) -> ConfigurationError {
        ConfigurationError(file: file, line: line, column: column, sentence)
    }

    /// Something about the store's model that `check` tells at that place.
    public func modelProblem(_ severity: ConfigurationProblem.Severity, _ sentence: String) -> ConfigurationProblem {
        ConfigurationProblem(severity: severity, kind: .model, place: error(sentence))
    }
}

/// Reads the section `stores`.
struct StoreReader {
    let diagnostics: Diagnostics

    func references(_ section: YAMLNode) -> [StoreReference] {
        var references: [StoreReference] = []
        for node in section.elements("The section stores", diagnostics) {
            guard let reference = reference(node) else { continue }
            if references.contains(where: {
                $0.kind == reference.kind && $0.path ?? $0.url == reference.path ?? reference.url
            }) {
                // A server's URL may hold a password.
                let name = reference.path == nil ? "of this URL" : reference.url
                diagnostics.report(at: node.position, "The store \(name) is named twice.")
            } else {
                references.append(reference)
            }
        }
        return references
    }

    private func reference(_ node: YAMLNode) -> StoreReference? {
        if case .string(let url) = node.content { return reference(url, at: node.position, model: nil) }
        guard case .mapping = node.content else {
            diagnostics.report(
                at: node.position,
                "A store must be a URL or a mapping with the keys url and model; it is \(node.phrase).")
            return nil
        }
        guard let reader = MappingReader(node, "A store", keys: ["url", "model"], diagnostics) else { return nil }
        guard let urlNode = reader["url"] else {
            reader.reportMissing(at: node.position, "The key url is missing; a store is {url: URL, model: MODEL}.")
            return nil
        }
        guard let url = urlNode.name("The value of url", diagnostics) else { return nil }
        let model = reader["model"].flatMap { $0.name("The value of model", diagnostics) }
        let reference = reference(url, at: urlNode.position, model: model)
        if let member = reader.member("model"), let reference, reference.kind != .coreData {
            diagnostics.report(at: member.position, "Only a coredata store takes a model; remove the key model.")
        }
        return reference
    }

    private func reference(_ url: String, at position: TextPosition, model: String?) -> StoreReference? {
        let scheme = url.prefix { $0 != ":" }
        guard scheme.endIndex < url.endIndex else {
            diagnostics.report(
                at: position,
                "A store is written with its kind: coredata:FILE, sqlite:FILE or postgresql://USER@HOST/DB.")
            return nil
        }
        guard let kind = StoreReference.Kind(scheme: scheme) else {
            let nearest = NearestWord.to(String(scheme), among: StoreReference.Kind.allCases.map(\.rawValue))
            let advice = nearest.map { "did you mean \($0)?" } ?? "kinds are coredata, sqlite and postgresql."
            diagnostics.report(at: position, "There are no stores of the kind \(scheme); \(advice)")
            return nil
        }
        let rest = String(url[url.index(after: scheme.endIndex)...])
        guard !rest.isEmpty, kind != .postgreSQL || rest.hasPrefix("//") else {
            let form = kind == .postgreSQL ? "postgresql://USER@HOST/DB" : "\(kind.rawValue):FILE"
            diagnostics.report(at: position, "A store of this kind is written \(form).")
            return nil
        }
        return StoreReference(
            kind: kind, url: url, path: kind == .postgreSQL ? nil : diagnostics.resolved(rest),
            model: model.map(diagnostics.resolved),
            file: diagnostics.file, line: position.line, column: position.column)
    }
}
