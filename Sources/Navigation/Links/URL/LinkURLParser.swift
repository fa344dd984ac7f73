extension LinkURL {
    /// Reads a URL with a scheme; nil for text that the WHATWG URL standard takes for none.
    init?(_ text: String) {
        let bytes = text.utf8Span.span
        if let cleaned = Self.cleaned(bytes) {
            self.init(cleaned: cleaned.span)
        } else {
            self.init(cleaned: bytes)
        }
    }

    /// The text without spaces and control characters at its ends, and without any tab or line break; nil where that
    /// changes nothing.
    private static func cleaned(_ text: Span<UInt8>) -> [UInt8]? {
        func isBreak(_ byte: UInt8) -> Bool { byte == 0x09 || byte == 0x0A || byte == 0x0D }
        var start = 0
        var end = text.count
        while start < end, text[start] <= 0x20 { start += 1 }
        while end > start, text[end - 1] <= 0x20 { end -= 1 }
        var isClean = start == 0 && end == text.count
        for index in start..<end where isBreak(text[index]) { isClean = false }
        if isClean { return nil }
        return (start..<end).compactMap { isBreak(text[$0]) ? nil : text[$0] }
    }

    private init?(cleaned text: Span<UInt8>) {
        guard let colon = Self.endOfScheme(text) else { return nil }
        var parser = LinkURLParser(scheme: Scheme(text.extracting(0..<colon)), at: colon + 1)
        guard parser.parse(text) else { return nil }
        scheme = parser.scheme
        port = parser.port
        bytes = parser.output
        host = parser.host
        path = parser.path
        query = parser.query
        fragment = parser.fragment
    }

    /// Where the colon after the scheme stands.
    private static func endOfScheme(_ text: Span<UInt8>) -> Int? {
        guard let colon = text.firstIndex(of: UInt8(ascii: ":"), from: 0), colon > 0, text[0].isASCIILetter else {
            return nil
        }
        for index in 1..<colon {
            let byte = text[index]
            guard byte.isASCIILetter || byte.isASCIIDigit || byte == 0x2B || byte == 0x2D || byte == 0x2E else {
                return nil
            }
        }
        return colon
    }
}

extension LinkURL.Scheme {
    /// The scheme of a name in any case.
    init(_ name: Span<UInt8>) {
        var lowered: [UInt8] = []
        for index in name.indices { lowered.append(name[index].asciiLowercased) }
        switch String(decoding: lowered, as: UTF8.self) {
        case "http": self = .http
        case "https": self = .https
        case let other: self = .custom(other)
        }
    }
}

/// Reads what stands behind the scheme, from left to right.
private struct LinkURLParser {
    let scheme: LinkURL.Scheme
    /// How far the text has been read.
    var index: Int
    var output: [UInt8] = []
    var port: UInt16?
    var host = 0..<0
    var path = 0..<0
    var query: Range<Int>?
    var fragment: Range<Int>?

    init(scheme: LinkURL.Scheme, at index: Int) {
        self.scheme = scheme
        self.index = index
    }

    mutating func parse(_ text: Span<UInt8>) -> Bool {
        output.reserveCapacity(text.count + 16)
        let start = index
        while index < text.count, isSlash(text[index]) { index += 1 }
        if !scheme.isWeb {
            // Custom schemes have an authority only behind exactly two slashes.
            let hasAuthority = index >= start + 2
            index = hasAuthority ? start + 2 : start
            if hasAuthority { guard authority(text) else { return false } }
        } else {
            guard authority(text) else { return false }
        }
        readPath(text)
        if take(UInt8(ascii: "?"), text) {
            query = encode(text, until: UInt8(ascii: "#"), scheme.isWeb ? .webQuery : .query)
        }
        if take(UInt8(ascii: "#"), text) { fragment = encode(text, until: nil, .fragment) }
        return true
    }

    private func isSlash(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || scheme.isWeb && byte == UInt8(ascii: "\\")
    }

    private mutating func take(_ byte: UInt8, _ text: Span<UInt8>) -> Bool {
        guard index < text.count, text[index] == byte else { return false }
        index += 1
        return true
    }

    // MARK: Host and port

    private mutating func authority(_ text: Span<UInt8>) -> Bool {
        let start = index
        while index < text.count, !isSlash(text[index]), text[index] != UInt8(ascii: "?"),
            text[index] != UInt8(ascii: "#")
        { index += 1 }
        var authority = text.extracting(start..<index)
        let hasUser = authority.lastIndex(of: UInt8(ascii: "@"))
        if let hasUser { authority = authority.extracting((hasUser + 1)..<authority.count) }
        let end = endOfHost(authority)
        if end == 0 { return !scheme.isWeb && end == authority.count && hasUser == nil }
        guard readPort(authority.extracting(end..<authority.count)) else { return false }
        guard let name = HostParser.host(authority.extracting(0..<end), isOpaque: !scheme.isWeb) else { return false }
        output += name
        host = 0..<output.count
        return true
    }

    /// Where the host ends: at its colon, if that does not stand in brackets.
    private func endOfHost(_ authority: Span<UInt8>) -> Int {
        var inBrackets = false
        for index in authority.indices {
            switch authority[index] {
            case UInt8(ascii: "["): inBrackets = true
            case UInt8(ascii: "]"): inBrackets = false
            case UInt8(ascii: ":") where !inBrackets: return index
            default: break
            }
        }
        return authority.count
    }

    /// Reads `:PORT`, where it is there; the number may be absent.
    private mutating func readPort(_ text: Span<UInt8>) -> Bool {
        var number = 0
        var hasDigits = false
        for index in text.indices.dropFirst() {
            guard text[index].isASCIIDigit else { return false }
            hasDigits = true
            number = number * 10 + Int(text[index] - 0x30)
            guard number <= UInt16.max else { return false }
        }
        if hasDigits, scheme.port != UInt16(number) { port = UInt16(number) }
        return true
    }

    // MARK: Path, query and fragment

    private mutating func readPath(_ text: Span<UInt8>) {
        let start = index
        while index < text.count, text[index] != UInt8(ascii: "?"), text[index] != UInt8(ascii: "#") { index += 1 }
        let written = text.extracting(start..<index)
        let begin = output.count
        if scheme.isWeb || !written.isEmpty && isSlash(written[0]) {
            URLPath.append(written, to: &output, backslashes: scheme.isWeb)
        } else {
            for index in written.indices { output.append(written[index], encoding: .controls) }
        }
        path = begin..<output.count
    }

    private mutating func encode(_ text: Span<UInt8>, until stop: UInt8?, _ set: PercentEncodeSet) -> Range<Int> {
        let begin = output.count
        while index < text.count, text[index] != stop {
            output.append(text[index], encoding: set)
            index += 1
        }
        return begin..<output.count
    }
}
