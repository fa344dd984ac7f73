import Foundation

/// A store in Core Data's format, made by a test.
struct SyntheticStore {
    static let identifier = "0D8A1C7E-9E2B-4F5D-8C3A-1B2C3D4E5F60"

    let path: String
    /// The connection of the app that writes it.
    let app: SQLiteFile

    /// Creates the bookkeeping tables; entities are numbered as given, and `hashed` are those of the metadata.
    init(
        _ path: String, entities: [(name: String, parent: Int)], archive: [UInt8]?, identifier: String = identifier,
        hashed: [String] = []
    ) throws {
        self.path = path
        app = try SQLiteFile(path)
        try app.run("PRAGMA journal_mode=DELETE")
        try app.run("CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)")
        var list = PlistBuilder()
        let version = list.integer(1523)
        let hash = list.data(Array(repeating: 7, count: 32))
        let hashes = list.dictionary(Dictionary(uniqueKeysWithValues: hashed.map { ($0, hash) }))
        let metadata = list.dictionary([
            "NSPersistenceFrameworkVersion": version, "NSStoreModelVersionHashes": hashes,
        ])
        let plist = list.bytes(top: metadata)
        try app.run("INSERT INTO Z_METADATA VALUES (1, \(identifier.sql), \(plist.sql))")
        try app.run(
            "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)")
        for (index, entity) in entities.enumerated() {
            try app.run("INSERT INTO Z_PRIMARYKEY VALUES (\(index + 1), \(entity.name.sql), \(entity.parent), 0)")
        }
        try app.run("CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)")
        if let archive { try app.run("INSERT INTO Z_MODELCACHE VALUES (\(archive.sql))") }
    }

    /// Movies, of which some are short films, with a director and a cast.
    static func movies(_ path: String, identifier: String = identifier) throws -> SyntheticStore {
        let store = try SyntheticStore(
            path, entities: [("Movie", 0), ("ShortFilm", 1), ("Person", 0)], archive: ArchiveBuilder.archive(model),
            identifier: identifier)
        try store.app.run(
            """
            CREATE TABLE ZMOVIE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZREMOTEID INTEGER,
              ZDIRECTOR INTEGER, ZMINUTES INTEGER, ZPOPULARITY FLOAT, ZNAME VARCHAR);
            CREATE TABLE ZPERSON (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZBEST INTEGER,
              Z1_BEST INTEGER, ZNAME VARCHAR);
            """)
        return store
    }

    private static let model = [
        ArchiveBuilder.Entity(
            name: "Movie",
            attributes: [
                .init(name: "name", type: 700), .init(name: "popularity", type: 500),
                .init(name: "remoteId", type: 300),
            ], relationships: [.init(name: "director", destination: "Person")]),
        ArchiveBuilder.Entity(name: "ShortFilm", parent: "Movie", attributes: [.init(name: "minutes", type: 100)]),
        ArchiveBuilder.Entity(
            name: "Person", attributes: [.init(name: "name", type: 700)],
            relationships: [.init(name: "best", destination: "Movie")]),
    ]

    /// Adds a movie, or a short film as entity 2.
    func addMovie(_ key: Int64, _ name: String?, entity: Int = 1, remoteId: Int? = nil, director: Int? = nil) throws {
        let values: [String] = [
            String(key), String(entity), "1", remoteId.map { String($0) } ?? "NULL",
            director.map { String($0) } ?? "NULL", entity == 2 ? "12" : "NULL", "1.5", name?.sql ?? "NULL",
        ]
        try app.run("INSERT INTO ZMOVIE VALUES (\(values.joined(separator: ",")))")
    }
}
