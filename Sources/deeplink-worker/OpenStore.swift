import CatalogStore
import CoreDataStore
import PersistentStore

/// A store that is open, for all threads.
enum OpenStore: Sendable {
    case coreData(CoreDataFile)
    case catalog(any Catalog)

    /// The store's URL without secrets, for messages.
    var location: String {
        switch self {
        case .coreData(let file): file.location
        case .catalog(let catalog): catalog.location
        }
    }

    /// A reader for the calling thread.
    func makeStore() throws(StoreError) -> any PersistentStore {
        switch self {
        case .coreData(let file): file.makeStore()
        case .catalog(let catalog): try catalog.makeReader()
        }
    }

    /// A reader of whole objects for the calling thread.
    func makeObjectReader() throws(StoreError) -> any PersistentStore & ObjectReading {
        switch self {
        case .coreData(let file): file.makeStore()
        case .catalog(let catalog): try catalog.makeReader()
        }
    }
}
