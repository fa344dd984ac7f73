import Foundation
import Items
import PersistentStore
import StoreTestSupport

/// The model and the objects that the suites put into stores.
enum Fixture {
    static let store = SyntheticStore.identifier

    /// Movies, of which some are short films, and people.
    static let entities: [EntityDeclaration] = [
        EntityDeclaration(
            name: "Movie",
            attributes: [
                "name": .string, "remoteId": .integer64, "popularity": .double, "rating": .float, "budget": .decimal,
                "released": .date, "code": .uuid, "isFavorite": .boolean, "homepage": .uri, "poster": .binary,
                "tag": .string,
            ], relationships: ["director": "Person"]),
        EntityDeclaration(name: "ShortFilm", parent: "Movie", attributes: ["minutes": .integer16]),
        EntityDeclaration(name: "Person", attributes: ["name": .string], relationships: ["best": "Movie"]),
    ]

    static let declarations: [ItemOperation] = [.adopt(store: store), .declare(entities)]

    static func uri(_ entity: String, _ key: Int64) -> ObjectURI {
        ObjectURI(store: store, entity: entity, primaryKey: key)
    }
}

/// An object of the fixture.
struct FixtureObject {
    var entity: String
    var key: Int64
    var values: [String: AttributeValue]
    var isDeleted = false

    init(_ entity: String, _ key: Int64, _ values: [String: AttributeValue] = [:], isDeleted: Bool = false) {
        self.entity = entity
        self.key = key
        self.values = values
        self.isDeleted = isDeleted
    }

    var uri: ObjectURI { Fixture.uri(entity, key) }

    /// The object as an item.
    var item: Item {
        Item(
            entity: entity, object: uri,
            attributes: values.filter { $0.value != .null }.sorted { $0.key < $1.key }.map {
                Item.Attribute($0.key, .attribute($0.value))
            }, version: ItemVersion(given: 1))
    }
}
