/// A condition on the attributes of an entity's objects: comparisons that must all hold.
///
/// This is the part of NSPredicate's language that an index can answer: equality, joined by AND. A predicate is a
/// fixed shape; the values to compare with come with each look-up. Two predicates of one shape are equal, so that a
/// store keeps one index for both.
public struct Predicate: Hashable, Sendable {
    /// One comparison: an attribute against a value that comes with the look-up.
    public struct Comparison: Hashable, Sendable {
        /// The name of the attribute.
        public var attribute: String
        /// Whether the comparison ignores case (`[c]`).
        public var ignoresCase: Bool
        /// Whether the comparison ignores diacritics (`[d]`).
        public var ignoresDiacritics: Bool

        /// Makes a comparison.
        public init(attribute: String, ignoresCase: Bool = false, ignoresDiacritics: Bool = false) {
            self.attribute = attribute
            self.ignoresCase = ignoresCase
            self.ignoresDiacritics = ignoresDiacritics
        }

        /// How text is folded before it is compared.
        public var folding: TextFolding {
            TextFolding(case: ignoresCase, diacritics: ignoresDiacritics)
        }
    }

    /// The name of the entity.
    public var entity: String
    /// The comparisons; at least one.
    public var comparisons: [Comparison]

    /// Makes a predicate.
    public init(entity: String, comparisons: [Comparison]) {
        self.entity = entity
        self.comparisons = comparisons
    }
}

/// A value that an attribute is compared with.
public enum PredicateValue: Hashable, Sendable {
    /// `nil`: the attribute has no value.
    case null
    /// `true` or `false`; equal to the numbers 1 and 0.
    case boolean(Bool)
    /// A whole number.
    case integer(Int64)
    /// Any other number.
    case number(Double)
    /// Text; it meets a number, UUID or date attribute as that type when it is written as one.
    case string(String)
}
