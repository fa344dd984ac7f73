import Activities
import Navigation
import PersistentStore

import struct FoundationEssentials.Date

/// The example of the documentation: movies and family members, and an entity that no rule takes.
enum FamilyMovies {
    static let store = "0D8A1C7E-9E2B-4F5D-8C3A-1B2C3D4E5F60"
    static let formerStore = "5F0A37B2-6B0E-4E0B-9C0B-2B6B1E9B7A11"

    static let configuration = """
        stores:
          - coredata:FamilyMovies.sqlite
        storeAliases:
          5F0A37B2-6B0E-4E0B-9C0B-2B6B1E9B7A11: 0D8A1C7E-9E2B-4F5D-8C3A-1B2C3D4E5F60   # old: current

        # What opens once an object is known.
        entities:
          Movie:        {command: openMovieDetail,        arguments: {name: $object.name}}
          FamilyMember: {command: openFamilyMemberDetail, arguments: {name: $object.name}}

        searchResults:
          - identifier: movie-$id
            open: {entity: Movie, predicate: "remoteId == $id"}

        activities:
          - {activityType: com.familymovies.openTab, title: Family Members, command: openTab, arguments: {index: 0}}
          - {activityType: com.familymovies.openTab, title: Movies,         command: openTab, arguments: {index: 1}}
          - activityType: com.familymovies.movieDetailView
            open: {entity: Movie, predicate: "name ==[cd] $title"}
          - activityType: com.familymovies.familyMemberDetailView
            open: {entity: FamilyMember, predicate: "name ==[cd] $title"}
          - activityType: com.apple.corespotlightquerycontinuation
            command: openSearch
            arguments: {query: $userInfo.kCSSearchQueryString}
          - activityType: com.donnywals.hairdressers.appointment
            title: Book an appointment with $hairdresser for $day
            command: book
            arguments: {hairdresser: $hairdresser, day: $day}

        replyTo: ["deeplink.reply.*"]
        """

    static let model = ObjectModel(entities: [
        EntityDescription(
            name: "Movie",
            attributes: [
                AttributeDescription(name: "name", type: .string, isOptional: false),
                AttributeDescription(name: "popularity", type: .double),
                AttributeDescription(name: "remoteId", type: .integer64),
                AttributeDescription(name: "released", type: .date),
                AttributeDescription(name: "uuid", type: .uuid),
                AttributeDescription(name: "poster", type: .binary),
                AttributeDescription(name: "price", type: .decimal),
                AttributeDescription(name: "seen", type: .boolean),
            ],
            relationships: [
                RelationshipDescription(name: "director", destination: "FamilyMember"),
                RelationshipDescription(name: "familyMembers", destination: "FamilyMember", isToMany: true),
            ]),
        EntityDescription(
            name: "FamilyMember", attributes: [AttributeDescription(name: "name", type: .string, isOptional: false)],
            relationships: [RelationshipDescription(name: "favorite", destination: "Movie")]),
        EntityDescription(
            name: "Cartoon", parent: 0, attributes: [AttributeDescription(name: "studio", type: .string)]),
        EntityDescription(name: "Poster", attributes: [AttributeDescription(name: "name", type: .string)]),
    ])

    static func uri(_ entity: String, _ key: Int64) -> ObjectURI {
        ObjectURI(store: store, entity: entity, primaryKey: key)
    }

    static func makeStore(_ identifier: String = store) -> MemoryStore {
        func movie(_ key: Int64, _ values: [String: AttributeValue], entity: String = "Movie") -> MemoryStore.Row {
            MemoryStore.Row(entity: entity, key: key, values: values)
        }
        let store = MemoryStore(
            identifier, model: model,
            rows: [
                movie(12, ["name": .string("Alien"), "remoteId": .integer(348), "popularity": .number(2)]),
                movie(
                    13,
                    ["name": .string("Amélie"), "remoteId": .integer(194), "director": .object(uri("FamilyMember", 1))]),
                movie(14, ["name": .string("AMELIE")]),
                movie(15, [:]),
                movie(16, ["name": .string("Up"), "studio": .string("Pixar")], entity: "Cartoon"),
                movie(17, ["name": .string("Movies")]),
                .init(
                    entity: "FamilyMember", key: 1,
                    values: ["name": .string("Grandma"), "favorite": .object(uri("Movie", 12))]),
                .init(entity: "FamilyMember", key: 2, values: ["name": .string("Alien")]),
                .init(entity: "Poster", key: 1, values: ["name": .string("Alien poster")]),
            ])
        store.deleted = [90: Date(timeIntervalSinceReferenceDate: 0), 91: nil]
        return store
    }
}

/// Resolves activities, written as JSON, by a configuration, written as YAML.
struct Scene {
    let resolver: Resolver
    let stores: [MemoryStore]

    /// `files` are the association files that the configuration names.
    init(
        _ yaml: String = FamilyMovies.configuration, stores: [MemoryStore] = [FamilyMovies.makeStore()],
        files: [String: String] = [:]
    ) throws {
        let configuration = try Configuration(Array(yaml.utf8), file: "deeplinks.yaml") { path throws(UnreadableFile) in
            guard let file = files[path] else { throw UnreadableFile("There is no file \(path).") }
            return Array(file.utf8)
        }
        let coordinator = try StoreCoordinator(stores: stores, aliases: configuration.storeAliases)
        self.stores = stores
        resolver = Resolver(configuration: configuration, stores: coordinator)
    }

    /// The command for an activity; an error where there is none.
    func command(_ json: String) throws -> NavigationCommand {
        guard case .finished(let outcomes) = resolver.begin([try Self.activity(json)]),
            case .command(let command)? = outcomes.first
        else { throw NoCommand() }
        return command
    }

    /// The bytes of the command, as text.
    func answer(_ json: String) throws -> String {
        var writer = JSONWriter()
        try command(json).write(to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    static func activity(_ json: String) throws -> Activity {
        try ActivityDecoder().decode(Array(json.utf8).span)
    }

    struct NoCommand: Error {}
}

/// JSON text of a search result's activity.
func searchResult(_ identifier: String) -> String {
    var writer = JSONWriter()
    writer.string(identifier)
    let quoted = String(decoding: writer.bytes, as: UTF8.self)
    return
        #"{"activityType":"com.apple.corespotlightitem","userInfo":{"kCSSearchableItemActivityIdentifier":\#(quoted)}}"#
}

/// The errors of a configuration as `LINE:COLUMN: SENTENCE`.
func errors(_ yaml: String) -> [String] {
    do {
        _ = try Configuration(Array(yaml.utf8), file: "deeplinks.yaml")
        return []
    } catch {
        return error.errors.map { "\($0.line):\($0.column): \($0.sentence)" }
    }
}
