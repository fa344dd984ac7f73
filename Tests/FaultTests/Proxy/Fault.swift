/// What is done to the bytes of one direction of a connection.
enum Fault: Sendable, Equatable {
    /// They pass.
    case none
    /// They are neither read nor written: the sender's buffers fill.
    case stall
    /// They are read and dropped: the sender never notices.
    case blackhole
    /// They wait for this long first.
    case delay(Duration)
    /// At most so many bytes pass in a second.
    case throttle(bytesPerSecond: Int)
    /// They pass in pieces of this size, each in a segment of its own.
    case slice(byteCount: Int)
}

/// A direction, as the client sees it.
enum Direction: Sendable, CaseIterable {
    case upstream
    case downstream
}

/// The faults of a connection.
struct Faults: Sendable {
    var upstream = Fault.none
    var downstream = Fault.none

    mutating func set(_ fault: Fault, _ directions: [Direction]) {
        if directions.isEmpty || directions.contains(.upstream) { upstream = fault }
        if directions.isEmpty || directions.contains(.downstream) { downstream = fault }
    }
}
