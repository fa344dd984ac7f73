/// The worker's queues, in the order in which they are declared: a queue comes after the one that it dead-letters to.
public struct Topology: Sendable, Hashable {
    /// How often the input queue delivers a message before it becomes a dead letter.
    public static let deliveryLimit = 20
    /// The limit of the other queues: so high that looking at a message never drops it.
    ///
    /// RabbitMQ 4 has 20 by default, and 3.x does not know "no limit" as an argument.
    public static let unlimitedDeliveryLimit = 1_000_000

    /// The queues.
    public let queues: [QueueDeclaration]

    /// The worker's queues; `items` is nil where no catalog takes item updates.
    public init(input: String, reply: String, dead: String, items: String?, type: QueueType) {
        var queues = [Self.plain(dead, type), Self.plain(reply, type)]
        if let items { queues.append(Self.plain(items, type)) }
        queues.append(Self.input(input, deadLettersTo: dead, type))
        self.queues = queues
    }

    private static func plain(_ name: String, _ type: QueueType) -> QueueDeclaration {
        var arguments: [QueueDeclaration.Argument] = [.init("x-queue-type", .text(type.rawValue))]
        if type == .quorum { arguments.append(.init("x-delivery-limit", .number(unlimitedDeliveryLimit))) }
        return QueueDeclaration(name: name, arguments: arguments)
    }

    private static func input(_ name: String, deadLettersTo dead: String, _ type: QueueType) -> QueueDeclaration {
        var arguments: [QueueDeclaration.Argument] = [
            .init("x-queue-type", .text(type.rawValue)),
            .init("x-dead-letter-exchange", .text("")),
            .init("x-dead-letter-routing-key", .text(dead)),
        ]
        if type == .quorum {
            arguments += [
                .init("x-delivery-limit", .number(deliveryLimit)),
                .init("x-dead-letter-strategy", .text("at-least-once")),
                .init("x-overflow", .text("reject-publish")),
            ]
        }
        return QueueDeclaration(name: name, arguments: arguments)
    }
}
