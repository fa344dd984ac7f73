/// A keyed archive (NSKeyedArchiver) in a binary property list: its objects' fields by name, nothing instantiated.
///
/// A position is the index of an object in the property list; references (UIDs) are followed wherever they occur.
struct KeyedArchive {
    typealias Failure = BinaryPropertyList.Failure

    /// The placeholder of a dictionary with fixed keys for a key that has no value.
    private static let emptySlot = "__empty_slot_token_4c24_98dc_ac1e_b773__"
    /// How many references may follow one another.
    private static let maximumReferences = 8

    private let list: BinaryPropertyList
    private let objects: [Int]
    /// The position of the archive's root object.
    let root: Int

    init(_ bytes: [UInt8]) throws(Failure) {
        list = try BinaryPropertyList(bytes)
        let top = try Self.members(of: list.top, in: list)
        guard let objectList = top["$objects"], case .array(let objects) = try list.object(at: objectList),
            let topObject = top["$top"], let root = try Self.members(of: topObject, in: list)["root"]
        else { throw .damaged }
        self.objects = objects
        self.root = root
    }

    /// The fields of an object by name; empty for anything that is not one.
    func fields(of position: Int?) throws(Failure) -> [String: Int] {
        guard let position else { return [:] }
        guard case .dictionary(let keys, let values) = try object(at: position) else { return [:] }
        return try Self.named(keys, values, in: list)
    }

    /// The name of the class of an object, from its fields.
    func className(_ fields: [String: Int]) throws(Failure) -> String? {
        try string(try self.fields(of: fields["$class"])["$classname"])
    }

    /// Text, whether plain or an archived string object; nil for the archive's null.
    func string(_ position: Int?) throws(Failure) -> String? {
        guard let position else { return nil }
        switch try object(at: position) {
        case .string(let text): return text == "$null" ? nil : text
        case .dictionary(let keys, let values):
            guard let inner = try Self.named(keys, values, in: list)["NS.string"],
                case .string(let text) = try object(at: inner)
            else { return nil }
            return text
        default: return nil
        }
    }

    /// A whole number; a Boolean counts as 1 or 0.
    func integer(_ position: Int?) throws(Failure) -> Int64? {
        guard let position else { return nil }
        switch try object(at: position) {
        case .integer(let value): return value
        case .boolean(let flag): return flag ? 1 : 0
        case .real(let value): return Int64(exactly: value.rounded())
        default: return nil
        }
    }

    /// Whether a field is true; an absent one is not.
    func flag(_ position: Int?) throws(Failure) -> Bool { try integer(position) ?? 0 != 0 }

    /// The members of an array or set.
    func array(_ position: Int?) throws(Failure) -> [Int] {
        guard let position else { return [] }
        switch try object(at: position) {
        case .array(let members): return members
        case .dictionary(let keys, let values):
            guard let inner = try Self.named(keys, values, in: list)["NS.objects"],
                case .array(let members) = try object(at: inner)
            else { return [] }
            return members
        default: return []
        }
    }

    /// The values of an archived dictionary with their keys, of either kind that models use.
    func entries(_ position: Int?) throws(Failure) -> [(key: String, value: Int)] {
        let fields = try fields(of: position)
        var keys: [Int]
        var values: [Int]
        if let mapping = fields["searchMapping"] {
            keys = try array(try self.fields(of: mapping)["keys"])
            values = try array(fields["values"])
        } else {
            keys = try array(fields["NS.keys"])
            values = try array(fields["NS.objects"])
        }
        var entries: [(key: String, value: Int)] = []
        for (key, value) in zip(keys, values) {
            guard let name = try string(key) else { continue }
            if case .string(Self.emptySlot) = try object(at: value) { continue }
            entries.append((name, value))
        }
        return entries
    }

    /// The object at a position, behind any references.
    private func object(at position: Int) throws(Failure) -> BinaryPropertyList.Object {
        var object = try list.object(at: position)
        for _ in 0..<Self.maximumReferences {
            guard case .reference(let number) = object else { return object }
            guard number < objects.count else { throw .damaged }
            object = try list.object(at: objects[number])
        }
        throw .damaged
    }

    private static func members(of index: Int, in list: BinaryPropertyList) throws(Failure) -> [String: Int] {
        guard case .dictionary(let keys, let values) = try list.object(at: index) else { throw .damaged }
        return try named(keys, values, in: list)
    }

    private static func named(
        _ keys: [Int], _ values: [Int], in list: BinaryPropertyList
    ) throws(Failure) -> [String: Int] {
        var fields: [String: Int] = [:]
        for (key, value) in zip(keys, values) {
            if case .string(let name) = try list.object(at: key) { fields[name] = value }
        }
        return fields
    }
}
