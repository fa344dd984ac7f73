import Activities
import Arguments
import CoreDataStore
import Foundation
import Navigation
import PersistentStore

/// `store get`: prints objects by their URIs.
enum StoreGetCommand {
    static let command = Command(
        name: "store get", summary: "Prints objects of a store, by their URIs, as JSON.",
        operands: "URI ... | -", options: StoreURL.options,
        discussion: """
            Prints a line for each URI, in order: the object with every attribute and every to-one relationship, or why
            there is none. For '-', URIs are read from standard input, one a line. The exit status is 65 when one was
            not found.
            """)

    static func run(_ arguments: ParsedArguments) throws -> ExitStatus {
        guard !arguments.operands.isEmpty else {
            throw UsageError("'store get' needs at least one URI, or '-' to read them from standard input.")
        }
        let store = try StoreURL.open(arguments)
        let coordinator = try StoreCoordinator(stores: [store])
        var output = Output()
        var foundAll = true
        for operand in arguments.operands {
            guard operand == "-" else {
                foundAll = try show(operand, store, coordinator, &output) && foundAll
                continue
            }
            var input = InputLines(paths: ["-"])
            var line: [UInt8] = []
            while try input.next(into: &line) {
                foundAll = try show(String(decoding: line, as: UTF8.self), store, coordinator, &output) && foundAll
            }
        }
        try output.flush()
        return foundAll ? .ok : .data
    }

    /// Prints one line; false when there is no object.
    private static func show(
        _ text: String, _ store: CoreDataStore, _ coordinator: StoreCoordinator, _ output: inout Output
    ) throws -> Bool {
        var writer = JSONWriter()
        let failure = try object(text, store, coordinator) { object in write(object, to: &writer) }
        if let failure {
            writer.beginObject()
            writer.key("message" as StaticString)
            writer.string(failure.message)
            writer.key("reason" as StaticString)
            writer.string(failure.reason.rawValue)
            writer.key("uri" as StaticString)
            writer.string(text)
            writer.endObject()
        }
        try output.line(writer.bytes)
        return failure == nil
    }

    /// Finds the object of a URI and hands it on; or says why there is none.
    private static func object(
        _ text: String, _ store: CoreDataStore, _ coordinator: StoreCoordinator, _ use: (ManagedObject) -> Void
    ) throws -> URIFailure? {
        guard let uri = ObjectURI(text) else { return .malformed }
        while true {
            guard case .finished(let answers) = coordinator.begin([.object(uri)]), let answer = answers.first else {
                throw CommandFailure(.software, "the store did not answer")
            }
            switch answer {
            case .unavailable(let error): throw error
            case .deferred: Thread.sleep(forTimeInterval: 0.005)
            case .found(let found):
                guard case .found(let object) = try store.object(entity: found.entity, primaryKey: found.primaryKey)
                else { return URIFailure(.notFound(.noRow), for: uri) }
                use(object)
                return nil
            default: return URIFailure(answer, for: uri)
            }
        }
    }

    private static func write(_ object: ManagedObject, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("attributes" as StaticString)
        writer.beginObject()
        for (name, value) in sorted(object.attributes) {
            writer.key(name)
            if !value.write(to: &writer) { writer.null() }
        }
        writer.endObject()
        writer.key("entity" as StaticString)
        writer.string(object.uri.entity)
        writer.key("object" as StaticString)
        writer.string(object.uri.description)
        writer.key("relationships" as StaticString)
        writer.beginObject()
        for (name, target) in sorted(object.relationships) {
            writer.key(name)
            if let target { writer.string(target.description) } else { writer.null() }
        }
        writer.endObject()
        writer.endObject()
    }

    private static func sorted<Value>(_ members: [String: Value]) -> [(key: String, value: Value)] {
        members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }
}
