import Glibc

/// A line on standard error that is written over again and again; only on a terminal, unless it is asked for.
struct ProgressLine {
    private static let interval: Duration = .milliseconds(250)
    private let isShown: Bool
    private let isTerminal: Bool
    private var lastTime = ContinuousClock.now
    private var width = 0

    init(isWanted: Bool = false) {
        isTerminal = isatty(STDERR_FILENO) == 1
        isShown = isWanted || isTerminal
    }

    /// Shows a line, at most four a second; elsewhere than on a terminal it ends with a line feed.
    mutating func show(_ text: @autoclosure () -> String) {
        guard isShown, lastTime.duration(to: .now) >= Self.interval else { return }
        lastTime = .now
        write(text())
    }

    /// Takes the line away.
    mutating func clear() {
        guard isTerminal, width > 0 else { return }
        Output.error("\r" + String(repeating: " ", count: width) + "\r")
        width = 0
    }

    private mutating func write(_ text: String) {
        guard isTerminal else { return Output.error(text + "\n") }
        let padding = String(repeating: " ", count: max(0, width - text.count))
        Output.error("\r" + text + padding)
        width = text.count
    }
}
