import Dispatch
import Glibc
import Navigation
import PersistentStore
import Synchronization
import Worker

/// Reads the configuration again and hands it to the worker.
///
/// What is read is checked first. A configuration that is wrong changes nothing; either way one line is logged.
final class Reloader: Sendable {
    private struct State {
        var stores: AppStores
        /// The files that the last attempt read, as they were before it.
        var stamps: [String: FileStamp]
        /// The files as the last look found them changed.
        var changed: [String: FileStamp]?
    }

    private let path: String
    private let worker: Worker
    private let log: Log
    private let state: Mutex<State>

    /// Takes what the worker works by now; `stamps` are those of the files before they were read.
    init(_ path: String, stores: AppStores, stamps: [String: FileStamp], worker: Worker, log: Log) {
        self.path = path
        self.worker = worker
        self.log = log
        state = Mutex(State(stores: stores, stamps: stamps))
    }

    /// Looks at the files, and reads them again when they have changed; only one thread may call this.
    ///
    /// A change counts when a second look finds it the same, for writing takes time.
    func look() {
        let isChanged = state.withLock { state in
            let now = FileStamp.stamps(of: state.stamps.keys)
            defer { state.changed = now == state.stamps ? nil : now }
            return now != state.stamps && now == state.changed
        }
        if isChanged { reload(because: "a file has changed") }
    }

    /// Reads the files again; only one thread may call this.
    func reload(because cause: String) {
        let (former, known) = state.withLock { ($0.stores, $0.stamps.keys) }
        var stamps: [String: FileStamp] = [:]
        // Where reading fails, a change of what was read before may be what puts it right.
        let before = FileStamp.stamps(of: known)
        var named: [String] = []
        do {
            let configurations = try ConfigurationFile.read(path, noting: &stamps)
            named = configurations.configurations.flatMap(\.stores).flatMap { [$0.path, $0.model] }.compactMap(\.self)
            let stores = try AppStores(configurations, takingOver: former)
            guard stores.takesItems == worker.takesItems else {
                throw CommandFailure(
                    .configuration,
                    stores.takesItems
                        ? "There is a catalog now, whose items are taken only after a restart of the worker."
                        : "There is no catalog any more; restart the worker, which takes items for one.")
            }
            let warnings = stores.warnings()
            try worker.replaceResolvers(
                replyTo: ReplyPatterns(configurations),
                makeApplier: stores.makeApplier
            ) { () throws(StoreError) in
                NavigationResolving(try stores.makeResolver())
            }
            state.withLock { $0.stores = stores }
            worker.metrics.countReload(succeeded: true)
            tell(cause, warnings)
        } catch {
            stamps.merge(before) { first, _ in first }
            // So may be the coming of a store that is not there yet.
            stamps.merge(FileStamp.stamps(of: named).filter { $0.value.isMissing }) { first, _ in first }
            worker.metrics.countReload(succeeded: false)
            let reason = (error as? CommandFailure)?.message ?? "\(error)"
            log.error(
                "kept the former configuration", ("file", .text(path)), ("because", .text(cause)),
                ("reason", .text(reason)))
        }
        state.withLock { [stamps] state in
            state.stamps = stamps
            state.changed = nil
        }
    }

    private func tell(_ cause: String, _ warnings: [String]) {
        var fields: [(String, Log.Value)] = [("file", .text(path)), ("because", .text(cause))]
        if !warnings.isEmpty { fields.append(("problems", .text(warnings.joined(separator: "\n")))) }
        log.write(warnings.isEmpty ? .info : .warning, "reloaded the configuration", fields)
    }
}

/// What makes a worker read its configuration again: SIGHUP, and the time to look at the files.
final class ReloadTriggers {
    /// How often the files are looked at.
    private static let interval: DispatchTimeInterval = .milliseconds(500)

    private let sources: [any DispatchSourceProtocol]

    /// Begins to watch.
    init(_ reloader: Reloader) {
        let queue = DispatchQueue(label: "configuration")
        let hangUp = DispatchSource.makeSignalSource(signal: SIGHUP, queue: queue)
        hangUp.setEventHandler { @Sendable in reloader.reload(because: "SIGHUP") }
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { @Sendable in reloader.look() }
        timer.schedule(deadline: .now() + Self.interval, repeating: Self.interval, leeway: .milliseconds(100))
        sources = [hangUp, timer]
        hangUp.resume()
        timer.resume()
    }

    /// Ends the watching.
    func cancel() {
        for source in sources { source.cancel() }
    }
}

extension ReplyPatterns {
    /// The patterns of the configurations.
    init(_ configurations: ConfigurationSet) {
        self.init(configurations.replyTo, ofApps: configurations.replyToOfApps)
    }
}
