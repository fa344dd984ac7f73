internal import CRabbitMQ

/// A header to be added to a copy: its name and its text.
public typealias AddedHeader = (name: StaticString, text: [UInt8])

extension Connection {
    /// Publishes a copy of a message that came: the body byte for byte, persistent and mandatory, with headers added.
    ///
    /// Left out are `user_id`, `expiration`, the headers that route (`CC`, `BCC`), those that the broker counts with, and
    /// any whose names begin with `prefix`. False, with nothing written, when the headers do not fit in a frame.
    public func republish(
        _ received: ReceivedMessage, to queue: String, replacingHeaders prefix: StaticString,
        by added: [AddedHeader]
    ) throws(AMQPError) -> Bool {
        var pool = unsafe amqp_pool_t()
        unsafe init_amqp_pool(&pool, 4096)
        defer { unsafe empty_amqp_pool(&pool) }
        let received = (bytes: received.bytes, properties: received.encodedProperties, body: received.body)
        return try unsafe received.bytes.withUnsafeBufferPointer { (bytes) throws(AMQPError) in
            var decoded: UnsafeMutableRawPointer?
            let encoded = unsafe received.properties.bytes(in: bytes)
            let status = unsafe amqp_decode_properties(Self.basicClass, &pool, encoded, &decoded)
            guard status >= 0, let decoded = unsafe decoded else { throw failure(status, "copying a message") }
            var properties = unsafe decoded.assumingMemoryBound(to: amqp_basic_properties_t.self).pointee
            var entries = unsafe properties.keptEntries(replacing: prefix)
            return try unsafe withEntries(added, &entries) { (table) throws(AMQPError) in
                unsafe properties.prepareCopy(headers: table)
                let room = frameByteCountMax - 8 - 12
                guard try unsafe fits(&properties, room) else { return false }
                try unsafe queue.withBytes { (queue) throws(AMQPError) in
                    try unsafe publish(
                        routingKey: queue, isMandatory: true, &properties,
                        body: received.bytes.span.extracting(received.body.indices), room: room)
                }
                return true
            }
        }
    }

    /// Whether the encoded properties fit in a frame; they are encoded twice, but dead letters are rare.
    private func fits(_ properties: inout amqp_basic_properties_t, _ room: Int) throws(AMQPError) -> Bool {
        let count = unsafe withUnsafeTemporaryAllocation(byteCount: room, alignment: 1) { space in
            unsafe amqp_encode_properties(
                Self.basicClass, &properties, amqp_bytes_t(len: room, bytes: space.baseAddress))
        }
        return count >= 0
    }

    private func withEntries<Result>(
        _ added: [AddedHeader], _ entries: inout [amqp_table_entry_t],
        _ body: (amqp_table_t) throws(AMQPError) -> Result
    ) throws(AMQPError) -> Result {
        // All added texts in one buffer, which stays where it is while the library reads it.
        var joined: [UInt8] = []
        var ranges: [ByteRange] = []
        for header in added {
            ranges.append(ByteRange(start: joined.count, count: header.text.count))
            joined += header.text
        }
        return try unsafe joined.withUnsafeBufferPointer { (joined) throws(AMQPError) in
            for (header, range) in zip(added, ranges) {
                unsafe entries.append(
                    amqp_table_entry_t(key: header.name.bytes, value: .text(range.bytes(in: joined))))
            }
            return try unsafe entries.withUnsafeMutableBufferPointer { (entries) throws(AMQPError) in
                try unsafe body(amqp_table_t(num_entries: Int32(entries.count), entries: entries.baseAddress))
            }
        }
    }
}

extension ReceivedMessage {
    /// The headers that are text, each name once.
    public func textHeaders() -> [String: String] {
        var pool = unsafe amqp_pool_t()
        unsafe init_amqp_pool(&pool, 4096)
        defer { unsafe empty_amqp_pool(&pool) }
        return unsafe bytes.withUnsafeBufferPointer { bytes in
            var decoded: UnsafeMutableRawPointer?
            let encoded = unsafe encodedProperties.bytes(in: bytes)
            let status = unsafe amqp_decode_properties(Connection.basicClass, &pool, encoded, &decoded)
            guard status >= 0, let decoded = unsafe decoded else { return [:] }
            let properties = unsafe decoded.assumingMemoryBound(to: amqp_basic_properties_t.self).pointee
            guard unsafe properties._flags & PropertyFlag.headers != 0 else { return [:] }
            var headers: [String: String] = [:]
            for index in 0..<Int(unsafe properties.headers.num_entries) {
                let entry = unsafe properties.headers.entries[index]
                guard unsafe entry.value.isText else { continue }
                let name = unsafe String(decoding: entry.key.buffer, as: UTF8.self)
                headers[name] = unsafe String(decoding: entry.value.value.bytes.buffer, as: UTF8.self)
            }
            return headers
        }
    }
}

extension amqp_basic_properties_t {
    /// The headers that a copy keeps.
    fileprivate func keptEntries(replacing prefix: StaticString) -> [amqp_table_entry_t] {
        guard unsafe _flags & PropertyFlag.headers != 0 else { return unsafe [] }
        return unsafe (0..<Int(headers.num_entries)).compactMap { index in
            let entry = unsafe headers.entries[index]
            return unsafe entry.key.isDroppedFromCopies || entry.key.hasPrefix(prefix) ? nil : entry
        }
    }

    fileprivate mutating func prepareCopy(headers table: amqp_table_t) {
        unsafe headers = table
        unsafe delivery_mode = 2
        unsafe _flags &= ~(PropertyFlag.userID | PropertyFlag.expiration)
        unsafe _flags |= PropertyFlag.headers | PropertyFlag.deliveryMode
    }
}

extension amqp_bytes_t {
    fileprivate var isDroppedFromCopies: Bool {
        unsafe equals("CC") || equals("BCC") || equals("x-death") || equals("x-delivery-count")
            || equals("x-acquired-count") || hasPrefix("x-first-death-") || hasPrefix("x-last-death-")
    }

    fileprivate func hasPrefix(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { unsafe buffer.starts(with: $0) }
    }
}
