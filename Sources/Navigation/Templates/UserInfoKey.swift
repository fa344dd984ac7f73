internal import Activities

/// A value of `userInfo` by a name: the key of exactly that name, else the name's dots go deeper.
struct UserInfoKey: Sendable, Hashable {
    let name: String
    /// The ways to go deeper: a key, and what is left of the name; the longest key first.
    private let steps: [Step]

    private struct Step: Sendable, Hashable {
        let key: String
        let rest: String
    }

    init(_ name: String) {
        self.name = name
        steps = Self.steps(name)
    }

    private static func steps(_ name: String) -> [Step] {
        let dots = name.utf8.indices.filter { name.utf8[$0] == UInt8(ascii: ".") }
        return dots.reversed().map { dot in
            Step(key: String(name[..<dot]), rest: String(name[name.utf8.index(after: dot)...]))
        }
    }

    /// The value, which may be null; nil where no way leads to one.
    ///
    /// Each object is looked into at most once, since only one way leads to it.
    func find(in object: JSONValue) -> JSONValue? {
        if let found = object[name] { return found }
        return Self.find(steps, in: object)
    }

    private static func find(_ steps: [Step], in object: JSONValue) -> JSONValue? {
        for step in steps {
            guard let inner = object[step.key], inner.kind == .object else { continue }
            if let found = inner[step.rest] ?? find(Self.steps(step.rest), in: inner) { return found }
        }
        return nil
    }
}
