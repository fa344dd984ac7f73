// Asks the worker which screen each activity opens.
//
//     ask [FILE]    activities, one a line; answers go to standard output in the same order
//
// The broker is DEEPLINK_AMQP_URL.

import AMQP
import Foundation

let environment = ProcessInfo.processInfo.environment
let broker = environment["DEEPLINK_AMQP_URL"] ?? "amqp://guest:guest@localhost:5672/%2f"
let queue = environment["DEEPLINK_QUEUE"] ?? "deeplink.activities"
let attempts = 3

func complain(_ text: String) {
    FileHandle.standardError.write(Data("ask: \(text)\n".utf8))
}

/// The activities, a line each.
func activities() throws -> [[UInt8]] {
    let file = CommandLine.arguments.dropFirst().first.map { URL(fileURLWithPath: $0) }
    let bytes = try file.map { try Data(contentsOf: $0) } ?? FileHandle.standardInput.readToEnd() ?? Data()
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines
}

/// Asks what has no answer yet.
///
/// The client declares a reply queue of its own, publishes with confirms and `mandatory`, and tells answers apart by
/// their correlation_id; one that comes twice counts once.
func ask(_ requests: [[UInt8]], _ answers: inout [[UInt8]?]) throws(AMQPError) {
    let open = requests.indices.filter { answers[$0] == nil }
    let client = try RequestClient(urls: [AMQPURL(broker)], queue: queue)
    var next = open.makeIterator()
    try client.send({ next.next().map { requests[$0] } }) { index, outcome in
        switch outcome {
        case .answer(let body): answers[open[index]] = body
        case .unroutable: complain("the broker has no queue \(queue); is there a worker?")
        case .refused: complain("the broker refused a request; the queue may be full")
        case .timeout: complain("no answer to the activity in line \(open[index] + 1)")
        }
    }
}

/// Asks until every activity has its answer, some times at most; prints the answers, and whether they are complete.
func run() throws -> Bool {
    let requests = try activities()
    var answers = [[UInt8]?](repeating: nil, count: requests.count)
    for attempt in 1...attempts where answers.contains(nil) {
        do throws(AMQPError) {
            try ask(requests, &answers)
        } catch {
            complain("\(error)")
            Thread.sleep(forTimeInterval: Double(attempt))
        }
    }
    for answer in answers { FileHandle.standardOutput.write(Data((answer ?? []) + [UInt8(ascii: "\n")])) }
    return !answers.contains(nil)
}

do {
    exit(try run() ? 0 : 1)
} catch {
    complain("\(error)")
    exit(1)
}
