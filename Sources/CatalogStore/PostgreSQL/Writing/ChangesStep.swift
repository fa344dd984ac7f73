internal import Items
internal import PersistentStore
internal import PostgreSQL

/// A run of items and of deletions by identifier.
struct ChangesStep: WriteStep {
    private let operations: [ItemOperation]
    /// The operations that PostgreSQL cannot hold, with the reason.
    private var refused: [Int: String] = [:]

    init(_ operations: ArraySlice<ItemOperation>) {
        self.operations = Array(operations)
        for (index, operation) in self.operations.enumerated() {
            if let reason = TextLimit.refusal(of: operation) { refused[index] = reason }
        }
    }

    private var taken: [ItemOperation] {
        refused.isEmpty
            ? operations : operations.enumerated().filter { refused[$0.offset] == nil }.map(\.element)
    }

    mutating func begin(_ context: inout WriteContext) -> [Statement] {
        for case .index(let item) in taken { context.model.learn(item) }
        context.storeAdditions()
        let needs = plan(context).needs(of: taken)
        return [
            ObjectStatements.rows(keys: needs.keys, identifiers: needs.identifiers),
            MarkStatements.identifiers(needs.identifiers), MarkStatements.domains(needs.domains),
            MarkStatements.nextKeys(needs.allottingRoots),
        ]
    }

    private func plan(_ context: WriteContext) -> ChangePlan {
        ChangePlan(model: context.model, identifier: context.header.identifier, now: context.now)
    }

    mutating func take(_ results: ArraySlice<ServerResult>, _ context: inout WriteContext) -> WriteStepProgress {
        let results = Array(results)
        var plan = plan(context)
        let nextKeys = (0..<results[3].rowCount).map { (Int(results[3].integer($0, 0)), results[3].integer($0, 1)) }
        plan.supply(
            rows: ObjectRow.all(results[0]), identifierMarks: MarkStatements.versions(results[1]),
            marks: DomainMarks(all: context.header.deletedVersion, domains: MarkStatements.versions(results[2])),
            nextKeys: Dictionary(uniqueKeysWithValues: nextKeys))
        var outcomes: [ItemOutcome] = []
        outcomes.reserveCapacity(operations.count)
        for (index, operation) in operations.enumerated() {
            if let reason = refused[index] {
                outcomes.append(.refused(reason))
            } else {
                outcomes.append(plan.apply(operation))
            }
        }
        context.store(plan.changes())
        return .done(outcomes)
    }
}

extension WriteContext {
    /// Puts what a plan has made among the changes.
    fileprivate mutating func store(_ set: consuming ChangeSet) {
        change(ObjectStatements.release(set.released))
        change(MatchStatements.remove(set.removedMatches))
        var rows = set.rows.filter { !$0.isVersionOnly }
        var matches = MatchStatements.unique(set.addedMatches)
        if copies {
            let new = Set(rows.lazy.filter(\.isNew).map(\.row.key))
            change(ObjectStatements.copy(rows.lazy.filter(\.isNew).map(\.row)))
            change(MatchStatements.copy(matches.lazy.filter { new.contains($0.object) }))
            rows.removeAll(where: \.isNew)
            matches.removeAll { new.contains($0.object) }
        }
        change(MatchStatements.add(matches))
        change(ObjectStatements.store(rows.map(\.row)))
        change(ObjectStatements.storeVersions(set.rows.filter(\.isVersionOnly).map(\.row)))
        change(MarkStatements.store(set, at: now))
        for change in set.rows { touched.insert(change.row.key) }
        if !set.rows.isEmpty { hasNoObjects = false }
    }
}

/// What no text of PostgreSQL can hold: the character U+0000.
enum TextLimit {
    /// Why an operation can never be applied; nil where it can.
    static func refusal(of operation: ItemOperation) -> String? {
        switch operation {
        case .index(let item):
            let names = [item.uniqueIdentifier, item.domainIdentifier, item.entity, item.object?.store]
            // In values the character is escaped.
            return refusal(names.compactMap(\.self) + item.attributes.map(\.name))
        case .deleteIdentifiers(let names, _), .deleteDomains(let names, _): return refusal(names)
        case .declare(let declarations):
            return refusal(
                declarations.flatMap { declaration in
                    [declaration.name, declaration.parent ?? "", declaration.className ?? ""]
                        + declaration.attributes.keys + declaration.relationships.keys
                        + declaration.relationships.values
                })
        case .adopt(let store): return refusal([store])
        case .deleteAll: return nil
        }
    }

    private static func refusal(_ names: [String]) -> String? {
        guard names.contains(where: { $0.utf8.contains(0) }) else { return nil }
        return "A name or an identifier contains the character U+0000, which PostgreSQL cannot hold. Leave it out."
    }
}
