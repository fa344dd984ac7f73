/// A place in a message's bytes; an empty one stands for a property that is absent.
public struct ByteRange: Sendable, Hashable {
    var start: UInt32 = 0
    var size: UInt32 = 0

    /// The range of nothing.
    public static var absent: ByteRange { ByteRange() }

    /// Whether there is nothing.
    public var isEmpty: Bool { size == 0 }
    /// The number of bytes.
    public var count: Int { Int(size) }
    /// The indices.
    public var indices: Range<Int> { Int(start)..<Int(start) + Int(size) }

    /// The range without its first bytes.
    func dropFirst(_ count: Int) -> ByteRange { ByteRange(start: Int(start) + count, count: self.count - count) }

    init(start: Int = 0, count: Int = 0) {
        self.start = UInt32(truncatingIfNeeded: start)
        self.size = UInt32(truncatingIfNeeded: count)
    }
}
