import Synchronization
import Testing

@testable import Worker

/// What is written, as lines.
private final class Lines: Sendable {
    private let bytes = Mutex<[UInt8]>([])

    func take(_ line: [UInt8]) { bytes.withLock { $0 += line } }

    var all: [String] {
        String(decoding: bytes.withLock { $0 }, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}

struct LogFoldingTests {
    private let lines = Lines()

    private func log(
        _ level: Log.Level = .debug, _ format: Log.Format = .text, unfoldedMax: Int = 5, window: Duration = .seconds(10)
    ) -> Log {
        Log(level: level, format: format, unfoldedMax: unfoldedMax, window: window, sink: lines.take)
    }

    @Test func `an event is one line of text, and values that need it are quoted`() {
        log().warning("lost the connection", ("cause", "a b"), ("code", 7), ("empty", ""), ("plain", "x.y/z"))
        #expect(lines.all.count == 1)
        let line = lines.all[0]
        #expect(line.hasSuffix(#" warning lost the connection cause="a b" code=7 empty="" plain=x.y/z"#))
        #expect(line.prefix { $0 != " " }.hasSuffix("Z"))
    }

    @Test(arguments: Log.Format.allCases)
    func `nothing from outside forges a line, steers a terminal or turns text around`(_ format: Log.Format) {
        let hostile = "x\n2026-01-01T00:00:00Z error forged\u{1B}[2J\u{9B}\u{202E}\u{2028}\r\u{7F}\0"
        log(.debug, format).error("cannot start", ("reason", .text(hostile)))
        #expect(lines.all.count == 1)
        for scalar in lines.all[0].unicodeScalars {
            #expect(scalar.properties.generalCategory != .control && scalar.properties.generalCategory != .format)
            #expect(scalar != "\u{2028}")
        }
    }

    @Test func `events that repeat are folded, and how many is told once`() {
        let log = log(unfoldedMax: 3, window: .seconds(3600))
        for tag in 0..<1000 { log.info("rejected a request", ("reason", "malformedMessage"), ("tag", .number(tag))) }
        #expect(lines.all.count == 3)
        log.tellFolded()
        #expect(lines.all.count == 3, "their while has not ended")
        log.tellFolded(all: true)
        log.tellFolded(all: true)
        #expect(lines.all.count == 4)
        #expect(lines.all[3].hasSuffix("info rejected a request reason=malformedMessage folded=997"))
    }

    @Test func `events for other reasons are not folded together, nor are those of another level`() {
        let log = log(unfoldedMax: 1, window: .seconds(3600))
        for _ in 0..<5 {
            log.info("rejected a request", ("reason", "malformedMessage"))
            log.info("rejected a request", ("reason", "bodyTooLarge"))
            log.warning("rejected a request", ("reason", "bodyTooLarge"))
        }
        #expect(lines.all.count == 3)
        log.tellFolded(all: true)
        #expect(lines.all.count == 6)
        #expect(lines.all[3...].allSatisfy { $0.hasSuffix("folded=4") })
    }

    @Test func `after the while events are written again, behind what was left out`() {
        let folder = EventFolder(window: .seconds(10), writtenMax: 2)
        let start = ContinuousClock.now
        func judge(_ seconds: Int) -> EventFolder.Decision {
            folder.judge(.info, "e", [("reason", "r"), ("tag", 1)], now: start + .seconds(seconds))
        }
        #expect(judge(0) == .init(isWritten: true, foldedBefore: 0))
        #expect(judge(1) == .init(isWritten: true, foldedBefore: 0))
        #expect(judge(2) == .init(isWritten: false, foldedBefore: 0))
        #expect(judge(9) == .init(isWritten: false, foldedBefore: 0))
        #expect(judge(10) == .init(isWritten: true, foldedBefore: 2))
        #expect(judge(11) == .init(isWritten: true, foldedBefore: 0))
        #expect(judge(12) == .init(isWritten: false, foldedBefore: 0))
        #expect(folder.summaries(now: start + .seconds(13)).isEmpty)
        let summaries = folder.summaries(now: start + .seconds(20))
        #expect(summaries.map(\.count) == [1])
        #expect(summaries[0].fields.map(\.0) == ["reason"])
        #expect(folder.summaries(now: start + .seconds(99), all: true).isEmpty)
    }

    @Test func `more kinds of event than are remembered are all written`() {
        let log = log(unfoldedMax: 1, window: .seconds(3600))
        for number in 0..<1000 { log.info("e", ("reason", .text("r\(number)"))) }
        #expect(lines.all.count == 1000)
    }
}
