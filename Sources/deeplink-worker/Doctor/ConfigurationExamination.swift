import Arguments
import CoreDataStore
import Navigation
import PersistentStore

/// Looks at the configuration and at the stores that it names.
struct ConfigurationExamination {
    private(set) var findings: [Finding] = []
    /// Whether `run` would take items, which need a queue of their own.
    private(set) var takesItems = false

    init(_ arguments: ParsedArguments) {
        guard let path = arguments.text("config"), !path.isEmpty else {
            findings.append(.ok("configuration", "none is given (--config), so no store is looked at"))
            return
        }
        do throws(CommandFailure) {
            let file = try ConfigurationFile(path)
            takesItems = file.hasCatalog
            let stores = try AppStores(file.configurations)
            judge(stores.problems(), path)
            for store in stores.makeStores() { examine(store) }
        } catch {
            findings.append(Finding("configuration", error))
        }
    }

    /// What `check` finds; a note is no finding.
    private mutating func judge(_ problems: [ConfigurationProblem], _ path: String) {
        for problem in problems {
            switch problem.severity {
            case .error:
                findings.append(.error("configuration", problem.description, "deeplink-worker check --config \(path)"))
            case .warning:
                findings.append(
                    .warning("configuration", problem.description, "deeplink-worker check --config \(path)"))
            case .note: break
            }
        }
        if !problems.contains(where: { $0.severity > .note }) {
            findings.append(.ok("configuration", "\(path): no errors"))
        }
    }

    private mutating func examine(_ store: any PersistentStore) {
        let entities = "\(store.model.entities.count) entities"
        guard let file = store as? CoreDataStore else {
            findings.append(.ok("store", "\(store.location): \(entities)"))
            return
        }
        do throws(StoreError) {
            let description = try file.describe()
            let objects = description.entities.reduce(0) { $0 + ($1.rows ?? 0) }
            let way = description.readsCopy ? ", read from a private copy for its write-ahead log" : ""
            findings.append(.ok("store", "\(store.location): \(entities), \(objects) objects\(way)"))
            if !description.unverified.isEmpty {
                findings.append(
                    .warning(
                        "store",
                        "\(store.location): not as the model says: \(description.unverified.joined(separator: ", "))",
                        "name the model that belongs to the store (model: in the configuration)"))
            }
        } catch {
            findings.append(Finding("store", CommandFailure(error)))
        }
    }
}
