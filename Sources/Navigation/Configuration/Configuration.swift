internal import PersistentStore

/// A configuration, read and compiled: rules are ready to be applied, and nothing of them is parsed again.
///
/// Immutable; threads share it.
public struct Configuration: Sendable {
    /// The file, as it was named; relative paths in it are relative to its folder.
    public let file: String
    /// The stores, in the order in which they are looked into.
    public let stores: [StoreReference]
    /// Former store identifiers, each with the current one; followed once.
    public var storeAliases: [String: String] {
        Dictionary(aliases.map { ($0.former, $0.current) }, uniquingKeysWith: { first, _ in first })
    }
    /// Further reply queues that requests may name; `*` is any run of characters.
    public let replyTo: [String]

    let aliases: [StoreAlias]
    let entityRules: [EntityRule]
    let searchResultRules: [SearchResultRule]
    let activityRules: [ActivityRule]
    let activityRuleIndex: ActivityRuleIndex
    /// Nil where the configuration has no section for links.
    let links: Links?

    /// The largest file that is taken, in bytes.
    public static let byteCountMax = YAMLLimit.bytesMax

    /// Reads a configuration; throws everything that is wrong with it at once.
    ///
    /// `bytes` is the content of `file`: YAML 1.2 or JSON, UTF-8, at most 1 MiB. The file itself is not touched.
    /// `contents` reads the association files that it names, by their paths (which are relative to where `file` is).
    public init(
        _ bytes: [UInt8], file: String,
        contents: (_ path: String) throws(UnreadableFile) -> [UInt8] = { path throws(UnreadableFile) in
            throw UnreadableFile("The file \(path) cannot be read here.")
        }
    ) throws(ConfigurationErrors) {
        let diagnostics = Diagnostics(file: file)
        guard let root = diagnostics.root(of: bytes) else { throw diagnostics.errors }
        try self.init(root, diagnostics, contents)
    }

    /// Reads a configuration whose YAML has been read.
    init(
        _ root: YAMLNode, _ diagnostics: Diagnostics, _ contents: (String) throws(UnreadableFile) -> [UInt8]
    ) throws(ConfigurationErrors) {
        let sections = Sections(root, diagnostics, contents)
        guard diagnostics.isEmpty else { throw diagnostics.errors }
        file = diagnostics.file
        stores = sections.stores
        aliases = sections.aliases
        replyTo = sections.replyTo
        entityRules = sections.entityRules
        searchResultRules = sections.searchResultRules
        activityRules = sections.activityRules
        activityRuleIndex = ActivityRuleIndex(activityRules)
        links = sections.links
    }

    /// What the rules read of objects: an entry for each entity rule, in their order.
    var fetchPlan: FetchPlan {
        FetchPlan(entries: entityRules.map { FetchPlan.Entry(entity: $0.entity, paths: $0.objectPaths) })
    }

    /// The shapes of all predicates, each once, in the order of the configuration.
    var predicates: [Predicate] {
        var seen: Set<Predicate> = []
        return predicateTemplates.map(\.predicate).filter { seen.insert($0).inserted }
    }

    /// The predicates of all rules, in the order of the configuration.
    var predicateTemplates: [PredicateTemplate] {
        let routes = links?.routes ?? []
        let actions = searchResultRules.map(\.action) + activityRules.map(\.action) + routes.map(\.action)
        return actions.compactMap { if case .open(.matching(let predicate)) = $0 { predicate } else { nil } }
    }
}

extension Diagnostics {
    /// The YAML of a file, an empty one's is null; nil, with an error, where it is none.
    func root(of bytes: [UInt8]) -> YAMLNode? {
        do throws(YAMLError) {
            return try YAMLDocument.root(of: bytes) ?? YAMLNode(.null, at: .start)
        } catch {
            report(at: error.position, error.sentence)
            return nil
        }
    }
}

/// A former identifier of a store.
struct StoreAlias: Sendable {
    let former: String
    let current: String
    let position: TextPosition
}

/// Reads the sections of a configuration.
struct Sections {
    private(set) var stores: [StoreReference] = []
    private(set) var aliases: [StoreAlias] = []
    private(set) var replyTo: [String] = []
    private(set) var entityRules: [EntityRule] = []
    private(set) var searchResultRules: [SearchResultRule] = []
    private(set) var activityRules: [ActivityRule] = []
    private(set) var links: Links?

    static let keys = [
        "stores", "storeAliases", "entities", "searchResults", "activities", "links", "replyTo", "apps", "default",
    ]

    init(
        _ root: YAMLNode, _ diagnostics: Diagnostics, _ contents: (String) throws(UnreadableFile) -> [UInt8]
    ) {
        guard let reader = MappingReader(root, "The configuration", keys: Self.keys, diagnostics) else { return }
        let rules = RuleReader(diagnostics: diagnostics)
        if let node = reader["stores"] { stores = StoreReader(diagnostics: diagnostics).references(node) }
        if let node = reader["storeAliases"] { aliases = Self.aliases(node, diagnostics) }
        if let node = reader["entities"] { entityRules = rules.entityRules(node) }
        if let node = reader["searchResults"] { searchResultRules = rules.searchResultRules(node) }
        if let node = reader["activities"] { activityRules = rules.activityRules(node) }
        if let node = reader["replyTo"] { replyTo = Self.queues(node, diagnostics) }
        if let node = reader["links"] {
            links = withoutActuallyEscaping(contents) { contents in
                LinksReader(diagnostics: diagnostics, contents: contents).links(node)
            }
        }
        for key in ["apps", "default"] {
            guard let member = reader.member(key) else { continue }
            diagnostics.report(
                at: member.position,
                "The section \(key) belongs into the file that names the apps' files; an app's own file has no apps.")
        }
    }

    private static func aliases(_ section: YAMLNode, _ diagnostics: Diagnostics) -> [StoreAlias] {
        var aliases: [StoreAlias] = []
        for member in section.members("The section storeAliases", diagnostics) {
            guard let current = member.value.name("The current identifier of a store", diagnostics) else { continue }
            if current == member.key {
                diagnostics.report(at: member.position, "The store \(current) is an alias of itself; remove this line.")
            } else if member.key.isEmpty || member.key.contains("/") || current.contains("/") {
                diagnostics.report(
                    at: member.position, "A store's identifier, usually a UUID, is not empty and holds no /.")
            }
            aliases.append(StoreAlias(former: member.key, current: current, position: member.position))
        }
        return aliases
    }

    private static func queues(_ section: YAMLNode, _ diagnostics: Diagnostics) -> [String] {
        section.elements("The value of replyTo", diagnostics).compactMap { $0.name("The name of a queue", diagnostics) }
    }
}
