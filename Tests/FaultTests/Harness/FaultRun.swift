import Foundation
import Synchronization
import TestSupport

/// How much is tested: a short form or everything, and for how long the soak lasts.
enum FaultRun {
    private static let environment = ProcessInfo.processInfo.environment

    /// Whether the fault tests run at all: they disturb the broker, so that no other tests may run beside them.
    static var isOn: Bool {
        environment["DEEPLINK_TEST_FAULTS"] != nil && Broker.isControllable && WorkerProcess.isPresent
    }

    static let absence =
        "DEEPLINK_TEST_FAULTS is not set to `short` or `all`, or there is no broker; scripts/test --faults sets both"

    /// Whether everything is tested.
    static var isFull: Bool { environment["DEEPLINK_TEST_FAULTS"] == "all" }

    static let shortened = "only with scripts/test --faults"

    /// How long the soak lasts.
    static var soakTime: Duration { .seconds(60 * (environment["DEEPLINK_TEST_SOAK_MINUTES"].flatMap(Double.init) ?? 5)) }

    private static let reportLock = Mutex(())

    /// Adds a line to the report, if the environment names one.
    static func report(_ scenario: String, _ result: String) {
        let line = "\(scenario) | \(result)\n"
        reportLock.withLock { _ in
            guard let path = environment["DEEPLINK_TEST_FAULT_REPORT"] else { return }
            if let file = FileHandle(forWritingAtPath: path) {
                file.seekToEndOfFile()
                file.write(Data(line.utf8))
                try? file.close()
            } else {
                try? Data(line.utf8).write(to: URL(fileURLWithPath: path))
            }
        }
    }
}
