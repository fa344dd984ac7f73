import Arguments
import Foundation

/// A line on standard error that says how far long work is: its rate, and the time left.
struct ProgressLine {
    /// How often the line is written on a terminal, and elsewhere where it was asked for.
    private static let intervals: (terminal: Duration, other: Duration) = (.milliseconds(250), .seconds(2))

    static let option = Option(
        "progress", hasVariable: false, summary: "Shows progress also where standard error is no terminal.")

    private let verb: String
    private let total: Int?
    private let isShown: Bool
    private let isTerminal = Output.isTerminal
    private let began = ContinuousClock.now
    private var last = ContinuousClock.now

    /// Begins; `verb` is such as "imported", and `total` is how much there is to do, where that is known.
    init(_ verb: String, total: Int?, arguments: ParsedArguments) {
        self.verb = verb
        self.total = total
        isShown = isTerminal || arguments.flag("progress")
    }

    /// Tells how much is done; `share` is the part of the work, where `total` is not known.
    mutating func update(_ count: Int, share: Double? = nil) {
        guard isShown, .now - last >= (isTerminal ? Self.intervals.terminal : Self.intervals.other) else { return }
        last = .now
        let seconds = (last - began) / .seconds(1)
        var text = "\(verb) \(Self.grouped(count))"
        if let total { text += " of \(Self.grouped(total))" }
        text += ", \(Self.grouped(Int(Double(count) / seconds)))/s"
        let share = share ?? total.map { $0 > 0 ? Double(count) / Double($0) : 1 }
        if let share, share > 0 {
            let left = seconds * (1 - min(1, share)) / share
            text += ", \(Int(share * 100)) %, \(Self.length(left)) left"
        }
        Output.progress(text, isTerminal: isTerminal)
    }

    /// Ends with a sentence that says what was done in which time.
    func finish(_ sentence: String, count: Int) {
        if isTerminal { Output.progress("", isTerminal: true) }
        let seconds = (ContinuousClock.now - began) / .seconds(1)
        let rate = seconds > 0 ? Int(Double(count) / seconds) : count
        Output.message("\(sentence) (\(String(format: "%.1f", seconds)) s, \(Self.grouped(rate))/s)")
    }

    /// A number with its digits in groups of three.
    static func grouped(_ number: Int) -> String {
        var text = ""
        for (index, digit) in String(number).reversed().enumerated() {
            if index > 0, index % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return String(text.reversed())
    }

    private static func length(_ seconds: Double) -> String {
        let whole = Int(seconds.rounded(.up))
        return whole < 120 ? "\(whole) s" : "\(whole / 60) min"
    }
}
