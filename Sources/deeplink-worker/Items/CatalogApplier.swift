import CatalogStore
import Items
import Navigation
import PersistentStore
import Worker

/// Applies messages of items to the catalogs of the apps, for one thread.
///
/// The items of an app go to the first catalog among its stores. Each catalog applies its share of a batch in one
/// transaction; the shares come one after the other.
final class CatalogApplier: ItemApplying {
    /// The catalogs that take items, by the index of the app's configuration.
    struct Targets: Sendable {
        private(set) var catalogs: [any Catalog] = []
        /// For each configuration the index of its catalog.
        private(set) var indexes: [Int?] = []

        /// Takes the first catalog of each configuration; apps may share one.
        init(_ firstCatalogs: [(any Catalog)?]) {
            for catalog in firstCatalogs {
                guard let catalog else {
                    indexes.append(nil)
                    continue
                }
                let known = catalogs.firstIndex { $0 === catalog } ?? catalogs.count
                if known == catalogs.count { catalogs.append(catalog) }
                indexes.append(known)
            }
        }
    }

    private let configurations: ConfigurationSet
    private let indexes: [Int?]
    private let writers: [any CatalogWriter]
    /// The shares of the batch that are still to be applied, the last one first.
    private var shares: [Share] = []
    private var outcomes: [ApplyingOutcome] = []

    /// Opens a writer for every catalog.
    init(_ configurations: ConfigurationSet, _ targets: Targets) throws(StoreError) {
        self.configurations = configurations
        indexes = targets.indexes
        var writers: [any CatalogWriter] = []
        for catalog in targets.catalogs { writers.append(try catalog.makeWriter(for: .items)) }
        self.writers = writers
    }

    func begin(_ messages: [ItemMessage]) -> ResolvingProgress {
        outcomes = Array(repeating: .applied(superseded: 0), count: messages.count)
        var shares: [Share] = []
        for (position, message) in messages.enumerated() {
            switch target(of: message) {
            case .success(let writer):
                let index = shares.firstIndex { $0.writer == writer } ?? shares.count
                if index == shares.count { shares.append(Share(writer: writer)) }
                shares[index].add(message, at: position)
            case .failure(let problem): outcomes[position] = .refused(problem.sentence)
            }
        }
        self.shares = shares.reversed()
        return advance(nil)
    }

    func resume() -> ResolvingProgress {
        guard let share = shares.last else { preconditionFailure("there is no batch to resume") }
        return advance(writers[share.writer].resume())
    }

    func outcome(_ index: Int) -> ApplyingOutcome { outcomes[index] }

    /// Goes on with the last share, which has come so far, and then with the others.
    private func advance(_ progress: WriteProgress?) -> ResolvingProgress {
        var progress = progress
        while let share = shares.last {
            switch progress ?? writers[share.writer].begin(share.operations) {
            case .pending(let descriptor, let forWriting, let deadline):
                return .pending(descriptor: descriptor, forWriting: forWriting, deadline: deadline)
            case .finished(let results): share.tell(results, to: &outcomes)
            case .failed(let error): share.tell(error, to: &outcomes)
            }
            progress = nil
            shares.removeLast()
        }
        return .finished
    }

    private struct Problem: Error {
        let sentence: String
    }

    private func target(of message: ItemMessage) -> Result<Int, Problem> {
        guard let configuration = configurations.index(requestAppID: message.appID, appID: nil) else {
            let app = message.appID.map { "is no app's: \($0)" } ?? "is missing"
            return .failure(Problem(sentence: "Items need the app_id of an app of the configuration; it \(app)."))
        }
        guard let writer = indexes[configuration] else {
            return .failure(Problem(sentence: "The app has no catalog among its stores, so that it takes no items."))
        }
        return .success(writer)
    }
}

/// The messages of a batch that go to one catalog.
private struct Share {
    let writer: Int
    var operations: [ItemOperation] = []
    /// The places of the messages in the batch, with the number of their operations.
    private var messages: [(position: Int, count: Int)] = []

    init(writer: Int) { self.writer = writer }

    mutating func add(_ message: ItemMessage, at position: Int) {
        operations += message.operations
        messages.append((position, message.operations.count))
    }

    /// Says what became of the messages.
    func tell(_ results: [ItemOutcome], to outcomes: inout [ApplyingOutcome]) {
        precondition(results.count == operations.count, "a writer tells of every operation")
        var next = 0
        for message in messages {
            outcomes[message.position] = Self.outcome(results[next..<next + message.count])
            next += message.count
        }
    }

    /// Says that nothing of them was applied.
    func tell(_ error: StoreError, to outcomes: inout [ApplyingOutcome]) {
        for message in messages { outcomes[message.position] = .unavailable(error) }
    }

    private static func outcome(_ results: ArraySlice<ItemOutcome>) -> ApplyingOutcome {
        var superseded = 0
        for (place, result) in results.enumerated() {
            switch result {
            case .applied: break
            case .superseded: superseded += 1
            case .refused(let sentence): return .refused("Operation \(place) of the message: \(sentence)")
            }
        }
        return .applied(superseded: superseded)
    }
}
