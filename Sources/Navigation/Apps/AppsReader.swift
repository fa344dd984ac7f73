/// Reads the sections `apps` and `default`, and the files that they name.
struct AppsReader {
    let diagnostics: Diagnostics
    /// The configurations, each file's once.
    private(set) var configurations: [Configuration] = []
    private(set) var apps: [String: Int] = [:]
    private(set) var fallback: Int?
    /// What is wrong in the files that are named.
    private(set) var errors: [ConfigurationError] = []
    /// The files that were read; nil for one that is wrong.
    private var files: [String: Int?] = [:]

    init(diagnostics: Diagnostics) {
        self.diagnostics = diagnostics
    }

    /// The members of a configuration of several apps; nil for a configuration of one.
    static func section(_ root: YAMLNode) -> [YAMLMember]? {
        guard case .mapping(let members) = root.content,
            members.contains(where: { ["apps", "default"].contains($0.key) && !$0.value.isNull })
        else { return nil }
        return members
    }

    mutating func read(
        _ members: [YAMLMember], of root: YAMLNode, _ contents: (String) throws(UnreadableFile) -> [UInt8]
    ) {
        let others = Sections.keys.filter { $0 != "apps" && $0 != "default" }
        var known: [YAMLMember] = []
        for member in members {
            guard others.contains(member.key) else {
                known.append(member)
                continue
            }
            diagnostics.report(
                at: member.position,
                "The section \(member.key) belongs into an app's own file; beside apps stands only default.")
        }
        let mapping = YAMLNode(.mapping(known), at: root.position)
        guard let reader = MappingReader(mapping, "The configuration", keys: ["apps", "default"], diagnostics) else {
            return
        }
        if let section = reader["apps"] {
            let entries = section.members("The section apps", diagnostics)
            if case .mapping(let members) = section.content, members.isEmpty {
                diagnostics.report(at: section.position, "The section apps names no app; write APP_ID: FILE.")
            }
            for entry in entries { readApp(entry, contents) }
        } else {
            reader.reportMissing(
                at: reader.position, "The section apps is missing; default stands beside it, for other requests.")
        }
        if let node = reader["default"] { fallback = index(of: node, "The value of default", contents) }
    }

    private mutating func readApp(_ entry: YAMLMember, _ contents: (String) throws(UnreadableFile) -> [UInt8]) {
        guard !entry.key.isEmpty else {
            diagnostics.report(at: entry.position, "An app's identifier must not be empty.")
            return
        }
        apps[entry.key] = index(of: entry.value, "The file of the app \(entry.key)", contents)
    }

    /// The index of the configuration in the file that the node names.
    private mutating func index(
        of node: YAMLNode, _ what: String, _ contents: (String) throws(UnreadableFile) -> [UInt8]
    ) -> Int? {
        guard let name = node.name(what, diagnostics) else { return nil }
        let path = diagnostics.resolved(name)
        if let known = files[path] { return known }
        let index = configuration(path, at: node.position, contents)
        files.updateValue(index, forKey: path)
        return index
    }

    private mutating func configuration(
        _ path: String, at position: TextPosition, _ contents: (String) throws(UnreadableFile) -> [UInt8]
    ) -> Int? {
        let bytes: [UInt8]
        do throws(UnreadableFile) { bytes = try contents(path) } catch {
            diagnostics.report(at: position, error.description, .unreadableFile)
            return nil
        }
        do throws(ConfigurationErrors) {
            configurations.append(try Configuration(bytes, file: path, contents: contents))
            return configurations.count - 1
        } catch {
            errors += error.errors
            return nil
        }
    }
}
