/// How long a publish may be unconfirmed before it is sent again, counted only while the broker could have confirmed it.
///
/// A broker that blocks the connection, or is silent, has not even read what was published: sending it again would only
/// repeat it. So the wait begins anew when the broker goes on.
struct ConfirmPatience {
    private let timeout: Duration
    /// A broker that says nothing for so long is silent; it sends heartbeats twice as often as they are due.
    private let silence: Duration?
    private var isBlocked = false
    /// When the broker went on last.
    private var resumedAt: Moment
    private var heardAt: Moment

    /// Begins with a connection; without heartbeats (zero) silence means nothing.
    init(timeout: Duration, heartbeat: Duration, now: Moment) {
        self.timeout = timeout
        silence = heartbeat > .zero ? heartbeat * 3 / 4 : nil
        resumedAt = now
        heardAt = now
    }

    /// Something came from the broker.
    mutating func heard(now: Moment) {
        if isSilent(now) { resumedAt = now }
        heardAt = now
    }

    /// The broker takes no messages, or takes them again.
    mutating func blocked(_ isBlocked: Bool, now: Moment) {
        if self.isBlocked, !isBlocked { resumedAt = now }
        self.isBlocked = isBlocked
    }

    /// When what was published then has waited too long; nil while the broker could not have confirmed it.
    func deadline(publishedAt: Moment, now: Moment) -> Moment? {
        isBlocked || isSilent(now) ? nil : max(publishedAt, resumedAt) + timeout
    }

    private func isSilent(_ now: Moment) -> Bool { silence.map { now - heardAt > $0 } ?? false }
}
