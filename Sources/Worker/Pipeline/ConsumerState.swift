/// The life of the consumer: what should be is compared with what is, and the next step comes out.
///
/// A prefetch is a property of a consumer, so another prefetch means cancelling and consuming again.
struct ConsumerState: Equatable {
    /// Where the consumer is.
    enum Phase: Equatable {
        /// There is none.
        case stopped
        /// It was asked for.
        case starting(prefetch: Int)
        /// Deliveries come.
        case running(prefetch: Int)
        /// Its end was asked for; deliveries may still come.
        case cancelling
    }

    /// What to ask the broker for.
    enum Action: Equatable {
        case consume(prefetch: Int)
        case cancel
    }

    private(set) var phase: Phase = .stopped

    /// The next step towards consuming with `wanted`, or towards not consuming when nil.
    mutating func step(wanted: Int?) -> Action? {
        switch (phase, wanted) {
        case (.stopped, let prefetch?):
            phase = .starting(prefetch: prefetch)
            return .consume(prefetch: prefetch)
        case (.running(let prefetch), _) where prefetch != wanted:
            phase = .cancelling
            return .cancel
        case (.stopped, nil), (.starting, _), (.running, _), (.cancelling, _):
            return nil
        }
    }

    /// The broker started the consumer.
    mutating func receivedConsumeOK() {
        if case .starting(let prefetch) = phase { phase = .running(prefetch: prefetch) }
    }

    /// The broker ended the consumer as asked.
    mutating func receivedCancelOK() {
        if phase == .cancelling { phase = .stopped }
    }

    /// The broker cancelled the consumer by itself, or the channel is gone.
    mutating func lost() { phase = .stopped }

    /// The prefetch of the consumer that there is; 0 where there is none.
    var prefetch: Int {
        switch phase {
        case .starting(let prefetch), .running(let prefetch): prefetch
        case .stopped, .cancelling: 0
        }
    }

    /// Whether the broker has been asked for something that it has not answered.
    var isAnswerDue: Bool {
        switch phase {
        case .starting, .cancelling: true
        case .stopped, .running: false
        }
    }

    /// Whether deliveries come.
    var isRunning: Bool {
        if case .running = phase { true } else { false }
    }
}
