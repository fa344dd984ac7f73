import AMQP
import Arguments
import Worker

/// Flags that several commands share.
enum Flags {
    static let config = Option("config", .one("FILE"), summary: "The configuration, a YAML file.")

    /// From one byte to the largest body that is ever held.
    static let bodyByteCounts = 1...(16 << 20)

    static let maxBodyBytes = Option(
        "max-body-bytes", .one("SIZE"), default: "256KiB", summary: "A larger body is malformed.")

    static let amqpURL = Option(
        "amqp-url", .many("URL"), default: "amqp://guest:guest@localhost:5672/%2f",
        summary: "The broker; give it several times for several hosts, which are tried in random order.")
    static let queue = Option(
        "queue", .one("NAME"), default: "deeplink.activities", summary: "The queue of activities.")

    static let broker: [Option] = [
        amqpURL,
        queue,
        Option("reply-queue", .one("NAME"), default: "deeplink.commands", summary: "The queue of navigation commands."),
        Option("dead-queue", .one("NAME"), default: "deeplink.dead", summary: "The queue of dead letters."),
        Option("items-queue", .one("NAME"), default: "deeplink.items", summary: "The queue of item updates."),
    ]

    static let queueType = Option(
        "queue-type", .one("TYPE"), default: "quorum", completion: .choices(of: QueueType.self),
        summary: "The type of declared queues: quorum or classic.")
    static let json = Option("json", hasVariable: false, summary: "Prints JSON instead of text.")

    static let pipeline: [Option] = [
        queueType,
        Option("no-declare", summary: "Declares no queues; they must be there."),
        Option(
            "prefetch", .one("COUNT"), default: "500",
            summary: "How many activities may be unacknowledged, at the most, in each pipeline."),
        Option("pipelines", .one("COUNT"), default: "1", summary: "How many pipelines work side by side."),
        maxBodyBytes,
        Option(
            "max-inflight-bytes", .one("SIZE"), default: "32MiB",
            summary: "While more is held, nothing more is read from the broker."),
        Option(
            "drain-timeout", .one("TIME"), default: "25s",
            summary: "How long a stop may take to finish what was delivered."),
        Option(
            "hold-limit", .one("TIME"), default: "10min",
            summary: "How long activities are held while a store is unavailable."),
        Option(
            "http", .one("ADDRESS:PORT"), default: "127.0.0.1:9419",
            summary: "Where /metrics, /livez and /readyz are served; 'off' disables them."),
        Option(
            "log-format", .one("FORMAT"), default: "text", completion: .choices(of: Log.Format.self),
            summary: "The form of log lines: text or json."),
        Option(
            "log-level", .one("LEVEL"), default: "info", completion: .choices(of: LogLevel.self),
            summary: "The least level to log: debug, info, warning, error."),
    ]
}
