import Navigation
import PersistentStore
import Testing

@Suite struct SeveralStoresTests {
    private static let names = ["A": "amélie", "B": "Amélie", "C": "AMÉLIE"]

    /// Stores, each with movies of its own.
    private func scene(_ identifiers: [String], title: String) throws -> NavigationCommand {
        let stores = identifiers.map { identifier in
            let store = FamilyMovies.makeStore(identifier)
            let name = AttributeValue.string(Self.names[identifier] ?? "none")
            store.rows = [5, 7].map { .init(entity: "Movie", key: $0, values: ["name": name]) }
            return store
        }
        let scene = try Scene(stores: stores)
        return try scene.command(#"{"activityType":"com.familymovies.movieDetailView","title":"\#(title)"}"#)
    }

    @Test func `an exact match comes first, whatever the order of the stores`() throws {
        let command = try scene(["A", "B", "C"], title: "Amélie")
        #expect(command.object == ObjectURI(store: "B", entity: "Movie", primaryKey: 5))
        #expect(command.matches == 6)
    }

    @Test func `of folded matches the first store's comes first`() throws {
        let command = try scene(["C", "A"], title: "Amelie")
        #expect(command.object == ObjectURI(store: "C", entity: "Movie", primaryKey: 5))
        #expect(command.matches == 4)
    }

    @Test func `a URI is looked for only in its own store`() throws {
        let one = FamilyMovies.makeStore("A")
        let other = FamilyMovies.makeStore("B")
        other.rows = []
        let scene = try Scene(stores: [one, other])
        #expect(try scene.command(searchResult("x-coredata://A/Movie/p12")).isHandled)
        #expect(try scene.command(searchResult("x-coredata://B/Movie/p12")).reason == .objectNotFound)
    }

    @Test func `without a store every URI is of an unknown store, and rules without objects still work`() throws {
        let scene = try Scene(stores: [])
        #expect(try scene.command(searchResult("x-coredata://A/Movie/p12")).reason == .unknownStore)
        #expect(try scene.command(searchResult("movie-348")).reason == .objectNotFound)
        #expect(try scene.command(#"{"activityType":"com.familymovies.openTab","title":"Movies"}"#).isHandled)
    }
}
