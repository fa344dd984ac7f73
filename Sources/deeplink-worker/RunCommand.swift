import AMQP
import Arguments
import Dispatch
import Glibc
import HealthServer
import Navigation
import PersistentStore
import Synchronization
import Worker

/// `run`: the worker.
enum RunCommand {
    static let command = Command(
        name: "run", summary: "Runs the worker.", options: [Flags.config] + Flags.broker + Flags.pipeline,
        discussion: """
            Consumes activities, resolves them, publishes navigation commands, and acknowledges what the broker has
            confirmed. SIGTERM and SIGINT drain it: it finishes what was delivered and ends with status 0; a second
            signal ends it at once. SIGHUP, or a change of the configuration's files, makes it read them again: they are
            checked first, and a wrong configuration changes nothing. It starts, and keeps trying, when the broker is
            not there yet.
            """)

    static func run(_ arguments: ParsedArguments) throws -> ExitStatus {
        // A SIGHUP that comes before its source is there would end the process.
        signal(SIGHUP, SIG_IGN)
        let path = try arguments.required("config")
        let configuration = try ConfigurationFile(path)
        let settings = try WorkerSettings(arguments)
        let address = try listenAddress(arguments)
        try DescriptorLimit.ensure(forPipelines: settings.pipelines)
        let log = Log(
            level: try arguments.choice("log-level", LogLevel.self).level,
            format: try arguments.choice("log-format", Log.Format.self))
        let stores = try AppStores(configuration.configurations)
        for warning in stores.warnings() { log.warning("configuration", ("problem", .text(warning))) }

        let worker = Worker(
            settings: settings,
            makeResolver: { () throws(StoreError) in NavigationResolving(try stores.makeResolver()) },
            replyTo: ReplyPatterns(configuration.configurations), log: log)
        let signals = Signals(worker, log)
        let triggers = ReloadTriggers(
            Reloader(path, stores: stores, stamps: configuration.stamps, worker: worker, log: log))
        defer {
            triggers.cancel()
            signals.cancel()
        }
        guard let address else { return status(of: worker.run()) }
        return try serving(worker, at: address, log)
    }

    private static func serving(_ worker: Worker, at address: ListenAddress, _ log: Log) throws -> ExitStatus {
        let server: HealthServer
        do throws(HealthServerError) { server = try HealthServer(address, handler: worker.respond) } catch {
            throw CommandFailure(.configuration, error.description)
        }
        log.info(
            "serving metrics", ("address", .text(ListenAddress(host: address.host, port: server.port).description)))
        return status(of: worker.run())
    }

    private static func listenAddress(_ arguments: ParsedArguments) throws -> ListenAddress? {
        let text = try arguments.required("http")
        if text == "off" { return nil }
        guard let address = ListenAddress(text) else {
            throw UsageError("--http must be ADDRESS:PORT, such as 127.0.0.1:9419, or 'off'; it is '\(text)'.")
        }
        return address
    }

    private static func status(of code: ExitCode) -> ExitStatus {
        ExitStatus(rawValue: code.rawValue) ?? .software
    }
}

/// The levels by the names of the flag.
enum LogLevel: String, CaseIterable {
    case debug, info, warning, error

    var level: Log.Level {
        switch self {
        case .debug: .debug
        case .info: .info
        case .warning: .warning
        case .error: .error
        }
    }
}

/// SIGTERM and SIGINT: the first drains the worker, the second ends it at once.
///
/// Others that would end it are ignored.
private final class Signals {
    private var sources: [any DispatchSourceSignal] = []

    init(_ worker: Worker, _ log: Log) {
        let queue = DispatchQueue(label: "signals")
        let hasArrived = Arrival()
        // Terminals that close, log rotation and supervisors send these; none is a reason to end in the middle of work.
        for number in [SIGHUP, SIGUSR1, SIGUSR2, SIGPIPE] { signal(number, SIG_IGN) }
        for number in [SIGTERM, SIGINT] {
            // The default action would end the process before the source is told.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { @Sendable in
                if hasArrived.isFirst() {
                    log.info("draining", ("signal", .text(number == SIGTERM ? "SIGTERM" : "SIGINT")))
                    worker.stop()
                } else {
                    log.warning("stopping at once")
                    worker.stopNow()
                }
            }
            source.resume()
            sources.append(source)
        }
    }

    func cancel() {
        for source in sources { source.cancel() }
    }
}

/// Whether a signal is the first one.
private final class Arrival: Sendable {
    private let hasArrived = Atomic(false)

    func isFirst() -> Bool { !hasArrived.exchange(true, ordering: .relaxed) }
}
