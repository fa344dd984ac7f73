internal import CYAML

/// What libyaml reports of a document, without the parts that are errors in a configuration.
struct YAMLEvent {
    enum Kind {
        case documentStart
        /// The bytes of the scalar, and whether it stands in quotes or in a block.
        case scalar(String, isPlain: Bool)
        case sequenceStart
        case mappingStart
        /// The end of a sequence or a mapping.
        case end
        case documentEnd
        case streamEnd
    }

    let kind: Kind
    let start: TextPosition
    let end: TextPosition
    /// An explicit tag, for example `tag:yaml.org,2002:str` for `!!str`.
    let tag: String?
}

/// The events of one YAML text, in order, by libyaml.
///
/// This file is the one owner of libyaml: none of its pointers leaves it.
@safe
struct YAMLEvents: ~Copyable {
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    /// libyaml reads from this buffer until the end.
    private let input: UnsafeMutableBufferPointer<UInt8>

    init(_ bytes: [UInt8]) {
        unsafe parser = .allocate(capacity: 1)
        unsafe input = .allocate(capacity: max(bytes.count, 1))
        _ = unsafe input.initialize(from: bytes)
        guard unsafe yaml_parser_initialize(parser) == 1 else { fatalError("out of memory") }
        unsafe yaml_parser_set_input_string(parser, input.baseAddress, bytes.count)
    }

    deinit {
        unsafe yaml_parser_delete(parser)
        unsafe parser.deallocate()
        unsafe input.deallocate()
    }

    /// The next event; anchors and aliases are errors.
    mutating func next() throws(YAMLError) -> YAMLEvent {
        while true {
            var event = unsafe yaml_event_t()
            guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw error() }
            defer { unsafe yaml_event_delete(&event) }
            if let event = try unsafe Self.event(event) { return event }
        }
    }

    private static func event(_ event: yaml_event_t) throws(YAMLError) -> YAMLEvent? {
        let data = unsafe event.data
        let start = unsafe position(event.start_mark)
        func made(
            _ kind: YAMLEvent.Kind, anchor: UnsafeMutablePointer<yaml_char_t>? = nil,
            tag: UnsafeMutablePointer<yaml_char_t>? = nil
        ) throws(YAMLError) -> YAMLEvent {
            if let anchor = unsafe text(anchor) {
                throw YAMLError(
                    at: start,
                    "The anchor &\(anchor) is not allowed in a configuration; write the value where it is used.")
            }
            return unsafe YAMLEvent(kind: kind, start: start, end: position(event.end_mark), tag: text(tag))
        }
        switch unsafe event.type {
        case YAML_DOCUMENT_START_EVENT: return try made(.documentStart)
        case YAML_DOCUMENT_END_EVENT: return try made(.documentEnd)
        case YAML_STREAM_END_EVENT: return try made(.streamEnd)
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: return try made(.end)
        case YAML_SEQUENCE_START_EVENT:
            return try unsafe made(.sequenceStart, anchor: data.sequence_start.anchor, tag: data.sequence_start.tag)
        case YAML_MAPPING_START_EVENT:
            return try unsafe made(.mappingStart, anchor: data.mapping_start.anchor, tag: data.mapping_start.tag)
        case YAML_SCALAR_EVENT:
            let scalar = unsafe data.scalar
            let bytes = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            let text = unsafe String(decoding: bytes, as: UTF8.self)
            let isPlain = unsafe scalar.style == YAML_PLAIN_SCALAR_STYLE
            return try unsafe made(.scalar(text, isPlain: isPlain), anchor: scalar.anchor, tag: scalar.tag)
        case YAML_ALIAS_EVENT:
            let name = unsafe text(data.alias.anchor) ?? ""
            throw YAMLError(at: start, "The alias *\(name) is not allowed in a configuration; write the value itself.")
        default: return nil
        }
    }

    private static func position(_ mark: yaml_mark_t) -> TextPosition {
        TextPosition(line: mark.line + 1, column: mark.column + 1)
    }

    private static func text(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        guard let pointer = unsafe pointer else { return nil }
        return unsafe String(decodingCString: pointer, as: UTF8.self)
    }

    /// What libyaml says is wrong.
    private func error() -> YAMLError {
        let problem = unsafe parser.pointee.problem.map { unsafe String(cString: $0) } ?? "unknown problem"
        if unsafe parser.pointee.error == YAML_READER_ERROR {
            let offset = unsafe min(Int(parser.pointee.problem_offset), input.count)
            let before = unsafe String(decoding: input.prefix(offset), as: UTF8.self)
            let lines = before.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
            let position = TextPosition(line: max(lines.count, 1), column: (lines.last?.count ?? 0) + 1)
            return YAMLError(at: position, "The file is not UTF-8 text: \(problem).")
        }
        let context = unsafe parser.pointee.context.map { unsafe String(cString: $0) + ": " } ?? ""
        let position = unsafe Self.position(parser.pointee.problem_mark)
        return YAMLError(
            at: position,
            "The file is not YAML (\(context)\(problem)); text that holds : # { } [ ] or , may have to stand in quotes."
        )
    }
}
