/// What opens an object of an entity, or of a descendant that has no rule of its own.
struct EntityRule: Sendable {
    let entity: String
    let command: Command
    /// What the arguments need of the object: a path for each `$object` variable.
    let objectPaths: [[String]]
    /// The rule's place in the configuration, for example `entities.Movie`.
    let path: String
    let position: TextPosition
}

/// What a search result's identifier that is not an object URI leads to.
struct SearchResultRule: Sendable {
    let identifier: TextPattern
    let action: Action
    /// The rule's place in the configuration, for example `searchResults[0]`.
    let path: String
    let position: TextPosition
}

/// What a user activity leads to.
struct ActivityRule: Sendable {
    let activityType: String
    /// All must hold.
    let conditions: [Condition]
    let action: Action
    /// The rule's place in the configuration, for example `activities[2]`.
    let path: String
    let position: TextPosition
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
