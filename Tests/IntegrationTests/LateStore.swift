import Foundation
import PersistentStore
import Synchronization

import struct PersistentStore.Predicate

/// A store with one movie that answers when a test says so, as one behind a socket does.
final class LateStore: PersistentStore {
    /// Where a test steers its stores, which live on the workers' threads.
    final class Desk: Sendable {
        private struct State {
            var isAnswering = false
            var begun = 0
            var patience: Duration = .seconds(60)
        }

        private let state = Mutex(State())
        private let pipe = Pipe()

        /// How many batches have begun.
        var begunCount: Int { state.withLock { $0.begun } }

        /// How long a batch may be pending.
        func setPatience(_ patience: Duration) { state.withLock { $0.patience = patience } }

        /// Answers what is pending and all that comes later.
        func answer() throws {
            state.withLock { $0.isAnswering = true }
            try pipe.fileHandleForWriting.write(contentsOf: Data([1]))
        }

        fileprivate var isAnswering: Bool { state.withLock { $0.isAnswering } }
        fileprivate var descriptor: Int32 { pipe.fileHandleForReading.fileDescriptor }

        fileprivate func begin() -> ContinuousClock.Instant {
            state.withLock {
                $0.begun += 1
                return .now + $0.patience
            }
        }
    }

    static let storeIdentifier = "0D8A1C7E-9E2B-4F5D-8C3A-1B2C3D4E5F60"

    let identifier = LateStore.storeIdentifier
    let model = ObjectModel(entities: [
        EntityDescription(name: "Movie", attributes: [AttributeDescription(name: "name", type: .string)])
    ])
    let location = "late:store"
    private let desk: Desk
    private var lookups: [Lookup] = []
    private var deadline = ContinuousClock.now

    init(_ desk: Desk) { self.desk = desk }

    func prepare(_ plan: FetchPlan, predicates: [Predicate]) {}

    func begin(_ lookups: [Lookup]) -> LookupProgress {
        self.lookups = lookups
        deadline = desk.begin()
        return resume()
    }

    func resume() -> LookupProgress {
        if desk.isAnswering {
            return .finished(
                lookups.map { _ in
                    .found(
                        FetchedObject(
                            store: identifier, entity: "Movie", primaryKey: 1, planEntry: 0, values: [.string("Alien")])
                    )
                })
        }
        guard ContinuousClock.now < deadline else {
            return .finished(lookups.map { _ in .unavailable(StoreError(.unavailable, "The test's store is late.")) })
        }
        return .pending(descriptor: desk.descriptor, forWriting: false, deadline: deadline)
    }
}
