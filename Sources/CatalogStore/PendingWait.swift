internal import PostgreSQL

/// Waits for a store or a writer that is pending, for commands that have nothing else to do.
public enum PendingWait {
    /// Waits until the descriptor is ready for the given events, or for the deadline; -1 is no descriptor.
    public static func wait(descriptor: Int32, forWriting: Bool, deadline: ContinuousClock.Instant) {
        PostgreSQLSession.Wait(descriptor: descriptor, forWriting: forWriting, deadline: deadline).poll()
    }
}
