/// Why an activity is not handled, as commands say it.
public enum NotHandledReason: String, Sendable, Hashable, CaseIterable {
    /// A search result without an identifier.
    case missingIdentifier
    /// An identifier that is neither an object URI nor taken by a rule.
    case malformedIdentifier
    /// The URI of an object that was never saved.
    case temporaryIdentifier
    /// No open store has the URI's identifier.
    case unknownStore
    /// The store has no such entity.
    case unknownEntity
    /// There is no such object (any more).
    case objectNotFound
    /// No rule for the object's entity or its ancestors.
    case entityNotRouted
    /// No rule for the activity.
    case activityNotRouted
    /// The domain or its association file does not claim the link.
    case linkNotClaimed
    /// A claimed link without a route.
    case linkNotRouted
    /// A template or predicate needs a value that is absent or null.
    case missingValue
    /// Several apps are configured and none was chosen.
    case unknownApp
    /// The message is not an activity; only in answers to rejected messages.
    case malformedMessage
}
