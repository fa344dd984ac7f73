/// An object with all that its row holds.
public struct ManagedObject: Sendable {
    /// The object's URI, with its own entity.
    public let uri: ObjectURI
    /// Every stored attribute by name, own and inherited.
    public let attributes: [String: AttributeValue]
    /// Every stored to-one relationship by name: the target's URI, or nil without a target.
    public let relationships: [String: ObjectURI?]

    /// Makes an object.
    public init(uri: ObjectURI, attributes: [String: AttributeValue], relationships: [String: ObjectURI?]) {
        self.uri = uri
        self.attributes = attributes
        self.relationships = relationships
    }
}

/// The answer to a question for one whole object.
public enum ManagedObjectResult: Sendable {
    /// The object.
    case found(ManagedObject)
    /// There is no such object.
    case notFound(Absence)
    /// The store has no entity of that name.
    case unknownEntity
}

/// What reads whole objects, for commands: it may block.
public protocol ObjectReading: AnyObject {
    /// Reads one object whole, by the name of its entity or of an ancestor.
    func object(entity name: String, primaryKey: Int64) throws(StoreError) -> ManagedObjectResult
}
