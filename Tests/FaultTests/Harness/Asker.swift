import AMQP
import TestSupport

/// A client that asks the worker and waits for the answer.
final class Asker {
    private let client: RequestClient

    init(_ scene: Scene, timeout: Duration = .seconds(10)) throws {
        client = try RequestClient(urls: [AMQPURL(scene.broker.url)], queue: scene.queues.input, timeout: timeout)
    }

    /// The answer's text; nil when none came in time.
    func ask(_ activity: String) throws -> String? {
        guard case .answer(let body) = try client.send(Array(activity.utf8)) else { return nil }
        return String(decoding: body, as: UTF8.self)
    }
}
