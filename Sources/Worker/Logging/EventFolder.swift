internal import Synchronization

/// Folds events that repeat: of equal ones within a while only the first are written, and then how many more there were.
///
/// Events are equal that have the same name and the same reason, cause and purpose; what else varies, such as a delivery
/// tag, does not make another event. So a flood of bad messages, or a broker that is away, fills no disk.
final class EventFolder: Sendable {
    /// What to do with an event.
    struct Decision: Equatable {
        /// Whether the event is written.
        let isWritten: Bool
        /// How many equal events were left out before it in the while that has ended; written first, if any.
        let foldedBefore: Int
    }

    /// Events of which some were left out.
    struct Summary: Sendable {
        let level: Log.Level
        let event: String
        let fields: [(String, Log.Value)]
        let count: Int
    }

    private struct Key: Hashable {
        let level: Log.Level
        let event: String
        let reasons: [String]
    }

    private struct Entry {
        var begin: ContinuousClock.Instant
        var written = 0
        var folded = 0
        var fields: [(String, Log.Value)]
    }

    /// The fields that tell events of one name apart.
    private static let reasonNames: Set<String> = ["reason", "cause", "for", "kind"]
    /// How many kinds of event are remembered; with more, those whose while has ended are forgotten.
    private static let keyCountMax = 256

    private let window: Duration
    private let writtenMax: Int
    private let entries = Mutex<[Key: Entry]>([:])
    /// Whether there may be something to tell, for a look without the lock.
    private let hasFolded = Atomic(false)

    init(window: Duration, writtenMax: Int) {
        self.window = window
        self.writtenMax = writtenMax
    }

    /// Judges an event.
    func judge(
        _ level: Log.Level, _ event: String, _ fields: [(String, Log.Value)], now: ContinuousClock.Instant
    ) -> Decision {
        let key = Key(level: level, event: event, reasons: Self.reasons(fields))
        return entries.withLock { entries in
            guard var entry = entries[key] else {
                if entries.count >= Self.keyCountMax {
                    entries = entries.filter { $1.folded > 0 || $1.begin.duration(to: now) < window }
                }
                // Too many kinds at a time are no repetition.
                if entries.count < Self.keyCountMax {
                    entries[key] = Entry(begin: now, written: 1, fields: Self.kept(fields))
                }
                return Decision(isWritten: true, foldedBefore: 0)
            }
            defer { entries[key] = entry }
            if entry.begin.duration(to: now) >= window {
                let folded = entry.folded
                entry = Entry(begin: now, written: 1, fields: Self.kept(fields))
                return Decision(isWritten: true, foldedBefore: folded)
            }
            guard entry.written >= writtenMax else {
                entry.written += 1
                return Decision(isWritten: true, foldedBefore: 0)
            }
            entry.folded += 1
            hasFolded.store(true, ordering: .relaxed)
            return Decision(isWritten: false, foldedBefore: 0)
        }
    }

    /// What was left out in whiles that have ended, or in all when the work ends; each is told once.
    func summaries(now: ContinuousClock.Instant, all: Bool = false) -> [Summary] {
        guard hasFolded.load(ordering: .relaxed) else { return [] }
        return entries.withLock { entries in
            var summaries: [Summary] = []
            for (key, entry) in entries where entry.folded > 0 && (all || entry.begin.duration(to: now) >= window) {
                summaries.append(
                    Summary(level: key.level, event: key.event, fields: entry.fields, count: entry.folded))
                entries[key] = nil
            }
            if !entries.contains(where: { $1.folded > 0 }) { hasFolded.store(false, ordering: .relaxed) }
            return summaries.sorted { $0.event < $1.event }
        }
    }

    private static func reasons(_ fields: [(String, Log.Value)]) -> [String] {
        fields.compactMap { name, value in
            guard reasonNames.contains(name), case .text(let text) = value else { return nil }
            return text
        }
    }

    /// The fields that all folded events have in common.
    static func kept(_ fields: [(String, Log.Value)]) -> [(String, Log.Value)] {
        fields.filter { reasonNames.contains($0.0) }
    }
}
