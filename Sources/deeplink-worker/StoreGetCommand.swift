import Activities
import Arguments
import CoreDataStore
import Foundation
import Navigation
import PersistentStore
import Spelling

/// `store get`: prints objects by their URIs.
enum StoreGetCommand {
    static let command = Command(
        name: "store get", summary: "Prints objects of a store, by their URIs, as JSON.",
        operands: "URI ... | -",
        options: StoreURL.options + [
            Option(
                "to-many", .many("NAME"), hasVariable: false,
                summary: "Adds the targets of a to-many relationship, as URIs, under the key 'toMany'."),
            Option(
                "offset", .one("COUNT"), default: "0", hasVariable: false, summary: "How many targets to leave out."),
            Option("limit", .one("COUNT"), default: "100", hasVariable: false, summary: "How many targets to print."),
        ],
        discussion: """
            Prints a line for each URI, in order: the object with every attribute and every to-one relationship, or why
            there is none. For '-', URIs are read from standard input, one a line. The exit status is 65 when one was
            not found.
            """)

    static func run(_ arguments: ParsedArguments) throws -> ExitStatus {
        guard !arguments.operands.isEmpty else {
            throw UsageError("'store get' needs at least one URI, or '-' to read them from standard input.")
        }
        var printer = try ObjectPrinter(arguments)
        for operand in arguments.operands {
            guard operand == "-" else {
                try printer.show(operand)
                continue
            }
            var input = InputLines(paths: ["-"])
            var line: [UInt8] = []
            while try input.next(into: &line) {
                try printer.show(String(decoding: line, as: UTF8.self))
                if !input.hasLineAtHand { try printer.flush() }
            }
        }
        try printer.flush()
        return printer.foundAll ? .ok : .data
    }
}

/// Prints objects of one store, a line each.
private struct ObjectPrinter {
    /// A page of the targets of to-many relationships.
    private let toMany: (names: [String], offset: Int, limit: Int)
    private let store: CoreDataStore
    private let coordinator: StoreCoordinator
    private var output = Output()
    /// Whether every URI led to an object.
    private(set) var foundAll = true

    init(_ arguments: ParsedArguments) throws {
        store = try StoreURL.open(arguments)
        coordinator = try StoreCoordinator(stores: [store])
        toMany = (
            arguments.texts("to-many"), try arguments.count("offset", in: 0...Int(Int32.max)),
            try arguments.count("limit", in: 1...100_000)
        )
        let known = store.model.entities.flatMap(\.relationships).filter(\.isToMany).map(\.name)
        for name in toMany.names where !known.contains(name) {
            let hint = NearestWord.to(name, among: known).map { " Did you mean '\($0)'?" } ?? ""
            throw UsageError("The store has no to-many relationship '\(name.escapedForTerminal)'.\(hint)")
        }
    }

    mutating func flush() throws(CommandFailure) { try output.flush() }

    /// Prints one line: the object, or why there is none.
    mutating func show(_ text: String) throws {
        var writer = JSONWriter(capacity: 1024)
        if let failure = try write(text, to: &writer) {
            foundAll = false
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
    }

    /// Writes the object of a URI; or says why there is none.
    private func write(_ text: String, to writer: inout JSONWriter) throws -> URIFailure? {
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
                try write(object, found, to: &writer)
                return nil
            default: return URIFailure(answer, for: uri)
            }
        }
    }

    private func write(_ object: ManagedObject, _ found: FetchedObject, to writer: inout JSONWriter) throws {
        writer.beginObject()
        writer.key("attributes" as StaticString)
        writer.beginObject()
        for (name, value) in Self.sorted(object.attributes) {
            writer.key(name)
            if !value.write(to: &writer) { writer.null() }
        }
        writer.endObject()
        writer.key("entity" as StaticString)
        writer.string(object.uri.entity)
        try writeMissingFiles(object, to: &writer)
        writer.key("object" as StaticString)
        writer.string(object.uri.description)
        writer.key("relationships" as StaticString)
        writer.beginObject()
        for (name, target) in Self.sorted(object.relationships) {
            writer.key(name)
            if let target { writer.string(target.description) } else { writer.null() }
        }
        writer.endObject()
        if !toMany.names.isEmpty { try writeToMany(found, to: &writer) }
        writer.endObject()
    }

    /// Writes which attributes are null only because the file that holds their data is not there.
    private func writeMissingFiles(_ object: ManagedObject, to writer: inout JSONWriter) throws {
        let missing = object.attributes.compactMapValues { value in
            if case .externalDataMissing(let file) = value { file } else { nil }
        }
        guard !missing.isEmpty else { return }
        writer.key("missingFiles" as StaticString)
        writer.beginObject()
        for (name, file) in Self.sorted(missing) {
            writer.key(name)
            writer.string(file)
        }
        writer.endObject()
    }

    private func writeToMany(_ found: FetchedObject, to writer: inout JSONWriter) throws {
        writer.key("toMany" as StaticString)
        writer.beginObject()
        for name in Set(toMany.names).sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            writer.key(name)
            writer.beginArray()
            let targets = try store.targets(
                of: name, entity: found.entity, primaryKey: found.primaryKey, offset: toMany.offset,
                limit: toMany.limit)
            for target in targets { writer.string(target.description) }
            writer.endArray()
        }
        writer.endObject()
    }

    private static func sorted<Value>(_ members: [String: Value]) -> [(key: String, value: Value)] {
        members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }
}
