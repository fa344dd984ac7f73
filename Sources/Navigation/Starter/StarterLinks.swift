internal import Activities
internal import PersistentStore

/// What an app's association file tells for a configuration.
public struct StarterLinks: Sendable {
    /// More examples would hide the rest.
    private static let routeCountMax = 8

    private let file: String
    private let appID: String?
    /// The path patterns that claim links.
    private let paths: [String]

    /// Reads an association file, in either format; `file` is its path as the configuration shall name it.
    ///
    /// Nil where the bytes are no JSON object.
    public init?(_ bytes: [UInt8], file: String) {
        guard let root = try? JSONParser().parse(bytes.span, depthMax: 64), root.kind == .object else { return nil }
        self.file = file
        let details = root["applinks"]?["details"]?.elements ?? []
        let known = details.first { !Self.appIDs($0).isEmpty }
        appID = known.flatMap { Self.appIDs($0).first }
        paths = known.map(Self.paths) ?? []
    }

    private static func appIDs(_ detail: JSONValue) -> [String] {
        let several = detail["appIDs"]?.elements.compactMap(\.string) ?? []
        return several.isEmpty ? [detail["appID"]?.string].compactMap(\.self) : several
    }

    private static func paths(_ detail: JSONValue) -> [String] {
        guard let components = detail["components"]?.elements else {
            let paths = detail["paths"]?.elements.compactMap(\.string) ?? []
            return paths.filter { !$0.hasPrefix("NOT ") }
        }
        let claiming = components.filter { $0["exclude"]?.boolean != true }
        return claiming.compactMap { $0["/"]?.string }
    }

    /// The section `links`; its domain is a guess, since the file does not say it.
    func section(_ entities: [StarterEntity]) -> String {
        var seen: Set<String> = []
        var routes = paths.compactMap(Self.route).filter { seen.insert($0).inserted }
        routes = Array(routes.prefix(Self.routeCountMax))
        if routes.isEmpty { routes = ["/item/:name"] }
        let app = YAMLText.scalar(appID ?? "TEAM123456.com.example.app")
        var text = """
            # Universal links. Name your own domain; the association file says which of its links are the app's.
            #links:
            #  appID: \(app)
            #  domains:
            #    www.example.com: \(YAMLText.scalar(file))
            #  routes:

            """
        for route in routes { text += Self.example(route, entities) }
        return text
    }

    /// The path of a route for a pattern: `/movie/*` becomes `/movie/:name`; nil for one without such an end.
    private static func route(_ pattern: String) -> String? {
        guard pattern.hasPrefix("/"), pattern.hasSuffix("/*") else { return nil }
        let steps = pattern.dropLast(2)
        let isPlain = steps.utf8.allSatisfy { byte in
            (0x41...0x5A).contains(byte & 0xDF) || (0x30...0x39).contains(byte) || "/-_.".utf8.contains(byte)
        }
        guard isPlain, !steps.isEmpty else { return nil }
        return steps + "/:name"
    }

    /// A route, to the entity that a step of its path names, else to a command.
    private static func example(_ route: String, _ entities: [StarterEntity]) -> String {
        let steps = route.lowercased().split(separator: "/")
        let entity = entities.first { entity in
            entity.title?.standsInPredicates == true
                && steps.contains { $0 == entity.name.lowercased() || $0 == entity.name.lowercased() + "s" }
        }
        let path = "#    - path: \(YAMLText.scalar(route))\n"
        guard let entity, let title = entity.title else {
            return path + "#      command: openPage\n#      arguments: {name: $name}\n"
        }
        let predicate = YAMLText.scalar("\(title.name) ==[cd] $name")
        return path + "#      open: {entity: \(YAMLText.scalar(entity.name)), predicate: \(predicate)}\n"
    }
}
