import Glibc

/// A file, a pipe or standard input, read as bytes come.
final class InputFile {
    /// What messages call it.
    private let name: String
    private let descriptor: Int32

    /// Opens a file that is no folder for reading; `-` is standard input.
    convenience init(_ path: String) throws(CommandFailure) {
        if path == "-" { self.init(standardInput: ()) } else { try self.init(path, "file", isRegular: false) }
    }

    private init(standardInput: Void) {
        name = "Standard input"
        descriptor = STDIN_FILENO
    }

    /// Opens a file that is no folder; messages call it `what`.
    ///
    /// One that must be regular is never waited for, as a pipe or a device would have to be.
    init(_ path: String, _ what: String, isRegular: Bool) throws(CommandFailure) {
        name = "The \(what) '\(path)'"
        descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | (isRegular ? O_NONBLOCK : 0))
        guard descriptor >= 0 else {
            let code = errno
            throw CommandFailure(
                .noInput,
                code == ENOENT ? "\(name) does not exist." : "\(name) cannot be read: \(SystemMessage(code)).")
        }
        var status = stat()
        let type = unsafe fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
        if type == S_IFDIR { throw CommandFailure(.noInput, "\(name) is a folder; name a file.") }
        if isRegular, type != S_IFREG {
            throw CommandFailure(.noInput, "\(name) is a pipe or a device; name a regular file.")
        }
    }

    deinit {
        if descriptor > STDIN_FILENO { Glibc.close(descriptor) }
    }

    /// Replaces `piece` by what there is, at most `byteCount` bytes; waits where there is nothing yet.
    ///
    /// False at the end; `piece` stays as it was.
    func read(_ byteCount: Int, into piece: inout [UInt8]) throws(CommandFailure) -> Bool {
        while true {
            var bytes = [UInt8](repeating: 0, count: byteCount)
            let count = unsafe bytes.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, byteCount) }
            if count > 0 {
                bytes.removeLast(byteCount - count)
                piece = bytes
                return true
            }
            if count == 0 { return false }
            if errno != EINTR {
                throw CommandFailure(.ioError, "\(name) cannot be read: \(SystemMessage(errno)).")
            }
        }
    }

    /// All bytes up to the end; nil where there are more than `byteCountMax`.
    static func contents(of path: String, byteCountMax: Int) throws(CommandFailure) -> [UInt8]? {
        let file = try InputFile(path)
        var bytes: [UInt8] = []
        var piece: [UInt8] = []
        while try file.read(1 << 16, into: &piece) {
            bytes += piece
            if bytes.count > byteCountMax { return nil }
        }
        return bytes
    }
}

/// The system's words for an error number, such as "No space left on device".
struct SystemMessage: CustomStringConvertible {
    let description: String

    init(_ code: Int32) {
        description = unsafe String(cString: strerror(code))
    }
}
