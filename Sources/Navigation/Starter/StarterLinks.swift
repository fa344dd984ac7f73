internal import Activities

/// What an app's association file tells for a configuration.
public struct StarterLinks: Sendable {
    /// More examples would hide the rest.
    private static let routeCountMax = 8

    private let file: String
    /// The first app that the file names, and the others.
    private let appIDs: [String]
    /// The path patterns that claim links for the first app.
    private let paths: [String]

    /// Reads an association file, in any of its formats; `file` is its path as the configuration shall name it.
    public init(_ bytes: [UInt8], file: String) throws(AssociationFileError) {
        appIDs = try AssociationFile(bytes).appIDs
        self.file = file
        let details = (try? JSONParser().parse(bytes.span, depthMax: AssociationFile.depthMax))?["applinks"]?["details"]
        let entry =
            if details?.kind == .object {
                // The oldest form: a dictionary by app identifier.
                details?.members.first?.value
            } else {
                details?.elements.first { !Self.appIDs($0).isEmpty }
            }
        paths = entry.map(Self.paths) ?? []
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
        let claiming = components.map(ComponentValues.init).filter { $0.exclude != true }
        return claiming.map { $0.path ?? "*" }
    }

    /// The section `links`, to be used, or as an example where its guesses do not fit the file.
    ///
    /// The domain is a guess in any case, for the file does not say it.
    func section(_ entities: [StarterEntity], isExample: Bool) -> String {
        var seen: Set<String> = []
        let routes = paths.compactMap(StarterRoute.init).filter { seen.insert($0.path).inserted }.sorted(by: <)
            .prefix(Self.routeCountMax)
        let mark = isExample || appIDs.isEmpty ? "#" : ""
        // Without a guess a route stands there to show its form.
        let routeMark = routes.isEmpty ? "#" : mark
        var text = """
            # Universal links. Write your own domain; the association file says which of its links are the app's.
            \(mark)links:
            \(mark)  appID: \(YAMLText.scalar(appIDs.first ?? "TEAM123456.com.example.app"))

            """
        if appIDs.count > 1 {
            text += "  # also in the file: \(appIDs.dropFirst().map(YAMLText.scalar).joined(separator: ", "))\n"
        }
        text += """
            \(mark)  domains:
            \(mark)    www.example.com: \(YAMLText.scalar(file))
            \(routeMark)  routes:

            """
        for route in routes.isEmpty ? [StarterRoute.example] : Array(routes) {
            text += route.lines(entities).map { "\(routeMark)    \($0)\n" }.joined()
        }
        return text
    }
}
