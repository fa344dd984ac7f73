/// A small property list, read completely: a store's metadata or the version list beside compiled models.
indirect enum PropertyListValue {
    case string(String)
    case integer(Int64)
    case data([UInt8])
    case array([PropertyListValue])
    case dictionary([String: PropertyListValue])
    /// Any other kind: nothing here needs its value.
    case other

    /// How deep containers may be nested.
    static let maximumDepth = 32
    /// How many values a list may have, each use of a shared one counted.
    static let maximumValues = 200_000

    /// Reads a binary or an XML property list; nil where it is neither, or too large.
    init?(_ bytes: [UInt8]) {
        if bytes.starts(with: Array("bplist".utf8)) {
            guard let list = try? BinaryPropertyList(bytes) else { return nil }
            var left = Self.maximumValues
            guard let value = try? Self.read(list.top, in: list, depth: 0, left: &left) else { return nil }
            self = value
        } else {
            guard let document = try? XMLDocument(bytes), document.root.name == "plist",
                let content = document.children(of: document.root).first
            else { return nil }
            self = Self.read(content, in: document)
        }
    }

    subscript(key: String) -> PropertyListValue? {
        guard case .dictionary(let members) = self else { return nil }
        return members[key]
    }

    var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    var integer: Int64? {
        guard case .integer(let number) = self else { return nil }
        return number
    }

    var array: [PropertyListValue] {
        guard case .array(let members) = self else { return [] }
        return members
    }

    var dictionary: [String: PropertyListValue] {
        guard case .dictionary(let members) = self else { return [:] }
        return members
    }

    private static func read(
        _ index: Int, in list: BinaryPropertyList, depth: Int, left: inout Int
    ) throws(BinaryPropertyList.Failure) -> PropertyListValue {
        left -= 1
        guard left >= 0, depth < maximumDepth else { throw .tooLarge }
        switch try list.object(at: index) {
        case .string(let text): return .string(text)
        case .integer(let number): return .integer(number)
        case .data(let range): return .data(Array(list.data(range)))
        case .array(let members):
            var values: [PropertyListValue] = []
            for member in members { values.append(try read(member, in: list, depth: depth + 1, left: &left)) }
            return .array(values)
        case .dictionary(let keys, let members):
            var values: [String: PropertyListValue] = [:]
            for (key, member) in zip(keys, members) {
                guard case .string(let name) = try list.object(at: key) else { throw .damaged }
                values[name] = try read(member, in: list, depth: depth + 1, left: &left)
            }
            return .dictionary(values)
        case .null, .boolean, .real, .date, .reference: return .other
        }
    }

    /// The document's own depth limit bounds this.
    private static func read(_ element: XMLDocument.Element, in document: XMLDocument) -> PropertyListValue {
        switch element.name {
        case "string": return .string(element.text)
        case "integer": return Int64(element.text).map { .integer($0) } ?? .other
        case "data": return Base64.bytes(element.text).map { .data($0) } ?? .other
        case "array": return .array(document.children(of: element).map { read($0, in: document) })
        case "dict":
            let members = document.children(of: element)
            var values: [String: PropertyListValue] = [:]
            for (key, value) in zip(members, members.dropFirst()) where key.name == "key" {
                values[key.text] = read(value, in: document)
            }
            return .dictionary(values)
        default: return .other
        }
    }
}
