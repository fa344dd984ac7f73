internal import CRabbitMQ

/// The version of librabbitmq that the program runs with.
public enum LibraryVersion {
    /// For example `0.11.0`.
    public static var text: String { unsafe String(cString: amqp_version()) }
}
