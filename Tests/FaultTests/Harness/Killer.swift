import Glibc
import Synchronization

/// Kills a process from another thread, and counts how often.
final class Killer: Sendable {
    private let state = Mutex((target: Int32(0), count: 0))

    /// The process to be killed; 0 when there is none.
    var target: Int32 {
        get { state.withLock { $0.target } }
        set { state.withLock { $0.target = newValue } }
    }

    /// How many processes were killed.
    var count: Int { state.withLock { $0.count } }

    /// Kills the target, once.
    func kill() {
        state.withLock { state in
            guard state.target > 0, Glibc.kill(state.target, SIGKILL) == 0 else { return }
            state.target = 0
            state.count += 1
        }
    }
}
