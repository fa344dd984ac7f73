import AMQP
import Foundation
import Worker

/// Looks at the broker: version, limits, clock, certificate, queues and permissions.
struct BrokerExamination {
    /// How long each question may take.
    private static let patience: Duration = .seconds(10)
    /// RabbitMQ 3.10 brought at-least-once dead-lettering.
    private static let leastVersion = (major: 3, minor: 10)

    private(set) var findings: [Finding] = []
    private let settings: WorkerSettings

    init(_ settings: WorkerSettings) {
        self.settings = settings
        // Each host by itself: one that works would hide one that does not.
        for url in settings.urls { examineHost(url) }
        do throws(AMQPError) {
            let connection = try Connection.open(settings.urls, name: "deeplink-worker doctor")
            try examineQueues(connection)
            try examineReading(connection)
            try examinePublishing()
            try examineClock()
        } catch {
            findings.append(Finding("broker", CommandFailure(error)))
        }
    }

    private func connect() throws(AMQPError) -> Connection {
        try Connection.open(settings.urls, name: "deeplink-worker doctor")
    }

    private mutating func examineHost(_ url: AMQPURL) {
        do throws(AMQPError) {
            let connection = try Connection.open([url], name: "deeplink-worker doctor")
            examine(connection.brokerVersion, at: connection.peer)
            if url.isSecure { examineCertificates(connection, url) }
        } catch {
            findings.append(Finding(error.code == .tls ? "tls" : "broker", CommandFailure(error)))
        }
    }

    private mutating func examine(_ version: BrokerVersion, at peer: String) {
        var message = "\(version.product) \(version.text) at \(peer)"
        if !version.clusterName.isEmpty { message += ", cluster \(version.clusterName)" }
        guard version.product == "RabbitMQ" else {
            findings.append(
                .warning("broker", message, "the worker is tested with RabbitMQ; other brokers lack quorum queues"))
            return
        }
        guard (version.major, version.minor) >= Self.leastVersion else {
            findings.append(
                .error(
                    "broker", message, "RabbitMQ 3.10 or newer has what the queues need (at-least-once dead-lettering)")
            )
            return
        }
        findings.append(.ok("broker", message))
        let size = version.major < 4 ? "128 MiB" : "16 MiB"
        let limit = version.major < 4 ? "no delivery limit" : "a delivery limit of 20"
        findings.append(
            .ok(
                "limits",
                "this version's defaults: messages up to \(size), \(limit) for quorum queues that set none, and 30 minutes "
                    + "for acknowledging (consumer_timeout)"))
        if settings.holdLimit >= .seconds(25 * 60) {
            findings.append(
                .warning(
                    "limits", "--hold-limit is \(settings.holdLimit), near the broker's 30 minutes for acknowledging",
                    "keep it under 25 minutes, or raise consumer_timeout in rabbitmq.conf"))
        }
    }

    private mutating func examineCertificates(_ connection: Connection, _ url: AMQPURL) {
        guard url.verifiesPeer else {
            findings.append(
                .warning(
                    "tls", "the certificate of \(connection.peer) is not verified (verify=verify_none)",
                    "name the authority by cacertfile and remove verify_none"))
            return
        }
        judge(connection.certificateExpiry, "the certificate of \(connection.peer)")
        if let file = url.certificateFile {
            judge(CertificateFile.expiry(of: file), "the client's certificate \(file)")
        }
    }

    private mutating func judge(_ expiry: Int?, _ name: String) {
        guard let expiry else {
            findings.append(.ok("tls", "\(name) is verified"))
            return
        }
        let days = (expiry - Int(Date().timeIntervalSince1970)) / 86_400
        let message = "\(name) is good for \(days) day\(days == 1 ? "" : "s")"
        if days < 14 {
            findings.append(
                .warning("tls", message, "renew it in time; the worker takes the new one when it connects again"))
        } else {
            findings.append(.ok("tls", message))
        }
    }

    private mutating func examineQueues(_ connection: Connection) throws(AMQPError) {
        for queue in settings.topology.queues {
            let comparison: QueueComparison
            do throws(AMQPError) { comparison = try connection.compare(queue) } catch  where error.replyCode == 403 {
                findings.append(
                    settings.declaresQueues
                        ? .error(
                            "permissions", "the user may not configure the queue \(queue.name)",
                            "grant it, or declare the queues as another user (topology declare) and run with --no-declare",
                            status: .noPermission)
                        : .ok("permissions", "the user may not configure the queue \(queue.name), and need not"))
                continue
            }
            judge(QueueFinding(queue: queue, comparison: comparison))
            guard comparison != .missing else { continue }
            judge(try connection.inspect(queue: queue.name))
        }
    }

    private mutating func judge(_ finding: QueueFinding) {
        switch finding.comparison {
        case .equal: findings.append(.ok("queue", "\(finding.queue.name): as 'run' declares it"))
        case .missing where settings.declaresQueues:
            findings.append(.ok("queue", "\(finding.queue.name): not there yet; 'run' declares it"))
        case .missing:
            findings.append(.error("queue", "\(finding.queue.name): missing", finding.remedy))
        case .different:
            let message = finding.lines.filter { !$0.hasPrefix("  remedy") }.joined(separator: "\n")
            findings.append(
                settings.declaresQueues
                    ? .error("queue", message, finding.remedy)
                    : .warning("queue", message, finding.remedy ?? ""))
        }
    }

    private mutating func judge(_ status: QueueStatus) {
        if status.name == settings.deadQueue, status.messageCount > 0 {
            findings.append(
                .warning(
                    "queue", "\(status.name) has \(status.messageCount) messages",
                    "deeplink-worker dead list shows them"))
        }
        if status.name == settings.queue, status.messageCount > 0, status.consumerCount == 0 {
            findings.append(
                .warning(
                    "queue", "\(status.name) has \(status.messageCount) messages and no consumer", "start a worker"))
        }
    }

    private mutating func examineReading(_ connection: Connection) throws(AMQPError) {
        let consumed = [settings.queue] + (settings.declaresItemsQueue ? [settings.itemsQueue] : [])
        for name in consumed + [settings.deadQueue] {
            switch try connection.mayRead(queue: name) {
            case true?: findings.append(.ok("permissions", "the user may read \(name)"))
            case false? where name != settings.deadQueue:
                findings.append(
                    .error(
                        "permissions", "the user may not read \(name)", "grant it: rabbitmqctl set_permissions",
                        status: .noPermission))
            case false?:
                findings.append(
                    .warning(
                        "permissions", "the user may not read \(name)", "the commands 'dead' need it; 'run' does not"))
            case nil: break
            }
        }
    }

    private mutating func examinePublishing() throws(AMQPError) {
        let size = settings.bodyByteCountMax
        switch try connect().tryPublishing(byteCount: size, within: Self.patience) {
        case .taken: findings.append(.ok("permissions", "the user may publish, messages of \(size) bytes too"))
        case .denied:
            findings.append(
                .error(
                    "permissions", "the user may not publish to the default exchange",
                    "grant it to write: rabbitmqctl set_permissions, a pattern that matches amq.default",
                    status: .noPermission))
        case .blocked(let reason):
            findings.append(
                .error(
                    "broker", "the broker takes no messages: \(reason)",
                    "free memory or disk on the broker; the worker waits meanwhile", status: .unavailable))
        case .refused(let reason):
            findings.append(
                .error(
                    "limits", "the broker does not take a message of \(size) bytes (--max-body-bytes): \(reason)",
                    "raise max_message_size in rabbitmq.conf, or lower --max-body-bytes"))
        }
    }

    private mutating func examineClock() throws(AMQPError) {
        let offset: Int?
        do throws(AMQPError) { offset = try connect().clockOffset(within: Self.patience) } catch
            where error.replyCode == 403
        {
            offset = nil
        }
        guard let offset else {
            findings.append(.ok("clock", "not compared: the user may not declare a queue for it"))
            return
        }
        if abs(offset) <= 2 {
            findings.append(.ok("clock", "the broker's clock and this one agree to 2 seconds"))
        } else {
            findings.append(
                .warning(
                    "clock",
                    "the broker's clock is \(abs(offset)) seconds \(offset > 0 ? "ahead of" : "behind") this one",
                    "let both follow a time server; timestamps and certificates depend on it"))
        }
    }
}
