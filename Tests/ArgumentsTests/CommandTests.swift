import Testing

@testable import Arguments

struct CommandTests {
    struct Unreadable: Error {}
    enum Color: String, CaseIterable { case red, green }

    static let command = Command(
        name: "paint", summary: "Paints.", operands: "FILE...",
        options: [
            Option("amqp-url", .many("URL"), default: "amqp://localhost", summary: "Where."),
            Option("prefetch", .one("N"), default: "500", summary: "How many."),
            Option("wait", .one("TIME"), default: "25s", summary: "How long."),
            Option("room", .one("SIZE"), default: "256KiB", summary: "How much."),
            Option("color", .one("COLOR"), default: "red", summary: "Which."),
            Option("config", .one("FILE"), summary: "The configuration."),
            Option("no-declare", summary: "Declares nothing."),
            Option("explain", hasVariable: false, summary: "Says why."),
        ])

    static func parse(_ arguments: [String], _ environment: [String: String] = [:]) throws -> ParsedArguments {
        try command.parse(arguments, environment: environment) { path in
            guard path == "/run/secrets/url" else { throw Unreadable() }
            return "amqp://secret\n"
        }
    }

    @Test func `a flag comes before its variable before its file before the default`() throws {
        let file = ["DEEPLINK_AMQP_URL_FILE": "/run/secrets/url"]
        let variable = file.merging(["DEEPLINK_AMQP_URL": "amqp://a amqp://b"]) { first, _ in first }
        #expect(try Self.parse([]).texts("amqp-url") == ["amqp://localhost"])
        #expect(try Self.parse([], file).texts("amqp-url") == ["amqp://secret"])
        #expect(try Self.parse([], variable).texts("amqp-url") == ["amqp://a", "amqp://b"])
        #expect(try Self.parse(["--amqp-url", "x", "--amqp-url=y"], variable).texts("amqp-url") == ["x", "y"])
    }

    @Test func `flags and operands may be mixed, and two dashes end the flags`() throws {
        let parsed = try Self.parse(["a", "--prefetch=7", "-", "--explain", "--", "--b"])
        #expect(parsed.operands == ["a", "-", "--b"])
        #expect(try parsed.count("prefetch", in: 1...10) == 7)
        #expect(parsed.flag("explain"))
        #expect(!parsed.flag("no-declare"))
    }

    @Test(arguments: [
        (["--prefetc", "1"], "Did you mean '--prefetch'?"), (["--zzz"], "Try 'paint --help'."),
        (["-x"], "has no flag '-x'"), (["--prefetch"], "needs a value"), (["--explain=1"], "takes no value"),
        (["--prefetch", "1", "--prefetch", "2"], "given twice"), (["--\u{1b}[31m"], "\\u{1B}"),
    ])
    func `a wrong flag is an error that says what to do`(arguments: [String], words: String) throws {
        let error = try #require(throws: UsageError.self) { try Self.parse(arguments) }
        #expect(error.description.contains(words), "\(error)")
        #expect(!error.isHelp)
    }

    @Test func `a file that a variable names and that cannot be read is an error that names both`() throws {
        let error = try #require(throws: UsageError.self) { try Self.parse([], ["DEEPLINK_CONFIG_FILE": "/nowhere"]) }
        #expect(error.description.contains("/nowhere") && error.description.contains("DEEPLINK_CONFIG_FILE"))
    }

    @Test(arguments: [("true", true), ("1", true), ("off", false), ("", false)])
    func `a variable of a flag without a value is true or false`(text: String, expected: Bool) throws {
        #expect(try Self.parse([], ["DEEPLINK_NO_DECLARE": text]).flag("no-declare") == expected)
        #expect(throws: UsageError.self) { try Self.parse([], ["DEEPLINK_NO_DECLARE": "maybe"]) }
    }

    @Test(arguments: [
        ("250ms", Duration.milliseconds(250)), ("10", .seconds(10)), ("1.5s", .milliseconds(1500)),
        ("5min", .seconds(300)), ("2h", .seconds(7200)), ("10 min", .seconds(600)),
    ])
    func `durations take units and a bare number is seconds`(text: String, duration: Duration) throws {
        #expect(try Self.parse(["--wait", text]).duration("wait") == duration)
    }

    @Test(arguments: [("4096", 4096), ("256KiB", 262_144), ("32MiB", 33_554_432), ("1 GiB", 1_073_741_824)])
    func `sizes take units and a bare number is bytes`(text: String, size: Int) throws {
        #expect(try Self.parse(["--room", text]).byteCount("room", in: 0 ... .max) == size)
    }

    @Test(arguments: ["", "x", "-1", "1d", "1e9h", "99999999999999999999GiB", "1kb", "٣"])
    func `values of no known form are errors that show one`(text: String) throws {
        let parsed = try Self.parse(["--wait", text, "--room", text, "--prefetch", text, "--color", text])
        #expect(throws: UsageError.self) { try parsed.duration("wait") }
        #expect(throws: UsageError.self) { try parsed.byteCount("room", in: 0 ... .max) }
        #expect(throws: UsageError.self) { try parsed.count("prefetch", in: 1...65_535) }
        let error = try #require(throws: UsageError.self) { try parsed.choice("color", Color.self) }
        #expect(error.description.contains("red, green"))
    }

    @Test func `a required flag that is missing names its variable`() throws {
        let error = try #require(throws: UsageError.self) { try Self.parse([]).required("config") }
        #expect(error.description.contains("--config FILE") && error.description.contains("DEEPLINK_CONFIG"))
    }

    @Test func `the manual shows every flag with its default and variable`() throws {
        let error = try #require(throws: UsageError.self) { try Self.parse(["--help"]) }
        #expect(error.isHelp)
        for option in Self.command.options {
            #expect(error.description.contains(option.usage))
            #expect(error.description.contains(option.variable) == option.hasVariable)
            if let value = option.defaultValue { #expect(error.description.contains(value)) }
        }
    }

    @Test func `a flag that the command does not declare is our own mistake`() async {
        await #expect(processExitsWith: .failure) { _ = try Self.parse([]).text("unknown") }
    }
}
