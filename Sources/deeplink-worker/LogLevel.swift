import Worker

/// The levels by the names of the flag.
enum LogLevel: String, CaseIterable {
    case debug, info, warning, error

    var level: Log.Level {
        switch self {
        case .debug: .debug
        case .info: .info
        case .warning: .warning
        case .error: .error
        }
    }
}
