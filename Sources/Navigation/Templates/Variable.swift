/// A variable of a rule, with where its value comes from; its name is not looked up again.
final class Variable: Sendable {
    enum Source: Sendable, Hashable {
        case title
        case activityType
        case webpageURL
        case persistentIdentifier
        case targetContentIdentifier
        case userInfo(UserInfoKey)
        /// An item of the web page's query, by its decoded name.
        case query(String)
        /// What the rule captured, by the capture's index.
        case capture(Int)
        /// A value of the object, by the index of its path in the entity rule's plan.
        case attribute(Int)
    }

    /// The name, without dollar sign.
    let name: String
    let source: Source
    /// Where it stands in the configuration.
    let position: TextPosition

    init(name: String, source: Source, position: TextPosition) {
        self.name = name
        self.source = source
        self.position = position
    }
}
