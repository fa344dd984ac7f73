internal import PersistentStore
internal import Spelling

/// The variables that are known in one place of the configuration.
struct VariableScope {
    /// The names that the rule's patterns capture; a capture hides an equal name.
    var captures: [String] = []
    /// Whether the place is an entity's rule, where the object is known.
    var hasObject = false
    /// The paths of `$object` so far; a variable refers to one by its index.
    private(set) var objectPaths: [[String]] = []

    private static let properties: [String: Variable.Source] = [
        "title": .title, "activityType": .activityType, "webpageURL": .webpageURL,
        "persistentIdentifier": .persistentIdentifier, "targetContentIdentifier": .targetContentIdentifier,
    ]

    init(captures: [String] = [], hasObject: Bool = false) {
        self.captures = captures
        self.hasObject = hasObject
    }

    /// Finds the variable; the error is a sentence about a name that is not known here.
    mutating func variable(_ name: String, at position: TextPosition) throws(UnknownVariable) -> Variable {
        Variable(name: name, source: try source(name), position: position)
    }

    private mutating func source(_ name: String) throws(UnknownVariable) -> Variable.Source {
        if let index = captures.firstIndex(where: { $0.utf8.elementsEqual(name.utf8) }) { return .capture(index) }
        if let property = Self.properties[name] { return property }
        let root = name.prefix { $0 != "." }
        let rest = String(name.dropFirst(root.count + 1))
        switch root {
        case "userInfo" where !rest.isEmpty: return .userInfo(UserInfoKey(rest))
        case "query" where !rest.isEmpty: return .query(rest)
        case "object" where hasObject && !rest.isEmpty: return .attribute(try objectPath(rest))
        case "object" where !hasObject: throw UnknownVariable(sentence: "$object is known only under entities.")
        case "userInfo", "query": throw UnknownVariable(sentence: "$\(root) needs a name: write $\(root).NAME.")
        case "object": throw UnknownVariable(sentence: "$object needs an attribute: write $object.ATTRIBUTE.")
        default: throw unknown(name)
        }
    }

    private mutating func objectPath(_ text: String) throws(UnknownVariable) -> Int {
        let path = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard path.allSatisfy({ !$0.isEmpty }) else {
            throw UnknownVariable(sentence: "$object.\(text) has an empty name between its dots.")
        }
        if let index = objectPaths.firstIndex(of: path) { return index }
        objectPaths.append(path)
        return objectPaths.count - 1
    }

    private func unknown(_ name: String) -> UnknownVariable {
        let known = captures + Self.properties.keys.sorted() + ["userInfo.\(name)"]
        let root = name.prefix { $0 != "." }
        var advice = "captured names, $title, $activityType, $webpageURL, $persistentIdentifier, "
        advice += "$targetContentIdentifier, $userInfo.KEY and $query.NAME are known"
        advice += hasObject ? ", and $object.ATTRIBUTE." : "."
        if let nearest = NearestWord.to(name, among: known) {
            advice = "did you mean $\(nearest)?"
        } else if root.count < name.count,
            let nearest = NearestWord.to(String(root), among: ["userInfo", "query", "object"])
        {
            advice = "did you mean $\(nearest)\(name.dropFirst(root.count))?"
        }
        return UnknownVariable(sentence: "There is no variable $\(name) here; \(advice)")
    }
}

/// A name that is no variable's in its place.
struct UnknownVariable: Error {
    let sentence: String
}
