/// Why a message holds no item operations.
///
/// `description` is a sentence that names the place, such as `index[2].expirationDate`, and holds no value.
public struct ItemError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The sentence.
    public let description: String

    /// Makes an error; `description` is a full sentence.
    public init(_ description: String) {
        self.description = description
    }
}
