/// Which of two things that are known of an object is the newer one.
///
/// A sender that gives versions decides itself: of two equal versions the one that was applied first stays, so that a
/// repeated message changes nothing. Where a sender gives none, the version is the time of the message or of its
/// arrival, in milliseconds since 1970; of two equal ones the later arrival counts, since clocks are coarse.
public struct ItemVersion: Hashable, Sendable {
    /// The number; a larger one is newer.
    public var number: Int64
    /// Whether the sender gave it.
    public var isGiven: Bool

    /// A version that the sender gave.
    public init(given number: Int64) {
        self.number = number
        isGiven = true
    }

    /// A version that stands for a time, in milliseconds since 1970.
    public init(time milliseconds: Int64) {
        number = milliseconds
        isGiven = false
    }

    /// Whether what has this version replaces what has the number `other`.
    public func replaces(_ other: Int64) -> Bool { isGiven ? number > other : number >= other }

    /// Whether an item of this version is there after a deletion of the number `other`.
    ///
    /// Of equal versions the item stays, whichever comes first: one message may delete everything and index anew.
    public func outlives(_ other: Int64) -> Bool { number >= other }
}
