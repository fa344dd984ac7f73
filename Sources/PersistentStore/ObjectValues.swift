/// The values that were read of an object, in the order of the plan's paths.
///
/// Mostly it is one, which needs no array of its own.
public struct ObjectValues: Sendable {
    @usableFromInline
    enum Storage: Sendable {
        case one(AttributeValue)
        case several([AttributeValue])
    }

    @usableFromInline let storage: Storage

    /// One value.
    @inlinable
    public init(_ value: AttributeValue) { storage = .one(value) }

    /// Any number of values.
    public init(_ values: [AttributeValue]) {
        storage = values.count == 1 ? .one(values[0]) : .several(values)
    }
}

extension ObjectValues: RandomAccessCollection {
    /// Zero.
    @inlinable public var startIndex: Int { 0 }

    /// The number of values.
    @inlinable public var endIndex: Int {
        switch storage {
        case .one: 1
        case .several(let values): values.count
        }
    }

    /// The value at a place.
    @inlinable
    public subscript(index: Int) -> AttributeValue {
        switch storage {
        case .one(let value):
            precondition(index == 0, "there is one value")
            return value
        case .several(let values): return values[index]
        }
    }
}

extension ObjectValues: ExpressibleByArrayLiteral, Equatable {
    /// The values, one by one.
    public init(arrayLiteral values: AttributeValue...) { self.init(values) }

    /// Whether both have the same values.
    public static func == (left: ObjectValues, right: ObjectValues) -> Bool { left.elementsEqual(right) }
}
