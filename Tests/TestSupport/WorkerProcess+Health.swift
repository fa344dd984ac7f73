import Foundation

extension WorkerProcess {
    /// Whether the worker says that it is ready.
    package var isReady: Bool { status(of: "/readyz")?.code == "200" }

    /// Whether the worker says that its loops turn.
    package var isLive: Bool { status(of: "/livez")?.code == "200" }

    /// Why the worker says that it is not ready; empty when it is.
    package var unreadyReasons: [String] {
        guard let status = status(of: "/readyz"), status.code != "200" else { return [] }
        return status.body.split(separator: "\n").map(String.init)
    }

    /// The numbers that the worker exposes, by name and labels.
    package func metrics() throws -> [String: Double] {
        guard let status = status(of: "/metrics") else { throw MissingInTest(what: "the worker's metrics") }
        var values: [String: Double] = [:]
        for line in status.body.split(separator: "\n") where !line.hasPrefix("#") {
            guard let space = line.lastIndex(of: " "), let value = Double(line[line.index(after: space)...]) else {
                continue
            }
            values[String(line[..<space])] = value
        }
        return values
    }

    /// The sum of a family's samples whose labels hold a text; throws when there are none.
    package func metric(_ name: String, _ label: String = "") throws -> Double {
        let samples = try metrics().filter { key, _ in
            key == name || key.hasPrefix(name + "{") && (label.isEmpty || key.contains(label))
        }
        guard !samples.isEmpty else { throw MissingInTest(what: "the metric \(name) with \(label)") }
        return samples.values.reduce(0, +)
    }

    /// The memory that only this process has, in bytes, as the kernel counts it.
    package func anonymousByteCount() throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(processID)/status", encoding: .utf8)
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("RssAnon:") }),
            let count = Int(line.split(whereSeparator: { $0 == " " || $0 == "\t" })[1])
        else { throw MissingInTest(what: "RssAnon in \(text)") }
        return count * 1024
    }

    /// How many files and sockets the process has open.
    package func descriptorCount() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(processID)/fd").count
    }

    /// Where the worker serves its health; nil until it has said so in its log.
    package var healthAddress: String? {
        guard let line = log.split(separator: "\n").last(where: { $0.contains("serving metrics") }),
            let start = line.range(of: "127.0.0.1:")
        else { return nil }
        return String(line[start.lowerBound...].prefix { $0.isNumber || $0 == "." || $0 == ":" })
    }

    private func status(of path: String) -> (code: String, body: String)? {
        guard let address = healthAddress,
            let text = try? TestSupport.run(
                "/usr/bin/env", ["curl", "-s", "-m", "5", "-w", "\n%{http_code}", "http://\(address)\(path)"])
        else { return nil }
        let end = text.lastIndex(of: "\n") ?? text.startIndex
        return (String(text[end...].dropFirst()), String(text[..<end]))
    }
}
