/// Paths of URLs: segments, of which `.` and `..` are resolved, percent-encoded.
enum URLPath {
    /// Appends a path as the WHATWG URL standard's path state makes it: it begins with a slash.
    static func append(_ written: Span<UInt8>, to output: inout [UInt8], backslashes: Bool) {
        let begin = output.count
        var index = 0
        if !written.isEmpty, isSlash(written[0], backslashes) { index = 1 }
        while true {
            let start = index
            while index < written.count, !isSlash(written[index], backslashes) { index += 1 }
            let segment = written.extracting(start..<index)
            let isLast = index == written.count
            switch dots(segment) {
            case 2:
                removeLastSegment(of: &output, after: begin)
                if isLast { output.append(UInt8(ascii: "/")) }
            case 1: if isLast { output.append(UInt8(ascii: "/")) }
            default:
                output.append(UInt8(ascii: "/"))
                for index in segment.indices { output.append(segment[index], encoding: .path) }
            }
            if isLast { return }
            index += 1
        }
    }

    /// A path on its own, as the URLPattern standard makes it: one that does not begin with a slash stays so.
    static func canonical(_ written: Span<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        if written.isEmpty { return output }
        if written[0] == UInt8(ascii: "/") || written[0] == UInt8(ascii: "\\") {
            append(written, to: &output, backslashes: true)
            return output
        }
        // The standard's own device: what stands before the path makes the first segment something other than dots.
        var prefixed = Array("/-".utf8)
        for index in written.indices { prefixed.append(written[index]) }
        append(prefixed.span, to: &output, backslashes: true)
        return Array(output.dropFirst(2))
    }

    private static func isSlash(_ byte: UInt8, _ backslashes: Bool) -> Bool {
        byte == UInt8(ascii: "/") || backslashes && byte == UInt8(ascii: "\\")
    }

    private static func removeLastSegment(of output: inout [UInt8], after begin: Int) {
        while output.count > begin, let last = output.popLast(), last != UInt8(ascii: "/") {}
    }

    /// How many dots the segment is, each written `.` or `%2e`; nil for any other segment.
    private static func dots(_ segment: Span<UInt8>) -> Int? {
        guard (1...6).contains(segment.count) else { return nil }
        var count = 0
        var index = 0
        while index < segment.count {
            if segment[index] == UInt8(ascii: ".") {
                index += 1
            } else if index + 2 < segment.count, segment[index] == UInt8(ascii: "%"),
                segment[index + 1] == UInt8(ascii: "2"), segment[index + 2] | 0x20 == UInt8(ascii: "e")
            {
                index += 3
            } else {
                return nil
            }
            count += 1
        }
        return count <= 2 ? count : nil
    }
}
