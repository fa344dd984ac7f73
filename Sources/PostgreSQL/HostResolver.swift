internal import Foundation
internal import Glibc
internal import Synchronization

/// Names that are being resolved, on a thread of its own: the system's resolver blocks for as long as it likes.
///
/// The thread may outlive the question; then its answer is dropped.
final class HostResolver: Sendable {
    /// What became of the names: the addresses of each, and why others have none.
    struct Answer: Sendable {
        var addresses: [String: [String]] = [:]
        var problems: [String] = []
    }

    private let answer = Mutex<Answer?>(nil)
    private let wakeUp = WakeUp()

    /// Starts to resolve.
    init(_ names: [String]) {
        let thread = Thread { [self] in
            var found = Answer()
            for name in names {
                switch Self.addresses(of: name) {
                case .success(let addresses): found.addresses[name] = addresses
                case .failure(let problem):
                    found.problems.append("the name \(name) cannot be resolved (\(problem.text))")
                }
            }
            answer.withLock { [found] in $0 = found }
            wakeUp.signal()
        }
        thread.name = "dl-resolve"
        thread.stackSize = 1 << 20
        thread.start()
    }

    /// Readable when there is an answer.
    var descriptor: Int32 { wakeUp.descriptor }

    /// The answer, when it is there.
    func take() -> Answer? { answer.withLock { $0 } }

    /// Whether a host is an address in numbers.
    static func isAddress(_ host: String) -> Bool {
        var hints = unsafe addrinfo()
        unsafe hints.ai_flags = AI_NUMERICHOST
        var found: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(host, nil, &hints, &found) == 0 else { return false }
        unsafe freeaddrinfo(found)
        return true
    }

    private struct Problem: Error {
        let text: String
    }

    private static func addresses(of host: String) -> Result<[String], Problem> {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = AI_ADDRCONFIG
        var found: UnsafeMutablePointer<addrinfo>?
        let status = unsafe getaddrinfo(host, nil, &hints, &found)
        guard status == 0, let first = unsafe found else {
            return .failure(
                Problem(text: unsafe gai_strerror(status).map { unsafe String(cString: $0) } ?? "no answer"))
        }
        defer { unsafe freeaddrinfo(first) }
        var addresses: [String] = []
        var next: UnsafeMutablePointer<addrinfo>? = unsafe first
        while let entry = unsafe next {
            let address = unsafe numeric(entry)
            if !address.isEmpty, !addresses.contains(address) { addresses.append(address) }
            unsafe next = entry.pointee.ai_next
        }
        return .success(addresses)
    }

    private static func numeric(_ entry: UnsafeMutablePointer<addrinfo>) -> String {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { buffer in
            let status = unsafe getnameinfo(
                entry.pointee.ai_addr, entry.pointee.ai_addrlen, buffer.baseAddress, socklen_t(NI_MAXHOST), nil, 0,
                NI_NUMERICHOST)
            guard status == 0, let start = buffer.baseAddress else { return "" }
            return unsafe String(cString: start)
        }
    }
}
