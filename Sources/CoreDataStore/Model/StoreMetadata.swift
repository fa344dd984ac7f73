/// What a store says about itself in its table Z_METADATA.
struct StoreMetadata: Sendable, Equatable {
    /// The table's row as it is.
    struct Row: Sendable, Equatable {
        let identifier: String
        let propertyList: [UInt8]
    }

    /// The store's identifier.
    var identifier: String
    /// The version of the framework that wrote the store last.
    var frameworkVersion: Int64?
    /// The identifiers of the model's version.
    var versionIdentifiers: [String] = []
    /// The hash of each entity of the model; empty where the store does not say.
    var entityHashes: [String: [UInt8]] = [:]
    /// The checksum of the model, in newer stores.
    var modelChecksum: String?

    /// The largest property list that is read, in bytes.
    static let maximumSize = 16 << 20

    init(identifier: String, propertyList bytes: [UInt8]) {
        self.identifier = identifier
        guard let list = PropertyListValue(bytes) else { return }
        frameworkVersion = list["NSPersistenceFrameworkVersion"]?.integer
        versionIdentifiers = list["NSStoreModelVersionIdentifiers"]?.array.compactMap(\.string) ?? []
        entityHashes = Self.hashes(list["NSStoreModelVersionHashes"])
        modelChecksum = list["NSStoreModelVersionChecksumKey"]?.string
    }

    /// Entity hashes as metadata and version lists hold them.
    static func hashes(_ value: PropertyListValue?) -> [String: [UInt8]] {
        guard let value else { return [:] }
        return value.dictionary.compactMapValues { hash in
            guard case .data(let bytes) = hash else { return nil }
            return bytes
        }
    }
}
