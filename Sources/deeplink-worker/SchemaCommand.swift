import Arguments

/// `schema`: the JSON Schemas of the configuration and of the messages.
enum SchemaCommand {
    static let command = Command(
        name: "schema", summary: "Prints a JSON Schema, for editors and other tools.", operands: "NAME", options: [],
        discussion: """
            NAME is one of: \(schemas.map(\.name).joined(separator: ", ")). An editor completes and checks a configuration
            that begins with '# yaml-language-server: $schema=FILE', where FILE is what 'schema configuration' printed.
            """)

    /// The files of Documentation/schemas, as they were when the program was built.
    private static let schemas: [(name: String, bytes: [UInt8])] = [
        ("activity", PackageResources.activity_schema_json),
        ("command", PackageResources.command_schema_json),
        ("configuration", PackageResources.configuration_schema_json),
        ("dead-letter", PackageResources.dead_letter_schema_json),
        ("item", PackageResources.item_schema_json),
    ]

    static func run(_ arguments: ParsedArguments) throws -> ExitStatus {
        guard arguments.operands.count == 1, let schema = schemas.first(where: { $0.name == arguments.operands[0] })
        else { throw UsageError("'schema' takes one of: \(schemas.map(\.name).joined(separator: ", ")).") }
        var output = Output()
        // Its last byte ends the last line.
        try output.line(String(decoding: schema.bytes.dropLast(), as: UTF8.self))
        try output.flush()
        return .ok
    }
}
