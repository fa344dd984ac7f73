import Arguments
import HealthServer
import Worker

/// Looks at what the machine gives: descriptors, and the port of the health server.
struct MachineExamination {
    private(set) var findings: [Finding] = []

    init(_ arguments: ParsedArguments, _ settings: WorkerSettings) throws {
        examineDescriptors(settings)
        try examinePort(arguments)
    }

    private mutating func examineDescriptors(_ settings: WorkerSettings) {
        let needed = DescriptorLimit.needed(forPipelines: settings.pipelines)
        do throws(CommandFailure) {
            try DescriptorLimit.ensure(forPipelines: settings.pipelines)
            findings.append(
                .ok(
                    "descriptors",
                    "\(DescriptorLimit.current) files and sockets may be open, \(needed) are needed"))
        } catch {
            findings.append(Finding("descriptors", error))
        }
    }

    private mutating func examinePort(_ arguments: ParsedArguments) throws {
        let text = try arguments.required("http")
        guard text != "off" else {
            findings.append(
                .warning("http", "metrics and health are off", "give --http an address, so that failures are seen"))
            return
        }
        guard let address = ListenAddress(text) else {
            throw UsageError("--http must be ADDRESS:PORT, such as 127.0.0.1:9419, or 'off'; it is '\(text)'.")
        }
        do throws(HealthServerError) {
            _ = try HealthServer(address, handler: { _ in nil })
            findings.append(.ok("http", "\(address) is free"))
        } catch {
            findings.append(
                .warning(
                    "http", error.description,
                    "if a worker of yours runs there, all is well; else choose another port by --http"))
        }
    }
}
