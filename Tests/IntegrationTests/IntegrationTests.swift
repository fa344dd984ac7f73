import TestSupport
import Testing

/// Tests with a real broker; they run one after another, for some disturb every connection.
@Suite(.serialized, .enabled(if: Broker.isPresent, Comment(rawValue: Broker.absence)), .timeLimit(.minutes(5)))
struct IntegrationTests {}
