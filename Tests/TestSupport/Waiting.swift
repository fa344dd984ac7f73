import Foundation

/// Something did not happen in time.
package struct NotInTime: Error {
    package let what: String
}

/// Asks until the condition holds, as processes outside give no events to await.
package func eventually(
    _ what: @autoclosure () -> String, within limit: Duration = .seconds(30), _ condition: () throws -> Bool
) throws {
    let deadline = ContinuousClock.now.advanced(by: limit)
    while try !condition() {
        guard ContinuousClock.now < deadline else { throw NotInTime(what: what()) }
        // The condition asks a broker or a process, which takes its time; a short poll keeps the processor free.
        poll(nil, 0, 5)
    }
}

/// Lets a fault last: the time is the fault's own, not a wait for something that will happen.
package func hold(_ duration: Duration) {
    let deadline = ContinuousClock.now.advanced(by: duration)
    while case let rest = ContinuousClock.now.duration(to: deadline), rest > .zero {
        poll(nil, 0, Int32(min(60_000, (rest / .milliseconds(1)).rounded(.up))))
    }
}
