internal import PersistentStore

/// Reads the rules: what they ask of an activity, and what they do with it.
struct RuleReader {
    let diagnostics: Diagnostics

    static let actionKeys = ["command", "arguments", "open"]

    // MARK: Entities

    func entityRules(_ section: YAMLNode) -> [EntityRule] {
        section.members("The section entities", diagnostics).compactMap(entityRule)
    }

    private func entityRule(_ member: YAMLMember) -> EntityRule? {
        let what = "The rule of an entity"
        guard let reader = MappingReader(member.value, what, keys: Self.actionKeys, diagnostics) else { return nil }
        guard !member.key.isEmpty, !member.key.contains("/") else {
            diagnostics.report(at: member.position, "An entity's name is not empty and holds no /.")
            return nil
        }
        if let open = reader.member("open") {
            diagnostics.report(
                at: open.position, "An entity's rule names a command; open stands in the other rules and leads here.")
            return nil
        }
        var templates = TemplateReader(scope: VariableScope(hasObject: true), diagnostics: diagnostics)
        guard let command = command(reader, at: member.position, &templates) else { return nil }
        return EntityRule(
            entity: member.key, command: command, objectPaths: templates.scope.objectPaths,
            path: "entities.\(member.key)", position: member.position)
    }

    // MARK: Search results

    func searchResultRules(_ section: YAMLNode) -> [SearchResultRule] {
        let nodes = section.elements("The section searchResults", diagnostics)
        return nodes.enumerated().compactMap { searchResultRule($1, index: $0) }
    }

    private func searchResultRule(_ node: YAMLNode, index: Int) -> SearchResultRule? {
        let keys = ["identifier"] + Self.actionKeys
        guard let reader = MappingReader(node, "A search result rule", keys: keys, diagnostics) else { return nil }
        var patterns = PatternReader(diagnostics)
        let pattern = reader["identifier"].flatMap { patterns.pattern($0, "The value of identifier") }
        let action = action(reader, captures: patterns.captures)
        guard reader["identifier"] != nil else {
            reader.reportMissing(
                at: node.position, "The key identifier is missing; it says which identifiers the rule takes.")
            return nil
        }
        guard let pattern, let action else { return nil }
        return SearchResultRule(
            identifier: pattern, action: action, path: "searchResults[\(index)]", position: node.position)
    }

    // MARK: Activities

    func activityRules(_ section: YAMLNode) -> [ActivityRule] {
        let nodes = section.elements("The section activities", diagnostics)
        return nodes.enumerated().compactMap { activityRule($1, index: $0) }
    }

    private func activityRule(_ node: YAMLNode, index: Int) -> ActivityRule? {
        let keys = ["activityType"] + ConditionReader.keys + Self.actionKeys
        guard let reader = MappingReader(node, "An activity rule", keys: keys, diagnostics) else { return nil }
        let type = reader["activityType"].flatMap { $0.name("The value of activityType", diagnostics) }
        var conditions = ConditionReader(diagnostics)
        let read = conditions.conditions(reader)
        let action = action(reader, captures: conditions.captures)
        guard reader["activityType"] != nil else {
            reader.reportMissing(at: node.position, "The key activityType is missing; every activity rule has one.")
            return nil
        }
        guard let type, let read, let action else { return nil }
        return ActivityRule(
            activityType: type, conditions: read, action: action, path: "activities[\(index)]", position: node.position)
    }

    // MARK: Actions

    /// What a rule does: it names a command or says what to open, one of the two.
    func action(_ reader: MappingReader, captures: [String]) -> Action? {
        var templates = TemplateReader(scope: VariableScope(captures: captures), diagnostics: diagnostics)
        guard let open = reader.member("open") else {
            return command(reader, at: reader.position, &templates).map { .command($0) }
        }
        for key in ["command", "arguments"] {
            guard let member = reader.member(key) else { continue }
            diagnostics.report(
                at: member.position,
                "A rule either names a command or says open; with open, \(key) is that of the object's entity.")
            return nil
        }
        var selectors = SelectorReader(templates: templates)
        return selectors.selector(open.value).map { .open($0) }
    }

    private func command(
        _ reader: MappingReader, at position: TextPosition, _ templates: inout TemplateReader
    ) -> Command? {
        let name = reader["command"].flatMap { $0.name("The value of command", diagnostics) }
        let arguments = reader["arguments"].map { templates.arguments($0) } ?? .emptyObject
        guard reader["command"] != nil else {
            let form = templates.scope.hasObject ? "name a command." : "name a command, or say what to open."
            reader.reportMissing(at: position, "The rule does nothing; \(form)")
            return nil
        }
        guard let name, let arguments else { return nil }
        return Command(name: name, arguments: arguments)
    }
}
