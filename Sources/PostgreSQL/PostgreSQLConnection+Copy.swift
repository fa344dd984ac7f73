internal import CPostgreSQL

/// What COPY needs, outside of a pipeline.
extension PostgreSQLConnection {
    func leavePipeline() throws(PostgreSQLError) {
        guard unsafe PQexitPipelineMode(handle) == 1 else { throw lost }
    }

    func enterPipeline() throws(PostgreSQLError) {
        guard unsafe PQenterPipelineMode(handle) == 1 else { throw lost }
    }

    /// Sends a query without values.
    func send(query: String) throws(PostgreSQLError) {
        guard unsafe PQsendQuery(handle, query) == 1 else { throw lost }
    }

    /// Puts bytes of rows into the output; false when it is full.
    func put(_ bytes: [UInt8], _ range: Range<Int>) throws(PostgreSQLError) -> Bool {
        let status = unsafe bytes.withUnsafeBytes { buffer in
            let start = unsafe buffer.baseAddress?.advanced(by: range.lowerBound)
            return unsafe PQputCopyData(handle, start?.assumingMemoryBound(to: CChar.self), Int32(range.count))
        }
        guard status >= 0 else { throw lost }
        return status == 1
    }

    /// Ends the rows; false when the output is full.
    func endRows() throws(PostgreSQLError) -> Bool {
        let status = unsafe PQputCopyEnd(handle, nil)
        guard status >= 0 else { throw lost }
        return status == 1
    }
}
