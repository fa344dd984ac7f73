import Dispatch
import Glibc
import Synchronization

/// SIGINT, SIGTERM and SIGHUP as a wish to finish: the first is noted, a second one ends the process.
final class Interruption {
    /// Whether somebody wants an end; any thread may ask.
    final class Wish: Sendable {
        private let hasArrived = Atomic(false)

        var isThere: Bool { hasArrived.load(ordering: .relaxed) }

        /// Notes the wish; false when it was there before.
        fileprivate func arrive() -> Bool { !hasArrived.exchange(true, ordering: .relaxed) }
    }

    let wish = Wish()
    private var sources: [any DispatchSourceSignal] = []

    init() {
        for number in [SIGINT, SIGTERM, SIGHUP] {
            // The default action would end the process before the source is told.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { @Sendable [wish] in
                if !wish.arrive() { exit(128 + number) }
            }
            source.resume()
            sources.append(source)
        }
    }

    deinit {
        for source in sources { source.cancel() }
    }
}
