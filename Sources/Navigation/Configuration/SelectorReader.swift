internal import PersistentStore

/// Reads what a rule's `open` says: how the object is found.
struct SelectorReader {
    var templates: TemplateReader
    private var diagnostics: Diagnostics { templates.diagnostics }

    init(templates: TemplateReader) {
        self.templates = templates
    }

    mutating func selector(_ node: YAMLNode) -> ObjectSelector? {
        let keys = ["entity", "predicate", "object"]
        guard let reader = MappingReader(node, "The value of open", keys: keys, diagnostics) else { return nil }
        if let object = reader["object"] {
            for key in ["entity", "predicate"] {
                guard let member = reader.member(key) else { continue }
                diagnostics.report(
                    at: member.position, "open takes either entity and predicate, or object; remove \(key) or object.")
                return nil
            }
            return templates.text(object, "The value of object").map { .object($0) }
        }
        return predicate(reader).map { .matching($0) }
    }

    private mutating func predicate(_ reader: MappingReader) -> PredicateTemplate? {
        guard let entityNode = reader["entity"], let predicateNode = reader["predicate"] else {
            let missing = ["entity", "predicate"].filter { reader[$0] == nil }.joined(separator: " and ")
            reader.reportMissing(
                at: reader.position, "open lacks \(missing); it takes entity and predicate, or object (a URI).")
            return nil
        }
        let entity = entityNode.name("The value of entity", diagnostics)
        guard let text = predicateNode.name("The value of predicate", diagnostics) else { return nil }
        do throws(FormatError) {
            let format = try PredicateFormat(text)
            guard let operands = operands(format, of: predicateNode), let entity else { return nil }
            return PredicateTemplate(
                predicate: format.predicate(entity: entity), operands: operands, text: text,
                entityPosition: entityNode.position,
                attributePositions: format.comparisons.map { predicateNode.position(at: $0.attributeOffset) },
                operandPositions: format.comparisons.map { predicateNode.position(at: $0.operandOffset) })
        } catch {
            diagnostics.report(at: predicateNode.position(at: error.offset), error.description)
            return nil
        }
    }

    private mutating func operands(_ format: PredicateFormat, of node: YAMLNode) -> [PredicateTemplate.Operand]? {
        var operands: [PredicateTemplate.Operand] = []
        for comparison in format.comparisons {
            switch comparison.operand {
            case .literal(let value): operands.append(.literal(value))
            case .variable(let name):
                let position = node.position(at: comparison.operandOffset)
                guard let variable = templates.variable(name, at: position) else { return nil }
                operands.append(.variable(variable))
            }
        }
        return operands
    }
}
