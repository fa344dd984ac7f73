import Items
import PersistentStore
import Synchronization
import Worker

/// Applies items by writing down which came; the identifier `refuse` is refused.
final class RecordingApplier: ItemApplying {
    /// What came, in order, and whether the catalog is away.
    final class Record: Sendable {
        let identifiers = Mutex<[String]>([])
        let apps = Mutex<[String?]>([])
        let versions = Mutex<[ItemVersion]>([])
        let isAway = Atomic<Bool>(false)
        let attempts = Atomic<Int>(0)
    }

    private let record: Record
    private var outcomes: [ApplyingOutcome] = []

    init(_ record: Record) { self.record = record }

    func begin(_ messages: [ItemMessage]) -> ResolvingProgress {
        record.attempts.add(1, ordering: .relaxed)
        outcomes = messages.map(apply)
        return .finished
    }

    func resume() -> ResolvingProgress { .finished }

    func outcome(_ index: Int) -> ApplyingOutcome { outcomes[index] }

    private func apply(_ message: ItemMessage) -> ApplyingOutcome {
        if record.isAway.load(ordering: .relaxed) {
            return .unavailable(StoreError(.unavailable, "The test's catalog is away."))
        }
        for operation in message.operations {
            guard case .index(let item) = operation else { continue }
            if item.uniqueIdentifier == "refuse" { return .refused("The test refuses this item.") }
            record.identifiers.withLock { $0.append(item.uniqueIdentifier ?? "") }
            record.versions.withLock { $0.append(item.version) }
        }
        record.apps.withLock { $0.append(message.appID) }
        return .applied(superseded: 0)
    }
}
