extension Span<UInt8> {
    /// Whether these bytes are the others.
    @inlinable
    package func hasBytes(_ other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        // Without a branch for each byte, several are compared at once.
        var difference: UInt8 = 0
        for index in 0..<count { difference |= self[index] ^ other[index] }
        return difference == 0
    }

    /// Whether these bytes begin with the others.
    @inlinable
    package func hasPrefix(_ other: Span<UInt8>) -> Bool {
        guard other.count <= count else { return false }
        return extracting(first: other.count).hasBytes(other)
    }
}
