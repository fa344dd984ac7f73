/// Reads one YAML document as nodes.
///
/// What a configuration cannot need is an error: several documents, anchors and aliases, duplicate keys, keys that are
/// not scalars, tags that make a value another type, and anything beyond the limits.
enum YAMLDocument {
    /// The document's value; nil for a file that holds none.
    static func root(of bytes: [UInt8]) throws(YAMLError) -> YAMLNode? {
        guard bytes.count <= YAMLLimit.bytesMax else {
            throw YAMLError(at: .start, "The file is larger than \(YAMLLimit.bytesMax >> 10) KiB.")
        }
        var composer = Composer(events: YAMLEvents(JSONEscapes.withoutSurrogates(bytes)))
        return try composer.document()
    }
}

private struct Composer: ~Copyable {
    var events: YAMLEvents

    init(events: consuming YAMLEvents) {
        self.events = events
    }

    mutating func document() throws(YAMLError) -> YAMLNode? {
        guard case .documentStart = try events.next().kind else { return nil }
        let root = try node(try events.next(), depth: 0)
        _ = try events.next()
        let next = try events.next()
        if case .documentStart = next.kind {
            throw YAMLError(at: next.start, "The file holds several documents (---); a configuration is one.")
        }
        return root
    }

    private mutating func node(_ event: YAMLEvent, depth: Int) throws(YAMLError) -> YAMLNode {
        guard depth <= YAMLLimit.depthMax else {
            throw YAMLError(at: event.start, "Lists and mappings nest deeper than \(YAMLLimit.depthMax).")
        }
        switch event.kind {
        case .scalar(let text, let isPlain): return try scalar(text, isPlain: isPlain, event)
        case .sequenceStart: return try sequence(event, depth: depth)
        case .mappingStart: return try mapping(event, depth: depth)
        case .documentStart, .end, .documentEnd, .streamEnd:
            throw YAMLError(at: event.start, "A value is missing here.")
        }
    }

    private func scalar(_ text: String, isPlain: Bool, _ event: YAMLEvent) throws(YAMLError) -> YAMLNode {
        let content = isPlain ? YAMLScalar.content(plain: text) : .string(text)
        let type =
            switch content {
            case .null: "null"
            case .boolean: "bool"
            case .integer, .unsigned, .oversized: "int"
            case .number: "float"
            default: "str"
            }
        try require(type, of: event)
        let length = text.unicodeScalars.count
        let width = event.end.line == event.start.line ? event.end.column - event.start.column : -1
        let verbatim = isPlain && width == length ? 0 : !isPlain && width == length + 2 ? 1 : nil
        return YAMLNode(content, at: event.start, verbatimOffset: event.tag == nil ? verbatim : nil)
    }

    private mutating func sequence(_ event: YAMLEvent, depth: Int) throws(YAMLError) -> YAMLNode {
        try require("seq", of: event)
        var elements: [YAMLNode] = []
        while true {
            let next = try events.next()
            if case .end = next.kind { return YAMLNode(.sequence(elements), at: event.start) }
            elements.append(try node(next, depth: depth + 1))
        }
    }

    private mutating func mapping(_ event: YAMLEvent, depth: Int) throws(YAMLError) -> YAMLNode {
        try require("map", of: event)
        var members: [YAMLMember] = []
        var lines: [[UInt8]: Int] = [:]
        while true {
            let next = try events.next()
            if case .end = next.kind { return YAMLNode(.mapping(members), at: event.start) }
            guard case .scalar(let key, _) = next.kind else {
                throw YAMLError(at: next.start, "A key must be a single word or text, not a list or a mapping.")
            }
            if next.tag != nil { throw YAMLError(at: next.start, "A key cannot have a tag.") }
            if let line = lines.updateValue(next.start.line, forKey: Array(key.utf8)) {
                throw YAMLError(at: next.start, "The key \(key) is here twice; the first is in line \(line).")
            }
            let value = try node(try events.next(), depth: depth + 1)
            members.append(YAMLMember(key: key, position: next.start, value: value))
        }
    }

    /// A tag may only say what the value is anyway.
    private func require(_ type: String, of event: YAMLEvent) throws(YAMLError) {
        guard let tag = event.tag, tag != "tag:yaml.org,2002:\(type)" else { return }
        throw YAMLError(
            at: event.start, "The tag \(tag) is not allowed; write the value as what it is, text in quotes.")
    }
}
