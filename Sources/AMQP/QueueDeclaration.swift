/// The two kinds of queue that the worker can declare.
public enum QueueType: String, Sendable, CaseIterable {
    /// Replicated, with a delivery limit. The default.
    case quorum
    /// A queue on one node, without a delivery limit.
    case classic
}

/// A durable queue as it should be.
public struct QueueDeclaration: Sendable, Hashable {
    /// The value of an argument.
    public enum Value: Sendable, Hashable, CustomStringConvertible {
        /// Text.
        case text(String)
        /// A whole number.
        case number(Int)
        /// True or false.
        case flag(Bool)

        /// The value as a person writes it.
        public var description: String {
            switch self {
            case .text(let text): "\"\(text)\""
            case .number(let number): String(number)
            case .flag(let flag): String(flag)
            }
        }
    }

    /// An argument: its name and its value.
    public struct Argument: Sendable, Hashable {
        /// The name, for example `x-queue-type`.
        public let name: String
        /// The value.
        public let value: Value

        /// Makes an argument.
        public init(_ name: String, _ value: Value) {
            self.name = name
            self.value = value
        }
    }

    /// The queue's name.
    public let name: String
    /// The arguments, sorted by nothing but the author's taste.
    public let arguments: [Argument]

    /// Makes a declaration of a durable queue.
    public init(name: String, arguments: [Argument]) {
        self.name = name
        self.arguments = arguments
    }
}

/// How many messages and consumers a queue has.
public struct QueueStatus: Sendable, Hashable {
    /// The queue's name, also when the broker chose it.
    public let name: String
    /// The messages that are ready to be delivered.
    public let messageCount: Int
    /// The consumers.
    public let consumerCount: Int
}
