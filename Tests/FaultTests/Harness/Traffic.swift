import AMQP
import Foundation
import Synchronization
import TestSupport

/// Publishes requests at a rate on a thread of its own, whatever happens to its connections, and keeps account.
///
/// What was unconfirmed when a connection was lost is not sent again: whether the broker has it is not known.
final class Traffic: Sendable {
    private struct State {
        var ledger = Ledger()
        var stops = false
        var isDone = false
    }

    private let state = Mutex(State())
    private let urls: [String]
    private let queue: String
    private let perSecond: Int
    private let countMax: Int
    private let request: @Sendable (Int) -> Request

    /// Starts publishing: `perSecond` requests a second, until `stop` or until there are `countMax`.
    init(
        to queue: String, urls: [String], perSecond: Int, countMax: Int = .max,
        request: @escaping @Sendable (Int) -> Request = Request.mixed
    ) {
        self.urls = urls
        self.queue = queue
        self.perSecond = perSecond
        self.countMax = countMax
        self.request = request
        Thread { [self] in publishAll() }.start()
    }

    /// How many requests the broker has confirmed.
    var confirmedCount: Int { state.withLock { $0.ledger.confirmed.count } }

    /// Ends the publishing and returns what was published.
    func stop() throws -> Ledger {
        state.withLock { $0.stops = true }
        return try end()
    }

    /// Waits until everything is published, and returns it.
    func end(within limit: Duration = .seconds(120)) throws -> Ledger {
        try eventually("the end of the traffic", within: limit) { state.withLock { $0.isDone } }
        return state.withLock { $0.ledger }
    }

    private func publishAll() {
        var next = 0
        while next < countMax, !state.withLock({ $0.stops }) {
            // The broker may be away: the traffic goes on when it is back.
            guard (try? publish(from: &next)) == nil else { break }
            poll(nil, 0, 50)
        }
        state.withLock { $0.isDone = true }
    }

    private func publish(from next: inout Int) throws {
        let publisher = try Publisher(urls)
        let start = ContinuousClock.now
        let first = next
        while next < countMax, !state.withLock({ $0.stops }) {
            let due = Int((ContinuousClock.now - start) / .seconds(1) * Double(perSecond))
            while next - first < due, next < countMax {
                let id = "m\(next)"
                state.withLock { $0.ledger.publish(id) }
                let number = next
                next += 1
                try publisher.publish(request(number), id: id, to: queue)
            }
            try turn(publisher)
            poll(nil, 0, 2)
        }
        let deadline = ContinuousClock.now + .seconds(30)
        while publisher.unconfirmedCount > 0, ContinuousClock.now < deadline {
            try turn(publisher)
            poll(nil, 0, 2)
        }
    }

    private func turn(_ publisher: Publisher) throws {
        let confirmed = try publisher.turn()
        guard !confirmed.isEmpty else { return }
        state.withLock { state in for id in confirmed { state.ledger.confirm(id) } }
    }
}

/// A request as the harness makes it.
struct Request: Sendable {
    var body: [UInt8]
    var replyTo = ""
    var correlationID = ""

    init(_ body: String, replyTo: String = "") {
        self.body = Array(body.utf8)
        self.replyTo = replyTo
    }

    /// Whether the request with this number is malformed, and so belongs in the dead-letter queue.
    static func isMalformed(_ number: Int) -> Bool { number % 50 == 49 }

    /// The usual mixture: handled, not handled, and now and then malformed.
    static func mixed(_ number: Int) -> Request {
        if isMalformed(number) { return Request("no JSON \(number)") }
        let title = number.isMultiple(of: 2) ? "Movies" : "Shows \(number)"
        return Request(#"{"activityType":"com.example.tab","title":"\#(title)"}"#)
    }

    /// The configuration that the mixture is made for.
    static let configuration = """
        activities:
          - {activityType: com.example.tab, title: Movies, command: openTab, arguments: {index: 1}}
        replyTo: ["test.*"]
        """
}

extension Request {
    /// A request whose answer holds its title.
    static func echo(byteCount: Int) -> Request {
        Request(#"{"activityType":"com.example.echo","title":"\#(String(repeating: "x", count: byteCount))"}"#)
    }

    /// The configuration that those are made for.
    static let echoConfiguration = """
        activities:
          - {activityType: com.example.echo, command: echo, arguments: {text: $title}}
        """

    /// A request that is well formed.
    static func good(_ number: Int) -> Request {
        Request(#"{"activityType":"com.example.tab","title":"Shows \#(number)"}"#)
    }
}
