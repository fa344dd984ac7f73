/// The places between the characters of a text that a pattern can have reached.
struct Reach {
    /// Single places, ascending, all before `tail`.
    private(set) var places: [Int]
    /// The place from which on every place is reached.
    private(set) var tail: Int?

    init(_ place: Int) {
        places = [place]
    }

    /// Sorts the places, each once.
    init(unsorted: [Int], tail: Int? = nil) {
        self.tail = tail
        places = unsorted.sorted()
        var kept = 0
        for index in places.indices where index == 0 || places[index] != places[index - 1] {
            places[kept] = places[index]
            kept += 1
        }
        places.removeLast(places.count - kept)
        if let tail { places.removeAll { $0 >= tail } }
    }

    private init(ascending places: [Int], tail: Int? = nil) {
        self.places = places
        self.tail = tail
    }

    var isEmpty: Bool { places.isEmpty && tail == nil }

    func contains(_ place: Int) -> Bool {
        if let tail, place >= tail { return true }
        return places.last == place || places.contains(place)
    }

    /// Reaches everything behind the first place.
    mutating func extendToEnd() {
        guard let first = places.first else { return }
        self = Reach(ascending: [], tail: first)
    }

    /// The places behind one more character (a Unicode scalar).
    func afterCharacter(in text: Span<UInt8>) -> Reach {
        func next(_ place: Int) -> Int? {
            guard place < text.count else { return nil }
            var next = place + 1
            while next < text.count, text[next] & 0xC0 == 0x80 { next += 1 }
            return next
        }
        return Reach(ascending: places.compactMap(next), tail: tail.flatMap(next))
    }

    /// The places behind the bytes, which are not empty.
    func after(_ bytes: Span<UInt8>, in text: Span<UInt8>) -> Reach {
        var found: [Int] = []
        for place in places where text.stands(bytes, at: place) { found.append(place + bytes.count) }
        if var place = tail {
            while let start = text.firstIndex(of: bytes[0], from: place) {
                if text.stands(bytes, at: start) { found.append(start + bytes.count) }
                place = start + 1
            }
        }
        return Reach(ascending: found)
    }

    /// Calls `body` with each place in the text, its end included.
    func forEachPlace(in text: Span<UInt8>, _ body: (Int) -> Void) {
        for place in places { body(place) }
        guard let tail else { return }
        for place in tail...text.count { body(place) }
    }

    /// The places of both.
    func union(_ other: Reach) -> Reach {
        let tails = [tail, other.tail].compactMap(\.self)
        return Reach(unsorted: places + other.places, tail: tails.min())
    }
}
