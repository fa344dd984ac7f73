public import FoundationEssentials

/// A value of an attribute or of a to-one relationship, as the store holds it.
public enum AttributeValue: Hashable, Sendable {
    /// No value, an attribute that the entity does not have, or a to-one relationship without a target.
    case null
    /// A Boolean attribute.
    case boolean(Bool)
    /// An integer attribute of any width, or a decimal one stored as an integer.
    case integer(Int64)
    /// A float, double or decimal attribute.
    case number(Double)
    /// A string or URI attribute.
    case string(String)
    /// A date attribute, in seconds since 2001-01-01T00:00:00Z.
    case date(Double)
    /// A UUID attribute.
    case uuid(UUID)
    /// A binary or transformable attribute: its bytes, not interpreted.
    case binary([UInt8])
    /// An external binary whose file is missing: the name of the file that was looked for.
    case externalDataMissing(String)
    /// The target of a to-one relationship, with the target's own entity.
    case object(ObjectURI)
}
