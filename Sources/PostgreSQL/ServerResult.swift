internal import CPostgreSQL

/// What a statement yielded: rows of values in binary form.
@safe package final class ServerResult {
    private let result: OpaquePointer

    /// Takes a result over.
    init(_ result: OpaquePointer) { unsafe self.result = result }

    deinit { unsafe PQclear(result) }

    /// How it went.
    enum Status {
        case done
        /// The server waits for the rows of a COPY.
        case wantsRows
        /// The server sends the rows of a COPY.
        case sendsRows
        /// The end of a pipeline's transaction.
        case synchronized
        /// A statement before it in the pipeline has failed.
        case skipped
        case failed
    }

    var status: Status {
        switch unsafe PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY, PGRES_SINGLE_TUPLE: .done
        case PGRES_COPY_IN, PGRES_COPY_BOTH: .wantsRows
        case PGRES_COPY_OUT: .sendsRows
        case PGRES_PIPELINE_SYNC: .synchronized
        case PGRES_PIPELINE_ABORTED: .skipped
        default: .failed
        }
    }

    /// The error of a statement that failed.
    var error: PostgreSQLError {
        // PG_DIAG_SQLSTATE, PG_DIAG_MESSAGE_PRIMARY
        let state = unsafe PQresultErrorField(result, 0x43).map { unsafe String(cString: $0) }
        let primary = unsafe PQresultErrorField(result, 0x4D).map { unsafe String(cString: $0) }
        let whole = unsafe ConnectionOptions.sentence(PQresultErrorMessage(result))
        return PostgreSQLError(state: state, primary ?? whole)
    }

    /// The number of rows.
    package var rowCount: Int { Int(unsafe PQntuples(result)) }

    /// How many rows a command has changed.
    package var changedCount: Int { Int(unsafe String(cString: PQcmdTuples(result))) ?? 0 }

    package func isNull(_ row: Int, _ column: Int) -> Bool {
        unsafe PQgetisnull(result, Int32(row), Int32(column)) != 0
    }

    /// The bytes of a value; empty for NULL.
    private func withBytes<Value>(_ row: Int, _ column: Int, _ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        let count = unsafe PQgetlength(result, Int32(row), Int32(column))
        let start = unsafe PQgetvalue(result, Int32(row), Int32(column))
        return unsafe body(UnsafeRawBufferPointer(start: start, count: Int(count)))
    }

    /// An integer of any width; 0 for NULL.
    package func integer(_ row: Int, _ column: Int) -> Int64 {
        unsafe withBytes(row, column) { bytes in
            // The sign is the first bit.
            var value: Int64 = unsafe bytes.count > 1 && bytes[0] >= 0x80 ? -1 : 0
            for index in 0..<bytes.count { value = unsafe value << 8 | Int64(bytes[index]) }
            return value
        }
    }

    /// A double; nil for NULL.
    package func double(_ row: Int, _ column: Int) -> Double? {
        isNull(row, column) ? nil : Double(bitPattern: UInt64(bitPattern: integer(row, column)))
    }

    package func boolean(_ row: Int, _ column: Int) -> Bool { integer(row, column) != 0 }

    /// The text of a value; nil for NULL.
    package func text(_ row: Int, _ column: Int) -> String? {
        guard !isNull(row, column) else { return nil }
        return unsafe withBytes(row, column) { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// The bytes of a value; nil for NULL.
    package func bytes(_ row: Int, _ column: Int) -> [UInt8]? {
        guard !isNull(row, column) else { return nil }
        return unsafe withBytes(row, column) { unsafe Array($0) }
    }
}
