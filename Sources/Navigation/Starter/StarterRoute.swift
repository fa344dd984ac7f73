internal import PersistentStore

/// A route that is made of a path pattern.
struct StarterRoute: Comparable {
    let path: String
    /// Whether the path captures something, as `name`, or as `path`.
    private let capture: String?

    /// A route to show the form.
    static let example = StarterRoute(path: "/item/:name", capture: "name")

    private init(path: String, capture: String?) {
        self.path = path
        self.capture = capture
    }

    /// The route for a pattern: `/movie/*` becomes `/movie/:name`; nil for one that is no plain path with such an end.
    init?(_ pattern: String) {
        if pattern == "*" || pattern == "/*" {
            self.init(path: "/:path+", capture: "path")
            return
        }
        let isOpen = pattern.hasSuffix("/*")
        let steps = isOpen ? String(pattern.dropLast(2)) : pattern
        let isPlain = steps.utf8.allSatisfy { byte in
            (0x41...0x5A).contains(byte & 0xDF) || (0x30...0x39).contains(byte) || "/-_.".utf8.contains(byte)
        }
        guard steps.hasPrefix("/"), steps.utf8.count > 1, isPlain, !steps.contains("/.") else { return nil }
        self.init(path: isOpen ? steps + "/:name" : steps, capture: isOpen ? "name" : nil)
    }

    /// Special routes come before those that take more.
    static func < (left: StarterRoute, right: StarterRoute) -> Bool {
        left.rank != right.rank ? left.rank < right.rank : left.path.utf8.count > right.path.utf8.count
    }

    private var rank: Int {
        switch capture {
        case nil: 0
        case "name": 1
        default: 2
        }
    }

    /// The rule: to the entity that a step of its path names, else to a command.
    func lines(_ entities: [StarterEntity]) -> [String] {
        let steps = path.lowercased().split(separator: "/")
        let entity = entities.first { entity in
            entity.title?.standsInPredicates == true
                && steps.contains { $0 == entity.name.lowercased() || $0 == entity.name.lowercased() + "s" }
        }
        let first = "- path: \(YAMLText.scalar(path))"
        guard capture == "name", let entity, let title = entity.title else {
            let value = capture.map { "\($0): $\($0)" } ?? "path: \(YAMLText.scalar(path))"
            return [first, "  command: openPage", "  arguments: {\(value)}"]
        }
        let predicate = YAMLText.scalar("\(title.name) ==[cd] $name")
        return [first, "  open: {entity: \(YAMLText.scalar(entity.name)), predicate: \(predicate)}"]
    }
}
