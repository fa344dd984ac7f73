/// What of a W3C trace context is passed on: only what the specification allows.
///
/// A request whose `traceparent` is not valid has no trace; one whose `tracestate` is not valid has none of that.
public enum TraceContext {
    /// A larger `tracestate` is none, in bytes.
    public static let stateByteCountMax = 8192
    /// A larger `traceparent` is none, in bytes.
    public static let parentByteCountMax = 512

    /// Whether bytes are a `traceparent`: version, trace id, parent id and flags in lower-case hexadecimal digits.
    ///
    /// A version that is not known yet may have more behind a dash; version ff is none.
    public static func isParent(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count >= 55, bytes.count <= parentByteCountMax else { return false }
        let text = Array(bytes.prefix(56))
        for (index, byte) in text.prefix(55).enumerated() {
            let isDash = index == 2 || index == 35 || index == 52
            guard isDash ? byte == UInt8(ascii: "-") : isHexadecimal(byte) else { return false }
        }
        let version = text[..<2]
        if version.elementsEqual("ff".utf8) { return false }
        if version.elementsEqual("00".utf8) {
            guard bytes.count == 55 else { return false }
        } else if text.count > 55 {
            guard text[55] == UInt8(ascii: "-") else { return false }
        }
        let zero = UInt8(ascii: "0")
        return text[3..<35].contains { $0 != zero } && text[36..<52].contains { $0 != zero }
    }

    /// Whether bytes are a `tracestate`: at most 32 members `KEY=VALUE`, separated by commas, no key twice.
    public static func isState(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard !bytes.isEmpty, bytes.count <= stateByteCountMax else { return false }
        var keys: [ArraySlice<UInt8>] = []
        for part in bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            let member = trimmed(part)
            // Empty members are allowed, but they say nothing.
            guard !member.isEmpty else { continue }
            guard let equals = member.firstIndex(of: UInt8(ascii: "=")) else { return false }
            let key = member[..<equals]
            guard isKey(key), isValue(member[(equals + 1)...]), !keys.contains(where: { $0.elementsEqual(key) }) else {
                return false
            }
            keys.append(key)
            guard keys.count <= 32 else { return false }
        }
        return !keys.isEmpty
    }

    /// A key is lower-case; a tenant may stand before an @.
    private static func isKey(_ key: ArraySlice<UInt8>) -> Bool {
        guard let first = key.first, key.count <= 256, isLowerCase(first) || isDigit(first) else { return false }
        let parts = key.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count <= 2 else { return false }
        if parts.count == 2 {
            guard parts[0].count <= 241, (1...14).contains(parts[1].count), let system = parts[1].first,
                isLowerCase(system)
            else { return false }
        }
        return key.allSatisfy { isLowerCase($0) || isDigit($0) || "_-*/@".utf8.contains($0) }
    }

    /// A value is printable ASCII without comma and equals sign, and does not end in a space.
    private static func isValue(_ value: ArraySlice<UInt8>) -> Bool {
        guard let last = value.last, value.count <= 256, last != UInt8(ascii: " ") else { return false }
        return value.allSatisfy {
            (0x20...0x7E).contains($0) && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "=")
        }
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let start = bytes.drop(while: isSpace)
        guard let end = start.lastIndex(where: { !isSpace($0) }) else { return [] }
        return start[...end]
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    private static func isLowerCase(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
}
