internal import Activities
internal import Glibc

/// Structured logging: one event a line, to standard error unless told otherwise.
///
/// Events are named in lower-case words; what varies is in fields. Events that repeat are folded: of equal ones the first
/// few within a while are written, and then one line that says how many more there were. Bodies and their values are never logged; what steers
/// terminals or reverses text is escaped, so nothing from outside can forge or disguise a line.
public struct Log: Sendable {
    /// How much an event matters.
    public enum Level: Int, Sendable, CaseIterable, Comparable {
        case debug
        case info
        case warning
        case error

        /// Whether an event matters less than another.
        public static func < (one: Level, other: Level) -> Bool { one.rawValue < other.rawValue }

        /// The level's name in lines.
        public var name: String {
            switch self {
            case .debug: "debug"
            case .info: "info"
            case .warning: "warning"
            case .error: "error"
            }
        }
    }

    /// How lines look.
    public enum Format: String, Sendable, CaseIterable {
        /// `TIME LEVEL event key=value`.
        case text
        /// A JSON object.
        case json
    }

    /// A field's value.
    public enum Value: Sendable, ExpressibleByStringLiteral, ExpressibleByStringInterpolation,
        ExpressibleByIntegerLiteral
    {
        case text(String)
        case number(Int)

        /// Text.
        public init(stringLiteral text: String) { self = .text(text) }
        /// A number.
        public init(integerLiteral number: Int) { self = .number(number) }
    }

    private let level: Level
    private let format: Format
    private let sink: @Sendable ([UInt8]) -> Void
    private let folder: EventFolder

    /// Makes a log; `sink` takes whole lines, also from several threads at once.
    ///
    /// Of equal events within `window` no more than `unfoldedMax` are written.
    public init(
        level: Level = .info, format: Format = .text, unfoldedMax: Int = 5, window: Duration = .seconds(10),
        sink: @escaping @Sendable ([UInt8]) -> Void = Log.standardError
    ) {
        self.level = level
        self.format = format
        self.sink = sink
        folder = EventFolder(window: window, writtenMax: unfoldedMax)
    }

    /// Whether events of a level are written.
    public func isEnabled(_ level: Level) -> Bool { level >= self.level }

    /// Writes an event.
    public func write(_ level: Level, _ event: String, _ fields: [(String, Value)] = []) {
        guard isEnabled(level) else { return }
        let decision = folder.judge(level, event, fields, now: .now)
        if decision.foldedBefore > 0 {
            put(level, event, EventFolder.kept(fields) + [("folded", .number(decision.foldedBefore))])
        }
        if decision.isWritten { put(level, event, fields) }
    }

    /// Says how many events were left out because they repeated, where their while has ended; `all` at the end of work.
    ///
    /// Somebody must call it now and then, for nothing else would tell of a flood that has ended.
    public func tellFolded(all: Bool = false) {
        for summary in folder.summaries(now: .now, all: all) {
            put(summary.level, summary.event, summary.fields + [("folded", .number(summary.count))])
        }
    }

    private func put(_ level: Level, _ event: String, _ fields: [(String, Value)]) {
        let time = WallClock.text(WallClock.preciseSeconds)
        switch format {
        case .text: sink(Self.textLine(time, level, event, fields))
        case .json: sink(Self.jsonLine(time, level, event, fields))
        }
    }

    /// Something for developers.
    public func debug(_ event: String, _ fields: (String, Value)...) { write(.debug, event, fields) }
    /// Something that an operator may want to know.
    public func info(_ event: String, _ fields: (String, Value)...) { write(.info, event, fields) }
    /// Something that the worker copes with, but somebody should look at.
    public func warning(_ event: String, _ fields: (String, Value)...) { write(.warning, event, fields) }
    /// Something that keeps the worker from its work.
    public func error(_ event: String, _ fields: (String, Value)...) { write(.error, event, fields) }

    /// Writes a line to standard error.
    public static let standardError: @Sendable ([UInt8]) -> Void = { line in
        var rest = line[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(2, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return }
        }
    }

    private static func textLine(
        _ time: String, _ level: Level, _ event: String, _ fields: [(String, Value)]
    ) -> [UInt8] {
        var line = Array("\(time) \(level.name) \(event)".utf8)
        for (key, value) in fields {
            line += " \(key)=".utf8
            switch value {
            case .number(let number): line += String(number).utf8
            case .text(let text) where text.utf8.allSatisfy(isPlain) && !text.isEmpty: line += text.utf8
            case .text(let text): line += quoted(text)
            }
        }
        line.append(UInt8(ascii: "\n"))
        return line
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "=")
            && byte != UInt8(ascii: "\\")
    }

    private static func quoted(_ text: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.string(text)
        return Printable.json(writer.bytes)
    }

    private static func jsonLine(
        _ time: String, _ level: Level, _ event: String, _ fields: [(String, Value)]
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("time" as StaticString)
        writer.string(time)
        writer.key("level" as StaticString)
        writer.string(level.name)
        writer.key("event" as StaticString)
        writer.string(event)
        for (key, value) in fields {
            writer.key(key)
            switch value {
            case .number(let number): writer.integer(number)
            case .text(let text): writer.string(text)
            }
        }
        writer.endObject()
        return Printable.json(writer.bytes) + [UInt8(ascii: "\n")]
    }
}
