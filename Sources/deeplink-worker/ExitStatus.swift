import Arguments
import Navigation
import PersistentStore

/// Exit statuses, by sysexits.
enum ExitStatus: Int32, CaseIterable {
    /// All went well.
    case ok = 0
    /// The command line is wrong.
    case usage = 64
    /// Data is wrong: a malformed activity, an object that was not found, a store that is not one.
    case data = 65
    /// A file is missing or cannot be read.
    case noInput = 66
    /// A broker or database cannot be reached.
    case unavailable = 69
    /// A fault of the program.
    case software = 70
    /// Output cannot be written.
    case ioError = 74
    /// Credentials or permissions were refused.
    case noPermission = 77
    /// The configuration is wrong.
    case configuration = 78

    /// What it means, as a sentence for the manual.
    var meaning: String {
        switch self {
        case .ok: "Done."
        case .usage: "Wrong usage: an unknown flag or command, a missing argument."
        case .data: "Wrong data: a malformed activity, an object that was not found, a store that is not one."
        case .noInput: "A file is missing or cannot be read."
        case .unavailable: "A service is unavailable."
        case .software: "A fault of the program; please report it."
        case .ioError: "Input or output failed."
        case .noPermission: "Permission or credentials were refused."
        case .configuration: "A wrong configuration, or a queue with other arguments."
        }
    }
}

/// Why a command ended, in one or more sentences for people, and with what status.
struct CommandFailure: Error, CustomStringConvertible {
    let status: ExitStatus
    let message: String
    var description: String { message }

    init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    /// Sorts a store's error by its code.
    init(_ error: StoreError) {
        let status: ExitStatus =
            switch error.code {
            case .missing: .noInput
            case .invalid: .data
            case .unavailable: .unavailable
            case .denied: .noPermission
            case .unsupported: .configuration
            }
        self.init(status, error.description)
    }
}
