internal import AMQP
internal import Activities

/// A request from its delivery to its settlement.
struct HeldRequest {
    /// Where a request is.
    enum Stage: UInt8 {
        /// The slot is free.
        case free
        /// It waits to be resolved, or to be published.
        case ready
        /// It waits for a time (`notBefore`).
        case waiting
        /// It waits for a store to come back.
        case parked
        /// It is in the batch that is being resolved.
        case resolving
        /// What it caused is published and not yet confirmed.
        case published
    }

    var message = ReceivedMessage()
    /// How many bytes the message holds, kept here because the message itself is far away when the request ends.
    var byteCount = 0
    /// The request's `timestamp`, which is kept here for the same reason.
    var sentAt: UInt64?
    /// The delivery's number on its channel.
    var tag: UInt64 = 0
    /// Counts the requests that the slot has held.
    var generation: UInt32 = 0
    var stage = Stage.free
    var route = ReplyRoute.standard
    /// How it carries its activity.
    var form = EventForm.none
    /// The CloudEvent that carried it, where it is one that could be read.
    var event: CloudEvent?
    /// Whether an answer must still be confirmed.
    var needsAnswer = false
    /// Whether a dead letter must still be confirmed.
    var needsDeadLetter = false
    /// Whether the broker returned the answer; its confirm follows.
    var isAnswerReturned = false
    /// Whether the broker returned the dead letter; its confirm follows.
    var isDeadLetterReturned = false
    /// Whether the delivery is rejected instead of acknowledged, because no dead letter can be made of it.
    var isGivenToBroker = false
    /// Whether its dead letter alone has made the broker close the channel, so that it is tried again alone.
    var closesChannel = false
    /// Whether its channel is gone: the slot is freed when the batch has finished.
    var isOrphan = false
    /// Whether it counts as one of its reply queue's refused answers.
    var isTroubled = false
    /// Whether it waits for its reply queue or the dead-letter queue, having survived being resolved.
    var isHeldBack = false
    var rejection: Rejection?
    /// The answer's kind for the metrics: nil when it is handled, else the reason's place.
    var reasonIndex: Int?
    /// How often it was put off.
    var attempts = 0
    /// When its answer was refused first.
    var troubleSince: Moment?
    var notBefore: Moment
    var receivedAt: Moment
    var publishedAt: Moment

    init(now: Moment) {
        notBefore = now
        receivedAt = now
        publishedAt = now
    }

    /// Makes the slot another request's; the storage of the message stays.
    mutating func begin(tag: UInt64, now: Moment) {
        self.tag = tag
        stage = .ready
        needsAnswer = true
        needsDeadLetter = false
        isAnswerReturned = false
        isDeadLetterReturned = false
        isGivenToBroker = false
        closesChannel = false
        isOrphan = false
        isTroubled = false
        isHeldBack = false
        event = nil
        rejection = nil
        reasonIndex = nil
        attempts = 0
        troubleSince = nil
        receivedAt = now
    }
}

/// The requests that a pipeline holds, in slots that are used again.
struct RequestTable {
    /// A slot gives its storage up when it is larger than this.
    static let keptByteCountMax = 16 << 10

    private var slots: [HeldRequest] = []
    private var free: [Int32] = []

    subscript(slot: Int32) -> HeldRequest {
        _read { yield slots[Int(slot)] }
        _modify { yield &slots[Int(slot)] }
    }

    /// How many slots there are, free or not.
    var capacity: Int { slots.count }

    /// Takes a slot for a delivery.
    mutating func allocate(tag: UInt64, now: Moment) -> Int32 {
        let slot: Int32
        if let last = free.popLast() {
            slot = last
        } else {
            slot = Int32(slots.count)
            slots.append(HeldRequest(now: now))
        }
        slots[Int(slot)].begin(tag: tag, now: now)
        return slot
    }

    /// Gives a slot back; references to it become stale.
    mutating func release(_ slot: Int32) {
        slots[Int(slot)].generation &+= 1
        slots[Int(slot)].stage = .free
        if slots[Int(slot)].byteCount > Self.keptByteCountMax { slots[Int(slot)].message.dropStorage() }
        free.append(slot)
    }

    /// A reference to a slot's present request.
    func reference(_ slot: Int32) -> SlotReference {
        SlotReference(slot: slot, generation: slots[Int(slot)].generation)
    }

    /// Whether a reference still means the same request.
    func isCurrent(_ slot: Int32, _ generation: UInt32) -> Bool { slots[Int(slot)].generation == generation }
}
