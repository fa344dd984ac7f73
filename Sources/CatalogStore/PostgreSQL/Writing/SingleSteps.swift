internal import Items
internal import PersistentStore
internal import PostgreSQL

/// Makes the catalog stand for a store.
struct AdoptStep: WriteStep {
    let store: String

    mutating func begin(_ context: inout WriteContext) -> [Statement] { [] }

    mutating func take(_ results: ArraySlice<ServerResult>, _ context: inout WriteContext) -> WriteStepProgress {
        let former = context.header.identifier
        guard !context.adopt(store) else { return .done([.applied(0)]) }
        return .done([
            .refused(
                "The catalog stands for the store \(former) and has objects, so that it cannot take those of the store "
                    + "\(store). Import them into a catalog of their own.")
        ])
    }
}

/// An operation that this database can never take.
struct RefusedStep: WriteStep {
    let reason: String

    mutating func begin(_ context: inout WriteContext) -> [Statement] { [] }

    mutating func take(_ results: ArraySlice<ServerResult>, _ context: inout WriteContext) -> WriteStepProgress {
        .done([.refused(reason)])
    }
}

/// Learns declared entities.
struct DeclareStep: WriteStep {
    let declarations: [EntityDeclaration]
    /// The entities of which must be known whether they have objects.
    private var asked: [Int] = []

    init(_ declarations: [EntityDeclaration]) { self.declarations = declarations }

    mutating func begin(_ context: inout WriteContext) -> [Statement] {
        var asked: [Int] = []
        var model = context.model
        let known = model.entities.count
        // As if there were none: so it asks for all that may matter.
        _ = try? model.declare(declarations) { number throws(CatalogModel.DeclarationError) in
            if number <= known { asked.append(number) }
            return false
        }
        self.asked = asked
        return asked.isEmpty ? [] : [ObjectStatements.entitiesWithRows(asked, context.model)]
    }

    mutating func take(_ results: ArraySlice<ServerResult>, _ context: inout WriteContext) -> WriteStepProgress {
        var populated: Set<Int> = []
        if let result = results.first {
            for row in 0..<result.rowCount { populated.insert(Int(result.integer(row, 0))) }
        }
        var model = context.model
        do throws(CatalogModel.DeclarationError) {
            try model.declare(declarations) { number throws(CatalogModel.DeclarationError) in
                populated.contains(number)
            }
        } catch { return .done([.refused(error.description)]) }
        context.model = model
        context.storeAdditions()
        return .done([.applied(0)])
    }
}

/// Deletes the objects of domains, page by page.
struct DeleteDomainsStep: WriteStep {
    private let version: ItemVersion
    private var rest: ArraySlice<String>
    private var count = 0
    private var isNews = false
    /// Whether the page that comes is the first of its domain, with its mark before it.
    private var isFirst = true

    init(_ domains: [String], _ version: ItemVersion) {
        rest = domains[...]
        self.version = version
    }

    mutating func begin(_ context: inout WriteContext) -> [Statement] { questions(context) }

    private func questions(_ context: WriteContext) -> [Statement] {
        guard let domain = rest.first else { return [] }
        let page = ObjectStatements.page(of: domain, olderThan: version)
        return isFirst ? [MarkStatements.mark(domain: domain, version: version.number, at: context.now), page] : [page]
    }

    mutating func take(_ results: ArraySlice<ServerResult>, _ context: inout WriteContext) -> WriteStepProgress {
        guard let page = results.last, let mark = results.first else { return .done([outcome]) }
        if isFirst, mark.changedCount > 0 { isNews = true }
        let rows = ObjectRow.all(page)
        context.delete(rows, version: version.number)
        count += rows.count
        isFirst = rows.count < ObjectStatements.pageSize
        if isFirst { rest = rest.dropFirst() }
        return rest.isEmpty ? .done([outcome]) : .ask(questions(context))
    }

    private var outcome: ItemOutcome { isNews || count > 0 ? .applied(count) : .superseded }
}

/// Deletes everything: at once where nothing is newer, for the one mark keeps late items out; else page by page.
struct DeleteAllStep: WriteStep {
    private let version: ItemVersion
    private var count = 0
    private var isPaging = false

    init(_ version: ItemVersion) { self.version = version }

    mutating func begin(_ context: inout WriteContext) -> [Statement] {
        if let last = context.header.deletedVersion, !version.replaces(last) { return [] }
        context.header.deletedVersion = version.number
        context.change([
            Statement("UPDATE deeplink.catalog SET deleted_version = $1", [.integer(version.number)])
        ])
        return [ObjectStatements.count(newerThan: version)]
    }

    mutating func take(_ results: ArraySlice<ServerResult>, _ context: inout WriteContext) -> WriteStepProgress {
        guard let result = results.first else { return .done([.superseded]) }
        if isPaging {
            let rows = ObjectRow.all(result)
            context.delete(rows, version: version.number)
            count += rows.count
            if rows.count < ObjectStatements.pageSize { return .done([.applied(count)]) }
        } else if !result.boolean(0, 1) {
            context.change([Statement("TRUNCATE deeplink.object, deeplink.match")])
            context.change(MarkStatements.clear(upTo: version.number))
            context.hasNoObjects = true
            context.isCleared = true
            return .done([.applied(Int(result.integer(0, 0)))])
        }
        isPaging = true
        return .ask([ObjectStatements.page(olderThan: version)])
    }
}
