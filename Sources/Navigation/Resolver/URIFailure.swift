public import PersistentStore

/// Why an object URI leads to no object, in the words of commands.
public struct URIFailure: Sendable, Hashable {
    /// The reason.
    public let reason: NotHandledReason
    /// A sentence for people.
    public let message: String

    /// The failure of a text that is no object URI.
    public static let malformed = URIFailure(reason: .malformedIdentifier, message: Message.malformedURI)

    private init(reason: NotHandledReason, message: String) {
        self.reason = reason
        self.message = message
    }

    /// What a coordinator's answer to the URI means; nil for an object, and where the answer is not known yet.
    public init?(_ answer: StoreCoordinator.Answer, for uri: ObjectURI) {
        switch answer {
        case .temporary: self.init(reason: .temporaryIdentifier, message: Message.temporary)
        case .unknownStore: self.init(reason: .unknownStore, message: Message.unknownStore(uri))
        case .unknownEntity: self.init(reason: .unknownEntity, message: Message.unknownEntity(uri))
        case .notFound(let absence): self.init(reason: .objectNotFound, message: Message.notFound(absence, uri))
        case .found, .deferred, .unavailable: return nil
        }
    }
}
