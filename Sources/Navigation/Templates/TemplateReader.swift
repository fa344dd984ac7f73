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
        return template(node)
    }

    /// Any value; nil, with an error, where a part of it is wrong.
    private mutating func template(_ node: YAMLNode) -> Template? {
        switch node.content {
        case .null: return constant { $0.null() }
        case .boolean(let flag): return constant { $0.boolean(flag) }
        case .integer(let number): return constant { $0.integer(number) }
        case .number(let number):
            guard number.isFinite else {
                diagnostics.report(at: node.position, "JSON has no infinite numbers and no NaN; write another value.")
                return nil
            }
            return constant { $0.number(number) }
        case .string: return string(node)
        case .sequence(let nodes): return array(nodes)
        case .mapping(let members): return object(members)
        }
    }

    private func constant(_ write: (inout JSONWriter) -> Void) -> Template {
        var writer = JSONWriter()
        write(&writer)
        return .constant(writer.bytes)
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

    /// A string: constant, exactly one variable, or text around variables.
    private mutating func string(_ node: YAMLNode) -> Template? {
        guard let parts = text(node, "The value") else { return nil }
        guard let first = parts.first else { return constant { $0.string("") } }
        guard parts.count == 1 else { return .text(parts) }
        switch first {
        case .variable(let variable): return .value(variable)
        case .literal(let literal): return constant { $0.string(literal) }
        }
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

    private mutating func array(_ nodes: [YAMLNode]) -> Template? {
        var elements: [Template] = []
        var isComplete = true
        for node in nodes {
            if let element = template(node) { elements.append(element) } else { isComplete = false }
        }
        guard isComplete else { return nil }
        return Self.folded(.array(elements), isConstant: elements.allSatisfy(\.isConstant))
    }

    private mutating func object(_ members: [YAMLMember]) -> Template? {
        var read: [(key: String, value: Template)] = []
        var isComplete = true
        for member in members {
            if let value = template(member.value) {
                read.append((member.key, value))
            } else {
                isComplete = false
            }
        }
        guard isComplete else { return nil }
        read.sort { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        return Self.folded(.object(read), isConstant: read.allSatisfy(\.value.isConstant))
    }

    /// A container without variables becomes the JSON that it always is.
    private static func folded(_ template: Template, isConstant: Bool) -> Template {
        guard isConstant else { return template }
        var writer = JSONWriter()
        template.writeConstants(to: &writer)
        return .constant(writer.bytes)
    }
}

extension Template {
    fileprivate var isConstant: Bool {
        if case .constant = self { true } else { false }
    }

    fileprivate func writeConstants(to writer: inout JSONWriter) {
        switch self {
        case .constant(let json): writer.raw(json)
        case .value, .text: break
        case .array(let elements):
            writer.beginArray()
            for element in elements { element.writeConstants(to: &writer) }
            writer.endArray()
        case .object(let members):
            writer.beginObject()
            for (key, value) in members {
                writer.key(key)
                value.writeConstants(to: &writer)
            }
            writer.endObject()
        }
    }
}
