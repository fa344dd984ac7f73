public import PersistentStore

/// A commented configuration for an app whose store is known: something to begin with.
///
/// What is certain stands there to be used. A guess that could be wrong is an example behind a `#` without a space:
/// without that `#` it is right YAML in its place.
public struct StarterConfiguration: Sendable {
    /// More examples of one kind would hide the rest.
    private static let exampleCountMax = 6

    private let store: Store
    private let model: ObjectModel
    private let entities: [StarterEntity]
    private let links: StarterLinks?

    /// The store that the configuration is for.
    public struct Store: Sendable {
        /// The URL, as the configuration shall name it.
        public let url: String
        /// The path of the data model, where one was given.
        public let model: String?
        /// The store's identifier.
        public let identifier: String

        /// Names a store.
        public init(url: String, model: String? = nil, identifier: String) {
            self.url = url
            self.model = model
            self.identifier = identifier
        }
    }

    /// Takes what is known of the app: its store, the store's model, and its association file.
    public init(store: Store, model: ObjectModel, links: StarterLinks? = nil) {
        self.store = store
        self.model = model
        self.links = links
        entities = StarterEntity.all(in: model)
    }

    /// The text of the configuration.
    ///
    /// What an association file says can contradict itself. Then links are an example, so that `check` has no more than
    /// notes on the text; `contents` reads the association file.
    public func text(contents: (_ path: String) throws(UnreadableFile) -> [UInt8]) -> String {
        let text = text(linksAreExample: false)
        guard links != nil else { return text }
        let configuration = try? Configuration(Array(text.utf8), file: "deeplinks.yaml", contents: contents)
        let problems = configuration?.problems(against: [model], identifiers: [store.identifier])
        let isClean = problems?.allSatisfy { $0.severity == .note } ?? false
        return isClean ? text : self.text(linksAreExample: true)
    }

    private func text(linksAreExample: Bool) -> String {
        let links = links?.section(entities, isExample: linksAreExample) ?? ""
        return [head, stores, rules, searchResults, activities, links, replyTo]
            .filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private var head: String {
        """
        # yaml-language-server: $schema=deeplinks.schema.json
        # What opens which screen. Documentation/Configuration.md explains every section.
        #
        #   deeplink-worker check --config FILE      judges this file against the store
        #   deeplink-worker resolve --config FILE    answers activities, one a line, without a broker
        #   deeplink-worker schema configuration     prints the schema for editors that the first line names
        #
        # Lines that begin with a # and no space behind it are examples: change them, and remove the #.

        """
    }

    private var stores: String {
        let url = YAMLText.scalar(store.url)
        let entry = store.model.map { "{url: \(url), model: \(YAMLText.scalar($0))}" } ?? url
        return """
            # Where the objects are.
            stores:
              - \(entry)

            # Identifiers from before a migration gave the store its UUID.
            #storeAliases:
            #  FORMER-UUID: \(YAMLText.scalar(store.identifier))

            """
    }

    private var rules: String {
        var text = """
            # What opens once an object is known, however it was found. Give the commands the names that the app knows.
            entities:

            """
        if entities.isEmpty { text += "  # The store has no entities.\n" }
        for entity in entities {
            if !entity.descendants.isEmpty {
                text += "  # also for \(entity.descendants.map(\.printable).joined(separator: ", "))\n"
            }
            var rule = "command: \(YAMLText.scalar(entity.command))"
            if let title = entity.title {
                let value = YAMLText.scalar(title.objectVariable)
                rule += ", arguments: {\(YAMLText.scalar(title.name)): \(value)}"
            }
            text += "  \(YAMLText.scalar(entity.name)): {\(rule)}\n"
        }
        return text
    }

    private var searchResults: String {
        let text = """
            # Spotlight identifiers that are not object URIs (x-coredata://...), which need no rule.

            """
        let examples = entities.compactMap(\.searchResultExample).prefix(Self.exampleCountMax)
        guard !examples.isEmpty else {
            return text + """
                #searchResults:
                #  - {identifier: screen-$name, command: openScreen, arguments: {screen: $name}}

                """
        }
        return text + "#searchResults:\n" + examples.joined()
    }

    private var activities: String {
        """
        # User activities, by their type. The first match decides.
        activities:
          # A search that began in Spotlight goes on in the app.
          - activityType: com.apple.corespotlightquerycontinuation
            command: openSearch
            arguments: {query: $userInfo.kCSSearchQueryString}

        """ + entities.compactMap(\.activityExample).prefix(Self.exampleCountMax).joined()
            + """
            #  - {activityType: com.example.openTab, title: Settings, command: openTab, arguments: {index: 2}}

            """
    }

    private var replyTo: String {
        """
        # Further reply queues that requests may name.
        #replyTo: ["deeplink.reply.*"]

        """
    }
}

extension StarterEntity {
    fileprivate var command: String { "open\(name.prefix(1).uppercased())\(name.dropFirst())Detail" }

    /// An identifier rule by the attribute that tells objects apart.
    fileprivate var searchResultExample: String? {
        guard let key, key.standsInPredicates else { return nil }
        let capture = key.captureName
        let identifier = YAMLText.scalar("\(name.lowercased().withoutDollarSigns)-$\(capture)")
        let predicate = YAMLText.scalar("\(key.name) == $\(capture)")
        return """
            #  - identifier: \(identifier)
            #    open: {entity: \(YAMLText.scalar(name)), predicate: \(predicate)}

            """
    }

    /// An activity rule by the attribute that people read.
    fileprivate var activityExample: String? {
        guard let title, title.standsInPredicates else { return nil }
        let type = YAMLText.scalar("com.example.\(name.lowercased())")
        let predicate = YAMLText.scalar("\(title.name) ==[cd] $title")
        return """
            #  - activityType: \(type)
            #    open: {entity: \(YAMLText.scalar(name)), predicate: \(predicate)}

            """
    }
}

extension String {
    /// The text for a comment.
    fileprivate var printable: String {
        String(unicodeScalars.map { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) ? "?" : Character($0) })
    }

    /// The text as a pattern takes it literally.
    fileprivate var withoutDollarSigns: String { replacing("$", with: "$$") }
}
