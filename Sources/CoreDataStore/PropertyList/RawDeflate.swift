internal import CZlib

/// Inflates raw DEFLATE data (RFC 1951, without a header), as Core Data keeps the model in a store.
enum RawDeflate {
    /// Why data could not be inflated.
    enum Failure: Error {
        /// The data is not DEFLATE, or ends too early.
        case damaged
        /// The data would inflate to more than the caller allows.
        case tooLarge
    }

    /// The bytes written at a time.
    private static let chunk = 64 << 10

    /// The inflated bytes, at most `limit` of them.
    static func inflate(_ input: [UInt8], limit: Int) throws(Failure) -> [UInt8] {
        var stream = unsafe z_stream()
        guard unsafe inflateInit2_(&stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { throw .damaged }
        defer { unsafe inflateEnd(&stream) }
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: chunk)
        var input = input
        return try unsafe input.withUnsafeMutableBufferPointer { source throws(Failure) in
            unsafe stream.next_in = source.baseAddress
            unsafe stream.avail_in = UInt32(clamping: source.count)
            while true {
                let status = unsafe buffer.withUnsafeMutableBufferPointer { target in
                    unsafe stream.next_out = target.baseAddress
                    unsafe stream.avail_out = UInt32(target.count)
                    return unsafe step(&stream)
                }
                let written = unsafe chunk - Int(stream.avail_out)
                guard output.count + written <= limit else { throw .tooLarge }
                output.append(contentsOf: buffer[..<written])
                if status == Z_STREAM_END { return output }
                guard status == Z_OK, written > 0 else { throw .damaged }
            }
        }
    }

    private static func step(_ stream: UnsafeMutablePointer<z_stream>) -> Int32 {
        unsafe CZlib.inflate(stream, Z_NO_FLUSH)
    }
}
