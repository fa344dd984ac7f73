public import FoundationEssentials

/// The form in which a stored value and a value of a predicate are equal or not.
///
/// All stores compare by these keys, so that they agree. Whole numbers are equal whatever their type, Booleans equal
/// 1 and 0, text is folded and compared under canonical equivalence, and no number equals text.
public enum MatchKey: Hashable, Sendable {
    /// No value.
    case null
    /// A whole number, a Boolean, or any other number with a whole value that fits.
    case integer(Int64)
    /// Any other number.
    case number(Double)
    /// Folded text.
    case text(String)
    /// A point in time, in seconds since 2001-01-01T00:00:00Z.
    case date(Double)
    /// A UUID.
    case uuid(UUID)

    /// The key of a stored value; nil for one that nothing equals (binary, NaN).
    public init?(stored value: AttributeValue, type: AttributeType, folding: TextFolding) {
        switch value {
        case .null: self = .null
        case .boolean(let flag): self = .integer(flag ? 1 : 0)
        case .integer(let number): self = .integer(number)
        case .number(let number): self.init(number: number, type: type)
        case .string(let text): self = .text(folding.fold(text))
        case .date(let seconds): self = .date(seconds)
        case .uuid(let uuid): self = .uuid(uuid)
        case .binary, .externalDataMissing, .object: return nil
        }
    }

    /// The key of a predicate's value for an attribute of the given type; nil for one that no value of it equals.
    public init?(sought value: PredicateValue, type: AttributeType, folding: TextFolding) {
        switch (value, type) {
        case (.null, _): self = .null
        case (.boolean(let flag), _) where type.isNumeric: self = .integer(flag ? 1 : 0)
        case (.integer(let number), _) where type.isNumeric: self = .integer(number)
        case (.number(let number), _) where type.isNumeric: self.init(number: number, type: type)
        case (.string(let text), .string), (.string(let text), .uri), (.string(let text), .undefined):
            self = .text(folding.fold(text))
        case (.string(let text), .uuid):
            guard text.utf8.count == 36, let uuid = UUID(uuidString: text) else { return nil }
            self = .uuid(uuid)
        case (.string(let text), .date):
            guard let seconds = ISO8601.seconds(in: text) else { return nil }
            self = .date(seconds)
        case (.string(let text), _) where type.isNumeric && type != .boolean:
            self.init(decimal: text, type: type)
        default: return nil
        }
    }

    private init?(number: Double, type: AttributeType) {
        guard number.isFinite else { return nil }
        let number = type.stored(number)
        if let whole = Int64(exactly: number) { self = .integer(whole) } else { self = .number(number) }
    }

    /// Optional minus, digits, optional fraction; nothing else.
    private init?(decimal text: String, type: AttributeType) {
        let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
        let parts = digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count),
            parts.allSatisfy({ part in !part.isEmpty && part.allSatisfy { (0x30...0x39).contains($0) } })
        else { return nil }
        if parts.count == 1, let whole = Int64(text) {
            self = .integer(whole)
        } else {
            guard let number = Double(text) else { return nil }
            self.init(number: number, type: type)
        }
    }
}

extension AttributeType {
    /// Whether numbers and Booleans can equal a value of this type.
    fileprivate var isNumeric: Bool {
        switch self {
        case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean, .undefined: true
        case .string, .date, .binary, .uuid, .uri, .transformable, .objectID, .composite: false
        }
    }

    /// The number as this type keeps it: a float has 24 bits, and a decimal is good for 15 digits.
    fileprivate func stored(_ number: Double) -> Double {
        switch self {
        case .float: Double(Float(number))
        case .decimal: DecimalDigits.rounded(number)
        default: number
        }
    }
}
