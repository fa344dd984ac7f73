import Glibc
import PersistentStore

@testable import CoreDataStore

/// Stores, their models, and the URIs of their objects.
enum StoreBytes {
    /// What is read is written the same.
    static func takeURI(_ bytes: [UInt8]) {
        guard let uri = ObjectURI(reading: bytes.span) else { return }
        precondition(Array(uri.description.utf8) == bytes, "a URI has one form")
    }

    static func takeArchive(_ bytes: [UInt8]) {
        _ = PropertyListValue(bytes)
        for model in [ArchivedModel.read(bytes), EditorArchive.read(bytes)] {
            if let model { check(model) }
        }
    }

    static func takeXML(_ bytes: [UInt8]) {
        guard let model = try? XMLModel.read(bytes) else { return }
        check(model)
    }

    private static func check(_ model: ModelDefinition) {
        precondition(model.entities.count <= ModelDefinition.maximumEntities, "a model has a bounded size")
    }

    /// The store is opened, and asked for what it says that it has.
    static func takeFile(_ bytes: [UInt8]) {
        guard write(bytes), let file = try? CoreDataFile(path: path) else { return }
        let store = file.makeStore()
        let entities = store.model.entities.prefix(8).map(\.name)
        store.prepare(
            FetchPlan(entries: entities.map { FetchPlan.Entry(entity: $0, paths: [["name"]]) }), predicates: [])
        let lookups = entities.flatMap { entity in (1...3).map { Lookup.object(entity: entity, primaryKey: $0) } }
        guard case .finished(let results) = store.begin(lookups) else {
            preconditionFailure("a file is answered at once")
        }
        precondition(results.count == lookups.count, "there is an answer to each look-up")
    }

    /// The one file, beside which SQLite may look for others.
    private static let path: String = {
        let folder = "/dev/shm/fuzz-store-\(getpid())"
        _ = unsafe mkdir(folder, 0o700)
        return folder + "/store.sqlite"
    }()

    private static func write(_ bytes: [UInt8]) -> Bool {
        for suffix in ["-wal", "-shm", "-journal"] { _ = unsafe unlink(path + suffix) }
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count
    }
}
