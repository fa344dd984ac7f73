/// A flag of a command, and the environment variable that stands in for it.
public struct Option: Sendable {
    /// What follows the flag.
    public enum Value: Sendable {
        /// Nothing: the flag is there or not.
        case none
        /// One value, named by the placeholder in the manual.
        case one(String)
        /// Nothing, or one value behind an equals sign; the value is empty where there is none.
        case optional(String)
        /// One value each time, and the flag may be given several times.
        case many(String)

        /// What stands for the value in the manual.
        var placeholder: String? {
            switch self {
            case .none: nil
            case .one(let placeholder), .optional(let placeholder), .many(let placeholder): placeholder
            }
        }
    }

    /// The name without dashes, for example `amqp-url`.
    public let name: String
    /// What follows the flag.
    public let value: Value
    /// The value where neither the flag nor its variable is given; read like a given one.
    public let defaultValue: String?
    /// What it does, in a few words, for the manual.
    public let summary: String
    /// Whether a setting may come from the environment.
    public let hasVariable: Bool
    /// What shells offer for its value.
    public let completion: Completion

    /// Makes an option; where no completion is given, the placeholder `FILE` is completed to the names of files.
    public init(
        _ name: String, _ value: Value = .none, default defaultValue: String? = nil, hasVariable: Bool = true,
        completion: Completion? = nil, summary: String
    ) {
        self.name = name
        self.value = value
        self.defaultValue = defaultValue
        self.summary = summary
        self.hasVariable = hasVariable
        self.completion = completion ?? value.placeholder.map(Completion.init(placeholder:)) ?? .nothing
    }

    /// The environment variable: `DEEPLINK_AMQP_URL` for `amqp-url`; with `_FILE` behind it, a file that holds the value.
    public var variable: String {
        "DEEPLINK_" + name.uppercased().replacing("-", with: "_")
    }

    /// Whether the next argument is the value, where none stands behind an equals sign.
    var takesValue: Bool {
        switch value {
        case .none, .optional: false
        case .one, .many: true
        }
    }

    /// The flag and its placeholder as the manual shows them.
    public var usage: String {
        switch value {
        case .none: "--\(name)"
        case .optional(let placeholder): "--\(name)[=\(placeholder)]"
        case .one(let placeholder), .many(let placeholder): "--\(name) \(placeholder)"
        }
    }
}
