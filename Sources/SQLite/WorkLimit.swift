internal import Synchronization

/// Ends SQLite's work at a deadline or when asked to, so that no file can keep a thread busy for ever.
///
/// SQLite asks every few thousand instructions of its virtual machine.
public final class WorkLimit: Sendable {
    private let deadline: Mutex<ContinuousClock.Instant?>
    private let isCancelled = Atomic<Bool>(false)

    /// Makes a limit; without a deadline only `cancel` ends the work.
    public init(deadline: ContinuousClock.Instant? = nil) {
        self.deadline = Mutex(deadline)
    }

    /// Whether the work has to end now.
    var isReached: Bool {
        if isCancelled.load(ordering: .relaxed) { return true }
        guard let deadline = deadline.withLock({ $0 }) else { return false }
        return ContinuousClock.now >= deadline
    }

    /// Sets or removes the deadline.
    public func setDeadline(_ instant: ContinuousClock.Instant?) {
        deadline.withLock { $0 = instant }
    }

    /// Ends the work soon; safe to call from any thread.
    public func cancel() {
        isCancelled.store(true, ordering: .relaxed)
    }
}
