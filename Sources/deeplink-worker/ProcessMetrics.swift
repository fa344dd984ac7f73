import Foundation
import Glibc

/// What Prometheus expects of every process: processor time, memory, descriptors and the start, from /proc.
struct ProcessMetrics {
    /// The metrics in Prometheus's text format; those that cannot be read are left out.
    static var exposition: String {
        var text = ""
        func metric(_ name: String, _ type: String, _ help: String, _ value: Double?) {
            guard let value else { return }
            let number = Int64(exactly: value).map(String.init) ?? value.description
            text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n\(name) \(number)\n"
        }
        let status = Status()
        metric("process_cpu_seconds_total", "counter", "Processor time in seconds.", status?.cpuSeconds)
        metric("process_start_time_seconds", "gauge", "When the process started, since 1970.", status?.startSeconds)
        metric("process_resident_memory_bytes", "gauge", "Resident memory.", status?.residentBytes)
        metric("process_virtual_memory_bytes", "gauge", "Virtual memory.", status?.virtualBytes)
        let descriptors = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        metric("process_open_fds", "gauge", "Open files and sockets.", descriptors.map { Double($0) })
        metric("process_max_fds", "gauge", "How many may be open.", Double(DescriptorLimit.current))
        return text
    }

    /// The fields of /proc/self/stat that are told.
    private struct Status {
        let cpuSeconds: Double
        let startSeconds: Double?
        let residentBytes: Double
        let virtualBytes: Double

        init?() {
            guard let text = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8),
                let end = text.lastIndex(of: ")")
            else { return nil }
            // The name, in parentheses, may hold spaces; the third field comes behind it.
            let fields = text[end...].dropFirst().split(separator: " ").map { Double($0) ?? 0 }
            guard fields.count > 21 else { return nil }
            let ticks = Double(max(1, sysconf(Int32(_SC_CLK_TCK))))
            cpuSeconds = (fields[11] + fields[12]) / ticks
            virtualBytes = fields[20]
            residentBytes = fields[21] * Double(max(1, sysconf(Int32(_SC_PAGESIZE))))
            startSeconds = Self.bootSeconds.map { $0 + fields[19] / ticks }
        }

        /// When the machine started, since 1970.
        private static let bootSeconds: Double? = {
            guard let text = try? String(contentsOfFile: "/proc/stat", encoding: .utf8),
                let line = text.split(separator: "\n").first(where: { $0.hasPrefix("btime ") })
            else { return nil }
            return Double(line.dropFirst("btime ".count))
        }()
    }
}
