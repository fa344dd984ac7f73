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

    /// Asks for more than was asked before; safe in a signal handler.
    func ask(_ demand: Demand) {
        demanded.max(demand.rawValue, ordering: .acquiringAndReleasing)
        wakeUp.signal()
    }
}
