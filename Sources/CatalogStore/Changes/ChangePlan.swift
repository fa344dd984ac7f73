public import Items
internal import PersistentStore

/// Works out what a run of `.index` and `.deleteIdentifiers` operations does; pure, and the same for every database.
///
/// A writer first has the model `learn` the run's items; asks the plan what it `needs`; reads those rows and marks in
/// its transaction, locked against other writers; has every operation applied; and stores the `changes`. All other
/// operations stand between runs (`OperationRuns`).
public struct ChangePlan: ~Copyable {
    /// What must be read before operations are applied.
    public struct Needs: Sendable {
        /// Keys of rows.
        public var keys: Set<ObjectKey> = []
        /// Unique identifiers, of rows and of marks.
        public var identifiers: Set<String> = []
        /// Domains whose deletions count.
        public var domains: Set<String> = []
        /// Roots of which keys may be allotted: the next key of each.
        public var allottingRoots: Set<Int> = []
    }

    private let model: CatalogModel
    private let identifier: String
    private let now: Double
    private let reader = AttributeReader()
    private var marks = DomainMarks()
    private var originals: [ObjectKey: ObjectRow] = [:]
    private var rows: [ObjectKey: ObjectRow] = [:]
    /// The attributes of rows that were indexed, which need not be read again.
    private var fresh: [ObjectKey: [Item.Attribute]] = [:]
    private var keys: [String: ObjectKey] = [:]
    private var originalMarks: [String: Int64] = [:]
    private var identifierMarks: [String: Int64] = [:]
    private var nextKeys: [Int: Int64] = [:]
    private var changedRoots: Set<Int> = []

    /// Makes a plan; `identifier` is the catalog's store, `now` is in seconds since 2001-01-01T00:00:00Z.
    public init(model: CatalogModel, identifier: String, now: Double) {
        self.model = model
        self.identifier = identifier
        self.now = now
    }

    /// What must be read for these operations.
    public func needs(of operations: some Sequence<ItemOperation>) -> Needs {
        var needs = Needs()
        for operation in operations {
            switch operation {
            case .index(let item):
                if let uri = item.object, uri.store == identifier, let key = key(of: uri, item) {
                    needs.keys.insert(key)
                    if key.isAllotted { needs.allottingRoots.insert(key.root) }
                } else if let number = model.number(of: item.entity), let root = model.entity(number)?.root {
                    needs.allottingRoots.insert(root)
                }
                if let name = item.uniqueIdentifier { needs.identifiers.insert(name) }
                if let domain = item.domainIdentifier { needs.domains.formUnion(DomainMarks.lineage(of: domain)) }
            case .deleteIdentifiers(let names, _):
                for name in names {
                    needs.identifiers.insert(name)
                    if let key = key(named: name) { needs.keys.insert(key) }
                }
            case .declare, .adopt, .deleteDomains, .deleteAll: continue
            }
        }
        return needs
    }

    /// Takes what was read; rows that were asked for by key and by identifier may come twice.
    public mutating func supply(
        rows: [ObjectRow], identifierMarks: [String: Int64], marks: DomainMarks, nextKeys: [Int: Int64]
    ) {
        for row in rows {
            originals[row.key] = row
            self.rows[row.key] = row
            if let name = row.uniqueIdentifier { keys[name] = row.key }
        }
        originalMarks = identifierMarks
        self.identifierMarks = identifierMarks
        self.marks = marks
        self.nextKeys = nextKeys
    }
}

// MARK: - Applying

extension ChangePlan {
    /// Applies one operation of the run.
    public mutating func apply(_ operation: ItemOperation) -> ItemOutcome {
        switch operation {
        case .index(let item): index(item)
        case .deleteIdentifiers(let names, let version): delete(names, version)
        case .declare, .adopt, .deleteDomains, .deleteAll: preconditionFailure("this operation stands between runs")
        }
    }

    private mutating func index(_ item: Item) -> ItemOutcome {
        guard let entity = model.number(of: item.entity), let root = model.entity(entity)?.root else {
            return .refused("The catalog has as many entities as it can have, so that \(item.entity) is not added.")
        }
        var given: ObjectKey?
        if let uri = item.object {
            if let refusal = refusal(of: uri, item) { return .refused(refusal) }
            given = key(of: uri, item)
        }
        guard marks.admit(item.version, domain: item.domainIdentifier) else { return .superseded }
        let named = item.uniqueIdentifier.flatMap { keys[$0] }.flatMap { rows[$0] }
        let target = given.map { rows[$0] } ?? named
        if let target, !item.version.isNewer(than: target) { return .superseded }
        if let named, !item.version.isNewer(than: named) { return .superseded }
        if let name = item.uniqueIdentifier, let mark = identifierMarks[name], !item.version.outlives(mark) {
            return .superseded
        }
        guard let key = given ?? keep(target?.key, root: root) ?? allot(root) else {
            return .refused("The catalog has no more keys to allot for \(item.entity).")
        }
        if key.isAllotted, key.primaryKey >= nextKeys[root] ?? ObjectKey.firstAllottedKey {
            // As an export has it: the key is not to be allotted again.
            nextKeys[root] = key.primaryKey + 1
            changedRoots.insert(root)
        }
        // The identifier moves to this object, and what had it is no more.
        if let named, named.key != key { release(named, item.version) }
        store(item, entity: entity, key: key, replacing: rows[key])
        return .applied(1)
    }

    /// The key of the object that an item without a URI replaces, unless it is of another root.
    private func keep(_ key: ObjectKey?, root: Int) -> ObjectKey? { key?.root == root ? key : nil }

    private mutating func store(_ item: Item, entity: Int, key: ObjectKey, replacing former: ObjectRow?) {
        let attributes = model.readAttributes(of: item)
        var row = ObjectRow(
            key: key, entity: entity, uniqueIdentifier: item.uniqueIdentifier, domainIdentifier: item.domainIdentifier,
            version: item.version.number, expires: item.expirationDate, attributes: attributes.json)
        fresh[key] = attributes
        if let former {
            if item.uniqueIdentifier == nil {
                row.uniqueIdentifier = former.uniqueIdentifier
                row.domainIdentifier = item.domainIdentifier ?? former.domainIdentifier
            } else if let name = former.uniqueIdentifier, name != item.uniqueIdentifier {
                // The former identifier names nothing any more; a late item of it must not come back.
                keys[name] = nil
                identifierMarks[name] = max(identifierMarks[name] ?? .min, item.version.number)
            }
        }
        if let name = row.uniqueIdentifier {
            keys[name] = key
            identifierMarks[name] = nil
        }
        rows[key] = row
    }

    /// Leaves an object deleted and without its identifier.
    private mutating func release(_ row: ObjectRow, _ version: ItemVersion) {
        var mark = row.deleted(at: now, version: version.number)
        mark.uniqueIdentifier = nil
        rows[row.key] = mark
    }

    private mutating func delete(_ names: [String], _ version: ItemVersion) -> ItemOutcome {
        var (count, isNews) = (0, false)
        for name in names {
            guard let row = (keys[name] ?? key(named: name)).flatMap({ rows[$0] }) else {
                if identifierMarks[name].map({ version.number > $0 }) ?? true {
                    identifierMarks[name] = version.number
                    isNews = true
                }
                continue
            }
            guard version.replaces(row.version) else { continue }
            isNews = true
            if row.deleted == nil {
                rows[row.key] = row.deleted(at: now, version: version.number)
                count += 1
            } else {
                rows[row.key]?.version = version.number
            }
        }
        return isNews ? .applied(count) : .superseded
    }

    private mutating func allot(_ root: Int) -> ObjectKey? {
        let next = nextKeys[root] ?? ObjectKey.firstAllottedKey
        guard let key = ObjectKey(root: root, primaryKey: next) else { return nil }
        nextKeys[root] = next + 1
        changedRoots.insert(root)
        return key
    }

    private func refusal(of uri: ObjectURI, _ item: Item) -> String? {
        guard uri.store == identifier else {
            return
                "The item's object is of the store \(uri.store), and the catalog stands for the store \(identifier). "
                + "Index it into a catalog of its own store."
        }
        guard let named = model.number(of: uri.entity), let own = model.number(of: item.entity),
            model.lineage(of: own).contains(named)
        else {
            return
                "The item's entity \(item.entity) is not the entity \(uri.entity) of its object, nor known to descend "
                + "from it. Declare its parent under entities."
        }
        guard self.key(of: uri, item) != nil
        else {
            return "The primary key of the item's object is larger than \(ObjectKey.largestGivenKey), "
                + "the largest that a catalog can hold."
        }
        return nil
    }

    private func key(of uri: ObjectURI, _ item: Item) -> ObjectKey? {
        guard case .permanent(let primaryKey) = uri.key, let number = model.number(of: item.entity),
            let root = model.entity(number)?.root
        else { return nil }
        return ObjectKey(root: root, primaryKey: primaryKey)
    }

    /// The key that an identifier names where it is an object's URI.
    private func key(named name: String) -> ObjectKey? {
        guard name.hasPrefix(ObjectURI.scheme), let uri = ObjectURI(name), uri.store == identifier else { return nil }
        return model.key(of: uri)
    }
}

// MARK: - Result

extension ChangePlan {
    /// What has to be stored for all that was applied.
    public consuming func changes() -> ChangeSet {
        var changes = ChangeSet()
        for (key, row) in rows.sorted(by: { $0.key < $1.key }) {
            let original = originals[key]
            guard row != original else { continue }
            var withVersion = original
            withVersion?.version = row.version
            let isVersionOnly = withVersion == row
            changes.rows.append(.init(row: row, isNew: original == nil, isVersionOnly: isVersionOnly))
            if let name = original?.uniqueIdentifier, name != row.uniqueIdentifier { changes.released.append(key) }
            if !isVersionOnly { compare(original, row, into: &changes) }
        }
        for (name, version) in identifierMarks where originalMarks[name] != version {
            changes.identifierMarks[name] = version
        }
        changes.removedIdentifierMarks = originalMarks.keys.filter { identifierMarks[$0] == nil }
        for root in changedRoots { changes.nextKeys[root] = nextKeys[root] }
        return changes
    }

    private func compare(_ original: ObjectRow?, _ row: ObjectRow, into changes: inout ChangeSet) {
        let new = row.deleted == nil ? newMatchRows(of: row) : []
        guard let original, original.deleted == nil else { return changes.addedMatches.append(contentsOf: new) }
        let old = model.matchRows(of: original, reader.attributes(of: original))
        let (oldSet, newSet) = (Set(old), Set(new))
        // A row that is replaced under the same key need not be removed.
        let newKeys = Set(new.map { [Int64($0.attribute), $0.hash] })
        changes.removedMatches.append(
            contentsOf: old.filter { !newSet.contains($0) && !newKeys.contains([Int64($0.attribute), $0.hash]) })
        changes.addedMatches.append(contentsOf: new.filter { !oldSet.contains($0) })
    }

    private func newMatchRows(of row: ObjectRow) -> [MatchRow] {
        model.matchRows(of: row, fresh[row.key] ?? reader.attributes(of: row).all)
    }
}

extension ItemVersion {
    /// Whether an item of this version replaces what a row says.
    fileprivate func isNewer(than row: ObjectRow) -> Bool {
        row.deleted == nil ? replaces(row.version) : outlives(row.version)
    }
}
