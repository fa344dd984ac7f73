/// The exit statuses of `run`, by sysexits.
public enum ExitCode: Int32, Sendable {
    /// A clean drain.
    case clean = 0
    /// A file is not a store.
    case dataError = 65
    /// A store's file cannot be read.
    case noInput = 66
    /// Ended with work unfinished.
    case unavailable = 69
    /// The broker refused the credentials.
    case noPermission = 77
    /// A setting is wrong, or a queue has other arguments.
    case configuration = 78
}
