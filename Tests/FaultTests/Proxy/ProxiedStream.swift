import Glibc

/// The bytes of one direction of a proxied connection.
struct ProxiedStream {
    private static let heldByteCountMax = 1 << 20
    private var held: [(bytes: ArraySlice<UInt8>, at: ContinuousClock.Instant)] = []
    private var heldByteCount = 0
    private var budget = 0.0
    private var budgetTime: ContinuousClock.Instant?
    private var isAtEnd = false
    /// Whether the receiver takes nothing more for now.
    private(set) var isBlocked = false
    /// Whether a socket has failed.
    private(set) var isBroken = false
    /// Whether the end has been passed on.
    private(set) var isDone = false

    func wantsToRead(_ fault: Fault) -> Bool {
        !isAtEnd && fault != .stall && heldByteCount < Self.heldByteCountMax
    }

    func hasTimedWork(_ fault: Fault) -> Bool {
        switch fault {
        case .delay, .throttle: !held.isEmpty
        case .none, .stall, .blackhole, .slice: false
        }
    }

    /// Reads what has come, and shows it to `observe`.
    mutating func read(
        from source: Int32, _ fault: Fault, now: ContinuousClock.Instant, observe: (ArraySlice<UInt8>) -> Void
    ) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while wantsToRead(fault), !isBroken {
            let count = unsafe recv(source, &buffer, buffer.count, 0)
            if count > 0 {
                observe(buffer[0..<count])
                if fault == .blackhole { continue }
                let delay = if case .delay(let time) = fault { time } else { Duration.zero }
                held.append((buffer[0..<count], now + delay))
                heldByteCount += count
            } else if count == 0 {
                isAtEnd = true
            } else {
                if errno != EAGAIN && errno != EINTR { isBroken = true }
                return
            }
        }
    }

    /// Writes what may pass, as far as the receiver takes it, and then the end.
    mutating func write(to sink: Int32, _ fault: Fault, now: ContinuousClock.Instant) {
        isBlocked = false
        var allowed = allowance(fault, now: now)
        while let (bytes, at) = held.first, at <= now, allowed > 0, !isBroken {
            var size = min(bytes.count, allowed)
            if case .slice(let piece) = fault { size = min(size, piece) }
            let piece = Array(bytes.prefix(size))
            let count = unsafe send(sink, piece, size, Int32(MSG_NOSIGNAL))
            guard count > 0 else {
                if errno == EAGAIN { isBlocked = true } else if errno != EINTR { isBroken = true }
                return
            }
            allowed -= count
            if budgetTime != nil { budget -= Double(count) }
            heldByteCount -= count
            if count == bytes.count { held.removeFirst() } else { held[0].bytes = bytes.dropFirst(count) }
        }
        if isAtEnd, held.isEmpty, !isDone {
            shutdown(sink, Int32(SHUT_WR))
            isDone = true
        }
    }

    /// How many bytes may pass now.
    private mutating func allowance(_ fault: Fault, now: ContinuousClock.Instant) -> Int {
        guard case .throttle(let rate) = fault else {
            budgetTime = nil
            return Int.max
        }
        let seconds = budgetTime.map { (now - $0) / .seconds(1) } ?? 0
        budget = min(budget + seconds * Double(rate), Double(rate))
        budgetTime = now
        return Int(budget)
    }
}
