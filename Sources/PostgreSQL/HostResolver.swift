internal import Foundation
internal import HostNames
internal import Synchronization

/// Names that are being resolved, on a thread of its own: the system's resolver blocks for as long as it likes.
///
/// The thread may outlive the question; then its answer is dropped.
final class HostResolver: Sendable {
    /// What became of the names: the addresses of each, and why others have none.
    struct Answer: Sendable {
        var addresses: [String: [String]] = [:]
        var problems: [String] = []
    }

    private let answer = Mutex<Answer?>(nil)
    private let wakeUp = WakeUp()

    /// Starts to resolve.
    init(_ names: [String]) {
        let thread = Thread { [self] in
            var found = Answer()
            for name in names {
                do throws(HostName.Failure) { found.addresses[name] = try HostName.addresses(of: name) } catch {
                    found.problems.append("the name \(name) cannot be resolved (\(error.reason))")
                }
            }
            answer.withLock { [found] in $0 = found }
            wakeUp.signal()
        }
        thread.name = "dl-resolve"
        thread.stackSize = 1 << 20
        thread.start()
    }

    /// Readable when there is an answer.
    var descriptor: Int32 { wakeUp.descriptor }

    /// The answer, when it is there.
    func take() -> Answer? { answer.withLock { $0 } }
}
