import Arguments
enum RunCommand { static let command = Command(name:"run", summary:"", options:[]); static func run(_ a: ParsedArguments) throws -> ExitStatus { .ok } }
enum SendCommand { static let command = Command(name:"send", summary:"", options:[]); static func run(_ a: ParsedArguments) throws -> ExitStatus { .ok } }
enum Versions { static func text() throws -> String { "" } }
