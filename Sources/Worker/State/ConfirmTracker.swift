/// What was published and is not yet confirmed, on one channel.
///
/// Publishes are numbered from 1 by the broker and by this tracker alike. The broker confirms in any order, many at once
/// with `multiple`. A publish that has waited too long is put aside, so that the window stays as small as what is in
/// flight; its confirm still counts when it comes.
struct ConfirmTracker {
    /// What a publish was for: a request by its slot, and which of its messages.
    struct Item: Equatable {
        /// The slot's index.
        let slot: Int32
        /// The slot's generation when it was published; the slot may have been given to another request since.
        let generation: UInt32
        /// What was published.
        let kind: Kind
    }

    /// The two messages that a request can cause.
    enum Kind: Equatable {
        case answer
        case deadLetter
    }

    private var ring: [Item?]
    private var base: UInt64 = 1
    private var next: UInt64 = 1
    private var late: [(tag: UInt64, item: Item)] = []
    /// How many publishes are unconfirmed.
    private(set) var count = 0

    init(capacity: Int) {
        var size = 64
        while size < capacity { size *= 2 }
        ring = Array(repeating: nil, count: size)
    }

    /// Something was published.
    mutating func published(_ item: Item) {
        if next - base == UInt64(ring.count) { grow() }
        ring[index(next)] = item
        next += 1
        count += 1
    }

    /// A confirm or refusal came: appends what it is about; a number that is not known is ignored.
    mutating func take(_ tag: UInt64, multiple: Bool, into items: inout [Item]) {
        let before = items.count
        defer { count -= items.count - before }
        guard tag < next else { return }
        if !late.isEmpty { takeLate(tag, multiple: multiple, into: &items) }
        if multiple {
            while base <= tag {
                if let item = ring[index(base)] { items.append(item) }
                ring[index(base)] = nil
                base += 1
            }
        } else if tag >= base, let item = ring[index(tag)] {
            items.append(item)
            ring[index(tag)] = nil
        }
        skipConfirmed()
    }

    /// The oldest publish that has not been put aside.
    var oldest: Item? { base < next ? ring[index(base)] : nil }

    /// Puts the oldest publish aside: it is no longer the oldest, but its confirm still counts.
    mutating func putOldestAside() {
        guard base < next else { return }
        if let item = ring[index(base)] { late.append((base, item)) }
        ring[index(base)] = nil
        base += 1
        skipConfirmed()
    }

    /// Calls `body` with every unconfirmed publish, oldest first, until it returns true.
    func first(where body: (Item) -> Bool) -> Item? {
        for entry in late where body(entry.item) { return entry.item }
        var tag = base
        while tag < next {
            if let item = ring[index(tag)], body(item) { return item }
            tag += 1
        }
        return nil
    }

    /// The channel is gone: gives everything unconfirmed back, oldest first, and starts again at 1.
    mutating func reset() -> [Item] {
        var items = late.map(\.item)
        while base < next {
            if let item = ring[index(base)] { items.append(item) }
            ring[index(base)] = nil
            base += 1
        }
        late = []
        base = 1
        next = 1
        count = 0
        return items
    }

    private func index(_ tag: UInt64) -> Int { Int(truncatingIfNeeded: tag) & (ring.count - 1) }

    private mutating func skipConfirmed() {
        while base < next, ring[index(base)] == nil { base += 1 }
    }

    private mutating func takeLate(_ tag: UInt64, multiple: Bool, into items: inout [Item]) {
        late.removeAll { entry in
            guard multiple ? entry.tag <= tag : entry.tag == tag else { return false }
            items.append(entry.item)
            return true
        }
    }

    private mutating func grow() {
        var larger: [Item?] = Array(repeating: nil, count: ring.count * 2)
        var tag = base
        while tag < next {
            larger[Int(truncatingIfNeeded: tag) & (larger.count - 1)] = ring[index(tag)]
            tag += 1
        }
        ring = larger
    }
}
