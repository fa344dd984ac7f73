/// A request's place in the table, as long as it is the same request's.
struct SlotReference: Equatable {
    let slot: Int32
    let generation: UInt32
}

/// Requests in the order in which they wait; a reference may be stale, which its reader checks.
struct SlotQueue {
    private var slots: [SlotReference] = []
    private var head = 0

    var count: Int { slots.count - head }
    var isEmpty: Bool { head == slots.count }

    mutating func append(_ slot: SlotReference) { slots.append(slot) }

    mutating func popFirst() -> SlotReference? {
        guard head < slots.count else { return nil }
        defer {
            head += 1
            if head == slots.count {
                slots.removeAll(keepingCapacity: true)
                head = 0
            } else if head >= 1024, head * 2 >= slots.count {
                slots.removeFirst(head)
                head = 0
            }
        }
        return slots[head]
    }

    mutating func removeAll() {
        slots.removeAll(keepingCapacity: true)
        head = 0
    }
}
