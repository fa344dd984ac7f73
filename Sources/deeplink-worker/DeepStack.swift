import AMQP
import Synchronization

/// Runs a command on a thread whose stack bears what hostile messages do to librabbitmq.
///
/// It decodes nested header tables recursively; 16 MiB are enough for all that a frame can nest.
enum DeepStack {
    private static let stackByteCount = 16 << 20

    static func run(_ body: @escaping @Sendable () throws -> ExitStatus) throws -> ExitStatus {
        let box = Outcome()
        do throws(AMQPError) {
            try NativeThread(name: "dl-command", stackByteCount: stackByteCount) {
                let result = Result { try body() }
                box.value.withLock { $0 = result }
            }.join()
        } catch {
            throw CommandFailure(error)
        }
        guard let result = box.value.withLock({ $0 }) else { return .software }
        return try result.get()
    }

    private final class Outcome: Sendable {
        let value = Mutex<Result<ExitStatus, any Error>?>(nil)
    }
}
