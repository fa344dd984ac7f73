internal import AMQP
internal import Synchronization

/// How other threads reach a pipeline.
final class PipelineControl: Sendable {
    /// What is asked of a pipeline.
    enum Demand: UInt8 {
        case run
        /// Finish what was delivered, then end.
        case stop
        /// End at once.
        case stopNow
    }

    // Handed from the thread that made it to the pipeline's, and never used by both.
    private struct Box: @unchecked Sendable {
        let rules: PipelineRules
    }

    private let hasSuccessor = Atomic(false)
    private let successor = Mutex<Box?>(nil)
    private let demanded = Atomic<UInt8>(Demand.run.rawValue)
    let wakeUp: WakeUp

    init() {
        do throws(AMQPError) {
            wakeUp = try WakeUp()
        } catch {
            // A worker is made when its process begins, and makes sure first that there are descriptors.
            preconditionFailure(error.description)
        }
    }

    /// What is asked now.
    var demand: Demand { Demand(rawValue: demanded.load(ordering: .acquiring)) ?? .run }

    /// Hands new rules over; those that were not taken yet are forgotten.
    func handOver(_ rules: PipelineRules) {
        successor.withLock { [box = Box(rules: rules)] in $0 = box }
        hasSuccessor.store(true, ordering: .releasing)
        wakeUp.signal()
    }

    /// New rules, once; costs one look at an atomic where there are none.
    func takeSuccessor() -> PipelineRules? {
        guard hasSuccessor.load(ordering: .acquiring) else { return nil }
        hasSuccessor.store(false, ordering: .relaxed)
        return successor.withLock { $0.take() }?.rules
    }

    /// Asks for more than was asked before; safe in a signal handler.
    func ask(_ demand: Demand) {
        demanded.max(demand.rawValue, ordering: .acquiringAndReleasing)
        wakeUp.signal()
    }
}
