internal import Activities
internal import PersistentStore

/// Reads values with variables, as `arguments` has them.
struct TemplateReader {
    /// The variables that are known, and the object's paths that the templates need.
    var scope: VariableScope
    let diagnostics: Diagnostics

    /// The value of `arguments`; nil, with an error, where it is not a mapping.
    mutating func arguments(_ node: YAMLNode) -> Template? {
        guard case .mapping = node.content else {
            diagnostics.report(
                at: node.position, "The value of arguments must be a mapping of names to values; it is \(node.phrase).")
            return nil
        }
        var builder = TemplateBuilder()
        return write(node, to: &builder) ? builder.finish() : nil
    }

    /// Writes any value; false, with an error, where a part of it is wrong.
    private mutating func write(_ node: YAMLNode, to builder: inout TemplateBuilder) -> Bool {
        switch node.content {
        case .null: builder.writer.null()
        case .boolean(let flag): builder.writer.boolean(flag)
        case .integer(let number): builder.writer.integer(number)
        case .unsigned(let number): builder.writer.integer(number)
        case .oversized:
            diagnostics.report(
                at: node.position,
                "The whole number is beyond 64 bits and would lose digits; put it in quotes as text, or write it with a "
                    + "point or an exponent.")
            return false
        case .number(let number):
            guard number.isFinite else {
                diagnostics.report(at: node.position, "JSON has no infinite numbers and no NaN; write another value.")
                return false
            }
            builder.writer.number(number)
        case .string: return writeString(node, to: &builder)
        case .sequence(let nodes): return writeArray(nodes, to: &builder)
        case .mapping(let members): return writeObject(members, to: &builder)
        }
        return true
    }

    private mutating func writeArray(_ nodes: [YAMLNode], to builder: inout TemplateBuilder) -> Bool {
        var isComplete = true
        builder.writer.beginArray()
        for node in nodes where !write(node, to: &builder) { isComplete = false }
        builder.writer.endArray()
        return isComplete
    }

    /// The members go out in the order of their keys' bytes.
    private mutating func writeObject(_ members: [YAMLMember], to builder: inout TemplateBuilder) -> Bool {
        var isComplete = true
        builder.writer.beginObject()
        for member in members.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            builder.writer.key(member.key)
            if !write(member.value, to: &builder) { isComplete = false }
        }
        builder.writer.endObject()
        return isComplete
    }

    /// A string: constant, exactly one variable, or text around variables.
    private mutating func writeString(_ node: YAMLNode, to builder: inout TemplateBuilder) -> Bool {
        guard let parts = text(node, "The value") else { return false }
        switch (parts.first, parts.count) {
        case (nil, _): builder.writer.string("")
        case (.literal(let literal), 1): builder.writer.string(literal)
        case (.variable(let variable), 1): builder.insert(.value(variable))
        default: builder.insert(.text(parts))
        }
        return true
    }

    /// A text of literal text and variables; nil, with an error, where it is none.
    mutating func text(_ node: YAMLNode, _ what: String) -> [Template.TextPart]? {
        guard let text = node.text(what, diagnostics) else { return nil }
        do throws(FormatError) {
            return parts(try TemplateText(text).parts, of: node)
        } catch {
            diagnostics.report(at: node.position(at: error.offset), error.description)
            return nil
        }
    }

    private mutating func parts(_ parts: [TemplateText.Part], of node: YAMLNode) -> [Template.TextPart]? {
        var read: [Template.TextPart] = []
        for part in parts {
            switch part {
            case .literal(let literal): read.append(.literal(literal))
            case .variable(let name, let offset):
                guard let variable = variable(name, at: node.position(at: offset)) else { return nil }
                read.append(.variable(variable))
            }
        }
        return read
    }

    /// The variable of that name; nil, with an error, where it is not known here.
    mutating func variable(_ name: String, at position: TextPosition) -> Variable? {
        do throws(UnknownVariable) {
            return try scope.variable(name, at: position)
        } catch {
            diagnostics.report(at: position, error.sentence)
            return nil
        }
    }
}
