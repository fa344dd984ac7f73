// Rules and variables are objects that never change: they are handed on for every activity, which costs one reference
// count each, where a struct would cost one for each of its fields.

/// What opens an object of an entity, or of a descendant that has no rule of its own.
final class EntityRule: Sendable {
    let entity: String
    let command: Command
    /// What the arguments need of the object: a path for each `$object` variable.
    let objectPaths: [[String]]
    /// The rule's place in the configuration, for example `entities.Movie`.
    let path: String
    let position: TextPosition

    init(entity: String, command: Command, objectPaths: [[String]], path: String, position: TextPosition) {
        self.entity = entity
        self.command = command
        self.objectPaths = objectPaths
        self.path = path
        self.position = position
    }
}

/// What a search result's identifier that is not an object URI leads to.
final class SearchResultRule: Sendable {
    let identifier: TextPattern
    let action: Action
    /// The rule's place in the configuration, for example `searchResults[0]`.
    let path: String
    let position: TextPosition

    init(identifier: TextPattern, action: Action, path: String, position: TextPosition) {
        self.identifier = identifier
        self.action = action
        self.path = path
        self.position = position
    }
}

/// What a user activity leads to.
final class ActivityRule: Sendable {
    let activityType: String
    /// All must hold.
    let conditions: [Condition]
    let action: Action
    /// The rule's place in the configuration, for example `activities[2]`.
    let path: String
    let position: TextPosition

    init(activityType: String, conditions: [Condition], action: Action, path: String, position: TextPosition) {
        self.activityType = activityType
        self.conditions = conditions
        self.action = action
        self.path = path
        self.position = position
    }
}

/// A condition of an activity rule.
enum Condition: Sendable {
    case title(TextPattern)
    case userInfo(UserInfoKey, TextPattern)
    case persistentIdentifier(TextPattern)
    case targetContentIdentifier(TextPattern)
    /// One pattern for each step of the path.
    case contextIdentifierPath([TextPattern])
}
