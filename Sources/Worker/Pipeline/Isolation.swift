internal import Synchronization

/// Which pipelines may consume: one alone, while a message is suspected of killing the worker.
///
/// Whatever is unacknowledged when the process dies counts as delivered, in all of its pipelines. So at the start, and as
/// long as suspected messages come, one pipeline takes them one at a time and the others take nothing.
final class Isolation: Sendable {
    private enum Holder {
        static let nobody = -1
        /// Nothing is suspected.
        static let all = -2
    }

    private let holder = Atomic(Holder.nobody)
    private let wakeUp: @Sendable () -> Void

    /// Begins with the suspicion that the worker died before; `wakeUp` wakes every pipeline.
    init(wakeUp: @escaping @Sendable () -> Void = {}) { self.wakeUp = wakeUp }

    /// Whether a pipeline may consume; the first that asks becomes the one.
    func mayConsume(_ pipeline: Int) -> Bool {
        let (_, found) = holder.compareExchange(
            expected: Holder.nobody, desired: pipeline, ordering: .acquiringAndReleasing)
        return found == Holder.nobody || found == pipeline || found == Holder.all
    }

    /// Whether this pipeline is the one.
    func isHeld(by pipeline: Int) -> Bool { holder.load(ordering: .acquiring) == pipeline }

    /// A pipeline took a message that is suspected or is not; only the one's word ends the isolation.
    func observed(isSuspected: Bool, by pipeline: Int) {
        isSuspected ? hold(pipeline) : end(pipeline)
    }

    private func hold(_ pipeline: Int) {
        let (isBegun, _) = holder.compareExchange(
            expected: Holder.all, desired: pipeline, ordering: .acquiringAndReleasing)
        if isBegun { wakeUp() }
    }

    /// The one has nothing that could be suspected.
    func end(_ pipeline: Int) {
        // Every message comes this way, so what is mostly so is only read.
        guard isHeld(by: pipeline) else { return }
        holder.store(Holder.all, ordering: .releasing)
        wakeUp()
    }

    /// The one cannot consume any more: another may take its place.
    func leave(_ pipeline: Int) {
        let (hasLeft, _) = holder.compareExchange(
            expected: pipeline, desired: Holder.nobody, ordering: .acquiringAndReleasing)
        if hasLeft { wakeUp() }
    }
}
