internal import CPostgreSQL

/// A connection of libpq that never blocks; it belongs to one thread.
@safe final class PostgreSQLConnection {
    /// What opening waits for.
    enum Opening {
        case reading, writing, open
        case failed(PostgreSQLError)
    }

    private let handle: OpaquePointer

    /// Starts to connect; throws only without memory or for parameters that libpq refuses.
    init(starting options: [(String, String)]) throws(PostgreSQLError) {
        guard let handle = unsafe ConnectionOptions.start(options) else {
            throw PostgreSQLError("there is no memory left for a connection")
        }
        unsafe self.handle = handle
        // Only a verbose message tells why a log-in was refused.
        unsafe PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
        // A server's notices would go to standard error.
        unsafe PQsetNoticeReceiver(handle, { _, _ in }, nil)
        if unsafe PQstatus(handle) == CONNECTION_BAD { throw connectingError }
    }

    deinit { unsafe PQfinish(handle) }

    /// What to poll.
    var descriptor: Int32 { unsafe PQsocket(handle) }

    /// Whether the connection is not known to be lost.
    var isOpen: Bool { unsafe PQstatus(handle) == CONNECTION_OK }

    /// The number of the server's process as the server, or a pooler before it, has told it.
    var processID: Int32 { unsafe PQbackendPID(handle) }

    /// Goes on with connecting.
    func open() -> Opening {
        switch unsafe PQconnectPoll(handle) {
        case PGRES_POLLING_READING: return .reading
        case PGRES_POLLING_WRITING: return .writing
        case PGRES_POLLING_OK:
            guard unsafe PQsetnonblocking(handle, 1) == 0, unsafe PQenterPipelineMode(handle) == 1 else {
                return .failed(connectingError)
            }
            return .open
        default: return .failed(connectingError)
        }
    }

    private var connectingError: PostgreSQLError {
        PostgreSQLError(connecting: message, lacksPassword: unsafe PQconnectionNeedsPassword(handle) != 0)
    }

    private var message: String { unsafe ConnectionOptions.sentence(PQerrorMessage(handle)) }

    /// An error of the connection itself.
    private var lost: PostgreSQLError { PostgreSQLError(message) }

    /// Puts a statement into the output; `isPrepared` when the server keeps it under its name.
    func send(_ statement: Statement, isPrepared: Bool) throws(PostgreSQLError) {
        let parameters = statement.parameters
        let lengths = parameters.map { Int32($0.bytes?.count ?? 0) }
        let formats = parameters.map { _ in Int32(1) }
        var storage: [UInt8] = []
        storage.reserveCapacity(lengths.reduce(1) { $0 + Int($1) })
        var offsets: [Int] = []
        for parameter in parameters {
            offsets.append(storage.count)
            if let bytes = parameter.bytes { storage += bytes }
        }
        // A pointer that is not nil tells an empty value from NULL.
        storage.append(0)
        let status = unsafe storage.withUnsafeBytes { bytes in
            let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            let values = unsafe parameters.indices.map { index in
                unsafe parameters[index].bytes == nil ? nil : start.map { unsafe $0 + offsets[index] }
            }
            let count = Int32(parameters.count)
            if isPrepared, let name = statement.name {
                return unsafe PQsendQueryPrepared(handle, name, count, values, lengths, formats, 1)
            }
            return unsafe PQsendQueryParams(
                handle, statement.sql, count, parameters.map(\.type), values, lengths, formats, 1)
        }
        guard status == 1 else { throw lost }
    }

    /// Asks the server to keep a statement under its name.
    func prepare(_ statement: Statement) throws(PostgreSQLError) {
        let types = statement.parameters.map(\.type)
        guard unsafe PQsendPrepare(handle, statement.name ?? "", statement.sql, Int32(types.count), types) == 1 else {
            throw lost
        }
    }

    /// Ends a round of statements: the server answers all of them, and forgives the errors among them.
    func synchronize() throws(PostgreSQLError) {
        guard unsafe PQpipelineSync(handle) == 1 else { throw lost }
    }

    /// Writes what can be written; false while something is left.
    func flush() throws(PostgreSQLError) -> Bool {
        switch unsafe PQflush(handle) {
        case 0: return true
        case 1: return false
        default: throw lost
        }
    }

    /// Reads what has come.
    func consumeInput() throws(PostgreSQLError) {
        guard unsafe PQconsumeInput(handle) == 1 else { throw lost }
    }

    /// Whether the next result has not come yet.
    var isBusy: Bool { unsafe PQisBusy(handle) != 0 }

    /// The next result; nil between two statements of a pipeline.
    func nextResult() -> ServerResult? { unsafe PQgetResult(handle).map { unsafe ServerResult($0) } }
}
