/// An XML document as a flat list of elements: what data models and XML property lists need, and nothing more.
///
/// There are no namespaces, no external entities and no entity declarations, so a document never grows when it is read.
struct XMLDocument {
    /// Where and why reading ended.
    struct Failure: Error {
        let line: Int
        let reason: String
    }

    /// One element.
    struct Element {
        let name: String
        let attributes: [String: String]
        /// The character data directly inside.
        fileprivate(set) var text = ""
        fileprivate var children: [Int] = []

        /// Whether the attribute says YES.
        func flag(_ name: String) -> Bool { attributes[name] == "YES" }
    }

    static let maximumDepth = 128
    static let maximumElements = 500_000

    private let elements: [Element]

    /// The outermost element.
    var root: Element { elements[0] }

    init(_ bytes: [UInt8]) throws(Failure) {
        var reader = XMLReader(bytes)
        elements = try reader.read()
    }

    /// The elements directly inside another one.
    func children(of element: Element) -> [Element] { element.children.map { elements[$0] } }

    /// The elements of that name directly inside another one.
    func children(_ name: String, of element: Element) -> [Element] {
        children(of: element).filter { $0.name == name }
    }
}

/// Reads the bytes of a document once, from start to end, without recursion.
private struct XMLReader {
    private let bytes: [UInt8]
    private var position = 0
    private var elements: [XMLDocument.Element] = []
    private var open: [Int] = []

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func read() throws(XMLDocument.Failure) -> [XMLDocument.Element] {
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) { position = 3 }
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "<") { try markup() } else { try characters() }
        }
        guard open.isEmpty else { throw failure("the element \(elements[open[open.count - 1]].name) is not closed") }
        guard !elements.isEmpty else { throw failure("there is no element") }
        return elements
    }

    private mutating func markup() throws(XMLDocument.Failure) {
        if skip("<!--") {
            try skip(past: "-->")
        } else if skip("<![CDATA[") {
            let start = position
            try skip(past: "]]>")
            if let current = open.last {
                elements[current].text += String(decoding: bytes[start..<position - 3], as: UTF8.self)
            }
        } else if skip("<?") {
            try skip(past: "?>")
        } else if skip("<!") {
            try declaration()
        } else if skip("</") {
            let name = name()
            skipSpace()
            guard skip(">"), let current = open.popLast(), elements[current].name == name
            else { throw failure("</\(name)> closes nothing") }
        } else {
            position += 1
            try element()
        }
    }

    private mutating func element() throws(XMLDocument.Failure) {
        let name = name()
        guard !name.isEmpty else { throw failure("an element has no name") }
        var attributes: [String: String] = [:]
        while true {
            skipSpace()
            if skip("/>") { return try add(name, attributes, isOpen: false) }
            if skip(">") { return try add(name, attributes, isOpen: true) }
            let attribute = self.name()
            skipSpace()
            guard !attribute.isEmpty, skip("=") else { throw failure("the element \(name) is damaged") }
            skipSpace()
            attributes[attribute] = try quoted()
        }
    }

    private mutating func add(
        _ name: String, _ attributes: [String: String], isOpen: Bool
    ) throws(XMLDocument.Failure) {
        guard elements.count < XMLDocument.maximumElements, open.count < XMLDocument.maximumDepth
        else { throw failure("there are too many elements, or they are nested too deeply") }
        guard elements.isEmpty || !open.isEmpty else { throw failure("there is a second outermost element") }
        if let current = open.last { elements[current].children.append(elements.count) }
        if isOpen { open.append(elements.count) }
        elements.append(XMLDocument.Element(name: name, attributes: attributes))
    }

    private mutating func quoted() throws(XMLDocument.Failure) -> String {
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") || bytes[position] == UInt8(ascii: "'")
        else { throw failure("a value is not quoted") }
        let quote = bytes[position]
        position += 1
        let start = position
        while position < bytes.count, bytes[position] != quote { position += 1 }
        guard position < bytes.count else { throw failure("a value does not end") }
        position += 1
        return try text(start..<position - 1)
    }

    private mutating func characters() throws(XMLDocument.Failure) {
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: "<") { position += 1 }
        if let current = open.last { elements[current].text += try text(start..<position) }
    }

    /// Skips `<!DOCTYPE ...>`, an internal subset included; what it declares is not used.
    private mutating func declaration() throws(XMLDocument.Failure) {
        var depth = 1
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "<"): depth += 1
            case UInt8(ascii: ">"): depth -= 1
            default: break
            }
            position += 1
            if depth == 0 { return }
        }
        throw failure("a declaration does not end")
    }

    /// The characters of a range, with the predefined entities and character references replaced.
    private func text(_ range: Range<Int>) throws(XMLDocument.Failure) -> String {
        let raw = bytes[range]
        guard raw.contains(UInt8(ascii: "&")) else { return String(decoding: raw, as: UTF8.self) }
        var text = ""
        var rest = raw
        while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
            text += String(decoding: rest[..<start], as: UTF8.self)
            guard let end = rest[start...].firstIndex(of: UInt8(ascii: ";")),
                let scalar = Self.character(String(decoding: rest[start + 1..<end], as: UTF8.self))
            else { throw failure("an entity is not one of the predefined ones") }
            text.unicodeScalars.append(scalar)
            rest = rest[(end + 1)...]
        }
        return text + String(decoding: rest, as: UTF8.self)
    }

    private static func character(_ entity: String) -> Unicode.Scalar? {
        switch entity {
        case "amp": "&"
        case "lt": "<"
        case "gt": ">"
        case "quot": "\""
        case "apos": "'"
        case _ where entity.hasPrefix("#x"): UInt32(entity.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
        case _ where entity.hasPrefix("#"): UInt32(entity.dropFirst()).flatMap(Unicode.Scalar.init)
        default: nil
        }
    }

    private mutating func name() -> String {
        let start = position
        while position < bytes.count, !" \t\r\n/>=<\"'".utf8.contains(bytes[position]) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func skipSpace() {
        while position < bytes.count, " \t\r\n".utf8.contains(bytes[position]) { position += 1 }
    }

    private mutating func skip(_ token: StaticString) -> Bool {
        let token = token.description.utf8
        guard bytes[position...].starts(with: token) else { return false }
        position += token.count
        return true
    }

    private mutating func skip(past end: StaticString) throws(XMLDocument.Failure) {
        while position < bytes.count {
            if skip(end) { return }
            position += 1
        }
        throw failure("\(end) is missing")
    }

    private func failure(_ reason: String) -> XMLDocument.Failure {
        let lines = bytes[..<min(position, bytes.count)].lazy.filter { $0 == UInt8(ascii: "\n") }.count
        return XMLDocument.Failure(line: lines + 1, reason: reason)
    }
}
